// The menu of indicators: those on the chart with their parameters, and buttons that add more.
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { chart as t } from '../../../messages/chart.ts';
import styles from '../chart.module.css';
import { indicatorsSetting } from '../chart-settings.ts';
import {
  accepts,
  hasRoomFor,
  type Indicator,
  indicatorsText,
  KIND_NAMES,
  kindOf,
  MAX_INDICATORS,
  MAX_PANES,
  newIndicator,
  type Parameter,
  panesOf,
  parseIndicators,
} from './indicators.ts';

export default function IndicatorMenu() {
  const shown = parseIndicators(indicatorsSetting.use() ?? '');
  const set = (next: readonly Indicator[]) =>
    indicatorsSetting.set(next.length === 0 ? null : indicatorsText(next));
  const isFull = shown.length >= MAX_INDICATORS;
  const hasPanes = panesOf(shown) >= MAX_PANES;
  return (
    <div className={styles.menu}>
      {shown.length === 0 ? null : (
        <ul className={styles.chosen}>
          {shown.map((indicator, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a row
            <li key={`${i} ${indicator.kind}`}>
              <Chosen
                indicator={indicator}
                color={`var(--chart-${i + 1})`}
                onChange={(next) => set(shown.with(i, next))}
                onRemove={() => set(shown.toSpliced(i, 1))}
              />
            </li>
          ))}
        </ul>
      )}
      <p className={styles.menuHead}>
        {isFull ? t.maximum(MAX_INDICATORS) : hasPanes ? t.maximumPanes(MAX_PANES) : t.addIndicator}
      </p>
      <ul className={styles.kinds}>
        {KIND_NAMES.map((kind) => (
          <li key={kind}>
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              fullWidth
              justify="flex-start"
              disabled={!hasRoomFor(shown, kind)}
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => set([...shown, newIndicator(kind)])}
              aria-label={t.add(`${t.kinds[kind].short} ${t.kinds[kind].long}`)}
            >
              <b>{t.kinds[kind].short}</b>{' '}
              <span className={styles.kindName}>{t.kinds[kind].long}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ChosenProps {
  readonly indicator: Indicator;
  readonly color: string;
  readonly onChange: (indicator: Indicator) => void;
  readonly onRemove: () => void;
}

function Chosen({ indicator: { kind, parameters }, color, onChange, onRemove }: ChosenProps) {
  const name = t.kinds[kind];
  return (
    <>
      <span className={styles.swatch} style={{ background: color }} aria-hidden />
      <b className={styles.short}>{name.short}</b>
      <span className={styles.parameters}>
        {kindOf(kind).parameters.map((parameter, i) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={parameters[i]!}
            indicator={name.long}
            onChange={(value) => onChange({ kind, parameters: parameters.with(i, value) })}
          />
        ))}
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        onClick={onRemove}
        aria-label={t.remove(name.long)}
      >
        <IconX size={14} />
      </ActionIcon>
    </>
  );
}

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly value: number;
  readonly indicator: string;
  readonly onChange: (value: number) => void;
}

/** Takes each accepted number while it is typed. */
function ParameterField({ parameter, value, indicator, onChange }: ParameterFieldProps) {
  const [text, setText] = useState(String(value));
  const label = t.parameters[parameter.name];
  const read = (typed: string) => Number(typed.trim().replace(',', '.') || Number.NaN);
  const isWrong = !accepts(parameter, read(text));
  const range = t.parameterRange(parameter.minimum, parameter.maximum);
  return (
    <TextInput
      size="xs"
      label={label}
      aria-label={`${indicator}: ${label}`}
      inputMode={parameter.fraction ? 'decimal' : 'numeric'}
      value={text}
      error={isWrong ? range : undefined}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setText(typed);
        if (accepts(parameter, read(typed))) onChange(read(typed));
      }}
      onBlur={() => isWrong && setText(String(value))}
    />
  );
}

// The dialog to change the margin of a plan, with the effect of the change.
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Margin } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { DecimalInput } from '../components/decimal-input.tsx';
import { Form, RejectionNote } from '../components/layout.tsx';
import { useStepUpAction } from '../components/step-up.tsx';
import { PlainButton } from '../components/texts.tsx';
import { HintLine } from '../earn/parts.tsx';
import * as d from '../exact/decimal.ts';
import { grouped, percent } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { common } from '../messages/common.ts';
import { enterprise as text } from '../messages/enterprise.ts';
import styles from './enterprise.module.css';
import { enterpriseFeeds } from './feeds.ts';
import { effectOf, marginFault, principalIn } from './margin.ts';

const EXAMPLE = '10000';

export interface MarginDialogProps {
  readonly plan: Margin;
  readonly name: string;
  /** The rate of the longest term of a customized plan. */
  readonly highest: d.Decimal | null;
  readonly onClose: () => void;
}

export function MarginDialog({ plan, name, highest, onClose }: MarginDialogProps) {
  const { planId, apy, enterpriseMargin: now } = plan;
  const [typed, setTyped] = useState(d.toPercent(now));
  const value = d.fromInput(typed);
  const margin = value === null ? null : d.fromPercent(value);
  const save = useStepUpAction((next: d.Decimal) => client.setMargin({ planId, margin: next }), {
    refreshes: [['enterprise'], ['earn']],
    done: text.changed(name),
    onDone: onClose,
  });
  const fault = marginFault(margin, apy);
  const isChanged = margin !== null && fault === null && d.compare(margin, now) !== 0;
  return (
    <Modal opened onClose={onClose} title={text.marginOf(name)} size="lg">
      <Form onSubmit={() => isChanged && save.run(margin)}>
        <Stack gap="md">
          <DecimalInput
            label={text.field}
            description={text.fieldUse(percent(apy), plan.planType === 'CUSTOMIZED')}
            size="md"
            value={typed}
            onChange={setTyped}
            unit="%"
            error={fault !== null}
            errorElsewhere
            data-autofocus
          />
          <HintLine
            hint={fault === null ? null : { text: fault, use: d.toPercent(apy) }}
            unit="%"
            onUse={setTyped}
          />
          <div aria-live="polite">
            {margin === null || fault !== null ? null : (
              <EffectTable plan={plan} next={margin} highest={highest} />
            )}
          </div>
          <p className={`dim ${styles.note}`}>{text.applies}</p>
          <RejectionNote
            error={save.error}
            onUse={(nearest) => setTyped(d.toPercent(nearest))}
            percents={['margin']}
          />
          <Group justify="flex-end" gap="xs">
            <PlainButton onClick={onClose}>{common.cancel}</PlainButton>
            <Button type="submit" disabled={!isChanged} loading={save.pending}>
              {text.save}
            </Button>
          </Group>
        </Stack>
      </Form>
      {save.dialog}
    </Modal>
  );
}

interface EffectTableProps {
  readonly plan: Margin;
  readonly next: d.Decimal;
  readonly highest: d.Decimal | null;
}

function EffectTable({ plan, next, highest }: EffectTableProps) {
  const { apy, asset, planId, enterpriseMargin: now } = plan;
  const { data: all } = useLive(enterpriseFeeds.all);
  const effect = effectOf(apy, now, next, EXAMPLE);
  const long = highest === null ? null : effectOf(highest, now, next, EXAMPLE);
  const example = `${grouped(EXAMPLE)} ${asset}`;
  const rows: readonly (readonly [string, string, string])[] = [
    [
      long === null ? text.membersEarn : text.earnTerm('shortest'),
      percent(effect.before),
      percent(effect.after),
    ],
    ...(long === null
      ? []
      : [[text.earnTerm('longest'), percent(long.before), percent(long.after)] as const]),
    [
      (long === null ? text.memberYear : text.memberYearShortest)(example),
      grouped(effect.yearBefore),
      grouped(effect.yearAfter),
    ],
    [text.yourYear(example), grouped(effect.keptBefore), grouped(effect.keptAfter)],
  ];
  return (
    <>
      <div className={styles.effect}>
        <table aria-label={text.effect}>
          <thead>
            <tr>
              <td />
              <th scope="col">{text.now}</th>
              <th scope="col">{text.after}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, before, after]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td className="figures dim">{before}</td>
                <td className="figures">{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {all === undefined ? null : (
        <p className={styles.sentence}>
          {sentenceOf(principalIn(all.items, planId), asset, effect.before, effect.after, apy)}
          {all.isComplete ? null : ` ${text.newestOnly}`}
        </p>
      )}
    </>
  );
}

/** The yearly income of the enterprise on the current principal. */
function sentenceOf(
  principal: d.Decimal,
  asset: string,
  before: d.Decimal,
  after: d.Decimal,
  rate: d.Decimal,
): string {
  if (d.isZero(principal)) return text.noPrincipal;
  const amount = (value: d.Decimal) => `${grouped(value)} ${asset}`;
  const income = (own: d.Decimal) => amount(d.multiply(principal, d.subtract(rate, own)));
  return text.income(amount(principal), income(before), income(after));
}

// The advanced terms of an order: time in force, expiry, the shown quantity, self-trade prevention.
import { NativeSelect, TextInput, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { mayRest } from '../../../src/contract/trading/order-rules.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { trade as t } from '../../messages/trade.ts';
import { useOrderForm } from '../context.ts';
import type { Draft } from './draft.ts';
import { KINDS, TIMES_IN_FORCE, type TimeInForce } from './kinds.ts';
import { PostOnly } from './order-fields.tsx';
import styles from './order-form.module.css';
import { timeInForceOf } from './order-terms.ts';

export function Advanced() {
  const { draft } = useOrderForm();
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <div className={styles.terms}>
        {KINDS[draft.kind].mayPostOnly ? <PostOnly /> : <span />}
        <UnstyledButton
          className={styles.advanced}
          onClick={() => setOpen(!isOpen)}
          aria-expanded={isOpen}
        >
          <span className="dim">{isOpen ? '' : summaryOf(draft)}</span> {t.form.advanced}
          {isOpen ? <IconChevronDown size={13} /> : <IconChevronRight size={13} />}
        </UnstyledButton>
      </div>
      {isOpen ? <AdvancedFields /> : null}
    </div>
  );
}

/** A market order never rests, so its GTC is IOC. */
const nameOf = ({ kind }: Draft, time: TimeInForce): TimeInForce =>
  kind === 'market' && time === 'GTC' ? 'IOC' : time;

/** The time in force, and the names of the other terms in use. */
function summaryOf(draft: Draft): string {
  const { mayHide } = KINDS[draft.kind];
  return [
    nameOf(draft, timeInForceOf(draft)),
    ...(mayHide && draft.shown !== '' ? [t.form.shown] : []),
    ...(draft.prevention === null ? [] : [t.form.prevention]),
  ].join(' · ');
}

function AdvancedFields() {
  const { pair, draft, change, faultOn } = useOrderForm();
  const { times, mayHide } = KINDS[draft.kind];
  const time = timeInForceOf(draft);
  return (
    <div className={styles.advancedFields}>
      <NativeSelect
        size="xs"
        label={t.form.timeInForce}
        value={time}
        onChange={(event) => change({ timeInForce: event.currentTarget.value as TimeInForce })}
        data={times.map((value) => ({ value, label: t.form.times[nameOf(draft, value)] }))}
      />
      {mayHide && mayRest(TIMES_IN_FORCE[time]) ? (
        <DecimalInput
          size="xs"
          label={t.form.shown}
          placeholder={t.form.shownAll}
          value={draft.shown}
          onChange={(shown) => change({ shown })}
          unit={pair.base}
          error={faultOn === 'shown'}
          errorElsewhere
        />
      ) : null}
      {time === 'GTD' ? (
        <TextInput
          className={styles.wide}
          size="xs"
          type="datetime-local"
          label={t.form.expires}
          value={draft.expires}
          onChange={(event) => change({ expires: event.currentTarget.value })}
          error={faultOn === 'expires'}
        />
      ) : null}
      <NativeSelect
        className={styles.wide}
        size="xs"
        label={t.form.prevention}
        value={draft.prevention ?? 'pair'}
        onChange={(event) => change({ prevention: PREVENTION[event.currentTarget.value] ?? null })}
        data={Object.entries(t.form.preventions).map(([value, label]) => ({ value, label }))}
      />
    </div>
  );
}

const PREVENTION: Readonly<Record<string, Draft['prevention']>> = {
  cancelNewest: 'cancelNewest',
  cancelOldest: 'cancelOldest',
  cancelBoth: 'cancelBoth',
};

// The trading status of a pair as one control: what is, what may be chosen, and a question before it changes.

import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { InstrumentStatus } from '../../../src/sdk/index.ts';
import { amendInstrument } from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { feeds as publicFeeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { keys } from '../feeds.ts';
import { Confirm } from '../parts/confirm.tsx';
import { STATUSES, statusConsequences } from './instrument.ts';
import styles from './markets.module.css';
import { StatusMark } from './status-mark.tsx';

export interface StatusControlProps {
  readonly symbol: string;
  readonly status: InstrumentStatus;
}

/** How many orders rest; null while it is not known. The list of orders ends at 10,000 a side. */
function useResting(symbol: string, asked: boolean): number | null {
  const { data } = useLive(asked ? publicFeeds.l3Book(symbol) : null);
  if (data === undefined) return null;
  return [...data.bids, ...data.asks].reduce((count, [, , orders]) => count + orders.length, 0);
}

export function StatusControl({ symbol, status }: StatusControlProps) {
  const [asked, setAsked] = useState<InstrumentStatus | null>(null);
  const resting = useResting(symbol, asked !== null);
  const amend = useAction(amendInstrument, {
    done: (now) =>
      `${symbol} is ${STATUSES.find(({ value }) => value === now.instrumentStatus)!.label.toLowerCase()}.`,
    refreshes: [keys.instruments, ['instruments']],
    onDone: () => setAsked(null),
  });
  const to = STATUSES.find(({ value }) => value === asked);
  return (
    <>
      <ul className={styles.statuses}>
        {STATUSES.map(({ value, what }) => (
          <li key={value} className={styles.status} data-current={value === status}>
            <StatusMark status={value} />
            <Text size="xs" className="dim">
              {what}
            </Text>
            {value === status ? (
              <Text size="xs" fw={600} mt="auto">
                This holds now
              </Text>
            ) : (
              <Button
                size="xs"
                mt="auto"
                variant={value === 'HALTED' ? 'filled' : 'default'}
                color={value === 'HALTED' ? 'var(--sell-solid)' : undefined}
                aria-label={`${ACTIONS[value]} ${symbol}`}
                onClick={() => {
                  amend.clear();
                  setAsked(value);
                }}
              >
                {ACTIONS[value]}…
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Confirm
        opened={to !== undefined}
        title={to === undefined ? '' : `${ACTIONS[to.value]}: ${symbol}`}
        consequences={to === undefined ? [] : statusConsequences(symbol, to.value, resting)}
        confirm={to === undefined ? '' : ACTIONS[to.value]}
        danger={asked === 'HALTED' || asked === 'CANCEL_ONLY'}
        pending={amend.pending}
        error={amend.error}
        onConfirm={() => amend.run(symbol, { instrumentStatus: asked! })}
        onClose={() => setAsked(null)}
      />
    </>
  );
}

const ACTIONS: Readonly<Record<InstrumentStatus, string>> = {
  LIVE: 'Open for trading',
  POST_ONLY: 'Restrict to post only',
  CANCEL_ONLY: 'Restrict to cancels',
  HALTED: 'Halt',
};

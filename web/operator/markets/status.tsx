// The trading status of a pair: a mark, and a control that asks before it changes the status.
import { Button, Text } from '@mantine/core';
import type { InstrumentStatus, ListedInstrument } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import { useConfirm } from '../../components/confirm.tsx';
import { Fine } from '../../components/texts.tsx';
import { feeds as publicFeeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { marketsText as text } from '../../messages/operator-markets.ts';
import { feedKey, operator } from '../data.ts';
import { Mark } from '../parts/marks.tsx';
import styles from './markets.module.css';

const STATUSES: readonly InstrumentStatus[] = ['LIVE', 'POST_ONLY', 'CANCEL_ONLY', 'HALTED'];

const TONES = { LIVE: 'good', POST_ONLY: 'warn', CANCEL_ONLY: 'warn', HALTED: 'bad' } as const;

export function StatusMark({ status }: { readonly status: InstrumentStatus }) {
  return <Mark tone={TONES[status]}>{text.statuses[status][0]}</Mark>;
}

/** The number of resting orders; null while it is unknown. The book lists up to 10,000 a side. */
function useResting(symbol: string, isAsked: boolean): number | null {
  const { data } = useLive(isAsked ? publicFeeds.l3Book(symbol) : null);
  if (data === undefined) return null;
  return [...data.bids, ...data.asks].reduce((sum, [, , orders]) => sum + orders.length, 0);
}

export function StatusControl({ instrument }: { readonly instrument: ListedInstrument }) {
  const { symbol, instrumentStatus: status } = instrument;
  const amend = useAction(
    (to: InstrumentStatus) => operator.amendInstrument(symbol, { instrumentStatus: to }),
    {
      done: (now) => text.statusNow(symbol, text.statuses[now.instrumentStatus][0].toLowerCase()),
      refreshes: [feedKey('instruments'), ['instruments']],
    },
  );
  const { subject: asked, ask, dialog } = useConfirm(amend);
  const resting = useResting(symbol, asked !== null);
  return (
    <>
      <ul className={styles.statuses}>
        {STATUSES.map((value) => (
          <li key={value} className={styles.status} data-current={value === status}>
            <StatusMark status={value} />
            <Fine>{text.statuses[value][1]}</Fine>
            {value === status ? (
              <Text size="xs" fw={600} mt="auto">
                {text.current}
              </Text>
            ) : (
              <StatusButton symbol={symbol} to={value} onAsk={ask} />
            )}
          </li>
        ))}
      </ul>
      {dialog((to) => ({
        title: text.statusQuestion(text.statusActions[to], symbol),
        consequences: text.statusEffects(symbol, resting)[to],
        confirm: text.statusActions[to],
        danger: to === 'HALTED' || to === 'CANCEL_ONLY',
      }))}
    </>
  );
}

interface StatusButtonProps {
  readonly symbol: string;
  readonly to: InstrumentStatus;
  readonly onAsk: (to: InstrumentStatus) => void;
}

function StatusButton({ symbol, to, onAsk }: StatusButtonProps) {
  const isHalt = to === 'HALTED';
  return (
    <Button
      size="xs"
      mt="auto"
      variant={isHalt ? 'filled' : 'default'}
      color={isHalt ? 'var(--sell-solid)' : undefined}
      aria-label={text.statusName(text.statusActions[to], symbol)}
      onClick={() => onAsk(to)}
    >
      {text.statusActions[to]}…
    </Button>
  );
}

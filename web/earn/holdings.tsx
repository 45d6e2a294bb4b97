// The customer's subscriptions: totals by coin, and the state of each.
import { Anchor, Progress } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { type CurrentSubscription, PlanType, SubscriptionStatus } from '../../src/sdk/index.ts';
import { type Column, ListPanel } from '../components/data-table.tsx';
import { Amount, Rate } from '../components/figures.tsx';
import { Pages } from '../components/paging.tsx';
import { Empty } from '../components/states.tsx';
import { add, type Decimal } from '../exact/decimal.ts';
import { utcDay, utcFull } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { earnText } from '../messages/earn.ts';
import { AutoRenew } from './auto-renew.tsx';
import { earnFeeds, useNow } from './feeds.ts';
import styles from './holdings.module.css';
import { StatusBadge } from './parts.tsx';
import { nextPayout, progressOf, until } from './progress.ts';
import { rateParts, typeWord } from './words.ts';

const t = earnText.holdings;
const PAGE_SIZE = 10;

type Row = CurrentSubscription;

export function Holdings() {
  const [page, setPage] = useState(1);
  const now = useNow();
  const pagesOf = (list: readonly Row[]) => Math.ceil(list.length / PAGE_SIZE);
  const pageOf = (list: readonly Row[]) => Math.min(page, pagesOf(list));
  return (
    <ListPanel
      title={t.title}
      live={useLive(earnFeeds.current)}
      rows={(list) => list.slice((pageOf(list) - 1) * PAGE_SIZE, pageOf(list) * PAGE_SIZE)}
      empty={
        <Empty title={t.none}>
          {t.noneHow}
          <Ended />
        </Empty>
      }
      columns={columns(now)}
      keyOf={({ applyId }) => applyId}
      loadingRows={4}
      header={(list) => <Totals totals={totalsOf(list)} />}
      footer={(list) => (
        <>
          <Pages page={pageOf(list)} total={pagesOf(list)} onChange={setPage} />
          <Ended />
        </>
      )}
    />
  );
}

/** The list has no ended subscriptions. */
const Ended = () => (
  <p className={`dim ${styles.ended}`}>
    {t.ended[0]}
    <Anchor component={Link} href="/wallet" size="xs" underline="always">
      {t.ended[1]}
    </Anchor>
    {t.ended[2]}
  </p>
);

interface Total {
  readonly coin: string;
  readonly amount: Decimal;
  /** Interest of the running subscriptions so far. */
  readonly earned: Decimal;
  readonly count: number;
}

/** The totals by coin. Amounts of different coins are never added. */
export function totalsOf(subscriptions: readonly Row[]): readonly Total[] {
  const totals = new Map<string, Total>();
  for (const { coin, amount, totalEarnedAmount } of subscriptions) {
    const before = totals.get(coin) ?? { amount: '0', earned: '0', count: 0 };
    totals.set(coin, {
      coin,
      amount: add(before.amount, amount),
      earned: add(before.earned, totalEarnedAmount),
      count: before.count + 1,
    });
  }
  return [...totals.values()].toSorted((a, b) => a.coin.localeCompare(b.coin));
}

function Totals({ totals }: { readonly totals: readonly Total[] }) {
  return (
    <ul className={styles.totals} aria-label={t.totals}>
      {totals.map(({ coin, amount, earned, count }) => (
        <li key={coin} className={styles.total}>
          <span className="dim">{t.totalOf(count, coin)}</span>
          <span className={styles.totalAmount}>
            <Amount value={amount} asset={coin} />
          </span>
          <span className={styles.earned}>
            <Amount value={earned} signed /> <span className="dim">{t.earnedSoFar}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

const columns = (now: number | null): readonly Column<Row>[] => [
  {
    title: t.plan,
    render: (row) => (
      <div className={styles.plan}>
        <Anchor component={Link} href={`/earn/subscriptions/${row.applyId}`} fw={550} size="sm">
          {row.planName}
        </Anchor>
        <span className="dim">{typeWord(row.planType)}</span>
        <div className={styles.narrow}>
          <div>
            <Rate rate={row.totalApy} /> <span className="dim">{earnText.facts.apr}</span>
          </div>
          <StatusBadge subscription={row} now={now} />
        </div>
      </div>
    ),
  },
  {
    title: earnText.facts.amount,
    align: 'right',
    render: (row) => (
      <>
        <Amount value={row.amount} asset={row.coin} />
        <div className={styles.narrow}>
          <Amount value={row.totalEarnedAmount} signed /> <span className="dim">{t.earned}</span>
        </div>
      </>
    ),
  },
  {
    title: earnText.facts.apr,
    align: 'right',
    from: 'sm',
    render: (row) => (
      <span title={rateParts(row) ?? undefined}>
        <Rate rate={row.totalApy} />
      </span>
    ),
  },
  {
    title: earnText.subscription.earnedSoFar,
    align: 'right',
    from: 'sm',
    render: (row) => <Amount value={row.totalEarnedAmount} signed />,
  },
  { title: earnText.facts.term, from: 'md', render: (row) => <Term row={row} now={now} /> },
  {
    title: earnText.subscription.nextPayout,
    from: 'md',
    render: (row) => <NextPayout row={row} now={now} />,
  },
  { title: t.status, from: 'sm', render: (row) => <StatusBadge subscription={row} now={now} /> },
  {
    title: earnText.facts.autoRenew,
    from: 'lg',
    render: (row) =>
      row.planType === PlanType.flexible ? (
        <span className="dim">{t.noTerm}</span>
      ) : (
        <AutoRenewOf row={row} />
      ),
  },
];

function AutoRenewOf({ row }: { readonly row: Row }) {
  const { data } = useLive(earnFeeds.subscription(row.applyId));
  return data === undefined ? <span className="dim">…</span> : <AutoRenew subscription={data} />;
}

function Term({ row, now }: { readonly row: Row; readonly now: number | null }) {
  if (now === null) return null;
  if (row.status === SubscriptionStatus.redeeming) return <span className="dim">–</span>;
  const { daysDone, daysTotal, percent } = progressOf(row, now);
  if (daysTotal === null || percent === null) {
    return <span className="dim nowrap">{t.soFar(daysDone)}</span>;
  }
  const label = t.dayOf(daysDone, daysTotal);
  return (
    <div className={styles.term} title={t.endsAt(utcDay(row.endDate ?? 0))}>
      <span className="figures nowrap">{label}</span>
      <Progress value={percent} size={5} aria-label={label} />
    </div>
  );
}

function NextPayout({ row, now }: { readonly row: Row; readonly now: number | null }) {
  if (now === null) return null;
  const at = row.status === SubscriptionStatus.redeeming ? null : nextPayout(row, now);
  if (at === null) return <span className="dim">–</span>;
  return (
    <span className="figures nowrap" title={utcFull(at)}>
      {utcDay(at)} <span className="dim">{until(at, now)}</span>
    </span>
  );
}

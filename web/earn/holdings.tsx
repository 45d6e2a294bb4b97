// The customer's subscriptions: totals by coin, and the state of each.
import { Anchor, Progress } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { type CurrentSubscription, PlanType, SubscriptionStatus } from '../../src/sdk/index.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Amount, Rate } from '../components/figures.tsx';
import { Pages } from '../components/paging.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { utcDay, utcFull } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { AutoRenew } from './auto-renew.tsx';
import { earnFeeds, useNow } from './feeds.ts';
import styles from './holdings.module.css';
import { nextPayout, progressOf, until } from './progress.ts';
import { StatusBadge } from './status-badge.tsx';
import { type Total, totalsOf } from './totals.ts';
import { days, rateParts, typeWord } from './words.ts';

const PAGE_SIZE = 10;

export function Holdings() {
  const live = useLive(earnFeeds.current);
  return (
    <Panel title="My subscriptions" flush>
      <Loaded
        live={live}
        isEmpty={(list) => list.length === 0}
        empty={
          <Empty title="No subscriptions yet">
            Choose a plan below. Interest starts with the next UTC day.
            <Ended />
          </Empty>
        }
      >
        {(list) => (
          <>
            <Totals totals={totalsOf(list)} />
            <Subscriptions list={list} />
            <Ended />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** The list has no ended subscriptions. */
const Ended = () => (
  <p className={`dim ${styles.ended}`}>
    Each payment in your{' '}
    <Anchor component={Link} href="/wallet" size="xs" underline="always">
      statement
    </Anchor>{' '}
    leads to its subscription, also to those that have ended.
  </p>
);

function Totals({ totals }: { readonly totals: readonly Total[] }) {
  return (
    <ul className={styles.totals} aria-label="Totals by coin">
      {totals.map(({ coin, amount, earned, count }) => (
        <li key={coin} className={styles.total}>
          <span className="dim">
            {count === 1 ? '1 subscription' : `${count} subscriptions`} in {coin}
          </span>
          <span className={styles.totalAmount}>
            <Amount value={amount} asset={coin} />
          </span>
          <span className={styles.earned}>
            <Amount value={earned} signed /> <span className="dim">earned so far</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Subscriptions({ list }: { readonly list: readonly CurrentSubscription[] }) {
  const [wanted, setPage] = useState(1);
  const now = useNow();
  const pages = Math.ceil(list.length / PAGE_SIZE);
  const page = Math.min(wanted, pages);
  return (
    <>
      <DataTable
        label="My subscriptions"
        rows={list.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
        columns={columns(now)}
        keyOf={({ applyId }) => applyId}
      />
      <Pages page={page} total={pages} onChange={setPage} />
    </>
  );
}

type Row = CurrentSubscription;

const columns = (now: number | null): readonly Column<Row>[] => [
  {
    title: 'Plan',
    render: (row) => (
      <div className={styles.plan}>
        <Anchor component={Link} href={`/earn/subscriptions/${row.applyId}`} fw={550} size="sm">
          {row.planName}
        </Anchor>
        <span className="dim">{typeWord(row.planType)}</span>
        <div className={styles.narrow}>
          <div>
            <Rate rate={row.totalApy} /> <span className="dim">APR</span>
          </div>
          <StatusBadge subscription={row} now={now} />
        </div>
      </div>
    ),
  },
  {
    title: 'Amount',
    align: 'right',
    render: (row) => (
      <>
        <Amount value={row.amount} asset={row.coin} />
        <div className={styles.narrow}>
          <Amount value={row.totalEarnedAmount} signed /> <span className="dim">earned</span>
        </div>
      </>
    ),
  },
  {
    title: 'APR',
    align: 'right',
    from: 'sm',
    render: (row) => (
      <span title={rateParts(row) ?? undefined}>
        <Rate rate={row.totalApy} />
      </span>
    ),
  },
  {
    title: 'Earned so far',
    align: 'right',
    from: 'sm',
    render: (row) => <Amount value={row.totalEarnedAmount} signed />,
  },
  { title: 'Term', from: 'md', render: (row) => <Term row={row} now={now} /> },
  { title: 'Next payout', from: 'md', render: (row) => <NextPayout row={row} now={now} /> },
  {
    title: 'Status',
    from: 'sm',
    render: (row) => <StatusBadge subscription={row} now={now} />,
  },
  {
    title: 'Auto renew',
    from: 'lg',
    render: (row) =>
      row.planType === PlanType.flexible ? (
        <span className="dim">no term</span>
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
  const { daysDone, daysTotal, percent } = progressOf(row, now);
  if (daysTotal === null || percent === null) {
    return <span className="dim nowrap">{days(daysDone)} so far</span>;
  }
  const label = `Day ${daysDone} of ${daysTotal}`;
  return (
    <div className={styles.term} title={`Ends ${utcDay(row.endDate ?? 0)}, 00:00 UTC`}>
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

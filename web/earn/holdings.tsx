// The customer's subscriptions: totals by coin and the state of each, and those that ended.
import { Progress, SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import {
  type CurrentSubscription,
  type EndedSubscription,
  PlanType,
  SubscriptionStatus,
} from '../../src/sdk/index.ts';
import { type Column, column, ListPanel, PagedPanel } from '../components/data-table.tsx';
import { Amount, Day } from '../components/figures.tsx';
import { Empty } from '../components/layout.tsx';
import { Pages } from '../components/paging.tsx';
import { TextLink } from '../components/texts.tsx';
import { Tile, Tiles } from '../components/tiles.tsx';
import { add, type Decimal } from '../exact/decimal.ts';
import { utcDay, utcFull } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { earnText } from '../messages/earn.ts';
import { AutoRenew } from './auto-renew.tsx';
import { earnFeeds, useNow } from './feeds.ts';
import styles from './holdings.module.css';
import { StatusBadge } from './parts.tsx';
import { nextPayout, progressOf, until } from './progress.ts';
import { aprWord, rateParts, typeWord } from './words.ts';

const t = earnText.holdings;
const PAGE_SIZE = 10;

type Row = CurrentSubscription;
/** The part of a subscription that both lists have. */
type ListRow = Pick<Row, keyof Row & keyof EndedSubscription>;

/** The customer's subscriptions: those that run, or those that ended. */
export function Holdings() {
  const [isEnded, setEnded] = useState(false);
  const lists = (
    <SegmentedControl
      size="xs"
      aria-label={t.list}
      value={isEnded ? 'ended' : 'current'}
      onChange={(list) => setEnded(list === 'ended')}
      data={Object.entries(t.lists).map(([value, label]) => ({ value, label }))}
    />
  );
  return isEnded ? <Ended lists={lists} /> : <Current lists={lists} />;
}

interface ListProps {
  /** The choice between the lists. */
  readonly lists: ReactNode;
}

function Current({ lists }: ListProps) {
  const [page, setPage] = useState(1);
  const now = useNow();
  const pagesOf = (list: readonly Row[]) => Math.ceil(list.length / PAGE_SIZE);
  const pageOf = (list: readonly Row[]) => Math.min(page, pagesOf(list));
  return (
    <ListPanel
      title={t.title}
      actions={lists}
      live={useLive(earnFeeds.current)}
      rows={(list) => list.slice((pageOf(list) - 1) * PAGE_SIZE, pageOf(list) * PAGE_SIZE)}
      empty={<Empty title={t.none} hint={t.noneHow} />}
      columns={columns(now)}
      keyOf={({ applyId }) => applyId}
      loadingRows={4}
      header={(list) => <Totals totals={totalsOf(list)} />}
      footer={(list) => <Pages page={pageOf(list)} total={pagesOf(list)} onChange={setPage} />}
    />
  );
}

function Ended({ lists }: ListProps) {
  return (
    <PagedPanel
      title={t.title}
      actions={lists}
      feed={earnFeeds.ended}
      counts
      empty={<Empty title={t.noneEnded} />}
      columns={endedColumns}
      keyOf={({ applyId }) => applyId}
      loadingRows={4}
    />
  );
}

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
    <div className={styles.totals}>
      <Tiles label={t.totals}>
        {totals.map(({ coin, amount, earned, count }) => (
          <Tile
            key={coin}
            name={t.totalOf(count, coin)}
            value={<Amount value={amount} asset={coin} />}
            note={
              <>
                <Amount value={earned} signed /> {t.earnedSoFar}
              </>
            }
          />
        ))}
      </Tiles>
    </div>
  );
}

const planColumn = <R extends ListRow>(below: (row: R) => ReactNode): Column<R> =>
  column.of(t.plan, (row) => (
    <div className={styles.plan}>
      <TextLink href={`/earn/subscriptions/${row.applyId}`} fw={550}>
        <span className="clamped" title={row.planName}>
          {row.planName}
        </span>
      </TextLink>
      <span className="dim">{typeWord(row.planType)}</span>
      <div className={styles.narrow}>
        <div className="nowrap">
          {aprWord(row.totalApy)} <span className="dim">{earnText.facts.apr}</span>
        </div>
        {below(row)}
      </div>
    </div>
  ));

const amount: Column<ListRow> = column.figure(earnText.facts.amount, (row) => (
  <>
    <Amount value={row.amount} asset={row.coin} />
    <div className={styles.narrow}>
      <Amount value={row.totalEarnedAmount} signed /> <span className="dim">{t.earned}</span>
    </div>
  </>
));

const apr: Column<ListRow> = column.figure(
  earnText.facts.apr,
  (row) => (
    <span className="figures nowrap" title={rateParts(row) ?? undefined}>
      {aprWord(row.totalApy)}
    </span>
  ),
  'sm',
);

const endedColumns: readonly Column<EndedSubscription>[] = [
  planColumn(({ endedAt }) => <Day at={endedAt} named />),
  amount,
  apr,
  column.amount(t.earnedInAll, (row) => ({ value: row.totalEarnedAmount, signed: true }), 'sm'),
  column.of(
    earnText.facts.term,
    ({ lockDay }) => (lockDay === null ? t.noTerm : earnText.days(lockDay)),
    'md',
  ),
  column.of(t.endedOn, ({ endedAt }) => <Day at={endedAt} />, 'sm'),
];

const columns = (now: number | null): readonly Column<Row>[] => [
  planColumn((row) => <StatusBadge subscription={row} now={now} />),
  amount,
  apr,
  column.amount(
    earnText.subscription.earnedSoFar,
    (row) => ({ value: row.totalEarnedAmount, signed: true }),
    'sm',
  ),
  column.of(earnText.facts.term, (row) => <Term row={row} now={now} />, 'md'),
  column.of(earnText.subscription.nextPayout, (row) => <NextPayout row={row} now={now} />, 'md'),
  column.of(t.status, (row) => <StatusBadge subscription={row} now={now} />, 'sm'),
  column.of(
    earnText.facts.autoRenew,
    (row) =>
      row.planType === PlanType.flexible ? (
        <span className="dim">{t.noTerm}</span>
      ) : (
        <AutoRenewOf row={row} />
      ),
    'lg',
  ),
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

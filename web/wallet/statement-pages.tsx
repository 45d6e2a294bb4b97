// The pages of one statement window, below the balances at its ends.
import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type {
  LedgerEntry,
  LedgerRequest,
  Statement,
  StatementBalance,
} from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { type Column, column, DataTable } from '../components/data-table.tsx';
import { AssetAmount, Day, When } from '../components/figures.tsx';
import { Empty, Loaded } from '../components/layout.tsx';
import { Pager } from '../components/paging.tsx';
import { type Decimal, subtract } from '../exact/decimal.ts';
import { rereadOn } from '../live/channel.ts';
import * as channels from '../live/channels.ts';
import { type Feed, useLive } from '../live/live.ts';
import { common } from '../messages/common.ts';
import { walletText } from '../messages/wallet.ts';
import { detailOf, kindText, type Row, rowsOf } from './statement-entries.ts';
import styles from './wallet.module.css';

const t = walletText.statement;

/** Business time, epoch ms; includes both ends, and an open end is absent. */
export type StatementQuery = Pick<LedgerRequest, 'asset' | 'startTime' | 'endTime'>;

const PAGE_SIZE = 25;
/** One more entry than a page: it may pair with the last one, and shows that more follow. */
const READ_SIZE = PAGE_SIZE + 1;

/** A page of the statement. Entries below `lastEntryId` never change. */
const statementFeed = (query: StatementQuery, lastEntryId: number | null): Feed<Statement> => ({
  key: ['statement', JSON.stringify(query), lastEntryId],
  every: lastEntryId === null ? 5_000 : null,
  ...(lastEntryId === null ? { updates: rereadOn(channels.balances) } : {}),
  read: (options) =>
    client.ledger(
      { ...query, size: READ_SIZE, ...(lastEntryId === null ? {} : { lastEntryId }) },
      options,
    ),
});

const changeOf = ({ openingBalance, closingBalance }: StatementBalance): Decimal =>
  subtract(closingBalance, openingBalance);

/** On narrow screens, the change stands below the closing balance. */
const ENDS: readonly Column<StatementBalance>[] = [
  column.of(t.asset, ({ asset }) => <span className={styles.asset}>{asset}</span>),
  column.asset(t.opening, ({ asset, openingBalance: value }) => ({ asset, value }), 'sm'),
  column.asset(t.change, (row) => ({ asset: row.asset, value: changeOf(row), signed: true }), 'sm'),
  column.figure(t.closing, (row) => (
    <>
      <AssetAmount value={row.closingBalance} asset={row.asset} />
      <Text component="span" hiddenFrom="sm" className={styles.parts}>
        <AssetAmount value={changeOf(row)} asset={row.asset} signed />
      </Text>
    </>
  )),
];

const ENTRIES: readonly Column<Row>[] = [
  column.of(t.time, ({ entry }) => <Moment entry={entry} />, 'sm'),
  column.of(t.action, ({ entry, isCompounded }) => (
    <>
      {isCompounded ? t.compounded : kindText(entry)}
      <Text component="span" hiddenFrom="sm" className={`dim ${styles.parts}`}>
        <Moment entry={entry} />
      </Text>
      <Text component="span" hiddenFrom="md" className={`dim ${styles.parts}`}>
        <Detail entry={entry} />
      </Text>
    </>
  )),
  column.of(t.asset, ({ entry }) => entry.asset, 'sm'),
  {
    title: t.amount,
    align: 'right',
    render: ({ entry: { amount, asset, balance }, isCompounded }) => (
      <>
        {/* Compounded interest did not change the balance. */}
        <AssetAmount value={amount} asset={asset} signed={!isCompounded} />
        <Text component="span" hiddenFrom="sm" className={styles.parts}>
          {asset}
        </Text>
        <Text component="span" hiddenFrom="sm" className={`dim ${styles.parts}`}>
          {t.balanceThen}
          <AssetAmount value={balance} asset={asset} />
        </Text>
      </>
    ),
  },
  column.asset(t.balanceAfter, ({ entry: { asset, balance: value } }) => ({ asset, value }), 'sm'),
  column.of(
    t.reference,
    ({ entry }) => (
      <span className="dim breakable">
        <Detail entry={entry} />
      </span>
    ),
    'md',
  ),
];

interface Of {
  readonly entry: LedgerEntry;
}

/** Interest belongs to UTC days: a local time could show the wrong day. */
const Moment = ({ entry: { type, time } }: Of) =>
  type === 'interest' ? <Day at={time} named /> : <When at={time} />;

function Detail({ entry }: Of) {
  const detail = detailOf(entry);
  if (detail === null) return '–';
  const { text, href } = detail;
  if (href === undefined) return text;
  return (
    <Anchor component={Link} href={href} inherit underline="always">
      {text}
    </Anchor>
  );
}

export function StatementPages({ query }: { readonly query: StatementQuery }) {
  // The last entry of each earlier page.
  const [trail, setTrail] = useState<readonly number[]>([]);
  const live = useLive(statementFeed(query, trail.at(-1) ?? null));
  const { rows, last } = rowsOf(live.data?.data ?? [], PAGE_SIZE);
  const isFull = last !== null && last !== live.data?.data.at(-1)?.entryId;
  return (
    <Loaded
      live={live}
      rows={6}
      isEmpty={({ data, balances }) => data.length === 0 && balances.length === 0}
      empty={<Empty title={t.none} hint={t.noneWhy} />}
    >
      {({ data, balances }) => (
        <>
          <div className={styles.ends}>
            <DataTable
              label={t.balancesLabel}
              rows={balances}
              columns={ENDS}
              keyOf={({ asset }) => asset}
            />
          </div>
          <Text size="xs" className={`dim ${styles.note}`} mt="xs">
            {t.balancesNote}
          </Text>
          {data.length === 0 ? (
            <Empty title={t.noneInPeriod} />
          ) : (
            <DataTable
              label={t.entries}
              rows={rows}
              columns={ENTRIES}
              keyOf={({ entry }) => `${entry.entryId} ${entry.asset}`}
            />
          )}
          <Pager
            label={t.list}
            where={common.page(trail.length + 1)}
            onNewer={trail.length === 0 ? null : () => setTrail(trail.slice(0, -1))}
            onOlder={isFull ? () => setTrail([...trail, last]) : null}
          />
        </>
      )}
    </Loaded>
  );
}

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
import { type Column, DataTable } from '../components/data-table.tsx';
import { AssetAmount, Day, When } from '../components/figures.tsx';
import { Pager } from '../components/paging.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { subtract } from '../exact/decimal.ts';
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
  key: [
    'statement',
    query.asset ?? null,
    query.startTime ?? null,
    query.endTime ?? null,
    lastEntryId,
  ],
  every: lastEntryId === null ? 5_000 : null,
  ...(lastEntryId === null ? { updates: rereadOn(channels.balances) } : {}),
  read: (options) =>
    client.ledger(
      { ...query, size: READ_SIZE, ...(lastEntryId === null ? {} : { lastEntryId }) },
      options,
    ),
});

const ENDS: readonly Column<StatementBalance>[] = [
  { title: t.asset, render: ({ asset }) => <span className={styles.asset}>{asset}</span> },
  {
    title: t.opening,
    align: 'right',
    render: ({ asset, openingBalance }) => <AssetAmount value={openingBalance} asset={asset} />,
  },
  {
    title: t.change,
    align: 'right',
    from: 'sm',
    render: ({ asset, openingBalance, closingBalance }) => (
      <AssetAmount value={subtract(closingBalance, openingBalance)} asset={asset} signed />
    ),
  },
  {
    title: t.closing,
    align: 'right',
    render: ({ asset, closingBalance }) => <AssetAmount value={closingBalance} asset={asset} />,
  },
];

const ENTRIES: readonly Column<Row>[] = [
  { title: t.time, from: 'sm', render: ({ entry }) => <Moment entry={entry} /> },
  {
    title: t.action,
    render: ({ entry, isCompounded }) => (
      <>
        {isCompounded ? t.compounded : kindText(entry)}
        <Text component="span" hiddenFrom="sm" className={`dim ${styles.parts}`}>
          <Moment entry={entry} />
        </Text>
        <Text component="span" hiddenFrom="md" className={`dim ${styles.parts}`}>
          <Detail entry={entry} />
        </Text>
      </>
    ),
  },
  { title: t.asset, from: 'sm', render: ({ entry }) => entry.asset },
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
  {
    title: t.balanceAfter,
    align: 'right',
    from: 'sm',
    render: ({ entry }) => <AssetAmount value={entry.balance} asset={entry.asset} />,
  },
  {
    title: t.reference,
    from: 'md',
    render: ({ entry }) => (
      <span className="dim breakable">
        <Detail entry={entry} />
      </span>
    ),
  },
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

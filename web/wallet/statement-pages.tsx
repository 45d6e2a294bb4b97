// The pages of one statement window, below the balances at its ends.

import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { LedgerEntry, StatementBalance } from '../../src/sdk/index.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Amount, Day, When } from '../components/figures.tsx';
import { Pager } from '../components/pager.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { subtract } from '../exact/decimal.ts';
import { useLive } from '../live/live.ts';
import { STATEMENT_PAGE_SIZE, type StatementQuery, statementFeed } from './feeds.ts';
import { type Row, rowsOf } from './statement-rows.ts';
import { COMPOUNDED, detailOf, kindWords } from './statement-words.ts';
import styles from './wallet.module.css';

const ENDS: readonly Column<StatementBalance>[] = [
  { title: 'Asset', render: ({ asset }) => <span className={styles.asset}>{asset}</span> },
  {
    title: 'Opening balance',
    align: 'right',
    render: ({ openingBalance }) => <Amount value={openingBalance} />,
  },
  {
    title: 'Change',
    align: 'right',
    from: 'sm',
    render: ({ openingBalance, closingBalance }) => (
      <Amount value={subtract(closingBalance, openingBalance)} signed />
    ),
  },
  {
    title: 'Closing balance',
    align: 'right',
    render: ({ closingBalance }) => <Amount value={closingBalance} />,
  },
];

const ENTRIES: readonly Column<Row>[] = [
  { title: 'Time (local)', from: 'sm', render: ({ entry }) => <Moment entry={entry} /> },
  {
    title: 'Action',
    render: ({ entry, isCompounded }) => (
      <>
        {isCompounded ? COMPOUNDED : kindWords(entry)}
        <Text component="span" hiddenFrom="sm" className={`dim ${styles.parts}`}>
          <Moment entry={entry} />
        </Text>
        <Text component="span" hiddenFrom="md" className={`dim ${styles.parts}`}>
          <Detail entry={entry} />
        </Text>
      </>
    ),
  },
  { title: 'Asset', from: 'sm', render: ({ entry }) => entry.asset },
  {
    title: 'Amount',
    align: 'right',
    render: ({ entry: { amount, asset, balance }, isCompounded }) => (
      <>
        {/* What joined the plan has not changed the balance. */}
        <Amount value={amount} signed={!isCompounded} />
        <Text component="span" hiddenFrom="sm" className={styles.parts}>
          {asset}
        </Text>
        <Text component="span" hiddenFrom="sm" className={`dim ${styles.parts}`}>
          then <Amount value={balance} />
        </Text>
      </>
    ),
  },
  {
    title: 'Balance after',
    align: 'right',
    from: 'sm',
    render: ({ entry }) => <Amount value={entry.balance} />,
  },
  {
    title: 'Reference',
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
  /** The last entry of each earlier page. */
  const [trail, setTrail] = useState<readonly number[]>([]);
  const live = useLive(statementFeed(query, trail.at(-1) ?? null));
  const { rows, last } = rowsOf(live.data?.data ?? [], STATEMENT_PAGE_SIZE);
  const isFull = last !== null && last !== live.data?.data.at(-1)?.entryId;
  return (
    <Loaded
      live={live}
      rows={6}
      isEmpty={({ data, balances }) => data.length === 0 && balances.length === 0}
      empty={<Empty title="No entries yet">Every change of a balance appears here.</Empty>}
    >
      {({ data, balances }) => (
        <>
          <div className={styles.ends}>
            <DataTable
              label="Balances before and after"
              rows={balances}
              columns={ENDS}
              keyOf={({ asset }) => asset}
            />
          </div>
          <Text size="xs" className={`dim ${styles.note}`} mt="xs">
            Spot balances: available and in orders, without money in Earn.
          </Text>
          {data.length === 0 ? (
            <Empty title="No entries in this period" />
          ) : (
            <DataTable
              label="Entries of the statement"
              rows={rows}
              columns={ENTRIES}
              keyOf={({ entry }) => `${entry.entryId} ${entry.asset}`}
            />
          )}
          <Pager
            label="statement"
            where={`Page ${trail.length + 1}`}
            onNewer={trail.length === 0 ? null : () => setTrail(trail.slice(0, -1))}
            onOlder={isFull ? () => setTrail([...trail, last]) : null}
          />
        </>
      )}
    </Loaded>
  );
}

// Order history: everything of the last 30 days, filtered, in pages.

import { NativeSelect } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type OrdStatus, Side } from '../../../src/sdk/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Pager } from '../../components/pager.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { useLive } from '../../live/live.ts';
import { historyFeed } from '../feeds.ts';
import {
  AverageCell,
  CardHead,
  FilledCell,
  PairCell,
  PriceCell,
  SideCell,
  SizeCell,
  StateCell,
  useCards,
} from './cells.tsx';
import type { HistoryFilter, HistoryWindow } from './history-page.ts';
import styles from './orders.module.css';
import { RowCards } from './row-cards.tsx';
import { FILTER_STATES, typeWord } from './words.ts';

/** The filters besides the pair. */
export type HistoryChoice = Omit<HistoryFilter, 'symbol'>;
export const EVERYTHING: HistoryChoice = { side: null, status: null, window: '30d' };

export interface HistoryFiltersProps {
  readonly choice: HistoryChoice;
  readonly onChange: (choice: HistoryChoice) => void;
}

export function HistoryFilters({ choice, onChange }: HistoryFiltersProps) {
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Side"
        value={choice.side ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...choice, side: value === '' ? null : (Number(value) as Side) })
        }
        data={[
          { value: '', label: 'Buys and sells' },
          { value: String(Side.buy), label: 'Buys' },
          { value: String(Side.sell), label: 'Sells' },
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label="Status"
        value={choice.status ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...choice, status: value === '' ? null : (Number(value) as OrdStatus) })
        }
        data={[
          { value: '', label: 'Any status' },
          ...FILTER_STATES.map(([status, label]) => ({ value: String(status), label })),
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label="Placed within"
        value={choice.window}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...choice, window: value as HistoryWindow })
        }
        data={[
          { value: '24h', label: 'Last 24 hours' },
          { value: '7d', label: 'Last 7 days' },
          { value: '30d', label: 'Last 30 days' },
        ]}
      />
    </>
  );
}

export function HistoryTable({ filter }: { readonly filter: HistoryFilter }) {
  /** Where each page that was turned begins; the newest page is not among them. */
  const [turned, setTurned] = useState<readonly number[]>([]);
  const cards = useCards();
  const live = useLive(historyFeed(filter, turned.at(-1) ?? null));
  return (
    <Loaded
      live={live}
      rows={3}
      isEmpty={({ rows, next }) => rows.length === 0 && next === null && turned.length === 0}
      empty={
        <Empty icon={<IconHistory size={24} stroke={1.5} />} title="No orders match">
          Orders of the last 30 days are shown. Older trades are in the wallet’s statement.
        </Empty>
      }
    >
      {({ rows, next }) => (
        <>
          {cards ? (
            <RowCards
              label="Order history"
              rows={rows}
              keyOf={({ orderId }) => String(orderId)}
              head={(order) => <CardHead order={order} />}
              aside={(order) => <StateCell order={order} />}
              facts={factsOf}
            />
          ) : (
            <DataTable
              label="Order history"
              rows={rows}
              columns={COLUMNS}
              keyOf={({ orderId }) => String(orderId)}
            />
          )}
          <Pager
            label="order history"
            where={`Page ${turned.length + 1}`}
            onNewer={turned.length === 0 ? null : () => setTurned(turned.slice(0, -1))}
            onOlder={next === null ? null : () => setTurned([...turned, next])}
          />
        </>
      )}
    </Loaded>
  );
}

const factsOf = (order: Order): readonly (readonly [string, ReactNode])[] => [
  ['Price', <PriceCell key="price" order={order} />],
  ['Ordered', <SizeCell key="ordered" order={order} />],
  ['Filled', <FilledCell key="filled" order={order} />],
  ['Average', <AverageCell key="average" order={order} />],
  ['Last change', <When key="time" at={order.transactTime} />],
];

const COLUMNS: readonly Column<Order>[] = [
  { title: 'Last change', render: ({ transactTime }) => <When at={transactTime} /> },
  { title: 'Pair', render: ({ symbol }) => <PairCell symbol={symbol} /> },
  { title: 'Side', render: ({ side }) => <SideCell side={side} /> },
  {
    title: 'Type',
    from: 'md',
    render: (order) => <span className="nowrap">{typeWord(order)}</span>,
  },
  { title: 'Price', align: 'right', from: 'sm', render: (order) => <PriceCell order={order} /> },
  { title: 'Ordered', align: 'right', render: (order) => <SizeCell order={order} /> },
  { title: 'Filled', align: 'right', from: 'sm', render: (order) => <FilledCell order={order} /> },
  {
    title: 'Average',
    align: 'right',
    from: 'md',
    render: (order) => <AverageCell order={order} />,
  },
  { title: 'Status', render: (order) => <StateCell order={order} /> },
  {
    title: 'Own id',
    from: 'lg',
    render: ({ clOrdId }) => (
      <span className={styles.ownId} title={clOrdId}>
        {clOrdId}
      </span>
    ),
  },
];

// Order history: the orders of the last 30 days, filtered, in pages.
import { NativeSelect } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { type OrdStatus, Side } from '../../../src/sdk/generated/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import { When } from '../../components/figures.tsx';
import { Pager } from '../../components/pager.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { useLive } from '../../live/live.ts';
import { common } from '../../messages/common.ts';
import { trade as t } from '../../messages/trade.ts';
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
  TypeCell,
} from './cells.tsx';
import type { HistoryFilter, HistoryWindow } from './history-page.ts';
import styles from './orders.module.css';
import { type RowColumn, RowList } from './row-list.tsx';
import { FILTER_STATES } from './words.ts';

/** The filters besides the pair. */
type HistoryChoice = Omit<HistoryFilter, 'symbol'>;
export const EVERYTHING: HistoryChoice = { side: null, status: null, window: '30d' };

export interface HistoryFiltersProps {
  readonly choice: HistoryChoice;
  readonly onChange: (choice: HistoryChoice) => void;
}

export function HistoryFilters({ choice, onChange }: HistoryFiltersProps) {
  const codeOf = (value: string) => (value === '' ? null : Number(value));
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={t.orders.side}
        value={choice.side ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...choice, side: codeOf(value) as Side | null })
        }
        data={[
          { value: '', label: t.orders.anySide },
          { value: String(Side.buy), label: t.orders.buys },
          { value: String(Side.sell), label: t.orders.sells },
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label={t.orders.status}
        value={choice.status ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...choice, status: codeOf(value) as OrdStatus | null })
        }
        data={[
          { value: '', label: t.orders.anyStatus },
          ...FILTER_STATES.map(([status, label]) => ({ value: String(status), label })),
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label={t.orders.within}
        value={choice.window}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...choice, window: value as HistoryWindow })
        }
        data={Object.entries(t.orders.windows).map(([value, label]) => ({ value, label }))}
      />
    </>
  );
}

export function HistoryTable({ filter }: { readonly filter: HistoryFilter }) {
  /** The last row of each page before this one. */
  const [turned, setTurned] = useState<readonly number[]>([]);
  const live = useLive(historyFeed(filter, turned.at(-1) ?? null));
  return (
    <Loaded
      live={live}
      rows={3}
      isEmpty={({ rows, next }) => rows.length === 0 && next === null && turned.length === 0}
      empty={
        <Empty icon={<IconHistory size={24} stroke={1.5} />} title={t.orders.noMatch}>
          {t.orders.noMatchWhy}
        </Empty>
      }
    >
      {({ rows, next }) => (
        <>
          <RowList
            label={t.orders.history}
            rows={rows}
            keyOf={({ orderId }) => orderId}
            columns={COLUMNS}
            head={(order) => <CardHead order={order} />}
            aside={(order) => <StateCell order={order} />}
          />
          <Pager
            label={t.orders.historyList}
            where={common.page(turned.length + 1)}
            onNewer={turned.length === 0 ? null : () => setTurned(turned.slice(0, -1))}
            onOlder={next === null ? null : () => setTurned([...turned, next])}
          />
        </>
      )}
    </Loaded>
  );
}

const COLUMNS: readonly RowColumn<Order>[] = [
  {
    title: t.orders.lastChange,
    onCard: true,
    render: ({ transactTime }) => <When at={transactTime} />,
  },
  { title: t.orders.pair, render: ({ symbol }) => <PairCell symbol={symbol} /> },
  { title: t.orders.side, render: ({ side }) => <SideCell side={side} /> },
  { title: t.orders.type, from: 'md', render: (order) => <TypeCell order={order} /> },
  {
    title: t.orders.price,
    onCard: true,
    align: 'right',
    from: 'sm',
    render: (order) => <PriceCell order={order} />,
  },
  {
    title: t.orders.ordered,
    onCard: true,
    align: 'right',
    render: (order) => <SizeCell order={order} />,
  },
  {
    title: t.orders.filled,
    onCard: true,
    align: 'right',
    from: 'sm',
    render: (order) => <FilledCell order={order} />,
  },
  {
    title: t.orders.average,
    onCard: true,
    align: 'right',
    from: 'md',
    render: (order) => <AverageCell order={order} />,
  },
  { title: t.orders.status, render: (order) => <StateCell order={order} /> },
  {
    title: t.orders.clientId,
    from: 'lg',
    render: ({ clOrdId }) => (
      <span className={styles.ownId} title={clOrdId}>
        {clOrdId}
      </span>
    ),
  },
];

// Order history and fills, in pages.
import { NativeSelect } from '@mantine/core';
import { IconHistory, IconReceipt } from '@tabler/icons-react';
import { Side } from '../../../src/sdk/generated/codes.ts';
import { Empty } from '../../components/states.tsx';
import { trade as t } from '../../messages/trade.ts';
import { fillsFeed, historyFeed } from '../feeds.ts';
import { FILL_COLUMNS, HISTORY_COLUMNS, head, orderHead, role, state } from './columns.tsx';
import { type HistoryFilter, WINDOWS } from './history-page.ts';
import { PagedRows } from './row-list.tsx';
import { FILTER_STATES } from './words.ts';

/** The filters besides the pair. */
type HistoryChoice = Omit<HistoryFilter, 'symbol'>;
export const EVERYTHING: HistoryChoice = { side: null, status: null, window: '30d' };

interface HistoryFiltersProps {
  readonly choice: HistoryChoice;
  readonly onChange: (choice: HistoryChoice) => void;
}

export function HistoryFilters({ choice, onChange }: HistoryFiltersProps) {
  return (
    <>
      <FilterSelect
        label={t.orders.side}
        value={choice.side}
        options={[
          [null, t.orders.anySide],
          [Side.buy, t.orders.buys],
          [Side.sell, t.orders.sells],
        ]}
        onChange={(side) => onChange({ ...choice, side })}
      />
      <FilterSelect
        label={t.orders.status}
        value={choice.status}
        options={[[null, t.orders.anyStatus], ...FILTER_STATES]}
        onChange={(status) => onChange({ ...choice, status })}
      />
      <FilterSelect
        label={t.orders.within}
        value={choice.window}
        options={WINDOWS.map((window) => [window, t.orders.windows[window]])}
        onChange={(window) => onChange({ ...choice, window })}
      />
    </>
  );
}

interface FilterSelectProps<T> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly onChange: (value: T) => void;
}

function FilterSelect<T>({ label, value, options, onChange }: FilterSelectProps<T>) {
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={String(value)}
      onChange={(event) => onChange(options[event.currentTarget.selectedIndex]![0])}
      data={options.map(([value, label]) => ({ value: String(value), label }))}
    />
  );
}

export function HistoryTable({ filter }: { readonly filter: HistoryFilter }) {
  return (
    <PagedRows
      feed={(below) => historyFeed(filter, below)}
      label={t.orders.history}
      list={t.orders.historyList}
      keyOf={({ orderId }) => orderId}
      columns={HISTORY_COLUMNS}
      head={orderHead}
      aside={state}
      empty={
        <Empty icon={<IconHistory size={24} stroke={1.5} />} title={t.orders.noMatch}>
          {t.orders.noMatchWhy}
        </Empty>
      }
    />
  );
}

export function FillsTable({ symbol }: { readonly symbol: string | null }) {
  return (
    <PagedRows
      feed={(below) => fillsFeed(symbol, below)}
      label={t.orders.fills}
      list={t.orders.fillsList}
      // A trade of an account with itself is two fills.
      keyOf={({ tradeId, orderId }) => `${tradeId} ${orderId}`}
      columns={FILL_COLUMNS}
      head={head}
      aside={(fill) => <span className="dim">{role(fill)}</span>}
      empty={
        <Empty icon={<IconReceipt size={24} stroke={1.5} />} title={t.orders.noFills}>
          {t.orders.noFillsWhy}
        </Empty>
      }
    />
  );
}

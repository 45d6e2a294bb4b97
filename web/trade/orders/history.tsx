// Order history and fills, in pages.
import { NativeSelect, TextInput } from '@mantine/core';
import { IconHistory, IconReceipt } from '@tabler/icons-react';
import { type Order, Side } from '../../../src/sdk/index.ts';
import { Empty } from '../../components/layout.tsx';
import { DAY_MS, dateTime } from '../../exact/format.ts';
import { trade as t } from '../../messages/trade.ts';
import { fillsFeed, historyFeed } from '../feeds.ts';
import { FILL_COLUMNS, HISTORY_COLUMNS, head, orderHead, role, state } from './columns.tsx';
import type { HistoryFilter } from './history-page.ts';
import { type HistoryWindow, LAST_30_DAYS, ORDERS_DAYS, WINDOWS } from './history-window.ts';
import { orderDetail } from './order-detail.tsx';
import { PagedRows } from './row-list.tsx';
import { FILTER_STATES, type OrderTypeName } from './words.ts';

/** The filters besides the pair. */
type HistoryChoice = Omit<HistoryFilter, 'symbol'>;
export const EVERYTHING: HistoryChoice = {
  side: null,
  type: null,
  status: null,
  window: LAST_30_DAYS,
};

interface HistoryFiltersProps {
  readonly choice: HistoryChoice;
  readonly onChange: (choice: HistoryChoice) => void;
}

export function SideFilter({ choice, onChange }: HistoryFiltersProps) {
  return (
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
  );
}

const TYPES = Object.entries(t.orders.types) as [OrderTypeName, string][];

export function TypeFilter({ choice, onChange }: HistoryFiltersProps) {
  return (
    <FilterSelect
      label={t.orders.type}
      value={choice.type}
      options={[[null, t.orders.anyType], ...TYPES]}
      onChange={(type) => onChange({ ...choice, type })}
    />
  );
}

export function HistoryFilters({ choice, onChange }: HistoryFiltersProps) {
  return (
    <>
      <FilterSelect
        label={t.orders.status}
        value={choice.status}
        options={[[null, t.orders.anyStatus], ...FILTER_STATES]}
        onChange={(status) => onChange({ ...choice, status })}
      />
      <WindowFilter
        windows={WINDOWS.filter((within) => within !== 'all')}
        window={choice.window}
        onChange={(window) => onChange({ ...choice, window })}
        days={ORDERS_DAYS}
      />
    </>
  );
}

interface WindowFilterProps {
  readonly windows?: readonly HistoryWindow['within'][];
  readonly window: HistoryWindow;
  readonly onChange: (window: HistoryWindow) => void;
  /** Earlier days cannot be chosen. */
  readonly days?: number;
}

export function WindowFilter({ windows = WINDOWS, window, onChange, days }: WindowFilterProps) {
  const today = localDay(Date.now());
  const first = days === undefined ? undefined : localDay(Date.now() - days * DAY_MS);
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      size="xs"
      aria-label={label}
      min={first}
      max={today}
      value={window[name]}
      onChange={(event) => onChange({ ...window, [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <FilterSelect
        label={t.orders.within}
        value={window.within}
        options={windows.map((within) => [within, t.orders.windows[within]])}
        onChange={(within) => onChange({ ...window, within })}
      />
      {window.within === 'custom' ? (
        <>
          {day('from', t.orders.firstDay)}
          {day('to', t.orders.lastDay)}
        </>
      ) : null}
    </>
  );
}

const localDay = (time: number): string => dateTime(time).slice(0, 10);

interface FilterSelectProps<T> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly onChange: (value: T) => void;
}

export function FilterSelect<T>({ label, value, options, onChange }: FilterSelectProps<T>) {
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
      detail={orderDetail}
      empty={<Empty icon={IconHistory} title={t.orders.noMatch} hint={t.orders.noMatchWhy} />}
    />
  );
}

interface FillsTableProps {
  readonly symbol: string | null;
  readonly side: Order['side'] | null;
  readonly window: HistoryWindow;
}

export function FillsTable({ symbol, side, window }: FillsTableProps) {
  return (
    <PagedRows
      feed={(below) => fillsFeed(symbol, side, window, below)}
      label={t.orders.fills}
      list={t.orders.fillsList}
      // A trade of an account with itself is two fills.
      keyOf={({ tradeId, orderId }) => `${tradeId} ${orderId}`}
      columns={FILL_COLUMNS}
      head={head}
      aside={(fill) => <span className="dim">{role(fill)}</span>}
      empty={<Empty icon={IconReceipt} title={t.orders.noFills} hint={t.orders.noFillsWhy} />}
    />
  );
}

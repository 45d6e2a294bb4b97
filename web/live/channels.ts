// The channels of the pages, each with the state that it keeps.
import {
  type Balance,
  type Candle,
  type CandlesRequest,
  type CurrentSubscription,
  ExecType,
  type Instrument,
  type InstrumentsMessage,
  type Level3Orderbook,
  type Order,
  type Orderbook,
  type OrderbookRequest,
  type OrdersMessage,
  OrdStatus,
  OrdType,
  type PublicTrade,
  SubscriptionStatus,
  type SubscriptionsMessage,
  type Ticker,
  type TriggersMessage,
} from '../../src/sdk/index.ts';
import type { Decimal } from '../exact/decimal.ts';
import { type Channel, foldChannel } from './channel.ts';

type Rows<R, K = string> = ReadonlyMap<K, R>;

/** The rows with new and changed ones in their places. */
function withRows<R>(rows: Rows<R> | undefined, changed: readonly R[], keyOf: (row: R) => string) {
  const next = new Map(rows);
  for (const row of changed) next.set(keyOf(row), row);
  return next as Rows<R>;
}

const bySymbol = ({ symbol }: { readonly symbol: string }): string => symbol;

export const tickers: Channel<Rows<Ticker>> = foldChannel(
  'ticker',
  'public',
  (streams) => streams.ticker(),
  (rows, { data }) => withRows(rows, data, bySymbol),
);

export const instruments: Channel<Rows<Instrument>> = foldChannel(
  'instruments',
  'public',
  (streams) => streams.instruments(),
  (rows: Rows<Instrument> | undefined, { data }: InstrumentsMessage) =>
    withRows<Instrument>(rows, data, bySymbol),
);

/** The state is a function, because the book changes more often than it is drawn. */
export const book = (
  symbol: string,
  depth: NonNullable<OrderbookRequest['depth']>,
): Channel<() => Orderbook> => ({
  name: `book/${symbol}/${depth}`,
  endpoint: 'public',
  open(streams, emit) {
    const local = streams.orderbook({ symbol, depth });
    const look = (): Orderbook => ({
      symbol,
      depth,
      transactTime: local.transactTime,
      lastUpdateId: local.lastUpdateId,
      bids: local.bids.slice(),
      asks: local.asks.slice(),
    });
    local.on(() => emit(look, local.seq ?? 0));
    return local;
  },
});

export const l3Book = (symbol: string): Channel<() => Level3Orderbook> => ({
  name: `l3Book/${symbol}`,
  endpoint: 'public',
  open(streams, emit) {
    const local = streams.level3Orderbook({ symbol });
    const look = (): Level3Orderbook => ({
      symbol,
      version: local.lastUpdateId,
      transactTime: local.transactTime,
      bids: local.bids.slice(),
      asks: local.asks.slice(),
    });
    local.on(() => emit(look, local.seq ?? 0));
    return local;
  },
});

const MAX_TRADES = 100;

/** Newest first. */
export const trades = (symbol: string): Channel<readonly PublicTrade[]> =>
  foldChannel(
    `trades/${symbol}`,
    'public',
    (streams) => streams.trades({ symbol }),
    (known, { data }) => [...data.toReversed(), ...(known ?? [])].slice(0, MAX_TRADES),
  );

const MAX_CANDLES = 100;

/** The newest hundred, oldest first. */
export const candles = (
  symbol: string,
  interval: CandlesRequest['interval'],
): Channel<readonly Candle[]> =>
  foldChannel(
    `candles/${symbol}/${interval}`,
    'public',
    (streams) => streams.candles({ symbol, interval }),
    (known, { data }) => {
      const rows = new Map((known ?? []).map((candle) => [candle.openTime, candle]));
      for (const candle of data) rows.set(candle.openTime, candle);
      return [...rows.values()].slice(-MAX_CANDLES);
    },
  );

const FILLS: ReadonlySet<ExecType> = new Set([ExecType.partialFill, ExecType.fill]);
const OPEN: ReadonlySet<OrdStatus> = new Set([
  OrdStatus.new,
  OrdStatus.partiallyFilled,
  OrdStatus.pendingCancel,
]);

/** The account's orders since the channel was opened. */
export interface OrderNews {
  /** The open orders by id, oldest first. */
  readonly open: Rows<Order, number>;
  /** The last reports of fills, and of brackets whose exits were rejected; oldest first. */
  readonly reports: readonly Order[];
  /** The business time of the snapshot that it began with, ms; `reports` are later. */
  readonly since: number;
}

const MAX_REPORTS = 100;

/** One report for both exits of an order: that of their limit order. */
export const isRejectedExit = ({ ordStatus, ordType, parentOrderId }: Order): boolean =>
  ordStatus === OrdStatus.rejected && ordType === OrdType.limit && parentOrderId != null;

export const orders: Channel<OrderNews> = foldChannel(
  'orders',
  'orders',
  (streams) => streams.orders(),
  (known: OrderNews | undefined, { type, data, transactTime }: OrdersMessage) => {
    const open = new Map(known?.open);
    for (const report of type === 'snapshot' ? data.toReversed() : data) {
      if (OPEN.has(report.ordStatus)) open.set(report.orderId, report);
      else open.delete(report.orderId);
    }
    if (known === undefined || type === 'snapshot') {
      return { open, reports: [], since: transactTime };
    }
    const news = data.filter((row) => FILLS.has(row.execType) || isRejectedExit(row));
    return news.length === 0
      ? { ...known, open }
      : { ...known, open, reports: [...known.reports, ...news].slice(-MAX_REPORTS) };
  },
);

/** By orderId, the triggers of the stops that trail, or did. */
export type Triggers = Rows<Decimal, number>;

export const triggers: Channel<Triggers> = foldChannel(
  'triggers',
  'orders',
  (streams) => streams.triggers(),
  (known: Triggers | undefined, { data }: TriggersMessage) =>
    new Map([...(known ?? []), ...data.map((row) => [row.orderId, row.triggerPx] as const)]),
);

export const balances: Channel<Rows<Balance>> = foldChannel(
  'balances',
  'account',
  (streams) => streams.balances(),
  (rows, { data }) => withRows(rows, data, ({ asset }) => asset),
);

/** The subscriptions that have not ended, by id, oldest first. */
export const subscriptions: Channel<Rows<CurrentSubscription>> = foldChannel(
  'subscriptions',
  'account',
  (streams) => streams.subscriptions(),
  (known, { type, data }: SubscriptionsMessage) => {
    const current = new Map(known);
    for (const row of type === 'snapshot' ? data.toReversed() : data) {
      if (row.status === SubscriptionStatus.redeemed) current.delete(row.applyId);
      else current.set(row.applyId, row);
    }
    return current as Rows<CurrentSubscription>;
  },
);

/** The number of paid days; the pages of interest have their amounts. */
export const interest: Channel<number> = foldChannel(
  'interest',
  'account',
  (streams) => streams.interest(),
  (days, { data }) => (days ?? 0) + data.length,
);

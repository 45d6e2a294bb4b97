// Closed orders under several filters, as a page or whole. The exchange takes one condition besides
// the pair; the others are applied here, and a page reads on until it is full.
import {
  type AgioClient,
  type CallOptions,
  type Fill,
  type FillsRequest,
  type Order,
  type OrdersRequest,
  OrdStatus,
} from '../../../src/sdk/index.ts';
import { client } from '../../api/clients.ts';
import { DAY_MS } from '../../exact/format.ts';
import {
  boundsOf,
  businessNow,
  type HistoryWindow,
  ORDERS_DAYS,
  orderBounds,
} from './history-window.ts';
import type { RowPage } from './row-list.tsx';
import { type OrderTypeName, typeOf } from './words.ts';

export const HISTORY_PAGE = 50;
/** A filter that few orders match stops after this many reads. */
const MAX_READS = 8;
const READ_SIZE = 250;

/** null means all. */
export interface HistoryFilter {
  readonly symbol: string | null;
  readonly side: Order['side'] | null;
  readonly type: OrderTypeName | null;
  readonly status: Order['ordStatus'] | null;
  readonly window: HistoryWindow;
}

/** The conditions that every list of orders has. */
export type RowFilter = Pick<HistoryFilter, 'symbol' | 'side' | 'type'>;

/** The calls that it makes; replaced in tests. */
type HistoryReads = Pick<AgioClient, 'orders' | 'time'>;

export async function readHistoryPage(
  filter: HistoryFilter,
  below: number | null,
  options?: CallOptions,
  reads: HistoryReads = client,
): Promise<RowPage<Order>> {
  const query = await orderQuery(filter, reads, options);
  if (query === null) return { rows: [], next: null };
  const isSparse = filter.type !== null || (filter.side !== null && filter.status !== null);
  const size = isSparse ? READ_SIZE : HISTORY_PAGE;
  const rows: Order[] = [];
  let cursor = below;
  for (let n = 0; n < MAX_READS; n++) {
    const lastRowId = cursor ?? undefined;
    const { data } = await reads.orders({ ...query, size, lastRowId }, options);
    for (const order of data) {
      if (!isWanted(filter, order)) continue;
      rows.push(order);
      if (rows.length === HISTORY_PAGE) {
        const more = data.length === size || order !== data.at(-1);
        return { rows, next: more ? order.rowId : null };
      }
    }
    cursor = data.at(-1)?.rowId ?? null;
    if (data.length < size) return { rows, next: null };
  }
  return { rows, next: cursor };
}

/** Checks the conditions that the exchange does not. Open orders have a list of their own. */
const isWanted = (filter: HistoryFilter, order: Order): boolean =>
  order.ordStatus !== OrdStatus.new &&
  order.ordStatus !== OrdStatus.partiallyFilled &&
  passes(filter, order);

export const passes = ({ symbol, side, type }: RowFilter, order: Order): boolean =>
  (symbol === null || order.symbol === symbol) &&
  (side === null || order.side === side) &&
  (type === null || typeOf(order) === type);

/** The request of a filter without its page; null if no order can match. */
async function orderQuery(
  { symbol, side, status, window }: HistoryFilter,
  reads: Pick<HistoryReads, 'time'>,
  options?: CallOptions,
): Promise<OrdersRequest | null> {
  // The exchange itself limits a read to 30 days.
  const isDefault = window.within === '30d';
  const bounds = isDefault ? {} : orderBounds(window, await businessNow(reads, options));
  if (bounds === null) return null;
  const ofSide = side === null ? undefined : `side,${side}`;
  return {
    type: 'COMPLETED',
    symbol: symbol ?? undefined,
    filter: status === null ? ofSide : `ordStatus,${status}`,
    startDate: bounds.start,
    endDate: bounds.end,
  };
}

/** The rows of a file; a history with more is cut. */
const MAX_ORDERS = 20_000;
const MAX_FILLS = 50_000;

export interface History {
  /** Oldest first, as in the exchange's other files. */
  readonly orders: readonly Order[];
  /** Newest first. */
  readonly fills: readonly Fill[];
  readonly isCut: boolean;
}

/** All orders that match, with their fills. */
export async function readHistory(filter: HistoryFilter): Promise<History> {
  const query = await orderQuery(filter, client);
  if (query === null) return { orders: [], fills: [], isCut: false };
  const orders: Order[] = [];
  for await (const order of client.allOrders(query)) {
    if (isWanted(filter, order)) orders.push(order);
    if (orders.length === MAX_ORDERS) break;
  }
  const startTime = query.startDate ?? (await businessNow(client)) - ORDERS_DAYS * DAY_MS;
  const ids = new Set(orders.map(({ orderId }) => orderId));
  const { fills, isCut } = await readFills({ symbol: query.symbol, startTime });
  return {
    orders: orders.toReversed(),
    fills: fills.filter(({ orderId }) => ids.has(orderId)),
    isCut: isCut || orders.length === MAX_ORDERS,
  };
}

/** All fills of a window, newest first. */
export async function readFills(query: FillsRequest): Promise<Omit<History, 'orders'>> {
  const fills: Fill[] = [];
  for await (const fill of client.allFills(query)) {
    fills.push(fill);
    if (fills.length === MAX_FILLS) break;
  }
  return { fills, isCut: fills.length === MAX_FILLS };
}

/** The request for the fills of a window; null if it ends before it begins. */
export async function fillsQuery(
  symbol: string | null,
  window: HistoryWindow,
  options?: CallOptions,
): Promise<FillsRequest | null> {
  const isAll = window.within === 'all';
  const bounds = isAll ? {} : boundsOf(window, await businessNow(client, options));
  if (bounds === null) return null;
  return { symbol: symbol ?? undefined, startTime: bounds.start, endTime: bounds.end };
}

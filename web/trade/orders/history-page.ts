// A page of order history under several filters. The exchange takes one condition besides the pair, so where two are asked
// for the other one is met here, by reading on until the page is full.
import type { CallOptions } from '../../api/clients.ts';
import { serverTime } from '../../api/market.ts';
import { type Order, type OrderQuery, orders, type Side } from '../../api/trading.ts';

export const HISTORY_PAGE = 50;
/** Under a filter that hardly any order meets, one page reads at most this many rows on. */
const MOST_READS = 8;
const READ_SIZE = 250;

/** null stands for all. */
export interface HistoryFilter {
  readonly symbol: string | null;
  readonly side: Side | null;
  readonly status: Order['ordStatus'] | null;
  readonly window: HistoryWindow;
}

export type HistoryWindow = '24h' | '7d' | '30d';
const WINDOW_MS: Readonly<Record<HistoryWindow, number | null>> = {
  '24h': 86_400_000,
  '7d': 7 * 86_400_000,
  // What the exchange does unless told otherwise.
  '30d': null,
};

export interface HistoryPage {
  readonly rows: readonly Order[];
  /** Where the next page continues; null on the last one. */
  readonly next: string | null;
}

/** What reads; replaced in tests. */
export interface HistoryReads {
  readonly orders: typeof orders;
  readonly serverTime: typeof serverTime;
}

export async function readHistoryPage(
  filter: HistoryFilter,
  below: string | null,
  options?: CallOptions,
  reads: HistoryReads = { orders, serverTime },
): Promise<HistoryPage> {
  const span = WINDOW_MS[filter.window];
  const startDate =
    span === null ? null : Number((await reads.serverTime(options)).businessTime) - span;
  const both = filter.side !== null && filter.status !== null;
  const size = both ? READ_SIZE : HISTORY_PAGE;
  const rows: Order[] = [];
  let cursor = below;
  for (let n = 0; n < MOST_READS; n++) {
    const { data } = await reads.orders(queryOf(filter, startDate, cursor, size), options);
    for (const order of data) {
      if (filter.side !== null && order.side !== filter.side) continue;
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

function queryOf(
  { symbol, side, status }: HistoryFilter,
  startDate: number | null,
  lastRowId: string | null,
  size: number,
): OrderQuery {
  const filter =
    status !== null ? `ordStatus,${status}` : side !== null ? `side,${side}` : undefined;
  return {
    type: 'COMPLETED',
    size,
    ...(symbol === null ? {} : { symbol }),
    ...(filter === undefined ? {} : { filter }),
    ...(lastRowId === null ? {} : { lastRowId }),
    ...(startDate === null ? {} : { startDate }),
  };
}

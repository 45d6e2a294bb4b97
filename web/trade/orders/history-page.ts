// A page of order history under several filters. The exchange takes one condition besides the pair;
// the page applies a second one here and reads on until it is full.
import type {
  AgioClient,
  CallOptions,
  Order,
  OrdersRequest,
  Side,
} from '../../../src/sdk/index.ts';
import { client } from '../../api/clients.ts';

export const HISTORY_PAGE = 50;
/** A filter that few orders match stops after this many reads. */
const MAX_READS = 8;
const READ_SIZE = 250;

/** null means all. */
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
  // The exchange's default.
  '30d': null,
};

export interface HistoryPage {
  readonly rows: readonly Order[];
  /** The row id after which the next page continues; null on the last page. */
  readonly next: number | null;
}

/** The calls that it makes; replaced in tests. */
type HistoryReads = Pick<AgioClient, 'orders' | 'time'>;

export async function readHistoryPage(
  filter: HistoryFilter,
  below: number | null,
  options?: CallOptions,
  reads: HistoryReads = client,
): Promise<HistoryPage> {
  const span = WINDOW_MS[filter.window];
  const startDate = span === null ? null : (await reads.time(options)).businessTime - span;
  const both = filter.side !== null && filter.status !== null;
  const size = both ? READ_SIZE : HISTORY_PAGE;
  const rows: Order[] = [];
  let cursor = below;
  for (let n = 0; n < MAX_READS; n++) {
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
  lastRowId: number | null,
  size: number,
): OrdersRequest {
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

// A page of order history under several filters. The exchange takes one condition besides the pair;
// the page applies a second one here and reads on until it is full.
import type { AgioClient, CallOptions, Order, OrdersRequest } from '../../../src/sdk/index.ts';
import { client } from '../../api/clients.ts';
import { DAY_MS } from '../../exact/format.ts';
import type { RowPage } from './row-list.tsx';

export const HISTORY_PAGE = 50;
/** A filter that few orders match stops after this many reads. */
const MAX_READS = 8;
const READ_SIZE = 250;

export const WINDOWS = ['24h', '7d', '30d'] as const;

/** null means all. */
export interface HistoryFilter {
  readonly symbol: string | null;
  readonly side: Order['side'] | null;
  readonly status: Order['ordStatus'] | null;
  readonly window: (typeof WINDOWS)[number];
}

/** The exchange itself limits a read to 30 days. */
const WINDOW_MS = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': null };

/** The calls that it makes; replaced in tests. */
type HistoryReads = Pick<AgioClient, 'orders' | 'time'>;

export async function readHistoryPage(
  filter: HistoryFilter,
  below: number | null,
  options?: CallOptions,
  reads: HistoryReads = client,
): Promise<RowPage<Order>> {
  const span = WINDOW_MS[filter.window];
  const startDate = span === null ? undefined : (await reads.time(options)).businessTime - span;
  const query = queryOf(filter);
  const rows: Order[] = [];
  let cursor = below;
  for (let n = 0; n < MAX_READS; n++) {
    const lastRowId = cursor ?? undefined;
    const { data } = await reads.orders({ ...query, startDate, lastRowId }, options);
    for (const order of data) {
      if (filter.side !== null && order.side !== filter.side) continue;
      rows.push(order);
      if (rows.length === HISTORY_PAGE) {
        const more = data.length === query.size || order !== data.at(-1);
        return { rows, next: more ? order.rowId : null };
      }
    }
    cursor = data.at(-1)?.rowId ?? null;
    if (data.length < query.size) return { rows, next: null };
  }
  return { rows, next: cursor };
}

function queryOf({ symbol, side, status }: HistoryFilter) {
  const both = side !== null && status !== null;
  const ofSide = side === null ? undefined : `side,${side}`;
  return {
    type: 'COMPLETED',
    size: both ? READ_SIZE : HISTORY_PAGE,
    symbol: symbol ?? undefined,
    filter: status === null ? ofSide : `ordStatus,${status}`,
  } satisfies OrdersRequest;
}

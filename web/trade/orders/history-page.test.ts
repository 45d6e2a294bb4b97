// Pages of order history.
import { describe, expect, test } from 'bun:test';
import {
  type Order,
  type OrderPage,
  type OrdersRequest,
  OrdStatus,
  OrdType,
  Side,
} from '../../../src/sdk/index.ts';
import { HISTORY_PAGE, type HistoryFilter, readHistoryPage } from './history-page.ts';
import { LAST_30_DAYS } from './history-window.ts';

const ANY: HistoryFilter = {
  symbol: null,
  side: null,
  type: null,
  status: null,
  window: LAST_30_DAYS,
};

/** An account with orders count…1, newest first; every third is a sell. */
function account(count: number) {
  const asked: OrdersRequest[] = [];
  const all = Array.from({ length: count }, (_, i) => {
    const rowId = count - i;
    const side = rowId % 3 === 0 ? Side.sell : Side.buy;
    return { rowId, side, ordType: OrdType.limit, ordStatus: OrdStatus.filled } as Order;
  });
  return {
    asked,
    reads: {
      async orders(query: OrdersRequest) {
        asked.push(query);
        const below = query.lastRowId ?? count + 1;
        const size = query.size!;
        const data = all.filter(({ rowId }) => rowId < below).slice(0, size);
        return { data } as unknown as OrderPage;
      },
      time: async () => ({ serverTime: 0, businessTime: 100_000_000 }),
    },
  };
}

async function allPages(filter: HistoryFilter, reads: ReturnType<typeof account>['reads']) {
  const rows: number[] = [];
  let below: number | null = null;
  do {
    const page = await readHistoryPage(filter, below, undefined, reads);
    rows.push(...page.rows.map(({ rowId }) => rowId));
    below = page.next;
  } while (below !== null);
  return rows;
}

describe('pages', () => {
  test('join to everything, once', async () => {
    const { reads, asked } = account(HISTORY_PAGE * 2 + 7);
    expect(await allPages(ANY, reads)).toEqual(Array.from({ length: 107 }, (_, i) => 107 - i));
    expect(asked.map(({ lastRowId }) => lastRowId)).toEqual([undefined, 58, 8]);
  });

  test('with two conditions the page checks the second, over several reads', async () => {
    const { reads, asked } = account(2000);
    const rows = await allPages({ ...ANY, side: Side.sell, status: OrdStatus.filled }, reads);
    expect(rows).toEqual(Array.from({ length: 666 }, (_, i) => 1998 - 3 * i));
    expect(asked[0]).toMatchObject({ filter: 'ordStatus,2' });
  });

  test('an empty account has one empty page', async () => {
    expect(await readHistoryPage(ANY, null, undefined, account(0).reads)).toEqual({
      rows: [],
      next: null,
    });
  });

  test('a window is counted back from the clock of the exchange', async () => {
    const { reads, asked } = account(1);
    const window = { ...LAST_30_DAYS, within: '24h' } as const;
    const filter: HistoryFilter = { ...ANY, symbol: 'A-B', side: Side.buy, window };
    await readHistoryPage(filter, null, undefined, reads);
    expect(asked[0]).toEqual({
      type: 'COMPLETED',
      size: HISTORY_PAGE,
      symbol: 'A-B',
      filter: 'side,1',
      startDate: 13_600_000,
    });
  });
});

// Pages of order history.
import { describe, expect, test } from 'bun:test';
import type { Order, OrderQuery, Side } from '../../api/trading.ts';
import { HISTORY_PAGE, type HistoryFilter, readHistoryPage } from './history-page.ts';

const ANY: HistoryFilter = { symbol: null, side: null, status: null, window: '30d' };

/** An account with orders count…1, newest first; every third is a sell. */
function account(count: number) {
  const asked: OrderQuery[] = [];
  const all = Array.from({ length: count }, (_, i) => {
    const rowId = String(count - i);
    return { rowId, side: (Number(rowId) % 3 === 0 ? '2' : '1') as Side } as Order;
  });
  return {
    asked,
    reads: {
      async orders(query: OrderQuery) {
        asked.push(query);
        const below = Number(query.lastRowId ?? count + 1);
        const size = query.size!;
        const pagination = {
          currentPage: '1',
          size: String(size),
          startRowId: null,
          lastRowId: null,
        };
        const data = all.filter(({ rowId }) => Number(rowId) < below).slice(0, size);
        return { data, pagination };
      },
      serverTime: async () => ({ serverTime: '0', businessTime: '100000000' }),
    },
  };
}

async function allPages(filter: HistoryFilter, reads: ReturnType<typeof account>['reads']) {
  const rows: string[] = [];
  let below: string | null = null;
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
    expect(await allPages(ANY, reads)).toEqual(
      Array.from({ length: 107 }, (_, i) => String(107 - i)),
    );
    expect(asked.map(({ lastRowId }) => lastRowId)).toEqual([undefined, '58', '8']);
  });

  test('with two conditions the second is met here, over more than one read', async () => {
    const { reads, asked } = account(2000);
    const rows = await allPages({ ...ANY, side: '2', status: '2' }, reads);
    expect(rows).toEqual(Array.from({ length: 666 }, (_, i) => String(1998 - 3 * i)));
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
    const filter: HistoryFilter = { symbol: 'A-B', side: '1', status: null, window: '24h' };
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

// Checks of getOrders: its three types, pages, windows and filters.
import { marketDataCalls } from '../contract/market-data/calls.ts';
import { orderCalls } from '../contract/trading/calls.ts';
import { type Check, section } from './check.ts';
import { expect, expectSame, expectSorted } from './expect.ts';
import { expectMismatch, type OrderRow } from './kit.ts';

const query = section('trading', 'getOrders');
const pagination = section('trading', 'Pagination');
const limits = section('trading', 'Limits');
const strict = section('agio', 'Strictness');

const { orders } = orderCalls;
const DAY_MS = 86_400_000;

const idsOf = (rows: readonly OrderRow[]): number[] => rows.map(({ orderId }) => orderId);

export const queryChecks: readonly Check[] = [
  query('QRY-01', 'type is SINGLE, OPEN or COMPLETED, and required.', async (kit) => {
    for (const bad of ['', 'type=ALL', 'type=open', 'type=OPEN&type=OPEN']) {
      await kit.expectRejected(orders, bad, 'invalidField', 'type');
    }
  }),
  query('QRY-02', 'SINGLE needs orderId or clOrdId.', async (kit) => {
    const clOrdId = `kit-q2-${Date.now()}`;
    const [first, second] = [await kit.rest({ clOrdId }), await kit.rest({ clOrdId })];
    expectSame('the order', (await kit.row(first)).orderId, first);
    const both = idsOf(await kit.rows({ type: 'SINGLE', clOrdId }));
    expectSame('orders with the clOrdId, newest first', both, [second, first]);
    for (const none of ['', '&clOrdId=', '&orderId=0']) {
      await kit.expectRejected(orders, `type=SINGLE${none}`, 'invalidField', 'orderId');
    }
  }),
  query('QRY-03', 'OPEN has the new and partially filled orders, and no others.', async (kit) => {
    const { symbol } = await kit.pair();
    const [open, closed] = [await kit.rest(), await kit.rest()];
    await kit.cancel(closed);
    const rows = await kit.rows({ type: 'OPEN', symbol });
    const ids = idsOf(rows);
    expect(ids.includes(open) && !ids.includes(closed), `${open} without ${closed}`, ids);
    for (const { ordStatus } of rows) {
      expect(ordStatus === 0 || ordStatus === 1, 'ordStatus 0 or 1', ordStatus);
    }
  }),
  query('QRY-04', 'COMPLETED has all orders, newest first.', async (kit) => {
    const { symbol } = await kit.pair();
    const [open, closed] = [await kit.rest(), await kit.rest()];
    await kit.cancel(closed);
    const rows = await kit.rows({ type: 'COMPLETED', symbol });
    const ids = idsOf(rows);
    expect(ids.includes(open) && ids.includes(closed), `${open} and ${closed}`, ids.slice(0, 5));
    const rowIds = rows.map(({ rowId }) => rowId);
    expectSorted('rowIds', rowIds, -1);
  }),
  pagination(
    'QRY-05',
    'Pages follow each other by lastRowId, without a gap or a row twice.',
    async (kit) => {
      const { symbol } = await kit.pair();
      for (let i = 0; i < 5; i++) await kit.rest();
      const all = { type: 'COMPLETED', symbol };
      const whole = idsOf(await kit.rows({ ...all, size: 5 }));
      const paged: number[] = [];
      let next = {};
      for (const size of [2, 2, 1]) {
        const { data, pagination: page } = await kit.call(orders, { ...all, size, ...next });
        expectSame('size of the page', [page.size, data.length], [size, size]);
        expectSame('lastRowId', page.lastRowId, data.at(-1)!.rowId);
        expectSame('startRowId', page.startRowId, data[0]!.rowId);
        paged.push(...idsOf(data));
        next = { lastRowId: page.lastRowId };
      }
      expectSame('three pages', paged, whole);
    },
  ),
  limits('QRY-06', 'size is 500 by default and at most 1000.', async (kit) => {
    const page = await kit.call(orders, { type: 'COMPLETED' });
    expectSame('size', page.pagination.size, 500);
    await kit.call(orders, { type: 'OPEN', size: 1000 });
    await kit.call(orders, 'type=OPEN&size=');
    for (const size of ['0', '1001', '-1', '1.5', 'x']) {
      await kit.expectRejected(orders, { type: 'OPEN', size }, 'invalidField', 'size');
    }
  }),
  limits('QRY-07', 'The window lies within the last 30 days.', async (kit) => {
    const { businessTime: now } = await kit.call(marketDataCalls.time);
    const type = 'COMPLETED';
    await kit.call(orders, { type, startDate: now - 29 * DAY_MS, endDate: now });
    const early = { type, startDate: now - 31 * DAY_MS };
    await kit.expectRejected(orders, early, 'dateWindow', 'startDate');
  }),
  query('QRY-08', 'startDate and endDate bound the time of creation.', async (kit) => {
    const orderId = await kit.rest();
    const { transactTime: at } = await kit.row(orderId);
    const idsIn = async (startDate: number, endDate: number) =>
      idsOf(await kit.rows({ type: 'COMPLETED', startDate, endDate }));
    const inside = await idsIn(at - 1, at + 1);
    expect(inside.includes(orderId), `the order ${orderId} in its window`, inside);
    const before = await idsIn(at - DAY_MS, at - 1);
    expect(!before.includes(orderId), `no order ${orderId} before its creation`, before);
  }),
  query('QRY-09', 'A symbol and a securityId that do not match are rejected.', async (kit) => {
    const { symbol, securityId } = await kit.pair();
    const other = { type: 'OPEN', symbol, securityId: securityId + 1 };
    expectMismatch(await kit.wire.send(orders, other));
    const rows = await kit.rows({ type: 'OPEN', symbol, securityId });
    for (const row of rows) expectSame('symbol', row.symbol, symbol);
  }),
  query('QRY-10', 'filter is <field>,<value>, and selects.', async (kit) => {
    await kit.rest();
    const rows = await kit.rows({ type: 'COMPLETED', filter: 'side,1' });
    expect(rows.length > 0, 'buys', rows);
    for (const { side } of rows) expectSame('side', side, 1);
    for (const filter of ['nothing,1', 'side']) {
      await kit.expectRejected(orders, { type: 'COMPLETED', filter }, 'invalidField', 'filter');
    }
  }),
  query('QRY-11', 'A query without matches has an empty page.', async (kit) => {
    const rows = await kit.rows({ type: 'SINGLE', orderId: 9_007_199_254_740_991 });
    expectSame('data', rows, []);
  }),
  strict('QRY-12', 'A parameter that the call does not have is rejected by name.', async (kit) => {
    await kit.expectRejected(orders, { type: 'OPEN', page: 1 }, 'invalidField', 'page');
  }),
];

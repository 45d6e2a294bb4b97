// Checks of getOrders: its three kinds, pages, windows and filters.
import { type Check, expect, expectSame, section } from './check.ts';
import { expectOk, expectRefused, expectRows, expectShape } from './expect.ts';
import { type Kit, SPOT } from './kit.ts';
import { REPORT } from './orders.ts';
import type { Json } from './wire.ts';

const query = section('trading', 'getOrders');
const pagination = section('trading', 'Pagination');
const limits = section('trading', 'Limits');
const strict = section('agio', 'Strictness');

const ORDERS = `${SPOT}/orders`;
const INVALID = 100200;
const WINDOW = 100213;
const DAY_MS = 86_400_000;

async function rowsOf(
  kit: Kit,
  fields: Readonly<Record<string, string | number>>,
): Promise<Json[]> {
  return expectOk(await kit.wire.get(ORDERS, fields)).data as unknown as Json[];
}

const idsOf = (rows: readonly Json[]): number[] => rows.map(({ orderId }) => Number(orderId));

export const queryChecks: readonly Check[] = [
  query('QRY-01', 'type is SINGLE, OPEN or COMPLETED, and required.', async ({ wire }) => {
    expectRefused(await wire.get(ORDERS), 400, INVALID, 'type');
    for (const type of ['ALL', 'open']) {
      expectRefused(await wire.get(ORDERS, { type }), 400, INVALID, 'type');
    }
    const twice = await wire.get(ORDERS, {}, { query: 'type=OPEN&type=OPEN' });
    expectRefused(twice, 400, INVALID, 'type');
  }),
  query('QRY-02', 'SINGLE takes orderId or clOrdId, one of which is there.', async (kit) => {
    const clOrdId = `kit-q2-${Date.now()}`;
    const ids = [await kit.rest({ clOrdId }), await kit.rest({ clOrdId })];
    expectSame('the order', idsOf(await rowsOf(kit, { type: 'SINGLE', orderId: ids[0]! })), [
      ids[0],
    ]);
    const both = idsOf(await rowsOf(kit, { type: 'SINGLE', clOrdId }));
    expectSame('orders with the clOrdId, newest first', both, ids.reverse());
    for (const named of ['', '&clOrdId=', '&orderId=0']) {
      const answer = await kit.wire.get(ORDERS, {}, { query: `type=SINGLE${named}` });
      expectRefused(answer, 400, INVALID, 'orderId');
    }
  }),
  query(
    'QRY-03',
    'OPEN has the orders that are new or partially filled, and no other.',
    async (kit) => {
      const { symbol } = await kit.pair();
      const [open, closed] = [await kit.rest(), await kit.rest()];
      await kit.wire.post(`${SPOT}/order/cancel`, { orderId: closed });
      const rows = await rowsOf(kit, { type: 'OPEN', symbol });
      const ids = idsOf(rows);
      expect(ids.includes(open) && !ids.includes(closed), `${open} without ${closed}`, ids);
      for (const row of rows) {
        expect([0, 1].includes(Number(row.ordStatus)), 'ordStatus 0 or 1', row.ordStatus);
      }
    },
  ),
  query('QRY-04', 'COMPLETED has all orders, newest first, in rows of the table.', async (kit) => {
    const { symbol } = await kit.pair();
    const [open, closed] = [await kit.rest(), await kit.rest()];
    await kit.wire.post(`${SPOT}/order/cancel`, { orderId: closed });
    const all = expectOk(await kit.wire.get(ORDERS, { type: 'COMPLETED', symbol }));
    const rows = expectRows('data', all.data!, REPORT);
    const ids = idsOf(rows);
    expect(ids.includes(open) && ids.includes(closed), `${open} and ${closed}`, ids.slice(0, 5));
    const rowIds = rows.map(({ rowId }) => Number(rowId));
    expectSame(
      'rowIds',
      rowIds,
      [...rowIds].sort((a, b) => b - a),
    );
    for (const row of rows) expectSame('type', row.type, 'ORDER');
  }),
  pagination(
    'QRY-05',
    'Pages follow each other by lastRowId, without a gap or a row twice.',
    async (kit) => {
      const { symbol } = await kit.pair();
      for (let i = 0; i < 5; i++) await kit.rest();
      const all = { type: 'COMPLETED', symbol };
      const whole = idsOf(await rowsOf(kit, { ...all, size: 5 }));
      const paged: number[] = [];
      let next = {};
      for (const size of [2, 2, 1]) {
        const page = expectOk(await kit.wire.get(ORDERS, { ...all, size, ...next }));
        const { pagination: told, data } = page;
        expectShape('pagination', told!, {
          currentPage: 'integer',
          size: 'integer',
          startRowId: 'integer',
          lastRowId: 'integer',
        });
        const rows = data as unknown as Json[];
        expectSame('size of the page', [told!.size, rows.length], [size, size]);
        expectSame('lastRowId', told!.lastRowId, rows.at(-1)!.rowId);
        expectSame('startRowId', told!.startRowId, rows[0]!.rowId);
        paged.push(...idsOf(rows));
        next = { lastRowId: Number(told!.lastRowId) };
      }
      expectSame('three pages', paged, whole);
    },
  ),
  limits('QRY-06', 'size is 500 by default and at most 1000.', async ({ wire }) => {
    const page = expectOk(await wire.get(ORDERS, { type: 'COMPLETED' }));
    expectSame('size', page.pagination?.size, 500);
    expectOk(await wire.get(ORDERS, { type: 'OPEN', size: 1000 }));
    for (const size of ['0', '1001', '-1', '1.5', 'x', '']) {
      expectRefused(await wire.get(ORDERS, { type: 'OPEN', size }), 400, INVALID, 'size');
    }
  }),
  limits('QRY-07', 'The window lies within the last 30 days.', async (kit) => {
    const { businessTime } = expectOk(await kit.wire.open('/spot-api/api/public/v1/time'));
    const now = Number(businessTime);
    const type = 'COMPLETED';
    expectOk(await kit.wire.get(ORDERS, { type, startDate: now - 29 * DAY_MS, endDate: now }));
    const early = { type, startDate: now - 31 * DAY_MS };
    expectRefused(await kit.wire.get(ORDERS, early), 400, WINDOW, 'startDate');
  }),
  query('QRY-08', 'startDate and endDate bound the time of creation.', async (kit) => {
    const orderId = await kit.rest();
    const at = Number((await kit.row(orderId)).transactTime);
    const type = 'COMPLETED';
    const inside = await rowsOf(kit, { type, startDate: at - 1, endDate: at + 1 });
    expect(idsOf(inside).includes(orderId), `the order ${orderId} in its window`, idsOf(inside));
    const before = await rowsOf(kit, { type, startDate: at - DAY_MS, endDate: at - 1 });
    expect(
      !idsOf(before).includes(orderId),
      `no order ${orderId} before it was created`,
      'it is there',
    );
  }),
  query('QRY-09', 'A symbol and a securityId that do not match are refused.', async (kit) => {
    const { symbol, securityId } = await kit.pair();
    const fields = { type: 'OPEN', symbol, securityId: securityId + 1 };
    const { status, json } = await kit.wire.get(ORDERS, fields);
    const code = String(json?.code);
    const refused = status === 400 && ['100201', '100202'].includes(code);
    expect(refused, '400 with code 100202', `${status} ${code}`);
    const rows = await rowsOf(kit, { type: 'OPEN', symbol, securityId });
    for (const row of rows) expectSame('symbol', row.symbol, symbol);
  }),
  query('QRY-10', 'filter is <field>,<value>, and selects.', async (kit) => {
    await kit.rest();
    const rows = await rowsOf(kit, { type: 'COMPLETED', filter: 'side,1' });
    expect(rows.length > 0, 'buys', rows);
    for (const row of rows) expectSame('side', row.side, 1);
    for (const filter of ['nothing,1', 'side']) {
      const answer = await kit.wire.get(ORDERS, { type: 'COMPLETED', filter });
      expectRefused(answer, 400, INVALID, 'filter');
    }
  }),
  query('QRY-11', 'What matches nothing is an empty page.', async ({ wire }) => {
    const fields = { type: 'SINGLE', orderId: 9_007_199_254_740_991 };
    expectSame('data', expectOk(await wire.get(ORDERS, fields)).data, []);
  }),
  strict(
    'QRY-12',
    'A parameter that the call does not have is refused by name.',
    async ({ wire }) => {
      const answer = await wire.get(ORDERS, { type: 'OPEN', page: 1 });
      expectRefused(answer, 400, INVALID, 'page');
    },
  ),
];

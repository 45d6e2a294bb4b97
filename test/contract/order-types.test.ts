// Orders of version 2 over HTTP, beyond what the conformance kit proves: their reports, rejected
// amendments, and batches.
import { beforeEach, describe, expect, test } from 'bun:test';
import { InstrumentStatus } from '../../src/core/fix.ts';
import {
  AMEND,
  CANCEL,
  type Client,
  type Json,
  MASS_CANCEL,
  ORDER_V2,
  ORDERS,
  ORDERS_V2,
  TestNode,
} from '../support/node.ts';
import { expectError, expectOk } from '../support/shape.ts';

const node = TestNode.forFile();
let client: Client;
let other: Client;
beforeEach(async () => {
  for (const one of [client, other]) await one?.post(MASS_CANCEL, {});
  client = await node.client();
  other = await node.client();
  // The last price is 100.
  await trade('100');
});

/** The other account trades with a third one. */
async function trade(price: string, orderQty = '0.01'): Promise<void> {
  const third = await node.client();
  await other.limit(2, price, orderQty);
  await third.limit(1, price, orderQty);
}

const PAIR = { symbol: 'BTC-USDT' };
const place = async (order: object): Promise<number> =>
  Number(expectOk(await client.post(ORDER_V2, { ...PAIR, ...order })).orderId);
const plain = (json: Json): Record<string, unknown> => JSON.parse(JSON.stringify(json));
const row = async (orderId: number) => plain(await client.row(orderId));

describe('the report of an order', () => {
  test('has the time of its entry in every report', async () => {
    const orderId = await client.limit(1, '90', '1');
    const entered = node.state.time;
    expect(await row(orderId)).toMatchObject({ createTime: entered, transactTime: entered });
    await node.engine.advanceClock(1000);
    expectOk(await client.post(AMEND, { orderId, orderQty: '0.5' }));
    expect(await row(orderId)).toMatchObject({ execType: 5, createTime: entered });
    expectOk(await client.post(CANCEL, { orderId }));
    const { transactTime, ...closed } = await row(orderId);
    expect(closed).toMatchObject({ execType: 4, createTime: entered });
    expect(Number(transactTime)).toBeGreaterThanOrEqual(entered + 1000);
  });

  test('of a stop that trails has its present trigger, which moves with the price', async () => {
    await trade('95');
    const stop = { side: 2, ordType: 3, orderQty: 1 };
    const orderId = await place({ ...stop, trailingDelta: 1_000 });
    const terms = { trailingDelta: 1_000, trailingAmount: null, stopPx: null };
    const { createTime } = (await row(orderId)) as { createTime: number };
    const began = { ...terms, triggerPx: 85.5, trailingTime: createTime };
    expect(await row(orderId)).toMatchObject({ ...began, workingIndicator: false });
    await trade('97');
    expect(await row(orderId)).toMatchObject({ triggerPx: 87.3, trailingTime: createTime });
    const far = { ...PAIR, ...stop, trailingAmount: '48.51' };
    const details = expectError(await client.post(ORDER_V2, far), 400, 100219, 'trailingAmount');
    expect(plain(details)).toMatchObject({ nearest: 48.5 });
    expectOk(await client.post(CANCEL, { orderId }));
    expect(await row(orderId)).toMatchObject({ triggerPx: 87.3, ordStatus: 4 });
  });

  test('of the exits of a bracket names their order', async () => {
    await other.limit(2, '101', '1');
    const bracket = { takeProfitPx: 120, stopPx: 80 };
    const parent = await place({ side: 1, ordType: 1, orderQty: 1, bracket });
    const open = ((await client.get(ORDERS, { type: 'OPEN' })).body.data as unknown as Json[]).map(
      plain,
    );
    expect(open.map(({ ordType, side }) => [ordType, side])).toEqual([
      [3, 2],
      [2, 2],
    ]);
    const [stop, limit] = open;
    expect(stop).toMatchObject({ parentOrderId: parent, ocoOrderId: limit!.orderId, stopPx: 80 });
    expect(limit).toMatchObject({ parentOrderId: parent, ocoOrderId: stop!.orderId, price: 120 });
  });

  test('with a bracket names its exits, before and after they are placed', async () => {
    const bracket = { takeProfitPx: 120, stopPx: 80, stopLimitPx: 79 };
    const entry = await place({ side: 1, ordType: 2, price: 99, orderQty: 1, bracket });
    expect(await row(entry)).toMatchObject({ ordStatus: 0, bracket });
    await other.limit(2, '99', '1');
    expect(await row(entry)).toMatchObject({ ordStatus: 2, bracket });
    const market = { takeProfitPx: 120, stopPx: 80 };
    await other.limit(2, '101', '1');
    const second = await place({ side: 1, ordType: 1, orderQty: 1, bracket: market });
    const none = { stopLimitPx: null, trailingDelta: null, trailingAmount: null };
    expect((await row(second)).bracket).toEqual({ ...market, ...none });
    expect(await row(await client.limit(1, '90', '1'))).not.toHaveProperty('bracket');
  });

  test.each([
    [{ takeProfitPx: 120 }, { ordType: 2, price: 120, stopPx: null }],
    [{ stopPx: 80 }, { ordType: 3, price: null, stopPx: 80 }],
    [{ trailingDelta: 500 }, { ordType: 3, trailingDelta: 500, stopPx: null }],
  ])('with the bracket %o has one exit', async (bracket, exit) => {
    await other.limit(2, '101', '1');
    const entry = await place({ side: 1, ordType: 1, orderQty: 1, bracket });
    expect((await row(entry)).bracket).toMatchObject({
      ...{ takeProfitPx: null, stopPx: null, stopLimitPx: null },
      ...bracket,
    });
    const [found, ...more] = (await client.get(ORDERS, { type: 'OPEN' })).body
      .data as unknown as Json[];
    expect(plain(found!)).toMatchObject({ ...exit, parentOrderId: entry, ocoOrderId: null });
    expect(more).toEqual([]);
  });
});

describe('an amendment', () => {
  test('is rejected with its reason and changes nothing', async () => {
    const orderId = await client.limit(1, '90', '1');
    const before = await row(orderId);
    const gone = await client.limit(1, '90', '1');
    expectOk(await client.post(CANCEL, { orderId: gone }));
    for (const [change, code, field] of [
      [{ orderId: 999_999_999, price: 91 }, 100203, undefined],
      [{ orderId: gone, price: 91 }, 100205, 'orderId'],
      [{ orderId: gone, price: 91, symbol: 'BTC-USDT' }, 100205, 'orderId'],
      [{ orderId, price: 91, symbol: 'ETH-USDT' }, 100204, 'symbol'],
      [{ orderId, price: 99_999_999 }, 100206, undefined],
      [{ orderId, stopPx: 91 }, 100215, 'stopPx'],
      [{ orderId, expireTime: node.engine.now + 1000 }, 100215, 'expireTime'],
      [{ orderId, expireTime: 0 }, 100200, 'expireTime'],
      [{ orderId, orderQty: 0.0001 }, 100207, 'orderQty'],
    ] as const) {
      const answer = await client.post(AMEND, change);
      expect<unknown>([change, answer.status, answer.body.code]).toEqual([
        change,
        400,
        String(code),
      ]);
      if (field !== undefined) expect<unknown>(answer.body.details!.field).toBe(field);
      if (code === 100204) expect(answer.body.userMsg).toEndWith('Send orderId alone.');
    }
    expect(await row(orderId)).toEqual(before);
  });

  test('replaces the exits of an open order, also of one that its batch places', async () => {
    const open = { ordType: 2, price: 90, orderQty: 1, bracket: { takeProfitPx: 120, stopPx: 80 } };
    const orderId = await place({ ...open, side: 1 });
    const entry = { op: 'place', ...PAIR, ...open, side: 1, clOrdId: 'entry' };
    const bracket = { stopPx: 70, stopLimitPx: 69 };
    expectOk(await client.post(AMEND, { orderId, bracket }));
    const none = { takeProfitPx: null, trailingDelta: null, trailingAmount: null };
    expect(await row(orderId)).toMatchObject({ execType: 5, bracket: { ...none, ...bracket } });
    for (const [wrong, rejection] of [
      [{ takeProfitPx: 90 }, '100226 bracket.takeProfitPx 90.01'],
      [{ takeProfitPx: 75, stopPx: 80 }, '100200 bracket.takeProfitPx 90.01'],
      [{ stopPx: 80.001 }, '100208 bracket.stopPx 80'],
      [{ trailingAmount: 46 }, '100219 bracket.trailingAmount 45'],
      [{}, '100200 bracket.stopPx undefined'],
    ] as const) {
      const { body } = await client.post(AMEND, { orderId, bracket: wrong });
      const { field, nearest } = body.details!;
      expect(`${body.code} ${field} ${nearest}`).toBe(rejection);
    }
    const empty = await client.post(AMEND, { orderId, bracket: {} });
    expect(empty.text).toContain('a bracket needs takeProfitPx, stopPx or a trail');
    const amend = (exits: object) => ({
      op: 'amend',
      ...PAIR,
      origClOrdId: 'entry',
      bracket: exits,
    });
    const reversed = { takeProfitPx: 75, stopPx: 80 };
    const batch = [entry, amend(bracket), amend(reversed)];
    const { orders } = (await client.post(ORDERS_V2, { orders: batch })).body;
    const [placed, amended, rejected] = orders as unknown as Json[];
    expect(plain(amended!)).toMatchObject({ orderId: placed!.orderId });
    expect(plain(rejected!)).toMatchObject({ code: '100200', details: { field: 'bracket' } });
    const plainOrder = await client.limit(1, '90', '1');
    expectError(await client.post(AMEND, { orderId: plainOrder, bracket }), 400, 100215, 'bracket');
  });
});

describe('a batch', () => {
  const limit = { op: 'place', ...PAIR, side: 1, ordType: 2, price: 90, orderQty: 1 };
  const answersOf = async (orders: readonly object[], headers = {}) => {
    const answer = await client.post(ORDERS_V2, { orders }, { headers });
    expectOk(answer);
    return { answer, orders: answer.body.orders as unknown as Json[] };
  };
  const codes = (orders: readonly Json[]) => orders.map(({ code }) => (code ? String(code) : null));

  test('has an answer for each entry, in order, and is one command', async () => {
    const { seq } = node;
    const resting = await client.limit(1, '89', '1');
    const { orders } = await answersOf([
      { ...limit, clOrdId: 'b-1' },
      { ...limit, price: 90.001 },
      { ...limit, orderQty: 0.000001 },
      { ...limit, symbol: undefined, securityId: 77 },
      { ...limit, nonsense: 1 },
      { op: 'amend', ...PAIR, origClOrdId: 'b-1', orderQty: 0.5 },
      { op: 'amend', orderId: resting, price: 88 },
      { op: 'oco', ...PAIR, side: 2, orderQty: 1, price: 120, stopPx: 80 },
      { op: 'cancel', origClOrdId: 'b-1' },
      { op: 'cancel', origClOrdId: 'b-1' },
      { op: 'cancel', orderId: 999_999_999 },
      { op: 'cancel' },
    ]);
    expect(codes(orders)).toEqual([
      ...[null, '100208', '100207', '100201', '100200'],
      ...[null, null, null, null, '100205', '100203', '100200'],
    ]);
    expect(node.seq).toBe(seq + 2);
    const fields = orders.map(({ details }) => (details ? String(details.field) : null));
    expect(fields.slice(1, 5)).toEqual(['price', 'orderQty', 'securityId', 'nonsense']);
    expect(Number(orders[1]!.details!.nearest)).toBe(90);
    const { orderId } = plain(orders[0]!) as { orderId: number };
    expect(await row(orderId)).toMatchObject({ orderQty: 0.5, ordStatus: 4 });
    expect(await row(resting)).toMatchObject({ price: 88 });
  });

  test('of a pair that is not open names the field, and what is accepted', async () => {
    const resting = await client.limit(1, '90', '1');
    try {
      await node.amend('BTC-USDT', { status: InstrumentStatus.HALTED });
      const { symbol: _, ...unnamed } = limit;
      const cancel = { op: 'cancel', orderId: 999_999_999 };
      const rejectedAs = async (entry: object) => (await answersOf([entry, cancel])).orders[0]!;
      for (const [entry, field] of [
        [limit, 'symbol'],
        [{ ...unnamed, securityId: 1 }, 'securityId'],
        [{ op: 'amend', orderId: resting, price: 91 }, 'symbol'],
      ] as const) {
        const { code, userMsg, details } = await rejectedAs(entry);
        expect<unknown>([code, details!.field]).toEqual(['100209', field]);
        expect(String(userMsg)).toContain('accepts smaller quantities and cancels');
      }
    } finally {
      await node.amend('BTC-USDT', { status: InstrumentStatus.LIVE });
    }
  });

  test('takes as many writes from the limits as it has entries', async () => {
    await using limited = await TestNode.start({ flags: ['--rate-limits', 'order=60/60/60'] });
    const one = await limited.client();
    const many = (count: number) =>
      one.post(ORDERS_V2, { orders: Array.from({ length: count }, () => limit) });
    const left = ({ headers }: { readonly headers: Headers }): number =>
      Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
    const answer = await many(45);
    expectOk(answer);
    expect(left(answer)).toBe(15);
    const rejected = await many(20);
    expect<unknown>([rejected.status, rejected.body.code]).toEqual([429, '100429']);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(1);
    expect(limited.state.orders.countOf(one.uid)).toBe(45);
    expectOk(await many(10));
  });
});

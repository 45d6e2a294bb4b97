// createNewOrder, createTestOrder and cancelOrder: every rejection with its remedy. The conformance
// kit proves the answers and the plain rejections.
import { beforeEach, describe, expect, test } from 'bun:test';
import { InstrumentStatus } from '../../src/core/fix.ts';
import {
  CANCEL,
  type Client,
  MASS_CANCEL,
  ORDER,
  ORDERBOOK,
  TEST_ORDER,
  TestNode,
} from '../support/node.ts';
import { expectError, expectOk } from '../support/shape.ts';

const node = TestNode.forFile();
let client: Client;
beforeEach(async () => {
  if (client !== undefined) await client.post(MASS_CANCEL, {});
  client = await node.client();
});

const LIMIT = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 };
const MARKET = { symbol: 'BTC-USDT', side: 1, ordType: 1, orderQty: 1 };

describe('POST /spot-api/api/private/v1/order', () => {
  test('reads decimals from their text, exactly', async () => {
    const body = '{"symbol":"BTC-USDT","side":1,"ordType":2,"price":12345.67,"orderQty":0.100001}';
    const { orderId } = expectOk(await client.post(ORDER, body));
    await client.row(Number(orderId));
    const book = await node.get(ORDERBOOK, 'symbol=BTC-USDT');
    expect(book.text).toContain('[12345.67,0.100001]');
  });
});

/** The change to a valid order, the code with the field, and the nearest value that would pass. */
type Rejection = readonly [change: object, rejection: string, nearest?: unknown];

const REJECTED_LIMITS: readonly Rejection[] = [
  [{ securityId: 2 }, '100202 securityId', 1],
  [{ symbol: undefined, securityId: 77 }, '100201 securityId'],
  [{ orderQty: 0.1234567 }, '100208 orderQty', 0.123457],
  [{ orderQty: 0.0009999 }, '100208 orderQty', 0.001],
  [{ price: 1, orderQty: 0.0500001 }, '100208 orderQty', 0.1],
  [{ price: 0, orderQty: 10 }, '100200 price', 0.01],
  [{ price: -5, orderQty: 10 }, '100200 price', 0.01],
  [{ price: 100.009 }, '100208 price', 100.01],
  [{ price: 0.001, orderQty: 10 }, '100208 price', 0.01],
  [{ price: '90071992547409.91' }, '100200 price'],
  [{ price: '1'.padEnd(40, '0') }, '100200 price'],
  [{ orderQty: 0.000001 }, '100207 orderQty', 0.001],
  [{ price: 1, orderQty: 0.05 }, '100207 orderQty', 0.1],
  [{ price: 100000, orderQty: 101 }, '100206 orderQty', 100],
  [{ side: 2, orderQty: 100.5 }, '100206 orderQty', 100],
];

const REJECTED_MARKETS: readonly Rejection[] = [
  [byQuote('0.555'), '100208 quoteOrderQty', 0.55],
  [byQuote('0.099'), '100208 quoteOrderQty', 0.1],
  [byQuote('0.05'), '100207 quoteOrderQty', 0.1],
  [byQuote('10000000.01'), '100206 quoteOrderQty', 10000000],
  [{ execInst: '6' }, '100210 execInst'],
  [{ orderQty: 0.000009 }, '100207 orderQty', 0.00001],
  [{ side: 2, orderQty: 101 }, '100206 orderQty', 100],
];

function byQuote(quoteOrderQty: string): object {
  return { orderQty: undefined, quoteOrderQty };
}

for (const path of [ORDER, TEST_ORDER]) {
  describe(`POST ${path} rejects`, () => {
    for (const [kind, valid, rejections] of [
      ['a limit order with', LIMIT, REJECTED_LIMITS],
      ['a market order with', MARKET, REJECTED_MARKETS],
    ] as const) {
      for (const [change, rejection, nearest] of rejections) {
        const [code, field] = rejection.split(' ');
        test(`${kind} ${JSON.stringify(change)}: ${rejection}`, async () => {
          const answer = await client.post(path, { ...valid, ...change });
          const details = expectError(answer, 400, Number(code), field);
          expect<unknown>(details.nearest).toBe(nearest);
          if (nearest === undefined) return;
          // The remedy is one: with the nearest value, the same order passes.
          expectOk(await client.post(path, { ...valid, ...change, [field!]: nearest }));
        });
      }
    }
  });
}

describe('POST /spot-api/api/private/v1/order by the state of the venue', () => {
  test('an instrument that is not open names the order types that it accepts', async () => {
    const { symbol: _, ...unnamed } = LIMIT;
    const byId = { ...unnamed, securityId: 1 };
    const rejected = async (body: object, path = ORDER): Promise<unknown> =>
      expectError(await client.post(path, body), 400, 100209);
    try {
      await node.amend('BTC-USDT', { status: InstrumentStatus.HALTED });
      expect(await rejected(LIMIT)).toMatchObject({ field: 'symbol', rule: 'HALTED' });
      for (const path of [ORDER, TEST_ORDER]) {
        expect(await rejected(byId, path)).toMatchObject({ field: 'securityId', rule: 'HALTED' });
      }
      await node.amend('BTC-USDT', { status: InstrumentStatus.POST_ONLY });
      expect(await rejected(LIMIT)).toMatchObject({ field: 'execInst', rule: 'POST_ONLY' });
      expect(await rejected(MARKET)).toMatchObject({ field: 'ordType', rule: 'POST_ONLY' });
    } finally {
      await node.amend('BTC-USDT', { status: InstrumentStatus.LIVE });
    }
  });

  test('a securityId may be sent as text', async () => {
    const { symbol: _, ...unnamed } = LIMIT;
    expectOk(await client.post(TEST_ORDER, { ...unnamed, securityId: '1' }));
    expectError(await client.post(TEST_ORDER, { ...unnamed, securityId: '01' }), 400, 100200);
  });

  test('a market order ignores a price', async () => {
    const other = await node.client();
    await other.limit(2, '50', '1');
    const orderId = await client.order({ ...MARKET, price: 0.001 });
    expect<unknown>(await client.row(orderId)).toMatchObject({ price: null, avgPx: 50 });
  });
});

test('a closed order: 100205, whether filled, canceled or rejected', async () => {
  const other = await node.client();
  const filled = await other.limit(2, '100', '1', { clOrdId: 'filled' });
  await client.limit(1, '100', '1');
  expectError(await other.post(CANCEL, { orderId: filled }), 400, 100205, 'orderId');
  expectError(await other.post(CANCEL, { origClOrdId: 'filled' }), 400, 100205, 'origClOrdId');
  const both = { orderId: filled, origClOrdId: 'filled' };
  expectError(await other.post(CANCEL, both), 400, 100205);
  const canceled = await client.limit(1, '100', '1');
  expectOk(await client.post(CANCEL, { orderId: canceled }));
  expectError(await client.post(CANCEL, { orderId: canceled }), 400, 100205, 'orderId');
});

// Orders of version 2 at the edge: which terms fit together, and what a rejection says of the
// others.
import { beforeAll, describe, expect, test } from 'bun:test';
import {
  AMEND,
  type Client,
  OCO,
  ORDER_V2,
  ORDERS_V2,
  TEST_ORDER_V2,
  TestNode,
} from '../support/node.ts';
import { expectError } from '../support/shape.ts';

const node = TestNode.forFile();
let client: Client;
beforeAll(async () => {
  client = await node.client();
});

const PAIR = { symbol: 'BTC-USDT' };
const LIMIT = { ...PAIR, side: 1, ordType: 2, price: 100, orderQty: 1 };
const MARKET = { ...PAIR, side: 1, ordType: 1, orderQty: 1 };
const STOP = { ...PAIR, side: 1, ordType: 3, stopPx: 120, orderQty: 1 };
const STOP_LIMIT = { ...STOP, ordType: 4, price: 121 };
const BY_QUOTE = { orderQty: undefined, quoteOrderQty: 50 };
const EXITS = { takeProfitPx: 120, stopPx: 90 };

/** The order, the code with the field and the rule, and the nearest value that would pass. */
type Rejection = readonly [order: object, rejection: string, nearest?: unknown];

async function expectRejection(path: string, [order, rejection, nearest]: Rejection) {
  const [code = '', field = '', rule] = rejection.split(' ');
  const details = expectError(await client.post(path, order), 400, Number(code), field);
  expect<unknown>([details.rule, details.nearest]).toEqual([rule, nearest]);
}

const REJECTED: readonly Rejection[] = [
  [{ ...LIMIT, ordType: 5 }, '100210 ordType oneOf'],
  [{ ...LIMIT, timeInForce: 2 }, '100210 timeInForce oneOf'],
  [{ ...MARKET, timeInForce: 6 }, '100210 timeInForce oneOf', 1],
  [{ ...STOP, timeInForce: 4 }, '100210 timeInForce oneOf', 1],
  [{ ...LIMIT, trailingDelta: 1 }, '100200 trailingDelta stopOnly'],
  [{ ...STOP, trailingDelta: 5001 }, '100200 trailingDelta maximum'],
  [{ ...STOP, trailingDelta: 0 }, '100200 trailingDelta minimum'],
  [{ ...STOP, trailingAmount: 0.001 }, '100208 trailingAmount increment', 0.01],
  [{ ...STOP, trailingDelta: 1, trailingAmount: 1 }, '100200 trailingAmount exclusive'],
  [
    { ...STOP, stopPx: undefined, trailingDelta: 1, triggerPriceDirection: 'U' },
    '100200 triggerPriceDirection stopPxOnly',
  ],
  [{ ...LIMIT, bracket: { ...EXITS, trailingDelta: 1 } }, '100200 bracket.stopPx exclusive'],
  [{ ...LIMIT, timeInForce: 6 }, '100200 expireTime required'],
  [{ ...LIMIT, expireTime: 1_900_000_000_000 }, '100200 expireTime goodTillDateOnly'],
  [{ ...LIMIT, expireTime: -1 }, '100200 expireTime minimum'],
  [{ ...MARKET, execInst: 6 }, '100210 execInst limitOnly'],
  [{ ...STOP, execInst: 6 }, '100210 execInst limitOnly'],
  [{ ...LIMIT, execInst: 6, timeInForce: 3 }, '100210 execInst restingOnly'],
  [{ ...STOP, price: 121 }, '100200 price limitOnly'],
  [{ ...STOP_LIMIT, price: undefined }, '100200 price required'],
  [{ ...LIMIT, stopPx: 120 }, '100200 stopPx stopOnly'],
  [{ ...STOP, stopPx: undefined }, '100200 stopPx required'],
  [{ ...STOP, stopPx: 0 }, '100200 stopPx aboveZero'],
  [{ ...STOP, stopPx: 120.005 }, '100208 stopPx increment', 120],
  [{ ...LIMIT, triggerPriceDirection: 'U' }, '100200 triggerPriceDirection stopOnly'],
  [{ ...STOP, triggerPriceDirection: 'up' }, '100200 triggerPriceDirection oneOf'],
  [{ ...MARKET, displayQty: 1 }, '100200 displayQty restingOnly'],
  [{ ...LIMIT, timeInForce: 4, displayQty: 0.5 }, '100200 displayQty restingOnly'],
  [{ ...LIMIT, displayQty: 2 }, '100200 displayQty maximum', 1],
  [{ ...LIMIT, displayQty: 0.1234567 }, '100208 displayQty increment', 0.123457],
  [{ ...LIMIT, ...BY_QUOTE }, '100200 quoteOrderQty marketOnly'],
  [{ ...STOP, ...BY_QUOTE, side: 2, stopPx: 80 }, '100210 quoteOrderQty stopBuyOnly'],
  [{ ...MARKET, quoteOrderQty: 50 }, '100200 orderQty exclusive'],
  [{ ...MARKET, side: 2, quoteOrderQty: 50 }, '100200 orderQty exclusive'],
  [{ ...MARKET, orderQty: undefined }, '100200 orderQty required'],
  [{ ...LIMIT, selfTradePrevention: 'cancelAll' }, '100210 selfTradePrevention oneOf'],
  [{ ...MARKET, ...BY_QUOTE, bracket: EXITS }, '100200 bracket orderQtyOnly'],
  [{ ...LIMIT, bracket: {} }, '100200 bracket.stopPx required'],
  [{ ...LIMIT, bracket: { takeProfitPx: 120, stopLimitPx: 90 } }, '100200 bracket.stopPx required'],
  [
    { ...LIMIT, bracket: { takeProfitPx: 90, stopPx: 95 } },
    '100200 bracket.takeProfitPx aboveStopPx',
    100.01,
  ],
  [
    { ...LIMIT, side: 2, bracket: { takeProfitPx: 120, stopPx: 110 } },
    '100200 bracket.takeProfitPx belowStopPx',
    99.99,
  ],
  [
    { ...LIMIT, bracket: { ...EXITS, stopLimitPx: 89.999 } },
    '100208 bracket.stopLimitPx increment',
    90,
  ],
  [{ ...LIMIT, bracket: { ...EXITS, stopPrice: 1 } }, '100200 bracket.stopPrice known'],
];

describe('an order of version 2 is rejected at the edge', () => {
  for (const row of REJECTED) {
    test(JSON.stringify(row), async () => {
      const { seq } = node;
      for (const path of [ORDER_V2, TEST_ORDER_V2]) await expectRejection(path, row);
      expect(node.seq).toBe(seq);
    });
  }
});

describe('an OCO pair is rejected at the edge', () => {
  const SELL = { ...PAIR, side: 2, orderQty: 1, price: 110, stopPx: 90 };
  const rejected: readonly Rejection[] = [
    [{ ...SELL, price: undefined }, '100200 price required'],
    [{ ...SELL, stopPx: undefined }, '100200 stopPx required'],
    [{ ...SELL, stopPx: 110 }, '100200 price aboveStopPx', 110.01],
    [{ ...SELL, side: 1 }, '100200 price belowStopPx', 89.99],
    [{ ...SELL, timeInForce: 3 }, '100210 timeInForce oneOf'],
    [{ ...SELL, timeInForce: 6 }, '100200 expireTime required'],
    [{ ...SELL, stopLimitPx: 89.999 }, '100208 stopLimitPx increment', 90],
    [{ ...SELL, quoteOrderQty: 1 }, '100200 quoteOrderQty known'],
  ];
  for (const row of rejected) test(JSON.stringify(row), () => expectRejection(OCO, row));
});

describe('an amendment is rejected at the edge', () => {
  test('without an order, without a change, off the grid of the order', async () => {
    expectError(await client.post(AMEND, { price: 1 }), 400, 100200, 'orderId');
    expectError(await client.post(AMEND, { orderId: 1 }), 400, 100200, 'orderQty');
    const orderId = await client.limit(1, '100', '1');
    const details = expectError(
      await client.post(AMEND, { orderId, price: 99.999 }),
      400,
      100208,
      'price',
    );
    expect<unknown>(details.nearest).toBe(100);
    const { seq } = node;
    expectError(await client.post(AMEND, { orderId, displayQty: -1 }), 400, 100200, 'displayQty');
    expect(node.seq).toBe(seq);
  });
});

describe('a batch is rejected whole', () => {
  test.each([
    ['of what is no entry', [{ op: 'cancel', orderId: 1 }, 7], 'orders[1]', 'type'],
    ['with an op of Object.prototype', [{ op: 'toString' }], 'orders[0]', 'type'],
  ])('%s', async (_, orders, field, rule) => {
    const { seq } = node;
    const details = expectError(await client.post(ORDERS_V2, { orders }), 400, 100200, field);
    expect<unknown>(details.rule).toBe(rule);
    expect(node.seq).toBe(seq);
  });
});

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

/** Why, the order, the code, the field, the rule, and the nearest value that would pass. */
type Rejection = readonly [
  why: string,
  order: object,
  code: number,
  field: string,
  rule: string,
  nearest?: unknown,
];

const REJECTED: readonly Rejection[] = [
  ['an unknown ordType', { ...LIMIT, ordType: 5 }, 100210, 'ordType', 'oneOf'],
  ['an unknown timeInForce', { ...LIMIT, timeInForce: 2 }, 100210, 'timeInForce', 'oneOf'],
  ['a market order till a date', { ...MARKET, timeInForce: 6 }, 100210, 'timeInForce', 'oneOf', 1],
  ['a stop that is fill or kill', { ...STOP, timeInForce: 4 }, 100210, 'timeInForce', 'oneOf', 1],
  [
    'a limit order that trails',
    { ...LIMIT, trailingDelta: 1 },
    100200,
    'trailingDelta',
    'stopOnly',
  ],
  [
    'a trail above 50 %',
    { ...STOP, trailingDelta: 5001 },
    100200,
    'trailingDelta',
    'maximum',
    5000,
  ],
  ['a trail of nothing', { ...STOP, trailingDelta: 0 }, 100200, 'trailingDelta', 'minimum', 1],
  [
    'a trail off the grid',
    { ...STOP, trailingAmount: 0.001 },
    100208,
    'trailingAmount',
    'increment',
    0.01,
  ],
  [
    'two distances',
    { ...STOP, trailingDelta: 1, trailingAmount: 1 },
    100200,
    'trailingAmount',
    'exclusive',
  ],
  [
    'a direction without a stopPx',
    { ...STOP, stopPx: undefined, trailingDelta: 1, triggerPriceDirection: 'U' },
    100200,
    'triggerPriceDirection',
    'stopPxOnly',
  ],
  [
    'exits that trail from a stopPx',
    { ...LIMIT, bracket: { ...EXITS, trailingDelta: 1 } },
    100200,
    'bracket.stopPx',
    'exclusive',
  ],
  ['no expireTime', { ...LIMIT, timeInForce: 6 }, 100200, 'expireTime', 'required'],
  [
    'an expireTime without its timeInForce',
    { ...LIMIT, expireTime: 1_900_000_000_000 },
    100200,
    'expireTime',
    'goodTillDateOnly',
  ],
  ['a negative expireTime', { ...LIMIT, expireTime: -1 }, 100200, 'expireTime', 'minimum', 1],
  ['a post-only market order', { ...MARKET, execInst: 6 }, 100210, 'execInst', 'limitOnly'],
  ['a post-only stop', { ...STOP, execInst: 6 }, 100210, 'execInst', 'limitOnly'],
  [
    'post-only, immediate or cancel',
    { ...LIMIT, execInst: 6, timeInForce: 3 },
    100210,
    'execInst',
    'restingOnly',
  ],
  ['a stop with a price', { ...STOP, price: 121 }, 100200, 'price', 'limitOnly'],
  ['a stop limit without one', { ...STOP_LIMIT, price: undefined }, 100200, 'price', 'required'],
  ['a limit order with stopPx', { ...LIMIT, stopPx: 120 }, 100200, 'stopPx', 'stopOnly'],
  ['a stop without stopPx', { ...STOP, stopPx: undefined }, 100200, 'stopPx', 'required'],
  ['a stopPx of 0', { ...STOP, stopPx: 0 }, 100200, 'stopPx', 'aboveZero'],
  ['a stopPx off the tick', { ...STOP, stopPx: 120.005 }, 100208, 'stopPx', 'increment', 120],
  [
    'a direction without a stop',
    { ...LIMIT, triggerPriceDirection: 'U' },
    100200,
    'triggerPriceDirection',
    'stopOnly',
  ],
  [
    'a direction that is none',
    { ...STOP, triggerPriceDirection: 'up' },
    100200,
    'triggerPriceDirection',
    'oneOf',
  ],
  [
    'a market order that shows a part',
    { ...MARKET, displayQty: 1 },
    100200,
    'displayQty',
    'restingOnly',
  ],
  [
    'an iceberg, fill or kill',
    { ...LIMIT, timeInForce: 4, displayQty: 0.5 },
    100200,
    'displayQty',
    'restingOnly',
  ],
  ['more shown than there is', { ...LIMIT, displayQty: 2 }, 100200, 'displayQty', 'maximum', 1],
  [
    'a displayQty off the lot',
    { ...LIMIT, displayQty: 0.1234567 },
    100208,
    'displayQty',
    'increment',
    0.123457,
  ],
  ['a limit order by quote', { ...LIMIT, ...BY_QUOTE }, 100200, 'quoteOrderQty', 'marketOnly'],
  [
    'a stop that sells by quote',
    { ...STOP, ...BY_QUOTE, side: 2, stopPx: 80 },
    100210,
    'quoteOrderQty',
    'stopBuyOnly',
  ],
  ['both quantities', { ...MARKET, quoteOrderQty: 50 }, 100200, 'orderQty', 'exclusive'],
  ['both to sell', { ...MARKET, side: 2, quoteOrderQty: 50 }, 100200, 'orderQty', 'exclusive'],
  ['no quantity', { ...MARKET, orderQty: undefined }, 100200, 'orderQty', 'required'],
  [
    'a self-trade prevention that is none',
    { ...LIMIT, selfTradePrevention: 'cancelAll' },
    100210,
    'selfTradePrevention',
    'oneOf',
  ],
  [
    'a bracket by quote',
    { ...MARKET, ...BY_QUOTE, bracket: EXITS },
    100200,
    'bracket',
    'orderQtyOnly',
  ],
  [
    'a bracket without a stop',
    { ...LIMIT, bracket: { takeProfitPx: 120 } },
    100200,
    'bracket.stopPx',
    'required',
  ],
  [
    'a bracket the wrong way round',
    { ...LIMIT, bracket: { takeProfitPx: 90, stopPx: 120 } },
    100200,
    'bracket.takeProfitPx',
    'aboveStopPx',
    120.01,
  ],
  [
    'a bracket of a sale the wrong way round',
    { ...LIMIT, side: 2, bracket: EXITS },
    100200,
    'bracket.takeProfitPx',
    'belowStopPx',
    89.99,
  ],
  [
    'a bracket off the tick',
    { ...LIMIT, bracket: { ...EXITS, stopLimitPx: 89.999 } },
    100208,
    'bracket.stopLimitPx',
    'increment',
    90,
  ],
  [
    'an unknown field in a bracket',
    { ...LIMIT, bracket: { ...EXITS, stopPrice: 1 } },
    100200,
    'bracket.stopPrice',
    'known',
  ],
];

describe('an order of version 2 is rejected at the edge', () => {
  for (const [why, order, code, field, rule, nearest] of REJECTED) {
    test(why, async () => {
      const { seq } = node;
      for (const path of [ORDER_V2, TEST_ORDER_V2]) {
        const details = expectError(await client.post(path, order), 400, code, field);
        expect<unknown>([details.rule, details.nearest]).toEqual([rule, nearest]);
      }
      expect(node.seq).toBe(seq);
    });
  }
});

describe('an OCO pair is rejected at the edge', () => {
  const SELL = { ...PAIR, side: 2, orderQty: 1, price: 110, stopPx: 90 };
  const rejected: readonly Rejection[] = [
    ['without a price', { ...SELL, price: undefined }, 100200, 'price', 'required'],
    ['without stopPx', { ...SELL, stopPx: undefined }, 100200, 'stopPx', 'required'],
    ['on one side', { ...SELL, stopPx: 110 }, 100200, 'price', 'aboveStopPx', 110.01],
    ['to buy on one side', { ...SELL, side: 1 }, 100200, 'price', 'belowStopPx', 89.99],
    ['immediate or cancel', { ...SELL, timeInForce: 3 }, 100210, 'timeInForce', 'oneOf'],
    ['without expireTime', { ...SELL, timeInForce: 6 }, 100200, 'expireTime', 'required'],
    ['off the tick', { ...SELL, stopLimitPx: 89.999 }, 100208, 'stopLimitPx', 'increment', 90],
    ['by quote', { ...SELL, quoteOrderQty: 1 }, 100200, 'quoteOrderQty', 'known'],
  ];
  for (const [why, order, code, field, rule, nearest] of rejected) {
    test(why, async () => {
      const details = expectError(await client.post(OCO, order), 400, code, field);
      expect<unknown>([details.rule, details.nearest]).toEqual([rule, nearest]);
    });
  }
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

// Boundary values for every numeric field of the order calls of version 2: new orders of each type,
// and amendments of each kind of open order. Every answer is an acceptance or a clear rejection,
// and the venue keeps its invariants.
import { beforeAll, expect, test } from 'bun:test';
import { checkInvariants } from '../../src/core/invariants.ts';
import {
  AMEND,
  type Answer,
  CANCEL,
  type Client,
  MASS_CANCEL,
  OCO,
  ORDER_V2,
  ORDERS_V2,
  TestNode,
} from '../support/node.ts';
import { expectErrorShape } from '../support/shape.ts';

const node = TestNode.forFile({ flags: ['--rate-limits', 'off'] });
let client: Client;
beforeAll(async () => {
  client = await node.client();
  const [maker, taker] = [await node.client(), await node.client()];
  await maker.limit(2, '100', '0.01');
  await taker.limit(1, '100', '0.01');
  await maker.limit(2, '101', '50');
  await maker.limit(1, '99', '50');
});
const statuses = new Set<number>();

/** Every answer is 200 or a rejection of the client's making, in the error shape. */
function expectAnswered(about: unknown, { status, body }: Answer): void {
  statuses.add(status);
  const isRejection = status >= 400 && status < 500;
  expect({ about, isAnswer: status === 200 || isRejection }).toEqual({ about, isAnswer: true });
  if (isRejection) expectErrorShape(body);
}

const now = (): number => node.engine.now;
const PAIR = { symbol: 'BTC-USDT' };
const PLAIN = { ...PAIR, side: 1, ordType: 2, price: 90, orderQty: 1 };
const STOP = { ...PAIR, side: 2, ordType: 3, stopPx: 80, orderQty: 1 };
const BRACKET = { takeProfitPx: 120, stopPx: 80, stopLimitPx: 79 };
const dated = () => ({ timeInForce: 6, expireTime: now() + 3_600_000 });

/** Orders of each kind that stay open. */
const KINDS: Readonly<Record<string, () => object>> = {
  limit: () => PLAIN,
  'post-only': () => ({ ...PLAIN, execInst: 6 }),
  iceberg: () => ({ ...PLAIN, displayQty: 0.25 }),
  'good till date': () => ({ ...PLAIN, ...dated(), displayQty: 0.25 }),
  'partly filled': () => ({ ...PLAIN, price: 101, orderQty: 60, displayQty: 5 }),
  stop: () => STOP,
  'stop by quote': () => ({ ...PAIR, side: 1, ordType: 3, stopPx: 120, quoteOrderQty: 50 }),
  'stop limit': () => ({ ...STOP, ...dated(), ordType: 4, price: 79 }),
  'with a bracket': () => ({ ...PLAIN, bracket: BRACKET }),
};
/** Orders that do not stay. */
const TAKERS: Readonly<Record<string, () => object>> = {
  market: () => ({ ...PAIR, side: 1, ordType: 1, orderQty: 1, bracket: BRACKET }),
  'market by quote': () => ({ ...PAIR, side: 2, ordType: 1, quoteOrderQty: 50 }),
  'fill or kill': () => ({ ...PLAIN, price: 101, timeInForce: 4 }),
};
const PAIR_OF_ORDERS = () => ({
  ...{ ...PAIR, ...dated(), side: 2, orderQty: 1 },
  ...{ price: 120, stopPx: 80, stopLimitPx: 79 },
});

const FIELDS = ['price', 'orderQty', 'quoteOrderQty', 'stopPx', 'displayQty', 'expireTime'];
const PRICES = ['price', 'stopPx', 'stopLimitPx', 'takeProfitPx'];
const MAX = '9007199254740991';
const EDGES = ['0', '-0', '0.00', '1', MAX, '9007199254740992', '1e308', `1${'0'.repeat(60)}`];
/** The largest count of ticks and of lots, and one more. */
const LARGEST = [
  '90071992547409.91',
  '90071992547409.92',
  '90071992547.40991',
  '9007199254.740992',
];

function valuesFor(field: string): readonly string[] {
  if (field === 'expireTime') return [...EDGES, ...[-1, 0, 1].map((n) => String(now() + n))];
  const near = PRICES.includes(field)
    ? ['0.001', '0.01', '78.99', '79', '80', '89.99', '90.01', '99', '100', '101', '119.99']
    : ['0.00001', '0.000001', '0.01', '0.24999', '0.99999', '1.00001', '49', '50', '50.00001'];
  return [...EDGES, ...LARGEST, ...near, '60'];
}

/** The body with one field at each of its boundaries. */
function* strained(body: object, fields: readonly string[]): Generator<object> {
  for (const field of fields) {
    for (const value of valuesFor(field)) {
      yield { ...body, [field]: value };
      if (field === 'expireTime' && Number(value) <= Number(MAX)) {
        yield { ...body, [field]: Number(value) };
      }
    }
  }
}

/** Sends each body alone, and once more as the entry of a batch. */
async function sendEach(path: string, op: string, bodies: Iterable<object>): Promise<void> {
  const all = [...bodies];
  for (const body of all) expectAnswered(body, await client.post(path, body));
  while (all.length > 0) {
    const orders = all.splice(0, 50).map((body) => ({ op, ...body }));
    const answer = await client.post(ORDERS_V2, { orders });
    expectAnswered('a batch', answer);
    expect(answer.text).not.toContain('"code":"1005');
  }
  await client.post(MASS_CANCEL, {});
}

for (const [kind, bodyOf] of Object.entries({ ...KINDS, ...TAKERS })) {
  test(`a new order: ${kind}`, async () => {
    const body = bodyOf();
    await sendEach(ORDER_V2, 'place', strained(body, FIELDS));
    const exits = [...strained(BRACKET, Object.keys(BRACKET))];
    await sendEach(
      ORDER_V2,
      'place',
      exits.map((bracket) => ({ ...body, bracket })),
    );
  }, 60_000);
}

test('a new pair', async () => {
  const names = ['orderQty', 'price', 'stopPx', 'stopLimitPx', 'expireTime'];
  await sendEach(OCO, 'oco', strained(PAIR_OF_ORDERS(), names));
}, 60_000);

const AMENDED = ['orderQty', 'price', 'stopPx', 'displayQty', 'expireTime'];

/** Amends a new order alone, and once more within a batch. */
async function amendEach(path: string, op: string, bodyOf: () => object): Promise<void> {
  const [id, entry] = op === 'oco' ? ['stopOrderId', 'stopClOrdId'] : ['orderId', 'clOrdId'];
  for (const change of strained({}, AMENDED)) {
    const orderId = (await client.post(path, bodyOf())).body[id!];
    expect(orderId).toBeNumber();
    expectAnswered(change, await client.post(AMEND, { orderId, ...change }));
    const origClOrdId = 'amended';
    const orders = [
      { op, ...bodyOf(), [entry!]: origClOrdId },
      { op: 'amend', ...PAIR, origClOrdId, ...change },
      { op: 'cancel', origClOrdId },
    ];
    const answer = await client.post(ORDERS_V2, { orders });
    expectAnswered(change, answer);
    expect(answer.text).not.toContain('"code":"1005');
    await client.post(CANCEL, { orderId });
  }
  await client.post(MASS_CANCEL, {});
}

for (const [kind, bodyOf] of Object.entries(KINDS)) {
  test(`an amendment: ${kind}`, () => amendEach(ORDER_V2, 'place', bodyOf), 60_000);
}

test('an amendment: an order of a pair', () => amendEach(OCO, 'oco', PAIR_OF_ORDERS), 60_000);

test('the venue keeps its invariants when all orders have expired', async () => {
  expect(statuses).toEqual(new Set([200, 400]));
  await node.engine.advanceClock(7_200_000);
  checkInvariants(node.state);
});

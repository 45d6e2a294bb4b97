// One order, however often it is sent.
import { describe, expect, test } from 'bun:test';
import { NotReached, OutcomeUnknown, Rejection } from '../../../src/sdk/errors.ts';
import { type Fill, type Order, type OrderPage, OrdType, Side } from '../../../src/sdk/index.ts';
import { rejectionBy } from '../../../src/sdk/rejection-by-code.ts';
import type { NewOrder } from './draft.ts';
import { type Calls, place, type Storage, SubmissionKeys } from './submission.ts';

const order: NewOrder = { symbol: 'A-B', side: Side.buy, ordType: OrdType.market, orderQty: '1' };

const lostAnswer = () => new OutcomeUnknown('The order', null, 'lost');
const rejection = (status = 400) =>
  rejectionBy({
    code: { 400: 100206, 401: 100401, 503: 100503 }[status]!,
    status,
    userMsg: 'no',
    details: {},
    retryAfterMs: null,
    requestId: null,
  });

/** The storage of a tab, which survives a reload. */
function memory(): Storage {
  let text: string | null = null;
  return {
    get: () => text,
    set: (value) => {
      text = value;
    },
  };
}
const newKeys = (storage = memory()) => new SubmissionKeys('7', storage);

/** An answer of the list of orders with one order in it. */
const pageOf = (order: Partial<Order>) => ({ data: [order] }) as unknown as OrderPage;

const never = async (): Promise<never> => {
  throw new Error('a single order needs no other call');
};

/** Calls that fail with `failures` in turn, and record the keys that they get. */
function callsThat(...failures: readonly Error[]) {
  const keys: string[] = [];
  const left = [...failures];
  const calls: Calls = {
    async createOrderV2(_order, options) {
      keys.push(options!.idempotencyKey!);
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return { orderId: 7, clOrdId: 'x', symbol: 'A-B', transactTime: 1 };
    },
    createOco: never,
    orders: async () => pageOf({ orderId: 7, cumQty: '0' }),
    fills: async () => [],
  };
  return { calls, keys };
}

/** Sends the order with calls that fail in turn. Returns the keys of the tries. */
async function send(keys: SubmissionKeys, ...failures: readonly Error[]): Promise<string[]> {
  const sent = callsThat(...failures);
  await place(order, keys, sent.calls, 0).catch(() => undefined);
  return sent.keys;
}
const LOST = [lostAnswer(), lostAnswer(), lostAnswer()];

describe('the call of an order', () => {
  /** The sent fields of an order, by the call that got them. */
  async function sentBy(more: Partial<NewOrder>): Promise<readonly [string, object]> {
    const sent: [string, object][] = [];
    const note = (name: string) => async (body: object) => {
      sent.push([name, body]);
      return { orderId: 7 } as never;
    };
    const calls = {
      ...callsThat().calls,
      createOrderV2: note('order'),
      createOco: note('oco'),
    };
    await place({ ...order, ...more }, newKeys(), calls, 0);
    return sent[0]!;
  }

  test('has all of its terms', async () => {
    const [call, body] = await sentBy({ stopPx: '5', ordType: 4, timeInForce: 3 });
    expect(call).toBe('order');
    expect(body).toMatchObject({ ...order, stopPx: '5', ordType: 4, timeInForce: 3 });
  });

  test('an OCO pair is one call, with the stop beside the limit order', async () => {
    const oco = { stopPx: '5', stopLimitPx: '4' };
    const [call, body] = await sentBy({ oco, timeInForce: 6, expireTime: 9 });
    expect(call).toBe('oco');
    expect(body).toMatchObject({ ...oco, price: order.price, timeInForce: 6, expireTime: 9 });
    expect(body).not.toHaveProperty('oco');
    expect(body).not.toHaveProperty('ordType');
  });
});

describe('placing', () => {
  test('retries a lost answer with the same key', async () => {
    const { calls, keys } = callsThat(lostAnswer(), lostAnswer());
    const placed = await place(order, newKeys(), calls, 0);
    expect(placed.order).toMatchObject({ orderId: 7 });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  test('waits while no node leads', async () => {
    const unavailable = Array.from({ length: 5 }, () => rejection(503));
    for (const failures of [unavailable, [lostAnswer(), ...unavailable, lostAnswer()]]) {
      const { calls, keys } = callsThat(...failures);
      await place(order, newKeys(), calls, 0);
      expect(keys).toHaveLength(failures.length + 1);
      // Without a lost answer nothing was carried out, so a second key places nothing twice.
      if (failures.length > unavailable.length) expect(new Set(keys).size).toBe(1);
    }
  });

  test('gives up after some seconds, and says what is known', async () => {
    const unavailable = Array.from({ length: 20 }, () => rejection(503));
    const submission = newKeys();
    const rejected = callsThat(...unavailable);
    await expect(place(order, submission, rejected.calls, 0)).rejects.toBeInstanceOf(Rejection);
    expect(rejected.keys).toHaveLength(8);
    expect(submission.unanswered()).toEqual([]);
    const open = callsThat(lostAnswer(), ...unavailable);
    await expect(place(order, submission, open.calls, 0)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(submission.unanswered()).toHaveLength(1);
  });

  test('after the retries the order keeps its key; another one gets its own', async () => {
    const submission = newKeys();
    const { calls, keys } = callsThat(...LOST);
    await expect(place(order, submission, calls, 0)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(submission.keyFor(order)).toBe(keys[0]!);
    expect(submission.keyFor({ ...order, orderQty: '2' })).not.toBe(keys[0]!);
  });

  test('after an answer or a rejection the same order is a second order', async () => {
    const submission = newKeys();
    const [first] = await send(submission);
    const [second] = await send(submission, rejection());
    expect(second).not.toBe(first);
    expect(submission.keyFor(order)).not.toBe(second!);
  });

  test('an order that cannot be read afterwards is still placed', async () => {
    const { calls } = callsThat();
    const orders = () => Promise.reject(new NotReached('The order', 'lost'));
    const placed = await place(order, newKeys(), { ...calls, orders }, 0);
    expect(placed).toEqual({ orderId: 7, order: undefined, fills: [] });
  });

  test('returns the fills, or none if they cannot be read', async () => {
    const { calls } = callsThat();
    const fill = { orderId: 7, quantity: '1' } as Fill;
    const traded: Calls = {
      ...calls,
      orders: async () => pageOf({ orderId: 7, cumQty: '1' }),
      fills: async (request) => (request?.orderId === 7 ? [fill] : []),
    };
    expect((await place(order, newKeys(), traded, 0)).fills).toEqual([fill]);
    const blind: Calls = { ...traded, fills: () => Promise.reject(lostAnswer()) };
    expect(await place(order, newKeys(), blind, 0)).toMatchObject({ orderId: 7, fills: [] });
  });

  test('the order has its key as clOrdId, so that it can be found', async () => {
    const { calls, keys } = callsThat();
    const names: (string | undefined)[] = [];
    const named: Calls = {
      ...calls,
      createOrderV2(sent, options) {
        names.push(sent.clOrdId);
        return calls.createOrderV2(sent, options);
      },
    };
    await place(order, newKeys(), named, 0);
    expect(names).toEqual(keys);
  });
});

describe('an order without an answer', () => {
  test('keeps its key in another form and after a reload', async () => {
    const storage = memory();
    const [key] = await send(newKeys(storage), ...LOST);
    const later = newKeys(storage);
    expect(later.unanswered()).toMatchObject([{ order, key }]);
    expect(await send(later)).toEqual([key!]);
    expect(later.unanswered()).toEqual([]);
    expect(storage.get()).toBeNull();
  });

  test('belongs to the user who sent it', async () => {
    const storage = memory();
    const [key] = await send(newKeys(storage), ...LOST);
    expect(new SubmissionKeys('8', storage).unanswered()).toEqual([]);
    expect(new SubmissionKeys('8', storage).keyFor(order)).not.toBe(key!);
    const keys = newKeys(storage);
    await place({ ...order, orderQty: '2' }, keys, callsThat().calls, 0);
    expect(keys.keyFor(order)).toBe(key!);
  });

  test('is forgotten when the user gives up, or when its key has expired', async () => {
    const storage = memory();
    await send(newKeys(storage), ...LOST);
    const tomorrow = () => Date.now() + 25 * 60 * 60_000;
    expect(new SubmissionKeys('7', storage, tomorrow).unanswered()).toEqual([]);
    newKeys(storage).settle(order);
    expect(newKeys(storage).unanswered()).toEqual([]);
  });

  test('stays unanswered if the next try is rejected for the session', async () => {
    const keys = newKeys();
    await send(keys, lostAnswer(), rejection(401));
    expect(keys.isUnanswered(order)).toBe(true);
    await send(keys, rejection(401));
    expect(keys.isUnanswered(order)).toBe(true);
    await send(keys, rejection(400));
    expect(keys.isUnanswered(order)).toBe(false);
  });

  test('is settled if the first try is rejected for the session', async () => {
    const keys = newKeys();
    await send(keys, rejection(401));
    expect(keys.isUnanswered(order)).toBe(false);
  });
});

// One order, however often it is sent.
import { describe, expect, test } from 'bun:test';
import { NotReached, OutcomeUnknown, refusedBy } from '../../../src/sdk/errors.ts';
import { OrdType, Side } from '../../../src/sdk/generated/codes.ts';
import type { Fill, Order, OrderPage } from '../../../src/sdk/index.ts';
import type { NewOrder } from './draft.ts';
import { type Calls, place, type Storage, SubmissionKeys } from './submission.ts';

const order: NewOrder = { symbol: 'A-B', side: Side.buy, ordType: OrdType.market, orderQty: '1' };

const lostAnswer = () => new OutcomeUnknown('The order', null, 'lost');
const refusal = (status = 400) =>
  refusedBy({
    code: status === 401 ? 100401 : 100206,
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
const newKeys = () => new SubmissionKeys('7', memory());

/** An answer of the list of orders with one order in it. */
const pageOf = (order: Partial<Order>) => ({ data: [order] }) as unknown as OrderPage;

/** Calls that fail with `failures` in turn, and record the keys that they get. */
function callsThat(...failures: readonly Error[]) {
  const keys: string[] = [];
  const left = [...failures];
  const calls: Calls = {
    async createOrder(_order, options) {
      keys.push(options!.idempotencyKey!);
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return { orderId: 7, clOrdId: 'x', symbol: 'A-B', transactTime: 1 };
    },
    orders: async () => pageOf({ orderId: 7, cumQty: '0' }),
    fills: async () => [],
  };
  return { calls, keys };
}

describe('placing', () => {
  test('retries a lost answer with the same key', async () => {
    const { calls, keys } = callsThat(lostAnswer(), lostAnswer());
    const placed = await place(order, newKeys(), calls, 0);
    expect(placed.order).toMatchObject({ orderId: 7 });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  test('after the retries the order keeps its key; another one gets its own', async () => {
    const submission = newKeys();
    const lost = callsThat(lostAnswer(), lostAnswer(), lostAnswer());
    await expect(place(order, submission, lost.calls, 0)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(submission.keyFor(order)).toBe(lost.keys[0]!);
    expect(submission.keyFor({ ...order, orderQty: '2' })).not.toBe(lost.keys[0]!);
  });

  test('after an answer the same order is a second order', async () => {
    const submission = newKeys();
    const { calls, keys } = callsThat();
    await place(order, submission, calls, 0);
    await place(order, submission, calls, 0);
    expect(new Set(keys).size).toBe(2);
  });

  test('a refusal settles the order, a lost answer does not', async () => {
    const submission = newKeys();
    const refused = callsThat(refusal());
    await place(order, submission, refused.calls, 0).catch(() => undefined);
    expect(submission.keyFor(order)).not.toBe(refused.keys[0]!);
    const broken = callsThat(lostAnswer(), lostAnswer(), lostAnswer());
    await place(order, submission, broken.calls, 0).catch(() => undefined);
    expect(submission.keyFor(order)).toBe(broken.keys[0]!);
  });

  test('an order that cannot be read afterwards is still placed', async () => {
    const { calls } = callsThat();
    const blind: Calls = {
      ...calls,
      orders: () => Promise.reject(new NotReached('The order', 'lost')),
    };
    expect(await place(order, newKeys(), blind, 0)).toEqual({
      orderId: 7,
      order: undefined,
      fills: [],
    });
  });
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
    createOrder(sent, options) {
      names.push(sent.clOrdId);
      return calls.createOrder(sent, options);
    },
  };
  await place(order, newKeys(), named, 0);
  expect(names).toEqual(keys);
});

describe('an order without an answer', () => {
  const lost = async (kept: Storage) => {
    const { calls, keys } = callsThat(lostAnswer(), lostAnswer(), lostAnswer());
    await place(order, new SubmissionKeys('7', kept), calls, 0).catch(() => undefined);
    return keys[0]!;
  };

  test('keeps its key in another form and after a reload', async () => {
    const kept = memory();
    const key = await lost(kept);
    const later = new SubmissionKeys('7', kept);
    expect(later.unanswered()).toMatchObject([{ order, key }]);
    const { calls, keys } = callsThat();
    await place(order, later, calls, 0);
    expect(keys).toEqual([key]);
    expect(later.unanswered()).toEqual([]);
    expect(kept.get()).toBeNull();
  });

  test('belongs to the user who sent it', async () => {
    const kept = memory();
    const key = await lost(kept);
    expect(new SubmissionKeys('8', kept).unanswered()).toEqual([]);
    expect(new SubmissionKeys('8', kept).keyFor(order)).not.toBe(key);
    const keys = new SubmissionKeys('7', kept);
    await place({ ...order, orderQty: '2' }, keys, callsThat().calls, 0);
    expect(keys.keyFor(order)).toBe(key);
  });

  test('is forgotten when the user gives up, or when its key has expired', async () => {
    const kept = memory();
    await lost(kept);
    const tomorrow = () => Date.now() + 25 * 60 * 60_000;
    expect(new SubmissionKeys('7', kept, tomorrow).unanswered()).toEqual([]);
    new SubmissionKeys('7', kept).settle(order);
    expect(new SubmissionKeys('7', kept).unanswered()).toEqual([]);
  });

  test('stays unanswered if the next try is refused for the session', async () => {
    const keys = new SubmissionKeys('7', memory());
    const { calls } = callsThat(lostAnswer(), refusal(401));
    await place(order, keys, calls, 0).catch(() => undefined);
    expect(keys.isUnanswered(order)).toBe(true);
    await place(order, keys, callsThat(refusal(401)).calls, 0).catch(() => undefined);
    expect(keys.isUnanswered(order)).toBe(true);
    await place(order, keys, callsThat(refusal(400)).calls, 0).catch(() => undefined);
    expect(keys.isUnanswered(order)).toBe(false);
  });

  test('is settled if the first try is refused for the session', async () => {
    const keys = new SubmissionKeys('7', memory());
    await place(order, keys, callsThat(refusal(401)).calls, 0).catch(() => undefined);
    expect(keys.isUnanswered(order)).toBe(false);
  });

  test('is still the same order if a tab of version 1 stored its codes as text', () => {
    const storage = memory();
    const old = { ...order, side: '1', ordType: '1' };
    storage.set(JSON.stringify([{ uid: '7', order: old, key: 'k', sentAt: Date.now() }]));
    expect(new SubmissionKeys('7', storage).keyFor(order)).toBe('k');
  });
});

// One order however often it is sent.

import { describe, expect, test } from 'bun:test';
import { OrdType, Side } from '../../../src/sdk/codes.ts';
import { NotReached, OutcomeUnknown, refusedBy } from '../../../src/sdk/errors.ts';
import type { Fill, Order, OrderPage } from '../../../src/sdk/index.ts';
import { type Calls, type Kept, type NewOrder, place, SubmissionKeys } from './submission.ts';

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

/** What a tab keeps through a reload. */
function memory(): Kept {
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

/** Calls that fail as told, and remember the keys that they were called with. */
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
  test('a lost answer is asked for again under the same key', async () => {
    const { calls, keys } = callsThat(lostAnswer(), lostAnswer());
    const placed = await place(order, newKeys(), calls, 0);
    expect(placed.order).toMatchObject({ orderId: 7 });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  test('after giving up, the same order goes on under its key and another one does not', async () => {
    const submission = newKeys();
    const lost = callsThat(lostAnswer(), lostAnswer(), lostAnswer());
    await expect(place(order, submission, lost.calls, 0)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(submission.keyFor(order)).toBe(lost.keys[0]!);
    expect(submission.keyFor({ ...order, orderQty: '2' })).not.toBe(lost.keys[0]!);
  });

  test('an answer ends it: the same order again is a second order', async () => {
    const submission = newKeys();
    const { calls, keys } = callsThat();
    await place(order, submission, calls, 0);
    await place(order, submission, calls, 0);
    expect(new Set(keys).size).toBe(2);
  });

  test('a refusal ends it too, but not an answer that was lost', async () => {
    const submission = newKeys();
    const refused = callsThat(refusal());
    await place(order, submission, refused.calls, 0).catch(() => undefined);
    expect(submission.keyFor(order)).not.toBe(refused.keys[0]!);
    const broken = callsThat(lostAnswer(), lostAnswer(), lostAnswer());
    await place(order, submission, broken.calls, 0).catch(() => undefined);
    expect(submission.keyFor(order)).toBe(broken.keys[0]!);
  });

  test('an order that cannot be read afterwards is placed all the same', async () => {
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

test('what was traded at once is told, and that it cannot be read harms nothing', async () => {
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

test('the order bears its key as its name, so that it can be looked for', async () => {
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
  const lost = async (kept: Kept) => {
    const { calls, keys } = callsThat(lostAnswer(), lostAnswer(), lostAnswer());
    await place(order, new SubmissionKeys('7', kept), calls, 0).catch(() => undefined);
    return keys[0]!;
  };

  test('has the same key in another form, and after a reload', async () => {
    const kept = memory();
    const key = await lost(kept);
    const later = new SubmissionKeys('7', kept);
    expect(later.open()).toMatchObject([{ order, key }]);
    const { calls, keys } = callsThat();
    await place(order, later, calls, 0);
    expect(keys).toEqual([key]);
    expect(later.open()).toEqual([]);
    expect(kept.get()).toBeNull();
  });

  test('is asked about by who has sent it, beside other orders', async () => {
    const kept = memory();
    const key = await lost(kept);
    expect(new SubmissionKeys('8', kept).open()).toEqual([]);
    expect(new SubmissionKeys('8', kept).keyFor(order)).not.toBe(key);
    const keys = new SubmissionKeys('7', kept);
    await place({ ...order, orderQty: '2' }, keys, callsThat().calls, 0);
    expect(keys.keyFor(order)).toBe(key);
  });

  test('is one no more when it is dismissed, or its key is forgotten by the exchange', async () => {
    const kept = memory();
    await lost(kept);
    const tomorrow = () => Date.now() + 25 * 60 * 60_000;
    expect(new SubmissionKeys('7', kept, tomorrow).open()).toEqual([]);
    new SubmissionKeys('7', kept).settle(order);
    expect(new SubmissionKeys('7', kept).open()).toEqual([]);
  });

  test('stays one where the next try is refused for the login, and not for the order', async () => {
    const keys = new SubmissionKeys('7', memory());
    const { calls } = callsThat(lostAnswer(), refusal(401));
    await place(order, keys, calls, 0).catch(() => undefined);
    expect(keys.isOpen(order)).toBe(true);
    await place(order, keys, callsThat(refusal(401)).calls, 0).catch(() => undefined);
    expect(keys.isOpen(order)).toBe(true);
    await place(order, keys, callsThat(refusal(400)).calls, 0).catch(() => undefined);
    expect(keys.isOpen(order)).toBe(false);
  });

  test('is none where the first try is refused for the login', async () => {
    const keys = new SubmissionKeys('7', memory());
    await place(order, keys, callsThat(refusal(401)).calls, 0).catch(() => undefined);
    expect(keys.isOpen(order)).toBe(false);
  });
});

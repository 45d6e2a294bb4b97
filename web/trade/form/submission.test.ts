// One order however often it is sent.
import { describe, expect, test } from 'bun:test';
import { NotReached, OutcomeUnknown, refusedBy } from '../../../src/sdk/errors.ts';
import type { NewOrder, Order } from '../../api/trading.ts';
import { type Calls, place, SubmissionKeys } from './submission.ts';

const order: NewOrder = { symbol: 'A-B', side: '1', ordType: '1', orderQty: '1' };

const lostAnswer = () => new OutcomeUnknown('The order', null, 'lost');
const refusal = () =>
  refusedBy({
    code: 100206,
    status: 400,
    userMsg: 'no',
    details: {},
    retryAfterMs: null,
    requestId: null,
  });

/** Calls that fail as told, and remember the keys that they were called with. */
function callsThat(...failures: readonly Error[]) {
  const keys: string[] = [];
  const left = [...failures];
  const calls: Calls = {
    async createOrder(_order, key) {
      keys.push(key);
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return { orderId: '7', clOrdId: 'x', symbol: 'A-B', transactTime: '1' };
    },
    orderOf: async (orderId) => ({ orderId }) as Order,
  };
  return { calls, keys };
}

describe('placing', () => {
  test('a lost answer is asked for again under the same key', async () => {
    const { calls, keys } = callsThat(lostAnswer(), lostAnswer());
    const placed = await place(order, new SubmissionKeys(), calls, 0);
    expect(placed.order).toMatchObject({ orderId: '7' });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  test('after giving up, the same order goes on under its key and another one does not', async () => {
    const submission = new SubmissionKeys();
    const lost = callsThat(lostAnswer(), lostAnswer(), lostAnswer());
    await expect(place(order, submission, lost.calls, 0)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(submission.keyFor(order)).toBe(lost.keys[0]!);
    expect(submission.keyFor({ ...order, orderQty: '2' })).not.toBe(lost.keys[0]!);
  });

  test('an answer ends it: the same order again is a second order', async () => {
    const submission = new SubmissionKeys();
    const { calls, keys } = callsThat();
    await place(order, submission, calls, 0);
    await place(order, submission, calls, 0);
    expect(new Set(keys).size).toBe(2);
  });

  test('a refusal ends it too, but not an answer that was lost', async () => {
    const submission = new SubmissionKeys();
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
      orderOf: () => Promise.reject(new NotReached('The order', 'lost')),
    };
    expect(await place(order, new SubmissionKeys(), blind, 0)).toEqual({
      orderId: '7',
      order: undefined,
    });
  });
});

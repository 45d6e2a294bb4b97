// The answers to Idempotency-Keys against a plain list: kept for 24 hours, within bounds for each
// user and for all, in a form that gives every kind of outcome back.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import {
  type AnswerLimits,
  IDEMPOTENCY_KEYS_PER_USER,
  IDEMPOTENCY_WINDOW_MS,
  IdempotencyStore,
  type StoredAnswer,
} from './idempotency.ts';
import { FIXED_SEED, KeyedHash } from './keyed-hash.ts';
import { accepted, type Outcome, rejected } from './outcome.ts';
import { asCount, inLots, inTicks, rejection } from './reject.ts';
import { StateHash } from './state-hash.ts';
import { amount, MAX_INTEGER } from './units.ts';

const keyed = new KeyedHash(FIXED_SEED);
const storeOf = (limits?: AnswerLimits, hash = new StateHash()): IdempotencyStore =>
  new IdempotencyStore(hash, keyed, limits);

const answerOf = (uid: number, key: string, time: number, seq = 1): StoredAnswer => ({
  uid,
  key,
  digest: `digest of ${seq}`,
  outcome: accepted({ canceled: seq }),
  seq,
  time,
});

const countOf = (store: IdempotencyStore, uid: number): number =>
  [...store.all()].filter((answer) => answer.uid === uid).length;

describe('idempotency store', () => {
  test('an answer is found for 24 hours, by its own user', () => {
    const store = storeOf();
    const answer = answerOf(1, 'a', 1_000);
    store.remember(answer);
    expect(store.find(1, 'a', 1_000)).toEqual(answer);
    expect(store.find(1, 'a', 999 + IDEMPOTENCY_WINDOW_MS)).toEqual(answer);
    expect(store.find(1, 'a', 1_000 + IDEMPOTENCY_WINDOW_MS)).toBeUndefined();
    expect(store.find(2, 'a', 1_000)).toBeUndefined();
    expect(store.find(1, 'b', 1_000)).toBeUndefined();
  });

  test('gives back every kind of outcome', () => {
    const measure = { unit: 'amount', assetId: 1, n: amount(2n ** 70n) } as const;
    const refusals = [
      rejected(rejection('priceOutsideBand', 'price', 'priceBand', { limit: inTicks(3, 7) })),
      rejected(rejection('belowMinimum', 'orderQty', null, { nearest: inLots(2, MAX_INTEGER) })),
      rejected(rejection('tooManyOpenOrders', null, 'maxOpenOrders', { value: asCount(9) })),
      rejected(rejection('earnParameter', 'rate', null, { value: { unit: 'rate', n: 5 } })),
    ] as const;
    const placed = { orderId: 1, clOrdId: 'x', transactTime: 5 };
    const outcomes: Outcome[] = [
      accepted({ outcomes: [refusals[0], accepted(placed), ...refusals.slice(1)] }),
      ...refusals,
      accepted({ orderId: MAX_INTEGER, clOrdId: 'x'.repeat(64), transactTime: 1_700_000_000_000 }),
      accepted({ orderId: 1, clOrdId: '', requestId: 0, origClOrdId: 'été' }),
      accepted({ triggerTime: null, currentTime: 5 }),
      accepted({ applyId: 7, amount: amount(2n ** 80n) }),
      accepted({ applyId: 7, amount: amount(-1) }),
      rejected(
        rejection('insufficientBalance', 'orderQty', 'available', {
          limit: measure,
          value: measure,
          nearest: null,
        }),
      ),
    ];
    const digests = ['0123456789abcdef0123456789abcdef', 'd', 'F'.repeat(32), ''];
    const store = storeOf();
    outcomes.forEach((outcome, i) => {
      digests.forEach((digest, j) => {
        const key = `${'k'.repeat(i * 30)}${i}-${j}`;
        const answer = { uid: 1, key, digest, outcome, seq: 2 ** 40 + i, time: 2 ** 41 + i };
        store.remember(answer);
        expect(store.find(1, key, answer.time)).toEqual(answer);
      });
    });
  });

  test('later commands remove expired keys, a few at a time', () => {
    const hash = new StateHash();
    const store = storeOf(undefined, hash);
    const before = hash.digest();
    for (let i = 0; i < 20; i++) store.remember(answerOf(i, 'a', i));
    store.release(IDEMPOTENCY_WINDOW_MS - 1);
    expect(store.count).toBe(20);
    store.release(IDEMPOTENCY_WINDOW_MS + 30);
    expect(store.count).toBe(12);
    for (let i = 0; i < 2; i++) store.release(IDEMPOTENCY_WINDOW_MS + 30);
    expect(store.count).toBe(0);
    expect(hash.digest()).toBe(before);
  });

  test('an expired key may name another request before its answer has gone', () => {
    const store = storeOf();
    store.remember(answerOf(1, 'a', 0, 1));
    store.remember(answerOf(1, 'b', 10, 2));
    const again = answerOf(1, 'a', IDEMPOTENCY_WINDOW_MS, 3);
    store.remember(again);
    expect(store.find(1, 'a', IDEMPOTENCY_WINDOW_MS + 5)).toEqual(again);
    expect([...store.all()].map(({ seq }) => seq)).toEqual([2, 3]);
  });

  test('a user has at most so many; the oldest go first, those of others stay', () => {
    const store = storeOf();
    store.remember(answerOf(2, 'other', 0));
    const extra = 50;
    for (let i = 0; i < IDEMPOTENCY_KEYS_PER_USER + extra; i++) {
      store.remember(answerOf(1, `k${i}`, 0, i));
    }
    expect(store.find(1, `k${extra - 1}`, 0)).toBeUndefined();
    expect(store.find(1, `k${extra}`, 0)?.seq).toBe(extra);
    expect(store.find(2, 'other', 0)).toBeDefined();
    expect(store.count).toBe(IDEMPOTENCY_KEYS_PER_USER + 1);
  });

  test('when all are full, a user over the share makes room for itself', () => {
    const store = storeOf({ perUser: 100, total: 100 });
    store.remember(answerOf(2, 'other', 0));
    for (let i = 0; i < 500; i++) store.remember(answerOf(1, `k${i}`, 0, i));
    expect(store.count).toBe(100);
    expect(store.find(2, 'other', 0)).toBeDefined();
    for (let i = 0; i < 80; i++) store.remember(answerOf(2, `o${i}`, 0, i));
    expect(store.count).toBe(100);
    expect([countOf(store, 1), countOf(store, 2)]).toEqual([50, 50]);
  });

  test('keeps what a plain list keeps, and the hash of exactly that', () => {
    const random = new Prng(1);
    const hash = new StateHash();
    const store = storeOf(undefined, hash);
    let list: StoredAnswer[] = [];
    let time = 0;
    for (let seq = 1; seq < 3_000; seq++) {
      time += random.below(IDEMPOTENCY_WINDOW_MS / 200);
      const uid = random.between(1, 3);
      const key = `k${random.below(400)}`;
      const isAlive = (answer: StoredAnswer): boolean => time - answer.time < IDEMPOTENCY_WINDOW_MS;
      store.release(time);
      list = list.filter(isAlive);
      expect(store.count).toBe(list.length);
      const known = list.find((answer) => answer.uid === uid && answer.key === key);
      expect(store.find(uid, key, time)).toEqual(known!);
      if (known !== undefined) continue;
      const answer = answerOf(uid, key, time, seq);
      store.remember(answer);
      list.push(answer);
    }
    const restoredHash = new StateHash();
    const restored = storeOf(undefined, restoredHash);
    for (const answer of store.all()) restored.restore(answer);
    expect(restoredHash.digest()).toBe(hash.digest());
    expect([...restored.all()]).toEqual(list);
  });
});

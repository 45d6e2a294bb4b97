// The answers to Idempotency-Keys against a plain list: kept for 24 hours, within bounds in bytes
// for each user and for all, in a form that gives every kind of outcome back.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { BinaryReader, BinaryWriter } from './binary.ts';
import {
  IDEMPOTENCY_WINDOW_MS,
  IdempotencyStore,
  type KeptOutcome,
  OUTCOME_LIMITS,
  type OutcomeLimits,
} from './idempotency.ts';
import { FIXED_SEED, KeyedHash } from './keyed-hash.ts';
import { accepted, type Outcome, rejected } from './outcome.ts';
import { asCount, inLots, inTicks, rejection } from './reject.ts';
import { StateHash } from './state-hash.ts';
import { amount, MAX_INTEGER } from './units.ts';

const keyed = new KeyedHash(FIXED_SEED);
const storeOf = (limits?: OutcomeLimits, hash = new StateHash()): IdempotencyStore =>
  new IdempotencyStore(hash, keyed, limits);

const answerOf = (uid: number, key: string, time: number, seq = 1): KeptOutcome => ({
  uid,
  key,
  digest: `digest of ${seq}`,
  outcome: accepted({ canceled: seq }),
  seq,
  time,
});

const keyOf = (n: number): string => String(n).padStart(128, 'k');

/** The answer to a batch of 50 amendments with the longest ids. */
const largestAnswer = (uid: number, n: number): KeptOutcome => ({
  uid,
  key: keyOf(n),
  digest: String(n).padStart(32, '0'),
  outcome: accepted({
    outcomes: Array.from({ length: 50 }, () =>
      accepted({
        clOrdId: 'c'.repeat(64),
        requestId: 0,
        orderId: MAX_INTEGER,
        origClOrdId: 'o'.repeat(64),
        transactTime: 2 ** 41,
      }),
    ),
    nextOrderId: MAX_INTEGER,
    nextSecurityId: 5000,
  }),
  seq: 2 ** 40,
  time: 0,
});

const countOf = (store: IdempotencyStore, uid: number): number =>
  [...store.all()].filter((answer) => answer.uid === uid).length;

describe('idempotency store', () => {
  test('gives back every kind of outcome', () => {
    const measure = { unit: 'amount', assetId: 1, n: amount(2n ** 70n) } as const;
    const rejections = [
      rejected(rejection('priceOutsideBand', 'price', 'priceBand', { limit: inTicks(3, 7) })),
      rejected(rejection('belowMinimum', 'orderQty', null, { nearest: inLots(2, MAX_INTEGER) })),
      rejected(rejection('tooManyOpenOrders', null, 'maxOpenOrders', { value: asCount(9) })),
      rejected(rejection('earnParameter', 'rate', null, { value: { unit: 'rate', n: 5 } })),
    ] as const;
    const placed = { orderId: 1, clOrdId: 'x', transactTime: 5 };
    const outcomes: Outcome[] = [
      accepted({
        outcomes: [rejections[0], accepted(placed), ...rejections.slice(1)],
        ...{ nextOrderId: 2, nextSecurityId: 4 },
      }),
      ...rejections,
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

  test('the largest answers fill the bytes of a user, and the oldest go first', () => {
    const store = storeOf();
    store.remember(largestAnswer(2, 0));
    const each = store.bytesOf(2);
    expect(each).toBeGreaterThan(7_000);
    const kept = Math.floor(OUTCOME_LIMITS.perUser / each);
    for (let n = 0; n < kept + 50; n++) store.remember(largestAnswer(1, n));
    expect(store.bytesOf(1)).toBe(kept * each);
    expect([store.count, store.bytes]).toEqual([kept + 1, (kept + 1) * each]);
    expect(store.find(1, keyOf(49), 0)).toBeUndefined();
    expect(store.find(1, keyOf(50), 0)).toEqual(largestAnswer(1, 50));
    expect(store.find(2, keyOf(0), 0)).toBeDefined();
    // One large answer drops as many small ones as it needs, and small ones fill the rest.
    for (let n = 0; n < 200_000; n++) store.remember(answerOf(1, `k${n}`, 0, n));
    store.remember(largestAnswer(1, 0));
    expect(store.bytesOf(1)).toBeLessThanOrEqual(OUTCOME_LIMITS.perUser);
    expect(store.bytesOf(1)).toBeGreaterThan(OUTCOME_LIMITS.perUser - each);
  });

  test('when all are full, a user over the share makes room for itself', () => {
    const one = largestAnswer(1, 0);
    const probe = storeOf();
    probe.remember(one);
    const limit = 100 * probe.bytes;
    const store = storeOf({ perUser: limit, total: limit });
    store.remember(largestAnswer(2, 0));
    for (let n = 0; n < 500; n++) store.remember(largestAnswer(1, n));
    expect(store.count).toBe(100);
    expect(store.find(2, keyOf(0), 0)).toBeDefined();
    for (let n = 1; n < 80; n++) store.remember(largestAnswer(2, n));
    expect([store.count, store.bytes]).toEqual([100, limit]);
    expect([countOf(store, 1), countOf(store, 2)]).toEqual([50, 50]);
  });

  test('keeps what a plain list keeps, and the hash of exactly that', () => {
    const random = new Prng(1);
    const hash = new StateHash();
    const store = storeOf(undefined, hash);
    let list: KeptOutcome[] = [];
    let time = 0;
    for (let seq = 1; seq < 3_000; seq++) {
      time += random.below(IDEMPOTENCY_WINDOW_MS / 200);
      const uid = random.between(1, 3);
      const key = `k${random.below(400)}`;
      const isAlive = (answer: KeptOutcome): boolean => time - answer.time < IDEMPOTENCY_WINDOW_MS;
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
    const out = new BinaryWriter();
    store.write(out);
    restored.read(new BinaryReader(out.view()));
    expect(restored.bytes).toBe(store.bytes);
    expect(restoredHash.digest()).toBe(hash.digest());
    expect([...restored.all()]).toEqual(list);
  });
});

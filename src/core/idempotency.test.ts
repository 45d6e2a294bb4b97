// The answers to Idempotency-Keys against a plain list: kept for 24 hours, per user, at most so
// many, oldest out first.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import {
  IDEMPOTENCY_KEYS_PER_USER,
  IDEMPOTENCY_WINDOW_MS,
  IdempotencyStore,
  type StoredAnswer,
} from './idempotency.ts';
import { accepted } from './outcome.ts';
import { StateHash } from './state-hash.ts';

const answerOf = (uid: number, key: string, time: number, seq = 1): StoredAnswer => ({
  uid,
  key,
  digest: `digest of ${seq}`,
  outcome: accepted({ canceled: seq }),
  seq,
  time,
});

describe('idempotency store', () => {
  test('an answer is found for 24 hours, by its own user', () => {
    const store = new IdempotencyStore(new StateHash());
    const answer = answerOf(1, 'a', 1_000);
    store.remember(answer);
    expect(store.find(1, 'a', 1_000)).toBe(answer);
    expect(store.find(1, 'a', 999 + IDEMPOTENCY_WINDOW_MS)).toBe(answer);
    expect(store.find(1, 'a', 1_000 + IDEMPOTENCY_WINDOW_MS)).toBeUndefined();
    expect(store.find(2, 'a', 1_000)).toBeUndefined();
    expect(store.find(1, 'b', 1_000)).toBeUndefined();
  });

  test('an expired key may name another request, and is then kept anew', () => {
    const store = new IdempotencyStore(new StateHash());
    store.remember(answerOf(1, 'a', 0, 1));
    store.remember(answerOf(1, 'b', 10, 2));
    const again = answerOf(1, 'a', IDEMPOTENCY_WINDOW_MS, 3);
    store.remember(again);
    expect(store.find(1, 'a', IDEMPOTENCY_WINDOW_MS + 5)).toBe(again);
    expect([...store.all()].map(({ seq }) => seq)).toEqual([2, 3]);
  });

  test('a user has at most so many; the oldest go first, those of others stay', () => {
    const store = new IdempotencyStore(new StateHash());
    store.remember(answerOf(2, 'other', 0));
    const extra = 50;
    for (let i = 0; i < IDEMPOTENCY_KEYS_PER_USER + extra; i++) {
      store.remember(answerOf(1, `k${i}`, 0, i));
    }
    expect(store.find(1, `k${extra - 1}`, 0)).toBeUndefined();
    expect(store.find(1, `k${extra}`, 0)?.seq).toBe(extra);
    expect(store.find(2, 'other', 0)).toBeDefined();
    expect([...store.all()].length).toBe(IDEMPOTENCY_KEYS_PER_USER + 1);
  });

  test('keeps what a plain list keeps, and the hash of exactly that', () => {
    const random = new Prng(1);
    const hash = new StateHash();
    const store = new IdempotencyStore(hash);
    const list: StoredAnswer[] = [];
    let time = 0;
    for (let seq = 1; seq < 3_000; seq++) {
      time += random.below(IDEMPOTENCY_WINDOW_MS / 200);
      const uid = random.between(1, 3);
      const key = `k${random.below(400)}`;
      const isAlive = (answer: StoredAnswer): boolean => time - answer.time < IDEMPOTENCY_WINDOW_MS;
      const known = list.findLast((answer) => answer.uid === uid && answer.key === key);
      const expected = known !== undefined && isAlive(known) ? known : undefined;
      expect(store.find(uid, key, time)).toBe(expected);
      if (expected !== undefined) continue;
      const answer = answerOf(uid, key, time, seq);
      store.remember(answer);
      list.push(answer);
    }
    const restoredHash = new StateHash();
    const restored = new IdempotencyStore(restoredHash);
    for (const answer of store.all()) restored.remember(answer);
    expect(restoredHash.digest()).toBe(hash.digest());
    expect([...restored.all()]).toEqual([...store.all()]);
  });
});

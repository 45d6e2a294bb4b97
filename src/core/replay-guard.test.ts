// The replay guard against a plain list: growth of a ring, letting go of the oldest when it is
// full, the floor that this leaves behind, and digests that meet in one run of the table.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import type { WriteSignature } from './command.ts';
import { ReplayGuard, SIGNATURES_PER_KEY, SignatureRing } from './replay-guard.ts';
import { StateHash } from './state-hash.ts';

const sign = (digestLow: number, timestamp: number, keyId = 1, digestHigh = 0): WriteSignature => ({
  keyId,
  timestamp,
  digestHigh,
  digestLow,
});

describe('signature ring', () => {
  test('remembers all while it grows', () => {
    const ring = new SignatureRing();
    for (let i = 0; i < 5_000; i++) {
      expect(ring.has(i, i % 7)).toBe(false);
      expect(ring.add(i, i % 7, i)).toBeNull();
      expect(ring.has(i, i % 7)).toBe(true);
    }
    for (let i = 0; i < 5_000; i += 37) expect(ring.has(i, i % 7)).toBe(true);
    expect(ring.has(5_000, 0)).toBe(false);
    expect(ring.count).toBe(5_000);
    expect([...ring.entries()].map(({ high }) => high)).toEqual([...Array(5_000).keys()]);
    expect(ring.floor).toBe(0);
  });

  test('when full lets the oldest go, and only that', () => {
    const random = new Prng(1);
    const ring = new SignatureRing();
    const list: { high: number; low: number; timestamp: number }[] = [];
    let floor = 0;
    // Four times over: places that were not given back would have filled the table by then.
    for (let i = 0; i < 5 * SIGNATURES_PER_KEY; i++) {
      // Low halves at the end of the table, so that runs wrap around; few enough that runs stay
      // short.
      const low = random.percent(10) ? 0xffffffff - random.below(2_000) : random.next();
      const entry = { high: random.next(), low, timestamp: 1_000 + i + random.below(50) };
      list.push(entry);
      const gone = ring.add(entry.high, entry.low, entry.timestamp);
      if (i < SIGNATURES_PER_KEY) {
        expect(gone).toBeNull();
        continue;
      }
      const oldest = list[i - SIGNATURES_PER_KEY];
      floor = Math.max(floor, oldest.timestamp);
      if (i % 101 !== 0) continue;
      expect(gone).toEqual(oldest);
      expect(ring.floor).toBe(floor);
      expect(ring.has(oldest.high, oldest.low)).toBe(false);
      const kept = list[i - random.below(SIGNATURES_PER_KEY)];
      expect(ring.has(kept.high, kept.low)).toBe(true);
    }
    expect(ring.count).toBe(SIGNATURES_PER_KEY);
    expect([...ring.entries()]).toEqual(list.slice(-SIGNATURES_PER_KEY));
  });
});

describe('replay guard', () => {
  test('a signature works once, for its own key', () => {
    const guard = new ReplayGuard(new StateHash());
    expect(guard.check(sign(1, 100))).toBeNull();
    guard.remember(sign(1, 100));
    expect(guard.check(sign(1, 100))).toBe('signatureUsed');
    expect(guard.check(sign(1, 999))).toBe('signatureUsed');
    expect(guard.check(sign(1, 100, 2))).toBeNull();
    expect(guard.check(sign(1, 100, 1, 5))).toBeNull();
  });

  test('after an overflow nothing as old as what was let go is accepted', () => {
    const guard = new ReplayGuard(new StateHash());
    for (let i = 0; i <= SIGNATURES_PER_KEY; i++) guard.remember(sign(i, 1_000 + i));
    expect(guard.check(sign(0, 1_000))).toBe('signatureTooOld');
    expect(guard.check(sign(1_000_000, 999))).toBe('signatureTooOld');
    expect(guard.check(sign(1_000_000, 1_000))).toBe('signatureTooOld');
    expect(guard.check(sign(1_000_000, 1_001))).toBeNull();
    expect(guard.check(sign(1, 1_001))).toBe('signatureUsed');
    expect(guard.check(sign(1_000_000, 1, 2))).toBeNull();
  });

  test('restored from its entries and floor it has the same hash', () => {
    const hash = new StateHash();
    const guard = new ReplayGuard(hash);
    for (let i = 0; i < SIGNATURES_PER_KEY + 10; i++) guard.remember(sign(i, 1_000 + i, 3));
    for (let i = 0; i < 10; i++) guard.remember(sign(i, 1_000 + i, 2));
    const restoredHash = new StateHash();
    const restored = new ReplayGuard(restoredHash);
    for (const [keyId, ring] of guard.rings()) {
      for (const { high, low, timestamp } of ring.entries()) {
        restored.restore(keyId, high, low, timestamp);
      }
      const withoutFloor = restoredHash.digest();
      restored.restoreFloor(keyId, ring.floor);
      expect(restoredHash.digest() === withoutFloor).toBe(ring.floor === 0);
    }
    expect(restoredHash.digest()).toBe(hash.digest());
    expect(guard.rings().map(([keyId]) => keyId)).toEqual([2, 3]);
  });
});

// The replay guard against a plain list: what is let go by time and at its bounds, the floor that
// this leaves behind, and that no account pushes out what others need.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { BinaryReader, BinaryWriter } from './binary.ts';
import type { WriteSignature } from './command.ts';
import { FIXED_SEED, KeyedHash } from './keyed-hash.ts';
import {
  type GuardLimits,
  RELEASED_PER_COMMAND,
  ReplayGuard,
  SIGNATURE_LIFETIME_S,
} from './replay-guard.ts';
import type { TraceLimits } from './signature-trace.ts';
import { StateHash } from './state-hash.ts';

const keyed = new KeyedHash(FIXED_SEED);
const NOW = 1_700_000_000_000;
const LIFETIME_MS = SIGNATURE_LIFETIME_S * 1000;

const guardOf = (limits?: GuardLimits, hash = new StateHash()): ReplayGuard =>
  new ReplayGuard(hash, keyed, limits);

const sign = (digestLow: number, timestamp: number, keyId = 1, digestHigh = 0): WriteSignature => ({
  keyId,
  timestamp,
  digestHigh,
  digestLow,
});

describe('replay guard', () => {
  test('a timestamp that is ahead of the clock does not make its signature expire sooner', () => {
    const guard = guardOf();
    const ahead = NOW + 600_000;
    guard.remember(1, sign(1, ahead), NOW);
    // The last moment at which the edge accepts it, by a clock that is right.
    guard.release(ahead + 600_000);
    expect(guard.check(sign(1, ahead))).toBe('signatureUsed');
  });

  test('no clock makes a signature work twice, and one that steps back expires nothing', () => {
    const guard = guardOf();
    guard.remember(1, sign(1, NOW), NOW);
    guard.remember(1, sign(2, NOW - 86_400_000), NOW - 86_400_000);
    guard.release(NOW - 86_400_000 + LIFETIME_MS);
    expect(guard.count).toBe(2);
    // A clock that jumps ahead drops too early: the trace has what it dropped.
    guard.release(NOW + 86_400_000);
    expect(guard.count).toBe(0);
    expect(guard.check(sign(1, NOW))).toBe('signatureUsed');
    expect(guard.check(sign(2, NOW - 86_400_000))).toBe('signatureUsed');
    expect(guard.check(sign(3, NOW))).toBeNull();
  });

  test('a clock that was ahead blocks no key, and makes no signature work twice', () => {
    for (const ahead of [HOUR, 5 * HOUR, 30 * 24 * HOUR]) {
      for (const lasting of [HOUR, 6 * HOUR]) {
        const history = new History();
        history.write(NOW, HOUR);
        history.write(NOW + HOUR + ahead, lasting);
        // Corrected, until the clock has shown every time that it showed before.
        history.write(NOW + HOUR + lasting, ahead + lasting);
        history.write(NOW + HOUR + lasting - 2 * HOUR, 3 * HOUR);
      }
    }
  });

  test('a trace that is full blocks the times that it lost, and nothing else', () => {
    const history = new History({ perPage: 50, pages: 4 });
    history.write(NOW, 20 * HOUR);
    history.write(NOW + 20 * HOUR + 30 * 24 * HOUR, HOUR);
    expect(history.write(NOW + 21 * HOUR, 20 * HOUR)).toBe(0);
    // Lost, so the guard cannot tell: rejected, and never accepted twice.
    expect(history.write(NOW, 10 * HOUR, true)).toBeGreaterThan(100);
  });
});

test('a restored guard has the same state hash, also after its trace lost times', () => {
  const limits = { perKey: 3, perAccount: 3, total: 3 };
  const traced = { perPage: 5, pages: 2 };
  const [hash, restoredHash] = [new StateHash(), new StateHash()];
  const guard = new ReplayGuard(hash, keyed, limits, traced);
  for (let n = 1; n <= 40; n++) guard.remember(1, sign(n, NOW + n * HOUR), NOW + n * HOUR);
  expect(guard.check(sign(1, NOW + HOUR))).toBe('signatureTooOld');
  const restored = new ReplayGuard(restoredHash, keyed, limits, traced);
  for (const { keyId, floor } of guard.keys()) restored.restoreFloor(keyId, floor);
  for (const signature of guard.signatures()) restored.restore(signature);
  const out = new BinaryWriter();
  guard.trace.write(out);
  restored.trace.read(new BinaryReader(out.view()));
  expect(restoredHash.digest()).toBe(hash.digest());
});

const HOUR = 3_600_000;

/** A key that writes once in three minutes, and a clock; captured writes come again at any time. */
class History {
  readonly #random = new Prng(3);
  readonly #guard: ReplayGuard;
  readonly #captured: WriteSignature[] = [];
  /** Signature time never goes back. */
  #latest = 0;

  constructor(traced?: TraceLimits) {
    this.#guard = new ReplayGuard(new StateHash(), keyed, undefined, traced);
  }

  /** Writes from a time of the wall clock on. Returns how many were rejected. */
  write(from: number, lasting: number, mayReject = false): number {
    const guard = this.#guard;
    let rejections = 0;
    for (let wall = from; wall < from + lasting; wall += 3 * 60_000) {
      this.#latest = Math.max(this.#latest + 3 * 60_000 * 0.9, wall);
      guard.release(this.#latest);
      for (const old of this.#captured) {
        if (Math.abs(old.timestamp - wall) < 600_000) expect(guard.check(old)).not.toBeNull();
      }
      const timestamp = wall + this.#random.between(-600_000, 600_000);
      const [low, high] = [this.#random.below(2 ** 32), this.#random.below(2 ** 32)];
      const signature = sign(low, timestamp, 1, high);
      const rejection = guard.check(signature);
      if (rejection !== null) rejections++;
      else {
        guard.remember(1, signature, this.#latest);
        this.#captured.push(signature);
      }
    }
    if (!mayReject) expect(rejections).toBe(0);
    return rejections;
  }
}

test('keeps what a plain list keeps, through bounds, expiry and forgotten keys', () => {
  const limits = { perKey: 40, perAccount: 60, total: 150 };
  const random = new Prng(7);
  const guard = guardOf(limits);
  type Entry = { signature: WriteSignature; uid: number; keyId: number; born: number };
  let list: Entry[] = [];
  let dropped: Entry[] = [];
  const letGo = (entry: Entry): void => {
    list = list.filter((each) => each !== entry);
    dropped.push(entry);
  };
  const makeRoom = (uid: number, keyId: number): void => {
    const ofKey = list.filter((each) => each.keyId === keyId);
    const own = list.filter((each) => each.uid === uid);
    const share = Math.floor(limits.total / new Set(list.map((each) => each.uid)).size);
    if (ofKey.length === limits.perKey) letGo(ofKey[0]!);
    else if (own.length === limits.perAccount) letGo(own[0]!);
    else if (list.length === limits.total) letGo(own.length >= share ? own[0]! : list[0]!);
  };
  let now = NOW;
  for (let i = 0; i < 20_000; i++) {
    now += random.oneIn(300) ? random.below(2 * LIFETIME_MS) : random.below(2_000);
    guard.release(now);
    for (let n = 0; n < RELEASED_PER_COMMAND && list.length > 0; n++) {
      if (Math.floor(now / 1000) - list[0]!.born < SIGNATURE_LIFETIME_S) break;
      letGo(list[0]!);
    }
    const uid = random.between(1, 5);
    const keyId = uid * 10 + random.below(4);
    if (random.oneIn(500)) {
      expect(guard.forget(keyId, 1_000)).toBe(0);
      list = list.filter((each) => each.keyId !== keyId);
      dropped = dropped.filter((each) => each.keyId !== keyId);
    }
    const known = random.oneIn(2) ? list : dropped;
    const again = known.length > 0 && random.oneIn(10) ? random.pick(known) : null;
    const signature =
      again?.signature ??
      sign(
        random.below(2 ** 32),
        now + random.between(-600_000, 600_000),
        keyId,
        random.below(2 ** 32),
      );
    expect(guard.check(signature)).toBe(again === null ? null : 'signatureUsed');
    if (again !== null) continue;
    makeRoom(uid, keyId);
    guard.remember(uid, signature, now);
    list.push({ signature, uid, keyId, born: Math.floor(now / 1000) });
  }
  expect([...guard.signatures()].map(({ digestLow }) => digestLow)).toEqual(
    list.map(({ signature }) => signature.digestLow),
  );
});

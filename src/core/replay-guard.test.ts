// The replay guard against a plain list: what is let go by time and at its bounds, the floor that
// this leaves behind, and that no account pushes out what others need.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import type { WriteSignature } from './command.ts';
import { FIXED_SEED, KeyedHash } from './keyed-hash.ts';
import {
  type GuardLimits,
  RELEASED_PER_COMMAND,
  ReplayGuard,
  SIGNATURE_LIFETIME_S,
} from './replay-guard.ts';
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
    // A clock that jumps ahead lets go too early: the floor rejects what it let go.
    guard.release(NOW + 86_400_000);
    expect(guard.count).toBe(0);
    expect(guard.check(sign(1, NOW))).toBe('signatureTooOld');
    expect(guard.check(sign(2, NOW - 86_400_000))).toBe('signatureTooOld');
  });
});

test('keeps what a plain list keeps, through bounds, expiry and forgotten keys', () => {
  const limits = { perKey: 40, perAccount: 60, total: 150 };
  const random = new Prng(7);
  const guard = guardOf(limits);
  let list: { uid: number; keyId: number; low: number; timestamp: number; born: number }[] = [];
  const floors = new Map<number, number>();
  const letGo = (entry: (typeof list)[number]): void => {
    list = list.filter((each) => each !== entry);
    floors.set(entry.keyId, Math.max(floors.get(entry.keyId) ?? 0, entry.timestamp));
  };
  const makeRoom = (uid: number, keyId: number): void => {
    const ofKey = list.filter((each) => each.keyId === keyId);
    const own = list.filter((each) => each.uid === uid);
    const share = Math.floor(limits.total / new Set(list.map((each) => each.uid)).size);
    if (ofKey.length === limits.perKey) letGo(ofKey[0]);
    else if (own.length === limits.perAccount) letGo(own[0]);
    else if (list.length === limits.total) letGo(own.length >= share ? own[0] : list[0]);
  };
  let now = NOW;
  for (let i = 0; i < 20_000; i++) {
    now += random.oneIn(300) ? random.below(2 * LIFETIME_MS) : random.below(2_000);
    guard.release(now);
    for (let n = 0; n < RELEASED_PER_COMMAND && list.length > 0; n++) {
      if (Math.floor(now / 1000) - list[0].born < SIGNATURE_LIFETIME_S) break;
      letGo(list[0]);
    }
    const uid = random.between(1, 5);
    const keyId = uid * 10 + random.below(4);
    if (random.oneIn(500)) {
      expect(guard.forget(keyId, 1_000)).toBe(0);
      list = list.filter((each) => each.keyId !== keyId);
      floors.delete(keyId);
    }
    const again = list.length > 0 && random.oneIn(10) ? random.pick(list) : null;
    const low = again?.low ?? random.below(500);
    const timestamp = again?.timestamp ?? now + random.between(-600_000, 600_000);
    const signature = sign(low, timestamp, again?.keyId ?? keyId);
    const used = list.some((each) => each.keyId === signature.keyId && each.low === low);
    const tooOld = timestamp <= (floors.get(signature.keyId) ?? 0);
    expect(guard.check(signature)).toBe(used ? 'signatureUsed' : tooOld ? 'signatureTooOld' : null);
    if (used || tooOld) continue;
    makeRoom(uid, keyId);
    guard.remember(uid, signature, now);
    list.push({ uid, keyId, low, timestamp, born: Math.floor(now / 1000) });
  }
  expect([...guard.signatures()].map(({ digestLow }) => digestLow)).toEqual(
    list.map(({ low }) => low),
  );
});

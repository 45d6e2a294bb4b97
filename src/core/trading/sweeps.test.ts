// Cancels of more orders than one command may cancel: the first slice, and the order of the others.
// The orders that they spare are in test/model (crowd).
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../../test/support/prng.ts';
import { Venue } from '../../../test/support/venue.ts';
import type { MassCancel } from '../command.ts';
import { FIRED_AT_ONCE } from '../dead-man-switch.ts';
import { CloseReason } from '../fix.ts';
import { checkInvariants } from '../invariants.ts';
import { StateHash } from '../state-hash.ts';
import { type Sweep, Sweeps } from './sweeps.ts';

/** Orders that a mass cancel cancels before its answer. */
const SWEEP_SLICE = 10_000;
/** Orders that the operator or a timer cancels in one command. */
const SLICE = 2_000;

const massCancel = (uid: number, securityId = 0): MassCancel => ({
  type: 'massCancel',
  uid,
  securityId,
  clOrdId: 'mass',
  signature: null,
  idempotency: null,
});

/** A venue in which each user has so many buy orders at prices from 1 to 1,000. */
function crowded(...counts: number[]): Venue {
  const venue = new Venue({ users: counts.length });
  counts.forEach((count, i) => {
    const uid = i + 1;
    const unchanged = { kyc: null, suspended: null, makerFee: null, takerFee: null };
    venue.must({ type: 'amendUser', uid, ...unchanged, maxOpenOrders: 1_000_000 });
    for (let n = 0; n < count; n++) venue.buy(uid, 1 + (n % 1_000), 1);
  });
  return venue;
}

const openOf = (venue: Venue, uid: number): number => venue.exchange.state.orders.countOf(uid);

describe('a mass cancel', () => {
  test('takes the oldest slice immediately and the rest with timers that are due', () => {
    const venue = crowded(2 * SWEEP_SLICE + 500);
    expect(venue.must(massCancel(1)).canceled).toBe(SWEEP_SLICE);
    const ids = venue.events.map((event) => (event.type === 'executionReport' ? event.orderId : 0));
    expect(ids).toEqual(Array.from({ length: SWEEP_SLICE }, (_, n) => n + 1));
    checkInvariants(venue.exchange.state);
    expect(venue.exchange.nextTimer).toBe(0);
    const slices: number[] = [];
    while (venue.exchange.nextTimer === 0) {
      slices.push(venue.must({ type: 'runTimers' }).canceled);
    }
    expect(slices).toEqual([...Array(SWEEP_SLICE / SLICE).fill(SLICE), 500]);
    expect(openOf(venue, 1)).toBe(0);
    checkInvariants(venue.exchange.state);
  });

  test('of exactly one slice leaves nothing for later', () => {
    const venue = crowded(SWEEP_SLICE);
    expect(venue.must(massCancel(1)).canceled).toBe(SWEEP_SLICE);
    expect(venue.exchange.nextTimer).toBe(Number.POSITIVE_INFINITY);
  });

  test('that is repeated while it goes on is kept once', () => {
    const venue = crowded(3 * SWEEP_SLICE);
    for (let n = 0; n < 2; n++) venue.must(massCancel(1));
    const { sweeps, next } = venue.exchange.state;
    expect(sweeps.pending).toMatchObject([{ uid: 1, upToOrderId: next.orderId - 1 }]);
    checkInvariants(venue.exchange.state);
  });

  test('that is not done lets the next one go first: a slice each, in turn', () => {
    const venue = crowded(SWEEP_SLICE + SLICE + 5, SWEEP_SLICE + 5);
    venue.must(massCancel(1));
    venue.must(massCancel(2));
    expect(venue.must({ type: 'runTimers' }).canceled).toBe(SLICE);
    expect([1, 2].map((uid) => openOf(venue, uid))).toEqual([5, 5]);
    expect(venue.must({ type: 'runTimers' }).canceled).toBe(10);
    const uids = venue.events.map((event) => (event.type === 'executionReport' ? event.uid : 0));
    expect(uids).toEqual([2, 2, 2, 2, 2, 1, 1, 1, 1, 1]);
  });
});

test('a suspension continues with the timers, also when the account is active again', () => {
  const venue = crowded(SLICE + 10);
  const unchanged = { kyc: null, makerFee: null, takerFee: null, maxOpenOrders: null };
  venue.must({ type: 'amendUser', uid: 1, suspended: true, ...unchanged });
  expect(openOf(venue, 1)).toBe(10);
  venue.must({ type: 'amendUser', uid: 1, suspended: false, ...unchanged });
  expect(venue.must({ type: 'runTimers' }).canceled).toBe(10);
  expect(openOf(venue, 1)).toBe(0);
});

describe('switches that fire together', () => {
  test('share one slice, in order of deadline, and wait behind work in progress', () => {
    const venue = crowded(900, 1_500, SWEEP_SLICE + 5);
    venue.must(massCancel(3));
    for (const [uid, timeout] of [
      [1, 20],
      [2, 10],
    ]) {
      venue.must({ type: 'cancelAllAfter', uid, timeout, signature: null, idempotency: null });
    }
    venue.time += 20;
    expect(venue.must({ type: 'runTimers' }).canceled).toBe(SLICE);
    expect([1, 2, 3].map((uid) => openOf(venue, uid))).toEqual([405, 0, 0]);
    const reasons = venue.events.map((event) =>
      event.type === 'executionReport' ? event.reason : 0,
    );
    expect(reasons.slice(0, 6)).toEqual([
      ...Array(5).fill(CloseReason.massCancel),
      CloseReason.cancelAllAfter,
    ]);
    expect(venue.must({ type: 'runTimers' }).canceled).toBe(405);
  });

  test('in very many accounts fire in parts, with other commands in between', () => {
    const accounts = 2 * FIRED_AT_ONCE + 500;
    const venue = new Venue({ users: accounts });
    for (let uid = 1; uid <= accounts; uid++) {
      venue.buy(uid, 100, 1);
      const write = { signature: null, idempotency: null } as const;
      venue.must({ type: 'cancelAllAfter', uid, timeout: 10, ...write });
    }
    venue.time += 10;
    const canceled: number[] = [];
    const uids: number[] = [];
    while (venue.exchange.nextTimer <= venue.time) {
      canceled.push(venue.must({ type: 'runTimers' }).canceled);
      uids.push(...venue.events.flatMap((event) => ('uid' in event ? event.uid : [])));
    }
    expect(canceled).toEqual([FIRED_AT_ONCE, FIRED_AT_ONCE, 500]);
    expect(uids).toEqual(Array.from({ length: accounts }, (_, i) => i + 1));
    checkInvariants(venue.exchange.state);
  });
});

test('the queue of sweeps is that of a list, with the hash of exactly those in it', () => {
  const random = new Prng(5);
  const hash = new StateHash();
  const sweeps = new Sweeps(hash);
  let list: Sweep[] = [];
  for (let upToOrderId = 1; upToOrderId <= 20_000; upToOrderId++) {
    if (random.percent(60)) {
      const [uid, securityId] = [random.below(upToOrderId < 10_000 ? 800 : 20), random.below(2)];
      const reason = CloseReason.massCancel;
      const sweep = { uid, securityId, upToOrderId, reason, nextUid: uid };
      sweeps.add(sweep);
      list = list.filter((one) => one.uid !== uid || one.securityId !== securityId);
      list.push(sweep);
    } else expect(sweeps.take()).toEqual(list.shift()!);
    expect(sweeps.size).toBe(list.length);
    if (random.oneIn(50)) expect(sweeps.pending).toEqual(list);
  }
  while (sweeps.take() !== undefined);
  expect(hash.digest()).toBe(new StateHash().digest());
});

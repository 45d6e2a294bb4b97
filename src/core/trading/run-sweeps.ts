// Runs sweeps (sweeps.ts) in slices: the oldest orders of a user first, the best prices of an
// instrument first.
import { CloseReason, InstrumentStatus, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import { SINCE } from '../rules.ts';
import type { State } from '../state.ts';
import { type Amount, add, ZERO } from '../units.ts';
import { dropOrder, heldBy, paidAsset, release, releaseOrder } from './holds.ts';
import { SWEEP_SLICE, type Sweep } from './sweeps.ts';

/** Fires due switches and continues larger cancels. Returns the number of canceled orders. */
export function runSweeps(state: State): number {
  for (const uid of state.switches.takeDue(state.time)) {
    state.sweeps.add(sweepOf(state, uid, 0, CloseReason.cancelAllAfter));
  }
  let budget = SWEEP_SLICE;
  for (let rounds = state.sweeps.pending.length; rounds > 0 && budget > 0; rounds--) {
    budget -= runSweep(state, state.sweeps.take()!, budget);
  }
  return SWEEP_SLICE - budget;
}

/** Everything that rests now of the user (0: of every user) in the instrument (0: in every one). */
export const sweepOf = (
  state: State,
  uid: number,
  securityId: number,
  reason: CloseReason,
): Sweep => ({ uid, securityId, upToOrderId: state.next.orderId - 1, reason });

/** Cancels at most `budget` of the sweep's orders and keeps the rest. Returns how many. */
export function runSweep(state: State, sweep: Sweep, budget: number): number {
  return sweep.uid === 0 ? sweepInstrument(state, sweep, budget) : sweepUser(state, sweep, budget);
}

/** How many resting orders a sweep, which has just begun, has still to cancel. */
export function countOf(state: State, { uid, securityId }: Sweep): number {
  const { orders, instruments } = state;
  if (securityId === 0) return orders.countOf(uid);
  let count = 0;
  if (uid === 0) {
    const { book } = instruments[securityId]!;
    for (const side of [Side.buy, Side.sell]) {
      book.ladder(side).fromBest((level) => {
        count += book.levelCount(level);
        return true;
      });
    }
    return count;
  }
  for (let slot = orders.firstOf(uid); slot !== NONE; slot = orders.newerOf(slot)) {
    if (orders.securityId(slot) === securityId) count++;
  }
  return count;
}

/**
 * Under the first rules only a switch, or a sweep from before the halt, canceled in a halted
 * instrument.
 */
function covers({ rules }: State, { securityId, reason }: Sweep, instrument: Instrument): boolean {
  if (securityId !== 0) return securityId === instrument.securityId;
  if (rules >= SINCE.cancelWhileHalted || reason === CloseReason.cancelAllAfter) return true;
  return instrument.status !== InstrumentStatus.HALTED;
}

function sweepUser(state: State, sweep: Sweep, budget: number): number {
  const { orders } = state;
  const covered = state.instruments.map((instrument) =>
    instrument !== undefined && covers(state, sweep, instrument) ? instrument : undefined,
  );
  // Released holds are summed up per asset: thousands of orders are two transfers.
  const released = new Map<number, Amount>();
  let canceled = 0;
  let slot = orders.firstOf(sweep.uid);
  while (slot !== NONE && orders.orderId(slot) <= sweep.upToOrderId) {
    const newer = orders.newerOf(slot);
    const instrument = covered[orders.securityId(slot)];
    if (instrument !== undefined) {
      if (canceled === budget) {
        state.sweeps.add(sweep);
        break;
      }
      const asset = paidAsset(instrument, orders.side(slot));
      released.set(asset, add(released.get(asset) ?? ZERO, heldBy(state, instrument, slot)));
      instrument.book.remove(slot);
      dropOrder(state, slot, sweep.reason);
      canceled++;
    }
    slot = newer;
  }
  for (const [asset, money] of released) release(state, sweep.uid, asset, money);
  return canceled;
}

/** Bids before asks. It skips newer orders, which an open instrument still accepts. */
function sweepInstrument(state: State, sweep: Sweep, budget: number): number {
  const { orders } = state;
  const instrument = state.instruments[sweep.securityId]!;
  const { book } = instrument;
  const slots: number[] = [];
  for (const side of [Side.buy, Side.sell]) {
    book.ladder(side).fromBest((level) => {
      for (let slot = book.levelFirst(level); slot !== NONE; slot = orders.next(slot)) {
        // A queue is in order of arrival.
        if (orders.orderId(slot) > sweep.upToOrderId) break;
        if (slots.length > budget) return false;
        slots.push(slot);
      }
      return slots.length <= budget;
    });
  }
  if (slots.length > budget) {
    slots.length = budget;
    state.sweeps.add(sweep);
  }
  for (const slot of slots) {
    book.remove(slot);
    releaseOrder(state, instrument, slot, sweep.reason);
  }
  return slots.length;
}

// Runs sweeps (sweeps.ts) in slices: the oldest orders of a user first, the best prices of an
// instrument first.
import { CloseReason, InstrumentStatus, Side, TriggerPriceDirection } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import { SINCE } from '../rules.ts';
import type { State } from '../state.ts';
import { type Amount, add, ZERO } from '../units.ts';
import { closeOrder, closePair, dropOrder, partnerOf } from './close-order.ts';
import { isBracket } from './due.ts';
import { expireOrders } from './expire.ts';
import { heldBy, paidAsset, release } from './holds.ts';
import { SWEEP_SLICE, type Sweep } from './sweeps.ts';

/**
 * Fires due switches, continues larger cancels and cancels expired orders. Returns the number of
 * canceled orders.
 */
export function runSweeps(state: State): number {
  for (const uid of state.switches.takeDue(state.time)) {
    state.sweeps.add(sweepOf(state, uid, 0, CloseReason.cancelAllAfter));
  }
  let budget = SWEEP_SLICE;
  for (let rounds = state.sweeps.pending.length; rounds > 0 && budget > 0; rounds--) {
    budget -= runSweep(state, state.sweeps.take()!, budget);
  }
  if (budget > 0) budget -= expireOrders(state, budget);
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
    return count + stopsOf(state, instruments[securityId]!).length;
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
    let newer = orders.newerOf(slot);
    const instrument = covered[orders.securityId(slot)];
    if (instrument !== undefined) {
      if (canceled >= budget) {
        state.sweeps.add(sweep);
        break;
      }
      const asset = paidAsset(instrument, orders.side(slot));
      const partner = partnerOf(state, slot);
      released.set(asset, add(released.get(asset) ?? ZERO, heldBy(state, instrument, slot)));
      dropOrder(state, instrument, slot, sweep.reason);
      canceled++;
      if (partner !== NONE) {
        if (partner === newer) newer = orders.newerOf(newer);
        closeOrder(state, instrument, partner, CloseReason.oco);
        canceled++;
      }
    }
    slot = newer;
  }
  for (const [asset, money] of released) release(state, sweep.uid, asset, money);
  return canceled;
}

/**
 * Bids before asks before stops. It skips newer orders, which an open instrument still accepts.
 */
function sweepInstrument(state: State, sweep: Sweep, budget: number): number {
  const instrument = state.instruments[sweep.securityId]!;
  let canceled = 0;
  for (const slot of slotsOf(state, instrument, sweep.upToOrderId, budget + 1)) {
    if (canceled >= budget) {
      state.sweeps.add(sweep);
      break;
    }
    canceled += closePair(state, instrument, slot, sweep.reason);
  }
  return canceled;
}

/** At most `most` orders of the instrument; a stop of an OCO pair goes with its limit order. */
function slotsOf(
  state: State,
  instrument: Instrument,
  upToOrderId: number,
  most: number,
): number[] {
  const { orders } = state;
  const { book } = instrument;
  const slots: number[] = [];
  for (const side of [Side.buy, Side.sell]) {
    book.ladder(side).fromBest((level) => {
      let slot = book.levelFirst(level);
      for (; slot !== NONE && slots.length < most; slot = orders.next(slot)) {
        if (orders.orderId(slot) <= upToOrderId) slots.push(slot);
      }
      return slots.length < most;
    });
  }
  if (slots.length === most) return slots;
  for (const slot of stopsOf(state, instrument)) {
    if (slots.length === most) break;
    const isCovered = orders.orderId(slot) <= upToOrderId;
    const { ocoOrderId } = orders.details(slot)!;
    if (isCovered && orders.find(ocoOrderId) === NONE) slots.push(slot);
  }
  return slots;
}

/** All waiting stops of an instrument: first those that are due, then the nearest first. */
function stopsOf({ due, orders }: State, instrument: Instrument): number[] {
  const { triggers } = instrument;
  const slots: number[] = [];
  const visit = (level: number): boolean => {
    let slot = triggers.queue(level).first;
    for (; slot !== NONE; slot = orders.next(slot)) slots.push(slot);
    return true;
  };
  for (const entry of due.entriesOf(instrument)) {
    if (!isBracket(entry)) entry.levels.slice(entry.next).forEach(visit);
  }
  for (const direction of [TriggerPriceDirection.up, TriggerPriceDirection.down]) {
    triggers.ladder(direction).fromBest(visit);
  }
  return slots;
}

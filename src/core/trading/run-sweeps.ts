// Runs sweeps (sweeps.ts) in slices: the oldest orders of a user first, the best prices of an
// instrument first.
import { CloseReason, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import type { State } from '../state.ts';
import { type Amount, add, ZERO } from '../units.ts';
import { CANCEL, LOOK, SWEPT } from '../work.ts';
import { closeOrder, closePair, dropOrder, partnerOf } from './close-order.ts';
import { isBracket } from './due.ts';
import { expireOrders } from './expire.ts';
import { heldBy, paidAsset, release } from './holds.ts';
import type { Sweep } from './sweeps.ts';

/**
 * Fires due switches, continues larger cancels and cancels expired orders. Returns the number of
 * canceled orders.
 */
export function runSweeps(state: State): number {
  for (const uid of state.switches.takeDue(state.time)) {
    state.sweeps.add(sweepOf(state, uid, 0, CloseReason.cancelAllAfter));
  }
  let canceled = 0;
  for (let rounds = state.sweeps.size; rounds > 0 && state.work.left > 0; rounds--) {
    const count = runSweep(state, state.sweeps.take()!);
    // One that finds no order is work, too.
    if (count === 0) state.work.left -= CANCEL;
    canceled += count;
  }
  for (const instrument of state.instruments) {
    if (instrument !== undefined) canceled += expireOrders(state, instrument);
  }
  return canceled;
}

/** Everything that rests now of the user (0: of every user) in the instrument (0: in every one). */
export const sweepOf = (
  state: State,
  uid: number,
  securityId: number,
  reason: CloseReason,
): Sweep => ({ uid, securityId, upToOrderId: state.next.orderId - 1, reason });

/**
 * Cancels orders of the sweep, as far as the work of this command goes, and keeps the rest. Each
 * takes so many parts. Orders of an instrument in which the match of another goes on come later.
 * Returns how many.
 */
export function runSweep(state: State, sweep: Sweep, parts = SWEPT): number {
  return sweep.uid === 0 ? sweepInstrument(state, sweep) : sweepUser(state, sweep, parts);
}

/** How many resting orders a sweep, which has just begun, has still to cancel. */
export function countOf(state: State, { uid, securityId }: Sweep): number {
  const { orders, instruments } = state;
  if (securityId === 0) return orders.countOf(uid);
  if (uid === 0) return countIn(state, instruments[securityId]!);
  let count = 0;
  for (let slot = orders.firstOf(uid); slot !== NONE; slot = orders.newerOf(slot)) {
    if (orders.securityId(slot) === securityId) count++;
  }
  return count;
}

function countIn(state: State, instrument: Instrument): number {
  const { book, triggers } = instrument;
  let count = 0;
  for (const side of [Side.buy, Side.sell]) {
    book.ladder(side).fromBest((level) => {
      count += book.levelCount(level);
      return true;
    });
  }
  visitStopQueues(state, instrument, (level) => {
    count += triggers.queue(level).count;
    return true;
  });
  return count;
}

const covers = ({ securityId }: Sweep, instrument: Instrument): boolean =>
  securityId === 0 || securityId === instrument.securityId;

function sweepUser(state: State, sweep: Sweep, parts: number): number {
  const { orders, work } = state;
  // Released holds are summed up per asset: thousands of orders are two transfers.
  const released = new Map<number, Amount>();
  let canceled = 0;
  let isDone = true;
  let slot = orders.firstOf(sweep.uid);
  while (slot !== NONE && orders.orderId(slot) <= sweep.upToOrderId) {
    const instrument = state.instruments[orders.securityId(slot)]!;
    const isCovered = covers(sweep, instrument);
    const isFree = instrument.matching === null;
    if (isCovered && work.left <= 0) {
      isDone = false;
      break;
    }
    isDone &&= !isCovered || isFree;
    const next = orders.newerOf(slot);
    if (isCovered && isFree) {
      const partner = partnerOf(state, slot);
      const newer = partner !== NONE && partner === next ? orders.newerOf(next) : next;
      const count = sweepOrder(state, instrument, slot, sweep, released);
      work.cancel(count, parts);
      canceled += count;
      slot = newer;
    } else {
      work.left -= LOOK;
      slot = next;
    }
  }
  if (!isDone) state.sweeps.add(sweep);
  for (const [asset, money] of released) release(state, sweep.uid, asset, money);
  return canceled;
}

/** Cancels an order and its OCO partner. Its own hold is added to `released`. */
function sweepOrder(
  state: State,
  instrument: Instrument,
  slot: number,
  { reason }: Sweep,
  released: Map<number, Amount>,
): number {
  const asset = paidAsset(instrument, state.orders.side(slot));
  const partner = partnerOf(state, slot);
  released.set(asset, add(released.get(asset) ?? ZERO, heldBy(state, instrument, slot)));
  dropOrder(state, instrument, slot, reason);
  if (partner !== NONE) closeOrder(state, instrument, partner, CloseReason.oco);
  return partner === NONE ? 1 : 2;
}

function sweepInstrument(state: State, sweep: Sweep): number {
  const { work } = state;
  const instrument = state.instruments[sweep.securityId]!;
  let canceled = 0;
  let isDone = false;
  if (instrument.matching === null) {
    const most = Math.max(0, Math.ceil(work.left / SWEPT));
    const slots = slotsOf(state, instrument, sweep.upToOrderId, most + 1);
    let next = 0;
    for (; next < slots.length && canceled < most; next++) {
      canceled += closePair(state, instrument, slots[next], sweep.reason);
    }
    isDone = next === slots.length;
    work.cancel(canceled, SWEPT);
  }
  if (!isDone) state.sweeps.add(sweep);
  return canceled;
}

/**
 * At most `most` orders of the instrument, bids before asks before stops, without those that came
 * after `upToOrderId`. A stop of an OCO pair goes with its limit order.
 */
function slotsOf(
  state: State,
  instrument: Instrument,
  upToOrderId: number,
  most: number,
): number[] {
  const { orders, work } = state;
  const { book, triggers } = instrument;
  const slots: number[] = [];
  const visit = (first: number, isCovered: (slot: number) => boolean): boolean => {
    for (let slot = first; slot !== NONE && slots.length < most; slot = orders.next(slot)) {
      work.left -= LOOK;
      if (orders.orderId(slot) <= upToOrderId && isCovered(slot)) slots.push(slot);
    }
    return slots.length < most;
  };
  for (const side of [Side.buy, Side.sell]) {
    book.ladder(side).fromBest((level) => visit(book.levelFirst(level), () => true));
  }
  const isAlone = (slot: number): boolean => partnerOf(state, slot) === NONE;
  visitStopQueues(state, instrument, (level) => visit(triggers.queue(level).first, isAlone));
  return slots;
}

/** The queues of an instrument's waiting stops: those that are due, then the others. */
function visitStopQueues(
  { due }: State,
  instrument: Instrument,
  visit: (level: number) => boolean,
): void {
  const { triggers } = instrument;
  for (const entry of due.entriesOf(instrument)) {
    if (!isBracket(entry) && !entry.levels.slice(entry.next).every(visit)) return;
  }
  triggers.visit(visit);
}

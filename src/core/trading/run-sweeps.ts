// Runs sweeps (sweeps.ts) in slices: the oldest orders of a user first; those of an instrument user
// by user.
import { CloseReason } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import type { State } from '../state.ts';
import { type Amount, add, ZERO } from '../units.ts';
import { CANCEL, LOOK, SWEPT } from '../work.ts';
import { closeOrder, dropOrder, partnerOf } from './close-order.ts';
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
): Sweep => ({ uid, securityId, upToOrderId: state.next.orderId - 1, reason, nextUid: uid || 1 });

/**
 * Cancels orders of the sweep, as far as the work of this command goes, and keeps the rest. Each
 * takes so many parts. Orders of an instrument in which the match of another goes on come later.
 * Returns how many.
 */
export function runSweep(state: State, sweep: Sweep, parts = SWEPT): number {
  const { work, sweeps, users } = state;
  const end = sweep.uid === 0 ? users.length : sweep.uid + 1;
  let { nextUid } = sweep;
  let canceled = 0;
  let isDone = true;
  do {
    const slice = sweepUser(state, nextUid, sweep, parts);
    canceled += slice.canceled;
    ({ isDone } = slice);
    if (isDone) nextUid++;
    if (sweep.uid === 0) work.left -= LOOK;
  } while (isDone && nextUid < end && work.left > 0);
  if (nextUid < end) sweeps.add({ ...sweep, nextUid });
  return canceled;
}

/** How many resting orders a sweep, which has just begun, has still to cancel. */
export function countOf({ orders }: State, { uid, securityId }: Sweep): number {
  if (securityId === 0) return orders.countOf(uid);
  if (uid === 0) return orders.countIn(securityId);
  let count = 0;
  for (let slot = orders.firstOf(uid); slot !== NONE; slot = orders.newerOf(slot)) {
    if (orders.securityId(slot) === securityId) count++;
  }
  return count;
}

const covers = ({ securityId }: Sweep, instrument: Instrument): boolean =>
  securityId === 0 || securityId === instrument.securityId;

interface UserSlice {
  readonly canceled: number;
  /** True if the sweep covers no further order of the user. */
  readonly isDone: boolean;
}

function sweepUser(state: State, uid: number, sweep: Sweep, parts: number): UserSlice {
  const { orders, work } = state;
  // Released holds are summed up per asset: thousands of orders are two transfers.
  const released = new Map<number, Amount>();
  let canceled = 0;
  let isDone = true;
  let slot = orders.firstOf(uid);
  while (slot !== NONE && orders.orderId(slot) <= sweep.upToOrderId) {
    const instrument = state.instruments[orders.securityId(slot)]!;
    const isCovered = covers(sweep, instrument);
    const isFree = instrument.matching === null;
    // One at least: it may take long to find.
    if (isCovered && work.left <= 0 && canceled > 0) {
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
  for (const [asset, money] of released) release(state, uid, asset, money);
  return { canceled, isDone };
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

// Ending an open order: out of its queue, its hold given back, reported canceled, forgotten. The
// end of one order of an OCO pair is the end of the other; an order with a bracket gets its exits.
import { type CloseReason, ExecType, CloseReason as Reason } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import type { State } from '../state.ts';
import { ticks } from '../units.ts';
import { queueExits } from './exits.ts';
import { costOf, heldBy, paidAsset, release } from './holds.ts';
import { reportResting } from './report.ts';
import { peekStored } from './stored-order.ts';

/** Cancels an open order, and the other order of its OCO pair. Returns how many they were. */
export function closePair(
  state: State,
  instrument: Instrument,
  slot: number,
  reason: CloseReason,
): number {
  if (!state.orders.hasDetails(slot)) {
    closePlain(state, instrument, slot, reason);
    return 1;
  }
  const partner = partnerOf(state, slot);
  closeOrder(state, instrument, slot, reason);
  if (partner === NONE) return 1;
  closeOrder(state, instrument, partner, Reason.oco);
  return 2;
}

/** Cancels an order without details, the common case. */
function closePlain(state: State, instrument: Instrument, slot: number, reason: CloseReason): void {
  const { orders } = state;
  const side = orders.side(slot);
  const cost = costOf(instrument, side, orders.price(slot), orders.leavesQty(slot));
  instrument.book.remove(slot);
  release(state, orders.uid(slot), paidAsset(instrument, side), cost);
  reportResting(state, slot, ExecType.canceled, reason);
  orders.remove(slot);
}

/** Cancels an open order alone. */
export function closeOrder(
  state: State,
  instrument: Instrument,
  slot: number,
  reason: CloseReason,
): void {
  const { orders } = state;
  const asset = paidAsset(instrument, orders.side(slot));
  release(state, orders.uid(slot), asset, heldBy(state, instrument, slot));
  dropOrder(state, instrument, slot, reason);
}

/** Cancels an open order alone; the caller gives back what it held. */
export function dropOrder(
  state: State,
  instrument: Instrument,
  slot: number,
  reason: CloseReason,
): void {
  unqueue(state, instrument, slot);
  reportResting(state, slot, ExecType.canceled, reason);
  forgetOrder(state, instrument, slot);
}

/** Takes an order out of the queue of its price, or of its trigger. */
export function unqueue(state: State, instrument: Instrument, slot: number): void {
  const { orders } = state;
  const { book, triggers } = instrument;
  if (!orders.isWaiting(slot)) {
    book.remove(slot);
    return;
  }
  const isTrailing = triggers.isTrailing(slot);
  const triggerPx = isTrailing ? triggers.trailingOf(orders.side(slot)).triggerOf(slot) : 0;
  triggers.remove(slot);
  if (isTrailing) orders.changeDetails(slot, { triggerPx: ticks(triggerPx) });
}

/** Forgets a stored order that is in no queue, filled or canceled. */
export function forgetOrder(state: State, instrument: Instrument, slot: number): void {
  const { orders } = state;
  const details = orders.details(slot);
  if (details !== null) {
    if (details.extras.expireTime !== 0) instrument.expiries.remove(orders.orderId(slot));
    queueExits(state, instrument, peekStored(state, slot));
  }
  orders.remove(slot);
}

/** The other open order of an OCO pair, or NONE. */
export function partnerOf({ orders }: State, slot: number): number {
  const other = orders.details(slot)?.ocoOrderId ?? 0;
  return other === 0 ? NONE : orders.find(other);
}

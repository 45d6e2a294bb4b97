// Taking a resting order away from its owner's account: what it holds comes back, the owner gets a
// report, and the store forgets it. The caller has taken it out of its book.
import { type CloseReason, ExecType } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import type { State } from '../state.ts';
import { type Amount, lots, ticks } from '../units.ts';
import { costOf, paidAsset, release } from './holds.ts';
import { reportResting } from './report.ts';

/** Gives back what an order holds that is already out of the book, and reports it canceled. */
export function releaseOrder(
  state: State,
  instrument: Instrument,
  slot: number,
  reason: CloseReason,
): void {
  const asset = paidAsset(instrument, state.orders.side(slot));
  release(state, state.orders.uid(slot), asset, heldBy(state, instrument, slot));
  dropOrder(state, slot, reason);
}

/** The money that a resting order holds. */
export function heldBy(state: State, instrument: Instrument, slot: number): Amount {
  const { orders } = state;
  return costOf(instrument, orders.side(slot), orders.price(slot), orders.leavesQty(slot));
}

/** Reports an order canceled and forgets it; the caller gives back what it held. */
export function dropOrder(state: State, slot: number, reason: CloseReason): void {
  reportResting(state, slot, ExecType.canceled, ticks(0), lots(0), reason);
  state.orders.remove(slot);
}

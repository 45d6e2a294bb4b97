// Holds: a resting buy holds price × leaves, a sell holds leaves. So the held balance equals the
// cost of the open orders, and needs no record.
import { type CloseReason, ExecType, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { AccountCode } from '../ledger/account-code.ts';
import type { State } from '../state.ts';
import { type Amount, type Lots, lots, multiply, notional, type Ticks, ticks } from '../units.ts';
import { reportResting } from './report.ts';

/** The asset that an order of this side pays with. */
export const paidAsset = (instrument: Instrument, side: Side): number =>
  side === Side.buy ? instrument.quote.assetId : instrument.base.assetId;

/** The cost of `quantity` at `price`, in units of the asset that this side pays with. */
export function costOf(instrument: Instrument, side: Side, price: Ticks, quantity: Lots): Amount {
  return side === Side.buy
    ? notional(price, quantity, instrument.perTickLot)
    : multiply(quantity, instrument.baseUnitsPerLot);
}

export function hold(state: State, uid: number, assetId: number, money: Amount): void {
  state.ledger.move(uid, assetId, AccountCode.available, AccountCode.held, money);
}

export function release(state: State, uid: number, assetId: number, money: Amount): void {
  state.ledger.move(uid, assetId, AccountCode.held, AccountCode.available, money);
}

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

export function heldBy(state: State, instrument: Instrument, slot: number): Amount {
  const { orders } = state;
  return costOf(instrument, orders.side(slot), orders.price(slot), orders.leavesQty(slot));
}

/** Reports an order canceled and forgets it; the caller gives back what it held. */
export function dropOrder(state: State, slot: number, reason: CloseReason): void {
  reportResting(state, slot, ExecType.canceled, ticks(0), lots(0), reason);
  state.orders.remove(slot);
}

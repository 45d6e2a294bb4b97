// Holds: the money that a resting order sets aside. A buy holds price × leaves, a sell holds
// leaves; so what is held always equals what the open orders can cost, and needs no record of its
// own.
import { Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { AccountCode } from '../ledger/account-code.ts';
import type { State } from '../state.ts';
import { type Amount, type Lots, multiply, notional, type Ticks } from '../units.ts';

/** The asset that an order of this side pays with. */
export const paidAsset = (instrument: Instrument, side: Side): number =>
  side === Side.buy ? instrument.quote.assetId : instrument.base.assetId;

/**
 * The cost of `quantity` at `price` for an order of this side, in units of the asset it pays with.
 */
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

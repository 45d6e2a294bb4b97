// Holds: a resting buy holds price × leaves, a sell holds leaves, a waiting stop what it may cost.
// So the held balance equals the cost of the open orders.
import type { PlaceOrder } from '../command.ts';
import { isLimit, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { PROTECTION_PERCENT } from '../order-rules.ts';
import type { State } from '../state.ts';
import {
  type Amount,
  amount,
  divideUp,
  type Lots,
  MAX_INTEGER,
  multiply,
  notional,
  type Ticks,
  ticks,
} from '../units.ts';

/** The asset that an order of this side pays with. */
export const paidAsset = (instrument: Instrument, side: Side): number =>
  side === Side.buy ? instrument.quote.assetId : instrument.base.assetId;

/** The available balance that an order of this side pays from. */
export const availableTo = (
  { ledger }: State,
  instrument: Instrument,
  uid: number,
  side: Side,
): Amount => ledger.balanceOf(uid, paidAsset(instrument, side), AccountCode.available);

/** The cost of `quantity` at `price`, in units of the asset that this side pays with. */
export function costOf(instrument: Instrument, side: Side, price: Ticks, quantity: Lots): Amount {
  return side === Side.buy
    ? notional(price, quantity, instrument.perTickLot)
    : multiply(quantity, instrument.baseUnitsPerLot);
}

/** The price at which a stop that buys a quantity holds money: ⌈stopPx × 1.05⌉. */
export function protectionPrice(stopPx: Ticks): Ticks {
  const price = divideUp(multiply(stopPx, PROTECTION_PERCENT), amount(100));
  return ticks(price <= MAX_INTEGER ? (price as number) : MAX_INTEGER);
}

type StopTerms = Pick<PlaceOrder, 'side' | 'ordType' | 'price' | 'orderQty' | 'quoteOrderQty'>;

/** The cost of a waiting stop: its own price, its protection price, or its budget. */
export function costOfStop(instrument: Instrument, terms: StopTerms, stopPx: Ticks): Amount {
  const { side, ordType, price, orderQty, quoteOrderQty } = terms;
  if (orderQty === 0) return quoteOrderQty;
  return costOf(instrument, side, isLimit(ordType) ? price : protectionPrice(stopPx), orderQty);
}

export function hold(state: State, uid: number, assetId: number, money: Amount): void {
  state.ledger.move(uid, assetId, AccountCode.available, AccountCode.held, money);
}

export function release(state: State, uid: number, assetId: number, money: Amount): void {
  state.ledger.move(uid, assetId, AccountCode.held, AccountCode.available, money);
}

export function heldBy(state: State, instrument: Instrument, slot: number): Amount {
  const { orders } = state;
  if (orders.hasDetails(slot)) {
    const { working, held, ordType } = orders.details(slot)!;
    if (!working) return held;
    if (!isLimit(ordType)) return instrument.matching!.held;
  }
  return costOf(instrument, orders.side(slot), orders.price(slot), orders.leavesQty(slot));
}

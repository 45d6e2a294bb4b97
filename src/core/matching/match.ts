// Price-time matching: an incoming order takes from the best opposite level, oldest order first,
// until it is filled, meets its limit, or may not go on. A settlement books each fill.
import { type CloseReason, CloseReason as Reason, SelfTradePrevention, Side } from '../fix.ts';
import { type Amount, affordableLots, type Lots, lots, type Ticks, ZERO } from '../units.ts';
import { crosses, type OrderBook } from './order-book.ts';
import { NONE, type OrderStore } from './order-store.ts';

export const ANY_PRICE = 0 as Ticks;

/** The order that matches now: what it wants, not where it rests. */
export class Incoming {
  uid = 0;
  /** The enterprise whose members do not trade with each other; 0: none. */
  enterpriseId = 0;
  side: Side = Side.buy;
  /** The worst price it takes; ANY_PRICE for a market order without a band. */
  worstPrice = ANY_PRICE;
  /** Lots still wanted; MAX_INTEGER for an order by quote. */
  leaves = lots(0);
  prevention: SelfTradePrevention = SelfTradePrevention.none;
  /** That of its instrument. */
  perTickLot = ZERO;
}

/** The caller of the matching: its limits, and the fills that it receives. */
export interface Settlement {
  /** The quote units that the taker may still spend; null when its money is already held. */
  budget(): Amount | null;
  /** The maker traded `quantity` at its price with the taker; this reduces its stored quantity. */
  fill(maker: number, price: Ticks, quantity: Lots): void;
  /**
   * All that a maker showed is filled, and it is out of the book. Its slot is to be released, or
   * the maker shows its next part.
   */
  makerDone(maker: number): void;
  /** Whether the maker's owner belongs to this enterprise. Asked only of a taker that names one. */
  belongsTo(maker: number, enterpriseId: number): boolean;
  /** Whether the maker may no longer trade. Asked only of makers with details. */
  hasExpired(maker: number): boolean;
  makerExpired(maker: number): void;
  /** Self-trade prevention takes a maker out of the book. */
  makerPrevented(maker: number): void;
}

/** Matches until nothing more can trade. Returns why it stopped; none: no acceptable price. */
export function match(
  book: OrderBook,
  orders: OrderStore,
  incoming: Incoming,
  settlement: Settlement,
): CloseReason {
  const { side, worstPrice, prevention, perTickLot } = incoming;
  while (incoming.leaves > 0) {
    const level = book.bestAgainst(side);
    if (level === NONE) return Reason.none;
    const price = book.levelPrice(level);
    if (worstPrice !== ANY_PRICE && !crosses(side, worstPrice, price)) return Reason.none;
    const maker = book.levelFirst(level);
    const isPlain = !orders.hasDetails(maker);
    if (!isPlain && settlement.hasExpired(maker)) {
      settlement.makerExpired(maker);
      continue;
    }
    const makerShows = isPlain ? orders.leavesQty(maker) : orders.shownQty(maker);
    let quantity = makerShows < incoming.leaves ? makerShows : incoming.leaves;
    const budget = settlement.budget();
    if (budget !== null) {
      quantity = affordableLots(budget, price, perTickLot, quantity);
      if (quantity === 0) return Reason.insufficientBalance;
    }
    // Last, so that prevention cancels no order for a trade that the budget would not have allowed.
    if (prevention !== SelfTradePrevention.none && isOwn(incoming, maker, orders, settlement)) {
      if (prevention !== SelfTradePrevention.cancelNewest) settlement.makerPrevented(maker);
      if (prevention !== SelfTradePrevention.cancelOldest) return Reason.selfTrade;
      continue;
    }
    settlement.fill(maker, price, quantity);
    incoming.leaves = lots(incoming.leaves - quantity);
    book.reduce(level, quantity);
    if (quantity === makerShows) {
      book.remove(maker);
      settlement.makerDone(maker);
    }
  }
  return Reason.none;
}

/** Whether the maker is of the taker's account, or of the enterprise that prevents its trades. */
export const isOwn = (
  { uid, enterpriseId }: Incoming,
  maker: number,
  orders: OrderStore,
  settlement: Pick<Settlement, 'belongsTo'>,
): boolean =>
  orders.uid(maker) === uid || (enterpriseId !== 0 && settlement.belongsTo(maker, enterpriseId));

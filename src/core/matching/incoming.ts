// The order that matches now, what it matches with, and who receives its fills.
import { opposite, SelfTradePrevention, Side } from '../fix.ts';
import {
  type Amount,
  affordableLots,
  type Lots,
  lots,
  notional,
  subtract,
  type Ticks,
  ZERO,
} from '../units.ts';
import { LOOK, type Work } from '../work.ts';
import { IcebergVisit } from './iceberg-visit.ts';
import { crosses, type OrderBook } from './order-book.ts';
import { NONE, type OrderStore } from './order-store.ts';

export const ANY_PRICE = 0 as Ticks;

/** In place of a reason why a match stopped: it goes on in a later command. */
export const SUSPENDED = -1;

/** The order that matches now: what it wants, not where it rests. */
export class Incoming {
  uid = 0;
  securityId = 0;
  /** The enterprise whose members do not trade with each other; 0: none. */
  enterpriseId = 0;
  side: Side = Side.buy;
  /** The worst price it takes; ANY_PRICE for a market order without a band. */
  worstPrice = ANY_PRICE;
  /** Lots still wanted; MAX_INTEGER for an order by quote. */
  leaves = lots(0);
  /** Quote units that it may still trade for; null when its quantity alone bounds it. */
  budget: Amount | null = null;
  /** After a fill: the budget buys no further lot at the next price, so that fill is the last. */
  isSpent = false;
  /** Against orders of its account. */
  prevention: SelfTradePrevention = SelfTradePrevention.none;
  /** Against orders of other members of its enterprise; none only if `prevention` is. */
  memberPrevention: SelfTradePrevention = SelfTradePrevention.none;
  /** That of its instrument. */
  perTickLot = ZERO;
  /** The level with icebergs that it is in the middle of. */
  readonly visit = new IcebergVisit();
  /** The price of its last trade, and the first trade at this price; 0 before the first. */
  lastPrice = ANY_PRICE;
  aggTradeId = 0;
  /** It was never in a queue, so its priority is its orderId. */
  isNew = true;
  /** It must be filled whole or not at all, and this is not decided yet. */
  isUndecided = false;
  /** The seq of the stops that its last trade reached, while they move (reached.ts); else 0. */
  reachedSeq = 0;
}

/** The caller of the matching: the fills that it receives. */
export interface Settlement {
  /** Business time, ms. */
  readonly time: number;
  /**
   * The maker traded `quantity` for `quote` at its price with the taker; this reduces its stored
   * quantity. The incoming order is as after the fill.
   */
  fill(maker: number, price: Ticks, quantity: Lots, quote: Amount): void;
  /** A maker is filled and out of the book; its slot is to be released. */
  makerDone(maker: number): void;
  /** Self-trade prevention takes a maker out of the book. */
  makerPrevented(maker: number): void;
  /** True if the maker's owner belongs to this enterprise. Asked only of a taker that names one. */
  belongsTo(maker: number, enterpriseId: number): boolean;
  /** The first of `count` new numbers for parts of icebergs. */
  takePartNumbers(count: number): number;
}

/** The structures that a match works with. */
export interface Match {
  readonly book: OrderBook;
  readonly orders: OrderStore;
  readonly incoming: Incoming;
  readonly settlement: Settlement;
  readonly work: Work;
}

/**
 * The maker trades `quantity`, and the taker receives it. A maker that is filled has left the book.
 */
export function fill(it: Match, maker: number, price: Ticks, quantity: Lots): void {
  const { incoming } = it;
  const quote = notional(price, quantity, incoming.perTickLot);
  incoming.leaves = lots(incoming.leaves - quantity);
  if (incoming.budget !== null) {
    incoming.budget = subtract(incoming.budget, quote);
    incoming.isSpent = isSpent(it, incoming.budget);
  }
  it.settlement.fill(maker, price, quantity, quote);
}

/**
 * True if the rest of the budget buys no lot at the next price. A buy by quote also ends at the
 * largest quantity that an order can have.
 */
function isSpent(it: Match, budget: Amount): boolean {
  const { leaves, side } = it.incoming;
  return budget === 0 || (leaves === 0 && side === Side.buy) || buysNothing(it);
}

/** True if there is a next price, at which the budget buys no lot. */
export function buysNothing(it: Match): boolean {
  if (it.incoming.budget === null) return false;
  const next = nextPrice(it);
  return next !== ANY_PRICE && !affords(it, next);
}

/** True if the budget buys a lot at the next price. */
export function affordsNext(it: Match): boolean {
  const next = nextPrice(it);
  return next !== ANY_PRICE && affords(it, next);
}

const affords = ({ incoming: { budget, perTickLot } }: Match, price: Ticks): boolean =>
  affordableLots(budget!, price, perTickLot, lots(1)) > 0;

/**
 * The price of the next order that would trade with the taker or cancel it; ANY_PRICE: none, as far
 * as one check may look. Orders that the taker would cancel on its way do not count.
 */
export function nextPrice(it: Match): Ticks {
  const { book, incoming, work } = it;
  const { side, worstPrice } = incoming;
  const enough = work.left - work.looksOfACheck;
  let next = ANY_PRICE;
  book.ladder(opposite(side)).fromBest((level, price) => {
    if (worstPrice !== ANY_PRICE && !crosses(side, worstPrice, price)) return false;
    if (!isPassedOver(it, level, enough)) next = price;
    return next === ANY_PRICE && work.left >= enough;
  });
  return next;
}

/** True if the taker would cancel each order of the level that it may look at, down to `enough`. */
function isPassedOver(it: Match, level: number, enough: number): boolean {
  const { book, orders, work } = it;
  for (let slot = book.levelFirst(level); slot !== NONE; slot = orders.next(slot)) {
    if (preventionAgainst(it, slot) !== SelfTradePrevention.cancelOldest) return false;
    work.left -= LOOK;
    if (work.left < enough) return true;
  }
  return true;
}

/** The rule between the taker and a maker; none: they may trade. */
export function preventionAgainst(
  { incoming, orders, settlement }: Match,
  maker: number,
): SelfTradePrevention {
  const { uid, enterpriseId, prevention, memberPrevention } = incoming;
  if (prevention === SelfTradePrevention.none || orders.uid(maker) === uid) return prevention;
  const isMember = enterpriseId !== 0 && settlement.belongsTo(maker, enterpriseId);
  return isMember ? memberPrevention : SelfTradePrevention.none;
}

/** True if a rule cancels the taker when it meets the maker. */
export const cancelsTaker = (rule: SelfTradePrevention): boolean =>
  rule === SelfTradePrevention.cancelNewest || rule === SelfTradePrevention.cancelBoth;

/** Applies the rule between the taker and a maker. True: the taker is canceled. */
export function preventTrade(it: Match, maker: number, rule: SelfTradePrevention): boolean {
  if (rule !== SelfTradePrevention.cancelNewest) it.settlement.makerPrevented(maker);
  return cancelsTaker(rule);
}

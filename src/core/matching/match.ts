// Price-time matching: an incoming order takes from the best opposite level, oldest order first,
// until it is filled, meets its limit, may not go on, or the work of this command is done.
import { type CloseReason, CloseReason as Reason, SelfTradePrevention } from '../fix.ts';
import { affordableLots } from '../units.ts';
import { UNIT } from '../work.ts';
import {
  ANY_PRICE,
  fill,
  type Match,
  preventionAgainst,
  preventTrade,
  SUSPENDED,
} from './incoming.ts';
import { crosses } from './order-book.ts';
import { NONE } from './order-store.ts';
import { visitLevel } from './visit-level.ts';

/** Matches until nothing more can trade. Returns why it stopped; none: no acceptable price. */
export function match(it: Match): CloseReason | typeof SUSPENDED {
  const { book, orders, incoming, work } = it;
  const { side, worstPrice, perTickLot, visit } = incoming;
  while (incoming.leaves > 0) {
    const level = book.bestAgainst(side);
    if (level === NONE) return Reason.none;
    const price = book.levelPrice(level);
    if (worstPrice !== ANY_PRICE && !crosses(side, worstPrice, price)) return Reason.none;
    if (visit.isOpen || book.levelHidden(level) !== null) {
      const stopped = visitLevel(it, level, price);
      if (stopped !== Reason.none) return stopped;
      continue;
    }
    if (work.left <= 0) return SUSPENDED;
    const maker = book.levelFirst(level);
    const makerLeaves = orders.leavesQty(maker);
    let quantity = makerLeaves < incoming.leaves ? makerLeaves : incoming.leaves;
    if (incoming.budget !== null) {
      quantity = affordableLots(incoming.budget, price, perTickLot, quantity);
      if (quantity === 0) return Reason.insufficientBalance;
    }
    work.left -= UNIT;
    // Last, so that prevention cancels no order for a trade that the budget would not have allowed.
    const rule = preventionAgainst(it, maker);
    if (rule !== SelfTradePrevention.none) {
      if (preventTrade(it, maker, rule)) return Reason.selfTrade;
      continue;
    }
    fill(it, maker, price, quantity);
    book.reduce(level, quantity);
    if (quantity === makerLeaves) {
      book.remove(maker);
      it.settlement.makerDone(maker);
    }
  }
  return Reason.none;
}

// Price-time matching: an incoming order takes from the best opposite level, oldest order first,
// until it is filled, meets its limit, may not go on, or the work of this command is done.
import { type CloseReason, CloseReason as Reason, SelfTradePrevention } from '../fix.ts';
import { affordableLots } from '../units.ts';
import { UNIT } from '../work.ts';
import {
  ANY_PRICE,
  affordsNext,
  cancelsTaker,
  fill,
  type Match,
  preventionAgainst,
  preventTrade,
  SUSPENDED,
} from './incoming.ts';
import { crosses } from './order-book.ts';
import { NONE } from './order-store.ts';
import { visitLevel } from './visit-level.ts';

/**
 * Matches until nothing more can trade. Returns why it stopped; none: it has what it wants, or no
 * price is acceptable.
 */
export function match(it: Match): CloseReason | typeof SUSPENDED {
  const { book, orders, incoming, work } = it;
  const { side, worstPrice, perTickLot, visit } = incoming;
  // A visit may still cancel own orders after the last fill.
  while (visit.isOpen || (incoming.leaves > 0 && !incoming.isSpent)) {
    const level = book.bestAgainst(side);
    if (level === NONE) return Reason.none;
    const price = book.levelPrice(level);
    if (worstPrice !== ANY_PRICE && !crosses(side, worstPrice, price)) return Reason.none;
    const { budget, leaves } = incoming;
    const wanted = budget === null ? leaves : affordableLots(budget, price, perTickLot, leaves);
    if (visit.isOpen || (wanted > 0 && book.levelHidden(level) !== null)) {
      const stopped = visitLevel(it, level, price, wanted);
      if (stopped !== Reason.none) return stopped;
      continue;
    }
    if (work.left <= 0) return SUSPENDED;
    work.left -= UNIT;
    const maker = book.levelFirst(level);
    const rule = preventionAgainst(it, maker);
    if (wanted === 0 && !(rule === SelfTradePrevention.cancelOldest && affordsNext(it))) {
      return cancelsTaker(rule) ? Reason.selfTrade : Reason.insufficientBalance;
    }
    if (rule !== SelfTradePrevention.none) {
      if (preventTrade(it, maker, rule)) return Reason.selfTrade;
      continue;
    }
    const makerLeaves = orders.leavesQty(maker);
    if (makerLeaves <= wanted) {
      book.remove(maker);
      fill(it, maker, price, makerLeaves);
      it.settlement.makerDone(maker);
    } else {
      fill(it, maker, price, wanted);
      book.reduce(level, wanted);
    }
  }
  return Reason.none;
}

// Decides whether a fill-or-kill order, the incoming one, would be filled: from the sums that the
// price levels keep, hidden parts included.
import { opposite } from '../fix.ts';
import { affordableLots, lots, notional, subtract } from '../units.ts';
import { LOOK, LOOKS_OF_A_CHECK } from '../work.ts';
import { ANY_PRICE, type Match } from './incoming.ts';
import { crosses } from './order-book.ts';
import { OwnOrders } from './own-orders.ts';

/**
 * `byQuote`: the order is filled when its budget buys no further lot at the next price. An order
 * that has to look at too many levels or orders is not filled.
 */
export function canFill(it: Match, byQuote: boolean): boolean {
  const { book, incoming, work } = it;
  const { side, worstPrice, leaves, perTickLot } = incoming;
  const own = new OwnOrders(it);
  const enough = work.left - LOOKS_OF_A_CHECK;
  let left = leaves;
  let budget = incoming.budget;
  let budgetIsUsedUp = false;
  book.ladder(opposite(side)).fromBest((level, price) => {
    if (worstPrice !== ANY_PRICE && !crosses(side, worstPrice, price)) return false;
    work.left -= LOOK;
    if (work.left < enough) return false;
    const wanted = budget === null ? left : affordableLots(budget, price, perTickLot, left);
    budgetIsUsedUp = wanted === 0;
    if (budgetIsUsedUp) return false;
    const { total, isEnd } = own.at(level);
    const there = isEnd ? own.shownAhead(level) : subtract(book.levelTotal(level), total);
    const taken = there < wanted ? lots(there as number) : wanted;
    budgetIsUsedUp = taken < there && taken < left;
    left = lots(left - taken);
    if (budget !== null) budget = subtract(budget, notional(price, taken, perTickLot));
    return left > 0 && !budgetIsUsedUp && !isEnd;
  });
  if (!byQuote) return left === 0;
  return left < leaves && (budget === 0 || budgetIsUsedUp);
}

// Decides whether a fill-or-kill order, the incoming one, would be filled: from the sums that the
// price levels keep, hidden parts included.
import { opposite, Side } from '../fix.ts';
import { affordableLots, lots, notional, subtract, type Ticks } from '../units.ts';
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
  let isSpent = false;
  const buysNothingAt = (price: Ticks): boolean =>
    budget !== null && affordableLots(budget, price, perTickLot, lots(1)) === 0;
  book.ladder(opposite(side)).fromBest((level, price) => {
    if (worstPrice !== ANY_PRICE && !crosses(side, worstPrice, price)) return false;
    work.left -= LOOK;
    if (work.left < enough) return false;
    const { total, isEnd } = own.at(level, enough);
    if (work.left < enough) return false;
    const there = isEnd ? own.shownAhead(level, enough) : subtract(book.levelTotal(level), total);
    // Orders that the order cancels do not bound it.
    if (there === 0 && !isEnd) return true;
    const wanted = budget === null ? left : affordableLots(budget, price, perTickLot, left);
    const taken = there < wanted ? lots(there as number) : wanted;
    left = lots(left - taken);
    if (budget !== null) budget = subtract(budget, notional(price, taken, perTickLot));
    if ((taken as number) < there || isEnd) {
      isSpent = buysNothingAt(price);
      return false;
    }
    // A sell by quote that has sold all it has looks on, to see if its budget is spent, too.
    return byQuote ? budget !== 0 : left > 0;
  });
  if (!byQuote) return left === 0;
  const isLargest = left === 0 && side === Side.buy;
  return left < leaves && (budget === 0 || isSpent || isLargest);
}

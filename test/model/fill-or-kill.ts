// Finds out if a fill-or-kill order would be filled, by playing the matching through on a copy of
// the other side.
import { SelfTradePrevention, Side } from '../../src/core/fix.ts';
import { acceptable, opposites, payableAt, smaller, wantedOf } from './matching.ts';
import { preventionFor } from './prevention.ts';
import { leavesOf, type ModelOrder, type VenueState } from './state.ts';

export function canFill(venue: VenueState, order: ModelOrder, worst: bigint | null): boolean {
  const { market } = order;
  const queue = opposites(order).map((maker) => ({
    maker,
    shown: maker.shown,
    leaves: leavesOf(maker),
  }));
  let filled = 0n;
  let spent = 0n;
  const wanted = wantedOf(order);
  for (;;) {
    const [next] = queue;
    const usedUp = order.orderQty === 0n && spent === order.quoteOrderQty;
    if (usedUp) return true;
    // A sell by quote has sold all that its owner had; the next order shows if more was wanted.
    const hasSoldAll = filled === wanted && order.orderQty === 0n && order.side === Side.sell;
    if (filled === wanted && !hasSoldAll) return true;
    if (next === undefined || !acceptable(order, next.maker.price, worst)) return false;
    const { price } = next.maker;
    const prevention = preventionFor(venue, order, next.maker);
    if (prevention === SelfTradePrevention.cancelOldest) {
      queue.shift();
      continue;
    }
    const payable = payableAt(order, price, spent);
    if (payable === 'budget') return filled > 0n;
    if (payable === 'money' || prevention !== SelfTradePrevention.none) return false;
    if (hasSoldAll) return false;
    const quantity = smaller(smaller(next.shown, wanted - filled), payable);
    filled += quantity;
    spent += price * quantity * market.quotePerTickLot;
    next.leaves -= quantity;
    next.shown -= quantity;
    if (next.shown > 0n) continue;
    queue.shift();
    if (next.leaves === 0n) continue;
    // An iceberg shows its next part behind the others of its price.
    next.shown = smaller(next.maker.displayQty, next.leaves);
    const behind = queue.findIndex(({ maker }) => maker.price !== price);
    queue.splice(behind < 0 ? queue.length : behind, 0, next);
  }
}

// Finds out if a fill-or-kill order would be filled, by playing the matching through on a copy of
// the other side.
import { SelfTradePrevention, Side } from '../../src/core/fix.ts';
import { acceptable, payableAt, smaller, wantedOf } from './matching.ts';
import { queueAgainst, takeFromFirst } from './played-queue.ts';
import { preventionFor } from './prevention.ts';
import type { ModelOrder, VenueState } from './state.ts';

export function canFill(venue: VenueState, order: ModelOrder, worst: bigint | null): boolean {
  const { market } = order;
  const queue = queueAgainst(order);
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
    takeFromFirst(queue, quantity);
  }
}

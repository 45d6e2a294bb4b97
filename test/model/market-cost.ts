// The cost of a market order on entry. It plays the matching through on a copy of the other side,
// part by part, as if the order's owner had any money.
import { SelfTradePrevention, Side } from '../../src/core/fix.ts';
import { acceptable, smaller } from './matching.ts';
import { queueAgainst, takeFromFirst } from './played-queue.ts';
import { preventionFor } from './prevention.ts';
import type { ModelOrder, VenueState } from './state.ts';

type Taker = Pick<ModelOrder, 'uid' | 'market' | 'side' | 'orderQty' | 'quoteOrderQty'> &
  Pick<ModelOrder, 'prevention'>;

/** In quote units for a buy, in base units for a sell. */
export function costOfMarket(venue: VenueState, order: Taker, worst: bigint | null): bigint {
  const { market, side } = order;
  const queue = queueAgainst(order);
  const isBuy = side === Side.buy;
  let wanted = isBuy ? order.orderQty : order.quoteOrderQty;
  let cost = 0n;
  for (;;) {
    const [next] = queue;
    if (next === undefined || !acceptable(order, next.maker.price, worst)) return cost;
    const perLot = next.maker.price * market.quotePerTickLot;
    const most = isBuy ? wanted : wanted / perLot;
    const prevention = preventionFor(venue, order, next.maker);
    if (prevention === SelfTradePrevention.cancelOldest && wanted > 0n) {
      queue.shift();
      continue;
    }
    if (most === 0n || prevention !== SelfTradePrevention.none) return cost;
    const quantity = smaller(next.shown, most);
    wanted -= isBuy ? quantity : quantity * perLot;
    cost += quantity * (isBuy ? perLot : market.basePerLot);
    takeFromFirst(queue, quantity);
  }
}

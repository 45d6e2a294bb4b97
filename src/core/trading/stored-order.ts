// A stored order that leaves its queue to trade: a stop that is triggered, an order that is
// amended, the limit order of a new OCO pair. It keeps its slot, its orderId and its place among
// its owner's orders.
import type { Mutable } from '../codec.ts';
import { OrdType, Side } from '../fix.ts';
import type { OrderDetails } from '../matching/order-details.ts';
import { NONE } from '../matching/order-store.ts';
import type { State } from '../state.ts';
import { lots, ticks, ZERO } from '../units.ts';
import type { EnteringOrder, EnteringTerms } from './entering-order.ts';

export const storedOrder = (state: State, slot: number): EnteringOrder =>
  read(state, slot, blank());

/**
 * Like storedOrder, for a caller that keeps nothing of it: the next call overwrites it. Two new
 * objects for each report would cost the core of a follower 3 %.
 */
export const peekStored = (state: State, slot: number): EnteringOrder => read(state, slot, PEEKED);

interface StoredOrder extends Mutable<EnteringOrder> {
  terms: Mutable<EnteringTerms>;
}

const blank = (): StoredOrder => ({
  terms: {
    uid: 0,
    securityId: 0,
    side: Side.buy,
    ordType: OrdType.limit,
    price: ticks(0),
    orderQty: lots(0),
    quoteOrderQty: ZERO,
    postOnly: false,
    clOrdId: '',
  },
  orderId: 0,
  cumQty: lots(0),
  cumQuote: ZERO,
  details: null as OrderDetails | null,
  slot: NONE,
});

const PEEKED = blank();

function read({ orders }: State, slot: number, order: StoredOrder): StoredOrder {
  const { terms } = order;
  const details = orders.details(slot);
  terms.uid = orders.uid(slot);
  terms.securityId = orders.securityId(slot);
  terms.side = orders.side(slot);
  terms.ordType = details === null ? OrdType.limit : details.ordType;
  terms.price = orders.price(slot);
  terms.orderQty = orders.orderQty(slot);
  terms.quoteOrderQty = details === null ? ZERO : details.quoteOrderQty;
  terms.postOnly = orders.postOnly(slot);
  terms.clOrdId = orders.givenClOrdId(slot);
  order.orderId = orders.orderId(slot);
  order.cumQty = orders.cumQty(slot);
  order.cumQuote = orders.cumQuote(slot);
  order.details = details;
  order.slot = slot;
  return order;
}

// A stored order that leaves its queue to trade: a stop that is triggered, an order that is
// amended, the limit order of a new OCO pair. It keeps its slot, its orderId and its place among
// its owner's orders.
import { OrdType } from '../fix.ts';
import type { State } from '../state.ts';
import { ZERO } from '../units.ts';
import type { EnteringOrder } from './entering-order.ts';

export function storedOrder({ orders }: State, slot: number): EnteringOrder {
  const details = orders.details(slot);
  return {
    terms: {
      uid: orders.uid(slot),
      securityId: orders.securityId(slot),
      side: orders.side(slot),
      ordType: details === null ? OrdType.limit : details.ordType,
      price: orders.price(slot),
      orderQty: orders.orderQty(slot),
      quoteOrderQty: details === null ? ZERO : details.quoteOrderQty,
      postOnly: orders.postOnly(slot),
      clOrdId: orders.givenClOrdId(slot),
    },
    orderId: orders.orderId(slot),
    cumQty: orders.cumQty(slot),
    cumQuote: orders.cumQuote(slot),
    details,
    slot,
  };
}

// The terms of an order that both versions of the calls have.
import { boolean, code, integer, money, price, quantity, type RecordOf, text } from './codec.ts';
import type { OrdType, Side } from './fix.ts';

export type OrderTerms = RecordOf<typeof ORDER_TERMS>;

export const ORDER_TERMS = {
  securityId: integer,
  side: code<Side>(),
  ordType: code<OrdType>(),
  /** 0 for orders that have none: market orders and stops. */
  price,
  /** 0 when the order is by quote. */
  orderQty: quantity,
  /** The maximum that an order by quote spends or brings, before fees; 0 otherwise. */
  quoteOrderQty: money,
  postOnly: boolean,
  /** Empty: the core generates `api_<uid>_<orderId>`. */
  clOrdId: text,
};

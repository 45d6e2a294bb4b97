// The details of a stored order that is no plain limit order: a stop, an iceberg, one that expires,
// one of an OCO pair or with a bracket, one whose priority is not its orderId. Plain orders have
// none, so their records stay small.
import {
  boolean,
  code,
  integer,
  type Mutable,
  money,
  price,
  quantity,
  record,
  type ValueOf,
} from '../codec.ts';
import { OrdType } from '../fix.ts';
import { NO_EXTRAS, ORDER_EXTRAS, type OrderExtras } from '../order-extras.ts';
import { lots, ticks, ZERO } from '../units.ts';

export type OrderDetails = Mutable<ValueOf<typeof ORDER_DETAILS>>;

export const ORDER_DETAILS = record({
  ordType: code<OrdType>(),
  /** Reports share them: an amendment replaces them. */
  extras: ORDER_EXTRAS,
  /** The part of an iceberg that its level shows now. */
  shownQty: quantity,
  /** When the shown part came, of an order that is no longer shown under its orderId; else 0. */
  shownTime: integer,
  /** The budget of a stop by quote; 0 otherwise. */
  quoteOrderQty: money,
  /** false: a stop that waits for its trigger, or for its turn after it. */
  working: boolean,
  /** When a trailing stop began to trail, business time, ms; 0: not yet. */
  trailingTime: integer,
  /** The price that triggered a trailing stop; 0 before: see TrailingStops. */
  triggerPx: price,
  /** The hold of a waiting stop; 0 otherwise. */
  held: money,
  /** Fees so far in the received asset, of an order with a bracket. */
  fees: money,
  /** The other order of the OCO pair, which may be gone; 0: none. */
  ocoOrderId: integer,
  /** The order whose bracket placed this one; 0: none. */
  parentOrderId: integer,
  /** The place in the queue: the lower, the earlier. The orderId of an order that never moved. */
  priority: integer,
});

/** The details of an order that has none, with those that differ. */
export const detailsWith = (more: Partial<OrderDetails>): OrderDetails => ({
  ordType: OrdType.limit,
  extras: NO_EXTRAS,
  shownQty: lots(0),
  shownTime: 0,
  quoteOrderQty: ZERO,
  working: true,
  trailingTime: 0,
  triggerPx: ticks(0),
  held: ZERO,
  fees: ZERO,
  ocoOrderId: 0,
  parentOrderId: 0,
  priority: 0,
  ...more,
});

export const extrasOf = (details: OrderDetails | null): OrderExtras =>
  details === null ? NO_EXTRAS : details.extras;

// The details of a stored order that is no plain limit order: a stop, an iceberg, one that expires,
// one of an OCO pair or with a bracket, one whose priority is not its orderId. Plain orders have
// none, so their records stay small.
import { boolean, byte, integer, money, nullable, record } from '../codec.ts';
import { OrdType, type SelfTradePrevention, TimeInForce, TriggerPriceDirection } from '../fix.ts';
import { BRACKET, type Bracket } from '../order-extras.ts';
import { type Amount, type Lots, lots, type Ticks, ticks, ZERO } from '../units.ts';

export interface OrderDetails {
  readonly ordType: OrdType;
  readonly timeInForce: TimeInForce;
  /** Business time, ms; 0: never. */
  expireTime: number;
  /** 0: the whole order is shown. */
  displayQty: Lots;
  /** The part of an iceberg that its level shows now. */
  shownQty: Lots;
  /** When the shown part came, of an order that is no longer shown under its orderId; else 0. */
  shownTime: number;
  /** As a taker; null: the instrument's. */
  readonly selfTradePrevention: SelfTradePrevention | null;
  /** The budget of a stop by quote; 0 otherwise. */
  readonly quoteOrderQty: Amount;
  /** 0: no stop. */
  stopPx: Ticks;
  readonly triggerPriceDirection: TriggerPriceDirection;
  /** false: a stop that waits for its trigger, or for its turn after it. */
  working: boolean;
  /** The hold of a waiting stop; 0 otherwise. */
  held: Amount;
  readonly bracket: Bracket | null;
  /** Fees so far in the received asset, of an order with a bracket. */
  fees: Amount;
  /** The other order of the OCO pair, which may be gone; 0: none. */
  readonly ocoOrderId: number;
  /** The order whose bracket placed this one; 0: none. */
  readonly parentOrderId: number;
  /** The place in the queue: the lower, the earlier. The orderId of an order that never moved. */
  priority: number;
}

export const ORDER_DETAILS = record<OrderDetails>({
  ordType: byte,
  timeInForce: byte,
  expireTime: integer,
  displayQty: integer,
  shownQty: integer,
  shownTime: integer,
  selfTradePrevention: nullable(byte),
  quoteOrderQty: money,
  stopPx: integer,
  triggerPriceDirection: byte,
  working: boolean,
  held: money,
  bracket: nullable(BRACKET),
  fees: money,
  ocoOrderId: integer,
  parentOrderId: integer,
  priority: integer,
});

/** The details of an order that has none, with those that differ. */
export const detailsWith = (more: Partial<OrderDetails>): OrderDetails => ({
  ordType: OrdType.limit,
  timeInForce: TimeInForce.goodTillCancel,
  expireTime: 0,
  displayQty: lots(0),
  shownQty: lots(0),
  shownTime: 0,
  selfTradePrevention: null,
  quoteOrderQty: ZERO,
  stopPx: ticks(0),
  triggerPriceDirection: TriggerPriceDirection.none,
  working: true,
  held: ZERO,
  bracket: null,
  fees: ZERO,
  ocoOrderId: 0,
  parentOrderId: 0,
  priority: 0,
  ...more,
});

// The terms of an order that v1 does not know.
import { code, integer, nullable, price, quantity, record, type ValueOf } from './codec.ts';
import { type SelfTradePrevention, TimeInForce, TriggerPriceDirection } from './fix.ts';
import { lots, ticks } from './units.ts';

/** The exits of an order: an OCO pair of the other side for what the order received. */
export type Bracket = ValueOf<typeof BRACKET>;

export const BRACKET = record({
  takeProfitPx: price,
  stopPx: price,
  /** 0: the stop is a market order. */
  stopLimitPx: price,
});

/** The extras that every report of an order has. */
export const REPORTED_EXTRAS = {
  timeInForce: code<TimeInForce>(),
  /** Business time, ms; 0 unless goodTillDate. */
  expireTime: integer,
  /** The shown part of an iceberg; 0: the whole order is shown. */
  displayQty: quantity,
  /** 0: the order is no stop. */
  stopPx: price,
  triggerPriceDirection: code<TriggerPriceDirection>(),
};

export type OrderExtras = ValueOf<typeof ORDER_EXTRAS>;

export const ORDER_EXTRAS = record({
  ...REPORTED_EXTRAS,
  /** null: the instrument's. */
  selfTradePrevention: nullable(code<SelfTradePrevention>()),
  bracket: nullable(BRACKET),
});

/** The extras of an order that names none. */
export const NO_EXTRAS: OrderExtras = {
  timeInForce: TimeInForce.goodTillCancel,
  expireTime: 0,
  displayQty: lots(0),
  stopPx: ticks(0),
  triggerPriceDirection: TriggerPriceDirection.none,
  selfTradePrevention: null,
  bracket: null,
};

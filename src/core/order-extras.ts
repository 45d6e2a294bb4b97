// The terms of an order that v1 does not know.
import { code, integer, nullable, price, quantity, record, type ValueOf } from './codec.ts';
import type { SelfTradePrevention, TimeInForce, TriggerPriceDirection } from './fix.ts';

/** The exits of an order: an OCO pair of the other side for what the order received. */
export type Bracket = ValueOf<typeof BRACKET>;

export const BRACKET = record({
  takeProfitPx: price,
  stopPx: price,
  /** 0: the stop is a market order. */
  stopLimitPx: price,
});

export type OrderExtras = ValueOf<typeof ORDER_EXTRAS>;

export const ORDER_EXTRAS = record({
  timeInForce: code<TimeInForce>(),
  /** Business time, ms; 0 unless goodTillDate. */
  expireTime: integer,
  /** The shown part of an iceberg; 0: the whole order is shown. */
  displayQty: quantity,
  /** null: the instrument's. */
  selfTradePrevention: nullable(code<SelfTradePrevention>()),
  /** 0: the order is no stop. */
  stopPx: price,
  triggerPriceDirection: code<TriggerPriceDirection>(),
  bracket: nullable(BRACKET),
});

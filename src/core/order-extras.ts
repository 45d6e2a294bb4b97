// The terms of an order that v1 does not know.
import { code, integer, nullable, price, quantity, record, signed, type ValueOf } from './codec.ts';
import { type SelfTradePrevention, TimeInForce, TriggerPriceDirection } from './fix.ts';
import { lots, ticks } from './units.ts';

/** The exits of an order: one order of the other side for what it received, or an OCO pair. */
export type Bracket = ValueOf<typeof BRACKET>;

export const BRACKET = record({
  /** 0: no limit order takes a profit. */
  takeProfitPx: price,
  /** 0 with a trail: the stop trails from the last price at its entry. 0 without: no stop. */
  stopPx: price,
  /** 0: the stop is a market order. */
  stopLimitPx: price,
  /** The same as `trail` of an order. */
  trail: signed,
});

/** True if one of the exits is a stop. */
export const hasStop = ({ stopPx, trail }: Pick<Bracket, 'stopPx' | 'trail'>): boolean =>
  stopPx !== 0 || trail !== 0;

export type OrderExtras = ValueOf<typeof ORDER_EXTRAS>;

export const ORDER_EXTRAS = record({
  timeInForce: code<TimeInForce>(),
  /** Business time, ms; 0 unless goodTillDate. */
  expireTime: integer,
  /** The shown part of an iceberg; 0: the whole order is shown. */
  displayQty: quantity,
  /** The trigger of a stop; of a trailing one where it begins to trail, or 0: from its entry on. */
  stopPx: price,
  triggerPriceDirection: code<TriggerPriceDirection>(),
  /** The distance of a trailing stop: basis points above 0, ticks below 0. 0: it does not trail. */
  trail: signed,
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
  trail: 0,
  selfTradePrevention: null,
  bracket: null,
};

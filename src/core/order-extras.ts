// The terms of an order that v1 does not know, and how they are written.
import { byte, integer, nullable, record } from './codec.ts';
import type { SelfTradePrevention, TimeInForce, TriggerPriceDirection } from './fix.ts';
import type { Lots, Ticks } from './units.ts';

export interface OrderExtras {
  readonly timeInForce: TimeInForce;
  /** Business time, ms; 0 unless goodTillDate. */
  readonly expireTime: number;
  /** The shown part of an iceberg; 0: the whole order is shown. */
  readonly displayQty: Lots;
  /** null: the instrument's. */
  readonly selfTradePrevention: SelfTradePrevention | null;
  /** 0: the order is no stop. */
  readonly stopPx: Ticks;
  readonly triggerPriceDirection: TriggerPriceDirection;
  readonly bracket: Bracket | null;
}

/** The exits of an order: an OCO pair of the other side for what the order received. */
export interface Bracket {
  readonly takeProfitPx: Ticks;
  readonly stopPx: Ticks;
  /** 0: the stop is a market order. */
  readonly stopLimitPx: Ticks;
}

export const BRACKET = record<Bracket>({
  takeProfitPx: integer,
  stopPx: integer,
  stopLimitPx: integer,
});

export const ORDER_EXTRAS = record<OrderExtras>({
  timeInForce: byte,
  expireTime: integer,
  displayQty: integer,
  selfTradePrevention: nullable(byte),
  stopPx: integer,
  triggerPriceDirection: byte,
  bracket: nullable(BRACKET),
});

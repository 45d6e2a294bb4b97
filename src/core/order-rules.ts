// The rules of order terms: which terms an order may have, and the bounds that they set each other.
// The core, the contract and the pages share them. Prices are in ticks, quantities in lots.
import { isLimit, isStop, OrdType, Side, TimeInForce } from './fix.ts';

/** True if a remainder of the order may rest in the book. */
export const mayRest = (timeInForce: TimeInForce): boolean =>
  timeInForce === TimeInForce.goodTillCancel || timeInForce === TimeInForce.goodTillDate;

/** An order has an expireTime exactly if this is true. */
export const expires = (timeInForce: TimeInForce): boolean =>
  timeInForce === TimeInForce.goodTillDate;

/** A market order never expires, and a stop that becomes one has to wait. */
export const acceptsTime = (ordType: OrdType, timeInForce: TimeInForce): boolean =>
  ordType === OrdType.market
    ? !expires(timeInForce)
    : ordType !== OrdType.stop || mayRest(timeInForce);

export const mayBePostOnly = (ordType: OrdType, timeInForce: TimeInForce): boolean =>
  isLimit(ordType) && mayRest(timeInForce);

export const mayBeIceberg = (ordType: OrdType, timeInForce: TimeInForce): boolean =>
  ordType === OrdType.limit && mayRest(timeInForce);

/** True if a quote amount may replace the quantity. A stop that sells reserves a quantity. */
export const mayBeByQuote = (ordType: OrdType, side: Side): boolean =>
  !isLimit(ordType) && (!isStop(ordType) || side === Side.buy);

/** One taker meets one iceberg at most this often. */
export const MAX_ICEBERG_PARTS = 100;

/** An iceberg shows at least the minimum of the pair, and a hundredth of its quantity. */
export const minDisplay = (orderQty: number, minQuantity: number): number =>
  Math.max(Math.ceil(orderQty / MAX_ICEBERG_PARTS), minQuantity);

/** A triggered stop buys at up to this share of its stopPx, in percent: more it does not hold. */
export const PROTECTION_PERCENT = 105;

/** True if a stop of this side triggers upward, unless it says otherwise. */
export const triggersUp = (side: Side): boolean => side === Side.buy;

/** The largest distance of a trailing stop: in basis points, and of a price in ticks. */
export const MAX_TRAILING_DELTA = 5_000;
export const maxTrailingAmount = (price: number): number =>
  Math.floor(price * (MAX_TRAILING_DELTA / BASIS_POINTS));

const BASIS_POINTS = 10_000;

/**
 * The trigger of a stop that trails the best price since it began. `trail` is a distance in basis
 * points above 0, in ticks below 0. A trigger that no price reaches is 0 downward, Infinity upward.
 */
export function trailingTrigger(best: number, trail: number, isUp: boolean): number {
  const whole = Math.floor(best / BASIS_POINTS);
  const rest = best % BASIS_POINTS;
  // Exact, where best × trail might not be.
  const distance = trail < 0 ? -trail : whole * trail + Math.ceil((rest * trail) / BASIS_POINTS);
  if (!isUp) return Math.max(best - distance, 0);
  return Number.isSafeInteger(best + distance) ? best + distance : Number.POSITIVE_INFINITY;
}

export const isReached = (lastPrice: number, stopPx: number, isUp: boolean): boolean =>
  isUp ? lastPrice >= stopPx : lastPrice <= stopPx;

/** True if a limit order and its stop are on two sides of the market: a sale is above its stop. */
export const areApart = (price: number, stopPx: number, sells: boolean): boolean =>
  sells ? price > stopPx : price < stopPx;

/**
 * The price at which an order is expected to trade, where the market is at `market`; a market order
 * has no price of its own. 0: not known.
 */
export function entryPrice(side: Side, price: number, market: number): number {
  if (price === 0 || market === 0) return price === 0 ? market : price;
  const crosses = side === Side.buy ? price >= market : price <= market;
  return crosses ? market : price;
}

/** One tick above or below a price; null if that is no price. */
export function nextTick(price: number, isUp: boolean): number | null {
  const next = isUp ? price + 1 : price - 1;
  return next > 0 && Number.isSafeInteger(next) ? next : null;
}

export const hasPassed = (expireTime: number, now: number): boolean => expireTime <= now;

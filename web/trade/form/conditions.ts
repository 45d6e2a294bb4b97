// Faults of the terms that version 2 adds: triggers, exits, the shown quantity and the expiry. Each
// names the nearest value that passes.

import {
  areApart,
  entryPrice,
  hasPassed,
  isReached,
  MAX_TRAILING_DELTA,
  maxTrailingAmount,
  minDisplay,
} from '../../../src/contract/trading/order-rules.ts';
import { Side } from '../../../src/sdk/index.ts';
import { compare, type Decimal, max, min } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { trade as t } from '../../messages/trade.ts';
import type { Pair } from '../pair.ts';
import type { Draft, NewOrder } from './draft.ts';
import { type FormFault, fromSteps, inSteps, isOn, nearestOn, tickBeside } from './fault.ts';
import { OPPOSITE, triggersUp } from './kinds.ts';
import { typedPrice } from './order-terms.ts';

/** The last price and the clock of the exchange, ms; null while unknown. */
export interface Now {
  readonly last: Decimal | null;
  readonly businessTime: number | null;
}

export function conditionFault(
  draft: Draft,
  order: NewOrder,
  pair: Pair,
  now: Now,
): FormFault | null {
  return (
    stepFault(order, pair) ??
    triggerFault(draft, order, pair, now.last) ??
    apartFault(draft, order, pair) ??
    shownFault(order, pair) ??
    expiryFault(order, now.businessTime)
  );
}

const exitsOf = ({ oco, bracket }: NewOrder) => oco ?? bracket;

function stepFault(order: NewOrder, { tick, quote }: Pair): FormFault | null {
  const exits = exitsOf(order);
  const prices = [
    ['stopPrice', order.stopPx ?? exits?.stopPx],
    ['stopLimit', exits?.stopLimitPx],
    ['takeProfit', order.bracket?.takeProfitPx],
  ] as const;
  for (const [field, price] of prices) {
    if (price === undefined || isOn(price, tick)) continue;
    const text = t.fault.priceStep(`${grouped(tick)} ${quote}`);
    return { field, text, nearest: nearestOn(price, tick) };
  }
  return null;
}

/** A distance too far or off its step. Only a valid percentage makes an order. */
export function distanceFault(
  { kind, trailBy: field, stopPrice, ...typed }: Draft,
  { tick, quote }: Pair,
  last: Decimal | null,
): FormFault | null {
  const distance = typedPrice(typed[field]);
  if (kind !== 'trailingStop' || distance === null) return null;
  const isPercent = field === 'trailingPercent';
  const step = isPercent ? '0.01' : tick;
  const text = (value: Decimal) => (isPercent ? `${value}%` : `${grouped(value)} ${quote}`);
  const from = typedPrice(stopPrice) ?? last;
  const ticks = from === null ? null : maxTrailingAmount(inSteps(from, tick));
  const maximum = isPercent
    ? fromSteps(MAX_TRAILING_DELTA, step)
    : ticks === null
      ? null
      : fromSteps(ticks, tick);
  const isFar = maximum !== null && compare(distance, maximum) > 0;
  if (isFar) return { field, text: t.fault.distanceTooFar(text(maximum)), nearest: maximum };
  if (isOn(distance, step)) return null;
  return { field, text: t.fault.distanceStep(text(step)), nearest: nearestOn(distance, step) };
}

/** A trigger that the last price has reached: the exchange rejects it. */
function triggerFault(
  { kind, side }: Draft,
  order: NewOrder,
  pair: Pair,
  last: Decimal | null,
): FormFault | null {
  const trigger = order.stopPx ?? order.oco?.stopPx;
  if (trigger === undefined || last === null) return null;
  const up = triggersUp(kind, side);
  if (!isReached(inSteps(last, pair.tick), inSteps(trigger, pair.tick), up)) return null;
  return {
    field: 'stopPrice',
    text: t.fault.triggerReached(
      kind === 'trailingStop',
      up,
      `${grouped(last, pair.priceDecimals)} ${pair.quote}`,
    ),
    nearest: tickBeside(last, up, pair),
    ...(OPPOSITE[kind] === undefined ? {} : { kind: OPPOSITE[kind] }),
  };
}

/** The limit order and the stop of an OCO pair stand on two sides of the market. */
function apartFault({ side }: Draft, order: NewOrder, pair: Pair): FormFault | null {
  const exits = exitsOf(order);
  if (exits === undefined) return null;
  const sells = (side === Side.sell) === (order.bracket === undefined);
  const profit = order.bracket?.takeProfitPx ?? order.price!;
  if (areApart(inSteps(profit, pair.tick), inSteps(exits.stopPx, pair.tick), sells)) return null;
  return {
    field: 'stopPrice',
    text: t.fault.exitsApart(sells, order.bracket === undefined),
    nearest: tickBeside(profit, !sells, pair),
  };
}

/** A target or a stop that the price of the entry has reached: the exchange rejects it. */
export function exitFault(
  { side, price, bracket }: NewOrder,
  pair: Pair,
  best: Decimal | null,
): FormFault | null {
  if (bracket === undefined) return null;
  const steps = (value: Decimal | null | undefined) =>
    value == null ? 0 : inSteps(value, pair.tick);
  const entry = entryPrice(side, steps(price), steps(best));
  if (entry === 0) return null;
  const entryPx = fromSteps(entry, pair.tick);
  const buys = side === Side.buy;
  const exits = [
    ['takeProfit', bracket.takeProfitPx, buys],
    ['stopPrice', bracket.stopPx, !buys],
  ] as const;
  for (const [field, exit, isAbove] of exits) {
    if (areApart(steps(exit), entry, isAbove)) continue;
    const priceText = `${grouped(entryPx, pair.priceDecimals)} ${pair.quote}`;
    const text = t.fault.exitReached(field === 'takeProfit', isAbove, priceText);
    return { field, text, nearest: tickBeside(entryPx, isAbove, pair) };
  }
  return null;
}

function shownFault({ displayQty, orderQty = '0' }: NewOrder, pair: Pair): FormFault | null {
  if (displayQty === undefined) return null;
  const { lot, base, minQuantity } = pair;
  const parts = minDisplay(inSteps(orderQty, lot), inSteps(minQuantity, lot));
  const minimum = fromSteps(parts, lot);
  const field = 'shown';
  if (!isOn(displayQty, lot)) {
    const text = t.fault.quantityStep(`${grouped(lot)} ${base}`);
    return { field, text, nearest: max(nearestOn(displayQty, lot), minimum) };
  }
  if (compare(displayQty, minimum) < 0) {
    const nearest = min(minimum, orderQty);
    return { field, text: t.fault.shownTooSmall(`${grouped(minimum)} ${base}`), nearest };
  }
  if (compare(displayQty, orderQty) <= 0) return null;
  return { field, text: t.fault.shownTooLarge, nearest: orderQty };
}

function expiryFault({ expireTime }: NewOrder, businessTime: number | null): FormFault | null {
  if (expireTime === undefined || businessTime === null) return null;
  if (!hasPassed(expireTime, businessTime)) return null;
  return { field: 'expires', text: t.fault.expired, nearest: null };
}

// Faults of the terms that version 2 adds: triggers, exits, the shown quantity and the expiry. Each
// names the nearest value that passes.
import { Side } from '../../../src/sdk/generated/codes.ts';
import {
  add,
  ceilTo,
  compare,
  type Decimal,
  isPositive,
  max,
  min,
  multiply,
  subtract,
} from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { trade as t } from '../../messages/trade.ts';
import type { Pair } from '../pair.ts';
import type { Draft, NewOrder } from './draft.ts';
import { type FormFault, isOn, nearestOn } from './fault.ts';
import { triggersUp } from './kinds.ts';

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

/** A trigger that the last price has reached: the exchange refuses it. */
function triggerFault(
  { kind, side }: Draft,
  order: NewOrder,
  pair: Pair,
  last: Decimal | null,
): FormFault | null {
  const trigger = order.stopPx ?? order.oco?.stopPx;
  if (trigger === undefined || last === null) return null;
  const up = triggersUp(kind, side);
  const isReached = up ? compare(last, trigger) >= 0 : compare(last, trigger) <= 0;
  if (!isReached) return null;
  const nearest = up ? add(last, pair.tick) : subtract(last, pair.tick);
  return {
    field: 'stopPrice',
    text: t.fault.triggerReached(up, `${grouped(last, pair.priceDecimals)} ${pair.quote}`),
    nearest: isPositive(nearest) ? nearest : null,
  };
}

/** The limit order and the stop of an OCO pair stand on two sides of the market. */
function apartFault({ side }: Draft, order: NewOrder, { tick }: Pair): FormFault | null {
  const exits = exitsOf(order);
  if (exits === undefined) return null;
  const sells = (side === Side.sell) === (order.bracket === undefined);
  const profit = order.bracket?.takeProfitPx ?? order.price!;
  const isApart = sells ? compare(profit, exits.stopPx) > 0 : compare(profit, exits.stopPx) < 0;
  if (isApart) return null;
  const nearest = sells ? subtract(profit, tick) : add(profit, tick);
  return {
    field: 'stopPrice',
    text: t.fault.exitsApart(sells, order.bracket === undefined),
    nearest: isPositive(nearest) ? nearest : null,
  };
}

/** An iceberg shows at least a hundredth of its quantity. */
const MIN_SHARE = '0.01';

function shownFault({ displayQty, orderQty = '0' }: NewOrder, pair: Pair): FormFault | null {
  if (displayQty === undefined) return null;
  const { lot, base, minQuantity } = pair;
  const minimum = ceilTo(max(minQuantity, multiply(orderQty, MIN_SHARE)), lot);
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
  if (expireTime === undefined || businessTime === null || expireTime > businessTime) return null;
  return { field: 'expires', text: t.fault.expired, nearest: null };
}

// Validation of the order form: from a draft to an order, or to a fault with the nearest value that
// would pass. Rules that need the server's state, such as the price band, are left to the exchange.
import { type Level, Side } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { trade as t } from '../../messages/trade.ts';
import { shortageText } from '../figures.ts';
import type { Pair } from '../pair.ts';
import { conditionFault, distanceFault, type Now } from './conditions.ts';
import type { Draft, NewOrder } from './draft.ts';
import { affordable, type Estimate, type Market, walkQuantity, walkTotal } from './estimate.ts';
import { type FormFault, isOn, nearestOn, tickBeside } from './fault.ts';
import { KINDS } from './kinds.ts';
import { holdPriceOf, orderOf, priceOf } from './order-terms.ts';

export interface FormState {
  /** The draft as an order, valid or not; null while something is missing. */
  readonly order: NewOrder | null;
  readonly fault: FormFault | null;
}

/** The total in quote, as typed or price × quantity; null while unknown. */
export function totalOf(draft: Draft): d.Decimal | null {
  const typed = d.fromInput(draft.amount);
  if (typed === null || draft.basis === 'total') return typed;
  const price = priceOf(draft);
  return price === null ? null : d.multiply(price, typed);
}

export const PERCENTS = [25, 50, 75, 100] as const;
export type Percent = (typeof PERCENTS)[number];

/**
 * A share of the balance as the amount of the form, on the pair's grid. `asks` are what a market
 * buy would take, best first. null if a buy has no price yet.
 */
export function withShare(
  draft: Draft,
  pair: Pair,
  available: d.Decimal,
  percent: Percent,
  asks: readonly Level[],
  last: d.Decimal | null = null,
): Pick<Draft, 'basis' | 'amount'> | null {
  // Fees do not count, because they are taken from what is received.
  const budget = d.multiply(available, percent === 100 ? '1' : `0.${percent}`);
  if (draft.side === Side.sell) return { basis: 'quantity', amount: d.floorTo(budget, pair.lot) };
  if (!KINDS[draft.kind].hasPrice && draft.basis === 'total') {
    return { basis: 'total', amount: d.floorTo(budget, pair.tick) };
  }
  if (!isMarket(draft)) {
    const price = holdPriceOf(draft, pair, last);
    if (price === null) return null;
    return { basis: 'quantity', amount: affordable(budget, price, pair.lot) };
  }
  if (asks.length === 0) return null;
  const market = { pair, levels: asks, rates: null, available };
  const { quantity } = walkTotal(draft.side, budget, market);
  return { basis: 'quantity', amount: quantity };
}

const UNKNOWN: Now = { last: null, businessTime: null };

/** `available` is the balance of the asset that the order pays with; null while unknown. */
export function validate(
  draft: Draft,
  pair: Pair,
  available: d.Decimal | null,
  now: Now = UNKNOWN,
): FormState {
  const order = orderOf(draft, pair);
  const distance = distanceFault(draft, pair, now.last);
  if (order === null || distance !== null) return { order, fault: distance };
  const { price, orderQty, quoteOrderQty } = order;
  const fault =
    priceFault(price, pair) ??
    (quoteOrderQty === undefined
      ? quantityFault(draft, orderQty!, pair, { available, last: now.last })
      : totalFault(quoteOrderQty, pair, draft.side === Side.buy ? available : null)) ??
    conditionFault(draft, order, pair, now);
  return { order, fault };
}

const isMarket = ({ kind }: Draft): boolean => kind === 'market';

function priceFault(price: d.Decimal | undefined, { tick, quote }: Pair): FormFault | null {
  if (price === undefined || isOn(price, tick)) return null;
  const text = t.fault.priceStep(`${grouped(tick)} ${quote}`);
  return { field: 'price', text, nearest: nearestOn(price, tick) };
}

/** For a market order by total; `available` is null for a sell, which does not pay with quote. */
function totalFault(total: d.Decimal, pair: Pair, available: d.Decimal | null): FormFault | null {
  const { tick, quote, minTotal } = pair;
  const field = 'total';
  const maximum = available === null ? null : d.floorTo(available, tick);
  const nearest = between(nearestOn(total, tick), d.ceilTo(minTotal, tick), maximum);
  if (!isOn(total, tick)) {
    return { field, text: t.fault.totalStep(`${grouped(tick)} ${quote}`), nearest };
  }
  if (d.compare(total, minTotal) < 0) {
    return { field, text: t.fault.minimumTotal(`${grouped(minTotal)} ${quote}`), nearest };
  }
  if (available !== null && d.compare(total, available) > 0) {
    const text = shortageText({ cost: total, available }, quote, pair);
    return { field, text, nearest, isShort: true };
  }
  return null;
}

/** null while unknown. */
interface Known extends Pick<Now, 'last'> {
  readonly available: d.Decimal | null;
}

function quantityFault(
  draft: Draft,
  quantity: d.Decimal,
  pair: Pair,
  known: Known,
): FormFault | null {
  const { available, last } = known;
  const { lot, base, quote, minTotal } = pair;
  const field = draft.basis;
  const price = priceOf(draft);
  const minimum = minimumQuantity(pair, price);
  const maximum = maximumQuantity(draft, pair, known);
  const valid = between(nearestOn(quantity, lot), minimum, maximum);
  /** The valid quantity, as a total if the user typed a total. */
  const nearest = valid === null || field === 'quantity' ? valid : d.multiply(valid, price!);
  const fault = (text: string): FormFault => ({ field, text, nearest });
  if (!isOn(quantity, lot)) return fault(t.fault.quantityStep(`${grouped(lot)} ${base}`));
  if (d.compare(quantity, pair.minQuantity) < 0) {
    return fault(t.fault.minimumQuantity(`${grouped(pair.minQuantity)} ${base}`));
  }
  if (price !== null && d.compare(d.multiply(price, quantity), minTotal) < 0) {
    return fault(t.fault.minimumTotal(`${grouped(minTotal)} ${quote}`));
  }
  if (maximum === null || d.compare(quantity, maximum) <= 0) return null;
  const [cost, asset] =
    draft.side === Side.buy
      ? [d.multiply(holdPriceOf(draft, pair, last)!, quantity), quote]
      : [quantity, base];
  return { ...fault(shortageText({ cost, available: available! }, asset, pair)), isShort: true };
}

/** The value within bounds; null if no value is. An unknown maximum is no bound. */
function between(
  value: d.Decimal,
  minimum: d.Decimal,
  maximum: d.Decimal | null,
): d.Decimal | null {
  if (maximum === null) return d.max(value, minimum);
  return d.compare(maximum, minimum) < 0 ? null : d.min(d.max(value, minimum), maximum);
}

/** The smallest quantity that both minimums allow at a price. */
function minimumQuantity({ lot, minQuantity, minTotal }: Pair, price: d.Decimal | null): d.Decimal {
  const minimum = d.ceilTo(minQuantity, lot);
  if (price === null) return minimum;
  const perLot = d.multiply(price, lot);
  const lots = d.divideDown(minTotal, perLot, 0);
  const enough = d.compare(d.multiply(lots, perLot), minTotal) < 0 ? d.add(lots, '1') : lots;
  return d.max(minimum, d.multiply(enough, lot));
}

/** The largest quantity that the balance covers; null if it depends on the book, or is unknown. */
function maximumQuantity(draft: Draft, pair: Pair, { available, last }: Known): d.Decimal | null {
  if (available === null) return null;
  if (draft.side === Side.sell) return d.floorTo(available, pair.lot);
  const price = holdPriceOf(draft, pair, last);
  return price === null ? null : affordable(available, price, pair.lot);
}

/** Why the pair does not accept this order now; null if it does. */
export function closedReason({ kind, postOnly }: Draft, { status }: Pair): string | null {
  if (status === 'POST_ONLY' && kind === 'limit' && postOnly) return null;
  return t.status[status].sentence;
}

/** Why the exchange would reject the order in the current book; null if it may pass. */
export const bookFault = (draft: Draft, market: Market, estimate: Estimate): FormFault | null =>
  isMarket(draft)
    ? marketFault(draft, market, estimate)
    : restingFault(draft, market.pair, estimate);

function marketFault(
  { side, basis }: Draft,
  market: Market,
  { taken }: Estimate,
): FormFault | null {
  const { pair, levels, available } = market;
  if (levels === undefined) return null;
  const buys = side === Side.buy;
  const [best] = levels;
  if (best === undefined) {
    const text = t.fault.emptyBook(pair.base, buys);
    return { field: buys ? 'total' : 'quantity', text, nearest: null };
  }
  if (taken.ownPx !== null && d.isZero(taken.quantity)) {
    const text = t.fault.ownOrderFirst(`${grouped(taken.ownPx, pair.priceDecimals)} ${pair.quote}`);
    return { field: basis, text, nearest: null };
  }
  if (d.isZero(taken.quantity)) {
    const minimum = d.ceilTo(d.multiply(best[0], pair.lot), pair.tick);
    const text = t.fault.totalTooSmall(`${grouped(pair.lot)} ${pair.base}`, buys);
    return { field: 'total', text, nearest: d.max(minimum, pair.minTotal) };
  }
  if (available === null) return null;
  if (!buys && basis === 'total') return soldFault(taken.quantity, available, market);
  if (!buys || basis === 'total') return null;
  if (d.compare(taken.quote, available) <= 0) return null;
  // Levels beyond the book that was read cost more.
  const isMinimum = taken.isBeyondBook;
  const { quantity } = walkTotal(side, available, market);
  return {
    field: 'quantity',
    text: shortageText({ cost: taken.quote, available, isMinimum }, pair.quote, pair),
    isShort: true,
    nearest: d.compare(quantity, pair.minQuantity) < 0 ? null : quantity,
  };
}

/** A sell by total that would sell more than is available. */
function soldFault(sold: d.Decimal, available: d.Decimal, market: Market): FormFault | null {
  if (d.compare(sold, available) <= 0) return null;
  const { pair } = market;
  const total = d.floorTo(walkQuantity(Side.sell, available, market).quote, pair.tick);
  return {
    field: 'total',
    text: shortageText({ cost: sold, available }, pair.base, pair),
    isShort: true,
    nearest: d.compare(total, pair.minTotal) < 0 ? null : total,
  };
}

/** A post-only order, or the limit order of an OCO pair, that would execute. */
function restingFault(
  { kind, side, postOnly }: Draft,
  pair: Pair,
  estimate: Estimate,
): FormFault | null {
  const { best } = estimate;
  const isOco = kind === 'oco';
  const hasToRest = isOco || (postOnly && KINDS[kind].mayPostOnly);
  if (!hasToRest || best === null || !estimate.crosses) return null;
  const text = t.fault.executes(isOco);
  return { field: 'price', text, nearest: tickBeside(best, side === Side.sell, pair) };
}

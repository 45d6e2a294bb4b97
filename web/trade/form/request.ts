// From what the form shows to the order that is sent: the derived field, what is wrong with it and what would be right, and
// the request itself. What cannot be known here (the price band, a balance that has just changed) the exchange says.
import { OrdType, Side } from '../../../src/sdk/codes.ts';
import {
  add,
  ceilTo,
  compare,
  type Decimal,
  divideDown,
  floorTo,
  fromInput,
  isPositive,
  max,
  multiply,
  subtract,
} from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { shortageText } from '../figures.ts';
import { type Pair, STATUS_WORDS } from '../pair.ts';
import type { Draft } from './draft.ts';
import { affordable } from './estimate.ts';
import { type NewOrder, POST_ONLY } from './submission.ts';

export type FormField = 'price' | 'quantity' | 'total';

export interface FormFault {
  readonly field: FormField;
  /** A sentence for a person. */
  readonly text: string;
  /** The closest value that would pass, if there is one. */
  readonly nearest: Decimal | null;
}

/** What the form comes to. */
export type FormOutcome =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'fault'; readonly fault: FormFault }
  | { readonly kind: 'ready'; readonly order: NewOrder };

/** The limit price as a decimal; null for a market order, and while there is none. */
export function priceOf({ kind, price }: Draft): Decimal | null {
  const typed = kind === 'limit' ? fromInput(price) : null;
  return typed !== null && isPositive(typed) ? typed : null;
}

/** The quantity in base, typed or what the total buys; null while it is not known. */
export function quantityOf(draft: Draft, pair: Pair): Decimal | null {
  const typed = fromInput(draft.amount);
  if (typed === null || draft.basis === 'quantity') return typed;
  const price = priceOf(draft);
  return price === null ? null : affordable(typed, price, pair.lot);
}

/** The total in quote, typed or price × quantity; null while it is not known. */
export function totalOf(draft: Draft): Decimal | null {
  const typed = fromInput(draft.amount);
  if (typed === null || draft.basis === 'total') return typed;
  const price = priceOf(draft);
  return price === null ? null : multiply(price, typed);
}

/** `available` is the balance of the asset that is paid with; null while it is not known. */
export function outcomeOf(draft: Draft, pair: Pair, available: Decimal | null): FormOutcome {
  const order = draftedOrder(draft, pair);
  if (order === null) return { kind: 'incomplete' };
  const price = priceOf(draft);
  const amount = fromInput(draft.amount)!;
  const byTotal = draft.kind === 'market' && draft.basis === 'total';
  const fault =
    priceFault(price, pair) ??
    (byTotal
      ? totalFault(amount, pair, available)
      : quantityFault(draft, quantityOf(draft, pair)!, pair, available));
  if (fault !== null) return { kind: 'fault', fault };
  return { kind: 'ready', order };
}

/** What is written in the form as an order, whatever may be wrong with it; null while something is missing. */
export function draftedOrder(draft: Draft, pair: Pair): NewOrder | null {
  const price = priceOf(draft);
  const amount = fromInput(draft.amount);
  if (amount === null || (draft.kind === 'limit' && price === null)) return null;
  const head = { symbol: pair.symbol, side: draft.side };
  if (price === null) {
    const size = draft.basis === 'total' ? { quoteOrderQty: amount } : { orderQty: amount };
    return { ...head, ordType: OrdType.market, ...size };
  }
  const limit = {
    ...head,
    ordType: OrdType.limit,
    price,
    orderQty: quantityOf(draft, pair)!,
  } as const;
  return draft.postOnly ? { ...limit, execInst: POST_ONLY } : limit;
}

function priceFault(price: Decimal | null, { tick, quote }: Pair): FormFault | null {
  if (price === null || isOn(price, tick)) return null;
  const text = `Prices are multiples of ${tick} ${quote}.`;
  return { field: 'price', text, nearest: nearestOn(price, tick) };
}

/** Of a market buy that spends a total. */
function totalFault(total: Decimal, pair: Pair, available: Decimal | null): FormFault | null {
  const { tick, quote, minTotal } = pair;
  const fault = (text: string, nearest: Decimal | null): FormFault => ({
    field: 'total',
    text,
    nearest,
  });
  if (!isOn(total, tick)) {
    return fault(`Totals are multiples of ${tick} ${quote}.`, nearestOn(total, tick));
  }
  if (compare(total, minTotal) < 0) {
    return fault(minimumText('total', minTotal, quote), ceilTo(minTotal, tick));
  }
  if (available !== null && compare(total, available) > 0) {
    const most = floorTo(available, tick);
    const text = shortageText({ cost: total, available }, quote, pair);
    return fault(text, compare(most, minTotal) < 0 ? null : most);
  }
  return null;
}

function quantityFault(
  draft: Draft,
  quantity: Decimal,
  pair: Pair,
  available: Decimal | null,
): FormFault | null {
  const { lot, base, quote, minTotal } = pair;
  const field = draft.basis === 'total' ? 'total' : 'quantity';
  const price = priceOf(draft);
  /** Of a quantity; shown and taken over as a total where that is what was typed. */
  const fault = (text: string, nearest: Decimal | null): FormFault => ({
    field,
    text,
    nearest: nearest === null || field === 'quantity' ? nearest : multiply(nearest, price!),
  });
  if (!isOn(quantity, lot)) {
    return fault(`Quantities are multiples of ${lot} ${base}.`, nearestOn(quantity, lot));
  }
  const least = leastQuantity(pair, price);
  if (compare(quantity, pair.minQuantity) < 0) {
    return fault(minimumText('quantity', pair.minQuantity, base), least);
  }
  if (price !== null && compare(multiply(price, quantity), minTotal) < 0) {
    return fault(minimumText('total', minTotal, quote), least);
  }
  const affords = mostAffordable(draft, pair, available);
  if (affords === null || compare(quantity, affords) <= 0) return null;
  const [cost, asset] =
    draft.side === Side.buy ? [multiply(price!, quantity), quote] : [quantity, base];
  const text = shortageText({ cost, available: available! }, asset, pair);
  return fault(text, compare(affords, least) < 0 ? null : affords);
}

/** The smallest quantity that both minimums admit at a price. */
export function leastQuantity(
  { lot, minQuantity, minTotal }: Pair,
  price: Decimal | null,
): Decimal {
  const least = ceilTo(minQuantity, lot);
  if (price === null) return least;
  const perLot = multiply(price, lot);
  const lots = divideDown(minTotal, perLot, 0);
  const enough = compare(multiply(lots, perLot), minTotal) < 0 ? add(lots, '1') : lots;
  return max(least, multiply(enough, lot));
}

/** The largest quantity that a balance covers; null where that depends on the book, or is not known. */
export function mostAffordable(
  draft: Draft,
  { lot }: Pair,
  available: Decimal | null,
): Decimal | null {
  if (available === null) return null;
  if (draft.side === Side.sell) return floorTo(available, lot);
  const price = priceOf(draft);
  return price === null ? null : affordable(available, price, lot);
}

const minimumText = (what: string, minimum: Decimal, asset: string): string =>
  `The minimum ${what} is ${grouped(minimum)} ${asset}.`;

/** The asset that a field is measured in. */
export const unitOf = (field: FormField, { base, quote }: Pair): string =>
  field === 'quantity' ? base : quote;

const isOn = (value: Decimal, step: Decimal): boolean => compare(floorTo(value, step), value) === 0;

/** The closer of the two steps around a value, the lower one of two that are equally close; never 0. */
function nearestOn(value: Decimal, step: Decimal): Decimal {
  const [below, above] = [floorTo(value, step), ceilTo(value, step)];
  const isLower = compare(subtract(value, below), subtract(above, value)) <= 0;
  return isLower && isPositive(below) ? below : above;
}

/** Why this order cannot be placed in the pair as it stands; null where it can. */
export function closedFor({ kind, postOnly }: Draft, { status }: Pair): string | null {
  if (status === 'POST_ONLY' && kind === 'limit' && postOnly) return null;
  return STATUS_WORDS[status].sentence;
}

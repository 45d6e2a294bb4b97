// From a draft to the order that is sent. It leaves out what the kind of the order does not have.
import {
  MAX_TRAILING_DELTA,
  mayRest,
  PROTECTION_PERCENT,
} from '../../../src/contract/trading/order-rules.ts';
import { ceilTo, type Decimal, fromInput, isPositive, multiply } from '../../exact/decimal.ts';
import { instantOf } from '../../exact/zone.ts';
import { firstTrigger } from '../orders/trailing.ts';
import type { Pair } from '../pair.ts';
import { type Draft, type NewOrder, POST_ONLY } from './draft.ts';
import { affordable } from './estimate.ts';
import { isStopKind, KINDS, TIMES_IN_FORCE, triggersUp, waitsForProfit } from './kinds.ts';

/** A typed price; null for a price that is not a positive number. */
export function typedPrice(text: string): Decimal | null {
  const typed = fromInput(text);
  return typed !== null && isPositive(typed) ? typed : null;
}

/** The limit price; null for an order without one, and while it is incomplete. */
export const priceOf = ({ kind, price }: Draft): Decimal | null =>
  KINDS[kind].hasPrice ? typedPrice(price) : null;

/**
 * The price that the exchange holds money at: the limit, or for a stop that buys at market its
 * protection price. null while unknown, and for a market order.
 */
export function holdPriceOf(draft: Draft, { tick }: Pair, last: Decimal | null): Decimal | null {
  if (!isStopKind(draft.kind) || KINDS[draft.kind].hasPrice) return priceOf(draft);
  const terms = conditionsOf(draft);
  const trigger = terms && firstTrigger({ side: draft.side, ...terms }, last, tick);
  return trigger === null ? null : ceilTo(multiply(trigger, `${PROTECTION_PERCENT / 100}`), tick);
}

/** The quantity in base, as typed or as bought by the total; null while unknown. */
export function quantityOf(draft: Draft, pair: Pair): Decimal | null {
  const typed = fromInput(draft.amount);
  if (typed === null || draft.basis === 'quantity') return typed;
  const price = priceOf(draft);
  return price === null ? null : affordable(typed, price, pair.lot);
}

/** The order of a draft, valid or not; null while something is missing. */
export function orderOf(draft: Draft, pair: Pair): NewOrder | null {
  const { kind, side } = draft;
  const { ordType, hasPrice } = KINDS[kind];
  const amount = fromInput(draft.amount);
  const price = priceOf(draft);
  const terms = termsOf(draft);
  if (amount === null || terms === null || (hasPrice && price === null)) return null;
  const head = { symbol: pair.symbol, side, ordType };
  if (price !== null) {
    return { ...head, price, orderQty: quantityOf(draft, pair)!, ...terms };
  }
  const size = draft.basis === 'total' ? { quoteOrderQty: amount } : { orderQty: amount };
  return { ...head, ...size, ...terms };
}

type Terms = Omit<NewOrder, 'symbol' | 'side' | 'ordType' | 'orderQty' | 'price'>;

/** The terms besides price and size; null while one is missing. */
function termsOf(draft: Draft): Terms | null {
  const { kind, side, prevention } = draft;
  const conditions = conditionsOf(draft);
  const time = timeOf(draft);
  if (conditions === null || time === null) return null;
  const rests = mayRest(time.timeInForce ?? TIMES_IN_FORCE.GTC);
  const { mayPostOnly, mayHide } = KINDS[kind];
  const shown = fromInput(draft.shown);
  return {
    ...(draft.postOnly && mayPostOnly && rests ? { execInst: POST_ONLY } : {}),
    ...conditions,
    ...(waitsForProfit(kind) && conditions.stopPx !== undefined
      ? { triggerPriceDirection: triggersUp(kind, side) ? ('U' as const) : ('D' as const) }
      : {}),
    ...time,
    ...(mayHide && rests && shown !== null ? { displayQty: shown } : {}),
    ...(prevention === null ? {} : { selfTradePrevention: prevention }),
  };
}

/** The trigger, and the exits of an OCO pair or a bracket. */
function conditionsOf(draft: Draft): Terms | null {
  const { kind } = draft;
  if (!KINDS[kind].hasTrigger) return {};
  if (kind === 'trailingStop') return trailOf(draft);
  const [stopPx, limit] = [typedPrice(draft.stopPrice), typedPrice(draft.stopLimit)];
  if (stopPx === null) return null;
  if (isStopKind(kind)) return { stopPx };
  if (draft.stopLimit !== '' && limit === null) return null;
  const exits = { stopPx, ...(limit === null ? {} : { stopLimitPx: limit }) };
  if (kind === 'oco') return { oco: exits };
  const takeProfitPx = typedPrice(draft.takeProfit);
  return takeProfitPx === null ? null : { bracket: { takeProfitPx, ...exits } };
}

/** The distance of a trailing stop, and the price from which it trails. */
function trailOf({ trailBy, stopPrice, ...typed }: Draft): Terms | null {
  const [distance, stopPx] = [typedPrice(typed[trailBy]), typedPrice(stopPrice)];
  if (distance === null || (stopPrice !== '' && stopPx === null)) return null;
  const from = stopPx === null ? {} : { stopPx };
  if (trailBy === 'trailingAmount') return { ...from, trailingAmount: distance };
  const trailingDelta = Number(multiply(distance, '100'));
  const isValid = Number.isInteger(trailingDelta) && trailingDelta <= MAX_TRAILING_DELTA;
  return isValid ? { ...from, trailingDelta } : null;
}

/** Good till cancel is the default, so it is left out. */
function timeOf(draft: Draft): Pick<NewOrder, 'timeInForce' | 'expireTime'> | null {
  const time = timeInForceOf(draft);
  if (time === 'GTC') return {};
  const timeInForce = TIMES_IN_FORCE[time];
  if (time !== 'GTD') return { timeInForce };
  const expireTime = instantOf(draft.expires);
  return Number.isNaN(expireTime) ? null : { timeInForce, expireTime };
}

/** The chosen time in force, if the kind may have it. */
export const timeInForceOf = ({ kind, timeInForce }: Draft) =>
  KINDS[kind].times.includes(timeInForce) ? timeInForce : 'GTC';

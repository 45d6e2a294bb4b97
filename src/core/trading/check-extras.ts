// The checks of the terms that v1 does not know (order-extras.ts). The edge has rejected what no
// state would accept, with better words; checkForm rejects it once more.
import type { PlaceOrder } from '../command.ts';
import {
  isLimit,
  isStop,
  opposite,
  SelfTradePrevention,
  Side,
  TriggerPriceDirection,
} from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { nextPrice } from '../matching/incoming.ts';
import type { Bracket, OrderExtras } from '../order-extras.ts';
import * as rules from '../order-rules.ts';
import { inLots, inTicks, measures, type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { type Lots, type Ticks, ticks } from '../units.ts';
import type { Work } from '../work.ts';
import { crossesBest, matchAhead } from './enter.ts';
import { checkPrice } from './price-band.ts';
import { checkDistance, directionOf, firstTrigger } from './trailing.ts';

/** Rejects terms that do not fit one another. */
export function checkForm(order: PlaceOrder, extras: OrderExtras): Reject | null {
  const { ordType, side, price, orderQty, quoteOrderQty } = order;
  const { timeInForce, displayQty, stopPx, triggerPriceDirection, trail, bracket } = extras;
  const waits = isStop(ordType);
  const fault = (field: string): Reject => rejection('invalidTerms', field);
  if (!rules.acceptsTime(ordType, timeInForce)) return fault('timeInForce');
  if ((extras.expireTime !== 0) !== rules.expires(timeInForce)) return fault('expireTime');
  if (order.postOnly && !rules.mayBePostOnly(ordType, timeInForce)) return fault('execInst');
  const hides = displayQty !== 0;
  if (hides && (!rules.mayBeIceberg(ordType, timeInForce) || displayQty > orderQty)) {
    return fault('displayQty');
  }
  if ((price !== 0) !== isLimit(ordType)) return fault('price');
  if ((orderQty === 0) === (quoteOrderQty === 0)) return fault('quoteOrderQty');
  if (quoteOrderQty !== 0 && !rules.mayBeByQuote(ordType, side)) return fault('quoteOrderQty');
  if (trail !== 0 && (!waits || trail > rules.MAX_TRAILING_DELTA)) return fault('trailingDelta');
  if (waits ? stopPx === 0 && trail === 0 : stopPx !== 0) return fault('stopPx');
  if ((triggerPriceDirection !== TriggerPriceDirection.none) !== waits) {
    return fault('triggerPriceDirection');
  }
  const trails = trail !== 0 && stopPx === 0;
  if (trails && triggerPriceDirection !== directionOf(side)) return fault('triggerPriceDirection');
  if (bracket === null) return null;
  if (orderQty === 0 || !areExitsOf(bracket, side)) return fault('bracket');
  return null;
}

/**
 * True if an order of this side may have these exits: of a pair, the profit is beyond the stop. A
 * stop that trails begins when they are placed, and has no stopPx.
 */
export function areExitsOf(bracket: Bracket, side: Side): boolean {
  const { takeProfitPx, stopPx, stopLimitPx, trail } = bracket;
  if (trail !== 0) return trail <= rules.MAX_TRAILING_DELTA && stopPx === 0;
  if (stopPx === 0) return takeProfitPx !== 0 && stopLimitPx === 0;
  return takeProfitPx === 0 || rules.areApart(takeProfitPx, stopPx, side === Side.buy);
}

export function checkTimeAndPrevention(
  state: State,
  instrument: Instrument,
  { expireTime, selfTradePrevention }: Pick<OrderExtras, 'expireTime' | 'selfTradePrevention'>,
): Reject | null {
  const allows = instrument.selfTradePrevention === SelfTradePrevention.none;
  if (selfTradePrevention === SelfTradePrevention.none && !allows) {
    return rejection('preventionRequired', 'selfTradePrevention');
  }
  return expireTime === 0 ? null : checkExpireTime(state, expireTime);
}

export const checkExpireTime = ({ time }: State, expireTime: number): Reject | null =>
  rules.hasPassed(expireTime, time) ? rejection('expireTimePassed', 'expireTime') : null;

export function checkDisplay(
  { securityId, minQuantity }: Instrument,
  orderQty: Lots,
  displayQty: Lots,
): Reject | null {
  if (displayQty === 0 || displayQty >= orderQty) return null;
  const minimum = rules.minDisplay(orderQty, minQuantity);
  if (displayQty >= minimum) return null;
  const bounds = { limit: minimum, value: displayQty, nearest: minimum };
  const inUnit = measures(inLots, securityId, bounds);
  return rejection('displayTooSmall', 'displayQty', 'displayQty', inUnit);
}

/** `trigger`: the first one of a stop; 0 for any other order. */
interface EntryTerms extends Pick<PlaceOrder, 'uid' | 'side' | 'price'> {
  readonly trigger: Ticks;
  readonly extras: OrderExtras;
}

/**
 * Rejects exits that the band would reject at the price at which the order is expected to trade, or
 * that this price has reached.
 */
export function checkExitPrices(
  state: State,
  instrument: Instrument,
  entry: EntryTerms,
  work: Work,
): Reject | null {
  const { bracket } = entry.extras;
  if (bracket === null) return null;
  const { takeProfitPx, stopLimitPx, trail } = bracket;
  const entryPx = entryPrice(state, instrument, entry, work);
  const stopPx = firstTrigger({ lastPrice: entryPx }, opposite(entry.side), bracket);
  const target = 'bracket.takeProfitPx';
  const limit = 'bracket.stopLimitPx';
  return (
    (takeProfitPx === 0 ? null : checkPrice(instrument, takeProfitPx, target, entryPx)) ??
    (stopLimitPx === 0 ? null : checkPrice(instrument, stopLimitPx, limit, stopPx)) ??
    (entryPx === 0
      ? null
      : (checkDistance(instrument.securityId, trail, entryPx, 'bracket.trailingAmount') ??
        checkExitSides(instrument, bracket, entry.side, entryPx)))
  );
}

/**
 * The price at which an order is expected to trade, so the last price then; 0: not known. A stop
 * finds the market at its trigger, any other order at the first order that it would not cancel.
 */
function entryPrice(
  state: State,
  instrument: Instrument,
  { uid, side, price, trigger, extras }: EntryTerms,
  work: Work,
): Ticks {
  const market =
    trigger !== 0
      ? trigger
      : nextPrice({ ...matchAhead(state, instrument, { uid, side }, extras), work });
  return ticks(rules.entryPrice(side, price, market)) || instrument.lastPrice;
}

/** An exit on the wrong side of the entry would trade when it is placed. */
function checkExitSides(
  { securityId }: Instrument,
  { takeProfitPx, stopPx }: Bracket,
  side: Side,
  entryPx: Ticks,
): Reject | null {
  const sells = side === Side.buy;
  const isWrong = (price: Ticks, isAbove: boolean): boolean =>
    price !== 0 && !rules.areApart(price, entryPx, isAbove);
  const reject = (exit: string, value: Ticks, isAbove: boolean): Reject => {
    const bounds = { limit: entryPx, value, nearest: rules.nextTick(entryPx, isAbove) };
    const inUnit = measures(inTicks, securityId, bounds);
    return rejection('exitReached', `bracket.${exit}`, 'entryPrice', inUnit);
  };
  if (isWrong(takeProfitPx, sells)) return reject('takeProfitPx', takeProfitPx, sells);
  return isWrong(stopPx, !sells) ? reject('stopPx', stopPx, !sells) : null;
}

/** Rejects a price that would trade immediately; one tick beyond the best opposite price rests. */
export function checkRests(instrument: Instrument, side: Side, price: Ticks): Reject | null {
  if (!crossesBest(instrument, side, price)) return null;
  const { securityId, book } = instrument;
  const best = book.levelPrice(book.bestAgainst(side));
  const nearest = rules.nextTick(best, side === Side.sell);
  const inUnit = measures(inTicks, securityId, { limit: best, value: price, nearest });
  return rejection('wouldMatch', 'price', 'bestPrice', inUnit);
}

type Trigger = Pick<OrderExtras, 'stopPx' | 'triggerPriceDirection'>;

/** Rejects a stop that the last price has reached already; one tick beyond it would wait. */
export function checkTrigger(instrument: Instrument, trigger: Trigger): Reject | null {
  if (!isReached(instrument, trigger)) return null;
  const { securityId, lastPrice } = instrument;
  const isUp = trigger.triggerPriceDirection === TriggerPriceDirection.up;
  const bounds = { limit: lastPrice, value: trigger.stopPx };
  const nearest = rules.nextTick(lastPrice, isUp);
  const inUnit = measures(inTicks, securityId, { ...bounds, nearest });
  return rejection('wouldTrigger', 'stopPx', 'lastPrice', inUnit);
}

/** Without a last price nothing is reached. */
export function isReached(
  { lastPrice }: Instrument,
  { stopPx, triggerPriceDirection }: Trigger,
): boolean {
  if (stopPx === 0 || lastPrice === 0) return false;
  return rules.isReached(lastPrice, stopPx, triggerPriceDirection === TriggerPriceDirection.up);
}

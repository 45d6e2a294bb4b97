// Amending an open order. A smaller quantity keeps the order's place in its queue; any other change
// of the order replaces it: the checks of a new order, and a new place. The orders of an OCO pair
// share quantity and expiry, so these change in both. A rejection changes nothing.
import type { AmendOrder } from '../command.ts';
import { ExecType, isLimit, OrdType, Side, TimeInForce } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import { withPassing } from '../nearest.ts';
import type { Bracket } from '../order-extras.ts';
import { areApart, nextTick } from '../order-rules.ts';
import { accepted, type OutcomeOf, rejected } from '../outcome.ts';
import { inLots, inTicks, measures, type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { type Amount, add, type Lots, lots, subtract, type Ticks, ticks, ZERO } from '../units.ts';
import type { Work } from '../work.ts';
import { findOwn, requestIdOf } from './cancel.ts';
import {
  areExitsOf,
  checkDisplay,
  checkExitPrices,
  checkExpireTime,
  checkRests,
  checkTrigger,
} from './check-extras.ts';
import { affordableQty, checkMinimum, checkStatus, shortage } from './checks.ts';
import { partnerOf } from './close-order.ts';
import { workLimit } from './enter.ts';
import { checkExits } from './exits.ts';
import { hasExpired } from './expire.ts';
import { availableTo, costOf, costOfStop, heldBy, hold, paidAsset, release } from './holds.ts';
import { checkPrice } from './price-band.ts';
import { reportResting } from './report.ts';
import { storedOrder } from './stored-order.ts';
import { checkTrail, firstTrigger, triggerNow } from './trailing.ts';

/** The terms that an amendment may change, as they shall be. */
interface Terms {
  readonly orderQty: Lots;
  readonly price: Ticks;
  readonly stopPx: Ticks;
  /** 0: the whole order is shown. */
  readonly displayQty: Lots;
  readonly expireTime: number;
  /** null: the order has no exits. */
  readonly bracket: Bracket | null;
}

/** An order and its terms after the amendment. */
interface Change {
  readonly slot: number;
  readonly terms: Terms;
}

/** An amendment that names an open order of its owner. */
interface Amendment {
  readonly instrument: Instrument;
  readonly own: Change;
  /** The other order of an OCO pair. */
  readonly partner: Change | null;
}

export function amendOrder(state: State, command: AmendOrder): OutcomeOf<'amendOrder'> {
  const reject = checkAmend(state, command);
  if (reject !== null) return rejected(reject);

  // Cannot be rejected beyond this point.
  const { instrument, own, partner } = amendmentOf(state, command) as Amendment;
  const { orders } = state;
  const { slot } = own;
  const orderId = orders.orderId(slot);
  const origClOrdId = orders.givenClOrdId(slot);
  const { clOrdId } = command;
  const requestId = requestIdOf(state, clOrdId);
  moveHold(state, instrument, pairOf(own, partner));
  for (const change of pairOf(own, isShared(command) ? partner : null)) {
    setExpireTime(state, instrument, change);
    setBracket(state, change);
    if (orders.isWaiting(change.slot)) amendStop(state, instrument, change);
    else if (keepsPlace(state, change)) reduce(state, instrument, change);
    else replace(state, instrument, change);
  }
  return accepted({ orderId, clOrdId, requestId, origClOrdId, transactTime: state.time });
}

/** The first rejection of an amendment, with a nearest value that passes all checks. */
export function checkAmend(state: State, command: AmendOrder, work = state.work): Reject | null {
  const reject = firstReject(state, command, work);
  if (reject === null) return null;
  return withPassing(reject, command, (other) => firstReject(state, other, work));
}

function firstReject(state: State, command: AmendOrder, work: Work): Reject | null {
  const amendment = amendmentOf(state, command);
  if ('name' in amendment) return amendment;
  const { instrument, own, partner } = amendment;
  return (
    checkAmendable(state, instrument, own.slot, command) ??
    checkTerms(state, instrument, own, command, work) ??
    (partner === null || !isShared(command)
      ? null
      : checkPartner(state, instrument, partner, command, work)) ??
    (partner === null ? null : checkApart(state, instrument, own, partner)) ??
    checkBalance(state, instrument, pairOf(own, partner))
  );
}

function amendmentOf(state: State, command: AmendOrder): Amendment | Reject {
  const slot = findOwn(state, command.uid, command);
  if (typeof slot !== 'number') return slot;
  const instrument = state.instruments[state.orders.securityId(slot)]!;
  if (instrument.securityId !== command.securityId) return rejection('orderMismatch', 'symbol');
  const own = { slot, terms: termsAfter(state, slot, command) };
  return { instrument, own, partner: partnerChange(state, slot, command) };
}

const pairOf = (own: Change, partner: Change | null): readonly Change[] =>
  partner === null ? [own] : [own, partner];

const isShared = ({ orderQty, expireTime }: AmendOrder): boolean =>
  orderQty !== null || expireTime !== null;

/** The other order of an OCO pair, with what it shares; null without one. */
function partnerChange(state: State, slot: number, command: AmendOrder): Change | null {
  const partner = partnerOf(state, slot);
  if (partner === NONE) return null;
  const shared = { ...command, price: null, stopPx: null, bracket: null };
  return { slot: partner, terms: termsAfter(state, partner, shared) };
}

function termsAfter({ orders }: State, slot: number, command: AmendOrder): Terms {
  const extras = orders.extras(slot);
  const orderQty = command.orderQty ?? orders.orderQty(slot);
  const displayQty = command.displayQty ?? extras.displayQty;
  return {
    orderQty,
    price: command.price ?? orders.price(slot),
    stopPx: command.stopPx ?? extras.stopPx,
    displayQty: displayQty >= orderQty ? lots(0) : displayQty,
    expireTime: command.expireTime ?? extras.expireTime,
    bracket: command.bracket ?? extras.bracket,
  };
}

/** Rejects orders that cannot be amended, and fields that the order does not have. */
function checkAmendable(
  state: State,
  instrument: Instrument,
  slot: number,
  command: AmendOrder,
): Reject | null {
  const { orders } = state;
  const details = orders.details(slot);
  const waits = orders.isWaiting(slot);
  const reject = (field: string): Reject => rejection('notAmendable', field);
  if (command.price === 0) return rejection('invalidTerms', 'price');
  if (command.stopPx === 0) return rejection('invalidTerms', 'stopPx');
  const partner = partnerOf(state, slot);
  const isDue = [slot, partner].some(
    (one) => one !== NONE && orders.isWaiting(one) && instrument.triggers.isDue(one),
  );
  if (isDue || orders.orderQty(slot) === 0 || hasExpired(state, slot)) return reject('orderId');
  const ordType = details === null ? OrdType.limit : details.ordType;
  if (command.price !== null && !isLimit(ordType)) return reject('price');
  const begins = waits && !instrument.triggers.isTrailing(slot);
  if (command.stopPx !== null && !begins) return reject('stopPx');
  const maySplit = ordType === OrdType.limit && partner === NONE;
  if (command.displayQty !== null && !maySplit) return reject('displayQty');
  const { timeInForce, bracket } = orders.extras(slot);
  const expires = timeInForce === TimeInForce.goodTillDate;
  if (command.expireTime !== null && !expires) return reject('expireTime');
  if (command.bracket === null) return null;
  if (bracket === null) return reject('bracket');
  const isFit = areExitsOf(command.bracket, orders.side(slot));
  return isFit ? null : rejection('invalidTerms', 'bracket');
}

/** The checks of a new order; an order that only shrinks is bound by the minimums alone. */
function checkTerms(
  state: State,
  instrument: Instrument,
  { slot, terms }: Change,
  command: AmendOrder,
  work: Work,
): Reject | null {
  const { orders } = state;
  const { expireTime } = command;
  const { uid, ordType, side, quoteOrderQty, postOnly } = storedOrder(state, slot).terms;
  const { orderQty, price, stopPx, displayQty, bracket } = terms;
  // A waiting stop keeps its place at another price, which is checked all the same.
  const shrinks = keepsPlace(state, { slot, terms }) && price === orders.price(slot);
  const waits = orders.isWaiting(slot);
  const rests = postOnly || partnerOf(state, slot) !== NONE;
  const trails = waits && instrument.triggers.isTrailing(slot);
  const trigger = waits ? triggerAfter(state, instrument, slot, stopPx) : ticks(0);
  const extras = { ...orders.extras(slot), bracket };
  const entry = { uid, side, price, trigger, extras };
  return (
    (shrinks ? null : checkStatus(instrument, { ordType, postOnly })) ??
    (expireTime === null ? null : checkExpireTime(state, expireTime)) ??
    checkFilled(instrument, orderQty, orders.cumQty(slot)) ??
    checkMinimum(instrument, { ordType, price, orderQty, quoteOrderQty }) ??
    checkExits(state, instrument, { uid, side, orderQty, bracket }) ??
    checkDisplay(instrument, orderQty, displayQty) ??
    (waits && !trails ? checkTrail(instrument, { ...orders.extras(slot), stopPx }) : null) ??
    (shrinks || !isLimit(ordType)
      ? null
      : checkPrice(instrument, price, 'price', waits ? trigger : undefined)) ??
    (shrinks && command.bracket === null
      ? null
      : ofAmendment(checkExitPrices(state, instrument, entry, work), command, side)) ??
    (waits && !trails ? checkStopPx(state, instrument, slot, stopPx) : null) ??
    (rests && !shrinks && !waits ? checkRests(instrument, side, price) : null)
  );
}

/** A rejected exit by its own field, or by that of the amendment that moves its entry. */
function ofAmendment(
  reject: Reject | null,
  { price, stopPx, bracket, securityId }: AmendOrder,
  side: Side,
): Reject | null {
  if (reject === null || bracket !== null) return reject;
  const field = price !== null ? 'price' : stopPx !== null ? 'stopPx' : 'orderQty';
  if (reject.name !== 'exitReached' || field === 'orderQty') {
    return { ...reject, field, nearest: null };
  }
  // The entry has to be below the target of a buy, and above its stop.
  const isBelow = (reject.field === 'bracket.takeProfitPx') === (side === Side.buy);
  const exitPx = reject.value!.n as number;
  const nearest = nextTick(exitPx, !isBelow);
  const bounds = { limit: exitPx, value: price ?? stopPx!, nearest };
  return { ...reject, field, rule: 'exitPrice', ...measures(inTicks, securityId, bounds) };
}

/** The partner changes only by the quantity and the expiry, so one of them is at fault. */
function checkPartner(
  state: State,
  instrument: Instrument,
  partner: Change,
  command: AmendOrder,
  work: Work,
): Reject | null {
  const reject = checkTerms(state, instrument, partner, command, work);
  if (reject === null || reject.field === 'orderQty') return reject;
  return { ...reject, field: 'orderQty', nearest: null };
}

/**
 * The limit order of a pair that sells lies above the stop, of one that buys below. One that trails
 * follows the last price, which the limit order has not met.
 */
function checkApart(
  { orders }: State,
  { securityId, triggers }: Instrument,
  own: Change,
  partner: Change,
): Reject | null {
  const isStop = orders.isWaiting(own.slot);
  const sells = orders.side(own.slot) === Side.sell;
  if (triggers.isTrailing((isStop ? own : partner).slot)) return null;
  const { price } = (isStop ? partner : own).terms;
  const { stopPx } = (isStop ? own : partner).terms;
  if (areApart(price, stopPx, sells)) return null;
  const [value, limit] = isStop ? [stopPx, price] : [price, stopPx];
  const nearest = nextTick(limit, isStop !== sells);
  const rule = sells ? 'aboveStopPx' : 'belowStopPx';
  const inUnit = measures(inTicks, securityId, { limit, value, nearest });
  return rejection('invalidTerms', isStop ? 'stopPx' : 'price', rule, inUnit);
}

function checkFilled({ securityId }: Instrument, orderQty: Lots, cumQty: Lots): Reject | null {
  if (orderQty > cumQty) return null;
  const bounds = { limit: cumQty, value: orderQty, nearest: cumQty + 1 };
  return rejection('belowFilled', 'orderQty', 'cumQty', measures(inLots, securityId, bounds));
}

function checkStopPx(
  { orders }: State,
  instrument: Instrument,
  slot: number,
  stopPx: Ticks,
): Reject | null {
  const { triggerPriceDirection } = orders.extras(slot);
  return checkTrigger(instrument, { stopPx, triggerPriceDirection });
}

/** The present hold of the order, or of the pair, is available to it. */
function checkBalance(
  state: State,
  instrument: Instrument,
  pair: readonly Change[],
): Reject | null {
  const { orders } = state;
  const [{ slot, terms }] = pair as [Change];
  const side = orders.side(slot);
  const own = availableTo(state, instrument, orders.uid(slot), side);
  const available = add(own, heldByAll(state, instrument, pair));
  const cost = costAfter(state, instrument, pair);
  if (cost <= available) return null;
  const cumQty = orders.cumQty(slot);
  const leaves = lots(terms.orderQty - cumQty);
  const nearest = affordableQty(instrument.securityId, leaves, available, cost, cumQty);
  return shortage(instrument, side, 'orderQty', { available, cost, nearest });
}

const heldByAll = (state: State, instrument: Instrument, pair: readonly Change[]): Amount =>
  pair.reduce((sum, { slot }) => add(sum, heldBy(state, instrument, slot)), ZERO);

/** One order of a pair trades, so the dearer one is what it can cost. */
const costAfter = (state: State, instrument: Instrument, pair: readonly Change[]): Amount =>
  pair
    .map((change) => costOfOne(state, instrument, change))
    .reduce((most, cost) => (cost > most ? cost : most));

function costOfOne(state: State, instrument: Instrument, { slot, terms }: Change): Amount {
  const { orders } = state;
  const { price, orderQty, stopPx } = terms;
  if (orders.isWaiting(slot)) {
    const trigger = triggerAfter(state, instrument, slot, stopPx);
    return costOfStop(instrument, { ...storedOrder(state, slot).terms, price, orderQty }, trigger);
  }
  const leaves = lots(orderQty - orders.cumQty(slot));
  return costOf(instrument, orders.side(slot), price, leaves);
}

/** The trigger of a waiting stop that has this stopPx. */
function triggerAfter(state: State, instrument: Instrument, slot: number, stopPx: Ticks): Ticks {
  if (instrument.triggers.isTrailing(slot)) return triggerNow(state, instrument, slot);
  return firstTrigger(instrument, state.orders.side(slot), {
    ...state.orders.extras(slot),
    stopPx,
  });
}

/** True if the order keeps its place: no larger, at the same price, and no more of it is shown. */
function keepsPlace({ orders }: State, { slot, terms }: Change): boolean {
  if (terms.orderQty > orders.orderQty(slot)) return false;
  if (orders.isWaiting(slot)) return terms.stopPx === orders.extras(slot).stopPx;
  if (terms.price !== orders.price(slot)) return false;
  const { displayQty } = orders.extras(slot);
  if (displayQty === 0) return true;
  return terms.displayQty === 0
    ? terms.orderQty - orders.cumQty(slot) <= orders.shownQty(slot)
    : terms.displayQty <= displayQty;
}

function amendStop(state: State, instrument: Instrument, { slot, terms }: Change): void {
  const { orders, next } = state;
  const { triggers } = instrument;
  // The place of one that trails says when it began.
  const moves = !keepsPlace(state, { slot, terms }) && !triggers.isTrailing(slot);
  if (moves) triggers.remove(slot);
  setTerms(state, slot, terms);
  orders.changeExtras(slot, { stopPx: terms.stopPx });
  if (moves) {
    orders.changeDetails(slot, { priority: next.orderId++ });
    triggers.add(slot);
  }
  reportResting(state, slot, ExecType.replaced);
}

/** Changes an order in its place in the queue. */
function reduce(state: State, instrument: Instrument, { slot, terms }: Change): void {
  const { orders } = state;
  const { displayQty } = terms;
  const before = orders.shownQty(slot);
  instrument.book.beginChange(slot);
  setTerms(state, slot, terms);
  const most = displayQty === 0 || before < displayQty ? before : displayQty;
  const leaves = orders.leavesQty(slot);
  const shownQty = most < leaves ? most : leaves;
  if (displayQty !== 0) orders.changeExtras(slot, { displayQty }, { shownQty });
  else if (orders.hasDetails(slot)) {
    orders.changeExtras(slot, { displayQty }, { shownQty: lots(0) });
  }
  instrument.book.endChange(slot, orders.shownQty(slot) !== before);
  reportResting(state, slot, ExecType.replaced);
}

/** Takes the order out of the book and enters it at its new terms, as if it arrived now. */
function replace(state: State, instrument: Instrument, { slot, terms }: Change): void {
  const { orders } = state;
  instrument.book.remove(slot);
  setTerms(state, slot, terms);
  const { displayQty } = terms;
  if (orders.hasDetails(slot) || displayQty !== 0) orders.changeExtras(slot, { displayQty });
  reportResting(state, slot, ExecType.replaced);
  workLimit(state, instrument, storedOrder(state, slot), false);
}

/** Holds the new cost instead of the present one; a stop holds what its partner does not. */
function moveHold(state: State, instrument: Instrument, pair: readonly Change[]): void {
  const { orders } = state;
  const [{ slot }] = pair as [Change];
  const asset = paidAsset(instrument, orders.side(slot));
  const cost = costAfter(state, instrument, pair);
  const difference = subtract(cost, heldByAll(state, instrument, pair));
  if (difference > 0) hold(state, orders.uid(slot), asset, difference);
  else release(state, orders.uid(slot), asset, subtract(ZERO, difference));
  const stop = pair.find((change) => orders.isWaiting(change.slot));
  if (stop === undefined) return;
  const limit = pair.find((change) => change !== stop);
  const shared = limit === undefined ? ZERO : costOfOne(state, instrument, limit);
  orders.changeDetails(stop.slot, { held: subtract(cost, shared) });
}

function setTerms({ orders }: State, slot: number, { price, orderQty }: Terms): void {
  const [cumQty, cumQuote] = [orders.cumQty(slot), orders.cumQuote(slot)];
  orders.change(slot, { price, orderQty, cumQty, cumQuote });
}

function setExpireTime({ orders }: State, { expiries }: Instrument, { slot, terms }: Change): void {
  const { expireTime } = terms;
  if (orders.extras(slot).expireTime === expireTime) return;
  const orderId = orders.orderId(slot);
  expiries.remove(orderId);
  orders.changeExtras(slot, { expireTime });
  expiries.add(orderId, expireTime);
}

function setBracket({ orders }: State, { slot, terms: { bracket } }: Change): void {
  if (orders.extras(slot).bracket !== bracket) orders.changeExtras(slot, { bracket });
}

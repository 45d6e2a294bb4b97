// Amending an open order. A smaller quantity keeps the order's place in its queue; any other change
// of terms replaces it: the checks of a new order, and a new place. A rejection changes nothing.
import type { AmendOrder } from '../command.ts';
import { ExecType, isLimit, OrdType, TimeInForce } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import { accepted, type OutcomeOf, rejected } from '../outcome.ts';
import { inLots, type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { type Amount, add, type Lots, lots, subtract, type Ticks, ticks, ZERO } from '../units.ts';
import { findOwn, requestIdOf } from './cancel.ts';
import {
  checkDisplay,
  checkExitPrices,
  checkExpireTime,
  checkRests,
  checkTrigger,
} from './check-extras.ts';
import { checkMinimum, checkStatus, shortage } from './checks.ts';
import { partnerOf } from './close-order.ts';
import { workLimit } from './enter.ts';
import { checkExits } from './exits.ts';
import { hasExpired } from './expire.ts';
import { availableTo, costOf, costOfStop, heldBy, hold, paidAsset, release } from './holds.ts';
import { checkPrice } from './price-band.ts';
import { reportResting } from './report.ts';
import { storedOrder } from './stored-order.ts';

/** The terms that an amendment may change, as they shall be. */
interface Terms {
  readonly orderQty: Lots;
  readonly price: Ticks;
  readonly stopPx: Ticks;
  /** 0: the whole order is shown. */
  readonly displayQty: Lots;
  readonly expireTime: number;
}

export function amendOrder(state: State, command: AmendOrder): OutcomeOf<'amendOrder'> {
  const slot = findOwn(state, command);
  if (typeof slot !== 'number') return rejected(slot);
  const { orders } = state;
  const instrument = state.instruments[orders.securityId(slot)]!;
  if (instrument.securityId !== command.securityId) {
    return rejected(rejection('orderMismatch', 'symbol'));
  }
  const terms = termsAfter(state, slot, command);
  const reject =
    checkAmendable(state, instrument, slot, command) ??
    checkTerms(state, instrument, slot, command, terms);
  if (reject !== null) return rejected(reject);

  // Cannot be rejected beyond this point.
  const orderId = orders.orderId(slot);
  const origClOrdId = orders.givenClOrdId(slot);
  const { clOrdId } = command;
  const requestId = requestIdOf(state, clOrdId);
  if (orders.isWaiting(slot)) amendStop(state, instrument, slot, terms);
  else if (keepsPlace(state, slot, terms)) reduce(state, instrument, slot, terms);
  else replace(state, instrument, slot, terms);
  return accepted({ orderId, clOrdId, requestId, origClOrdId, transactTime: state.time });
}

function termsAfter({ orders }: State, slot: number, command: AmendOrder): Terms {
  const details = orders.details(slot);
  const orderQty = command.orderQty ?? orders.orderQty(slot);
  const displayQty = command.displayQty ?? details?.displayQty ?? lots(0);
  return {
    orderQty,
    price: command.price ?? orders.price(slot),
    stopPx: command.stopPx ?? details?.stopPx ?? ticks(0),
    displayQty: displayQty >= orderQty ? lots(0) : displayQty,
    expireTime: command.expireTime ?? details?.expireTime ?? 0,
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
  const isDue = waits && instrument.triggers.isDue(slot);
  if (isDue || orders.orderQty(slot) === 0 || hasExpired(state, slot)) return reject('orderId');
  if (partnerOf(state, slot) !== NONE) return reject('orderId');
  const ordType = details === null ? OrdType.limit : details.ordType;
  if (command.price !== null && !isLimit(ordType)) return reject('price');
  if (command.stopPx !== null && !waits) return reject('stopPx');
  if (command.displayQty !== null && ordType !== OrdType.limit) return reject('displayQty');
  const expires = details !== null && details.timeInForce === TimeInForce.goodTillDate;
  return command.expireTime !== null && !expires ? reject('expireTime') : null;
}

/** The checks of a new order; an order that only shrinks is bound by the minimums alone. */
function checkTerms(
  state: State,
  instrument: Instrument,
  slot: number,
  { expireTime }: AmendOrder,
  terms: Terms,
): Reject | null {
  const { orders } = state;
  const { uid, ordType, side, quoteOrderQty, postOnly } = storedOrder(state, slot).terms;
  const { orderQty, price, stopPx, displayQty } = terms;
  const bracket = orders.details(slot)?.bracket ?? null;
  // A waiting stop keeps its place at another price, which is checked all the same.
  const shrinks = keepsPlace(state, slot, terms) && price === orders.price(slot);
  const waits = orders.isWaiting(slot);
  const trigger = waits ? stopPx : ticks(0);
  return (
    (shrinks ? null : checkStatus(instrument, { ordType, postOnly })) ??
    (expireTime === null ? null : checkExpireTime(state, expireTime)) ??
    checkFilled(instrument, orderQty, orders.cumQty(slot)) ??
    checkMinimum(instrument, { ordType, price, orderQty, quoteOrderQty }) ??
    checkExits(state, instrument, { uid, side, orderQty, bracket }) ??
    checkDisplay(instrument, orderQty, displayQty) ??
    (shrinks || !isLimit(ordType)
      ? null
      : checkPrice(instrument, price, 'price', trigger || undefined)) ??
    (shrinks ? null : checkExitPrices(instrument, { side, price, stopPx: trigger, bracket })) ??
    (waits ? checkStopPx(state, instrument, slot, stopPx) : null) ??
    (postOnly && !shrinks && !waits ? checkRests(instrument, side, price) : null) ??
    checkBalance(state, instrument, slot, terms)
  );
}

function checkFilled({ securityId }: Instrument, orderQty: Lots, cumQty: Lots): Reject | null {
  if (orderQty > cumQty) return null;
  const measures = { limit: inLots(securityId, cumQty), value: inLots(securityId, orderQty) };
  return rejection('belowFilled', 'orderQty', 'cumQty', measures);
}

function checkStopPx(
  { orders }: State,
  instrument: Instrument,
  slot: number,
  stopPx: Ticks,
): Reject | null {
  const { triggerPriceDirection } = orders.details(slot)!;
  return checkTrigger(instrument, { stopPx, triggerPriceDirection });
}

/** The order's present hold is available to it. */
function checkBalance(
  state: State,
  instrument: Instrument,
  slot: number,
  terms: Terms,
): Reject | null {
  const { orders } = state;
  const side = orders.side(slot);
  const own = availableTo(state, instrument, orders.uid(slot), side);
  const available = add(own, heldBy(state, instrument, slot));
  const cost = costAfter(state, instrument, slot, terms);
  if (cost <= available) return null;
  return shortage(instrument, side, 'orderQty', { available, cost, nearest: null });
}

function costAfter(state: State, instrument: Instrument, slot: number, terms: Terms): Amount {
  const { orders } = state;
  const { price, orderQty, stopPx } = terms;
  if (orders.isWaiting(slot)) {
    return costOfStop(instrument, { ...storedOrder(state, slot).terms, price, orderQty }, stopPx);
  }
  const leaves = lots(orderQty - orders.cumQty(slot));
  return costOf(instrument, orders.side(slot), price, leaves);
}

/** True if the order keeps its place: no larger, at the same price, and no more of it is shown. */
function keepsPlace({ orders }: State, slot: number, terms: Terms): boolean {
  if (terms.orderQty > orders.orderQty(slot)) return false;
  if (orders.isWaiting(slot)) return terms.stopPx === orders.details(slot)!.stopPx;
  if (terms.price !== orders.price(slot)) return false;
  const displayQty = orders.details(slot)?.displayQty ?? 0;
  if (displayQty === 0) return true;
  return terms.displayQty === 0
    ? terms.orderQty - orders.cumQty(slot) <= orders.shownQty(slot)
    : terms.displayQty <= displayQty;
}

function amendStop(state: State, instrument: Instrument, slot: number, terms: Terms): void {
  const { orders, next } = state;
  const { triggers } = instrument;
  const held = costAfter(state, instrument, slot, terms);
  const moves = !keepsPlace(state, slot, terms);
  moveHold(state, instrument, slot, held);
  setExpireTime(state, instrument, slot, terms.expireTime);
  if (moves) triggers.remove(slot);
  setTerms(state, slot, terms);
  orders.changeDetails(slot, { stopPx: terms.stopPx, held });
  if (moves) {
    orders.changeDetails(slot, { priority: next.orderId++ });
    triggers.add(slot);
  }
  reportReplaced(state, slot);
}

/** Changes an order in its place in the queue. */
function reduce(state: State, instrument: Instrument, slot: number, terms: Terms): void {
  const { orders } = state;
  const { displayQty } = terms;
  moveHold(state, instrument, slot, costAfter(state, instrument, slot, terms));
  setExpireTime(state, instrument, slot, terms.expireTime);
  const before = orders.shownQty(slot);
  instrument.book.beginChange(slot);
  setTerms(state, slot, terms);
  const most = displayQty === 0 || before < displayQty ? before : displayQty;
  const leaves = orders.leavesQty(slot);
  const shownQty = most < leaves ? most : leaves;
  if (displayQty !== 0) orders.changeDetails(slot, { displayQty, shownQty });
  else if (orders.hasDetails(slot)) orders.changeDetails(slot, { displayQty, shownQty: lots(0) });
  instrument.book.endChange(slot, orders.shownQty(slot) !== before);
  reportReplaced(state, slot);
}

/** Takes the order out of the book and enters it at its new terms, as if it arrived now. */
function replace(state: State, instrument: Instrument, slot: number, terms: Terms): void {
  const { orders } = state;
  instrument.book.remove(slot);
  moveHold(state, instrument, slot, costAfter(state, instrument, slot, terms));
  setExpireTime(state, instrument, slot, terms.expireTime);
  setTerms(state, slot, terms);
  const { displayQty } = terms;
  if (orders.hasDetails(slot) || displayQty !== 0) orders.changeDetails(slot, { displayQty });
  reportReplaced(state, slot);
  workLimit(state, instrument, storedOrder(state, slot), false);
}

/** Holds `cost` instead of what the order holds. */
function moveHold(state: State, instrument: Instrument, slot: number, cost: Amount): void {
  const { orders } = state;
  const asset = paidAsset(instrument, orders.side(slot));
  const difference = subtract(cost, heldBy(state, instrument, slot));
  if (difference > 0) hold(state, orders.uid(slot), asset, difference);
  else release(state, orders.uid(slot), asset, subtract(ZERO, difference));
}

function setTerms({ orders }: State, slot: number, { price, orderQty }: Terms): void {
  const [cumQty, cumQuote] = [orders.cumQty(slot), orders.cumQuote(slot)];
  orders.change(slot, { price, orderQty, cumQty, cumQuote });
}

function setExpireTime(
  { orders }: State,
  { expiries }: Instrument,
  slot: number,
  expireTime: number,
): void {
  if ((orders.details(slot)?.expireTime ?? 0) === expireTime) return;
  expiries.remove(slot);
  orders.changeDetails(slot, { expireTime });
  expiries.add(slot);
}

function reportReplaced(state: State, slot: number): void {
  reportResting(state, slot, ExecType.replaced, ticks(0), lots(0), 0);
}

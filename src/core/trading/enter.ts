// An accepted order on its way: it waits as a stop, or matches and lets the rest rest or lapse.
// New orders come here, and stored ones that were triggered or amended.
import {
  CloseReason,
  ExecType,
  isLimit,
  isStop,
  SelfTradePrevention,
  Side,
  stricterOf,
  TimeInForce,
} from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { canFill } from '../matching/can-fill.ts';
import { ANY_PRICE, buysNothing, Incoming, type Match, SUSPENDED } from '../matching/incoming.ts';
import { match } from '../matching/match.ts';
import { crosses } from '../matching/order-book.ts';
import { detailsWith, extrasOf } from '../matching/order-details.ts';
import { NONE } from '../matching/order-store.ts';
import { NO_EXTRAS, type OrderExtras } from '../order-extras.ts';
import type { State } from '../state.ts';
import {
  type Amount,
  divideDown,
  type Lots,
  lots,
  MAX_INTEGER,
  multiply,
  type Ticks,
  ZERO,
} from '../units.ts';
import { closeOrder, partnerOf } from './close-order.ts';
import type { EnteringOrder, EnteringTerms, OrderMatch } from './entering-order.ts';
import { queueExits } from './exits.ts';
import { availableTo, costOf, hold, paidAsset, release } from './holds.ts';
import { priceBand } from './price-band.ts';
import { moveStops } from './reached.ts';
import { reportEntering, reportResting } from './report.ts';
import { TradeSettlement } from './settlement.ts';
import { storedOrder } from './stored-order.ts';

/** Enters a new order. */
export function enterOrder(state: State, instrument: Instrument, order: EnteringOrder): void {
  const { ordType, orderQty } = order.terms;
  if (isStop(ordType)) enterStop(state, instrument, order);
  else if (isLimit(ordType)) enterLimit(state, instrument, order);
  else {
    reportEntering(state, order, ExecType.new, orderQty);
    workMarket(state, instrument, order, order.terms.quoteOrderQty);
  }
}

export function enterStop(state: State, instrument: Instrument, order: EnteringOrder): void {
  const { uid, side } = order.terms;
  const { held, extras } = order.details!;
  const { expireTime, trail, stopPx } = extras;
  hold(state, uid, paidAsset(instrument, side), held);
  const slot = state.orders.add(order, state.time);
  if (trail !== 0 && stopPx === 0) {
    state.orders.changeDetails(slot, { trailingTime: state.time });
    instrument.triggers.trail(slot, instrument.lastPrice);
  } else instrument.triggers.add(slot);
  if (expireTime !== 0) instrument.expiries.add(order.orderId, expireTime);
  reportResting(state, slot, ExecType.new);
}

function enterLimit(state: State, instrument: Instrument, order: EnteringOrder): void {
  const { uid, side, price, orderQty, postOnly } = order.terms;
  const isMarketable = crossesBest(instrument, side, price);
  if (isMarketable && postOnly) {
    const reason = CloseReason.postOnlyWouldMatch;
    reportEntering(state, order, ExecType.rejected, lots(0), reason);
    return;
  }
  hold(state, uid, paidAsset(instrument, side), costOf(instrument, side, price, orderQty));
  reportEntering(state, order, ExecType.new, orderQty);
  if (isMarketable || order.details !== null) workLimit(state, instrument, order, true);
  else instrument.book.add(state.orders.add(order, state.time));
}

/** True if a limit order would trade now. */
export function crossesBest({ book }: Instrument, side: Side, price: Ticks): boolean {
  const best = book.bestAgainst(side);
  return best !== NONE && crosses(side, price, book.levelPrice(best));
}

/**
 * Matches a limit order whose cost is held; the rest of it rests unless its time in force ends.
 * `isNew`: it was never in a queue, so its priority is its orderId.
 */
export function workLimit(
  state: State,
  instrument: Instrument,
  order: EnteringOrder,
  isNew: boolean,
): void {
  const { side, price, orderQty } = order.terms;
  const incoming = beginMatch(state, instrument, order.terms, extrasOf(order.details));
  incoming.leaves = lots(orderQty - order.cumQty);
  incoming.worstPrice = price;
  incoming.isNew = isNew;
  if (crossesBest(instrument, side, price)) goOn(state, instrument, order);
  else endLimit(state, instrument, order, CloseReason.none);
}

/**
 * Matches a market order, and cancels the part that cannot trade. `budget`: the money that it may
 * trade for; 0: its quantity alone bounds it.
 */
export function workMarket(
  state: State,
  instrument: Instrument,
  order: EnteringOrder,
  budget: Amount,
): void {
  const { side, orderQty } = order.terms;
  const incoming = beginMatch(state, instrument, order.terms, extrasOf(order.details));
  incoming.leaves = orderQty === 0 ? maxLotsByQuote(state, instrument, order) : orderQty;
  if (budget !== 0) incoming.budget = budget;
  else if (side === Side.buy)
    incoming.budget = availableTo(state, instrument, order.terms.uid, side);
  const band = priceBand(instrument);
  if (band !== null) incoming.worstPrice = side === Side.buy ? band.high : band.low;
  goOn(state, instrument, order);
}

type Taker = Pick<EnteringTerms, 'uid' | 'side'>;

/** The match that a new order would begin, for a check of it. */
export function matchAhead(
  state: State,
  instrument: Instrument,
  taker: Taker,
  extras: OrderExtras | null,
): Match {
  beginMatch(state, instrument, taker, extras ?? NO_EXTRAS);
  return matchOf(state, instrument);
}

/** One object serves all orders that match in one command: one each would cost the core 2 %. */
function beginMatch(
  state: State,
  instrument: Instrument,
  { uid, side }: Taker,
  { timeInForce, selfTradePrevention }: OrderExtras,
): Incoming {
  const { incoming } = state;
  incoming.uid = uid;
  incoming.securityId = instrument.securityId;
  incoming.enterpriseId = preventingEnterprise(state, uid);
  incoming.side = side;
  incoming.worstPrice = ANY_PRICE;
  incoming.budget = null;
  incoming.isSpent = false;
  incoming.prevention = preventionOf(instrument, selfTradePrevention);
  incoming.memberPrevention = stricterOf(incoming.prevention, instrument.selfTradePrevention);
  incoming.perTickLot = instrument.perTickLot;
  incoming.lastPrice = ANY_PRICE;
  incoming.aggTradeId = 0;
  incoming.isNew = true;
  incoming.isUndecided = timeInForce === TimeInForce.fillOrKill;
  incoming.reachedSeq = 0;
  return incoming;
}

/** Matches the incoming order until it stops, or until the work of this command is done. */
function goOn(state: State, instrument: Instrument, order: EnteringOrder): void {
  const { incoming, work } = state;
  const it = matchOf(state, instrument);
  it.settlement.begin(instrument, order);
  if (incoming.reachedSeq !== 0 && !moveStops(state, instrument)) {
    suspend(state, instrument, order);
    return;
  }
  if (incoming.isUndecided && work.left > 0) {
    if (!canFill(it, order.terms.orderQty === 0)) {
      const { fillOrKill, insufficientBalance } = CloseReason;
      end(state, instrument, order, buysNothing(it) ? insufficientBalance : fillOrKill);
      return;
    }
    incoming.isUndecided = false;
  }
  const stopped = incoming.isUndecided ? SUSPENDED : match(it);
  // An order that is filled ends after the stops that its last trade reached.
  if (stopped === SUSPENDED || incoming.reachedSeq !== 0) suspend(state, instrument, order);
  else end(state, instrument, order, stopped);
}

/** One object serves all matches, as one Incoming does. */
function matchOf(state: State, { book }: Instrument): OrderMatch {
  const { orders, incoming, work } = state;
  state.match ??= { book, orders, incoming, settlement: new TradeSettlement(state), work };
  const { match } = state;
  match.book = book;
  match.incoming = incoming;
  return match;
}

/** Keeps the order and its match for later commands. */
function suspend(state: State, instrument: Instrument, order: EnteringOrder): void {
  const { orders, time } = state;
  const { terms, cumQty, cumQuote } = order;
  let { slot } = order;
  if (slot === NONE) {
    const { ordType, quoteOrderQty } = terms;
    const details = isLimit(ordType)
      ? order.details
      : { ...(order.details ?? detailsWith({ priority: order.orderId })), ordType, quoteOrderQty };
    slot = orders.add({ ...order, details }, time);
    addExpiry(instrument, order);
  } else orders.change(slot, { price: terms.price, orderQty: terms.orderQty, cumQty, cumQuote });
  const { incoming } = state;
  const held = isLimit(terms.ordType) ? ZERO : costToGoOn(instrument, incoming);
  hold(state, terms.uid, paidAsset(instrument, terms.side), held);
  instrument.matching = { slot, incoming, held };
  state.matching.push(instrument);
  state.suspendedOrderId = order.orderId;
  state.incoming = new Incoming();
}

/** The money that a market order may still spend: nothing else may spend it meanwhile. */
const costToGoOn = ({ baseUnitsPerLot }: Instrument, { side, budget, leaves }: Incoming): Amount =>
  side === Side.buy ? budget! : multiply(leaves, baseUnitsPerLot);

/** Continues the match of the instrument. */
export function resumeMatch(state: State, instrument: Instrument): void {
  goOn(state, instrument, takeMatch(state, instrument));
}

/** Ends the match of the instrument: what is left of its order is canceled. */
export function endMatch(state: State, instrument: Instrument, reason: CloseReason): void {
  const order = takeMatch(state, instrument);
  // The next match uses the same object, and opens a visit of its own.
  state.incoming.visit.isOpen = false;
  state.work.unbounded(() => moveStops(state, instrument));
  end(state, instrument, order, reason);
}

function takeMatch(state: State, instrument: Instrument): EnteringOrder {
  const { slot, incoming, held } = instrument.matching!;
  release(state, incoming.uid, paidAsset(instrument, incoming.side), held);
  instrument.matching = null;
  state.matching.splice(state.matching.indexOf(instrument), 1);
  state.incoming = incoming;
  return storedOrder(state, slot);
}

function end(
  state: State,
  instrument: Instrument,
  order: EnteringOrder,
  reason: CloseReason,
): void {
  if (isLimit(order.terms.ordType)) endLimit(state, instrument, order, reason);
  else endMarket(state, instrument, order, reason);
}

/** A limit order trades no more now: it is filled, canceled, or rests. */
function endLimit(
  state: State,
  instrument: Instrument,
  order: EnteringOrder,
  stopped: CloseReason,
): void {
  const { leaves, isNew } = state.incoming;
  const reason = stopped === CloseReason.none ? IN_FORCE_UNTIL_MATCHED[timeOf(order)] : stopped;
  if (leaves === 0) finish(state, instrument, order);
  else if (reason !== undefined) cancelRest(state, instrument, order, leaves, reason);
  else rest(state, instrument, order, isNew);
}

const timeOf = ({ details }: EnteringOrder): TimeInForce => extrasOf(details).timeInForce;

/** Orders of these times in force do not rest. */
const IN_FORCE_UNTIL_MATCHED: Partial<Record<TimeInForce, CloseReason>> = {
  [TimeInForce.immediateOrCancel]: CloseReason.immediateOrCancel,
  [TimeInForce.fillOrKill]: CloseReason.fillOrKill,
};

/** A market order trades no more: it is filled, or the rest of it is canceled. */
function endMarket(
  state: State,
  instrument: Instrument,
  order: EnteringOrder,
  stopped: CloseReason,
): void {
  const { leaves, isSpent } = state.incoming;
  const isFilled = order.terms.orderQty === 0 ? isSpent : leaves === 0;
  if (isFilled) finish(state, instrument, order);
  else {
    const reason = stopped === CloseReason.none ? stopReason(state, instrument) : stopped;
    cancelEntering(state, instrument, order, reason);
  }
}

/** Cancels what is left of a limit order that is not in the book. */
function cancelRest(
  state: State,
  instrument: Instrument,
  order: EnteringOrder,
  leaves: Lots,
  reason: CloseReason,
): void {
  const { uid, side, price } = order.terms;
  release(state, uid, paidAsset(instrument, side), costOf(instrument, side, price, leaves));
  cancelEntering(state, instrument, order, reason);
}

/** Puts the rest of a limit order at the end of the queue of its price. */
function rest(state: State, instrument: Instrument, order: EnteringOrder, isNew: boolean): void {
  if (order.details === null && order.slot === NONE) {
    instrument.book.add(state.orders.add(order, state.time));
    return;
  }
  const { orders, next } = state;
  const { terms, details, cumQty, cumQuote } = order;
  const leaves = terms.orderQty - cumQty;
  const { displayQty } = extrasOf(details);
  const shownQty = lots(displayQty !== 0 && displayQty < leaves ? displayQty : leaves);
  let { slot } = order;
  if (slot === NONE) slot = orders.add(order, state.time);
  else orders.change(slot, { price: terms.price, orderQty: terms.orderQty, cumQty, cumQuote });
  if (details !== null || !isNew) {
    const priority = isNew ? order.orderId : next.orderId++;
    const isHidden = !isNew && (displayQty !== 0 || (details?.shownTime ?? 0) !== 0);
    const shownTime = isHidden ? state.time : 0;
    const shown = displayQty === 0 ? lots(0) : shownQty;
    orders.changeDetails(slot, { priority, shownQty: shown, shownTime });
  }
  if (order.slot === NONE) addExpiry(instrument, order);
  instrument.book.add(slot);
}

export function addExpiry({ expiries }: Instrument, { orderId, details }: EnteringOrder): void {
  const { expireTime } = extrasOf(details);
  if (expireTime !== 0) expiries.add(orderId, expireTime);
}

/** The largest quantity of an order by quote: all that its owner has to sell. */
function maxLotsByQuote(state: State, instrument: Instrument, { terms }: EnteringOrder): Lots {
  if (terms.side === Side.buy) return lots(MAX_INTEGER);
  const { base, baseUnitsPerLot } = instrument;
  const available = state.ledger.balanceOf(terms.uid, base.assetId, AccountCode.available);
  const whole: Amount = divideDown(available, baseUnitsPerLot);
  return lots(whole < MAX_INTEGER ? (whole as number) : MAX_INTEGER);
}

/** Why a market order ended: the book has no order, no acceptable one, or one that is too dear. */
function stopReason({ incoming }: State, { book }: Instrument): CloseReason {
  const { side, worstPrice } = incoming;
  const best = book.bestAgainst(side);
  if (best === NONE) return CloseReason.noLiquidity;
  const isAcceptable = worstPrice === ANY_PRICE || crosses(side, worstPrice, book.levelPrice(best));
  return isAcceptable ? CloseReason.insufficientBalance : CloseReason.priceBand;
}

/** Reports an order canceled that is in no queue and holds nothing, and ends it. */
export function cancelEntering(
  state: State,
  instrument: Instrument,
  order: EnteringOrder,
  reason: CloseReason,
): void {
  reportEntering(state, order, ExecType.canceled, lots(0), reason);
  finish(state, instrument, order);
}

/** Ends an order that is in no queue: forgets it, cancels its OCO partner, queues its exits. */
function finish(state: State, instrument: Instrument, order: EnteringOrder): void {
  const { details, slot, orderId } = order;
  if (slot !== NONE) {
    const partner = partnerOf(state, slot);
    if (partner !== NONE) closeOrder(state, instrument, partner, CloseReason.oco);
    if (details !== null && details.extras.expireTime !== 0) instrument.expiries.remove(orderId);
  }
  queueExits(state, instrument, order);
  if (slot !== NONE) state.orders.remove(slot);
}

/** An order's own none was that of the pair, whose rule the operator may have changed since. */
const preventionOf = (
  { selfTradePrevention }: Instrument,
  own: SelfTradePrevention | null,
): SelfTradePrevention =>
  own === null || own === SelfTradePrevention.none ? selfTradePrevention : own;

/** The user's enterprise if its members are not to trade with each other; else 0. */
function preventingEnterprise({ users, earn }: State, uid: number): number {
  const { enterpriseId } = users[uid]!;
  if (enterpriseId === 0) return 0;
  return earn.enterprises[enterpriseId]!.selfTradePrevention ? enterpriseId : 0;
}

// An accepted order on its way: it waits as a stop, or matches and lets the rest rest or lapse.
// New orders come here, and stored ones that were triggered or amended.
import {
  CloseReason,
  ExecType,
  isLimit,
  isStop,
  opposite,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { FillCheck } from '../matching/can-fill.ts';
import { ANY_PRICE, type Incoming, match, type Settlement } from '../matching/match.ts';
import { crosses } from '../matching/order-book.ts';
import { NONE } from '../matching/order-store.ts';
import type { State } from '../state.ts';
import {
  type Amount,
  divideDown,
  type Lots,
  lots,
  MAX_INTEGER,
  type Ticks,
  ticks,
  ZERO,
} from '../units.ts';
import { closeOrder, partnerOf } from './close-order.ts';
import type { EnteringOrder } from './entering-order.ts';
import { queueExits } from './exits.ts';
import { hasExpired } from './expire.ts';
import { costOf, hold, paidAsset, release } from './holds.ts';
import { priceBand } from './price-band.ts';
import { reportEntering } from './report.ts';
import { TradeSettlement } from './settlement.ts';

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
  const { uid, side, orderQty } = order.terms;
  hold(state, uid, paidAsset(instrument, side), order.details!.held);
  reportEntering(state, order, ExecType.new, orderQty);
  const slot = state.orders.add(order, state.time);
  instrument.triggers.add(slot);
  if (order.details!.expireTime !== 0) state.expiries.add(slot);
}

function enterLimit(state: State, instrument: Instrument, order: EnteringOrder): void {
  const { uid, side, price, orderQty, postOnly } = order.terms;
  const isMarketable = crossesBest(instrument, side, price);
  if (isMarketable && postOnly && wouldTrade(state, instrument, side, price)) {
    const reason = CloseReason.postOnlyWouldMatch;
    reportEntering(state, order, ExecType.rejected, lots(0), ...noFill, reason);
    return;
  }
  hold(state, uid, paidAsset(instrument, side), costOf(instrument, side, price, orderQty));
  reportEntering(state, order, ExecType.new, orderQty);
  if (isMarketable || order.details !== null) workLimit(state, instrument, order, true);
  else instrument.book.add(state.orders.add(order, state.time));
}

function crossesBest({ book }: Instrument, side: Side, price: Ticks): boolean {
  const best = book.bestAgainst(side);
  return best !== NONE && crosses(side, price, book.levelPrice(best));
}

/** Whether a limit order would trade now: an order that it crosses has not expired. */
export function wouldTrade(
  state: State,
  instrument: Instrument,
  side: Side,
  price: Ticks,
): boolean {
  if (!crossesBest(instrument, side, price)) return false;
  const { book } = instrument;
  if (state.expiries.size === 0) return true;
  let found = false;
  book.ladder(opposite(side)).fromBest((level, levelPrice) => {
    if (!crosses(side, price, levelPrice)) return false;
    let slot = book.levelFirst(level);
    while (slot !== NONE && hasExpired(state, slot)) slot = state.orders.next(slot);
    found = slot !== NONE;
    return !found;
  });
  return found;
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
  const timeInForce =
    order.details === null ? TimeInForce.goodTillCancel : order.details.timeInForce;
  let leaves = lots(orderQty - order.cumQty);
  if (crossesBest(instrument, side, price)) {
    const incoming = incomingOf(state, instrument, order, price, leaves);
    const settlement = settlementOf(state, instrument, order, ZERO);
    const isAll = timeInForce === TimeInForce.fillOrKill;
    if (isAll && !canFill(state, instrument, settlement, false)) {
      cancelRest(state, instrument, order, leaves, CloseReason.fillOrKill);
      return;
    }
    const reason = match(instrument.book, state.orders, incoming, settlement);
    leaves = incoming.leaves;
    if (reason === CloseReason.selfTrade) {
      cancelRest(state, instrument, order, leaves, reason);
      return;
    }
    if (leaves === 0) {
      finish(state, instrument, order);
      return;
    }
  }
  if (timeInForce === TimeInForce.immediateOrCancel) {
    cancelRest(state, instrument, order, leaves, CloseReason.immediateOrCancel);
  } else if (timeInForce === TimeInForce.fillOrKill) {
    cancelRest(state, instrument, order, leaves, CloseReason.fillOrKill);
  } else rest(state, instrument, order, isNew);
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
  const { orders, expiries, next } = state;
  const { terms, details, cumQty, cumQuote } = order;
  const leaves = terms.orderQty - cumQty;
  const displayQty = details?.displayQty ?? 0;
  const shownQty = lots(displayQty !== 0 && displayQty < leaves ? displayQty : leaves);
  let { slot } = order;
  if (slot === NONE) slot = orders.add(order, state.time);
  else orders.change(slot, { price: terms.price, orderQty: terms.orderQty, cumQty, cumQuote });
  const priority = isNew ? order.orderId : next.orderId++;
  orders.changeDetails(slot, { priority, shownQty: displayQty === 0 ? lots(0) : shownQty });
  if (details !== null && details.expireTime !== 0 && order.slot === NONE) expiries.add(slot);
  instrument.book.add(slot);
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
  const byQuote = orderQty === 0;
  const band = priceBand(instrument);
  const limit = band === null ? ANY_PRICE : side === Side.buy ? band.high : band.low;
  const wanted = byQuote ? mostByQuote(state, instrument, order) : orderQty;
  const incoming = incomingOf(state, instrument, order, limit, wanted);
  const settlement = settlementOf(state, instrument, order, budget);
  if (order.details !== null && order.details.timeInForce === TimeInForce.fillOrKill) {
    if (!canFill(state, instrument, settlement, byQuote)) {
      cancelEntering(state, instrument, order, CloseReason.fillOrKill);
      return;
    }
  }
  const stopped = match(instrument.book, state.orders, incoming, settlement);
  const { leaves } = incoming;
  if (byQuote && isSpent(order, leaves, stopped)) {
    reportEntering(state, order, ExecType.fill, lots(0));
    finish(state, instrument, order);
  } else if (leaves === 0 && !byQuote) {
    finish(state, instrument, order);
  } else {
    const reason = stopped !== CloseReason.none ? stopped : whyNoMore(instrument, side, leaves);
    cancelEntering(state, instrument, order, reason);
  }
}

/** The largest quantity of an order by quote: all that its owner has to sell. */
function mostByQuote(state: State, instrument: Instrument, { terms }: EnteringOrder): Lots {
  if (terms.side === Side.buy) return lots(MAX_INTEGER);
  const { base, baseUnitsPerLot } = instrument;
  const available = state.ledger.balanceOf(terms.uid, base.assetId, AccountCode.available);
  const whole: Amount = divideDown(available, baseUnitsPerLot);
  return lots(whole < MAX_INTEGER ? (whole as number) : MAX_INTEGER);
}

/**
 * An order by quote is filled when its budget is used up or buys no further lot at the next price.
 * A buy is also filled at the largest quantity that an order can have.
 */
function isSpent(order: EnteringOrder, leaves: Lots, stopped: CloseReason): boolean {
  if (order.cumQty === 0) return false;
  const usedUp = order.cumQuote === order.terms.quoteOrderQty;
  const isLargest = leaves === 0 && order.terms.side === Side.buy;
  return usedUp || isLargest || stopped === CloseReason.insufficientBalance;
}

/** A sell by quote ran out of goods, or no acceptable price is left: the band may end them. */
function whyNoMore({ book }: Instrument, side: Side, leaves: Lots): CloseReason {
  if (leaves === 0) return CloseReason.insufficientBalance;
  return book.bestAgainst(side) === NONE ? CloseReason.noLiquidity : CloseReason.priceBand;
}

/** The same object for each order, as a new one would cost the core 2 % of its time. */
function incomingOf(
  state: State,
  instrument: Instrument,
  order: EnteringOrder,
  worstPrice: Ticks,
  leaves: Lots,
): Incoming {
  const { incoming } = state;
  const { uid, side } = order.terms;
  incoming.uid = uid;
  incoming.enterpriseId = preventingEnterprise(state, uid);
  incoming.side = side;
  incoming.worstPrice = worstPrice;
  incoming.leaves = leaves;
  incoming.prevention = preventionOf(instrument, order);
  incoming.perTickLot = instrument.perTickLot;
  return incoming;
}

/** As incomingOf. `budget`: see OrderSettlement. */
function settlementOf(
  state: State,
  instrument: Instrument,
  order: EnteringOrder,
  budget: Amount,
): Settlement {
  state.settlement ??= new TradeSettlement(state);
  const { settlement } = state;
  settlement.begin(instrument, order, budget);
  return settlement;
}

/** Whether a fill-or-kill order, the incoming one, would be filled. */
const canFill = (
  { orders, incoming }: State,
  { book }: Instrument,
  settlement: Settlement,
  byQuote: boolean,
): boolean => new FillCheck(orders, incoming, settlement).passes(book, byQuote);

/** Reports an order canceled that is in no queue and holds nothing, and ends it. */
export function cancelEntering(
  state: State,
  instrument: Instrument,
  order: EnteringOrder,
  reason: CloseReason,
): void {
  reportEntering(state, order, ExecType.canceled, lots(0), ...noFill, reason);
  finish(state, instrument, order);
}

/** Ends an order that is in no queue: forgets it, cancels its OCO partner, queues its exits. */
function finish(state: State, instrument: Instrument, order: EnteringOrder): void {
  const { details, slot, orderId, cumQty } = order;
  if (slot !== NONE) {
    const partner = partnerOf(state, slot);
    if (partner !== NONE) closeOrder(state, instrument, partner, CloseReason.oco);
    if (details !== null && details.expireTime !== 0) state.expiries.remove(slot);
  }
  if (details !== null && details.bracket !== null && cumQty > 0) {
    const { uid, side } = order.terms;
    queueExits(state, instrument, { uid, orderId, side, cumQty, details });
  }
  if (slot !== NONE) state.orders.remove(slot);
}

/** lastPx and lastQty of a report that is not a fill. */
const noFill = [ticks(0), lots(0)] as const;

/** An order's own none was that of the pair, whose rule the operator may have changed since. */
function preventionOf({ selfTradePrevention }: Instrument, { details }: EnteringOrder) {
  const own = details?.selfTradePrevention ?? SelfTradePrevention.none;
  return own === SelfTradePrevention.none ? selfTradePrevention : own;
}

/** The user's enterprise if its members are not to trade with each other; else 0. */
function preventingEnterprise({ users, earn }: State, uid: number): number {
  const { enterpriseId } = users[uid]!;
  if (enterpriseId === 0) return 0;
  return earn.enterprises[enterpriseId]!.selfTradePrevention ? enterpriseId : 0;
}

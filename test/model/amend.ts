// The model's amendment: less of an order keeps its place; anything else takes the order out and
// lets it arrive again under its own number. The two of a pair have one quantity and one expiry.
import type { AmendOrder } from '../../src/core/command.ts';
import { ExecType, OrdType, Side, TimeInForce } from '../../src/core/fix.ts';
import type { RejectName } from '../../src/core/reject.ts';
import { findOwn, requestIdOf } from './cancels.ts';
import { hasTooSmallExits, rejectionOfExits } from './exits.ts';
import { type ExpectedOutcome, no, yes } from './expectation.ts';
import { forgetPlace, larger, otherOf, restCost, smaller } from './matching.ts';
import { report } from './report.ts';
import { isLimit, leavesOf, type ModelOrder, paidWith, type VenueState } from './state.ts';
import {
  accepts,
  isBelowMinimum,
  isDisplayTooSmall,
  isExit,
  isOutsideBand,
  isReached,
  stopCost,
  tradeLimit,
  wouldTrade,
} from './trading.ts';
import { isTooFar, trails, triggerNow } from './trailing.ts';

type Amendment = Omit<AmendOrder, 'type' | 'signature' | 'idempotency'>;

/** The order as it would be. */
type NewTerms = Pick<
  ModelOrder,
  'orderQty' | 'price' | 'stopPx' | 'displayQty' | 'expireTime' | 'bracket'
>;

export function amendOrder(venue: VenueState, command: Amendment): ExpectedOutcome {
  const order = findOwn(venue, command);
  if (typeof order === 'string') return no(order);
  const rejection = rejectionOf(venue, order, command);
  if (rejection !== null) return no(rejection);
  const { clOrdId } = command;
  const requestId = requestIdOf(venue, clOrdId);
  const amended = amendedBy(order, command);
  meetAll(venue, order, amended);
  const other = otherOf(venue, order);
  reserveBoth(venue, { ...order, ...amended }, other && sharedBy(other, command));
  execute(venue, order, amended);
  const isShared = command.orderQty !== null || command.expireTime !== null;
  venue.meet('amend: both orders of a pair', isShared && other !== undefined);
  if (isShared && other !== undefined) execute(venue, other, amendedBy(other, ofBoth(command)));
  const { orderId, givenClOrdId: origClOrdId } = order;
  return yes({ orderId, clOrdId, requestId, origClOrdId, transactTime: venue.time });
}

function execute(venue: VenueState, order: ModelOrder, amended: NewTerms): void {
  if (keepsPlace(order, amended)) lessen(venue, order, amended);
  else if (order.place === 'waiting') moveStop(venue, order, amended);
  else replace(venue, order, amended);
}

/** The part of an amendment that both orders of a pair share. */
const ofBoth = (command: Amendment): Amendment => ({
  ...command,
  price: null,
  stopPx: null,
  bracket: null,
});

const sharedBy = (other: ModelOrder, command: Amendment): ModelOrder => ({
  ...other,
  ...amendedBy(other, ofBoth(command)),
});

/** The stop of a pair reserves what its limit order does not. */
function reserveBoth(venue: VenueState, order: ModelOrder, other: ModelOrder | undefined): void {
  const [stop, limit] = order.place === 'waiting' ? [order, other] : [other, order];
  const rest = limit === undefined ? 0n : costOf(limit);
  const open = venue.users.get(order.uid)!.open;
  const find = ({ orderId }: ModelOrder) => open.find((one) => one.orderId === orderId)!;
  // The dearer one first would need money that the other is about to give back.
  if (stop !== undefined) venue.reserve(find(stop), 0n);
  if (limit !== undefined) venue.reserve(find(limit), rest);
  if (stop !== undefined) venue.reserve(find(stop), larger(0n, costOf(stop) - rest));
}

function meetAll(venue: VenueState, order: ModelOrder, amended: NewTerms): void {
  const waits = order.place === 'waiting';
  const keeps = keepsPlace(order, amended);
  const isIceberg = order.displayQty > 0n;
  const stopMoves = amended.stopPx !== order.stopPx || amended.orderQty > order.orderQty;
  const wasFilled = venue.events.some(
    (event) =>
      event.type === 'executionReport' && event.orderId === order.orderId && event.lastQty > 0n,
  );
  venue.meet('amend: less keeps its place', keeps && !waits && amended.orderQty < order.orderQty);
  venue.meet('amend: less of an iceberg keeps its place', keeps && isIceberg);
  const shows = keeps && isIceberg && amended.displayQty === 0n;
  venue.meet('amend: less than an iceberg shows keeps its place', shows);
  venue.meet('amend: another price', amended.price !== order.price);
  venue.meet('amend: more loses its place', !waits && amended.orderQty > order.orderQty);
  venue.meet('amend: a partly filled order', order.cumQty > 0n);
  venue.meet('amend: an order of v1', order.isPlain);
  venue.meet('amend: a triggered stop limit', order.triggered);
  venue.meet('amend: an order with a bracket', order.bracket !== null);
  const changesExits = amended.bracket !== order.bracket;
  venue.meet('amend: other exits alone keep the place', changesExits && keeps && !waits);
  venue.meet('amend: other exits of a stop', changesExits && waits);
  venue.meet('amend: other exits of a partly filled order', changesExits && order.cumQty > 0n);
  venue.meet('amend: the rest of a pair', order.ocoOrderId !== 0);
  venue.meet('amend: a stop moves', waits && stopMoves);
  venue.meet('amend: a stop keeps its place', waits && !stopMoves);
  venue.meet('amend: another expireTime', amended.expireTime !== order.expireTime);
  venue.meet('amend: after a fill in the same batch', wasFilled);
}

function amendedBy(order: ModelOrder, command: Amendment): NewTerms {
  const orderQty = command.orderQty === null ? order.orderQty : BigInt(command.orderQty);
  const displayQty = command.displayQty === null ? order.displayQty : BigInt(command.displayQty);
  return {
    orderQty,
    price: command.price === null ? order.price : BigInt(command.price),
    stopPx: command.stopPx === null ? order.stopPx : BigInt(command.stopPx),
    // Nothing of it would be hidden.
    displayQty: displayQty >= orderQty ? 0n : displayQty,
    expireTime: command.expireTime ?? order.expireTime,
    bracket: command.bracket ?? order.bracket,
  };
}

/** True if nobody behind it loses: the price is the same, and nothing gets larger. */
function keepsPlace(order: ModelOrder, amended: NewTerms): boolean {
  const { price, stopPx, orderQty, displayQty } = amended;
  const same = price === order.price && stopPx === order.stopPx && orderQty <= order.orderQty;
  if (order.displayQty === 0n) return same;
  const isAllShown = orderQty - order.cumQty <= order.shown;
  return same && (displayQty === 0n ? isAllShown : displayQty <= order.displayQty);
}

function isAmendable(venue: VenueState, order: ModelOrder, command: Amendment): boolean {
  venue.meet('amend: a due stop is rejected', order.place === 'due');
  venue.meet('amend: an order by quote is rejected', order.orderQty === 0n);
  const other = otherOf(venue, order);
  venue.meet('amend: a pair whose stop is due is rejected', other?.place === 'due');
  if (order.place === 'due' || order.orderQty === 0n || other?.place === 'due') return false;
  if (command.displayQty !== null && other !== undefined) return false;
  if (command.price !== null && !isLimit(order)) return false;
  if (command.stopPx !== null && (order.place !== 'waiting' || trails(order))) return false;
  if (command.displayQty !== null && order.ordType !== OrdType.limit) return false;
  venue.meet('amend: exits of an order without any are rejected', isExitless(order, command));
  if (isExitless(order, command)) return false;
  return command.expireTime === null || order.timeInForce === TimeInForce.goodTillDate;
}

const isExitless = (order: ModelOrder, command: Amendment): boolean =>
  command.bracket !== null && order.bracket === null;

function rejectionOf(venue: VenueState, order: ModelOrder, command: Amendment): RejectName | null {
  const { uid } = order;
  if (order.market.securityId !== command.securityId) return 'orderMismatch';
  if (command.price === 0 || command.stopPx === 0) return 'invalidTerms';
  if (!isAmendable(venue, order, command)) return 'notAmendable';
  if (command.bracket !== null && !isExit(command.bracket, order.side)) return 'invalidTerms';
  const other = otherOf(venue, order);
  const isShared = command.orderQty !== null || command.expireTime !== null;
  const rejection =
    rejectionOfTerms(venue, order, command) ??
    (isShared && other !== undefined ? rejectionOfTerms(venue, other, ofBoth(command)) : null);
  if (rejection !== null) return rejection;
  const after = { ...order, ...amendedBy(order, command) };
  const otherAfter = other && sharedBy(other, command);
  if (otherAfter !== undefined && !isPair(after, otherAfter)) {
    venue.meet('amend: the orders of a pair would meet');
    return 'invalidTerms';
  }
  const cost = otherAfter ? larger(costOf(after), costOf(otherAfter)) : costOf(after);
  const reserved = order.reserved + (other?.reserved ?? 0n);
  if (cost > venue.freeOf(uid, paidWith(order)) + reserved) return 'insufficientBalance';
  return null;
}

function isPair(order: ModelOrder, other: ModelOrder): boolean {
  const [stop, limit] = order.place === 'waiting' ? [order, other] : [other, order];
  if (trails(stop)) return true;
  return order.side === Side.sell ? limit.price > stop.stopPx : limit.price < stop.stopPx;
}

/** Rejections of the terms of one order, whatever they cost. */
function rejectionOfTerms(
  venue: VenueState,
  order: ModelOrder,
  command: Amendment,
): RejectName | null {
  const { market } = order;
  const amended = amendedBy(order, command);
  const moves = !keepsPlace(order, amended);
  if (moves && !accepts(market, order.postOnly)) return 'instrumentClosed';
  if (command.expireTime !== null && command.expireTime <= venue.time) return 'expireTimePassed';
  if (amended.orderQty <= order.cumQty) return 'belowFilled';
  if (isBelowMinimum(market, { ...order, ...amended })) return 'belowMinimum';
  const waits = order.place === 'waiting';
  const after = { ...order, ...amended };
  const trigger = triggerNow(after);
  const entry = { ...after, stopPx: waits ? trigger : 0n };
  if (hasTooSmallExits(venue, entry)) return 'exitsTooSmall';
  if (isDisplayTooSmall(market, amended.orderQty, amended.displayQty)) return 'displayTooSmall';
  if (!moves) return command.bracket === null ? null : rejectionOfExits(venue, entry);
  if (waits && !trails(order) && isTooFar(order.trail, after.stopPx)) return 'trailingTooFar';
  const around = waits ? trigger : market.lastPrice;
  if (isLimit(order) && isOutsideBand(market, amended.price, around)) return 'priceOutsideBand';
  const ofExits = rejectionOfExits(venue, entry);
  if (ofExits !== null) return ofExits;
  if (waits && !trails(order) && isReached(market, amended.stopPx, order.direction)) {
    return 'wouldTrigger';
  }
  const rests = order.postOnly || otherOf(venue, order) !== undefined;
  if (!waits && rests && wouldTrade({ ...order, ...amended })) return 'wouldMatch';
  return null;
}

const costOf = (order: ModelOrder): bigint =>
  order.place === 'waiting' ? stopCost(order) : restCost(order);

function lessen(venue: VenueState, order: ModelOrder, amended: NewTerms): void {
  Object.assign(order, amended);
  if (order.place === 'book') {
    const most = order.displayQty === 0n ? order.shown : smaller(order.shown, order.displayQty);
    const shown = smaller(most, leavesOf(order));
    if (shown !== order.shown) venue.touched.add(order.market);
    order.shown = shown;
  }
  report(venue, order, ExecType.replaced);
}

/** Another stopPx, or more of it, puts a stop at the end of the queue of its stopPx. */
function moveStop(venue: VenueState, order: ModelOrder, amended: NewTerms): void {
  // The place of one that trails says when it began.
  const isBigger = amended.orderQty > order.orderQty;
  const moves = !trails(order) && (amended.stopPx !== order.stopPx || isBigger);
  venue.meet('amend: more of a stop that trails', trails(order) && isBigger);
  Object.assign(order, amended);
  if (moves) order.priority = venue.nextOrderId++;
  report(venue, order, ExecType.replaced);
}

function replace(venue: VenueState, order: ModelOrder, amended: NewTerms): void {
  forgetPlace(venue, order);
  order.place = 'entering';
  Object.assign(order, amended);
  report(venue, order, ExecType.replaced);
  const { cumQty } = order;
  tradeLimit(venue, order);
  venue.meet('amend: it trades', order.cumQty > cumQty);
}

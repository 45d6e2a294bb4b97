// The model's amendment: less of an order keeps its place; anything else takes the order out and
// lets it arrive again under its own number.
import type { AmendOrder } from '../../src/core/command.ts';
import { ExecType, OrdType, TimeInForce } from '../../src/core/fix.ts';
import type { RejectName } from '../../src/core/reject.ts';
import { findOwn, requestIdOf } from './cancels.ts';
import { hasFarExits, hasTooSmallExits } from './exits.ts';
import { type ExpectedOutcome, no, yes } from './expectation.ts';
import { forgetPlace, otherOf, report, restCost, smaller } from './matching.ts';
import { isLimit, leavesOf, type ModelOrder, paidWith, type VenueState } from './state.ts';
import {
  accepts,
  isBelowMinimum,
  isDisplayTooSmall,
  isOutsideBand,
  isReached,
  stopCost,
  tradeLimit,
  wouldTrade,
} from './trading.ts';

type Amendment = Omit<AmendOrder, 'type' | 'signature' | 'idempotency'>;

/** The order as it would be. */
type Amended = Pick<ModelOrder, 'orderQty' | 'price' | 'stopPx' | 'displayQty' | 'expireTime'>;

export function amendOrder(venue: VenueState, command: Amendment): ExpectedOutcome {
  const order = findOwn(venue, command);
  if (typeof order === 'string') return no(order);
  const rejection = rejectionOf(venue, order, command);
  if (rejection !== null) return no(rejection);
  const { clOrdId } = command;
  const requestId = requestIdOf(venue, clOrdId);
  const amended = amendedBy(order, command);
  meetAll(venue, order, amended);
  if (keepsPlace(order, amended)) lessen(venue, order, amended);
  else if (order.place === 'waiting') moveStop(venue, order, amended);
  else replace(venue, order, amended);
  const { orderId, givenClOrdId: origClOrdId } = order;
  return yes({ orderId, clOrdId, requestId, origClOrdId, transactTime: venue.time });
}

function meetAll(venue: VenueState, order: ModelOrder, amended: Amended): void {
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
  venue.meet('amend: the rest of a pair', order.ocoOrderId !== 0);
  venue.meet('amend: a stop moves', waits && stopMoves);
  venue.meet('amend: a stop keeps its place', waits && !stopMoves);
  venue.meet('amend: another expireTime', amended.expireTime !== order.expireTime);
  venue.meet('amend: after a fill in the same batch', wasFilled);
}

function amendedBy(order: ModelOrder, command: Amendment): Amended {
  const orderQty = command.orderQty === null ? order.orderQty : BigInt(command.orderQty);
  const displayQty = command.displayQty === null ? order.displayQty : BigInt(command.displayQty);
  return {
    orderQty,
    price: command.price === null ? order.price : BigInt(command.price),
    stopPx: command.stopPx === null ? order.stopPx : BigInt(command.stopPx),
    // Nothing of it would be hidden.
    displayQty: displayQty >= orderQty ? 0n : displayQty,
    expireTime: command.expireTime ?? order.expireTime,
  };
}

/** Whether nobody loses by it: the price is the same, and nothing gets larger. */
function keepsPlace(order: ModelOrder, amended: Amended): boolean {
  const { price, stopPx, orderQty, displayQty } = amended;
  const same = price === order.price && stopPx === order.stopPx && orderQty <= order.orderQty;
  if (order.displayQty === 0n) return same;
  const isAllShown = orderQty - order.cumQty <= order.shown;
  return same && (displayQty === 0n ? isAllShown : displayQty <= order.displayQty);
}

function isAmendable(venue: VenueState, order: ModelOrder, command: Amendment): boolean {
  venue.meet('amend: a due stop is refused', order.place === 'due');
  venue.meet('amend: an order by quote is refused', order.orderQty === 0n);
  venue.meet('amend: one of two open orders of a pair is refused', !!otherOf(venue, order));
  if (order.place === 'due' || order.orderQty === 0n) return false;
  if (otherOf(venue, order) !== undefined) return false;
  if (command.price !== null && !isLimit(order)) return false;
  if (command.stopPx !== null && order.place !== 'waiting') return false;
  if (command.displayQty !== null && order.ordType !== OrdType.limit) return false;
  return command.expireTime === null || order.timeInForce === TimeInForce.goodTillDate;
}

function rejectionOf(venue: VenueState, order: ModelOrder, command: Amendment): RejectName | null {
  const { market, uid } = order;
  if (order.market.securityId !== command.securityId) return 'orderMismatch';
  if (command.price === 0 || command.stopPx === 0) return 'invalidTerms';
  if (!isAmendable(venue, order, command)) return 'notAmendable';
  const amended = amendedBy(order, command);
  const moves = !keepsPlace(order, amended);
  if (moves && !accepts(market, order.postOnly)) return 'instrumentClosed';
  if (command.expireTime !== null && command.expireTime <= venue.time) return 'expireTimePassed';
  if (amended.orderQty <= order.cumQty) return 'belowFilled';
  if (isBelowMinimum(market, { ...order, ...amended })) return 'belowMinimum';
  const waits = order.place === 'waiting';
  const entry = { ...order, ...amended, stopPx: waits ? amended.stopPx : 0n };
  if (hasTooSmallExits(venue, entry)) return 'exitsTooSmall';
  if (isDisplayTooSmall(market, amended.orderQty, amended.displayQty)) return 'displayTooSmall';
  if (!moves) return null;
  const around = waits ? amended.stopPx : market.lastPrice;
  if (isLimit(order) && isOutsideBand(market, amended.price, around)) return 'priceOutsideBand';
  if (hasFarExits(entry)) return 'priceOutsideBand';
  if (waits && isReached(market, amended.stopPx, order.direction)) return 'wouldTrigger';
  if (!waits && order.postOnly && wouldTrade({ ...order, ...amended })) return 'wouldMatch';
  const asset = paidWith(order);
  const cost = costOf({ ...order, ...amended });
  if (cost > venue.freeOf(uid, asset) + order.reserved) return 'insufficientBalance';
  return null;
}

const costOf = (order: ModelOrder): bigint =>
  order.place === 'waiting' ? stopCost(order) : restCost(order);

function lessen(venue: VenueState, order: ModelOrder, amended: Amended): void {
  Object.assign(order, amended);
  venue.reserve(order, costOf(order));
  if (order.place === 'book') {
    const most = order.displayQty === 0n ? order.shown : smaller(order.shown, order.displayQty);
    const shown = smaller(most, leavesOf(order));
    if (shown !== order.shown) venue.touched.add(order.market);
    order.shown = shown;
  }
  report(venue, order, ExecType.replaced);
}

/** Another stopPx, or more of it, puts a stop at the end of the queue of its stopPx. */
function moveStop(venue: VenueState, order: ModelOrder, amended: Amended): void {
  const moves = amended.stopPx !== order.stopPx || amended.orderQty > order.orderQty;
  Object.assign(order, amended);
  venue.reserve(order, costOf(order));
  if (moves) order.priority = venue.nextOrderId++;
  report(venue, order, ExecType.replaced);
}

function replace(venue: VenueState, order: ModelOrder, amended: Amended): void {
  forgetPlace(venue, order);
  order.place = 'entering';
  Object.assign(order, amended);
  venue.reserve(order, costOf(order));
  report(venue, order, ExecType.replaced);
  const { cumQty } = order;
  tradeLimit(venue, order);
  venue.meet('amend: it trades', order.cumQty > cumQty);
}

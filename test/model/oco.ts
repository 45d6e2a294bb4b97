// The model's pairs: a limit order and a stop of which the first to trade cancels the other. A
// client places them, or the bracket of an order does (exits.ts), which may have one of them alone.
import type { PlaceOco } from '../../src/core/command.ts';
import { ExecType, OrdType, Side, TimeInForce, TriggerPriceDirection } from '../../src/core/fix.ts';
import type { RejectName } from '../../src/core/reject.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { type ExpectedOutcome, no, yes } from './expectation.ts';
import { larger, makeDue, restCost } from './matching.ts';
import { report } from './report.ts';
import { isStop, type ModelOrder, openOf, type VenueState } from './state.ts';
import {
  accepts,
  enterStop,
  isReached,
  isWellFormed,
  newOrder,
  rejectionOfTerms,
  stopCost,
  type Terms,
  tradeLimit,
  wouldTrade,
} from './trading.ts';

export type PairTerms = Omit<PlaceOco, 'type' | 'signature' | 'idempotency'>;

interface Pair {
  readonly limit: Terms;
  readonly stop: Terms;
}

export function placeOco(venue: VenueState, command: PairTerms): ExpectedOutcome {
  const rejection = rejectionOfPair(venue, command);
  if (rejection !== null) return no(rejection);
  const [limit, stop] = placePair(venue, command, 0);
  return yes({
    orderId: limit!.orderId,
    stopOrderId: stop!.orderId,
    clOrdId: command.clOrdId,
    stopClOrdId: command.stopClOrdId,
    transactTime: venue.time,
  });
}

/** The two orders of a pair, as a client would send them. */
function pairOf(command: PairTerms): Pair {
  const { uid, securityId, side, orderQty, price, strictClOrdId } = command;
  const { stopPx, stopLimitPx, trail } = command;
  const terms = { uid, securityId, side, orderQty, strictClOrdId };
  const both = { ...terms, quoteOrderQty: amount(0), postOnly: false };
  const { timeInForce, expireTime, selfTradePrevention } = command;
  const rules = { timeInForce, expireTime, selfTradePrevention, bracket: null };
  const { none, up, down } = TriggerPriceDirection;
  const shown = { ...rules, displayQty: lots(0) };
  return {
    limit: {
      ...both,
      ordType: OrdType.limit,
      price,
      clOrdId: command.clOrdId,
      extras: { ...shown, stopPx: ticks(0), triggerPriceDirection: none, trail: 0 },
    },
    stop: {
      ...both,
      ordType: stopLimitPx === 0 ? OrdType.stop : OrdType.stopLimit,
      price: stopLimitPx,
      clOrdId: command.stopClOrdId,
      extras: { ...shown, stopPx, triggerPriceDirection: side === Side.buy ? up : down, trail },
    },
  };
}

/** Exits without a limit order have no price; without a stop, neither stopPx nor trail. */
function ordersOf(command: PairTerms): Terms[] {
  const { limit, stop } = pairOf(command);
  const stops = command.stopPx > 0 || command.trail !== 0;
  return [...(command.price > 0 ? [limit] : []), ...(stops ? [stop] : [])];
}

function rejectionOfPair(venue: VenueState, command: PairTerms): RejectName | null {
  const { uid, securityId, side, price, stopPx, clOrdId, timeInForce } = command;
  const user = venue.users.get(uid);
  if (user === undefined) return 'userUnknown';
  if (user.suspended) return 'userSuspended';
  if (!venue.markets.has(securityId)) return 'instrumentUnknown';
  const isApart = side === Side.sell ? price > stopPx : price < stopPx;
  if (!isApart && !(command.trail !== 0 && stopPx === 0)) return 'invalidTerms';
  const isNow =
    timeInForce !== TimeInForce.goodTillCancel && timeInForce !== TimeInForce.goodTillDate;
  const { limit, stop } = pairOf(command);
  if (isNow || ![limit, stop].every((terms) => isWellFormed(terms, terms.extras!))) {
    return 'invalidTerms';
  }
  const isOneName = clOrdId !== '' && clOrdId === command.stopClOrdId;
  if (command.strictClOrdId && isOneName) return 'clOrdIdDuplicate';
  return rejectionOfBoth(venue, command);
}

/** The checks of both orders, and of what they cost together. */
export function rejectionOfBoth(
  venue: VenueState,
  command: PairTerms,
  isExit = false,
): RejectName | null {
  const user = venue.users.get(command.uid)!;
  const market = venue.markets.get(command.securityId)!;
  if (!accepts(market, false)) return 'instrumentClosed';
  for (const terms of ordersOf(command)) {
    const rejection = rejectionOfTerms(venue, market, terms, isExit);
    // The stop of a bracket may be reached already.
    if (rejection !== null && !(isExit && rejection === 'wouldTrigger')) return rejection;
  }
  // A client's pair waits for both prices; the market may have reached the target of exits.
  const waits = { market, side: command.side, price: BigInt(command.price) };
  if (!isExit && wouldTrade(waits)) {
    venue.meet('pair: its limit order would trade');
    return 'wouldMatch';
  }
  if (openOf(venue, user) + ordersOf(command).length > user.maxOpenOrders)
    return 'tooManyOpenOrders';
  const asset = command.side === Side.buy ? market.quote : market.base;
  const free = venue.freeOf(command.uid, asset);
  return costOfPair(venue, command) > free ? 'insufficientBalance' : null;
}

/** One order of the pair trades, so the dearer one is what it can cost. */
function costOfPair(venue: VenueState, command: PairTerms): bigint {
  const before = venue.nextOrderId;
  const orders = ordersOf(command).map((terms) => newOrder(venue, terms));
  venue.nextOrderId = before;
  return orders.map((order) => (isStop(order) ? stopCost(order) : restCost(order))).reduce(larger);
}

export function newPair(
  venue: VenueState,
  command: PairTerms,
  parentOrderId: number,
): readonly ModelOrder[] {
  const { nextOrderId } = venue;
  return ordersOf(command).map((terms, i, { length }) => {
    const ocoOrderId = length === 2 ? nextOrderId + 1 - i : 0;
    return newOrder(venue, terms, { ocoOrderId, parentOrderId });
  });
}

/** Both orders are open before the limit order may trade. */
export function placePair(
  venue: VenueState,
  command: PairTerms,
  parentOrderId: number,
): readonly ModelOrder[] {
  const orders = newPair(venue, command, parentOrderId);
  const limit = orders.find((order) => !isStop(order));
  const stop = orders.find(isStop);
  if (limit !== undefined) {
    venue.users.get(command.uid)!.open.push(limit);
    venue.reserve(limit, restCost(limit));
    report(venue, limit, ExecType.new);
  }
  if (stop !== undefined) {
    enterStop(venue, stop, larger(0n, stopCost(stop) - (limit?.reserved ?? 0n)));
    if (isReached(stop.market, stop.stopPx, stop.direction)) {
      venue.meet('bracket: the stop is reached already');
      makeDue(venue, stop);
    }
  }
  if (limit !== undefined) tradeLimit(venue, limit, limit.orderId);
  return orders;
}

// The model's pairs: a limit order and a stop of which the first to trade cancels the other. A
// client places them, or the bracket of an order does.
import type { PlaceOco } from '../../src/core/command.ts';
import {
  CloseReason,
  ExecType,
  OrdType,
  SelfTradePrevention,
  Side,
  TimeInForce,
  TriggerPriceDirection,
} from '../../src/core/fix.ts';
import type { RejectName } from '../../src/core/reject.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { type ExpectedOutcome, no, yes } from './expectation.ts';
import { larger, makeDue, report, restCost, smaller } from './matching.ts';
import type { ModelOrder, VenueState } from './state.ts';
import {
  accepts,
  enterStop,
  isReached,
  isWellFormed,
  newOrder,
  protectionPrice,
  refusalOfTerms,
  stopCost,
  type Terms,
  tradeLimit,
} from './trading.ts';

export type PairTerms = Omit<PlaceOco, 'type' | 'signature' | 'idempotency'>;

interface Pair {
  readonly limit: Terms;
  readonly stop: Terms;
}

export function placeOco(venue: VenueState, command: PairTerms): ExpectedOutcome {
  const refusal = refusalOfPair(venue, command);
  if (refusal !== null) return no(refusal);
  const [limit, stop] = placePair(venue, command, 0);
  return yes({
    orderId: limit.orderId,
    stopOrderId: stop.orderId,
    clOrdId: command.clOrdId,
    stopClOrdId: command.stopClOrdId,
    transactTime: venue.time,
  });
}

/** The two orders of a pair, as a client would send them. */
function pairOf(command: PairTerms): Pair {
  const { uid, securityId, side, orderQty, price, stopPx, stopLimitPx, strictClOrdId } = command;
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
      extras: { ...shown, stopPx: ticks(0), triggerPriceDirection: none },
    },
    stop: {
      ...both,
      ordType: stopLimitPx === 0 ? OrdType.stop : OrdType.stopLimit,
      price: stopLimitPx,
      clOrdId: command.stopClOrdId,
      extras: { ...shown, stopPx, triggerPriceDirection: side === Side.buy ? up : down },
    },
  };
}

function refusalOfPair(venue: VenueState, command: PairTerms): RejectName | null {
  const { uid, securityId, side, price, stopPx, clOrdId, timeInForce } = command;
  const user = venue.users.get(uid);
  if (user === undefined) return 'userUnknown';
  if (user.suspended) return 'userSuspended';
  if (!venue.markets.has(securityId)) return 'instrumentUnknown';
  if (side === Side.sell ? price <= stopPx : price >= stopPx) return 'invalidTerms';
  const isNow =
    timeInForce !== TimeInForce.goodTillCancel && timeInForce !== TimeInForce.goodTillDate;
  const { limit, stop } = pairOf(command);
  if (isNow || ![limit, stop].every((terms) => isWellFormed(terms, terms.extras!))) {
    return 'invalidTerms';
  }
  const isOneName = clOrdId !== '' && clOrdId === command.stopClOrdId;
  if (command.strictClOrdId && isOneName) return 'clOrdIdDuplicate';
  return refusalOfBoth(venue, command);
}

/** The checks of both orders, and of what they cost together. */
function refusalOfBoth(venue: VenueState, command: PairTerms, isExit = false): RejectName | null {
  const user = venue.users.get(command.uid)!;
  const market = venue.markets.get(command.securityId)!;
  if (!accepts(market, false)) return 'instrumentClosed';
  const { limit, stop } = pairOf(command);
  for (const terms of [limit, stop]) {
    const refusal = refusalOfTerms(venue, market, terms);
    // The stop of a bracket may be reached already.
    if (refusal !== null && !(isExit && refusal === 'wouldTrigger')) return refusal;
  }
  if (user.open.length + 2 > user.maxOpenOrders) return 'tooManyOpenOrders';
  const asset = command.side === Side.buy ? market.quote : market.base;
  const free = venue.freeOf(command.uid, asset);
  return costOfPair(venue, command) > free ? 'insufficientBalance' : null;
}

/** One order of the pair trades, so the dearer one is what it can cost. */
function costOfPair(venue: VenueState, command: PairTerms): bigint {
  const { limit, stop } = pairOf(command);
  const before = venue.nextOrderId;
  const orders = [limit, stop].map((terms) => newOrder(venue, terms));
  venue.nextOrderId = before;
  return larger(restCost(orders[0]), stopCost(orders[1]));
}

function newPair(
  venue: VenueState,
  command: PairTerms,
  parentOrderId: number,
): readonly [ModelOrder, ModelOrder] {
  const { limit, stop } = pairOf(command);
  const orderId = venue.nextOrderId;
  return [
    newOrder(venue, limit, { ocoOrderId: orderId + 1, parentOrderId }),
    newOrder(venue, stop, { ocoOrderId: orderId, parentOrderId }),
  ];
}

/** Both orders are open before the limit order may trade. */
function placePair(
  venue: VenueState,
  command: PairTerms,
  parentOrderId: number,
): readonly [ModelOrder, ModelOrder] {
  const [limit, stop] = newPair(venue, command, parentOrderId);
  venue.users.get(command.uid)!.open.push(limit);
  venue.reserve(limit, restCost(limit));
  report(venue, limit, ExecType.new);
  enterStop(venue, stop, larger(0n, stopCost(stop) - limit.reserved));
  if (isReached(stop.market, stop.stopPx, stop.direction)) {
    venue.meet('bracket: the stop is reached already');
    makeDue(venue, stop);
  }
  tradeLimit(venue, limit, limit.orderId);
  return [limit, stop];
}

/** The exits of an order that has come to its end: a pair of the other side. */
export function placeExits(venue: VenueState, entry: ModelOrder): void {
  const exits = exitsOf(venue, entry);
  const { orderId } = entry;
  const reason = reasonAgainst(venue, exits);
  const isPlaced = reason === CloseReason.none;
  venue.meet('bracket: exits of a buy', isPlaced && entry.side === Side.buy);
  venue.meet('bracket: exits of a sell', isPlaced && entry.side === Side.sell);
  venue.meet('bracket: exits of a part', isPlaced && entry.cumQty < entry.orderQty);
  venue.meet('bracket: exits refused', !isPlaced);
  if (reason === CloseReason.none) {
    placePair(venue, exits, orderId);
    return;
  }
  for (const order of newPair(venue, exits, orderId)) {
    report(venue, order, ExecType.rejected, reason);
  }
}

function exitsOf(venue: VenueState, entry: ModelOrder): PairTerms {
  const { uid, market, bracket, prevention, side } = entry;
  const { takeProfitPx, stopPx, stopLimitPx } = bracket!;
  return {
    uid,
    securityId: market.securityId,
    side: side === Side.buy ? Side.sell : Side.buy,
    orderQty: lots(Number(exitQuantity(venue, entry))),
    price: takeProfitPx,
    stopPx,
    stopLimitPx,
    timeInForce: TimeInForce.goodTillCancel,
    expireTime: 0,
    selfTradePrevention: prevention === SelfTradePrevention.none ? null : prevention,
    clOrdId: '',
    stopClOrdId: '',
    strictClOrdId: false,
  };
}

/** The received part of a buy; the sold part of a sell, as far as there is money to buy it back. */
function exitQuantity(venue: VenueState, entry: ModelOrder): bigint {
  const { uid, market, cumQty, fees } = entry;
  const { takeProfitPx, stopPx, stopLimitPx } = entry.bracket!;
  const received = cumQty * market.basePerLot - fees;
  if (entry.side === Side.buy) return larger(0n, received) / market.basePerLot;
  const stopPrice = stopLimitPx === 0 ? protectionPrice(BigInt(stopPx)) : BigInt(stopLimitPx);
  const perLot = larger(stopPrice, BigInt(takeProfitPx)) * market.quotePerTickLot;
  const affordable = venue.freeOf(uid, market.quote) / perLot;
  venue.meet('bracket: exits bounded by the money there is', affordable < cumQty);
  return smaller(cumQty, affordable);
}

/** none: the exits are placed. */
function reasonAgainst(venue: VenueState, exits: PairTerms): CloseReason {
  if (venue.users.get(exits.uid)!.suspended) return CloseReason.suspension;
  if (exits.orderQty === 0) return CloseReason.belowMinimum;
  const refusal = refusalOfBoth(venue, exits, true);
  const reasons: Partial<Record<RejectName, CloseReason>> = {
    belowMinimum: CloseReason.belowMinimum,
    priceOutsideBand: CloseReason.priceBand,
    tooManyOpenOrders: CloseReason.tooManyOpenOrders,
    insufficientBalance: CloseReason.insufficientBalance,
  };
  return refusal === null ? CloseReason.none : reasons[refusal]!;
}

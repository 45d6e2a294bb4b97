// The exits of an order with a bracket: what they must be like before the order trades, and when it
// has come to its end, a pair of the other side for what there is.
import {
  CloseReason,
  ExecType,
  OrdType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/core/fix.ts';
import type { RejectName } from '../../src/core/reject.ts';
import { lots } from '../../src/core/units.ts';
import { feeRate } from './fee-tiers.ts';
import { larger, opposites, smaller } from './matching.ts';
import { newPair, type PairTerms, placePair, rejectionOfBoth } from './oco.ts';
import { preventionFor } from './prevention.ts';
import { report } from './report.ts';
import type { ModelMarket, ModelOrder, VenueState } from './state.ts';
import { isBelowMinimum, isOutsideBand, protectionPrice } from './trading.ts';
import { isTooFar, triggerNow } from './trailing.ts';

const RATE_ONE = 100_000_000n;

export type Entry = Pick<
  ModelOrder,
  'uid' | 'market' | 'side' | 'price' | 'orderQty' | 'stopPx' | 'bracket' | 'prevention'
>;

/** True if the exits would be too small even if one fill fills the whole order. */
export function hasTooSmallExits(venue: VenueState, entry: Entry): boolean {
  const { market, bracket } = entry;
  return bracket !== null && isTooSmall(market, leftAfterFee(venue, entry), bracket);
}

function leftAfterFee(venue: VenueState, { uid, market, side, orderQty }: Entry): bigint {
  if (side === Side.sell) return orderQty;
  const order = { uid, market };
  const rate = larger(feeRate(venue, order, 'makerFee'), feeRate(venue, order, 'takerFee'));
  const received = orderQty * market.basePerLot;
  const fee = (received * rate + RATE_ONE - 1n) / RATE_ONE;
  return (received - fee) / market.basePerLot;
}

type Bracket = NonNullable<ModelOrder['bracket']>;

function isTooSmall(
  market: ModelMarket,
  quantity: bigint,
  { takeProfitPx, stopLimitPx }: Bracket,
): boolean {
  const isSmall = (price: number): boolean => {
    const ordType = price > 0 ? OrdType.limit : OrdType.stop;
    return isBelowMinimum(market, { ordType, orderQty: quantity, quoteOrderQty: 0, price });
  };
  return quantity <= 0n || [takeProfitPx, stopLimitPx].some(isSmall);
}

/** The first rejection of exits that do not fit the price at which the order trades. */
export function rejectionOfExits(venue: VenueState, entry: Entry): RejectName | null {
  const then = marketThen(venue, entry);
  if (hasFarExits(entry, then)) return 'priceOutsideBand';
  if (hasFarTrail(entry, then)) return 'trailingTooFar';
  return hasReachedExits(entry, then) ? 'exitReached' : null;
}

/** True if the pair would take the exits at no price near the one at which the order trades. */
function hasFarExits(entry: Entry, then: bigint | null): boolean {
  const { market, bracket } = entry;
  if (bracket === null) return false;
  const { takeProfitPx, stopLimitPx } = bracket;
  if (takeProfitPx > 0 && isOutsideBand(market, BigInt(takeProfitPx), then)) return true;
  const trigger = exitTrigger({ ...market, lastPrice: then }, bracket, entry.side);
  return stopLimitPx > 0 && isOutsideBand(market, BigInt(stopLimitPx), trigger);
}

/** True if the stop of the exits would trail too far away. */
const hasFarTrail = ({ bracket }: Entry, then: bigint | null): boolean =>
  bracket !== null && isTooFar(bracket.trail, then);

/** Where the stop of the exits is triggered at first. `side`: of the entry. */
function exitTrigger(market: ModelMarket, { stopPx, trail }: Bracket, side: Side): bigint {
  const opposite = side === Side.buy ? Side.sell : Side.buy;
  return triggerNow({ market, side: opposite, stopPx: BigInt(stopPx), trail });
}

/** True if an exit would trade where it is placed: the target below the price of a buy, or so. */
function hasReachedExits(entry: Entry, then: bigint | null): boolean {
  if (entry.bracket === null || then === null || then === 0n) return false;
  const isBuy = entry.side === Side.buy;
  const target = BigInt(entry.bracket.takeProfitPx);
  const stop = BigInt(entry.bracket.stopPx);
  const targetIsReached = isBuy ? target <= then : target >= then;
  const stopIsReached = isBuy ? stop >= then : stop <= then;
  return (target > 0n && targetIsReached) || (stop > 0n && stopIsReached);
}

/**
 * Where the market is when the order trades, as far as it can be known: a stop is triggered at its
 * price, another order meets the best one of the other side that it does not cancel, and a better
 * limit has its own price.
 */
function marketThen(venue: VenueState, entry: Entry): bigint | null {
  const { market, side, price, stopPx } = entry;
  const [first] = opposites(entry);
  const met = opposites(entry).find(
    (maker) => preventionFor(venue, entry, maker) !== SelfTradePrevention.cancelOldest,
  );
  venue.meet(
    'bracket: the entry passes over own orders',
    entry.bracket !== null && stopPx === 0n && met !== first,
  );
  const best = met?.price ?? null;
  const there = stopPx > 0n ? stopPx : best;
  if (price === 0n) return there ?? market.lastPrice;
  if (there === null) return price;
  return side === Side.buy ? smaller(price, there) : larger(price, there);
}

export function placeExits(venue: VenueState, entry: ModelOrder): void {
  const wanted = larger(0n, wantedQuantity(entry));
  const there = thereFor(venue, entry);
  const exits = exitsOf(entry, smaller(wanted, there));
  const { orderId } = entry;
  const reason = reasonAgainst(venue, entry, wanted, exits);
  const isPlaced = reason === CloseReason.none;
  venue.meet('bracket: exits of a buy', isPlaced && entry.side === Side.buy);
  venue.meet('bracket: exits of a sell', isPlaced && entry.side === Side.sell);
  venue.meet('bracket: exits of a part', isPlaced && entry.cumQty < entry.orderQty);
  const isBought = entry.side === Side.buy;
  venue.meet('bracket: exits of a buy bounded by what is there', isBought && there < wanted);
  venue.meet('bracket: exits of a sell bounded by what is there', !isBought && there < wanted);
  const stops = exits.stopPx > 0 || exits.trail !== 0;
  venue.meet('bracket: a profit alone', isPlaced && !stops);
  venue.meet('bracket: a stop alone', isPlaced && exits.price === 0);
  if (isPlaced) {
    placePair(venue, exits, orderId);
    return;
  }
  for (const order of newPair(venue, exitsOf(entry, wanted), orderId)) {
    report(venue, order, ExecType.rejected, reason);
  }
}

/** The received part of a buy after its fees, or all that a sell has sold. */
function wantedQuantity({ market, side, cumQty, fees }: ModelOrder): bigint {
  if (side === Side.sell) return cumQty;
  return (cumQty * market.basePerLot - fees) / market.basePerLot;
}

/** The quantity that the owner can sell, or buy back at the dearer of the two prices. */
function thereFor(venue: VenueState, { uid, market, side, bracket }: ModelOrder): bigint {
  if (side === Side.buy) return venue.freeOf(uid, market.base) / market.basePerLot;
  const { takeProfitPx, stopLimitPx, stopPx, trail } = bracket!;
  const trigger = stopPx > 0 || trail !== 0 ? exitTrigger(market, bracket!, side) : 0n;
  const stopPrice = stopLimitPx === 0 ? protectionPrice(trigger) : BigInt(stopLimitPx);
  const perLot = larger(stopPrice, BigInt(takeProfitPx)) * market.quotePerTickLot;
  return venue.freeOf(uid, market.quote) / perLot;
}

function exitsOf(entry: ModelOrder, quantity: bigint): PairTerms {
  const { uid, market, bracket, prevention, side } = entry;
  const { takeProfitPx, stopPx, stopLimitPx, trail } = bracket!;
  return {
    uid,
    securityId: market.securityId,
    side: side === Side.buy ? Side.sell : Side.buy,
    orderQty: lots(Number(quantity)),
    price: takeProfitPx,
    stopPx,
    stopLimitPx,
    trail,
    timeInForce: TimeInForce.goodTillCancel,
    expireTime: 0,
    selfTradePrevention: prevention === SelfTradePrevention.none ? null : prevention,
    clOrdId: '',
    stopClOrdId: '',
    strictClOrdId: false,
  };
}

/** none: the exits are placed. */
function reasonAgainst(
  venue: VenueState,
  { market, bracket }: ModelOrder,
  wanted: bigint,
  exits: PairTerms,
): CloseReason {
  if (venue.users.get(exits.uid)!.suspended) return CloseReason.exitsSuspended;
  if (isTooSmall(market, wanted, bracket!)) return CloseReason.exitsBelowMinimum;
  if (isTooSmall(market, BigInt(exits.orderQty), bracket!)) return CloseReason.exitsUnfunded;
  const rejection = rejectionOfBoth(venue, exits, true);
  const reasons: Partial<Record<RejectName, CloseReason>> = {
    priceOutsideBand: CloseReason.exitsOutsideBand,
    tooManyOpenOrders: CloseReason.exitsTooManyOrders,
  };
  return rejection === null ? CloseReason.none : reasons[rejection]!;
}

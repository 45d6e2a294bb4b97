// The model's order entry: rejections in the order of the reject table, then matching, then what
// becomes of the rest. A triggered stop enters here too.
import type { PlaceOrder } from '../../src/core/command.ts';
import {
  CloseReason,
  ExecType,
  InstrumentStatus,
  OrdStatus,
  OrdType,
  SelfTradePrevention,
  Side,
  TimeInForce,
  TriggerPriceDirection,
} from '../../src/core/fix.ts';
import type { Bracket, OrderExtras } from '../../src/core/order-extras.ts';
import type { RejectName } from '../../src/core/reject.ts';
import { hasTooSmallExits, rejectionOfExits } from './exits.ts';
import { type ExpectedEvent, type ExpectedOutcome, no, yes } from './expectation.ts';
import { canFill } from './fill-or-kill.ts';
import { costOfMarket } from './market-cost.ts';
import {
  acceptable,
  type Ending,
  finish,
  forget,
  LARGEST,
  lackOf,
  larger,
  matchAll,
  opposites,
  releaseOther,
  rest,
  restCost,
  smaller,
} from './matching.ts';
import { report } from './report.ts';
import {
  isLimit,
  isStop,
  type ModelMarket,
  type ModelOrder,
  type ModelUser,
  openOf,
  type VenueState,
} from './state.ts';
import { beginToTrail, isTooFar, triggerNow } from './trailing.ts';

const RATE_ONE = 100_000_000n;

/** The terms of an order that a client sends. */
export type Terms = Omit<PlaceOrder, 'type' | 'signature' | 'idempotency'>;

export function placeOrder(venue: VenueState, command: Terms): ExpectedOutcome {
  const rejection = rejectionOf(venue, command);
  if (rejection !== null) return no(rejection);
  const order = newOrder(venue, command);
  enter(venue, order);
  const { orderId } = order;
  return yes({ orderId, clOrdId: command.clOrdId, transactTime: venue.time });
}

/** An order under the next number. */
export function newOrder(
  venue: VenueState,
  terms: Terms,
  links: { readonly ocoOrderId?: number; readonly parentOrderId?: number } = {},
): ModelOrder {
  const orderId = venue.nextOrderId++;
  const { uid, extras } = terms;
  const displayQty = BigInt(extras?.displayQty ?? 0);
  const orderQty = BigInt(terms.orderQty);
  return {
    orderId,
    uid,
    market: venue.markets.get(terms.securityId)!,
    side: terms.side,
    ordType: terms.ordType,
    postOnly: terms.postOnly,
    price: BigInt(terms.price),
    orderQty,
    quoteOrderQty: BigInt(terms.quoteOrderQty),
    most: LARGEST,
    givenClOrdId: terms.clOrdId,
    clOrdId: terms.clOrdId === '' ? `api_${uid}_${orderId}` : terms.clOrdId,
    createTime: venue.time,
    timeInForce: extras?.timeInForce ?? TimeInForce.goodTillCancel,
    expireTime: extras?.expireTime ?? 0,
    displayQty: displayQty >= orderQty ? 0n : displayQty,
    prevention: extras?.selfTradePrevention ?? null,
    stopPx: BigInt(extras?.stopPx ?? 0),
    direction: extras?.triggerPriceDirection ?? TriggerPriceDirection.none,
    trail: extras?.trail ?? 0,
    best: null,
    trailingTime: 0,
    triggerPx: 0n,
    triggered: false,
    bracket: extras?.bracket ?? null,
    isPlain: extras === null,
    ocoOrderId: links.ocoOrderId ?? 0,
    parentOrderId: links.parentOrderId ?? 0,
    priority: orderId,
    place: 'entering',
    shown: 0n,
    shownAs: { id: orderId, time: venue.time },
    cumQty: 0n,
    cumQuote: 0n,
    fees: 0n,
    reserved: 0n,
    purse: 0n,
  };
}

function enter(venue: VenueState, order: ModelOrder): void {
  if (isStop(order)) enterStop(venue, order, stopCost(order));
  else if (isLimit(order)) enterLimit(venue, order);
  else enterMarket(venue, order);
}

/** Rejections in order of precedence. */
function rejectionOf(venue: VenueState, command: Terms): RejectName | null {
  const user = venue.users.get(command.uid);
  if (user === undefined) return 'userUnknown';
  // A test order is told so, too.
  if (user.suspended) return 'userSuspended';
  const market = venue.markets.get(command.securityId);
  if (market === undefined) return 'instrumentUnknown';
  if (command.extras !== null && !isWellFormed(command, command.extras)) return 'invalidTerms';
  if (!accepts(market, command.postOnly)) return 'instrumentClosed';
  return rejectionOfTerms(venue, market, command) ?? rejectionOfOwner(venue, user, market, command);
}

/** True if the terms fit one another, whatever the venue is like. */
export function isWellFormed(command: Terms, extras: OrderExtras): boolean {
  const { ordType, side, price, orderQty, quoteOrderQty, postOnly } = command;
  const { timeInForce, expireTime, displayQty, stopPx, triggerPriceDirection, bracket } = extras;
  const { trail } = extras;
  const { goodTillDate, immediateOrCancel, fillOrKill } = TimeInForce;
  const isNow = timeInForce === immediateOrCancel || timeInForce === fillOrKill;
  const byQuote = quoteOrderQty > 0;
  const wrong = [
    ordType === OrdType.market && timeInForce === goodTillDate,
    ordType === OrdType.stop && isNow,
    expireTime > 0 !== (timeInForce === goodTillDate),
    postOnly && (isNow || !isLimit(command)),
    displayQty > 0 && (isNow || ordType !== OrdType.limit || displayQty > orderQty),
    price > 0 !== isLimit(command),
    orderQty > 0 === byQuote,
    byQuote && isLimit(command),
    byQuote && isStop(command) && side === Side.sell,
    stopPx > 0 !== isStop(command) && !(isStop(command) && trail !== 0),
    trail !== 0 && !isStop(command),
    trail > 5_000,
    triggerPriceDirection > 0 !== isStop(command),
    trail !== 0 && stopPx === 0 && triggerPriceDirection !== (side === Side.buy ? up : down),
    bracket !== null && byQuote,
    bracket !== null && !isExit(bracket, side),
  ];
  return !wrong.includes(true);
}

const { up, down } = TriggerPriceDirection;

/**
 * True for a profit, a stop, or both, with the profit beyond the stop. A stop that trails has no
 * price of its own.
 */
export function isExit({ takeProfitPx, stopPx, stopLimitPx, trail }: Bracket, side: Side): boolean {
  if (trail > 5_000 || (trail !== 0 && stopPx > 0)) return false;
  const stops = trail !== 0 || stopPx > 0;
  if (!stops) return takeProfitPx > 0 && stopLimitPx === 0;
  if (trail !== 0 || takeProfitPx === 0) return true;
  return side === Side.buy ? takeProfitPx > stopPx : takeProfitPx < stopPx;
}

export function rejectionOfTerms(
  venue: VenueState,
  market: ModelMarket,
  command: Terms,
  isExit = false,
): RejectName | null {
  const { extras } = command;
  const quantity = BigInt(command.orderQty);
  if (extras !== null) {
    const { none } = SelfTradePrevention;
    if (extras.selfTradePrevention === none && market.prevention !== none) {
      return 'preventionRequired';
    }
    const { timeInForce, expireTime } = extras;
    if (timeInForce === TimeInForce.goodTillDate && expireTime <= venue.time) {
      return 'expireTimePassed';
    }
  }
  if (isBelowMinimum(market, command)) return 'belowMinimum';
  const entry = { ...command, market, price: BigInt(command.price), orderQty: quantity };
  const { bracket = null, stopPx = 0, trail = 0, selfTradePrevention = null } = extras ?? {};
  const stop = { ...entry, stopPx: BigInt(stopPx), trail };
  const own = { bracket, prevention: selfTradePrevention };
  const withExits = { ...entry, ...own, stopPx: triggerNow(stop) };
  if (hasTooSmallExits(venue, withExits)) return 'exitsTooSmall';
  if (isDisplayTooSmall(market, quantity, BigInt(extras?.displayQty ?? 0))) {
    return 'displayTooSmall';
  }
  const from = stopPx > 0 ? BigInt(stopPx) : market.lastPrice;
  if (!isExit && trail !== 0 && from === null) return 'noLastPrice';
  if (!isExit && isTooFar(trail, from)) return 'trailingTooFar';
  if (isFarAway(market, command)) return 'priceOutsideBand';
  const ofExits = rejectionOfExits(venue, withExits);
  if (ofExits !== null) return ofExits;
  if (extras !== null && isReached(market, BigInt(extras.stopPx), extras.triggerPriceDirection)) {
    return 'wouldTrigger';
  }
  if (!command.strictClOrdId) return null;
  const { open } = venue.users.get(command.uid)!;
  return open.some(({ clOrdId }) => clOrdId === command.clOrdId) ? 'clOrdIdDuplicate' : null;
}

function isFarAway(market: ModelMarket, command: Terms): boolean {
  const { ordType, price } = command;
  if (ordType === OrdType.limit) return isOutsideBand(market, BigInt(price));
  const isStopLimit = ordType === OrdType.stopLimit;
  return isStopLimit && isOutsideBand(market, BigInt(price), triggerOnEntry(market, command));
}

function triggerOnEntry(market: ModelMarket, { side, extras }: Terms): bigint {
  return triggerNow({ market, side, stopPx: BigInt(extras!.stopPx), trail: extras!.trail });
}

function rejectionOfOwner(
  venue: VenueState,
  user: ModelUser,
  market: ModelMarket,
  command: Terms,
): RejectName | null {
  const { timeInForce = TimeInForce.goodTillCancel, bracket = null } = command.extras ?? {};
  const { immediateOrCancel, fillOrKill } = TimeInForce;
  const isNow = timeInForce === immediateOrCancel || timeInForce === fillOrKill;
  const mayRest = isStop(command) || (isLimit(command) && !isNow);
  const takesPlace = mayRest || bracket !== null;
  if (takesPlace && openOf(venue, user) >= user.maxOpenOrders) return 'tooManyOpenOrders';
  const asset = command.side === Side.buy ? market.quote : market.base;
  if (costOnEntry(venue, market, command) > venue.freeOf(command.uid, asset))
    return 'insufficientBalance';
  return null;
}

export function accepts(market: ModelMarket, postOnly: boolean): boolean {
  if (market.status === InstrumentStatus.LIVE) return true;
  return market.status === InstrumentStatus.POST_ONLY && postOnly;
}

export function isBelowMinimum(
  market: ModelMarket,
  order: Pick<Terms, 'ordType'> & {
    readonly price: number | bigint;
    readonly orderQty: number | bigint;
    readonly quoteOrderQty: number | bigint;
  },
): boolean {
  const quantity = BigInt(order.orderQty);
  if (quantity === 0n) return BigInt(order.quoteOrderQty) < market.minNotional;
  if (quantity < market.minQuantity) return true;
  if (!isLimit(order)) return false;
  return BigInt(order.price) * quantity * market.quotePerTickLot < market.minNotional;
}

/** A taker meets an iceberg at most a hundred times. */
export const isDisplayTooSmall = (
  { minQuantity }: ModelMarket,
  quantity: bigint,
  displayed: bigint,
): boolean =>
  displayed !== 0n &&
  displayed < quantity &&
  (displayed < minQuantity || displayed * 100n < quantity);

/** True if a stop would be triggered immediately. */
export function isReached(
  { lastPrice }: ModelMarket,
  stopPx: bigint,
  direction: TriggerPriceDirection,
): boolean {
  if (lastPrice === null || stopPx === 0n) return false;
  return direction === TriggerPriceDirection.up ? lastPrice >= stopPx : lastPrice <= stopPx;
}

function bandOf({ band }: ModelMarket, around: bigint | null): Band | null {
  if (band === 0n || around === null || around === 0n) return null;
  const width = (around * band) / RATE_ONE;
  return { low: larger(1n, around - width), high: smaller(LARGEST, around + width) };
}

interface Band {
  readonly low: bigint;
  readonly high: bigint;
}

/** True if the price is too far from where the market is, or will be when a stop is triggered. */
export function isOutsideBand(
  market: ModelMarket,
  price: bigint,
  around = market.lastPrice,
): boolean {
  const band = bandOf(market, around);
  return band !== null && (price < band.low || price > band.high);
}

function costOnEntry(venue: VenueState, market: ModelMarket, command: Terms): bigint {
  const { side, ordType } = command;
  const quantity = BigInt(command.orderQty);
  if (ordType === OrdType.market) {
    const budget = BigInt(command.quoteOrderQty);
    if (quantity === 0n && side === Side.buy) return budget;
    if (quantity > 0n && side === Side.sell) return quantity * market.basePerLot;
    const prevention = command.extras?.selfTradePrevention ?? null;
    const taker = { uid: command.uid, market, side, prevention };
    const band = bandOf(market, market.lastPrice);
    const worst = band === null ? null : side === Side.buy ? band.high : band.low;
    const terms = { ...taker, orderQty: quantity, quoteOrderQty: budget };
    return costOfMarket(venue, terms, worst);
  }
  if (side === Side.sell) return quantity * market.basePerLot;
  if (quantity === 0n) return BigInt(command.quoteOrderQty);
  const stop = ordType === OrdType.stop;
  const price = stop ? protectionPrice(triggerOnEntry(market, command)) : BigInt(command.price);
  return price * quantity * market.quotePerTickLot;
}

/** A stop buy by quantity never pays more than this on average. */
export const protectionPrice = (stopPx: bigint): bigint =>
  smaller(LARGEST, (stopPx * 105n + 99n) / 100n);

/** The money that a waiting stop sets aside. */
export function stopCost(order: ModelOrder): bigint {
  if (order.ordType === OrdType.stopLimit || order.side === Side.sell) return restCost(order);
  if (order.orderQty === 0n) return order.quoteOrderQty;
  return protectionPrice(triggerNow(order)) * order.orderQty * order.market.quotePerTickLot;
}

export function enterStop(venue: VenueState, order: ModelOrder, cost: bigint): void {
  venue.reserve(order, cost);
  order.place = 'waiting';
  if (order.trail !== 0 && order.stopPx === 0n) beginToTrail(venue, order);
  order.market.stops.push(order);
  venue.users.get(order.uid)!.open.push(order);
  report(venue, order, ExecType.new);
}

/** An order that the venue rejects after it got its number, or takes back before it rested. */
export function lapse(venue: VenueState, order: ModelOrder, reason: CloseReason): void {
  forget(venue, order);
  venue.reserve(order, 0n);
  report(venue, order, ExecType.canceled, reason);
  const isPrevented = reason === CloseReason.selfTrade;
  venue.meet('self-trade: taker partly filled before', isPrevented && order.cumQty > 0n);
  releaseOther(venue, order);
  finish(venue, order);
}

function enterLimit(venue: VenueState, order: ModelOrder): void {
  if (order.postOnly && wouldTrade(order)) {
    report(venue, order, ExecType.rejected, CloseReason.postOnlyWouldMatch);
    return;
  }
  venue.reserve(order, restCost(order));
  report(venue, order, ExecType.new);
  tradeLimit(venue, order, order.orderId);
}

export function wouldTrade(order: Pick<ModelOrder, 'market' | 'side' | 'price'>): boolean {
  const [best] = opposites(order);
  return best !== undefined && acceptable(order, best.price, order.price);
}

/** Trades what can trade; the rest goes into the book, or lapses. */
export function tradeLimit(venue: VenueState, order: ModelOrder, priority?: number): void {
  const { timeInForce, price } = order;
  if (timeInForce === TimeInForce.fillOrKill && !canFill(venue, order, price)) {
    lapse(venue, order, CloseReason.fillOrKill);
    return;
  }
  const ending = matchAll(venue, order, price);
  const isFilled = ending === 'filled' && timeInForce === TimeInForce.fillOrKill;
  venue.meet('time in force: a FOK limit order is filled', isFilled);
  if (ending === 'filled') {
    forget(venue, order);
    finish(venue, order);
  } else if (ending === 'selfTrade') lapse(venue, order, CloseReason.selfTrade);
  else if (timeInForce === TimeInForce.immediateOrCancel) {
    venue.meet('time in force: an IOC order trades a part', order.cumQty > 0n);
    lapse(venue, order, CloseReason.immediateOrCancel);
  } else {
    venue.meet('iceberg: a part trades on entry', order.displayQty > 0n && order.cumQty > 0n);
    rest(venue, order, priority);
    const { open } = venue.users.get(order.uid)!;
    // Stops, amended orders and those of pairs are open already.
    if (open.at(-1) === undefined || open.at(-1)!.orderId < order.orderId) open.push(order);
  }
}

function enterMarket(venue: VenueState, order: ModelOrder): void {
  report(venue, order, ExecType.new);
  tradeMarket(venue, order);
}

/** Trades at any price that the band allows; nothing of it rests. */
export function tradeMarket(venue: VenueState, order: ModelOrder): void {
  const { market, side } = order;
  const byQuote = order.orderQty === 0n;
  // A stop pays from what it set aside, a market order from what was free when it came.
  order.purse = isStop(order) ? order.reserved : venue.freeOf(order.uid, market.quote);
  if (byQuote && side === Side.sell) {
    order.most = smaller(LARGEST, venue.freeOf(order.uid, market.base) / market.basePerLot);
  }
  const band = bandOf(market, market.lastPrice);
  const worst = band === null ? null : side === Side.buy ? band.high : band.low;
  if (order.timeInForce === TimeInForce.fillOrKill && !canFill(venue, order, worst)) {
    const { fillOrKill, insufficientBalance } = CloseReason;
    const buysNothing = lackOf(venue, order, worst) !== null;
    venue.meet('time in force: a FOK order buys nothing', buysNothing);
    lapse(venue, order, buysNothing ? insufficientBalance : fillOrKill);
    return;
  }
  const ending = matchAll(venue, order, worst);
  const isSell = byQuote && side === Side.sell;
  const hasSoldAll = isSell && ending === 'filled';
  // One that has just enough to sell ends like one that has more.
  const lacks = hasSoldAll ? lackOf(venue, order, worst) : ending;
  const isSpent = order.cumQuote === order.quoteOrderQty;
  const filled = byQuote
    ? order.cumQty > 0n && (isSpent || lacks === 'budget' || lacks === 'filled')
    : ending === 'filled';
  venue.meet('by quote: a sell is filled', isSell && filled);
  venue.meet('by quote: a sell has nothing left to sell', hasSoldAll && !filled);
  venue.meet('stop: its hold does not buy all', isStop(order) && ending === 'money');
  const isKilled = order.timeInForce === TimeInForce.fillOrKill;
  venue.meet('time in force: a FOK market order is filled', isKilled && filled);
  if (!filled) {
    lapse(venue, order, hasSoldAll ? reasonOfSeller(order, worst) : closeReason(ending));
    return;
  }
  forget(venue, order);
  venue.reserve(order, 0n);
  venue.meet('by quote: budget spent', byQuote && isSpent);
  venue.meet('by quote: rest too small for a lot', byQuote && !isSpent);
  if (byQuote) endWithLastFill(venue, order);
  finish(venue, order);
}

/** The last fill of an order by quote carries its end, which only the rest of the book shows. */
function endWithLastFill(venue: VenueState, { orderId }: ModelOrder): void {
  const last = venue.events.findLastIndex(
    (event) => event.type === 'executionReport' && event.orderId === orderId && event.lastQty > 0n,
  );
  const event = venue.events[last] as Extract<ExpectedEvent, { type: 'executionReport' }>;
  venue.events[last] = { ...event, execType: ExecType.fill, ordStatus: OrdStatus.filled };
}

/** A sell by quote has sold all that its owner had. */
function reasonOfSeller(order: ModelOrder, worst: bigint | null): CloseReason {
  const [best] = opposites(order);
  if (best === undefined) return CloseReason.noLiquidity;
  const { insufficientBalance, priceBand } = CloseReason;
  return acceptable(order, best.price, worst) ? insufficientBalance : priceBand;
}

const closeReason = (ending: Ending): CloseReason =>
  ({
    filled: CloseReason.none,
    selfTrade: CloseReason.selfTrade,
    budget: CloseReason.insufficientBalance,
    money: CloseReason.insufficientBalance,
    price: CloseReason.priceBand,
    empty: CloseReason.noLiquidity,
  })[ending];

// The model's order entry: refusals in the order of the reject table, then matching one maker at a
// time, then what becomes of the rest.
import type { PlaceOrder } from '../../src/core/command.ts';
import {
  CloseReason,
  ExecType,
  InstrumentStatus,
  type OrdStatus,
  OrdType,
  SelfTradePrevention,
  Side,
  TimeInForce,
  TriggerPriceDirection,
} from '../../src/core/fix.ts';
import type { RejectName } from '../../src/core/reject.ts';
import {
  type ExpectedEvent,
  type ExpectedOutcome,
  type ExpectedReport,
  no,
  yes,
} from './expectation.ts';
import { countVolume, tierOf } from './fee-tiers.ts';
import {
  leavesOf,
  type ModelMarket,
  type ModelOrder,
  type ModelUser,
  sideOf,
  type VenueState,
} from './state.ts';

const RATE_ONE = 100_000_000n;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

export function placeOrder(venue: VenueState, command: PlaceOrder): ExpectedOutcome {
  const refusal = refusalOf(venue, command);
  if (refusal !== null) return no(refusal);
  const orderId = venue.nextOrderId++;
  const order: ModelOrder = {
    orderId,
    uid: command.uid,
    market: venue.markets.get(command.securityId)!,
    side: command.side,
    limit: command.ordType === OrdType.limit,
    postOnly: command.postOnly,
    price: BigInt(command.price),
    orderQty: BigInt(command.orderQty),
    quoteOrderQty: BigInt(command.quoteOrderQty),
    givenClOrdId: command.clOrdId,
    clOrdId: command.clOrdId === '' ? `api_${command.uid}_${orderId}` : command.clOrdId,
    createTime: venue.time,
    cumQty: 0n,
    cumQuote: 0n,
    reserved: 0n,
  };
  if (order.limit) enterLimit(venue, order);
  else enterMarket(venue, order);
  return yes({ orderId, clOrdId: command.clOrdId, transactTime: venue.time });
}

function refusalOf(venue: VenueState, command: PlaceOrder): RejectName | null {
  const user = venue.users.get(command.uid);
  if (user === undefined) return 'userUnknown';
  // A test order is told so, too.
  if (user.suspended) return 'userSuspended';
  const market = venue.markets.get(command.securityId);
  if (market === undefined) return 'instrumentUnknown';
  if (!accepts(market, command)) return 'instrumentClosed';
  if (isBelowMinimum(market, command)) return 'belowMinimum';
  const limit = command.ordType === OrdType.limit;
  const band = bandOf(market);
  const price = BigInt(command.price);
  if (limit && band !== null && (price < band.low || price > band.high)) return 'priceOutsideBand';
  if (command.strictClOrdId && user.open.some(({ clOrdId }) => clOrdId === command.clOrdId)) {
    return 'clOrdIdDuplicate';
  }
  if (limit && user.open.length >= user.maxOpenOrders) return 'tooManyOpenOrders';
  const asset = command.side === Side.buy ? market.quote : market.base;
  if (costOnEntry(market, command) > venue.freeOf(command.uid, asset)) return 'insufficientBalance';
  return null;
}

function accepts(market: ModelMarket, command: PlaceOrder): boolean {
  if (market.status === InstrumentStatus.LIVE) return true;
  return market.status === InstrumentStatus.POST_ONLY && command.postOnly;
}

function isBelowMinimum(market: ModelMarket, command: PlaceOrder): boolean {
  const quantity = BigInt(command.orderQty);
  if (quantity === 0n) return BigInt(command.quoteOrderQty) < market.minNotional;
  if (quantity < market.minQuantity) return true;
  if (command.ordType === OrdType.market) return false;
  return BigInt(command.price) * quantity * market.quotePerTickLot < market.minNotional;
}

function bandOf(market: ModelMarket): { low: bigint; high: bigint } | null {
  const { band, lastPrice } = market;
  if (band === 0n || lastPrice === null) return null;
  const width = (lastPrice * band) / RATE_ONE;
  return { low: larger(1n, lastPrice - width), high: smaller(LARGEST, lastPrice + width) };
}

function costOnEntry(market: ModelMarket, command: PlaceOrder): bigint {
  const quantity = BigInt(command.orderQty);
  if (command.side === Side.sell) return quantity * market.basePerLot;
  if (quantity === 0n) return BigInt(command.quoteOrderQty);
  if (command.ordType === OrdType.limit) {
    return BigInt(command.price) * quantity * market.quotePerTickLot;
  }
  const band = bandOf(market);
  let wanted = quantity;
  let cost = 0n;
  for (const ask of market.asks) {
    if (band !== null && ask.price > band.high) break;
    const taken = smaller(leavesOf(ask), wanted);
    cost += ask.price * taken * market.quotePerTickLot;
    wanted -= taken;
    if (wanted === 0n) break;
  }
  return cost;
}

const reserveFor = (order: ModelOrder): bigint =>
  order.side === Side.buy
    ? order.price * leavesOf(order) * order.market.quotePerTickLot
    : leavesOf(order) * order.market.basePerLot;

function enterLimit(venue: VenueState, order: ModelOrder): void {
  const best = opposites(order)[0];
  if (order.postOnly && best !== undefined && acceptable(order, best.price)) {
    report(venue, order, ExecType.rejected, 0n, 0n, CloseReason.postOnlyWouldMatch);
    return;
  }
  venue.reserve(order, reserveFor(order));
  report(venue, order, ExecType.new, 0n, 0n, CloseReason.none);
  const stop = matchAll(venue, order, order.price);
  if (stop === 'selfTrade') {
    venue.reserve(order, 0n);
    report(venue, order, ExecType.canceled, 0n, 0n, CloseReason.selfTrade);
  } else if (leavesOf(order) > 0n) {
    rest(venue, order);
  }
}

/** Behind every order of a better or the same price. */
function rest(venue: VenueState, order: ModelOrder): void {
  const queue = sideOf(order.market, order.side);
  const sign = order.side === Side.buy ? -1n : 1n;
  let at = queue.length;
  while (at > 0 && queue[at - 1].price * sign > order.price * sign) at--;
  queue.splice(at, 0, order);
  venue.users.get(order.uid)!.open.push(order);
  venue.touched.add(order.market);
}

function enterMarket(venue: VenueState, order: ModelOrder): void {
  report(venue, order, ExecType.new, 0n, 0n, CloseReason.none);
  const byQuote = order.orderQty === 0n;
  const band = bandOf(order.market);
  const worst = band === null ? null : order.side === Side.buy ? band.high : band.low;
  const stop = matchAll(venue, order, worst);
  if (!byQuote && leavesOf(order) === 0n) return;
  const spent = order.cumQuote === order.quoteOrderQty || stop === 'budget' || stop === 'filled';
  if (byQuote && spent && order.cumQty > 0n) {
    report(venue, order, ExecType.fill, 0n, 0n, CloseReason.none);
    return;
  }
  const reason = {
    filled: CloseReason.none,
    selfTrade: CloseReason.selfTrade,
    budget: CloseReason.insufficientBalance,
    price: CloseReason.priceBand,
    empty: CloseReason.noLiquidity,
  }[stop];
  report(venue, order, ExecType.canceled, 0n, 0n, reason);
}

const opposites = (order: ModelOrder): ModelOrder[] =>
  sideOf(order.market, order.side === Side.buy ? Side.sell : Side.buy);

const acceptable = (order: ModelOrder, price: bigint, worst = order.price): boolean =>
  order.side === Side.buy ? price <= worst : price >= worst;

/** Why matching ended. */
type Stop = 'filled' | 'selfTrade' | 'budget' | 'price' | 'empty';

function matchAll(venue: VenueState, order: ModelOrder, worst: bigint | null): Stop {
  const { market } = order;
  const { prevention } = market;
  venue.matchFrom = venue.nextTradeId;
  for (;;) {
    // No order, also none by quote, gets more than the largest quantity.
    const wanted = order.orderQty === 0n ? LARGEST - order.cumQty : leavesOf(order);
    if (wanted === 0n) return 'filled';
    const maker = opposites(order)[0];
    if (maker === undefined) return 'empty';
    if (worst !== null && !acceptable(order, maker.price, worst)) return 'price';
    let quantity = smaller(leavesOf(maker), wanted);
    if (!order.limit && order.side === Side.buy) {
      const money =
        order.orderQty === 0n
          ? order.quoteOrderQty - order.cumQuote
          : venue.freeOf(order.uid, market.quote);
      quantity = smaller(quantity, money / (maker.price * market.quotePerTickLot));
      if (quantity === 0n) return 'budget';
    }
    if (prevention === SelfTradePrevention.none || !areOne(venue, maker.uid, order.uid)) {
      trade(venue, order, maker, quantity);
      continue;
    }
    if (prevention !== SelfTradePrevention.cancelNewest) {
      takeOut(venue, maker, CloseReason.selfTrade);
    }
    if (prevention !== SelfTradePrevention.cancelOldest) return 'selfTrade';
  }
}

/** The same account, or two of an enterprise that does not trade with itself. */
function areOne(venue: VenueState, maker: number, taker: number): boolean {
  const { enterpriseId } = venue.users.get(taker)!;
  const prevents = venue.earn.enterprises[enterpriseId - 1]?.selfTradePrevention === true;
  return maker === taker || (prevents && venue.users.get(maker)!.enterpriseId === enterpriseId);
}

function trade(venue: VenueState, taker: ModelOrder, maker: ModelOrder, quantity: bigint): void {
  const { market } = taker;
  const quote = maker.price * quantity * market.quotePerTickLot;
  const base = quantity * market.basePerLot;
  const [buyer, seller] = taker.side === Side.buy ? [taker, maker] : [maker, taker];
  const feeRate = (order: ModelOrder): bigint => {
    const role = order === maker ? 'makerFee' : 'takerFee';
    return venue.users.get(order.uid)![role] ?? tierOf(venue, order.uid)?.[role] ?? market[role];
  };
  const feeOf = (order: ModelOrder, received: bigint): bigint =>
    (received * feeRate(order) + RATE_ONE - 1n) / RATE_ONE;
  const buyerFee = feeOf(buyer, base);
  const sellerFee = feeOf(seller, quote);

  // All that the two orders set aside comes free, is exchanged, and the rest is set aside again.
  for (const order of [taker, maker]) {
    venue.reserve(order, 0n);
    order.cumQty += quantity;
    order.cumQuote += quote;
  }
  venue.give(buyer.uid, market.quote, -quote);
  venue.give(seller.uid, market.base, -base);
  venue.give(buyer.uid, market.base, base - buyerFee);
  venue.give(seller.uid, market.quote, quote - sellerFee);
  venue.fees.set(market.base, (venue.fees.get(market.base) ?? 0n) + buyerFee);
  venue.fees.set(market.quote, (venue.fees.get(market.quote) ?? 0n) + sellerFee);
  for (const order of [taker, maker]) if (order.limit) venue.reserve(order, reserveFor(order));
  market.lastPrice = maker.price;
  venue.touched.add(market);

  const tradeId = venue.nextTradeId++;
  const sameMatch = venue.events.find(
    (event) =>
      event.type === 'trade' && event.tradeId >= venue.matchFrom && event.price === maker.price,
  ) as Extract<ExpectedEvent, { type: 'trade' }> | undefined;
  countVolume(venue, [maker.uid, taker.uid], market.quote, quote);
  venue.events.push({
    type: 'trade',
    tradeId,
    aggTradeId: sameMatch?.aggTradeId ?? tradeId,
    securityId: market.securityId,
    price: maker.price,
    quantity,
    baseAmount: base,
    quoteAmount: quote,
    takerSide: taker.side,
    makerOrderId: maker.orderId,
    takerOrderId: taker.orderId,
    makerUid: maker.uid,
    takerUid: taker.uid,
    makerFee: maker === buyer ? buyerFee : sellerFee,
    takerFee: taker === buyer ? buyerFee : sellerFee,
    transactTime: venue.time,
  });
  for (const order of [maker, taker]) {
    const full = leavesOf(order) === 0n;
    const execType = full ? ExecType.fill : ExecType.partialFill;
    report(venue, order, execType, maker.price, quantity, CloseReason.none);
  }
  if (leavesOf(maker) === 0n) forget(venue, maker);
}

/** Cancels a resting order. */
export function takeOut(venue: VenueState, order: ModelOrder, reason: CloseReason): void {
  forget(venue, order);
  venue.reserve(order, 0n);
  report(venue, order, ExecType.canceled, 0n, 0n, reason);
}

function forget(venue: VenueState, order: ModelOrder): void {
  const user: ModelUser = venue.users.get(order.uid)!;
  for (const list of [sideOf(order.market, order.side), user.open]) {
    list.splice(list.indexOf(order), 1);
  }
  venue.touched.add(order.market);
}

function report(
  venue: VenueState,
  order: ModelOrder,
  execType: ExecType,
  lastPx: bigint,
  lastQty: bigint,
  reason: CloseReason,
): void {
  const closed = execType === ExecType.canceled || execType === ExecType.rejected;
  // A budget has no quantity, so nothing of it is ever left to fill.
  const leavesQty = closed || order.orderQty === 0n ? 0n : leavesOf(order);
  const event: ExpectedReport = {
    type: 'executionReport',
    execId: venue.nextExecId++,
    orderId: order.orderId,
    uid: order.uid,
    securityId: order.market.securityId,
    clOrdId: order.clOrdId,
    side: order.side,
    ordType: order.limit ? OrdType.limit : OrdType.market,
    postOnly: order.postOnly,
    price: order.price,
    orderQty: order.orderQty,
    quoteOrderQty: order.quoteOrderQty,
    cumQty: order.cumQty,
    leavesQty,
    cumQuote: order.cumQuote,
    lastPx,
    lastQty,
    execType,
    ordStatus: execType as OrdStatus,
    reason,
    ordRejReason: execType === ExecType.rejected ? 99 : null,
    timeInForce: TimeInForce.goodTillCancel,
    expireTime: 0,
    displayQty: 0n,
    stopPx: 0n,
    triggerPriceDirection: TriggerPriceDirection.none,
    workingIndicator: true,
    ocoOrderId: 0,
    parentOrderId: 0,
    createTime: order.createTime,
    transactTime: venue.time,
  };
  venue.events.push(event);
}

// The model's matching: one maker at a time, the money of a trade, and what a trade brings about.
import {
  CloseReason,
  ExecType,
  InstrumentStatus,
  SelfTradePrevention,
  Side,
  TriggerPriceDirection,
} from '../../src/core/fix.ts';
import type { ExpectedEvent } from './expectation.ts';
import { countVolume, feeRate } from './fee-tiers.ts';
import { meetPrevention, preventionFor } from './prevention.ts';
import { report } from './report.ts';
import {
  isLimit,
  isStop,
  leavesOf,
  type ModelMarket,
  type ModelOrder,
  sideOf,
  type VenueState,
} from './state.ts';
import { followPrice, reachedIn } from './trailing.ts';

const RATE_ONE = 100_000_000n;
const MAX_AGGREGATE = 1000;
export const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The largest cost of the rest of a limit order. */
export const restCost = (order: ModelOrder): bigint =>
  order.side === Side.buy
    ? order.price * leavesOf(order) * order.market.quotePerTickLot
    : leavesOf(order) * order.market.basePerLot;

export const opposites = (order: Pick<ModelOrder, 'market' | 'side'>): ModelOrder[] =>
  sideOf(order.market, order.side === Side.buy ? Side.sell : Side.buy);

export const acceptable = (
  { side }: Pick<ModelOrder, 'side'>,
  price: bigint,
  worst: bigint | null,
): boolean => worst === null || (side === Side.buy ? price <= worst : price >= worst);

/** Why matching ended: `money` is gone, or the `budget` of an order by quote. */
export type Ending = 'filled' | 'selfTrade' | 'budget' | 'money' | 'price' | 'empty';

export function matchAll(venue: VenueState, order: ModelOrder, worst: bigint | null): Ending {
  venue.matchFrom = venue.nextTradeId;
  for (;;) {
    const wanted = wantedOf(order);
    if (wanted === 0n) return 'filled';
    const [maker] = opposites(order);
    if (maker === undefined) return 'empty';
    if (!acceptable(order, maker.price, worst)) return 'price';
    const lack = lackOf(venue, order, worst);
    if (lack !== null && order.cumQty > 0n) {
      const isPassed = preventionFor(venue, order, maker) === SelfTradePrevention.cancelOldest;
      venue.meet('self-trade: own orders stay behind a spent budget', isPassed);
      return lack;
    }
    const payable = payableAt(order, maker.price);
    if (payable === 'money' || payable === 'budget') {
      const next = nextOther(venue, order, worst);
      if (next === maker) {
        const isPrevented = preventionFor(venue, order, maker) !== SelfTradePrevention.none;
        return isPrevented ? 'selfTrade' : payable;
      }
      if (next === undefined || lack !== null) return 'money';
      takeOut(venue, maker, CloseReason.selfTrade);
      continue;
    }
    const level = opposites(order).filter(({ price }) => price === maker.price);
    const plan = walk(venue, order, level, smaller(wanted, payable));
    execute(venue, order, level, plan);
    if (plan.ended) return 'selfTrade';
  }
}

/** The next order that would trade with this one, or end it: not one that it would cancel. */
function nextOther(
  venue: VenueState,
  order: ModelOrder,
  worst: bigint | null,
): ModelOrder | undefined {
  const { cancelOldest } = SelfTradePrevention;
  const next = opposites(order).find(
    (maker) => preventionFor(venue, order, maker) !== cancelOldest,
  );
  return next !== undefined && acceptable(order, next.price, worst) ? next : undefined;
}

/** The money or budget that the order lacks for the next one; null: it lacks none. */
export function lackOf(
  venue: VenueState,
  order: ModelOrder,
  worst: bigint | null,
): 'budget' | 'money' | null {
  if (isSpentExactly(order)) return order.orderQty === 0n ? 'budget' : 'money';
  const next = nextOther(venue, order, worst);
  if (next === undefined) return null;
  const payable = payableAt(order, next.price);
  return payable === 'budget' || payable === 'money' ? payable : null;
}

/** True if nothing is left of the money of an order that has traded. */
function isSpentExactly(order: ModelOrder): boolean {
  if (isLimit(order) || order.cumQty === 0n) return false;
  if (order.orderQty === 0n) return order.cumQuote === order.quoteOrderQty;
  return order.side === Side.buy && order.cumQuote === order.purse;
}

/** The end of a maker: it trades, or leaves by self-trade prevention. */
interface Step {
  readonly isCanceled: boolean;
  quantity: bigint;
  /** The quantity that it shows afterwards. */
  shown: bigint;
  /** All that it showed at first has traded. */
  isPast: boolean;
}

/** The steps of an order at a price level. */
interface Plan {
  /** By maker, in the order in which it meets them. */
  readonly steps: Map<ModelOrder, Step>;
  /** The makers that are left, in their new order. */
  readonly queue: readonly ModelOrder[];
  /** Self-trade prevention cancels the rest of the order. */
  readonly ended: boolean;
}

/**
 * Plays a level through, part by part: the first of the queue trades what it shows; an iceberg that
 * has more goes behind the others with its next part.
 */
function walk(
  venue: VenueState,
  order: ModelOrder,
  level: readonly ModelOrder[],
  most: bigint,
): Plan {
  const steps = new Map<ModelOrder, Step>();
  const queue = [...level];
  for (let wanted = most; wanted > 0n && queue.length > 0; ) {
    const [maker] = queue;
    const prevention = preventionFor(venue, order, maker);
    meetPrevention(venue, order, maker, prevention);
    if (prevention !== SelfTradePrevention.none) {
      venue.meet(OUT[prevention]);
      if (prevention !== SelfTradePrevention.cancelNewest) {
        steps.set(maker, { isCanceled: true, quantity: 0n, shown: 0n, isPast: false });
        queue.shift();
      }
      if (prevention !== SelfTradePrevention.cancelOldest) return { steps, queue, ended: true };
      continue;
    }
    const first = { isCanceled: false, quantity: 0n, shown: maker.shown, isPast: false };
    const step: Step = steps.get(maker) ?? first;
    steps.set(maker, step);
    venue.meet('iceberg: a taker fills several of its parts', step.quantity > 0n);
    const quantity = smaller(step.shown, wanted);
    wanted -= quantity;
    step.quantity += quantity;
    step.shown -= quantity;
    if (step.shown > 0n) continue;
    step.isPast = true;
    queue.shift();
    step.shown = smaller(maker.displayQty, leavesOf(maker) - step.quantity);
    if (step.shown > 0n) queue.push(maker);
  }
  return { steps, queue, ended: false };
}

const OUT = {
  [SelfTradePrevention.cancelNewest]: 'self-trade cancelNewest: taker out',
  [SelfTradePrevention.cancelOldest]: 'self-trade cancelOldest: maker out',
  [SelfTradePrevention.cancelBoth]: 'self-trade cancelBoth: both out',
} as const;

/**
 * Fills each maker of a plan once. After a full round, the first iceberg that is left and those
 * behind it keep their place: they are filled from the last to the first, and so that their new
 * numbers are below those of the others, these are set aside for the whole level.
 */
function execute(
  venue: VenueState,
  order: ModelOrder,
  level: readonly ModelOrder[],
  { steps, queue, ended }: Plan,
): void {
  const all = [...steps];
  const isRound =
    !ended &&
    queue.length > 0 &&
    level.every((maker) => steps.has(maker)) &&
    all.every(([, { isCanceled, isPast }]) => isCanceled || isPast) &&
    all.some(([maker, { quantity }]) => quantity > maker.shown);
  const at = isRound ? level.indexOf(queue[0]) : level.length;
  const kept = all.filter(([maker]) => level.indexOf(maker) >= at).reverse();
  let number = venue.nextOrderId + level.length;
  if (isRound) venue.nextOrderId = number;
  for (const [maker, step] of all.filter(([maker]) => level.indexOf(maker) < at)) {
    executeStep(venue, order, maker, step, () => venue.nextOrderId++);
  }
  const due = venue.due.length;
  for (const [maker, step] of kept) executeStep(venue, order, maker, step, () => --number);
  const later = venue.due.splice(due);
  const exits = later.filter(({ kind }) => kind === 'bracket').reverse();
  venue.due.push(...later.filter(({ kind }) => kind === 'stop'), ...exits);
  venue.meet('iceberg: one keeps its place with a new part', kept.length > 0);
  const side = opposites(order);
  const place = side.findIndex(({ price }) => price === level[0].price);
  if (place >= 0) side.splice(place, queue.length, ...queue);
}

function executeStep(
  venue: VenueState,
  order: ModelOrder,
  maker: ModelOrder,
  { isCanceled, quantity, shown, isPast }: Step,
  nextNumber: () => number,
): void {
  if (isCanceled) {
    venue.meet('self-trade of an enterprise: maker out', maker.uid !== order.uid);
    takeOut(venue, maker, CloseReason.selfTrade);
    return;
  }
  const showsNext = isPast && shown > 0n;
  const number = showsNext ? nextNumber() : maker.priority;
  trade(venue, order, maker, quantity);
  maker.shown = shown;
  if (!showsNext) return;
  maker.priority = number;
  maker.shownAs = { id: maker.priority, time: venue.time };
  venue.meet('iceberg: the next part is shown');
}

/** How many lots the order may still get. */
export const wantedOf = (order: ModelOrder): bigint =>
  order.orderQty === 0n ? order.most - order.cumQty : leavesOf(order);

/** How many lots the order can pay for at this price after `spent`, or what it lacks. */
export function payableAt(
  order: ModelOrder,
  price: bigint,
  spent = 0n,
): bigint | 'money' | 'budget' {
  if (isLimit(order)) return LARGEST;
  const { market, side } = order;
  const perLot = price * market.quotePerTickLot;
  let payable = LARGEST;
  if (order.orderQty === 0n) {
    payable = smaller(payable, (order.quoteOrderQty - order.cumQuote - spent) / perLot);
    if (payable === 0n) return 'budget';
  }
  if (side === Side.sell) return payable;
  const affordable = (order.purse - order.cumQuote - spent) / perLot;
  return affordable === 0n ? 'money' : smaller(payable, affordable);
}

function trade(venue: VenueState, taker: ModelOrder, maker: ModelOrder, quantity: bigint): void {
  const { market } = taker;
  const quote = maker.price * quantity * market.quotePerTickLot;
  const base = quantity * market.basePerLot;
  const [buyer, seller] = taker.side === Side.buy ? [taker, maker] : [maker, taker];
  const feeOf = (order: ModelOrder, received: bigint): bigint => {
    const rate = feeRate(venue, order, order === maker ? 'makerFee' : 'takerFee');
    return (received * rate + RATE_ONE - 1n) / RATE_ONE;
  };
  const buyerFee = feeOf(buyer, base);
  const sellerFee = feeOf(seller, quote);
  buyer.fees += buyerFee;
  seller.fees += sellerFee;

  // All that the two orders set aside comes free, is exchanged, and the rest is set aside again.
  const kept = new Map([taker, maker].map((order) => [order, order.reserved]));
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
  for (const order of [taker, maker]) {
    if (isLimit(order)) venue.reserve(order, restCost(order));
    else if (isStop(order))
      venue.reserve(order, kept.get(order)! - (order === buyer ? quote : base));
  }
  const before = market.lastPrice;
  market.lastPrice = maker.price;
  venue.touched.add(market);

  const tradeId = venue.nextTradeId++;
  const sameMatch = venue.events.findLast(
    (event) =>
      event.type === 'trade' && event.tradeId >= venue.matchFrom && event.price === maker.price,
  ) as Extract<ExpectedEvent, { type: 'trade' }> | undefined;
  const first = sameMatch?.aggTradeId ?? tradeId;
  countVolume(venue, [maker.uid, taker.uid], market.quote, quote);
  venue.events.push({
    type: 'trade',
    tradeId,
    aggTradeId: tradeId - first < MAX_AGGREGATE ? first : tradeId,
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
    report(venue, order, execType, CloseReason.none, { price: maker.price, quantity });
  }
  meetTrade(venue, taker, maker);
  afterTrade(venue, taker, maker, before);
}

function meetTrade(venue: VenueState, taker: ModelOrder, maker: ModelOrder): void {
  const { takerSide, takerFee, makerFee, baseAmount, quoteAmount } = venue.events.findLast(
    (event) => event.type === 'trade',
  )!;
  const [one, other] = [taker, maker].map(({ uid }) => venue.users.get(uid)!);
  const isOwn = one === other;
  const areMembers = one.enterpriseId !== 0 && one.enterpriseId === other.enterpriseId;
  venue.meet('self-trade none: traded with oneself', isOwn);
  venue.meet(
    'self-trade of an enterprise: members trade where nothing prevents it',
    areMembers && !isOwn,
  );
  venue.meet('taker fee', takerFee > 0n);
  venue.meet('maker fee', makerFee > 0n);
  const takerGot = takerSide === Side.buy ? baseAmount : quoteAmount;
  venue.meet('fee takes all that was received', takerFee === takerGot);
  venue.meet('amount beyond 2^53', quoteAmount > LARGEST);
  venue.meet('price improvement', isLimit(taker) && maker.price !== taker.price);
  venue.meet('many makers in one order', venue.nextTradeId - venue.matchFrom > 2);
}

function afterTrade(
  venue: VenueState,
  taker: ModelOrder,
  maker: ModelOrder,
  lastPrice: bigint | null,
): void {
  for (const order of [taker, maker]) {
    const isDue = otherOf(venue, order)?.place === 'due';
    if (releaseOther(venue, order) === 0) continue;
    venue.meet('pair: the limit order trades');
    venue.meet('pair: the limit order of exits trades on entry', order === taker);
    venue.meet('pair: the limit order trades while the stop is due', isDue);
  }
  reachStops(venue, taker.market, lastPrice);
  if (leavesOf(maker) > 0n) return;
  forget(venue, maker);
  finish(venue, maker);
}

/** The other order of a pair, while it is open. */
export function otherOf(
  venue: VenueState,
  { uid, ocoOrderId }: ModelOrder,
): ModelOrder | undefined {
  if (ocoOrderId === 0) return undefined;
  return venue.users.get(uid)!.open.find(({ orderId }) => orderId === ocoOrderId);
}

/** Cancels the other order of a pair. Returns how many that are. */
export function releaseOther(venue: VenueState, order: ModelOrder): 0 | 1 {
  const other = otherOf(venue, order);
  if (other === undefined) return 0;
  takeAlone(venue, other, CloseReason.oco);
  return 1;
}

/** The order has come to its end; what it received gets its exits. */
export function finish(venue: VenueState, order: ModelOrder): void {
  if (order.bracket !== null && order.cumQty > 0n) venue.due.push({ kind: 'bracket', order });
}

/** Puts an order into the book at the end of the queue of its price. */
export function rest(venue: VenueState, order: ModelOrder, priority = venue.nextOrderId++): void {
  order.priority = priority;
  order.place = 'book';
  const isIceberg = order.displayQty > 0n;
  order.shown = isIceberg ? smaller(order.displayQty, leavesOf(order)) : leavesOf(order);
  // Nobody may learn that two parts are of one order, nor that a later order is what was hidden.
  const isFirst = priority === order.orderId;
  const wasHidden = order.shownAs.id !== order.orderId;
  if (!isFirst && (isIceberg || wasHidden)) order.shownAs = { id: priority, time: venue.time };
  venue.touched.add(order.market);
  const queue = sideOf(order.market, order.side);
  const { price, side } = order;
  const isBehind = (other: ModelOrder): boolean =>
    side === Side.buy ? other.price < price : other.price > price;
  let at = queue.length;
  while (at > 0 && isBehind(queue[at - 1])) at--;
  queue.splice(at, 0, order);
}

/** Stops whose price the last trade has reached: those nearest to the earlier price first. */
function reachStops(venue: VenueState, market: ModelMarket, before: bigint | null): void {
  const price = market.lastPrice!;
  if (price === before) return;
  const { up, down } = TriggerPriceDirection;
  const [ups, downs] = [reachedIn(venue, market, up), reachedIn(venue, market, down)];
  for (const order of [...ups, ...downs]) makeDue(venue, order);
  venue.meet('stop: triggered upward', ups.length > 0);
  venue.meet('stop: triggered downward', downs.length > 0);
  const prices = new Set([...ups, ...downs].map(({ stopPx }) => stopPx));
  venue.meet('stop: several prices reached by one trade', prices.size > 1);
  for (const { direction } of [...ups, ...downs]) {
    if (venue.triggering === null) continue;
    const which = direction === venue.triggering ? 'same' : 'other';
    venue.meet(`stop: triggered by a stop of the ${which} direction`);
  }
  followPrice(venue, market);
}

export function makeDue(venue: VenueState, order: ModelOrder): void {
  drop(order.market.stops, order);
  order.place = 'due';
  venue.due.push({ kind: 'stop', order });
}

/** Cancels an open order, and the other one of its pair. Returns how many they were. */
export function takeOut(venue: VenueState, order: ModelOrder, reason: CloseReason): number {
  venue.meet('stop: a cancel takes it out of the due queue', order.place === 'due');
  const isOwners = reason === CloseReason.requested || reason === CloseReason.massCancel;
  const isHalted = order.market.status === InstrumentStatus.HALTED;
  venue.meet('orders of a halted instrument canceled by their owner', isOwners && isHalted);
  takeAlone(venue, order, reason);
  const others = releaseOther(venue, order);
  venue.meet('pair: one canceled, and the other with it', others > 0);
  return 1 + others;
}

function takeAlone(venue: VenueState, order: ModelOrder, reason: CloseReason): void {
  forget(venue, order);
  venue.reserve(order, 0n);
  report(venue, order, ExecType.canceled, reason);
  finish(venue, order);
}

/** Out of every list. */
export function forget(venue: VenueState, order: ModelOrder): void {
  forgetPlace(venue, order);
  order.place = 'gone';
  drop(venue.users.get(order.uid)!.open, order);
}

/** Out of where it waits; it stays an open order. */
export function forgetPlace(venue: VenueState, order: ModelOrder): void {
  const { market, place } = order;
  if (place === 'book') {
    venue.touched.add(market);
    drop(sideOf(market, order.side), order);
  } else if (place === 'waiting') drop(market.stops, order);
  else if (place === 'due') {
    venue.due = venue.due.filter((due) => due.kind === 'bracket' || due.order !== order);
  }
}

function drop<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}

// The estimate of an order: it walks the book as matching does, with exact products, and names the
// risk that the user should confirm. It knows nothing of the form. Fees are taken from what is
// received and rounded up; the exchange rounds per order, so a fee may be lower by a few units.
import { isStop } from '../../../src/contract/trading/order-rules.ts';
import { type Level, OrdType, Side } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { BOOK_DEPTH } from '../book/rows.ts';
import { averageDecimals } from '../figures.ts';
import type { Pair } from '../pair.ts';
import { type NewOrder, POST_ONLY } from './draft.ts';
import { type Liquidity, liquidityOf, type Prevention } from './liquidity.ts';

/** From this price move on, the form mentions it. */
export const NOTABLE_SLIPPAGE = '0.005';
/** From this price move on, the user confirms the order. */
const RISKY_SLIPPAGE = '0.02';
/** A limit so far past the best price of the other side is probably a typing error. */
const RISKY_LIMIT = '0.05';
/** An order that trades more than this part of the balance immediately is confirmed. */
const RISKY_SHARE = '0.5';

/** Why the user confirms an order; the most serious reason that applies. */
type Risk =
  /** The limit is far past the best price of the other side. */
  | 'limit'
  /** The order moves the price far. */
  | 'slippage'
  /** The order goes beyond the levels that were read, so its final price is unknown. */
  | 'depth'
  /** Self-trade prevention ends the market order before it is filled. */
  | 'ownOrder'
  /** The book has not been read. */
  | 'noBook'
  /** The order trades most of the balance immediately. */
  | 'share';

export interface Estimate {
  /** The part that trades immediately; a post-only order is rejected instead. */
  readonly taken: Execution;
  /** The best price of the other side. */
  readonly best: d.Decimal | null;
  /** The order would meet the best order of the other side, which may be an own one. */
  readonly crosses: boolean;
  /** How far the limit is past `best`, as a rate cut after four digits; 0 for a market order. */
  readonly past: d.Decimal;
  /** The part of the balance that trades immediately, cut after four digits; null if unknown. */
  readonly share: d.Decimal | null;
  /** A limit order that fills completely; null for a market order. */
  readonly filled: FilledLimit | null;
  readonly risk: Risk | null;
}

/** The guaranteed figures of a limit order that fills, whatever the book does. */
interface FilledLimit {
  /** The maximum that a buy pays, or the minimum that a sell receives before the fee. */
  readonly total: d.Decimal;
  readonly maxFee: d.Decimal;
  /** After the fee. */
  readonly received: d.Decimal;
}

export interface Rates {
  readonly makerFee: d.Decimal;
  readonly takerFee: d.Decimal;
}

export interface Market {
  readonly pair: Pair;
  /** The other side of the book, best first; undefined until it has been read. */
  readonly levels: readonly Level[] | undefined;
  /** The account's own orders in it, as far as they are shown; none by default. */
  readonly own?: readonly Level[];
  /** null while unknown. */
  readonly rates: Rates | null;
  /** The balance of the asset that the order pays with; null while unknown. */
  readonly available: d.Decimal | null;
}

/** A stop trades nothing until its trigger, so the current book has no part in its figures. */
export function estimateOrder(order: NewOrder, among: Market): Estimate {
  const market = { ...among, prevention: order.selfTradePrevention };
  const { side, price, orderQty = '0', quoteOrderQty } = order;
  const waits = isStop(order.ordType);
  const taken =
    waits || quoteOrderQty === undefined
      ? walkQuantity(side, waits ? '0' : orderQty, market, price)
      : walkTotal(side, quoteOrderQty, market);
  const best = market.levels?.[0]?.[0] ?? null;
  const past = waits || price === undefined || best === null ? '0' : pastBy(side, price, best);
  const filled = price === undefined ? null : filledLimit(price, orderQty, side, market);
  const share = waits ? null : immediateShare(order, taken, market.available);
  const crosses = best !== null && (price === undefined || reaches(side, price, best));
  const estimate = { taken, best, crosses, past, share, filled };
  if (waits) return { ...estimate, risk: null };
  return { ...estimate, risk: market.levels === undefined ? 'noBook' : riskOf(order, estimate) };
}

function riskOf(
  { ordType, execInst }: NewOrder,
  { taken, past, share }: Omit<Estimate, 'risk'>,
): Risk | null {
  // The exchange rejects a post-only order that would trade, so it costs nothing.
  if (execInst === POST_ONLY) return null;
  if (d.compare(past, RISKY_LIMIT) > 0) return 'limit';
  if (ordType === OrdType.market && taken.isBeyondBook) return 'depth';
  if (ordType === OrdType.market && taken.ownPx !== null) return 'ownOrder';
  if (d.compare(taken.slippage, RISKY_SLIPPAGE) >= 0) return 'slippage';
  return share !== null && d.compare(share, RISKY_SHARE) > 0 ? 'share' : null;
}

/**
 * The part of the balance that a market order asks for, or that a limit order finds in the book.
 */
function immediateShare(
  { side, ordType, orderQty, quoteOrderQty }: NewOrder,
  taken: Execution,
  available: d.Decimal | null,
): d.Decimal | null {
  if (available === null || !d.isPositive(available)) return null;
  const sold = (ordType === OrdType.market ? orderQty : undefined) ?? taken.quantity;
  const spent = side === Side.sell ? sold : (quoteOrderQty ?? taken.quote);
  return d.divideDown(spent, available, 4);
}

/** Cut after four digits; 0 for a limit that does not reach the other side. */
function pastBy(side: Side, limit: d.Decimal, best: d.Decimal): d.Decimal {
  const distance = side === Side.buy ? d.subtract(limit, best) : d.subtract(best, limit);
  return d.isPositive(distance) && d.isPositive(best) ? d.divideDown(distance, best, 4) : '0';
}

/**
 * Counts the higher of the two fees, because the maker and taker parts are not known in advance.
 */
function filledLimit(
  price: d.Decimal,
  quantity: d.Decimal,
  side: Side,
  { pair, rates }: Market,
): FilledLimit {
  const total = d.multiply(price, quantity);
  const [before, scale] = side === Side.buy ? [quantity, pair.baseScale] : [total, pair.quoteScale];
  const maxFee = feeOn(before, rates === null ? '0' : d.max(rates.makerFee, rates.takerFee), scale);
  return { total, maxFee, received: d.subtract(before, maxFee) };
}

/**
 * True if the market has moved so far since the user saw `shown` that the new figures must be
 * confirmed. A limit order never needs it: it trades at its limit or better.
 */
export function isWorse(order: NewOrder, now: Estimate, shown: Estimate): boolean {
  if (order.ordType !== OrdType.market) return false;
  const isBlind = ({ risk }: Estimate) => risk === 'depth' || risk === 'noBook';
  if (isBlind(now) && !isBlind(shown)) return true;
  const [price, known] = [now.taken.worst, shown.taken.worst];
  if (price === null) return false;
  if (known === null) return now.risk !== null;
  const by = order.side === Side.buy ? d.subtract(price, known) : d.subtract(known, price);
  return d.compare(by, d.multiply(known, NOTABLE_SLIPPAGE)) > 0;
}

/** The part of an order that trades immediately with the levels of a book. */
export interface Execution {
  readonly quantity: d.Decimal;
  readonly quote: d.Decimal;
  /** The quantity that finds no counterpart; of a walk by total, the quote that is not spent. */
  readonly rest: d.Decimal;
  /** Cut after the requested digits; null if nothing trades. */
  readonly average: d.Decimal | null;
  readonly worst: d.Decimal | null;
  /** The distance of the worst price from the best, as a rate cut after four digits. */
  readonly slippage: d.Decimal;
  readonly fee: d.Decimal;
  /** After the fee. */
  readonly received: d.Decimal;
  /** The levels that were read are not enough for the order. */
  readonly isBookTooThin: boolean;
  /** The price of the own order that ends the match with a rest; null if none does. */
  readonly ownPx: d.Decimal | null;
  /** There may be more levels than those that were read. */
  readonly isBeyondBook: boolean;
}

/** A market with the rule of the order; by default that of the pair applies. */
interface OrderMarket extends Market {
  readonly prevention?: Prevention | undefined;
}

const liquidityIn = ({ pair, levels = [], own = [], prevention }: OrderMarket): Liquidity =>
  liquidityOf(levels, own, prevention ?? pair.selfTradePrevention);

/** The part of `quantity` that trades in the book, up to `limit` if there is one. */
export function walkQuantity(
  side: Side,
  quantity: d.Decimal,
  market: OrderMarket,
  limit?: d.Decimal,
): Execution {
  const fills: Level[] = [];
  const liquidity = liquidityIn(market);
  let wanted = quantity;
  for (const [price, offered] of liquidity.levels) {
    if (d.isZero(wanted) || (limit !== undefined && !reaches(side, limit, price))) break;
    const quantity = d.min(wanted, offered);
    fills.push([price, quantity]);
    wanted = d.subtract(wanted, quantity);
  }
  const { ownPx } = liquidity;
  const meetsOwn = ownPx !== null && (limit === undefined || reaches(side, limit, ownPx));
  return sumFills(
    { side, fills, rest: wanted },
    market,
    meetsOwn ? liquidity : { ...liquidity, ownPx: null },
  );
}

/** The quantity that a total in quote buys or sells: at each level the whole lots within it. */
export function walkTotal(side: Side, total: d.Decimal, market: OrderMarket): Execution {
  const fills: Level[] = [];
  const liquidity = liquidityIn(market);
  let left = total;
  for (const [price, offered] of liquidity.levels) {
    const quantity = d.min(offered, affordable(left, price, market.pair.lot));
    if (d.isZero(quantity)) break;
    fills.push([price, quantity]);
    left = d.subtract(left, d.multiply(price, quantity));
    if (d.compare(quantity, offered) < 0) break;
  }
  return sumFills({ side, fills, rest: left }, market, liquidity);
}

/** The maximum of whole lots that `budget` pays for at `price`. */
export function affordable(budget: d.Decimal, price: d.Decimal, lot: d.Decimal): d.Decimal {
  const perLot = d.multiply(price, lot);
  return d.isPositive(perLot) ? d.multiply(d.divideDown(budget, perLot, 0), lot) : '0';
}

const reaches = (side: Side, limit: d.Decimal, price: d.Decimal): boolean =>
  side === Side.buy ? d.compare(price, limit) <= 0 : d.compare(price, limit) >= 0;

interface Walk {
  readonly side: Side;
  readonly fills: readonly Level[];
  /** As in an Execution. */
  readonly rest: d.Decimal;
}

function sumFills(
  { side, fills, rest }: Walk,
  { pair, levels = [], rates }: Market,
  { levels: tradable, ownPx }: Liquidity,
): Execution {
  const buys = side === Side.buy;
  const scale = buys ? pair.baseScale : pair.quoteScale;
  const costs = fills.map(([price, quantity]) => d.multiply(price, quantity));
  const quantities = fills.map(([, quantity]) => quantity);
  const [quote, quantity] = [d.sum(costs), d.sum(quantities)];
  const fee = d.sum(
    (buys ? quantities : costs).map((amount) => feeOn(amount, rates?.takerFee ?? '0', scale)),
  );
  const [worst, last] = fills.at(-1) ?? [null, null];
  const isExhausted =
    fills.length === tradable.length && (last === null || last === tradable.at(-1)![1]);
  const isLeft = isExhausted && d.isPositive(rest);
  const isBookTooThin = isLeft && ownPx === null;
  return {
    quantity,
    quote,
    rest,
    average: d.isZero(quantity) ? null : d.divideDown(quote, quantity, averageDecimals(pair)),
    worst,
    slippage: slippageOf(fills[0]?.[0], worst),
    fee,
    received: d.subtract(buys ? quantity : quote, fee),
    isBookTooThin,
    ownPx: isLeft ? ownPx : null,
    isBeyondBook: isBookTooThin && levels.length >= BOOK_DEPTH,
  };
}

function slippageOf(best: d.Decimal | undefined, worst: d.Decimal | null): d.Decimal {
  if (best === undefined || worst === null || d.isZero(best)) return '0';
  const distance = d.subtract(worst, best).replace('-', '');
  return d.divideDown(distance, best, 4);
}

/** The fee on `amount`, rounded up to the asset's last decimal. */
export const feeOn = (amount: d.Decimal, rate: d.Decimal, scale: number): d.Decimal =>
  d.ceilTo(d.multiply(amount, rate), scale === 0 ? '1' : `0.${'0'.repeat(scale - 1)}1`);

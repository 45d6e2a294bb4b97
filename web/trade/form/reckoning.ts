// What an order comes to in the book as it stands, and whether a person is asked once more before it is sent: where it moves
// the price far, or its limit is far past the market, a slip of the hand costs more than a second click.
import { OrdType, Side } from '../../../src/sdk/codes.ts';
import type { Level } from '../../../src/sdk/index.ts';
import {
  compare,
  type Decimal,
  divideDown,
  isPositive,
  max,
  multiply,
  subtract,
} from '../../exact/decimal.ts';
import { BOOK_DEPTH } from '../book/grouping.ts';
import type { Pair } from '../pair.ts';
import { type Estimate, feeOn, type WalkTerms, walkQuantity, walkTotal } from './estimate.ts';
import { type NewOrder, POST_ONLY } from './submission.ts';

export interface Rates {
  readonly makerFee: Decimal;
  readonly takerFee: Decimal;
}

/** From here on an order is told how far it moves the price. */
export const SLIP_WORTH_SAYING = '0.005';
/** From here on a person is asked before it is sent. */
const SLIP_WORTH_ASKING = '0.02';
/** So far past the best price of the other side a limit is taken for a slip of the hand. */
const PAST_WORTH_ASKING = '0.05';

/** More than this part of the balance in one immediate trade is taken for a slip of the hand. */
const SHARE_WORTH_ASKING = '0.5';

/** What makes an order worth a second look; the weightiest of what holds. */
export type Concern =
  /** The limit is far past the best price of the other side. */
  | 'limit'
  /** It moves the price far. */
  | 'slip'
  /** It goes deeper than the book that is read, so nobody can say how far it moves the price. */
  | 'depth'
  /** The book has not been read. */
  | 'unread'
  /** It trades most of the balance immediately. */
  | 'share';

export interface Reckoning {
  /** What trades at once; a post-only order is rejected instead. */
  readonly walked: Estimate;
  /** The best price of the other side. */
  readonly best: Decimal | null;
  /** How far the limit is past it, as a rate cut after four digits; 0 for a market order. */
  readonly past: Decimal;
  /** The part of the balance that trades immediately, as a rate cut after four digits; null while that is not known. */
  readonly share: Decimal | null;
  /** Of a limit order that is filled to its end. */
  readonly filled: Filled | null;
  readonly concern: Concern | null;
}

/** What a limit promises whatever the book does, as soon as it is filled. */
export interface Filled {
  /** Paid by a buy at most, received by a sell at least before the fee. */
  readonly total: Decimal;
  readonly mostFee: Decimal;
  /** After the fee. */
  readonly received: Decimal;
}

export interface Market {
  readonly pair: Pair;
  /** The other side of the book, best first; undefined while it has not been read. */
  readonly levels: readonly Level[] | undefined;
  /** null while they are not known. */
  readonly rates: Rates | null;
  /** Of the asset that is paid with; null while it is not known. */
  readonly available: Decimal | null;
}

export const termsOf = (side: NewOrder['side'], pair: Pair, rates: Rates | null): WalkTerms => ({
  side: side === Side.buy ? 'buy' : 'sell',
  takerFee: rates?.takerFee ?? '0',
  receivedScale: side === Side.buy ? pair.baseScale : pair.quoteScale,
  priceDecimals: pair.priceDecimals + 2,
});

export function reckon(order: NewOrder, market: Market): Reckoning {
  const { pair, levels, rates, available } = market;
  const { side, price, orderQty = '0', quoteOrderQty } = order;
  const terms = termsOf(side, pair, rates);
  const book = levels ?? [];
  const walked =
    quoteOrderQty === undefined
      ? walkQuantity(book, orderQty, terms, price)
      : walkTotal(book, quoteOrderQty, pair.lot, terms);
  const best = book[0]?.[0] ?? null;
  const past = price === undefined || best === null ? '0' : pastBy(side, price, best);
  const filled = price === undefined ? null : filledAt(price, orderQty, side, pair, rates);
  const share = shareOf(order, walked, available);
  const all = { walked, best, past, share, filled };
  return { ...all, concern: levels === undefined ? 'unread' : concernOf(order, all, book) };
}

function concernOf(
  { ordType, execInst }: NewOrder,
  { walked, past, share }: Pick<Reckoning, 'walked' | 'past' | 'share'>,
  levels: readonly Level[],
): Concern | null {
  // A post-only order that would trade is rejected, and costs nothing.
  if (execInst === POST_ONLY) return null;
  if (compare(past, PAST_WORTH_ASKING) > 0) return 'limit';
  if (ordType === OrdType.market && isTooDeep(walked, levels)) return 'depth';
  if (compare(walked.slip, SLIP_WORTH_ASKING) >= 0) return 'slip';
  return share !== null && compare(share, SHARE_WORTH_ASKING) > 0 ? 'share' : null;
}

/** What of the balance trades immediately: what a market order asks for, or what a limit finds in the book. */
function shareOf(
  { side, ordType, orderQty, quoteOrderQty }: NewOrder,
  walked: Estimate,
  available: Decimal | null,
): Decimal | null {
  if (available === null || !isPositive(available)) return null;
  const sold = ordType === OrdType.market ? orderQty! : walked.quantity;
  const spent = side === Side.sell ? sold : (quoteOrderQty ?? walked.quote);
  return divideDown(spent, available, 4);
}

/** Whether more is wanted than the levels hold that were read, while there may be others behind them. */
export const isTooDeep = (walked: Estimate, levels: readonly Level[]): boolean =>
  walked.exhausted && isPositive(walked.rest) && levels.length >= BOOK_DEPTH;

/** Cut after four digits; 0 for a limit that does not reach the other side. */
function pastBy(side: NewOrder['side'], limit: Decimal, best: Decimal): Decimal {
  const distance = side === Side.buy ? subtract(limit, best) : subtract(best, limit);
  return isPositive(distance) && isPositive(best) ? divideDown(distance, best, 4) : '0';
}

/** The fee is the higher one of the two: nobody knows before how much will take and how much will wait. */
function filledAt(
  price: Decimal,
  quantity: Decimal,
  side: NewOrder['side'],
  pair: Pair,
  rates: Rates | null,
): Filled {
  const total = multiply(price, quantity);
  const [before, scale] = side === Side.buy ? [quantity, pair.baseScale] : [total, pair.quoteScale];
  const mostFee = feeOn(before, rates === null ? '0' : max(rates.makerFee, rates.takerFee), scale);
  return { total, mostFee, received: subtract(before, mostFee) };
}

/**
 * Whether the book has become so much worse since `shown` was confirmed that it has to be shown anew. A limit order trades at
 * its limit or better, which was confirmed; and less that trades harms nobody.
 */
export function isWorse(order: NewOrder, now: Reckoning, shown: Reckoning): boolean {
  if (order.ordType !== OrdType.market) return false;
  const isBlind = ({ concern }: Reckoning) => concern === 'depth' || concern === 'unread';
  if (isBlind(now) && !isBlind(shown)) return true;
  const [price, known] = [now.walked.worst, shown.walked.worst];
  if (price === null) return false;
  if (known === null) return now.concern !== null;
  const by = order.side === Side.buy ? subtract(price, known) : subtract(known, price);
  return compare(by, multiply(known, SLIP_WORTH_SAYING)) > 0;
}

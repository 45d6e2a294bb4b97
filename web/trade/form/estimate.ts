// What an order would do to the book as it stands: each level is walked as matching would, with every product exact. Fees
// are taken from what is received and rounded up to the asset's last decimal; the exchange rounds per order and here it is
// per level, so a fee may come out higher by a unit for each order of a level.
import type { Level } from '../../../src/sdk/index.ts';
import {
  add,
  ceilTo,
  compare,
  type Decimal,
  divideDown,
  floorTo,
  isPositive,
  isZero,
  min,
  multiply,
  subtract,
} from '../../exact/decimal.ts';

export interface Estimate {
  /** What would trade at once. */
  readonly quantity: Decimal;
  readonly quote: Decimal;
  /** What finds nobody; of a walk by total, the quote that is not spent. */
  readonly rest: Decimal;
  /** Cut after the digits that were asked for; null where nothing trades. */
  readonly average: Decimal | null;
  readonly worst: Decimal | null;
  /** How far the worst price is from the best, as a rate. */
  readonly slip: Decimal;
  readonly fee: Decimal;
  /** After the fee. */
  readonly received: Decimal;
  /** Every level of the book that was given was used up. */
  readonly exhausted: boolean;
}

export interface WalkTerms {
  readonly side: 'buy' | 'sell';
  readonly takerFee: Decimal;
  /** Decimals of the asset that is received. */
  readonly receivedScale: number;
  /** Digits of the average. */
  readonly priceDecimals: number;
}

interface Fill {
  readonly price: Decimal;
  readonly quantity: Decimal;
}

const smallestUnit = (scale: number): Decimal =>
  scale === 0 ? '1' : `0.${'0'.repeat(scale - 1)}1`;

/** What `quantity` takes from `levels` (best first), up to `limit` where there is one. */
export function walkQuantity(
  levels: readonly Level[],
  quantity: Decimal,
  terms: WalkTerms,
  limit?: Decimal,
): Estimate {
  const fills: Fill[] = [];
  let wanted = quantity;
  for (const [price, there] of levels) {
    if (isZero(wanted) || (limit !== undefined && !reaches(terms.side, limit, price))) break;
    const taken = min(wanted, there);
    fills.push({ price, quantity: taken });
    wanted = subtract(wanted, taken);
  }
  return summed(fills, levels, wanted, terms);
}

/** What a budget in quote buys: in each level the most whole lots that the rest of it pays for. */
export function walkTotal(
  levels: readonly Level[],
  total: Decimal,
  lot: Decimal,
  terms: WalkTerms,
): Estimate {
  const fills: Fill[] = [];
  let left = total;
  for (const [price, there] of levels) {
    const taken = min(there, affordable(left, price, lot));
    if (isZero(taken)) break;
    fills.push({ price, quantity: taken });
    left = subtract(left, multiply(price, taken));
    if (compare(taken, there) < 0) break;
  }
  return summed(fills, levels, left, terms);
}

/** The most whole lots that `budget` pays for at `price`. */
export function affordable(budget: Decimal, price: Decimal, lot: Decimal): Decimal {
  const perLot = multiply(price, lot);
  return isPositive(perLot) ? multiply(divideDown(budget, perLot, 0), lot) : '0';
}

/** Whether a limit takes what stands at `price`. */
const reaches = (side: WalkTerms['side'], limit: Decimal, price: Decimal): boolean =>
  side === 'buy' ? compare(price, limit) <= 0 : compare(price, limit) >= 0;

function summed(
  fills: readonly Fill[],
  levels: readonly Level[],
  rest: Decimal,
  { side, takerFee, receivedScale, priceDecimals }: WalkTerms,
): Estimate {
  const unit = smallestUnit(receivedScale);
  let [quantity, quote, fee]: [Decimal, Decimal, Decimal] = ['0', '0', '0'];
  for (const fill of fills) {
    const cost = multiply(fill.price, fill.quantity);
    quantity = add(quantity, fill.quantity);
    quote = add(quote, cost);
    fee = add(fee, ceilTo(multiply(side === 'buy' ? fill.quantity : cost, takerFee), unit));
  }
  const worst = fills.at(-1)?.price ?? null;
  const last = fills.at(-1);
  return {
    quantity,
    quote,
    rest,
    average: isZero(quantity) ? null : divideDown(quote, quantity, priceDecimals),
    worst,
    slip: slipOf(fills[0]?.price, worst),
    fee,
    received: subtract(side === 'buy' ? quantity : quote, fee),
    exhausted:
      fills.length === levels.length && (last === undefined || last.quantity === levels.at(-1)![1]),
  };
}

/** Cut after four digits. */
function slipOf(best: Decimal | undefined, worst: Decimal | null): Decimal {
  if (best === undefined || worst === null || isZero(best)) return '0';
  const distance = subtract(worst, best).replace('-', '');
  return divideDown(distance, best, 4);
}

/** The fee on `amount`, rounded up to the asset's last decimal. */
export const feeOn = (amount: Decimal, rate: Decimal, scale: number): Decimal =>
  ceilTo(multiply(amount, rate), smallestUnit(scale));

/** A share of a balance as a factor: 25 is 0.25. */
const factorOf = (percent: Percent): Decimal => (percent === 100 ? '1' : `0.${percent}`);

export const PERCENTS = [25, 50, 75, 100] as const;
export type Percent = (typeof PERCENTS)[number];

/** A share of a balance, in whole steps, cut down. */
export const shareOf = (balance: Decimal, percent: Percent, step: Decimal): Decimal =>
  floorTo(multiply(balance, factorOf(percent)), step);

/** A share of a balance to the last digit: what may be spent, before it is brought to a grid. */
export const budgetOf = (balance: Decimal, percent: Percent): Decimal =>
  multiply(balance, factorOf(percent));

// How finely the trade page writes what it reckons: prices to their step, averages two digits finer, and what is only about
// right cut to what can be read.
import { ceilTo, compare, type Decimal, floorTo, isZero } from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';
import type { Pair } from './pair.ts';

const MONEY_DECIMALS = 2;

type PriceGrid = Pick<Pair, 'priceDecimals'>;

/** From here on nobody reads more than cents of an amount. */
const LARGE = '100';

/** Decimals of an amount in the quote asset: cents, and of small amounts no fewer than prices have. */
export const totalDecimals = (total: Decimal, { priceDecimals }: PriceGrid): number =>
  compare(total, LARGE) >= 0 ? MONEY_DECIMALS : Math.max(priceDecimals, MONEY_DECIMALS);

/** Decimals of an average price. */
export const averageDecimals = ({ priceDecimals }: PriceGrid): number => priceDecimals + 2;

/** An amount of one of the pair's assets, cut: to the lot of the base asset, or to cents of the quote. */
export const about = (
  value: Decimal,
  asset: string,
  pair: PriceGrid & Pick<Pair, 'base' | 'lot'>,
): string =>
  asset === pair.base
    ? grouped(floorTo(value, pair.lot))
    : grouped(value, totalDecimals(value, pair));

/** A fee, never shown as less than it is: of the quote asset in cents, of the base asset to the last digit. */
export function feeText(fee: Decimal, asset: string, pair: PriceGrid & Pick<Pair, 'base'>): string {
  if (asset === pair.base) return grouped(fee);
  const decimals = totalDecimals(fee, pair);
  return grouped(ceilTo(fee, `0.${'0'.repeat(decimals - 1)}1`), decimals);
}

/**
 * Why a balance is too small for an order. The cost is rounded up, so that it never reads as if it were there. `isLeast`: the
 * order costs as much or more.
 */
export function shortageText(
  { cost, available, isLeast = false }: Shortage,
  asset: string,
  pair: PriceGrid & Pick<Pair, 'base' | 'lot'>,
): string {
  const isSold = asset === pair.base;
  const cut = isSold ? grouped(available) : about(available, asset, pair);
  const there = isZero(available) ? '0' : cut;
  const verb = isSold ? 'sells' : isLeast ? 'costs at least' : 'costs';
  const needed = `${feeText(cost, asset, pair)} ${asset}`;
  return `Insufficient balance: this order ${verb} ${needed}; you have ${there} ${asset}.`;
}

export interface Shortage {
  readonly cost: Decimal;
  readonly available: Decimal;
  readonly isLeast?: boolean;
}

// The precision of figures on the trade page: prices to their step, averages a digit finer, and
// estimates cut to what is readable.
import { ceilTo, compare, type Decimal, floorTo, isZero } from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';
import { trade as t } from '../messages/trade.ts';
import type { Pair } from './pair.ts';

const MONEY_DECIMALS = 2;
/** From this amount on, cents are precise enough. */
const LARGE = '100';

type PriceGrid = Pick<Pair, 'priceDecimals'>;
type AmountGrid = PriceGrid & Pick<Pair, 'base' | 'lot'>;

/** Decimals of an amount in the quote asset: cents, or those of the price for a small amount. */
export const totalDecimals = (total: Decimal, { priceDecimals }: PriceGrid): number =>
  compare(total, LARGE) >= 0 ? MONEY_DECIMALS : columnDecimals({ priceDecimals });

/** Decimals of a column of amounts in the quote asset. */
export const columnDecimals = ({ priceDecimals }: PriceGrid): number =>
  Math.max(priceDecimals, MONEY_DECIMALS);

/** Decimals of an average price and of the mid: one finer than prices. */
export const averageDecimals = ({ priceDecimals }: PriceGrid): number => priceDecimals + 1;

/** An amount cut to the lot of the base asset, or to cents of the quote. */
export const about = (value: Decimal, asset: string, pair: AmountGrid): string =>
  asset === pair.base
    ? grouped(floorTo(value, pair.lot))
    : grouped(value, totalDecimals(value, pair));

/** An amount of the current book, cut; a dash for nothing. */
export const nowText = (value: Decimal | undefined, asset: string, pair: AmountGrid): string =>
  value === undefined || isZero(value) ? '–' : `≈ ${about(value, asset, pair)}`;

/** A fee, rounded up so that it is never shown too low; a fee in the base asset has all digits. */
export function feeText(fee: Decimal, asset: string, pair: Omit<AmountGrid, 'lot'>): string {
  if (asset === pair.base) return grouped(fee);
  const decimals = totalDecimals(fee, pair);
  return grouped(ceilTo(fee, `0.${'0'.repeat(decimals - 1)}1`), decimals);
}

interface Shortage {
  readonly cost: Decimal;
  readonly available: Decimal;
  /** The order costs `cost` or more. */
  readonly isMinimum?: boolean;
}

/** Says that the balance is too small. The cost is rounded up, so it never looks affordable. */
export function shortageText(
  { cost, available, isMinimum = false }: Shortage,
  asset: string,
  pair: AmountGrid,
): string {
  const sells = asset === pair.base;
  const cut = sells ? grouped(available) : about(available, asset, pair);
  const balance = `${isZero(available) ? '0' : cut} ${asset}`;
  const needed = `${feeText(cost, asset, pair)} ${asset}`;
  return sells ? t.fault.sellsMore(needed, balance) : t.fault.costsMore(needed, balance, isMinimum);
}

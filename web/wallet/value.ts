// What amounts of different assets come to in one of them, by the last prices of the pairs that exist. Exact up to the
// last digit shown, which is cut down; an estimate all the same, since nobody has sold anything.
import type { Balance, Ticker } from '../../src/sdk/index.ts';
import {
  add,
  compare,
  type Decimal,
  divideDown,
  isPositive,
  isZero,
  multiply,
} from '../exact/decimal.ts';

/** A price as a fraction: a chain of pairs that is partly divided has no exact decimal. */
interface Ratio {
  readonly numerator: Decimal;
  readonly denominator: Decimal;
}

/** What one unit of each asset is worth in the target; assets without a way to it are not there. */
export type Prices = ReadonlyMap<string, Ratio>;

type LastPrice = Pick<Ticker, 'symbol' | 'lastPrice'>;

const ONE: Ratio = { numerator: '1', denominator: '1' };

/**
 * The prices in `target`, each over the fewest pairs. Of ways that are as short, the first in the order of the tickers
 * counts.
 */
export function pricesIn(target: string, tickers: readonly LastPrice[]): Prices {
  const prices = new Map([[target, ONE]]);
  let newest: readonly string[] = [target];
  while (newest.length > 0) {
    const found = new Map<string, Ratio>();
    for (const { symbol, lastPrice } of tickers) {
      if (lastPrice === null || !isPositive(lastPrice)) continue;
      const [base = '', quote = ''] = symbol.split('-');
      if (newest.includes(quote) && !prices.has(base) && !found.has(base)) {
        const { numerator, denominator } = prices.get(quote)!;
        found.set(base, { numerator: multiply(numerator, lastPrice), denominator });
      }
      if (newest.includes(base) && !prices.has(quote) && !found.has(quote)) {
        const { numerator, denominator } = prices.get(base)!;
        found.set(quote, { numerator, denominator: multiply(denominator, lastPrice) });
      }
    }
    for (const [asset, ratio] of found) prices.set(asset, ratio);
    newest = [...found.keys()];
  }
  return prices;
}

/** An amount of `asset` in the target, cut down after `decimals` digits; null where there is no price. */
export function worth(
  asset: string,
  amount: Decimal,
  prices: Prices,
  decimals: number,
): Decimal | null {
  const price = prices.get(asset);
  if (price === undefined) return null;
  return divideDown(multiply(amount, price.numerator), price.denominator, decimals);
}

/** Pairs are quoted in money that is counted in cents; everything else is shown to its last digit. */
export function decimalsFor(
  asset: string,
  scale: number,
  tickers: readonly Pick<Ticker, 'symbol'>[],
): number {
  const isQuote = tickers.some(({ symbol }) => symbol.endsWith(`-${asset}`));
  const isBase = tickers.some(({ symbol }) => symbol.startsWith(`${asset}-`));
  return isQuote && !isBase ? Math.min(scale, 2) : scale;
}

export interface Holding extends Balance {
  /** In the target; null where there is no price. */
  readonly value: Decimal | null;
}

export interface Valuation {
  readonly holdings: readonly Holding[];
  /** The sum of the values as they are shown. */
  readonly total: Decimal;
  /** Assets that are owned and that no price leads from. */
  readonly withoutPrice: readonly string[];
}

export function valued(balances: readonly Balance[], prices: Prices, decimals: number): Valuation {
  const holdings = balances.map((balance) => ({
    ...balance,
    value: worth(balance.asset, balance.total, prices, decimals),
  }));
  return {
    holdings,
    total: holdings.reduce((sum, { value }) => add(sum, value ?? '0'), '0'),
    withoutPrice: holdings
      .filter(({ value, total }) => value === null && !isZero(total))
      .map(({ asset }) => asset),
  };
}

/** A part of the whole. `share` is in hundredths of a percent, cut down. */
export interface Share {
  /** null: all the others together. */
  readonly asset: string | null;
  readonly value: Decimal;
  readonly share: number;
}

/** More parts than these are one: a bar of slivers says nothing. */
const MOST_PARTS = 5;
const WHOLE = 10_000;

/** How the total is made up, the largest first. */
export function allocation({ holdings, total }: Valuation): readonly Share[] {
  if (!isPositive(total)) return [];
  const parts = holdings
    .flatMap(({ asset, value }) => (value !== null && isPositive(value) ? [{ asset, value }] : []))
    .sort((a, b) => compare(b.value, a.value));
  const shown = parts.length > MOST_PARTS ? parts.slice(0, MOST_PARTS - 1) : parts;
  const rest = parts.slice(shown.length).reduce((sum, { value }) => add(sum, value), '0');
  const shareOf = (value: Decimal): number =>
    Number(divideDown(multiply(value, String(WHOLE)), total, 0));
  return [
    ...shown.map(({ asset, value }) => ({ asset, value, share: shareOf(value) })),
    ...(isPositive(rest) ? [{ asset: null, value: rest, share: shareOf(rest) }] : []),
  ];
}

/** A share as a percentage, cut after a tenth: 9999 is 99.9%. */
export function shareWords(share: number): string {
  const tenths = Math.floor(share / 10);
  return tenths === 0 ? '< 0.1%' : `${Math.floor(tenths / 10)}.${tenths % 10}%`;
}

// The value of assets in a target asset, by the last prices of the listed pairs. Exact to the last
// digit shown, which is rounded down; still an estimate, because nothing was sold.
import type { Asset, Balance, Ticker } from '../../src/sdk/index.ts';
import * as d from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';
import { feeds } from '../live/feeds.ts';
import { type Live, useLive } from '../live/live.ts';
import { walletText } from '../messages/wallet.ts';

const t = walletText.value;

/** A price as a fraction: a chain of divided pairs has no exact decimal. */
interface Ratio {
  readonly numerator: d.Decimal;
  readonly denominator: d.Decimal;
}

/** The price of each asset in the target; an asset without a price is absent. */
export type Prices = ReadonlyMap<string, Ratio>;

type LastPrice = Pick<Ticker, 'symbol' | 'lastPrice'>;

const ONE: Ratio = { numerator: '1', denominator: '1' };

/**
 * The prices in `target`, each through the fewest pairs. Among equally short chains, the first in
 * the order of the tickers wins.
 */
export function pricesIn(target: string, tickers: readonly LastPrice[]): Prices {
  const prices = new Map([[target, ONE]]);
  let newest: readonly string[] = [target];
  while (newest.length > 0) {
    const found = new Map<string, Ratio>();
    for (const { symbol, lastPrice } of tickers) {
      if (lastPrice === null || !d.isPositive(lastPrice)) continue;
      const [base = '', quote = ''] = symbol.split('-');
      if (newest.includes(quote) && !prices.has(base) && !found.has(base)) {
        const { numerator, denominator } = prices.get(quote)!;
        found.set(base, { numerator: d.multiply(numerator, lastPrice), denominator });
      }
      if (newest.includes(base) && !prices.has(quote) && !found.has(quote)) {
        const { numerator, denominator } = prices.get(base)!;
        found.set(quote, { numerator, denominator: d.multiply(denominator, lastPrice) });
      }
    }
    for (const [asset, ratio] of found) prices.set(asset, ratio);
    newest = [...found.keys()];
  }
  return prices;
}

/** `amount` of `asset` in the target, rounded down; null without a price. */
export function worth(
  asset: string,
  amount: d.Decimal,
  prices: Prices,
  decimals: number,
): d.Decimal | null {
  const price = prices.get(asset);
  if (price === undefined) return null;
  return d.divideDown(d.multiply(amount, price.numerator), price.denominator, decimals);
}

/** Quote assets show cents; other assets show all their decimals. */
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
  /** In the target; null without a price. */
  readonly value: d.Decimal | null;
}

export interface Valuation {
  readonly holdings: readonly Holding[];
  /** The sum of the shown values. */
  readonly total: d.Decimal;
  /** Owned assets without a price. */
  readonly withoutPrice: readonly string[];
}

export function valued(balances: readonly Balance[], prices: Prices, decimals: number): Valuation {
  const holdings = balances.map((balance) => ({
    ...balance,
    value: worth(balance.asset, balance.total, prices, decimals),
  }));
  return {
    holdings,
    total: holdings.reduce((sum, { value }) => d.add(sum, value ?? '0'), '0'),
    withoutPrice: holdings
      .filter(({ value, total }) => value === null && !d.isZero(total))
      .map(({ asset }) => asset),
  };
}

/** A part of the total. `share`: hundredths of a percent, rounded down. */
export interface Share {
  /** null: all other assets together. */
  readonly asset: string | null;
  readonly value: d.Decimal;
  readonly share: number;
}

/** The remaining assets form one part. */
const MAX_PARTS = 5;
const WHOLE = 10_000;

/** The parts of the total, largest first. */
export function allocation({ holdings, total }: Valuation): readonly Share[] {
  if (!d.isPositive(total)) return [];
  const parts = holdings
    .flatMap(({ asset, value }) =>
      value !== null && d.isPositive(value) ? [{ asset, value }] : [],
    )
    .sort((a, b) => d.compare(b.value, a.value));
  const shown = parts.length > MAX_PARTS ? parts.slice(0, MAX_PARTS - 1) : parts;
  const rest = parts.slice(shown.length).reduce((sum, { value }) => d.add(sum, value), '0');
  const shareOf = (value: d.Decimal): number =>
    Number(d.divideDown(d.multiply(value, String(WHOLE)), total, 0));
  return [
    ...shown.map(({ asset, value }) => ({ asset, value, share: shareOf(value) })),
    ...(d.isPositive(rest) ? [{ asset: null, value: rest, share: shareOf(rest) }] : []),
  ];
}

/** A share as a percentage, rounded down to a tenth: 9999 is 99.9%. */
export function shareText(share: number): string {
  const tenths = Math.floor(share / 10);
  return tenths === 0 ? t.belowTenth : `${grouped(`${Math.floor(tenths / 10)}.${tenths % 10}`)}%`;
}

export interface LiveValuation {
  /** The data is undefined until all inputs are known. */
  readonly valuation: Live<Valuation>;
  /** The asset that values are shown in. */
  readonly target: string;
  readonly decimals: number;
  /** All assets that have a price, and the target. */
  readonly targets: readonly string[];
}

const NONE: readonly never[] = [];

/** In `wanted`, or else in the most common quote asset. */
export function useValuation(wanted: string | null): LiveValuation {
  const balances = useLive(feeds.balances);
  const tickers = useLive(feeds.tickers);
  const assets = useLive(feeds.assets);
  const list = assets.data ?? NONE;
  const prices = tickers.data ?? NONE;
  const target = wanted ?? commonQuote(prices) ?? list[0]?.asset ?? '';
  const decimals = decimalsIn(target, list, prices);
  const isReady = balances.data !== undefined && tickers.data !== undefined && target !== '';
  return {
    valuation: {
      ...balances,
      data: isReady ? valued(balances.data!, pricesIn(target, prices), decimals) : undefined,
    } as Live<Valuation>,
    target,
    decimals,
    targets: list
      .map(({ asset }) => asset)
      .filter((asset) => asset === target || isPriced(asset, prices)),
  };
}

function decimalsIn(target: string, assets: readonly Asset[], tickers: readonly Ticker[]): number {
  const scale = assets.find(({ asset }) => asset === target)?.scale ?? 8;
  return decimalsFor(target, scale, tickers);
}

const isPriced = (asset: string, tickers: readonly Ticker[]): boolean =>
  tickers.some(({ symbol, lastPrice }) => lastPrice !== null && symbol.split('-').includes(asset));

/** The most common quote asset; among equals, the first. */
function commonQuote(tickers: readonly Ticker[]): string | null {
  const counts = new Map<string, number>();
  for (const { symbol } of tickers) {
    const quote = symbol.split('-')[1]!;
    counts.set(quote, (counts.get(quote) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? null;
}

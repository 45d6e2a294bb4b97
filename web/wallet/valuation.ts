// The account's balances with their values, kept current.
import type { Asset, Ticker } from '../../src/sdk/index.ts';
import { feeds } from '../live/feeds.ts';
import { type Live, useLive } from '../live/live.ts';
import { decimalsFor, pricesIn, type Valuation, valued } from './value.ts';

export interface LiveValuation {
  readonly balances: Live<unknown>;
  /** null until all inputs are known. */
  readonly valuation: Valuation | null;
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
    balances,
    valuation: isReady ? valued(balances.data!, pricesIn(target, prices), decimals) : null,
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

// The rows of the list of pairs: the last 24 hours of each, search and sort.
import type { Instrument, InstrumentStatus, Ticker } from '../../../src/sdk/index.ts';
import { compare, type Decimal, decimalsOf, divideDown, isZero } from '../../exact/decimal.ts';
import { pricesIn, worth } from '../../wallet/value.ts';

export interface PairRow {
  readonly symbol: string;
  readonly status: InstrumentStatus;
  readonly last: Decimal | null;
  readonly priceDecimals: number;
  /** Over 24 hours, as a rate cut after six digits; null if nothing traded. */
  readonly change: Decimal | null;
  /** 24 hours, in quote. */
  readonly volume: Decimal;
  /** The volume in one currency for all pairs, to rank them; null without a price. */
  readonly ranked: Decimal | null;
}

/** Enough to compare volumes; they are not shown. */
const RANKED_DECIMALS = 8;

export type PairSort = 'name' | 'price' | 'change' | 'volume';

export const changeOf = (ticker: Ticker | undefined): Decimal | null =>
  ticker?.priceChange == null || ticker.openPrice == null || isZero(ticker.openPrice)
    ? null
    : divideDown(ticker.priceChange, ticker.openPrice, 6);

export function pairRows(
  instruments: readonly Instrument[],
  tickers: readonly Ticker[] = [],
): readonly PairRow[] {
  const bySymbol = new Map(tickers.map((ticker) => [ticker.symbol, ticker]));
  // Any currency gives the same order, so this takes that of the first pair.
  const prices = pricesIn(quoteOf(instruments[0]?.symbol ?? ''), tickers);
  return instruments.map(({ symbol, instrumentStatus, quoteAssetIncrement }) => {
    const ticker = bySymbol.get(symbol);
    const volume = ticker?.quoteVolume ?? '0';
    return {
      symbol,
      status: instrumentStatus,
      last: ticker?.lastPrice ?? null,
      priceDecimals: decimalsOf(quoteAssetIncrement),
      change: changeOf(ticker),
      volume,
      ranked: isZero(volume) ? '0' : worth(quoteOf(symbol), volume, prices, RANKED_DECIMALS),
    };
  });
}

const quoteOf = (symbol: string): string => symbol.split('-')[1] ?? '';

/** `btc us`, `btcusdt` and `BTC/USDT` all find BTC-USDT. Ties keep the order of the list. */
export function foundPairs(
  rows: readonly PairRow[],
  search: string,
  sort: PairSort,
  descending: boolean,
): readonly PairRow[] {
  const wanted = bare(search);
  const found = rows.filter(({ symbol }) => bare(symbol).includes(wanted));
  const sorted = found.toSorted(BY[sort]);
  return descending ? sorted.toReversed() : sorted;
}

const bare = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

const BY: Readonly<Record<PairSort, (a: PairRow, b: PairRow) => number>> = {
  name: (a, b) => (a.symbol < b.symbol ? -1 : 1),
  price: (a, b) => compareKnown(a.last, b.last),
  // A pair that did not trade has no change and comes below those that fell.
  change: (a, b) => compareKnown(a.change, b.change),
  volume: (a, b) => compareKnown(a.ranked, b.ranked),
};

/** Unknown values come below all known ones. */
const compareKnown = (a: Decimal | null, b: Decimal | null): number =>
  a === null || b === null ? Number(a !== null) - Number(b !== null) : compare(a, b);

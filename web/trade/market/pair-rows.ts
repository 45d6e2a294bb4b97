// The list of pairs: each with its day, searched and sorted.
import type { Instrument, InstrumentStatus, Ticker } from '../../../src/sdk/index.ts';
import { compare, type Decimal, decimalsOf, divideDown, isZero } from '../../exact/decimal.ts';
import { pricesIn, worth } from '../../wallet/value.ts';

export interface PairRow {
  readonly symbol: string;
  readonly status: InstrumentStatus;
  readonly last: Decimal | null;
  readonly priceDecimals: number;
  /** Of 24 hours, as a rate cut after six digits; null where nothing traded. */
  readonly change: Decimal | null;
  /** 24 hours, in quote. */
  readonly volume: Decimal;
  /** The same in one money for all pairs, so that they can be ranked; null where no price leads to it. */
  readonly ranked: Decimal | null;
}

/** Enough to tell volumes apart; they are not shown. */
const RANKED_DECIMALS = 8;

export type PairSort = 'name' | 'change' | 'volume';

export const changeOf = (ticker: Ticker | undefined): Decimal | null =>
  ticker?.priceChange == null || ticker.openPrice == null || isZero(ticker.openPrice)
    ? null
    : divideDown(ticker.priceChange, ticker.openPrice, 6);

export function pairRows(
  instruments: readonly Instrument[],
  tickers: readonly Ticker[] = [],
): readonly PairRow[] {
  const bySymbol = new Map(tickers.map((ticker) => [ticker.symbol, ticker]));
  // Any money ranks alike, so it is that of the first pair.
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

/** What a pair is quoted in. */
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
  // What never traded has no change, and comes below what fell.
  change: (a, b) => compareKnown(a.change, b.change),
  volume: (a, b) => compareKnown(a.ranked, b.ranked),
};

/** What is not known comes below all that is. */
const compareKnown = (a: Decimal | null, b: Decimal | null): number =>
  a === null || b === null ? Number(a !== null) - Number(b !== null) : compare(a, b);

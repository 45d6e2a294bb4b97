// The list of pairs: each with its day, searched and sorted.
import type { Instrument, InstrumentStatus, Ticker } from '../../api/market.ts';
import { compare, type Decimal, decimalsOf, divideDown, isZero } from '../../exact/decimal.ts';

export interface PairRow {
  readonly symbol: string;
  readonly status: InstrumentStatus;
  readonly last: Decimal | null;
  readonly priceDecimals: number;
  /** Of 24 hours, as a rate cut after six digits; null where nothing traded. */
  readonly change: Decimal | null;
  /** 24 hours, in quote. */
  readonly volume: Decimal;
}

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
  return instruments.map(({ symbol, instrumentStatus, quoteAssetIncrement }) => {
    const ticker = bySymbol.get(symbol);
    return {
      symbol,
      status: instrumentStatus,
      last: ticker?.lastPrice ?? null,
      priceDecimals: decimalsOf(quoteAssetIncrement),
      change: changeOf(ticker),
      volume: ticker?.quoteVolume ?? '0',
    };
  });
}

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
  change: (a, b) =>
    a.change === null || b.change === null
      ? Number(a.change !== null) - Number(b.change !== null)
      : compare(a.change, b.change),
  volume: (a, b) => compare(a.volume, b.volume),
};

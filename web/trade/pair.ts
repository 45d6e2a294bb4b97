// A pair as the trade page thinks of it: two assets, the grid of its prices and quantities, its minimums, and what it
// accepts now.
import type { Asset, Instrument, InstrumentStatus } from '../../src/sdk/index.ts';
import { type Decimal, decimalsOf } from '../exact/decimal.ts';

export interface Pair {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** The step of prices, in quote. */
  readonly tick: Decimal;
  /** The step of quantities, in base. */
  readonly lot: Decimal;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly minQuantity: Decimal;
  /** Of price × quantity, and of what a market buy spends. */
  readonly minTotal: Decimal;
  readonly status: InstrumentStatus;
  /** How finely amounts of the two assets are kept; fees are rounded to it. */
  readonly baseScale: number;
  readonly quoteScale: number;
}

/** Fees are only estimated before the assets have been read; this is how finely most assets are kept. */
const USUAL_SCALE = 8;

export function pairOf(instrument: Instrument, assets: readonly Asset[] = []): Pair {
  const [base = '', quote = ''] = instrument.symbol.split('-');
  const scaleOf = (name: string): number =>
    assets.find(({ asset }) => asset === name)?.scale ?? USUAL_SCALE;
  return {
    symbol: instrument.symbol,
    base,
    quote,
    tick: instrument.quoteAssetIncrement,
    lot: instrument.baseAssetIncrement,
    priceDecimals: decimalsOf(instrument.quoteAssetIncrement),
    quantityDecimals: decimalsOf(instrument.baseAssetIncrement),
    minQuantity: instrument.baseAssetMinOrderSize,
    minTotal: instrument.quoteAssetMinOrderSize,
    status: instrument.instrumentStatus,
    baseScale: scaleOf(base),
    quoteScale: scaleOf(quote),
  };
}

/** What a status means for who wants to trade; null while everything is accepted. */
export const STATUS_WORDS: Readonly<
  Record<InstrumentStatus, { readonly short: string; readonly sentence: string | null }>
> = {
  LIVE: { short: 'Trading', sentence: null },
  POST_ONLY: {
    short: 'Post-only',
    sentence:
      'Only post-only limit orders are accepted now. Nothing trades; orders can be canceled.',
  },
  CANCEL_ONLY: {
    short: 'Cancel only',
    sentence: 'No new orders are accepted now. Open orders can be canceled.',
  },
  HALTED: {
    short: 'Halted',
    sentence:
      'The operator has halted this pair: no new orders until it resumes. Open orders can be canceled.',
  },
};

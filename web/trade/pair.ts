// A pair as the trade page uses it: its assets, the grid of prices and quantities, minimums and
// status.
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
  /** The minimum of price × quantity, and of the total of a market buy. */
  readonly minTotal: Decimal;
  readonly status: InstrumentStatus;
  /** Decimals of the two assets; fees are rounded to them. */
  readonly baseScale: number;
  readonly quoteScale: number;
}

/** The decimals of most assets; used for estimates until the assets have been read. */
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

// A pair as the trade page uses it: its assets, the grid of prices and quantities, minimums and
// status.
import { type Asset, type Instrument, type InstrumentStatus, Side } from '../../src/sdk/index.ts';
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
  readonly selfTradePrevention: Instrument['selfTradePrevention'];
  /** Decimals of the two assets; fees are rounded to them. */
  readonly baseScale: number;
  readonly quoteScale: number;
}

/** The base and the quote asset of a symbol such as BTC-USDT. */
export function assetsOf(symbol: string): readonly [base: string, quote: string] {
  const [base = '', quote = ''] = symbol.split('-');
  return [base, quote];
}

/** The decimals of most assets, for an asset that was listed after the assets were read. */
const USUAL_SCALE = 8;

export function pairOf(instrument: Instrument, assets: readonly Asset[]): Pair {
  const { symbol, quoteAssetIncrement: tick, baseAssetIncrement: lot } = instrument;
  const [base, quote] = assetsOf(symbol);
  const scaleOf = (name: string) =>
    assets.find(({ asset }) => asset === name)?.scale ?? USUAL_SCALE;
  return {
    symbol,
    base,
    quote,
    tick,
    lot,
    priceDecimals: decimalsOf(tick),
    quantityDecimals: decimalsOf(lot),
    minQuantity: instrument.baseAssetMinOrderSize,
    minTotal: instrument.quoteAssetMinOrderSize,
    status: instrument.instrumentStatus,
    selfTradePrevention: instrument.selfTradePrevention,
    baseScale: scaleOf(base),
    quoteScale: scaleOf(quote),
  };
}

/** The assets that an order pays with and receives. */
export const legsOf = ({ base, quote }: Pick<Pair, 'base' | 'quote'>, side: Side) =>
  side === Side.buy ? { pays: quote, gets: base } : { pays: base, gets: quote };

// The public calls: pairs, assets, books, trades, tickers, candles, time.
import type * as sdk from '../../src/sdk/answers.ts';
import type { CandlesRequest, OrderbookRequest } from '../../src/sdk/requests.ts';
import { type CallOptions, client } from './clients.ts';
import { inTexts, type Texts } from './texts.ts';

export type { InstrumentStatus, Level } from '../../src/sdk/answers.ts';

/** A pair. The increments are the price tick (quote) and the lot (base). */
export type Instrument = Texts<sdk.Instrument>;
export type Asset = Texts<sdk.Asset>;
export type Ticker = Texts<sdk.Ticker>;
export type Book = Texts<sdk.Orderbook>;
export type L3Book = Texts<sdk.Level3Orderbook>;
export type L3Level = sdk.Level3Level;
/** `takerSide`: 1 bought, 2 sold. */
export type PublicTrade = Texts<sdk.PublicTrade>;
export type Candle = Texts<sdk.Candle>;
export type CandleQuery = CandlesRequest;
export type CandleInterval = CandlesRequest['interval'];
/** Levels of a side. */
export type Depth = NonNullable<OrderbookRequest['depth']>;

export const instruments = (options?: CallOptions) => inTexts(client.instruments({}, options));

export const assets = (options?: CallOptions) => inTexts(client.assets(options));

export const serverTime = (options?: CallOptions) => inTexts(client.time(options));

export const tickers = (options?: CallOptions) => inTexts(client.tickers({}, options));

export const book = (symbol: string, depth: Depth, options?: CallOptions) =>
  inTexts(client.orderbook({ symbol, depth }, options));

export const l3Book = (symbol: string, options?: CallOptions) =>
  inTexts(client.level3Orderbook({ symbol }, options));

/** Newest first. */
export const trades = (symbol: string, limit: number, options?: CallOptions) =>
  inTexts(client.trades({ symbol, limit }, options));

/** Oldest first. */
export const candles = (query: CandleQuery, options?: CallOptions) =>
  inTexts(client.candles(query, options));

// The public calls: pairs, assets, books, trades, tickers, candles, time.
import type { Decimal } from '../exact/decimal.ts';
import { call } from './transport.ts';

const SPOT = '/spot-api/api/public';
const MARKET_DATA = '/market-data-server/api/public/v1';

export type InstrumentStatus = 'LIVE' | 'POST_ONLY' | 'CANCEL_ONLY' | 'HALTED';

/** A pair. The increments are the price tick (quote) and the lot (base). */
export interface Instrument {
  readonly symbol: string;
  readonly securityId: string;
  readonly instrumentStatus: InstrumentStatus;
  readonly baseAssetIncrement: Decimal;
  readonly quoteAssetIncrement: Decimal;
  readonly baseAssetMinOrderSize: Decimal;
  readonly quoteAssetMinOrderSize: Decimal;
  readonly open: boolean;
  readonly fiat: boolean;
}

export interface Asset {
  readonly asset: string;
  readonly scale: string;
  readonly fiat: boolean;
}

export interface Ticker {
  readonly symbol: string;
  readonly openPrice: Decimal | null;
  readonly highPrice: Decimal | null;
  readonly lowPrice: Decimal | null;
  readonly lastPrice: Decimal | null;
  readonly priceChange: Decimal | null;
  readonly baseVolume: Decimal;
  readonly quoteVolume: Decimal;
  readonly tradeCount: string;
  readonly bestBid: Decimal | null;
  readonly bestAsk: Decimal | null;
}

export type Level = readonly [price: Decimal, quantity: Decimal];

export interface Book {
  readonly symbol: string;
  readonly transactTime: string;
  readonly lastUpdateId: string;
  /** Best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export type L3Order = readonly [orderId: string, sequence: string, time: string, quantity: Decimal];
export type L3Level = readonly [price: Decimal, quantity: Decimal, orders: readonly L3Order[]];

export interface L3Book {
  readonly version: string;
  readonly bids: readonly L3Level[];
  readonly asks: readonly L3Level[];
}

/** `takerSide`: 1 bought, 2 sold. */
export interface PublicTrade {
  readonly tradeId: string;
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly takerSide: '1' | '2';
  readonly transactTime: string;
}

export type CandleInterval = '1m' | '5m' | '15m' | '1h' | '4h' | '1d';

export interface Candle {
  readonly openTime: string;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  readonly baseVolume: Decimal;
}

export interface ServerTime {
  readonly serverTime: string;
  readonly businessTime: string;
}

type Signal = AbortSignal | undefined;

export const instruments = (signal?: Signal) =>
  call<readonly Instrument[]>('GET', `${SPOT}/v2/instruments`, { signal });

export const assets = (signal?: Signal) =>
  call<readonly Asset[]>('GET', `${SPOT}/v1/assets`, { signal });

export const serverTime = (signal?: Signal) =>
  call<ServerTime>('GET', `${SPOT}/v1/time`, { signal });

export const tickers = (signal?: Signal) =>
  call<readonly Ticker[]>('GET', `${MARKET_DATA}/tickers`, { signal });

/** `depth`: 1, 5, 20 or 100 levels a side. */
export const book = (symbol: string, depth: number, signal?: Signal) =>
  call<Book>('GET', `${MARKET_DATA}/orderbook`, { query: { symbol, depth }, signal });

export const l3Book = (symbol: string, signal?: Signal) =>
  call<L3Book>('GET', `${MARKET_DATA}/l3Orderbook`, { query: { symbol }, signal });

/** Newest first. */
export const trades = (symbol: string, limit: number, signal?: Signal) =>
  call<readonly PublicTrade[]>('GET', `${MARKET_DATA}/trades`, {
    query: { symbol, limit },
    signal,
  });

export interface CandleQuery {
  readonly symbol: string;
  readonly interval: CandleInterval;
  readonly startTime?: number;
  readonly endTime?: number;
  readonly limit?: number;
}

export const candles = (query: CandleQuery, signal?: Signal) =>
  call<readonly Candle[]>('GET', `${MARKET_DATA}/candles`, { query: { ...query }, signal });

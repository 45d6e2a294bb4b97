// The public calls: market data and the state of the process.
import * as answer from '../answer.ts';
import { calls } from '../call.ts';
import { text } from '../fields.ts';
import { feeSchedule } from '../trading/answers.ts';
import * as answers from './answers.ts';
import * as requests from './market-data.ts';

const SPOT = '/spot-api/api/public';
const MARKET_DATA = '/market-data-server/api/public/v1';
const get = { method: 'GET', access: 'public' } as const;

export const processCalls = calls('customer', 'process', {
  health: {
    ...get,
    path: '/health',
    summary: 'Whether the process is alive, and its journal position.',
    about: 'For load balancers and for what restarts the process.',
    answer: answers.health,
  },
  ready: {
    ...get,
    path: '/ready',
    summary: 'Whether the server accepts requests, and how far the history is.',
    answer: answers.ready,
  },
  metrics: {
    ...get,
    path: '/metrics',
    summary: 'Metrics in the Prometheus text format.',
    answer: text(),
    contentTypes: ['text/plain'],
  },
});

const instruments = {
  ...get,
  query: requests.instrumentsQuery,
  answer: answer.list(answers.instrument),
  rejections: ['symbolMismatch'],
} as const;

export const marketDataCalls = calls('customer', 'marketData', {
  instruments: {
    ...instruments,
    path: `${SPOT}/v2/instruments`,
    summary: 'All instruments, or those that match every filter.',
  },
  instrumentsV1: {
    ...instruments,
    path: `${SPOT}/v1/instruments`,
    summary: 'Deprecated: as version 2, without apiTradeSupported.',
    about: 'For clients that know only version 1.',
    deprecated: { since: '2026-11-20', successor: `${SPOT}/v2/instruments` },
  },
  assets: {
    ...get,
    path: `${SPOT}/v1/assets`,
    summary: 'All assets, and how many decimals the amounts of each have.',
    answer: answer.list(answers.asset),
  },
  feeSchedule: {
    ...get,
    path: `${SPOT}/v2/fees`,
    summary: 'The maker and taker rates of a new account by pair, and the table of fees by volume.',
    answer: feeSchedule,
  },
  time: {
    ...get,
    path: `${SPOT}/v1/time`,
    summary: 'serverTime, which signatures are checked against, and businessTime, epoch ms.',
    about: 'Orders carry business time.',
    answer: answers.time,
  },
  orderbook: {
    ...get,
    path: `${MARKET_DATA}/orderbook`,
    summary: 'The best price levels of a book, best first, each as [price, total quantity].',
    query: requests.bookQuery,
    answer: answers.orderbook,
    rejections: ['unknownSymbol'],
  },
  level3Orderbook: {
    ...get,
    path: `${MARKET_DATA}/l3Orderbook`,
    summary: `A book, order by order: the best ${requests.MAX_L3_ORDERS} orders of each side.`,
    about: 'The last level may be cut: its orders then add up to less than its quantity.',
    query: requests.symbolQuery,
    maxRows: 2 * requests.MAX_L3_ORDERS,
    answer: answers.level3Orderbook,
    rejections: ['unknownSymbol'],
  },
  trades: {
    ...get,
    path: `${MARKET_DATA}/trades`,
    summary: 'The trades of a pair, newest first: one page.',
    query: requests.publicTradesQuery,
    answer: answer.list(answers.publicTrade),
    rejections: ['unknownSymbol', 'historyUnavailable'],
  },
  aggTrades: {
    ...get,
    path: `${MARKET_DATA}/aggTrades`,
    summary: 'The trades of a pair by incoming order and price, oldest first: one page.',
    about:
      'For clients that count an incoming order once. From `fromId` on, or the newest ones. The ' +
      'next page starts at the last `lastTradeId` + 1. A page of 20,000 trades ends before ' +
      '`limit`; only an empty page is the last one.',
    query: requests.aggTradesQuery,
    maxRows: 21_000,
    answer: answer.list(answers.aggTrade),
    rejections: ['unknownSymbol', 'historyUnavailable'],
  },
  bbo: {
    ...get,
    path: `${MARKET_DATA}/bbo`,
    summary: 'The best bid and the best ask of every pair or of one.',
    query: requests.optionalSymbolQuery,
    answer: answer.list(answers.bbo),
    rejections: ['unknownSymbol'],
  },
  avgPrice: {
    ...get,
    path: `${MARKET_DATA}/avgPrice`,
    summary: 'The volume-weighted price of a pair over the last 5 minutes.',
    about:
      'For clients that compare their prices with it. The window rolls by the minute, as that of ' +
      'the tickers.',
    query: requests.symbolQuery,
    answer: answers.averagePrice,
    rejections: ['unknownSymbol', 'historyUnavailable'],
  },
  tickers: {
    ...get,
    path: `${MARKET_DATA}/tickers`,
    summary: 'The last 24 hours, rolling by the minute, of every pair or of one.',
    query: requests.optionalSymbolQuery,
    answer: answer.list(answers.ticker),
    rejections: ['unknownSymbol', 'historyUnavailable'],
  },
  candles: {
    ...get,
    path: `${MARKET_DATA}/candles`,
    summary: 'The candles of a pair, oldest first: from startTime on, or the newest ones.',
    about:
      'An interval without trades has no candle. 3m, 30m, 2h, 6h, 12h and 1w are joined from ' +
      'shorter candles, which are the rows that the call reads.',
    maxRows: 7000,
    query: requests.candlesQuery,
    answer: answer.list(answers.candle),
    rejections: ['unknownSymbol', 'historyUnavailable'],
  },
});

// The public calls: instruments, assets, books, trades, tickers, candles, time. Whatever takes more
// than a few microseconds, or asks the views, goes through shared-answers.ts, since anyone may ask
// it as often as they like.

import { writeAsset } from '../../../contract/account.ts';
import {
  bookQuery,
  candlesQuery,
  findInstruments,
  instrumentsQuery,
  l3BookText,
  MAX_L3_ORDERS,
  optionalSymbolQuery,
  publicTradesQuery,
  symbolQuery,
  writeBook,
  writeCandle,
  writeInstrument,
  writeInstrumentV1,
  writePublicTrade,
  writeTicker,
} from '../../../contract/market-data.ts';
import { readWindow } from '../../../contract/time-window.ts';
import { namedInstrument } from '../../../contract/trading.ts';
import type { Instrument } from '../../../core/instrument.ts';
import { ok, type Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';

const SPOT = '/spot-api/api/public';
const MARKET_DATA = '/market-data-server/api/public/v1';
const get = { method: 'GET', access: 'public' } as const;

const getInstruments = route({
  ...get,
  path: `${SPOT}/v2/instruments`,
  summary: 'The instruments, or those that the filters name; all filters must hold.',
  query: instrumentsQuery,
  handle: ({ engine }, { query }) =>
    ok(findInstruments(engine.exchange.state, query).map(writeInstrument), engine.seq),
});

const getInstrumentsV1 = route({
  ...get,
  path: `${SPOT}/v1/instruments`,
  summary: 'Deprecated: as version 2, without apiTradeSupported.',
  deprecated: { since: '2026-11-20', successor: getInstruments.path },
  query: instrumentsQuery,
  handle: ({ engine }, { query }) =>
    ok(findInstruments(engine.exchange.state, query).map(writeInstrumentV1), engine.seq),
});

const getAssets = route({
  ...get,
  path: `${SPOT}/v1/assets`,
  summary: 'The assets, and how many decimals the amounts of each have.',
  handle: ({ engine }) => ok(engine.exchange.state.assets.map(writeAsset), engine.seq),
});

const getTime = route({
  ...get,
  path: `${SPOT}/v1/time`,
  summary:
    'serverTime, which signatures are checked against, and businessTime, which orders carry.',
  handle: ({ engine }) => ok({ serverTime: engine.wall(), businessTime: engine.now }, engine.seq),
});

const getOrderbook = route({
  ...get,
  path: `${MARKET_DATA}/orderbook`,
  summary: 'The best price levels of a book, best first, each as [price, total quantity].',
  query: bookQuery,
  handle({ engine }, { query }) {
    const instrument = instrumentOf(engine, query.symbol);
    return ok(writeBook(instrument, query.depth, engine.now), engine.seq);
  },
});

const getL3Orderbook = route({
  ...get,
  path: `${MARKET_DATA}/l3Orderbook`,
  summary:
    `A book order by order: the best ${MAX_L3_ORDERS} orders of each side. ` +
    'A level whose orders add up to less than its quantity is the one where they ended.',
  query: symbolQuery,
  handle(services, { query }) {
    const { engine } = services;
    const instrument = instrumentOf(engine, query.symbol);
    return shared(services, 'l3Orderbook', query, (seq) => {
      const body = l3BookText(engine.exchange.state, instrument, engine.now);
      return { status: 200, body, seq, headers: null };
    });
  },
});

const getTrades = route({
  ...get,
  path: `${MARKET_DATA}/trades`,
  summary: 'The trades of a pair, newest first.',
  query: publicTradesQuery,
  handle(services, { query }) {
    const { engine, views } = services;
    const { symbol, limit, beforeTradeId } = query;
    const instrument = instrumentOf(engine, symbol);
    return shared(services, 'trades', query, async (seq) => {
      const { securityId } = instrument;
      const before = beforeTradeId === undefined ? {} : { beforeTradeId };
      const found = await views.query({ type: 'publicTrades', securityId, limit, ...before }, seq);
      return ok(
        found.map((trade) => writePublicTrade(trade, instrument)),
        seq,
      );
    });
  },
});

const getTickers = route({
  ...get,
  path: `${MARKET_DATA}/tickers`,
  summary: 'The last 24 hours, rolling by the minute, of every pair or of one.',
  query: optionalSymbolQuery,
  handle(services, { query }) {
    const { engine, views } = services;
    const { state } = engine.exchange;
    const { symbol } = query;
    const only =
      symbol === undefined ? {} : { securityId: instrumentOf(engine, symbol).securityId };
    return shared(services, 'tickers', query, async (seq) => {
      const found = await views.query({ type: 'tickers', now: engine.now, ...only }, seq);
      return ok(
        found.map((ticker) =>
          writeTicker(ticker, state.instruments[ticker.securityId]!, engine.now),
        ),
        seq,
      );
    });
  },
});

const getCandles = route({
  ...get,
  path: `${MARKET_DATA}/candles`,
  summary:
    'Candles of a pair, oldest first: from startTime on, or the newest ones. ' +
    'An interval without trades has none.',
  query: candlesQuery,
  handle(services, { query }) {
    const { engine, views } = services;
    const { symbol, interval, limit } = query;
    const instrument = instrumentOf(engine, symbol);
    const window = readWindow(query);
    return shared(services, 'candles', query, async (seq) => {
      const { securityId } = instrument;
      const found = await views.query(
        { type: 'candles', securityId, interval, limit, ...window },
        seq,
      );
      return ok(
        found.map((candle) => writeCandle(candle, instrument)),
        seq,
      );
    });
  },
});

const instrumentOf = ({ exchange }: Services['engine'], symbol: string): Instrument =>
  namedInstrument(exchange.state, { symbol, securityId: undefined });

/**
 * Computes the answer at the journal position of now, once for all who ask the same; `query` has
 * all that it depends on.
 */
function shared(
  { sharedAnswers, engine }: Services,
  name: string,
  query: object,
  compute: (seq: number) => Reply | Promise<Reply>,
): Promise<Reply> {
  return sharedAnswers.answer(name + JSON.stringify(query), () => compute(engine.seq));
}

export const marketDataRoutes: readonly Route[] = [
  getInstrumentsV1,
  getInstruments,
  getOrderbook,
  getL3Orderbook,
  getTrades,
  getTickers,
  getCandles,
  getTime,
  getAssets,
];

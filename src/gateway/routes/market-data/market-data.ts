// The public calls: instruments, assets, books, trades, averages, tickers, candles, time. Every
// answer that takes more than a few microseconds, or needs the views, goes through
// shared-answers.ts, since anyone may request it without limit.

import * as answers from '../../../contract/market-data/answers.ts';
import { writeAveragePrice } from '../../../contract/market-data/averages.ts';
import { marketDataCalls } from '../../../contract/market-data/calls.ts';
import {
  findInstruments,
  l3BookText,
  writeBbo,
  writeBook,
  writeInstrument,
  writeTicker,
} from '../../../contract/market-data/market-data.ts';
import { readWindow } from '../../../contract/time-window.ts';
import { writeFeeSchedule } from '../../../contract/trading/fee-tier.ts';
import { namedInstrument } from '../../../contract/trading/orders.ts';
import type { Instrument } from '../../../core/instrument.ts';
import { ok, type Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';

const getInstruments = route(marketDataCalls.instruments, {
  handle: ({ engine }, { query }) =>
    ok(findInstruments(engine.exchange.state, query).map(writeInstrument), engine.seq),
});

const getInstrumentsV1 = route(marketDataCalls.instrumentsV1, {
  handle: ({ engine }, { query }) =>
    ok(
      findInstruments(engine.exchange.state, query).map((each) =>
        answers.instrument.write(each, each),
      ),
      engine.seq,
    ),
});

const getAssets = route(marketDataCalls.assets, {
  handle: ({ engine }) =>
    ok(
      engine.exchange.state.assets.map((each) => answers.asset.write(each)),
      engine.seq,
    ),
});

const getFeeSchedule = route(marketDataCalls.feeSchedule, {
  handle: ({ engine }) => ok(writeFeeSchedule(engine.exchange.state, engine.now), engine.seq),
});

const getTime = route(marketDataCalls.time, {
  handle: ({ engine }) => ok({ serverTime: engine.wall(), businessTime: engine.now }, engine.seq),
});

const getOrderbook = route(marketDataCalls.orderbook, {
  handle({ engine }, { query }) {
    const instrument = instrumentOf(engine, query.symbol);
    return ok(writeBook(instrument, query.depth, engine.now), engine.seq);
  },
});

const getL3Orderbook = route(marketDataCalls.level3Orderbook, {
  handle(services, { query }) {
    const { engine } = services;
    const instrument = instrumentOf(engine, query.symbol);
    return shared(services, 'l3Orderbook', query, (seq) => {
      const body = l3BookText(engine.exchange.state, instrument, engine.now);
      return { status: 200, body, seq, headers: null };
    });
  },
});

const getTrades = route(marketDataCalls.trades, {
  handle(services, { query }) {
    const { engine, views } = services;
    const { symbol, limit, beforeTradeId } = query;
    const instrument = instrumentOf(engine, symbol);
    return shared(services, 'trades', query, async (seq) => {
      const { securityId } = instrument;
      const before = beforeTradeId === undefined ? {} : { beforeTradeId };
      const found = await views.query({ type: 'publicTrades', securityId, limit, ...before }, seq);
      return ok(
        found.map((trade) => answers.publicTrade.write(trade, instrument)),
        seq,
      );
    });
  },
});

const getAggTrades = route(marketDataCalls.aggTrades, {
  handle(services, { query }) {
    const { engine, views } = services;
    const { symbol, limit, fromId } = query;
    const instrument = instrumentOf(engine, symbol);
    return shared(services, 'aggTrades', query, async (seq) => {
      const { securityId } = instrument;
      const from = fromId === undefined ? {} : { fromId };
      const found = await views.query({ type: 'aggTrades', securityId, limit, ...from }, seq);
      return ok(
        found.map((trade) => answers.aggTrade.write(trade, instrument)),
        seq,
      );
    });
  },
});

const getBbo = route(marketDataCalls.bbo, {
  handle({ engine }, { query }) {
    const { state } = engine.exchange;
    const named = { symbol: query.symbol, securityId: undefined };
    return ok(
      findInstruments(state, named).map((instrument) => writeBbo(instrument, engine.now)),
      engine.seq,
    );
  },
});

const getAvgPrice = route(marketDataCalls.avgPrice, {
  handle(services, { query }) {
    const { engine, views } = services;
    const instrument = instrumentOf(engine, query.symbol);
    return shared(services, 'avgPrice', query, async (seq) => {
      const { securityId } = instrument;
      const { now } = engine;
      const found = await views.query({ type: 'averagePrice', securityId, now }, seq);
      return ok(writeAveragePrice(found, instrument, now), seq);
    });
  },
});

const getTickers = route(marketDataCalls.tickers, {
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

const getCandles = route(marketDataCalls.candles, {
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
        found.map((candle) => answers.candle.write(candle, instrument)),
        seq,
      );
    });
  },
});

const instrumentOf = ({ exchange }: Services['engine'], symbol: string): Instrument =>
  namedInstrument(exchange.state, { symbol, securityId: undefined });

/**
 * Computes the answer at the current journal position, once for all equal questions; `query` has
 * everything that it depends on.
 */
function shared<W>(
  { sharedAnswers, engine }: Services,
  name: string,
  query: object,
  compute: (seq: number) => Reply<W> | Promise<Reply<W>>,
): Promise<Reply<W>> {
  return sharedAnswers.answer(name + JSON.stringify(query), () => compute(engine.seq));
}

export const marketDataRoutes: readonly Route[] = [
  getInstrumentsV1,
  getInstruments,
  getOrderbook,
  getL3Orderbook,
  getTrades,
  getAggTrades,
  getBbo,
  getAvgPrice,
  getTickers,
  getCandles,
  getTime,
  getAssets,
  getFeeSchedule,
];

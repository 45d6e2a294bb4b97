// The public calls: instruments, assets, books, trades, averages, tickers, candles, time. Every
// answer that takes more than a few microseconds, or needs the views, goes through
// shared-answers.ts, since anyone may request it without limit.
import type { ApiCall } from '../../../contract/call.ts';
import { JsonText } from '../../../contract/json.ts';
import * as answers from '../../../contract/market-data/answers.ts';
import { writeAveragePrice } from '../../../contract/market-data/averages.ts';
import { marketDataCalls } from '../../../contract/market-data/calls.ts';
import {
  filterInstruments,
  findInstruments,
  l3BookText,
  l3OrderCount,
  writeBbo,
  writeBook,
  writeInstrument,
  writeTicker,
} from '../../../contract/market-data/market-data.ts';
import { readWindow } from '../../../contract/time-window.ts';
import { writeFeeSchedule } from '../../../contract/trading/fee-tier.ts';
import { namedInstrument } from '../../../contract/trading/orders.ts';
import type { Instrument } from '../../../core/instrument.ts';
import type { State } from '../../../core/state.ts';
import { rateKeyOf } from '../../../identity/ip.ts';
import { tradesIn } from '../../../views/agg-trades.ts';
import { rowsOfCandles } from '../../../views/candles.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { moreCalls } from '../../limits/limits.ts';
import type { Services } from '../../services.ts';
import { reads } from '../kinds.ts';

/**
 * A read whose answer is computed once for all equal questions. `ask` checks the question, and
 * returns how to answer it at the current journal position. The first caller pays for the rows that
 * are read.
 */
const shared = <Q, B, W>(
  call: ApiCall<Q, B, W>,
  ask: (
    state: State,
    query: NoInfer<Q>,
    services: Services,
  ) => (seq: number, payFor: (rows: number) => void) => NoInfer<W> | Promise<NoInfer<W>>,
): Route =>
  route(call, {
    handle(services, { query, ip }) {
      const { engine, limits, sharedAnswers } = services;
      const payFor = (rows: number): void => limits.chargeRead(rateKeyOf(ip()), moreCalls(rows));
      const compute = ask(engine.exchange.state, query, services);
      return sharedAnswers.answer(call.name + JSON.stringify(query), async () => {
        const { seq } = engine;
        return ok((await compute(seq, payFor)) as object, seq);
      }) as Promise<never>;
    },
  });

const named = (state: State, symbol: string): Instrument =>
  namedInstrument(state, { symbol, securityId: undefined });

export const marketDataRoutes: readonly Route[] = [
  reads(marketDataCalls.instrumentsV1, (state, { query }) =>
    filterInstruments(state, query).map((each) => answers.instrument.write(each, each)),
  ),
  reads(marketDataCalls.instruments, (state, { query }) =>
    filterInstruments(state, query).map(writeInstrument),
  ),
  reads(marketDataCalls.orderbook, (state, { query: { symbol, depth } }, { engine }) =>
    writeBook(named(state, symbol), depth, engine.now),
  ),
  shared(marketDataCalls.level3Orderbook, (state, { symbol }, { engine }) => {
    const instrument = named(state, symbol);
    return (_seq, payFor) => {
      payFor(l3OrderCount(instrument));
      return new JsonText(l3BookText(state, instrument, engine.now)) as never;
    };
  }),
  shared(marketDataCalls.trades, (state, { symbol, ...page }, { views }) => {
    const instrument = named(state, symbol);
    const query = { type: 'publicTrades', securityId: instrument.securityId, ...page } as const;
    return async (seq) =>
      (await views.query(query, seq)).map((each) => answers.publicTrade.write(each, instrument));
  }),
  shared(marketDataCalls.aggTrades, (state, { symbol, ...page }, { views }) => {
    const instrument = named(state, symbol);
    const query = { type: 'aggTrades', securityId: instrument.securityId, ...page } as const;
    return async (seq, payFor) => {
      const found = await views.query(query, seq);
      payFor(tradesIn(found));
      return found.map((each) => answers.aggTrade.write(each, instrument));
    };
  }),
  reads(marketDataCalls.bbo, (state, { query: { symbol } }, { engine }) =>
    findInstruments(state, { symbol, securityId: undefined }).map((each) =>
      writeBbo(each, engine.now),
    ),
  ),
  shared(marketDataCalls.avgPrice, (state, { symbol }, { engine, views }) => {
    const instrument = named(state, symbol);
    return async (seq) => {
      const { securityId } = instrument;
      const { now } = engine;
      const facts = await views.query({ type: 'averagePrice', securityId, now }, seq);
      return writeAveragePrice(facts, instrument, now);
    };
  }),
  shared(marketDataCalls.tickers, (state, { symbol }, { engine, views }) => {
    const only = symbol === undefined ? {} : { securityId: named(state, symbol).securityId };
    return async (seq) => {
      const found = await views.query({ type: 'tickers', now: engine.now, ...only }, seq);
      return found.map((each) =>
        writeTicker(each, state.instruments[each.securityId]!, engine.now),
      );
    };
  }),
  shared(marketDataCalls.candles, (state, { symbol, interval, limit, ...times }, { views }) => {
    const instrument = named(state, symbol);
    const { securityId } = instrument;
    const query = { type: 'candles', securityId, interval, limit, ...readWindow(times) } as const;
    return async (seq, payFor) => {
      const found = await views.query(query, seq);
      payFor(rowsOfCandles(interval, found.length));
      return found.map((each) => answers.candle.write(each, instrument));
    };
  }),
  reads(marketDataCalls.time, (_state, _call, { engine }) => ({
    serverTime: engine.wall(),
    businessTime: engine.now,
  })),
  reads(marketDataCalls.assets, ({ listedAssets }) =>
    listedAssets.map((each) => answers.asset.write(each)),
  ),
  reads(marketDataCalls.feeSchedule, (state, _call, { engine }) =>
    writeFeeSchedule(state, engine.now),
  ),
];

// The public calls: server time, books, trades, candles and tickers. The views answer through the
// shared answers, since anyone may ask.
import { formatSteps, formatUnits } from '../../contract/decimal.ts';
import { integer, missingField, optional, text } from '../../contract/fields.ts';
import type { JsonOut } from '../../contract/json.ts';
import { priceOf } from '../../contract/market-data/averages.ts';
import { marketDataCalls } from '../../contract/market-data/calls.ts';
import { object } from '../../contract/object.ts';
import { readWindow } from '../../contract/time-window.ts';
import { CANDLE_INTERVALS, type CandleInterval } from '../../core/calendar.ts';
import { Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { Amount } from '../../core/units.ts';
import type { AggTrade } from '../../views/agg-trades.ts';
import { type Candle, joinCandles } from '../../views/candles.ts';
import type { AnswerTo, ViewQuery } from '../../views/views.ts';
import { BinanceProblem } from './binance-problem.ts';
import { type Context, endpoint, NO_PARAMETERS } from './endpoint.ts';
import { symbolField } from './order-commands.ts';

const MAX_DEPTH = 5000;
const limit = (otherwise: number, max = 1000) => optional(integer({ min: 1, max }), otherwise);
const time = optional(integer({ min: 0 }));
const id = optional(integer({ min: 0 }));

/** The rows of a view at the position of the core. */
function read<Q extends ViewQuery>({ services }: Context, query: Q): Promise<AnswerTo<Q>> {
  const { views, engine } = services;
  return views.query(query, engine.seq);
}

const ping = endpoint(marketDataCalls.time, NO_PARAMETERS, () => ({}));

const serverTime = endpoint(marketDataCalls.time, NO_PARAMETERS, ({ services }) => ({
  serverTime: services.engine.wall(),
}));

/** The best levels of one side as `[price, quantity]`. */
export function levelsOf({ book, tick, lot }: Instrument, side: Side, depth: number): string[][] {
  const levels: string[][] = [];
  book.ladder(side).fromBest((level, price) => {
    levels.push([formatSteps(price, tick), formatSteps(book.levelQuantity(level), lot)]);
    return levels.length < depth;
  });
  return levels;
}

const depth = endpoint(
  marketDataCalls.orderbook,
  object({ symbol: symbolField, limit: limit(100, MAX_DEPTH) }),
  (context, { symbol, limit: size }) => {
    const instrument = context.instrument(symbol);
    return {
      lastUpdateId: instrument.book.updateId,
      bids: levelsOf(instrument, Side.buy, size),
      asks: levelsOf(instrument, Side.sell, size),
    };
  },
);

const recentTrades = endpoint(
  marketDataCalls.trades,
  object({ symbol: symbolField, limit: limit(500) }),
  (context, { symbol, limit: size }) => trades(context, symbol, size, undefined),
);

const historicalTrades = endpoint(
  marketDataCalls.trades,
  object({ symbol: symbolField, limit: limit(500), fromId: id }),
  (context, { symbol, limit: size, fromId }) => trades(context, symbol, size, fromId),
);

async function trades(context: Context, symbol: string, size: number, fromId: number | undefined) {
  const instrument = context.instrument(symbol);
  const { securityId, tick, lot, quote } = instrument;
  const from = fromId === undefined ? {} : { fromTradeId: fromId };
  const query = { type: 'publicTrades', securityId, limit: size, ...from } as const;
  const found = await read(context, query);
  const oldestFirst = fromId === undefined ? found.reverse() : found;
  return oldestFirst.map((trade) => ({
    id: trade.tradeId,
    price: formatSteps(trade.price, tick),
    qty: formatSteps(trade.quantity, lot),
    quoteQty: formatUnits(trade.quoteAmount, quote.scale),
    time: trade.transactTime,
    isBuyerMaker: trade.takerSide === Side.sell,
    isBestMatch: true,
  }));
}

/** An aggregate as REST and the stream have it. */
export const writeAggTrade = (trade: AggTrade, { tick, lot }: Instrument) => ({
  a: trade.aggTradeId,
  p: formatSteps(trade.price, tick),
  q: formatSteps(trade.quantity, lot),
  f: trade.aggTradeId,
  l: trade.lastTradeId,
  T: trade.transactTime,
  m: trade.takerSide === Side.sell,
  M: true,
});

const aggTrades = endpoint(
  marketDataCalls.aggTrades,
  object({
    symbol: symbolField,
    fromId: id,
    startTime: time,
    endTime: time,
    limit: limit(500),
  }),
  async (context, { symbol, fromId, startTime, endTime, limit: size }) => {
    const instrument = context.instrument(symbol);
    readWindow({ startTime, endTime });
    const { securityId } = instrument;
    const from = fromId === undefined ? {} : { fromId };
    const since = startTime === undefined ? {} : { start: startTime };
    const query = { type: 'aggTrades', securityId, limit: size, ...from, ...since } as const;
    const found = await read(context, query);
    return found
      .filter(({ transactTime }) => endTime === undefined || transactTime <= endTime)
      .map((trade) => writeAggTrade(trade, instrument));
  },
);

/** agio has no candles of the other intervals of Binance. */
const interval = text({ min: 2, max: 3, ascii: true });

function candleInterval(name: string): CandleInterval {
  if (Object.hasOwn(CANDLE_INTERVALS, name)) return name as CandleInterval;
  const known = Object.keys(CANDLE_INTERVALS).join(', ');
  throw new BinanceProblem(-1120, 'Invalid interval.', { userMsg: `Send one of ${known}.` });
}

/** The last millisecond of a candle. */
export const closeTimeOf = (openTime: number, name: CandleInterval): number =>
  openTime + CANDLE_INTERVALS[name] - 1;

const klines = endpoint(
  marketDataCalls.candles,
  object({
    symbol: symbolField,
    interval,
    startTime: time,
    endTime: time,
    timeZone: optional(text({ max: 6, ascii: true })),
    limit: limit(500),
  }),
  async (context, { symbol, interval: sent, startTime, endTime, timeZone, limit: size }) => {
    const instrument = context.instrument(symbol);
    const name = candleInterval(sent);
    if (timeZone !== undefined && !/^[+-]?0+(?::0+)?$/.test(timeZone)) {
      const userMsg = 'Candles are aligned to UTC: leave timeZone out.';
      throw new BinanceProblem(-1130, "Data sent for parameter 'timeZone' is not valid.", {
        userMsg,
      });
    }
    const { securityId } = instrument;
    const window = readWindow({ startTime, endTime });
    const query = { type: 'candles', securityId, interval: name, limit: size, ...window } as const;
    const found = await read(context, query);
    return found.map((candle) => {
      const { open, high, low, close, volume, quoteVolume } = candleTexts(candle, instrument);
      const end = closeTimeOf(candle.openTime, name);
      const head = [candle.openTime, open, high, low, close, volume, end, quoteVolume];
      // The volume of the buying takers is not kept.
      return [...head, candle.tradeCount, '0', '0', '0'];
    });
  },
);

export const candleTexts = (candle: Candle, { tick, base, quote }: Instrument) => ({
  open: formatSteps(candle.open, tick),
  high: formatSteps(candle.high, tick),
  low: formatSteps(candle.low, tick),
  close: formatSteps(candle.close, tick),
  volume: formatUnits(candle.baseVolume, base.scale),
  quoteVolume: formatUnits(candle.quoteVolume, quote.scale),
});

const avgPrice = endpoint(
  marketDataCalls.avgPrice,
  object({ symbol: symbolField }),
  async (context, { symbol }) => {
    const instrument = context.instrument(symbol);
    const { securityId } = instrument;
    const { now } = context;
    const found = await read(context, { type: 'averagePrice', securityId, now });
    const price = priceOf(found, instrument);
    return { mins: 5, price: price?.source ?? '0', closeTime: now };
  },
);

const symbolsQuery = {
  symbol: optional(symbolField),
  symbols: optional(text({ max: 8192, ascii: true })),
  symbolStatus: optional(text({ max: 20, ascii: true })),
} as const;

/** True if the caller named one pair, and the pairs. Throws Problem. */
export function namedInstruments(
  context: Context,
  {
    symbol,
    symbols,
  }: { readonly symbol: string | undefined; readonly symbols: string | undefined },
): { readonly isOne: boolean; readonly instruments: readonly Instrument[] } {
  if (symbol !== undefined && symbols !== undefined) {
    const userMsg = 'Send symbol or symbols.';
    throw new BinanceProblem(-1128, 'Combination of optional parameters invalid.', { userMsg });
  }
  if (symbol !== undefined) return { isOne: true, instruments: [context.instrument(symbol)] };
  if (symbols === undefined) return { isOne: false, instruments: context.symbols.all };
  const instruments = namesIn(symbols).map((name) => context.instrument(name));
  if (new Set(instruments).size < instruments.length) {
    throw new BinanceProblem(-1151, 'Symbol is present multiple times in the list.');
  }
  return { isOne: false, instruments };
}

/** `["BTCUSDT","ETHUSDT"]` */
function namesIn(list: string): string[] {
  const names = /^\[(?:"[^"\\]*"(?:,"[^"\\]*")*)?\]$/.test(list)
    ? (JSON.parse(list) as string[])
    : null;
  if (names !== null && names.length > 0) return names;
  throw new BinanceProblem(-1100, "Illegal characters found in parameter 'symbols'.", {
    userMsg: 'Send a list such as ["BTCUSDT","ETHUSDT"].',
  });
}

/** Calls `one` for each of the named pairs; an object where one was named. */
async function aboutEach(
  context: Context,
  query: { readonly symbol: string | undefined; readonly symbols: string | undefined },
  one: (instrument: Instrument) => JsonOut | Promise<JsonOut>,
): Promise<JsonOut> {
  const { isOne, instruments } = namedInstruments(context, query);
  const found = await Promise.all(instruments.map(one));
  return isOne ? found[0] : found;
}

const tickerPrice = endpoint(marketDataCalls.tickers, object(symbolsQuery), (context, query) =>
  aboutEach(context, query, (instrument) => ({
    symbol: context.symbols.nameOf(instrument),
    price: formatSteps(instrument.lastPrice, instrument.tick),
  })),
);

/** The best prices; an empty side is 0. */
export function bestOf(instrument: Instrument) {
  const [bid = ['0', '0']] = levelsOf(instrument, Side.buy, 1);
  const [ask = ['0', '0']] = levelsOf(instrument, Side.sell, 1);
  return { bidPrice: bid[0]!, bidQty: bid[1]!, askPrice: ask[0]!, askQty: ask[1]! };
}

const bookTicker = endpoint(marketDataCalls.bbo, object(symbolsQuery), (context, query) =>
  aboutEach(context, query, (instrument) => ({
    symbol: context.symbols.nameOf(instrument),
    ...bestOf(instrument),
  })),
);

/** The sums of a window; `quote ÷ base` is the average price. */
export interface WindowFacts {
  readonly openTime: number;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly last: number | null;
  readonly baseVolume: Amount;
  readonly quoteVolume: Amount;
  readonly tradeCount: number;
}

/** The common fields of all tickers. */
export function windowTexts(facts: WindowFacts, instrument: Instrument) {
  const { tick, base, quote } = instrument;
  const price = (steps: number | null): string => (steps === null ? '0' : formatSteps(steps, tick));
  const { open, last } = facts;
  const change = open === null || last === null ? 0 : last - open;
  const average = priceOf({ ...facts, last: null }, instrument);
  return {
    priceChange: price(change),
    priceChangePercent: percent(change, open),
    weightedAvgPrice: average?.source ?? '0',
    lastPrice: price(last),
    openPrice: price(open),
    highPrice: price(facts.high),
    lowPrice: price(facts.low),
    volume: formatUnits(facts.baseVolume, base.scale),
    quoteVolume: formatUnits(facts.quoteVolume, quote.scale),
  };
}

const PERCENT_DECIMALS = 3;

/** A change in percent of its open, with three decimals, rounded toward zero. */
function percent(change: number, open: number | null): string {
  if (open === null || open === 0) return '0';
  const scaled = (BigInt(change) * 100n * 10n ** BigInt(PERCENT_DECIMALS)) / BigInt(open);
  return formatUnits(Number(scaled) as Amount, PERCENT_DECIMALS);
}

/** agio does not keep which trades a window has. */
const windowEnds = ({ openTime, tradeCount }: WindowFacts, now: number) => ({
  openTime,
  closeTime: now,
  firstId: -1,
  lastId: -1,
  count: tradeCount,
});

const typed = { ...symbolsQuery, type: optional(text({ max: 4, ascii: true }), 'FULL') } as const;

const ticker24h = endpoint(marketDataCalls.tickers, object(typed), async (context, query) => {
  const { isOne, instruments } = namedInstruments(context, query);
  const { now } = context;
  const only = instruments.length === 1 ? { securityId: instruments[0]!.securityId } : {};
  const found = await read(context, { type: 'tickers', now, ...only });
  const bySecurity = new Map(found.map((facts) => [facts.securityId, facts]));
  const isMini = query.type === 'MINI';
  const written = instruments.flatMap((instrument) => {
    const facts = bySecurity.get(instrument.securityId);
    const best = isMini ? {} : bestOf(instrument);
    return facts === undefined ? [] : [writeTicker(context, instrument, facts, isMini, best)];
  });
  return isOne ? written[0] : written;
});

function writeTicker(
  context: Context,
  instrument: Instrument,
  facts: WindowFacts,
  isMini: boolean,
  best: object,
) {
  const texts = windowTexts(facts, instrument);
  const { openPrice, highPrice, lowPrice, lastPrice, volume, quoteVolume } = texts;
  const mini = { openPrice, highPrice, lowPrice, lastPrice, volume, quoteVolume };
  return {
    symbol: context.symbols.nameOf(instrument),
    ...(isMini ? mini : { ...texts, prevClosePrice: openPrice, lastQty: '0', ...best }),
    ...windowEnds(facts, context.now),
  };
}

const MINUTE = CANDLE_INTERVALS['1m'];
const WINDOW_UNITS: Readonly<Record<string, { readonly ms: number; readonly max: number }>> = {
  m: { ms: MINUTE, max: 59 },
  h: { ms: CANDLE_INTERVALS['1h'], max: 23 },
  d: { ms: CANDLE_INTERVALS['1d'], max: 7 },
};
/** Minutes in one read of the views. */
const PAGE = 1000;

/** The length of a window such as 4h. Throws Problem. */
function windowMs(size: string): number {
  const [, count, unit] = /^([1-9]\d?)([mhd])$/.exec(size) ?? [];
  const known = WINDOW_UNITS[unit ?? ''];
  if (known !== undefined && Number(count) <= known.max) return Number(count) * known.ms;
  throw new BinanceProblem(-1130, "Data sent for parameter 'windowSize' is not valid.", {
    userMsg: 'Send 1m to 59m, 1h to 23h, or 1d to 7d.',
  });
}

const rollingTicker = endpoint(
  marketDataCalls.tickers,
  object({ ...typed, windowSize: optional(text({ max: 4, ascii: true }), '1d') }),
  (context, query) => {
    const length = windowMs(query.windowSize);
    if (query.symbol === undefined && query.symbols === undefined) {
      throw missingField('symbol', 'sent, or symbols in its place');
    }
    return aboutEach(context, query, async (instrument) => {
      const start = context.now - (context.now % MINUTE) - length + MINUTE;
      const facts = await sumOf(context, instrument, start);
      return writeTicker(context, instrument, facts, query.type === 'MINI', {});
    });
  },
);

/** The sum of the one-minute candles from `start` on. */
async function sumOf(
  context: Context,
  { securityId }: Instrument,
  start: number,
): Promise<WindowFacts> {
  let sum: Candle | null = null;
  for (let from = start; ; ) {
    const query = {
      type: 'candles',
      securityId,
      interval: '1m',
      start: from,
      limit: PAGE,
    } as const;
    const found: Candle[] = await read(context, query);
    sum = found.reduce<Candle | null>((total, candle) => joinCandles(total, candle), sum);
    if (found.length < PAGE) break;
    from = found.at(-1)!.openTime + MINUTE;
  }
  if (sum !== null) return { ...sum, last: sum.close, openTime: start };
  const none = { open: null, high: null, low: null, last: null, tradeCount: 0 };
  return { ...none, openTime: start, baseVolume: 0 as Amount, quoteVolume: 0 as Amount };
}

export const publicEndpoints = {
  ping,
  serverTime,
  depth,
  recentTrades,
  historicalTrades,
  aggTrades,
  klines,
  avgPrice,
  tickerPrice,
  bookTicker,
  ticker24h,
  rollingTicker,
};

// The public calls: server time, books, trades, candles and tickers. The views answer through the
// shared answers, since anyone may ask.

import { missingField } from '../../contract/absent.ts';
import { formatSteps, formatUnits } from '../../contract/decimal.ts';
import { integer, oneOf } from '../../contract/fields.ts';
import type { JsonOut } from '../../contract/json.ts';
import { priceOf } from '../../contract/market-data/averages.ts';
import { marketDataCalls as calls } from '../../contract/market-data/calls.ts';
import { readWindow } from '../../contract/time-window.ts';
import { CANDLE_INTERVALS, type CandleInterval } from '../../core/calendar.ts';
import { Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { ZERO } from '../../core/units.ts';
import { moreCalls } from '../../gateway/limits/limits.ts';
import { tradesIn } from '../../views/agg-trades.ts';
import { type Candle, joinCandles, rowsOfCandles } from '../../views/candles.ts';
import { BinanceProblem } from './binance-problem.ts';
import { type Context, endpoint, type Venue } from './endpoint.ts';
import { defined, type Values } from './parameters.ts';
import {
  levelsOf,
  type WindowFacts,
  writeBest,
  writeMini,
  writeRolling,
  writeTicker,
} from './tickers.ts';
import { writeAggTrade, writeTrade } from './trades.ts';
import { statusOf } from './words.ts';

const invalid = (name: string, userMsg: string): BinanceProblem =>
  new BinanceProblem(-1130, `Data sent for parameter '${name}' is not valid.`, { userMsg });

export const ping = endpoint(calls.time, '', () => ({}));

export const serverTime = endpoint(calls.time, '', ({ services }) => ({
  serverTime: services.engine.wall(),
}));

/** The levels that an answer has of each side. */
const MAX_LEVELS = 5000;

export const depth = endpoint(
  calls.orderbook,
  'symbol limit?',
  (context, { symbol, limit = 100 }) => {
    const instrument = context.venue.instrument(symbol);
    const bids = levelsOf(instrument, Side.buy, limit);
    const asks = levelsOf(instrument, Side.sell, limit);
    // Each limit is another question, so an answer is not shared by all callers.
    context.chargeRead(moreCalls(bids.length + asks.length));
    return { lastUpdateId: instrument.book.updateId, bids, asks };
  },
  { others: { limit: integer({ min: 1, max: MAX_LEVELS }) }, maxRows: 2 * MAX_LEVELS },
);

async function tradesOf({ venue }: Context, query: Values<'symbol limit? fromId?'>) {
  const { symbol, limit = 500, fromId } = query;
  const instrument = venue.instrument(symbol);
  const { securityId } = instrument;
  const from = defined({ fromTradeId: fromId });
  const found = await venue.read({ type: 'publicTrades', securityId, limit, ...from });
  const oldestFirst = fromId === undefined ? found.reverse() : found;
  return oldestFirst.map((trade) => writeTrade({ venue, instrument, trade }));
}

export const recentTrades = endpoint(calls.trades, 'symbol limit?', (context, query) =>
  tradesOf(context, { ...query, fromId: undefined }),
);
export const historicalTrades = endpoint(calls.trades, 'symbol limit? fromId?', tradesOf);

export const aggTrades = endpoint(
  calls.aggTrades,
  'symbol fromId? startTime? endTime? limit?',
  async (context, { symbol, fromId, startTime, endTime, limit = 500 }) => {
    const { venue } = context;
    const instrument = venue.instrument(symbol);
    const { start, end = Number.POSITIVE_INFINITY } = readWindow({ startTime, endTime });
    const { securityId } = instrument;
    const from = defined({ fromId, start });
    const found = await venue.read({ type: 'aggTrades', securityId, limit, ...from });
    context.chargeRead(moreCalls(tradesIn(found)));
    return found
      .filter(({ transactTime }) => transactTime < end)
      .map((trade) => writeAggTrade({ venue, instrument, trade }));
  },
);

/** The last millisecond of a candle. */
export const closeTimeOf = (openTime: number, name: CandleInterval): number =>
  openTime + CANDLE_INTERVALS[name] - 1;

export const isInterval = (name: string): name is CandleInterval =>
  Object.hasOwn(CANDLE_INTERVALS, name);

export const klines = endpoint(
  calls.candles,
  'symbol interval startTime? endTime? timeZone? limit?',
  async (context, { symbol, interval, startTime, endTime, timeZone = '0', limit = 500 }) => {
    const { venue } = context;
    const instrument = venue.instrument(symbol);
    if (!isInterval(interval)) {
      const userMsg = `Send one of ${Object.keys(CANDLE_INTERVALS).join(', ')}.`;
      throw new BinanceProblem(-1120, 'Invalid interval.', { userMsg });
    }
    if (!/^[+-]?0+(?::0+)?$/.test(timeZone)) {
      throw invalid('timeZone', 'Candles are aligned to UTC: leave timeZone out.');
    }
    const { securityId } = instrument;
    const window = readWindow({ startTime, endTime });
    const found = await venue.read({ type: 'candles', securityId, interval, limit, ...window });
    context.chargeRead(moreCalls(rowsOfCandles(interval, found.length)));
    return found.map((candle) => {
      const { open, high, low, close, volume, quoteVolume } = candleTexts(candle, instrument);
      const end = closeTimeOf(candle.openTime, interval);
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

/** The average price of the last five minutes. */
export async function averageOf(venue: Venue, instrument: Instrument): Promise<string> {
  const { now } = venue;
  const { securityId } = instrument;
  const found = await venue.read({ type: 'averagePrice', securityId, now });
  return priceOf(found, instrument)?.source ?? '0';
}

export const avgPrice = endpoint(calls.avgPrice, 'symbol', async ({ venue }, { symbol }) => {
  const closeTime = venue.now;
  return { mins: 5, price: await averageOf(venue, venue.instrument(symbol)), closeTime };
});

const PAIRS = 'symbol? symbols? symbolStatus?';
type Pairs = Values<typeof PAIRS>;

/** The pairs that a caller named, or all. Throws Problem. */
export function pairsOf(venue: Venue, { symbol, symbols, symbolStatus }: Pairs) {
  if (symbol !== undefined && symbols !== undefined) {
    const userMsg = 'Send symbol or symbols.';
    throw new BinanceProblem(-1128, 'Combination of optional parameters invalid.', { userMsg });
  }
  const names = symbol === undefined ? namesIn(symbols) : [symbol];
  const found = names?.map((name) => venue.instrument(name)) ?? venue.symbols.all;
  if (new Set(found).size < found.length) {
    throw new BinanceProblem(-1151, 'Symbol is present multiple times in the list.');
  }
  if (symbolStatus === undefined) return found;
  const fitting = found.filter(({ status }) => statusOf(status) === symbolStatus);
  if (names === null || fitting.length === found.length) return fitting;
  throw new BinanceProblem(-1220, "The symbol's status does not match the requested symbolStatus.");
}

/** `["BTCUSDT","ETHUSDT"]` */
function namesIn(list: string | undefined): string[] | null {
  if (list === undefined) return null;
  if (/^\[(?:"[^"\\]*"(?:,"[^"\\]*")*)\]$/.test(list)) return JSON.parse(list) as string[];
  throw new BinanceProblem(-1100, "Illegal characters found in parameter 'symbols'.", {
    userMsg: 'Send a list such as ["BTCUSDT","ETHUSDT"].',
  });
}

/** Writes each of the named pairs; an object where one was named. */
async function writeEach(
  venue: Venue,
  query: Pairs,
  write: (instrument: Instrument, index: number) => JsonOut | Promise<JsonOut>,
): Promise<JsonOut> {
  const written = await Promise.all(pairsOf(venue, query).map(write));
  return query.symbol === undefined ? written : written[0];
}

export const tickerPrice = endpoint(calls.tickers, PAIRS, ({ venue }, query) =>
  writeEach(venue, query, (instrument) => ({
    symbol: venue.symbols.nameOf(instrument),
    price: formatSteps(instrument.lastPrice, instrument.tick),
  })),
);

export const bookTicker = endpoint(calls.bbo, PAIRS, ({ venue }, query) =>
  writeEach(venue, query, (instrument) => writeBest({ venue, instrument })),
);

const SIZE = { others: { type: oneOf(['FULL', 'MINI']) } };
const isMini = ({ type }: { readonly type: unknown }): boolean => type === 'MINI';

export const ticker24h = endpoint(
  calls.tickers,
  `${PAIRS} type?`,
  async ({ venue }, query) => {
    const days = await daysOf(venue, pairsOf(venue, query));
    const write = isMini(query) ? writeMini : writeTicker;
    return writeEach(venue, query, (instrument, i) =>
      write({ venue, instrument, facts: days[i] ?? NO_TRADES }),
    );
  },
  SIZE,
);

/** The last 24 hours of each pair. */
export async function daysOf(venue: Venue, pairs: readonly Instrument[]) {
  const only = pairs.length === 1 ? { securityId: pairs[0]!.securityId } : {};
  const found = await venue.read({ type: 'tickers', now: venue.now, ...only });
  const byId = new Map(found.map((facts) => [facts.securityId, facts]));
  return pairs.map(({ securityId }) => byId.get(securityId));
}

const MINUTE = CANDLE_INTERVALS['1m'];
const HOUR = CANDLE_INTERVALS['1h'];
const WINDOW_UNITS: Readonly<Record<string, { readonly ms: number; readonly max: number }>> = {
  m: { ms: MINUTE, max: 59 },
  h: { ms: HOUR, max: 23 },
  d: { ms: CANDLE_INTERVALS['1d'], max: 7 },
};
/** More hours than a week, and more minutes than two hours. */
const MAX_PARTS = 200;
/** The hours of a week, and the minutes of the hours at its ends. */
const MAX_WINDOW_ROWS = 7 * 24 + 2 * 60;

/** The length of a window such as 4h. Throws Problem. */
function windowMs(size: string): number {
  const [, count, unit] = /^([1-9]\d?)([mhd])$/.exec(size) ?? [];
  const known = WINDOW_UNITS[unit ?? ''];
  if (known !== undefined && Number(count) <= known.max) return Number(count) * known.ms;
  throw invalid('windowSize', 'Send 1m to 59m, 1h to 23h, or 1d to 7d.');
}

export const rollingTicker = endpoint(
  calls.tickers,
  `${PAIRS} windowSize? type?`,
  (context, query) => {
    const { venue } = context;
    const length = windowMs(query.windowSize ?? '1d');
    if (query.symbol === undefined && query.symbols === undefined) {
      throw missingField('symbol', 'sent, or symbols in its place');
    }
    context.chargeRead(moreCalls(pairsOf(venue, query).length * MAX_WINDOW_ROWS));
    const write = isMini(query) ? writeMini : writeRolling;
    return writeEach(venue, query, async (instrument) => {
      const facts = await windowOf(venue, instrument, length);
      return write({ venue, instrument, facts });
    });
  },
  { ...SIZE, maxRows: null },
);

/** The sum of the trades of the last `length` ms, by whole minutes. */
export async function windowOf(
  venue: Venue,
  { securityId }: Instrument,
  length: number,
): Promise<WindowFacts> {
  const { now } = venue;
  const openTime = now - (now % MINUTE) - length + MINUTE;
  let sum: Candle | null = null;
  for (const part of partsOf(openTime, now)) {
    const query = { type: 'candles', securityId, limit: MAX_PARTS, ...part } as const;
    const found = await venue.read(query);
    sum = found.reduce<Candle | null>((total, candle) => joinCandles(total, candle), sum);
  }
  return sum === null ? { ...NO_TRADES, openTime } : { ...sum, last: sum.close, openTime };
}

/** The candles from `start` on: whole hours as such, since a week has 10,080 minutes. */
function partsOf(start: number, now: number) {
  const [first, last] = [Math.ceil(start / HOUR) * HOUR, Math.floor(now / HOUR) * HOUR];
  if (first >= last) return [{ interval: '1m', start }] as const;
  return [
    ...(start === first ? [] : ([{ interval: '1m', start, end: first }] as const)),
    { interval: '1h', start: first, end: last },
    { interval: '1m', start: last },
  ] as const;
}

const NO_TRADES: WindowFacts = {
  openTime: 0,
  open: null,
  high: null,
  low: null,
  last: null,
  tradeCount: 0,
  baseVolume: ZERO,
  quoteVolume: ZERO,
};

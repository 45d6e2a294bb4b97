// The public calls: requests, and the answers about instruments, books, trades, tickers and
// candles. Books and instruments come from the live core, history as facts in core units in the
// form that this file declares. The websocket channels have the same names.

import { CANDLE_INTERVALS, type CandleInterval } from '../../core/calendar.ts';
import type { Trade } from '../../core/event.ts';
import { InstrumentStatus, Side } from '../../core/fix.ts';
import type { Increment, Instrument } from '../../core/instrument.ts';
import { NONE } from '../../core/matching/order-store.ts';
import type { State } from '../../core/state.ts';
import { type Amount, multiply, type Ticks } from '../../core/units.ts';
import type { AnswerValue } from '../answer.ts';
import { formatSteps, formatUnits } from '../decimal.ts';
import { integer, oneOf, optional } from '../fields.ts';
import { JsonNumber, jsonSteps, jsonUnits, stringify } from '../json.ts';
import { object } from '../object.ts';
import { timeWindow } from '../time-window.ts';
import { findInstrument, securityId, symbol } from '../trading/orders.ts';
import type * as answers from './answers.ts';

/** The only kind of instrument. */
const SECURITY_TYPE = 'SPOT_PAIR';
export const BOOK_DEPTHS = [1, 5, 20, 100] as const;
const DEFAULT_DEPTH = 20;
/**
 * The orders that a level-3 book lists on each side. It bounds the work of one request: writing
 * this many takes a few ms in which no order is matched. Few books of any venue are deeper.
 */
export const MAX_L3_ORDERS = 10_000;
/** The largest page of trades and candles. */
const MAX_LIMIT = 1000;

export const instrumentsQuery = object({
  symbol: optional(symbol()),
  securityId: optional(securityId),
  securityType: optional(oneOf([SECURITY_TYPE], { about: 'Only SPOT_PAIR exists.' })),
});

export const bookQuery = object({
  symbol: symbol(),
  depth: optional(oneOf(BOOK_DEPTHS, { about: 'Price levels on each side.' }), DEFAULT_DEPTH),
});

export const symbolQuery = object({ symbol: symbol() });
export const optionalSymbolQuery = object({ symbol: optional(symbol()) });

const limit = (otherwise: number) =>
  optional(integer({ min: 1, max: MAX_LIMIT, about: 'Maximum number of items.' }), otherwise);

export const publicTradesQuery = object({
  symbol: symbol(),
  limit: limit(100),
  beforeTradeId: optional(
    integer({ min: 1, about: 'Continues with the trades before this one: the next page.' }),
  ),
});

export const aggTradesQuery = object({
  symbol: symbol(),
  limit: limit(100),
  fromId: optional(
    integer({
      min: 1,
      about: 'Starts with the aggregate that has this trade, or the first one after it.',
    }),
  ),
});

/** An interval of candles; weeks start on Monday. */
export const candleInterval = oneOf(Object.keys(CANDLE_INTERVALS) as CandleInterval[], {
  about: 'All are aligned to UTC; a week starts on Monday.',
});

export const candlesQuery = object({
  symbol: symbol(),
  interval: candleInterval,
  ...timeWindow('The opening time of candles'),
  limit: limit(500),
});

/** The instruments that the filters name. Throws unknownSymbol and symbolMismatch. */
export function findInstruments(
  state: State,
  named: { readonly symbol: string | undefined; readonly securityId: number | undefined },
): readonly Instrument[] {
  const one = findInstrument(state, named);
  if (one !== undefined) return [one];
  return state.instruments.filter((instrument) => instrument !== undefined);
}

const STATUS_NAMES = new Map(
  Object.entries(InstrumentStatus).map(([name, status]) => [
    status,
    name as keyof typeof InstrumentStatus,
  ]),
);

/** An instrument as version 2 lists it. */
export function writeInstrument(instrument: Instrument): AnswerValue<typeof answers.instrument> {
  return { ...writeInstrumentV1(instrument), apiTradeSupported: true };
}

/** An instrument as the deprecated version 1 lists it. */
export function writeInstrumentV1(instrument: Instrument): AnswerValue<typeof answers.instrument> {
  const { base, quote, tick, lot, status } = instrument;
  return {
    symbol: instrument.symbol,
    securityId: instrument.securityId,
    securityType: SECURITY_TYPE,
    instrumentStatus: STATUS_NAMES.get(status)!,
    baseAssetIncrement: jsonSteps(1, lot),
    quoteAssetIncrement: jsonSteps(1, tick),
    baseAssetMinOrderSize: jsonSteps(instrument.minQuantity, lot),
    quoteAssetMinOrderSize: jsonUnits(instrument.minNotional, quote.scale),
    open: status === InstrumentStatus.LIVE || status === InstrumentStatus.POST_ONLY,
    fiat: base.fiat || quote.fiat,
  };
}

/** The aggregated book; `now` is business time, ms. */
export function writeBook(
  instrument: Instrument,
  depth: number,
  now: number,
): AnswerValue<typeof answers.orderbook> {
  return {
    symbol: instrument.symbol,
    depth,
    transactTime: now,
    lastUpdateId: instrument.book.updateId,
    bids: bookSide(instrument, Side.buy, depth),
    asks: bookSide(instrument, Side.sell, depth),
  };
}

/** The best price of each side and its quantity; `now` is business time, ms. */
export function writeBbo(instrument: Instrument, now: number): AnswerValue<typeof answers.bbo> {
  const { symbol: name, book } = instrument;
  const position = { symbol: name, transactTime: now, lastUpdateId: book.updateId };
  return { ...position, ...bestPrices(instrument) };
}

type BestPrices = Pick<
  AnswerValue<typeof answers.bbo>,
  'bestBid' | 'bestBidQuantity' | 'bestAsk' | 'bestAskQuantity'
>;

const NO_LEVEL = [null, null] as const;

/** The top of the book; an empty side is null. */
export function bestPrices(instrument: Instrument): BestPrices {
  const [bid = NO_LEVEL] = bookSide(instrument, Side.buy, 1);
  const [ask = NO_LEVEL] = bookSide(instrument, Side.sell, 1);
  return { bestBid: bid[0], bestBidQuantity: bid[1], bestAsk: ask[0], bestAskQuantity: ask[1] };
}

type Level = readonly [price: JsonNumber, quantity: JsonNumber];

/** The best levels of one side, best first. */
function bookSide({ book, tick, lot }: Instrument, side: Side, depth: number): Level[] {
  const levels: Level[] = [];
  book.ladder(side).fromBest((level, price) => {
    levels.push([jsonSteps(price, tick), new JsonNumber(lotsText(book.levelQuantity(level), lot))]);
    return levels.length < depth;
  });
  return levels;
}

/** A sum of quantities, which may exceed a safe integer, as decimal text. */
export const lotsText = (sum: Amount, lot: Increment): string =>
  formatUnits(multiply(sum, lot.mantissa), lot.decimals);

/**
 * The level-3 book as JSON text: levels with their orders by priority, the best MAX_L3_ORDERS of
 * each side. The last level may be cut; its quantity is that of all its orders. `now` is business
 * time, ms. Arrays would take twice the time.
 */
export function l3BookText(state: State, instrument: Instrument, now: number): string {
  const symbolText = stringify(instrument.symbol);
  const version = instrument.book.updateId;
  const head = `"version":${version},"transactTime":${now},"symbol":${symbolText}`;
  const bids = l3SideText(state, instrument, Side.buy);
  const asks = l3SideText(state, instrument, Side.sell);
  return `{${head},"bids":[${bids}],"asks":[${asks}]}`;
}

/** One side of the level-3 book, without its brackets. */
export function l3SideText(state: State, instrument: Instrument, side: Side): string {
  const { book } = instrument;
  let text = '';
  let room = MAX_L3_ORDERS;
  book.ladder(side).fromBest((level) => {
    text += (text === '' ? '' : ',') + l3LevelText(state, instrument, level, room);
    room -= book.levelCount(level);
    return room > 0;
  });
  return text;
}

/** A level with its first `room` orders; its quantity is that of all of them. */
export function l3LevelText(
  { orders }: State,
  { book, tick, lot }: Instrument,
  level: number,
  room = MAX_L3_ORDERS,
): string {
  const quantity = lotsText(book.levelQuantity(level), lot);
  let text = `["${formatSteps(book.levelPrice(level), tick)}","${quantity}",[`;
  let separator = '';
  let left = room;
  for (let slot = book.levelFirst(level); slot !== NONE && left > 0; slot = orders.next(slot)) {
    const id = orders.publicId(slot);
    const shown = formatSteps(orders.shownQty(slot), lot);
    const time = orders.publicTime(slot);
    text += `${separator}["${id}","${orders.priority(slot)}","${time}","${shown}"]`;
    separator = ',';
    left--;
  }
  return `${text}]]`;
}

/** The facts of a public trade. */
export type TradeFacts = Pick<
  Trade,
  'tradeId' | 'aggTradeId' | 'price' | 'quantity' | 'quoteAmount' | 'takerSide' | 'transactTime'
>;

/** A trade as everyone sees it; `takerSide` is the side of the incoming order. */
export function writePublicTrade(
  trade: TradeFacts,
  instrument: Instrument,
): AnswerValue<typeof answers.publicTrade> {
  return {
    tradeId: trade.tradeId,
    aggTradeId: trade.aggTradeId,
    price: jsonSteps(trade.price, instrument.tick),
    quantity: jsonSteps(trade.quantity, instrument.lot),
    quoteAmount: jsonUnits(trade.quoteAmount, instrument.quote.scale),
    takerSide: trade.takerSide,
    transactTime: trade.transactTime,
  };
}

/** The facts of a ticker; the best prices come from the live book. */
export interface TickerFacts {
  readonly openTime: number;
  readonly open: Ticks | null;
  readonly high: Ticks | null;
  readonly low: Ticks | null;
  readonly last: Ticks | null;
  readonly change: number | null;
  readonly baseVolume: Amount;
  readonly quoteVolume: Amount;
  readonly tradeCount: number;
  readonly lastTradeTime: number | null;
}

/**
 * 24 hours of an instrument and the top of its book; missing values are null. `now` is business
 * time, ms.
 */
export function writeTicker(
  ticker: TickerFacts,
  instrument: Instrument,
  now: number,
): AnswerValue<typeof answers.ticker> {
  const { tick, base, quote } = instrument;
  const price = (steps: number | null): JsonNumber | null =>
    steps === null ? null : jsonSteps(steps, tick);
  return {
    symbol: instrument.symbol,
    securityId: instrument.securityId,
    openTime: ticker.openTime,
    closeTime: now,
    openPrice: price(ticker.open),
    highPrice: price(ticker.high),
    lowPrice: price(ticker.low),
    lastPrice: price(ticker.last),
    priceChange: price(ticker.change),
    baseVolume: jsonUnits(ticker.baseVolume, base.scale),
    quoteVolume: jsonUnits(ticker.quoteVolume, quote.scale),
    tradeCount: ticker.tradeCount,
    lastTradeTime: ticker.lastTradeTime,
    ...bestPrices(instrument),
  };
}

/** The facts of a candle. */
export interface CandleFacts {
  readonly openTime: number;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  readonly baseVolume: Amount;
  readonly quoteVolume: Amount;
  readonly tradeCount: number;
}

export function writeCandle(
  candle: CandleFacts,
  { tick, base, quote }: Instrument,
): AnswerValue<typeof answers.candle> {
  return {
    openTime: candle.openTime,
    open: jsonSteps(candle.open, tick),
    high: jsonSteps(candle.high, tick),
    low: jsonSteps(candle.low, tick),
    close: jsonSteps(candle.close, tick),
    baseVolume: jsonUnits(candle.baseVolume, base.scale),
    quoteVolume: jsonUnits(candle.quoteVolume, quote.scale),
    tradeCount: candle.tradeCount,
  };
}

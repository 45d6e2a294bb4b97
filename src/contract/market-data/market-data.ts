// The public calls: requests, and the answers about instruments, books, trades, tickers and
// candles. Books and instruments come from the live core, history as facts in core units in the
// form that this file declares. The websocket channels have the same names.

import { CANDLE_INTERVALS, type CandleInterval } from '../../core/calendar.ts';
import { Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { NONE } from '../../core/matching/order-store.ts';
import type { State } from '../../core/state.ts';
import type { AnswerValue, Source } from '../answer.ts';
import { formatSteps } from '../decimal.ts';
import { type Infer, integer, numericId, oneOf, optional, text } from '../fields.ts';
import { type JsonNumber, jsonSteps, stringify } from '../json.ts';
import { object } from '../object.ts';
import { MAX_PAGE_ROWS } from '../paging.ts';
import { timeWindow } from '../time-window.ts';
import { findInstrument, securityId, symbol } from '../trading/orders.ts';
import { type bbo, instrument, type orderbook, ticker } from './answers.ts';

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

export const instrumentsQuery = object({
  symbol: optional(symbol()),
  securityId: optional(securityId),
  securityType: optional(text({ max: 32, ascii: true, about: 'Only SPOT_PAIR exists.' })),
});

export const bookQuery = object({
  symbol: symbol(),
  depth: optional(oneOf(BOOK_DEPTHS, { about: 'Price levels on each side.' }), DEFAULT_DEPTH),
});

export const symbolQuery = object({ symbol: symbol() });
export const optionalSymbolQuery = object({ symbol: optional(symbol()) });

const limit = (otherwise: number) =>
  optional(integer({ min: 1, max: MAX_PAGE_ROWS, about: 'Maximum number of items.' }), otherwise);

export const publicTradesQuery = object({
  symbol: symbol(),
  limit: limit(100),
  beforeTradeId: optional(numericId('Continues with the trades before this one: the next page.')),
});

export const aggTradesQuery = object({
  symbol: symbol(),
  limit: limit(100),
  fromId: optional(
    numericId('Starts with the aggregate that has this trade, or the first one after it.'),
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

/**
 * The instruments that match every filter; none for a name or an id that no instrument has. Throws
 * symbolMismatch.
 */
export function filterInstruments(
  state: State,
  { symbol: name, securityId: id, securityType = SECURITY_TYPE }: Infer<typeof instrumentsQuery>,
): readonly Instrument[] {
  const isKnown =
    (name === undefined || state.instrumentNamed(name) !== undefined) &&
    (id === undefined || state.instruments[id] !== undefined);
  if (!isKnown || securityType !== SECURITY_TYPE) return [];
  return findInstruments(state, { symbol: name, securityId: id });
}

/** The instruments that the filters name. Throws unknownSymbol and symbolMismatch. */
export function findInstruments(
  state: State,
  named: { readonly symbol: string | undefined; readonly securityId: number | undefined },
): readonly Instrument[] {
  const one = findInstrument(state, named);
  if (one !== undefined) return [one];
  return state.instruments.filter((instrument) => instrument !== undefined);
}

/** An instrument as version 2 lists it. */
export const writeInstrument = (one: Instrument) =>
  instrument.write({ ...one, apiTradeSupported: true }, one);

/** The aggregated book; `now` is business time, ms. */
export function writeBook(
  instrument: Instrument,
  depth: number,
  now: number,
): AnswerValue<typeof orderbook> {
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
export function writeBbo(instrument: Instrument, now: number): AnswerValue<typeof bbo> {
  const { symbol: name, book } = instrument;
  const position = { symbol: name, transactTime: now, lastUpdateId: book.updateId };
  return { ...position, ...bestPrices(instrument) };
}

type BestPrices = Pick<
  Source<typeof bbo>,
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
    levels.push([jsonSteps(price, tick), jsonSteps(book.levelQuantity(level), lot)]);
    return levels.length < depth;
  });
  return levels;
}

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

/** The orders that the level-3 book shows. */
export function l3OrderCount({ book }: Instrument): number {
  const counts = [Side.buy, Side.sell].map((side) => {
    let count = 0;
    book.ladder(side).fromBest((level) => {
      count += book.levelCount(level);
      return count < MAX_L3_ORDERS;
    });
    return Math.min(count, MAX_L3_ORDERS);
  });
  return counts[0]! + counts[1]!;
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
  const quantity = formatSteps(book.levelQuantity(level), lot);
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

/**
 * 24 hours of an instrument and the top of its book; missing values are null. `now` is business
 * time, ms.
 */
export const writeTicker = (
  facts: Omit<Source<typeof ticker>, 'symbol' | 'closeTime' | keyof BestPrices>,
  instrument: Instrument,
  now: number,
) =>
  ticker.write(
    { ...facts, symbol: instrument.symbol, closeTime: now, ...bestPrices(instrument) },
    instrument,
  );

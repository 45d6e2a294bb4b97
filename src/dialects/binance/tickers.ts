// Tickers: the sums of a window of trades in Binance's form, for REST and the streams.
import { formatSteps, formatUnits } from '../../contract/decimal.ts';
import { priceOf } from '../../contract/market-data/averages.ts';
import { Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { Amount } from '../../core/units.ts';
import type { Ticker } from '../../views/tickers.ts';
import { always, type Columns, writer } from './columns.ts';
import type { Venue } from './endpoint.ts';

/** The best levels of one side as `[price, quantity]`. */
export function levelsOf({ book, tick, lot }: Instrument, side: Side, depth: number): string[][] {
  const levels: string[][] = [];
  book.ladder(side).fromBest((level, price) => {
    levels.push([formatSteps(price, tick), formatSteps(book.levelQuantity(level), lot)]);
    return levels.length < depth;
  });
  return levels;
}

/** The sums of a window; `quote ÷ base` is the average price. */
export type WindowFacts = Omit<Ticker, 'securityId' | 'change' | 'lastTradeTime'>;

interface Pair {
  readonly venue: Venue;
  readonly instrument: Instrument;
}

/** A window of a pair; `event` is that of a stream. */
interface Row extends Pair {
  readonly facts: WindowFacts;
  readonly event?: string;
}

const PERCENT_DECIMALS = 3;

/** A change in percent of its open, with three decimals, rounded toward zero. */
function percent({ facts: { open, last } }: Row): string {
  if (open === null || open === 0 || last === null) return '0';
  const scaled = (BigInt(last - open) * 100n * 10n ** BigInt(PERCENT_DECIMALS)) / BigInt(open);
  return formatUnits(Number(scaled) as Amount, PERCENT_DECIMALS);
}

const price =
  (of: (facts: WindowFacts) => number | null) =>
  ({ facts, instrument }: Row): string =>
    formatSteps(of(facts) ?? 0, instrument.tick);
/** Part 0 or 1 of the best level; an empty side is 0. */
const best =
  (side: Side, part: 0 | 1) =>
  ({ instrument }: Pair): string =>
    levelsOf(instrument, side, 1)[0]?.[part] ?? '0';

const PAIR: Columns<Pair> = {
  symbol: ({ venue, instrument }) => venue.symbols.nameOf(instrument),
  bidPrice: best(Side.buy, 0),
  bidQty: best(Side.buy, 1),
  askPrice: best(Side.sell, 0),
  askQty: best(Side.sell, 1),
  updateId: ({ instrument }) => instrument.book.updateId,
};

const COLUMNS: Columns<Row> = {
  ...PAIR,
  event: ({ event }) => event,
  now: ({ venue }) => venue.now,
  priceChange: price(({ open, last }) => (open === null || last === null ? 0 : last - open)),
  priceChangePercent: percent,
  weightedAvgPrice: ({ facts, instrument }) =>
    priceOf({ ...facts, last: null }, instrument)?.source ?? '0',
  lastPrice: price(({ last }) => last),
  openPrice: price(({ open }) => open),
  highPrice: price(({ high }) => high),
  lowPrice: price(({ low }) => low),
  volume: ({ facts, instrument }) => formatUnits(facts.baseVolume, instrument.base.scale),
  quoteVolume: ({ facts, instrument }) => formatUnits(facts.quoteVolume, instrument.quote.scale),
  openTime: ({ facts }) => facts.openTime,
  count: ({ facts }) => facts.tradeCount,
  zero: always('0'),
  /** agio does not keep which trades a window has. */
  noId: always(-1),
};

const MINI = 'openPrice highPrice lowPrice lastPrice volume quoteVolume';
const CHANGE = 'symbol priceChange priceChangePercent weightedAvgPrice';
const BEST = 'bidPrice bidQty askPrice askQty';
const WINDOW = 'openTime closeTime:now firstId:noId lastId:noId count';
const HEAD = 'e:event E:now s:symbol';
const CHANGES = 'p:priceChange P:priceChangePercent';
const PRICES = 'o:openPrice h:highPrice l:lowPrice';
const VOLUMES = 'v:volume q:quoteVolume';
const TRADES = 'O:openTime C:now F:noId L:noId n:count';

export const writeMini = writer(COLUMNS, `symbol ${MINI} ${WINDOW}`);
export const writeRolling = writer(COLUMNS, `${CHANGE} ${MINI} ${WINDOW}`);
export const writeTicker = writer(
  COLUMNS,
  `${CHANGE} prevClosePrice:openPrice lastQty:zero ${BEST} ${MINI} ${WINDOW}`,
);
export const writeBest = writer(PAIR, `symbol ${BEST}`);
export const writeStreamBest = writer(
  PAIR,
  'u:updateId s:symbol b:bidPrice B:bidQty a:askPrice A:askQty',
);
export const writeMiniTicker = writer(COLUMNS, `${HEAD} c:lastPrice ${PRICES} ${VOLUMES}`);
export const writeDayTicker = writer(
  COLUMNS,
  `${HEAD} ${CHANGES} w:weightedAvgPrice x:openPrice c:lastPrice Q:zero b:bidPrice B:bidQty ` +
    `a:askPrice A:askQty ${PRICES} ${VOLUMES} ${TRADES}`,
);
export const writeWindowTicker = writer(
  COLUMNS,
  `${HEAD} ${CHANGES} ${PRICES} c:lastPrice w:weightedAvgPrice ${VOLUMES} ${TRADES}`,
);
export type WriteTicker = typeof writeWindowTicker;

// Assets, and instruments: a base asset traded against a quote asset on a grid of prices and
// quantities.
import {
  boolean,
  byte,
  code,
  integer,
  type Mutable,
  money,
  quantity,
  record,
  text,
  type ValueOf,
} from './codec.ts';
import { byFeeRole } from './fee-rates.ts';
import type { InstrumentStatus, SelfTradePrevention } from './fix.ts';
import { IndexedHeap } from './indexed-heap.ts';
import type { Matching } from './matching/matching.ts';
import { OrderBook } from './matching/order-book.ts';
import type { OrderStore } from './matching/order-store.ts';
import { Fact, type StateHash } from './state-hash.ts';
import { TriggerBook } from './trading/trigger-book.ts';
import { type Amount, multiply, powerOfTen, type Ticks } from './units.ts';

export const MAX_SCALE = 18;

/** An asset in a snapshot. Its id is its place. */
export const ASSET = record({
  name: text,
  /** Decimals of the smallest unit, 0–18. */
  scale: byte,
  fiat: boolean,
  /** True once money of it has entered the venue. */
  hasMoved: boolean,
});

export interface Asset extends Omit<ValueOf<typeof ASSET>, 'hasMoved'> {
  hasMoved: boolean;
  /** From 0, in order of listing; never reused. */
  readonly assetId: number;
}

export function hashAsset(hash: StateHash, asset: Asset): void {
  hash.begin(Fact.asset);
  hash.number(asset.assetId);
  ASSET.mix(hash, asset);
  hash.add();
}

/** mantissa × 10^-decimals. */
export type Increment = ValueOf<typeof INCREMENT>;

const INCREMENT = record({ mantissa: integer, decimals: byte });

/** The terms that the operator may amend. */
export type InstrumentTerms = ValueOf<typeof INSTRUMENT_TERMS>;

export const INSTRUMENT_TERMS = record({
  minQuantity: quantity,
  /** In units of the quote asset. */
  minNotional: money,
  /** Rates in 10^-8. */
  ...byFeeRole(() => integer),
  selfTradePrevention: code<SelfTradePrevention>(),
  /** Largest distance from the last price, rate in 10^-8; 0: no band. */
  priceBand: integer,
  status: code<InstrumentStatus>(),
});

export type NewInstrument = ValueOf<typeof NEW_INSTRUMENT>;

/** A listing. Increments never change: a price in ticks would change its meaning. */
export const NEW_INSTRUMENT = record({
  symbol: text,
  baseAsset: text,
  quoteAsset: text,
  tick: INCREMENT,
  lot: INCREMENT,
  ...INSTRUMENT_TERMS.fields,
});

export interface Instrument extends Mutable<InstrumentTerms> {
  /** From 1, in order of listing. */
  readonly securityId: number;
  readonly symbol: string;
  readonly base: Asset;
  readonly quote: Asset;
  readonly tick: Increment;
  readonly lot: Increment;
  /** Quote units that one lot costs at a price of one tick. */
  readonly perTickLot: Amount;
  readonly baseUnitsPerLot: Amount;
  /** One price increment as money: the step of a budget by quote. */
  readonly quoteUnitsPerTick: Amount;
  readonly book: OrderBook;
  readonly triggers: TriggerBook;
  /**
   * The ids of open orders that expire, by their time. They leave the book before any later order
   * of the instrument is matched.
   */
  readonly expiries: IndexedHeap;
  /** The order whose match goes on in later commands; it alone may use the book. */
  matching: Matching | null;
  /** 0 before the first trade. */
  lastPrice: Ticks;
}

/**
 * The first increment that is not valid, or null. The bounds on decimals make price × quantity a
 * whole number of quote units, so that matching never rounds.
 */
export function gridFault(
  tick: Increment,
  lot: Increment,
  base: Asset,
  quote: Asset,
): string | null {
  for (const [name, increment] of [
    ['quoteAssetIncrement', tick],
    ['baseAssetIncrement', lot],
  ] as const) {
    if (!(Number.isSafeInteger(increment.mantissa) && increment.mantissa > 0)) return name;
    if (!(Number.isSafeInteger(increment.decimals) && increment.decimals >= 0)) return name;
  }
  if (tick.decimals + lot.decimals > quote.scale) return 'quoteAssetIncrement';
  if (lot.decimals > base.scale) return 'baseAssetIncrement';
  return null;
}

export function createInstrument(
  securityId: number,
  terms: NewInstrument,
  base: Asset,
  quote: Asset,
  { orders, hash }: { readonly orders: OrderStore; readonly hash: StateHash },
): Instrument {
  const { tick, lot } = terms;
  const finest = powerOfTen(quote.scale - tick.decimals - lot.decimals);
  return {
    securityId,
    symbol: terms.symbol,
    base,
    quote,
    tick,
    lot,
    perTickLot: multiply(multiply(tick.mantissa, lot.mantissa), finest),
    baseUnitsPerLot: multiply(lot.mantissa, powerOfTen(base.scale - lot.decimals)),
    quoteUnitsPerTick: multiply(tick.mantissa, powerOfTen(quote.scale - tick.decimals)),
    book: new OrderBook(orders),
    triggers: new TriggerBook(orders, hash, securityId),
    expiries: new IndexedHeap(),
    matching: null,
    ...INSTRUMENT_TERMS.pick(terms),
    lastPrice: 0 as Ticks,
  };
}

export function hashInstrument(hash: StateHash, instrument: Instrument): void {
  hash.begin(Fact.instrument);
  hash.number(instrument.securityId);
  hash.text(instrument.symbol);
  hash.number(instrument.base.assetId);
  hash.number(instrument.quote.assetId);
  INCREMENT.mix(hash, instrument.tick);
  INCREMENT.mix(hash, instrument.lot);
  INSTRUMENT_TERMS.mix(hash, instrument);
  hash.number(instrument.lastPrice);
  hash.number(instrument.book.updateId);
  hash.add();
}

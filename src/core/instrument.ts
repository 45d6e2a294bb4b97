// Instruments: a base asset traded against a quote asset on a grid of prices and quantities.
import type { Asset } from './asset.ts';
import type { CreateInstrument, Increment } from './command.ts';
import type { InstrumentStatus, SelfTradePrevention } from './fix.ts';
import { OrderBook } from './matching/order-book.ts';
import type { OrderStore } from './matching/order-store.ts';
import { type Amount, type Lots, multiply, powerOfTen, type Ticks } from './units.ts';

export interface Instrument {
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
  minQuantity: Lots;
  minNotional: Amount;
  makerFee: number;
  takerFee: number;
  selfTradePrevention: SelfTradePrevention;
  priceBand: number;
  status: InstrumentStatus;
  /** 0 before the first trade. */
  lastPrice: Ticks;
}

/**
 * Why an instrument's grid is not valid, or null. decimals(tick) + decimals(lot) ≤ quote scale and decimals(lot) ≤
 * base scale make price × quantity a whole number of quote units, so that matching never rounds.
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

/** A new instrument with an empty book; its terms are valid. */
export function createInstrument(
  securityId: number,
  terms: CreateInstrument,
  base: Asset,
  quote: Asset,
  orders: OrderStore,
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
    minQuantity: terms.minQuantity,
    minNotional: terms.minNotional,
    makerFee: terms.makerFee,
    takerFee: terms.takerFee,
    selfTradePrevention: terms.selfTradePrevention,
    priceBand: terms.priceBand,
    status: terms.status,
    lastPrice: 0 as Ticks,
  };
}

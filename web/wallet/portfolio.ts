// Profit by asset from the fills of an account, and its equity day by day from its statement. All
// figures are exact; only quotients are cut.
import type { Candle, Fill, Instrument, LedgerEntry } from '../../src/sdk/index.ts';
import * as d from '../exact/decimal.ts';
import { DAY_MS } from '../exact/format.ts';
import { type Prices, pricesIn, worth } from './value.ts';

/** The coins of an asset that were bought in its main pair and not sold yet. */
export interface Position {
  readonly quantity: d.Decimal;
  /** Their price in the quote asset, with fees. */
  readonly cost: d.Decimal;
  readonly realized: d.Decimal;
}

const NOTHING: Position = { quantity: '0', cost: '0', realized: '0' };
/** Digits of a quotient; far below every asset's scale. */
const CUT = 18;

/** The position after these fills of one pair, oldest first, at the weighted average cost. */
export const positionOf = (fills: readonly Fill[]): Position => fills.reduce(afterFill, NOTHING);

function afterFill(position: Position, fill: Fill): Position {
  const base = fill.symbol.split('-')[0];
  const [inBase, inQuote] = fill.feeAsset === base ? [fill.fee, '0'] : ['0', fill.fee];
  const { quantity, cost, realized } = position;
  if (fill.side === 1) {
    const received = d.subtract(fill.quantity, inBase);
    return {
      quantity: d.add(quantity, received),
      cost: d.add(cost, d.add(fill.quoteAmount, inQuote)),
      realized,
    };
  }
  const sold = d.add(fill.quantity, inBase);
  // Coins from elsewhere have no cost, so the rest of the sale is neither a profit nor a loss.
  const matched = d.min(sold, quantity);
  if (!d.isPositive(matched)) return position;
  const proceeds = part(d.subtract(fill.quoteAmount, inQuote), matched, sold);
  const costPart = part(cost, matched, quantity);
  return {
    quantity: d.subtract(quantity, matched),
    cost: d.subtract(cost, costPart),
    realized: d.add(realized, d.subtract(proceeds, costPart)),
  };
}

/** The part of a position that the account still owns: a withdrawal takes its share of the cost. */
export function ownedPart(position: Position, owned: d.Decimal): Position {
  const { quantity, cost, realized } = position;
  const kept = d.min(quantity, owned);
  if (kept === quantity) return position;
  return { quantity: kept, cost: part(cost, kept, quantity), realized };
}

/** The profit of the coins that are left, if they were sold at the last price without a fee. */
export const profitAt = ({ quantity, cost }: Position, last: d.Decimal): d.Decimal =>
  d.subtract(d.multiply(quantity, last), cost);

/** `amount` × `some` ÷ `all`; the whole without a division. */
const part = (amount: d.Decimal, some: d.Decimal, all: d.Decimal): d.Decimal =>
  some === all ? amount : d.divideDown(d.multiply(amount, some), all, CUT);

/** The first listed pair of an asset. */
export const mainPairOf = (
  asset: string,
  instruments: readonly Pick<Instrument, 'symbol'>[],
): string | null =>
  instruments.find(({ symbol }) => symbol.startsWith(`${asset}-`))?.symbol ?? null;

export interface EquityPoint {
  /** The end of the day, or now. */
  readonly time: number;
  readonly value: d.Decimal;
  /** The value at the first point and what came in since, less what went out: no profit. */
  readonly deposited: d.Decimal;
}

export interface EquityInput {
  readonly target: string;
  readonly decimals: number;
  /** All of the account now, with money in Earn, by asset. */
  readonly balances: ReadonlyMap<string, d.Decimal>;
  /** Newest first. */
  readonly entries: readonly Pick<LedgerEntry, 'type' | 'asset' | 'amount' | 'time'>[];
  /** Daily candles by pair, oldest first. */
  readonly candles: ReadonlyMap<string, readonly Pick<Candle, 'openTime' | 'open' | 'close'>[]>;
  readonly now: number;
  readonly days: number;
}

/** Between the spot balance and Earn: the account owns the same. */
const WITHIN: ReadonlySet<string> = new Set([
  'subscription',
  'redemption',
  'boosterLock',
  'boosterReturn',
]);
const OUTSIDE: ReadonlySet<string> = new Set(['credit', 'debit']);

/** The value of the account at the end of each UTC day and now, oldest first. */
export function equityOf(input: EquityInput): readonly EquityPoint[] {
  const { now, days, entries, decimals } = input;
  const balances = new Map(input.balances);
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const times = [now, ...Array.from({ length: days }, (_, day) => today - day * DAY_MS)];
  let next = 0;
  const points = times.map((time, at) => {
    const prices = pricesAt(time, input);
    const value = totalValue(balances, prices, decimals);
    let deposits: d.Decimal = '0';
    const since = times[at + 1] ?? time;
    for (; next < entries.length && entries[next]!.time >= since; next++) {
      const { type, asset, amount } = entries[next]!;
      if (WITHIN.has(type)) continue;
      balances.set(asset, d.subtract(balances.get(asset) ?? '0', amount));
      if (!OUTSIDE.has(type)) continue;
      deposits = d.add(deposits, worth(asset, amount, prices, decimals) ?? '0');
    }
    return { time, value, deposits };
  });
  // An account that is younger has no value before its first day.
  const firstOwned = points.findLastIndex(({ value }) => d.isPositive(value));
  const shown = points.slice(0, Math.max(firstOwned + 2, 2)).toReversed();
  let deposited = shown[0]!.value;
  return shown.map(({ time, value, deposits }, at) => {
    if (at > 0) deposited = d.add(deposited, deposits);
    return { time, value, deposited };
  });
}

/** By the last price of each pair before `time`; before its first trade, by its first price. */
function pricesAt(time: number, { target, candles }: EquityInput): Prices {
  const last = [...candles].map(([symbol, daily]) => ({
    symbol,
    lastPrice: daily.findLast(({ openTime }) => openTime < time)?.close ?? daily[0]?.open ?? null,
  }));
  return pricesIn(target, last);
}

/** Assets without a price are left out. */
const totalValue = (
  balances: ReadonlyMap<string, d.Decimal>,
  prices: Prices,
  decimals: number,
): d.Decimal =>
  d.sum([...balances].map(([asset, amount]) => worth(asset, amount, prices, decimals) ?? '0'));

// Profit by asset from the fills of an account, and its equity day by day from its statement. All
// figures are exact; only quotients are cut.
import type { Candle, Fill, Instrument, LedgerEntry } from '../../src/sdk/index.ts';
import {
  add,
  type Decimal,
  divideDown,
  isPositive,
  min,
  multiply,
  subtract,
} from '../exact/decimal.ts';
import { DAY_MS } from '../exact/format.ts';
import { pricesIn, worth } from './value.ts';

/** The coins of an asset that were bought in its main pair and not sold yet. */
export interface Position {
  readonly quantity: Decimal;
  /** Their price in the quote asset, with fees. */
  readonly cost: Decimal;
  readonly realized: Decimal;
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
    const received = subtract(fill.quantity, inBase);
    return {
      quantity: add(quantity, received),
      cost: add(cost, add(fill.quoteAmount, inQuote)),
      realized,
    };
  }
  const sold = add(fill.quantity, inBase);
  // Coins from elsewhere have no cost, so the rest of the sale is neither a profit nor a loss.
  const matched = min(sold, quantity);
  if (!isPositive(matched)) return position;
  const proceeds = part(subtract(fill.quoteAmount, inQuote), matched, sold);
  const costPart = part(cost, matched, quantity);
  return {
    quantity: subtract(quantity, matched),
    cost: subtract(cost, costPart),
    realized: add(realized, subtract(proceeds, costPart)),
  };
}

/** The part of a position that the account still owns: a withdrawal takes its share of the cost. */
export function ownedPart(position: Position, owned: Decimal): Position {
  const { quantity, cost, realized } = position;
  const kept = min(quantity, owned);
  if (kept === quantity) return position;
  return { quantity: kept, cost: part(cost, kept, quantity), realized };
}

/** `amount` × `some` ÷ `all`; the whole without a division. */
const part = (amount: Decimal, some: Decimal, all: Decimal): Decimal =>
  some === all ? amount : divideDown(multiply(amount, some), all, CUT);

/** The first listed pair of an asset. */
export const mainPairOf = (
  asset: string,
  instruments: readonly Pick<Instrument, 'symbol'>[],
): string | null =>
  instruments.find(({ symbol }) => symbol.startsWith(`${asset}-`))?.symbol ?? null;

export interface EquityPoint {
  /** The end of the day, or now. */
  readonly time: number;
  readonly value: Decimal;
}

export interface EquityInput {
  readonly target: string;
  readonly decimals: number;
  /** Spot balances now, by asset. */
  readonly balances: ReadonlyMap<string, Decimal>;
  /** Newest first. */
  readonly entries: readonly Pick<LedgerEntry, 'asset' | 'amount' | 'time'>[];
  /** Daily candles by pair, oldest first. */
  readonly candles: ReadonlyMap<string, readonly Pick<Candle, 'openTime' | 'close'>[]>;
  readonly now: number;
  readonly days: number;
}

/** The value of the spot balances at the end of each UTC day and now, oldest first. */
export function equityOf(input: EquityInput): readonly EquityPoint[] {
  const { now, days, entries } = input;
  const balances = new Map(input.balances);
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const points: EquityPoint[] = [{ time: now, value: valueAt(now, balances, input) }];
  let next = 0;
  for (let day = 0; day < days; day++) {
    const end = today - day * DAY_MS;
    for (; next < entries.length && entries[next]!.time >= end; next++) {
      const { asset, amount } = entries[next]!;
      balances.set(asset, subtract(balances.get(asset) ?? '0', amount));
    }
    points.push({ time: end, value: valueAt(end, balances, input) });
  }
  // An account that is younger has no value before its first day.
  const firstOwned = points.findLastIndex(({ value }) => isPositive(value));
  return points.slice(0, Math.max(firstOwned + 2, 2)).toReversed();
}

/** By the last price of each pair before `time`. Assets without a price are left out. */
function valueAt(
  time: number,
  balances: ReadonlyMap<string, Decimal>,
  { target, decimals, candles }: EquityInput,
): Decimal {
  const last = [...candles].map(([symbol, daily]) => ({
    symbol,
    lastPrice: daily.findLast(({ openTime }) => openTime < time)?.close ?? null,
  }));
  const prices = pricesIn(target, last);
  return [...balances].reduce(
    (sum, [asset, amount]) => add(sum, worth(asset, amount, prices, decimals) ?? '0'),
    '0',
  );
}

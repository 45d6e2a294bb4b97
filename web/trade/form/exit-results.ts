// The profit and the loss of a bracket at its exits, from the prices in the form.
import { Side } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import { quantityOf } from './order-terms.ts';

export interface ExitResults {
  /** The total of the entry, in the quote asset. */
  readonly cost: d.Decimal;
  /** In the quote asset, before fees: above 0 for a profit. null without its price. */
  readonly takeProfit: d.Decimal | null;
  readonly stop: d.Decimal | null;
}

export interface ExitResult {
  readonly cost: d.Decimal;
  readonly gain: d.Decimal;
}

/** The gain of an exit at a price, in the quote asset, before fees. */
export function exitResult(
  side: Side,
  entry: d.Decimal,
  exit: d.Decimal,
  quantity: d.Decimal,
): ExitResult {
  const gain = side === Side.buy ? d.subtract(exit, entry) : d.subtract(entry, exit);
  return { cost: d.multiply(entry, quantity), gain: d.multiply(gain, quantity) };
}

/** null while the price or the quantity of the entry is missing. */
export function exitResults(draft: Draft, pair: Pair): ExitResults | null {
  const [entry, quantity] = [d.fromInput(draft.price), quantityOf(draft, pair)];
  if (entry === null || quantity === null) return null;
  const at = (exit: d.Decimal | null): d.Decimal | null =>
    exit === null ? null : exitResult(draft.side, entry, exit, quantity).gain;
  // A stop with a limit trades at that price or better.
  const stop = d.fromInput(draft.stopLimit) ?? d.fromInput(draft.stopPrice);
  const cost = d.multiply(entry, quantity);
  return { cost, takeProfit: at(d.fromInput(draft.takeProfit)), stop: at(stop) };
}

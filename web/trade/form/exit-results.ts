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

/** null while the price or the quantity of the entry is missing. */
export function exitResults(draft: Draft, pair: Pair): ExitResults | null {
  const [entry, quantity] = [d.fromInput(draft.price), quantityOf(draft, pair)];
  if (entry === null || quantity === null) return null;
  const at = (exit: d.Decimal | null): d.Decimal | null => {
    if (exit === null) return null;
    const gain = draft.side === Side.buy ? d.subtract(exit, entry) : d.subtract(entry, exit);
    return d.multiply(gain, quantity);
  };
  // A stop with a limit trades at that price or better.
  const stop = d.fromInput(draft.stopLimit) ?? d.fromInput(draft.stopPrice);
  const cost = d.multiply(entry, quantity);
  return { cost, takeProfit: at(d.fromInput(draft.takeProfit)), stop: at(stop) };
}

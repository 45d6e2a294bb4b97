// The share buttons: a part of the balance as the amount of the form. It never exceeds the share,
// and it is always on the pair's grid. Fees do not count, because they are taken from what is
// received.
import { Side } from '../../../src/sdk/generated/codes.ts';
import type { Level } from '../../../src/sdk/index.ts';
import { type Decimal, floorTo, multiply } from '../../exact/decimal.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import { affordable, walkTerms, walkTotal } from './estimate.ts';
import { priceOf } from './validation.ts';

export const PERCENTS = [25, 50, 75, 100] as const;
export type Percent = (typeof PERCENTS)[number];

export interface Available {
  readonly base: Decimal;
  readonly quote: Decimal;
}

/** null if a buy has no price yet. `asks` are what a market buy would take, best first. */
export function withShare(
  draft: Draft,
  pair: Pair,
  available: Available,
  percent: Percent,
  asks: readonly Level[],
): Pick<Draft, 'basis' | 'amount'> | null {
  const part = (balance: Decimal) => multiply(balance, percent === 100 ? '1' : `0.${percent}`);
  if (draft.side === Side.sell) {
    return { basis: 'quantity', amount: floorTo(part(available.base), pair.lot) };
  }
  const budget = part(available.quote);
  if (draft.kind === 'market' && draft.basis === 'total') {
    return { basis: 'total', amount: floorTo(budget, pair.tick) };
  }
  if (draft.kind === 'market') {
    if (asks.length === 0) return null;
    const { quantity } = walkTotal(asks, budget, pair.lot, walkTerms(draft.side, pair, null));
    return { basis: 'quantity', amount: quantity };
  }
  const price = priceOf(draft);
  if (price === null) return null;
  return { basis: 'quantity', amount: affordable(budget, price, pair.lot) };
}

// A quarter, a half, three quarters or all of the balance, as what the form's amount becomes. Never more than the share, and
// always on the pair's grid. Fees do not count: they are taken from what is received.
import { Side } from '../../../src/sdk/codes.ts';
import type { Level } from '../../../src/sdk/index.ts';
import type { Decimal } from '../../exact/decimal.ts';
import type { Pair } from '../pair.ts';
import type { Draft } from './draft.ts';
import { affordable, budgetOf, type Percent, shareOf, walkTotal } from './estimate.ts';
import { priceOf } from './request.ts';

export interface Available {
  readonly base: Decimal;
  readonly quote: Decimal;
}

/** null where a buy has no price to reckon with. `asks` are what a market buy would take, best first. */
export function withShare(
  draft: Draft,
  pair: Pair,
  available: Available,
  percent: Percent,
  asks: readonly Level[],
): Pick<Draft, 'basis' | 'amount'> | null {
  if (draft.side === Side.sell) {
    return { basis: 'quantity', amount: shareOf(available.base, percent, pair.lot) };
  }
  if (draft.kind === 'market' && draft.basis === 'total') {
    return { basis: 'total', amount: shareOf(available.quote, percent, pair.tick) };
  }
  const budget = budgetOf(available.quote, percent);
  if (draft.kind === 'market') {
    if (asks.length === 0) return null;
    const { quantity } = walkTotal(asks, budget, pair.lot, FREE);
    return { basis: 'quantity', amount: quantity };
  }
  const price = priceOf(draft);
  if (price === null) return null;
  return { basis: 'quantity', amount: affordable(budget, price, pair.lot) };
}

const FREE = { side: 'buy', takerFee: '0', receivedScale: 0, priceDecimals: 0 } as const;

// The totals of a customer's subscriptions by coin. Amounts of different coins are never added.
import type { CurrentSubscription } from '../../src/sdk/index.ts';
import { add, type Decimal } from '../exact/decimal.ts';

export interface Total {
  readonly coin: string;
  readonly amount: Decimal;
  /** Interest of the running subscriptions so far. */
  readonly earned: Decimal;
  readonly count: number;
}

export function totalsOf(subscriptions: readonly CurrentSubscription[]): readonly Total[] {
  const totals = new Map<string, Total>();
  for (const { coin, amount, totalEarnedAmount } of subscriptions) {
    const so = totals.get(coin) ?? { coin, amount: '0', earned: '0', count: 0 };
    totals.set(coin, {
      coin,
      amount: add(so.amount, amount),
      earned: add(so.earned, totalEarnedAmount),
      count: so.count + 1,
    });
  }
  return [...totals.values()].toSorted((a, b) => a.coin.localeCompare(b.coin));
}

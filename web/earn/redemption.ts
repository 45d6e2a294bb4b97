// What a redemption brings and costs, in words, before it is asked for.

import type { AgioClient } from '../../src/sdk/index.ts';
import { type LedgerEntry, PlanType } from '../../src/sdk/index.ts';
import {
  compare,
  type Decimal,
  fromInput,
  isPositive,
  isZero,
  subtract,
  sum,
} from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';
import { figureHint, type Hint } from './application.ts';

/** An Earn subscription: the SDK's index exports the class of streams by this name. */
export type Subscription = Awaited<ReturnType<AgioClient['subscription']>>;

/** What is wrong with a part that was typed; null where nothing is. */
export function partHint(
  typed: string,
  all: Decimal,
  coin: string,
  scale: number | null,
): Hint | null {
  const amount = fromInput(typed);
  if (amount !== null && compare(amount, all) > 0) {
    return { text: `You have ${grouped(all)} ${coin} in this plan.`, use: all };
  }
  return figureHint(typed, coin, scale);
}

export interface Redeeming {
  readonly planType: PlanType;
  readonly coin: string;
  /** What is to be redeemed. */
  readonly amount: Decimal;
  /** Of a term that ends early: all that it earned. null for flexible. */
  readonly forfeited: Decimal | null;
  /** What of it was paid already; null where that is not known. */
  readonly paid: Decimal | null;
}

export interface Outcome {
  /** What arrives; null where it depends on what was paid and that is not known. */
  readonly back: Decimal | null;
  readonly sentence: string;
}

export function outcomeOf({ coin, amount, forfeited, paid }: Redeeming): Outcome {
  const all = `${grouped(amount)} ${coin}`;
  if (forfeited === null) {
    return {
      back: amount,
      sentence: `You get back ${all}. What it has earned stays yours; it does not earn today.`,
    };
  }
  if (isZero(forfeited)) return { back: amount, sentence: `You get back ${all}. Nothing is lost.` };
  if (paid === null || compare(paid, forfeited) > 0) {
    return {
      back: null,
      sentence: `The term ends early, and the ${grouped(forfeited)} ${coin} that it has earned are given up: what of them was paid is taken back from the ${all}.`,
    };
  }
  return { back: subtract(amount, paid), sentence: split(coin, amount, forfeited, paid) };
}

function split(coin: string, amount: Decimal, forfeited: Decimal, paid: Decimal): string {
  const unpaid = subtract(forfeited, paid);
  const parts = [
    ...(isPositive(paid) ? [`the ${grouped(paid)} paid as interest is taken back`] : []),
    ...(isPositive(unpaid) ? [`${grouped(unpaid)} not yet paid is given up`] : []),
  ];
  const back = grouped(subtract(amount, paid));
  return `You get back ${back} of ${grouped(amount)} ${coin}: ${parts.join(', and ')}.`;
}

/** Only a term that is ended early has a redemption; its last one goes back by itself. */
export const endedEarly = ({
  planType,
  redeemHistories,
}: Pick<Subscription, 'planType' | 'redeemHistories'>): boolean =>
  planType !== PlanType.flexible && redeemHistories.length > 0;

/** The first day whose interest was lost with an early end; what earlier terms paid stays. null where none was. */
export const givenUpFrom = (
  subscription: Pick<Subscription, 'planType' | 'redeemHistories' | 'startDate'>,
): number | null => (endedEarly(subscription) ? Number(subscription.startDate) : null);

/** What was credited when a term was ended early: the principal less the interest taken back. null where no credit is found. */
export function creditedOf(entries: readonly LedgerEntry[], applyId: string): Decimal | null {
  const own = entries.filter((entry) => entry.applyId === applyId);
  if (!own.some(({ type }) => type === 'redemption')) return null;
  return sum(
    own
      .filter(({ type }) => type === 'redemption' || type === 'forfeit')
      .map(({ amount }) => amount),
  );
}

/** What a running term has paid: the interest of the subscription in the statement since its first day. */
export function paidOfTerm(
  entries: readonly LedgerEntry[],
  { applyId, startDate }: { readonly applyId: string; readonly startDate: string },
): Decimal {
  return sum(
    entries
      .filter((entry) => entry.type === 'interest' && entry.applyId === applyId)
      // A term that was renewed begins with the payout of the one before, at that very midnight.
      .filter((entry) => entry.time > Number(startDate))
      .map((entry) => entry.amount),
  );
}

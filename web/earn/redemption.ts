// The result of a redemption, before the customer confirms it.
import { type AgioClient, type LedgerEntry, PlanType } from '../../src/sdk/index.ts';
import { compare, type Decimal, fromInput, isZero, subtract, sum } from '../exact/decimal.ts';
import { earnText } from '../messages/earn.ts';
import { figureHint, type Hint } from './application.ts';
import { amountIn, type Fact } from './words.ts';

const t = earnText.redeem;

/** An Earn subscription: the SDK's index exports the class of streams by this name. */
export type Subscription = Awaited<ReturnType<AgioClient['subscription']>>;

/** A hint about a typed amount to redeem; null if it is valid. */
export function partHint(
  typed: string,
  all: Decimal,
  coin: string,
  scale: number | null,
): Hint | null {
  const amount = fromInput(typed);
  if (amount !== null && compare(amount, all) > 0) {
    return { text: t.notMore(amountIn(coin, all)), use: all };
  }
  return figureHint(typed, coin, scale);
}

export interface Redeeming {
  readonly coin: string;
  /** The amount to redeem. */
  readonly amount: Decimal;
  /** All interest of a term that ends early; null for a flexible plan. */
  readonly forfeited: Decimal | null;
  /** The paid part of that interest; null while it is unknown. */
  readonly paid: Decimal | null;
}

/** The credited amount and the cost of a redemption, in numbers. */
export function outcomeOf({ coin, amount, forfeited, paid }: Redeeming): readonly Fact[] {
  const all = amountIn(coin, amount);
  const receive = (value: string): Fact => ({ name: t.receive, value, look: 'total' });
  if (forfeited === null || isZero(forfeited)) return [receive(all)];
  const loss: Fact = {
    name: t.lose,
    value: t.ofInterest(amountIn(coin, forfeited)),
    look: 'loss',
  };
  if (paid === null || compare(paid, forfeited) > 0) return [receive(t.lessPaid(all)), loss];
  const unpaid = subtract(forfeited, paid);
  const parts = [
    { name: t.amount, value: all },
    { name: t.takenBack, value: `−${amountIn(coin, paid)}` },
    { name: t.unpaidLost, value: amountIn(coin, unpaid) },
  ].filter((_, at) => at === 0 || !isZero(at === 1 ? paid : unpaid));
  return [...parts, receive(amountIn(coin, subtract(amount, paid))), loss];
}

/** Only a term that ends early has a redemption; the normal end needs none. */
export const endedEarly = ({
  planType,
  redeemHistories,
}: Pick<Subscription, 'planType' | 'redeemHistories'>): boolean =>
  planType !== PlanType.flexible && redeemHistories.length > 0;

/** The first day of forfeited interest, epoch ms; null if the term did not end early. */
export const forfeitedFrom = (
  subscription: Pick<Subscription, 'planType' | 'redeemHistories' | 'startDate'>,
): number | null => (endedEarly(subscription) ? Number(subscription.startDate) : null);

/** The principal less the interest taken back at an early end; null without a credit. */
export function creditedOf(entries: readonly LedgerEntry[], applyId: string): Decimal | null {
  const own = entries.filter((entry) => entry.applyId === applyId);
  if (!own.some(({ type }) => type === 'redemption')) return null;
  return sum(
    own
      .filter(({ type }) => type === 'redemption' || type === 'forfeit')
      .map(({ amount }) => amount),
  );
}

/** The interest that a running term paid, from the statement. */
export function paidOfTerm(
  entries: readonly LedgerEntry[],
  { applyId, startDate }: { readonly applyId: string; readonly startDate: string },
): Decimal {
  return sum(
    entries
      .filter((entry) => entry.type === 'interest' && entry.applyId === applyId)
      // The payout of the previous term has the time of this term's start.
      .filter((entry) => entry.time > Number(startDate))
      .map((entry) => entry.amount),
  );
}

// Enterprises: companies whose members subscribe to plans. An enterprise may keep a margin of its
// members' interest: an annual rate for each plan.
import { Fact, type StateHash } from '../state-hash.ts';
import { type Amount, add, subtract, ZERO } from '../units.ts';
import type { Subscription } from './subscription.ts';

export interface Enterprise {
  /** Dense, from 1. */
  readonly enterpriseId: number;
  readonly name: string;
  /** Annual rates in 10^-8 by planId; none: 0. */
  readonly margins: Map<number, number>;
  /** Its members never trade with each other, where the instrument prevents self-trades. */
  selfTradePrevention: boolean;
  /**
   * By assetId: paid margins that an early redemption may take back. Derived from the
   * subscriptions.
   */
  readonly refundable: Map<number, Amount>;
}

/** The owner of an enterprise's accounts; see planOwner. */
export const enterpriseOwner = (enterpriseId: number): number => -2 * enterpriseId - 1;

export const enterpriseOf = (owner: number): number => (owner + 1) / -2;

export const newEnterprise = (enterpriseId: number, name: string): Enterprise => ({
  enterpriseId,
  name,
  margins: new Map(),
  selfTradePrevention: false,
  refundable: new Map(),
});

export const refundableOf = ({ refundable }: Enterprise, assetId: number): Amount =>
  refundable.get(assetId) ?? ZERO;

/** True if an early redemption would take back what the enterprise was paid of this term. */
export const isRefundable = ({ lockDay, principal, terms }: Subscription): boolean =>
  lockDay > 0 && principal > 0 && terms.supportEarlyRedemption;

/** The margin of a running term was paid. */
export function addRefundable(
  enterprises: readonly (Enterprise | undefined)[],
  subscription: Subscription,
  money: Amount,
): void {
  const { share, plan } = subscription;
  if (share === null || money === 0 || !isRefundable(subscription)) return;
  const { refundable } = enterprises[share.enterpriseId]!;
  refundable.set(plan.assetId, add(refundable.get(plan.assetId) ?? ZERO, money));
}

/** The term ends: nobody can take back its paid margin any more. */
export function endRefundable(
  enterprises: readonly (Enterprise | undefined)[],
  subscription: Subscription,
): void {
  const { share, plan } = subscription;
  if (share === null || share.paid === 0 || !isRefundable(subscription)) return;
  const { refundable } = enterprises[share.enterpriseId]!;
  const rest = subtract(refundable.get(plan.assetId)!, share.paid);
  if (rest === 0) refundable.delete(plan.assetId);
  else refundable.set(plan.assetId, rest);
}

/** Self-trade prevention is a fact of its own, which exists while it is on. */
export function hashEnterprise(hash: StateHash, enterprise: Enterprise): void {
  const { enterpriseId, name, margins, selfTradePrevention } = enterprise;
  hash.begin(Fact.enterprise);
  hash.number(enterpriseId);
  hash.text(name);
  for (const [planId, margin] of [...margins].sort(([a], [b]) => a - b)) {
    hash.number(planId);
    hash.number(margin);
  }
  hash.add();
  if (!selfTradePrevention) return;
  hash.begin(Fact.enterpriseSelfTrade);
  hash.number(enterpriseId);
  hash.add();
}

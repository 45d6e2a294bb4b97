// Enterprises: companies whose members subscribe to plans. An enterprise may keep a margin of its
// members' interest: an annual rate for each plan.
import { Fact, type StateHash } from '../state-hash.ts';
import { type Amount, add, negate, ZERO } from '../units.ts';
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

type Enterprises = readonly (Enterprise | undefined)[];

/** The margin of a running term was paid; below 0: nobody can take it back any more. */
export function addRefundable(enterprises: Enterprises, of: Subscription, money: Amount): void {
  const { share, plan } = of;
  if (share === null || money === 0 || !isRefundable(of)) return;
  const enterprise = enterprises[share.enterpriseId]!;
  const sum = add(refundableOf(enterprise, plan.assetId), money);
  if (sum === 0) enterprise.refundable.delete(plan.assetId);
  else enterprise.refundable.set(plan.assetId, sum);
}

/** The term ends. */
export const endRefundable = (enterprises: Enterprises, of: Subscription): void =>
  addRefundable(enterprises, of, negate(of.share?.paid ?? ZERO));

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

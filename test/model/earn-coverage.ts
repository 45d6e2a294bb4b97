// Counts which earn rules a run has met. The model says so itself, at each branch of its rules, so
// that a workload which no longer reaches one is a failing test.
import type { RejectName } from '../../src/core/reject.ts';

/** Rejections that nothing but earn gives; the other workload has no part in them. */
export const EARN_ONLY_REJECTS: readonly string[] = [
  'planUnknown',
  'earnParameter',
  'notOwnSubscription',
  'addFundsFlexibleOnly',
  'subscriptionNotHeld',
  'boosterAmount',
  'boosterPlanType',
  'boosterUnsupported',
  'kycRequired',
  'belowUserMinimum',
  'aboveUserMaximum',
  'lockTooShort',
  'lockTooLong',
  'poolFull',
  'earnBalance',
  'earlyRedemption',
  'redeemAboveAmount',
  'partialRedemption',
  'interestUnpayable',
  'enterpriseUnknown',
  'notEnterpriseAdmin',
] satisfies readonly RejectName[];

/** Rejections of earn commands. */
const EARN_REJECTS: readonly string[] = [
  'userUnknown',
  'userSuspended',
  'assetUnknown',
  'invalidTerms',
  'referenceReused',
  'insufficientBalance',
  ...EARN_ONLY_REJECTS,
];

/** Branches that every run of the tests must meet. */
export const EARN_BRANCHES = [
  'apply: a new flexible one',
  'apply: a new fixed one',
  'apply: a new customized one',
  'apply: added to a flexible one',
  'apply: added by name',
  'apply: with a booster',
  'apply: with more booster than is needed',
  'apply: with a booster of the same coin',
  'apply: an enterprise keeps a margin',
  'apply: the margin takes all of the rate',
  'apply: after one that is still redeeming',
  'apply: 40001 amount',
  'apply: 40001 lockDay',
  'apply: 40001 autoRenew',
  'apply: 40001 applyId',
  'apply: 40001 boosterAmount',
  'apply: 40020 boosterAmount',
  'day: interest',
  'day: no whole unit',
  'day: a smaller basis after a redemption',
  'day: a rate of the plan’s new version',
  'day: interest of a margin',
  'day: interest of a booster',
  'day: interest beyond 2^53',
  'day: several days in one command',
  'payout: on a day of the frequency',
  'payout: at the end of a term between two days of the frequency',
  'payout: compounded',
  'payout: not compounded, the pool is full',
  'payout: not compounded, the user has the most',
  'payout: not compounded, nothing is held any more',
  'payout: reserve too small',
  'payout: overdue, paid at a day close',
  'payout: overdue, paid by a full reserve',
  'payout: overdue, the head cannot be paid',
  'payout: overdue, several paid together',
  'payout: overdue, tried again by its owner',
  'payout: owed of an earlier term',
  'term: ended, no auto renew',
  'term: ended, plan closed',
  'term: ended, plan renews no more',
  'term: ended, no booster any more',
  'term: ended, booster too small',
  'term: ended, plan full',
  'term: ended, not verified',
  'term: ended, nothing is paid any more',
  'term: ended, the margin would take all',
  'term: ended, a higher margin that nobody agreed to',
  'term: ended, its owner is suspended',
  'term: ended, the user has too much',
  'term: ended with its interest unpaid',
  'term: ended with a booster',
  'term: renewed',
  'term: renewed with a booster',
  'term: renewed at other rates',
  'term: renewed under a higher margin, as agreed',
  'term: renewed into another enterprise',
  'term: renewed with its interest unpaid',
  'term: renewed with the margin of an enterprise unpaid',
  'redeem: a part of a flexible one',
  'redeem: all of a flexible one',
  'redeem: all of it on the day of subscribing',
  'redeem: early',
  'redeem: early, on the day of subscribing',
  'redeem: early, paid interest comes off',
  'redeem: early, a paid margin is taken back',
  'redeem: early, paid interest takes all',
  'redeem: early, paid interest takes all, and it is on its way for hours',
  'redeem: again while nothing is on its way but what was taken',
  'redeem: early, unpaid interest is dropped',
  'redeem: early, an earlier term’s interest stays owed',
  'redeem: early, with a booster',
  'redeem: credited immediately',
  'redeem: credited after the lock time',
  'redeem: lock time past the end of the term',
  'auto renew: one',
  'auto renew: all, on',
  'auto renew: all, off',
  'auto renew: agrees to a higher margin',
  'margin: set',
  'between slices: added before its days were closed',
  'between slices: redeemed before its days were closed',
  'between slices: auto renew before its days were closed',
  'between slices: over before it was asked for',
  'between slices: more is due than one slice does',
  'reserve: funded',
  'reserve: funded again by the same reference',
  'income: a margin withdrawn',
  'income: a reserve withdrawn',
  'income: more than is free',
  'income: a margin that may be taken back',
] as const;

/** Met where there are trades. */
export type EarnBranch = (typeof EARN_BRANCHES)[number] | 'income: fees withdrawn';

/** How often a run met each branch. */
export class BranchCounts {
  readonly counts = new Map<string, number>();

  count(branch: string, times = 1): void {
    this.counts.set(branch, (this.counts.get(branch) ?? 0) + times);
  }

  add({ counts }: BranchCounts): void {
    for (const [branch, times] of counts) this.count(branch, times);
  }

  /** The branches that were met less often than `least` times. */
  missingOf(branches: readonly string[], least: number): string[] {
    return branches.filter((branch) => (this.counts.get(branch) ?? 0) < least);
  }

  toString(): string {
    const rows = [...this.counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return rows.map(([branch, count]) => `${String(count).padStart(9)}  ${branch}`).join('\n');
  }
}

export class EarnCoverage extends BranchCounts {
  meet(branch: EarnBranch): void {
    this.count(branch);
  }

  reject(name: string): void {
    this.count(`reject ${name}`);
  }

  missing(least: number): string[] {
    const rejects = EARN_REJECTS.map((name) => `reject ${name}`);
    return this.missingOf([...EARN_BRANCHES, ...rejects], least);
  }
}

// What the calls of earn answer, without their envelope. Ids are texts here, as the contract has them; what does not apply to a
// type of plan is null.
import type { Decimal } from './decimal.ts';

/** 1 flexible, 2 fixed, 3 customized. */
export type PlanType = 1 | 2 | 3;
/** 0 in processing, 1 redeeming whole, 2 a part is redeeming, 3 redeemed. */
export type SubscriptionStatus = 0 | 1 | 2 | 3;

interface PlanFields {
  readonly planId: string;
  readonly planType: PlanType;
  readonly coin: string;
  readonly label: string;
  /** Days of a fixed plan. */
  readonly lockDay: number | null;
  readonly minLockDay: number | null;
  readonly maxLockDay: number | null;
  readonly userAmountMin: Decimal;
  readonly userAmountMax: Decimal;
  readonly supportEarlyRedemption: boolean;
  readonly supportAutoRenew: boolean;
  /** Rates are simple annual rates: 0.05 is 5 %. */
  readonly maxApr: Decimal | null;
  readonly minApr: Decimal | null;
  readonly apr: Decimal | null;
}

export interface Plan extends PlanFields {
  readonly planName: string;
  readonly applyId: null;
}

/** Of the plan, as the operator set them: what to know before money is bound. */
interface Beforehand {
  /** Hours from a redemption to its credit; what comes back at the end of a term comes at once. */
  readonly redeemLockHours: number;
  /** Whether interest joins the principal; of flexible plans only. */
  readonly autoCompound: boolean;
  /** Whether only verified customers may subscribe. */
  readonly requiresKyc: boolean;
}

export interface PlanDetail extends PlanFields, Beforehand {
  /** The same as minLockDay. */
  readonly minlockDay: number | null;
  /** The same as apr. */
  readonly apy: Decimal | null;
}

export interface BoosterInfo {
  /** The extra rate. */
  readonly apy: Decimal;
  /** What the amount needs of the booster's coin. */
  readonly boosterAmount: Decimal;
  readonly coin: string;
  /** Of the plan's own coin. */
  readonly interestAmount: Decimal;
}

export interface ApplyPreview extends Beforehand {
  readonly planId: string;
  readonly amount: Decimal;
  readonly coin: string;
  readonly apr: Decimal;
  readonly apy: Decimal;
  readonly totalApr: Decimal;
  readonly totalApy: Decimal;
  readonly planType: PlanType;
  readonly lockDay: number | null;
  /** Of the term; of a flexible plan, of one reward period. */
  readonly interestAmount: Decimal;
  readonly totalInterestAmount: Decimal;
  /** Days from one payout to the next. */
  readonly rewardFrequency: number;
  /** What is held already of a flexible plan. */
  readonly appliedAmount: Decimal | null;
  readonly userAmountMin: Decimal;
  readonly userAmountMax: Decimal;
  /** 00:00 UTC. */
  readonly startDate: number;
  readonly endDate: number | null;
  readonly boosterInfo: BoosterInfo | null;
  readonly supportAutoRenew: boolean;
}

export interface Applied {
  readonly applyId: string;
  readonly amount: Decimal;
}

interface SubscriptionFields {
  readonly applyId: string;
  readonly amount: Decimal;
  readonly apy: Decimal;
  /** What accrues: `apy` and what the booster adds. */
  readonly totalApy: Decimal;
  readonly coin: string;
  /** Epoch ms, as a text. */
  readonly startDate: string;
  readonly endDate: string | null;
  readonly lockDay: number | null;
  readonly planId: string;
  readonly planName: string;
  readonly planType: PlanType;
  readonly rewardFrequency: number;
  readonly status: SubscriptionStatus;
  readonly supportEarlyRedemption: boolean;
  readonly totalEarnedAmount: Decimal;
}

/** An item of the list of subscriptions that are not redeemed. */
export interface CurrentSubscription extends SubscriptionFields {
  /** The rate as a percentage. */
  readonly apyPct: Decimal;
  readonly autoCompound: boolean;
  readonly hadBooster: boolean;
}

export interface Redemption {
  readonly amount: Decimal;
  /** Epoch ms, as a text. */
  readonly createTime: string;
  /** Hours. */
  readonly redeemLockTime: number;
  /** 1 on its way, 2 credited. */
  readonly status: number;
}

export interface Subscription extends SubscriptionFields {
  /** Newest first. */
  readonly redeemHistories: readonly Redemption[];
  readonly autoRenew: boolean;
  /** What the renewal would be as things stand; null where none is asked for. */
  readonly renewal: Renewal | null;
}

export interface Renewal {
  /** The annual rate of the next term, after the margin of the enterprise. */
  readonly apr: Decimal;
  /** The margin has risen: the term ends unless auto renew is switched on once more. */
  readonly consentNeeded: boolean;
}

/** The interest of one UTC day, with the booster's. */
export interface InterestEntry {
  readonly coin: string;
  /** 00:00 UTC of the day that earned. */
  readonly date: number;
  readonly earnedAmount: Decimal;
}

/** exact + carriedIn = earnedAmount + carriedOut, as fractions of one denominator, in whole coins. */
export interface ExplainedRate {
  readonly rate: Decimal;
  readonly exact: string;
  readonly numerator: string;
  readonly denominator: string;
  readonly carriedIn: string;
  readonly earnedAmount: Decimal;
  readonly carriedOut: string;
}

export interface InterestExplanation extends ExplainedRate {
  readonly applyId: string;
  readonly date: number;
  readonly coin: string;
  readonly principalBasis: Decimal;
  readonly dayCount: string;
  readonly rounding: string;
  readonly booster: ExplainedRate | null;
}

export interface RedeemPreview {
  readonly boosterAmount: Decimal | null;
  readonly boosterCoin: string | null;
  readonly earnedAmount: Decimal;
  /** What an early redemption of a term gives up; null for flexible. */
  readonly forfeitedEarningAmount: Decimal | null;
  /** Hours. */
  readonly timeToRedeem: number;
}

/** A subscription of an enterprise's member. */
export interface MemberSubscription {
  readonly subscriptionId: string;
  /** The member. */
  readonly uid: number;
  readonly planId: string;
  readonly planType: PlanType;
  readonly asset: string;
  readonly startTime: number;
  readonly maturityTime: number | null;
  readonly principal: Decimal;
  readonly earnings: Decimal;
  readonly redemptionStatus: 'ACTIVE' | 'REDEEMING' | 'REDEEMED';
  readonly maturityAmount: Decimal;
  readonly marginAllocation: Decimal;
}

/** What the caller's enterprise keeps of a plan. */
export interface Margin {
  readonly asset: string;
  readonly planId: string;
  readonly planDuration: number;
  readonly apy: Decimal;
  readonly apyPct: Decimal;
  readonly enterpriseMargin: Decimal;
  readonly userId: number;
  readonly planType: 'FLEXIBLE' | 'FIXED' | 'CUSTOMIZED';
}

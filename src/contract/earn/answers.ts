// The answers of the earn calls, without their envelope. Ids are texts, as the contract has them.
// Fields that do not apply to a type of plan are null.
import { PlanType } from '../../core/earn/plan.ts';
import { SubscriptionStatus } from '../../core/earn/subscription.ts';
import * as answer from '../answer.ts';

export const planType = answer.codes('PlanType', '1 flexible, 2 fixed, 3 customized.', PlanType);

export const subscriptionStatus = answer.codes(
  'SubscriptionStatus',
  '0 processing, 1 redeeming, 2 partially redeeming, 3 redeemed.',
  SubscriptionStatus,
);

export const redemptionStatus = answer.codes('RedemptionStatus', '1 pending, 2 credited.', {
  pending: 1,
  credited: 2,
});

/** The fields of a plan for customers and for the operator. */
export const planFields = {
  planId: answer.text(),
  planType,
  coin: answer.text(),
  label: answer.text(),
  lockDay: answer.nullable(answer.integer(), 'Days of a fixed plan.'),
  minLockDay: answer.nullable(answer.integer()),
  maxLockDay: answer.nullable(answer.integer()),
  userAmountMin: answer.decimal(),
  userAmountMax: answer.decimal(),
  supportEarlyRedemption: answer.boolean(),
  supportAutoRenew: answer.boolean(),
  maxApr: answer.nullable(answer.decimal(), 'Rates are simple annual rates: 0.05 is 5 %.'),
  minApr: answer.nullable(answer.decimal()),
  apr: answer.nullable(answer.decimal()),
} as const;

export const plan = answer.object('Plan', 'An earn plan.', {
  ...planFields,
  planName: answer.text(),
  applyId: answer.oneOf([null]),
});

/** Terms that a customer must know before subscribing; agio adds them to the contract. */
export const advanceTerms = {
  redeemLockHours: answer.integer(
    'Hours from a redemption to its credit. At the end of a term, the credit is immediate.',
  ),
  autoCompound: answer.boolean('Whether interest joins the principal; flexible plans only.'),
  requiresKyc: answer.boolean('Whether only verified customers may subscribe.'),
} as const;

export const planDetail = answer.object('PlanDetail', 'An earn plan with all its terms.', {
  ...planFields,
  ...advanceTerms,
  minlockDay: answer.nullable(answer.integer(), 'The same as minLockDay.'),
  apy: answer.nullable(answer.decimal(), 'The same as apr.'),
});

export const boosterInfo = answer.object('BoosterInfo', 'The addition of a booster.', {
  apy: answer.decimal('The extra rate.'),
  boosterAmount: answer.decimal('The amount of the booster’s coin that the subscription needs.'),
  coin: answer.text(),
  interestAmount: answer.decimal('In the plan’s coin.'),
});

export const applyPreview = answer.object(
  'ApplyPreview',
  'The interest of a possible subscription.',
  {
    ...advanceTerms,
    planId: answer.text(),
    amount: answer.decimal(),
    coin: answer.text(),
    apr: answer.decimal(),
    apy: answer.decimal(),
    totalApr: answer.decimal(),
    totalApy: answer.decimal(),
    planType,
    lockDay: answer.nullable(answer.integer()),
    interestAmount: answer.decimal('For the term; for a flexible plan, for one reward period.'),
    totalInterestAmount: answer.decimal(),
    rewardFrequency: answer.integer('Days from one payout to the next.'),
    appliedAmount: answer.nullable(answer.decimal(), 'The amount already in the flexible plan.'),
    userAmountMin: answer.decimal(),
    userAmountMax: answer.decimal(),
    startDate: answer.time('00:00 UTC.'),
    endDate: answer.nullable(answer.time()),
    boosterInfo: answer.nullable(boosterInfo),
    supportAutoRenew: answer.boolean(),
  },
);

export const applied = answer.object('Applied', 'The subscription.', {
  applyId: answer.text(),
  amount: answer.decimal(),
});

const subscriptionFields = {
  applyId: answer.text(),
  amount: answer.decimal(),
  apy: answer.decimal(),
  totalApy: answer.decimal('The rate that accrues: `apy` and the booster’s rate.'),
  coin: answer.text(),
  startDate: answer.timeText('Epoch ms, as a text.'),
  endDate: answer.nullable(answer.timeText()),
  lockDay: answer.nullable(answer.integer()),
  planId: answer.text(),
  planName: answer.text(),
  planType,
  rewardFrequency: answer.integer(),
  status: subscriptionStatus,
  supportEarlyRedemption: answer.boolean(),
  totalEarnedAmount: answer.decimal(),
} as const;

export const currentSubscription = answer.object(
  'CurrentSubscription',
  'A subscription that is not redeemed.',
  {
    ...subscriptionFields,
    apyPct: answer.decimal('The rate as a percentage.'),
    autoCompound: answer.boolean(),
    hadBooster: answer.boolean(),
  },
);

export const redemption = answer.object('Redemption', 'One redemption of a subscription.', {
  amount: answer.decimal(),
  createTime: answer.timeText('Epoch ms, as a text.'),
  redeemLockTime: answer.integer('Hours.'),
  status: redemptionStatus,
});

export const renewal = answer.object('Renewal', 'The renewal that would follow.', {
  apr: answer.decimal('The annual rate of the next term, after the margin of the enterprise.'),
  consentNeeded: answer.boolean(
    'The margin has risen: the term ends unless the customer switches auto renew on again.',
  ),
});

export const subscription = answer.object('Subscription', 'A subscription, live or redeemed.', {
  ...subscriptionFields,
  redeemHistories: answer.list(redemption, 'Newest first.'),
  autoRenew: answer.boolean(),
  renewal: answer.nullable(
    renewal,
    'The renewal under the current terms; null without auto renew.',
  ),
});

export const interestEntry = answer.object(
  'InterestEntry',
  'The interest of one UTC day, including the booster’s.',
  {
    coin: answer.text(),
    date: answer.time('00:00 UTC of the day that earned.'),
    earnedAmount: answer.decimal(),
  },
);

export const explainedRate = answer.object(
  'ExplainedRate',
  'exact + carriedIn = earnedAmount + carriedOut, in whole coins; all fractions have one ' +
    'denominator.',
  {
    rate: answer.decimal(),
    exact: answer.text(),
    numerator: answer.text(),
    denominator: answer.text(),
    carriedIn: answer.text(),
    earnedAmount: answer.decimal(),
    carriedOut: answer.text(),
  },
);

export const interestExplanation = answer.object(
  'InterestExplanation',
  'How the interest of one day was calculated, to the last digit.',
  {
    ...explainedRate.shape.fields,
    applyId: answer.text(),
    date: answer.time(),
    coin: answer.text(),
    principalBasis: answer.decimal(),
    dayCount: answer.text(),
    rounding: answer.text(),
    booster: answer.nullable(explainedRate),
  },
);

export const redeemPreview = answer.object(
  'RedeemPreview',
  'The result of a possible redemption.',
  {
    boosterAmount: answer.nullable(answer.decimal()),
    boosterCoin: answer.nullable(answer.text()),
    earnedAmount: answer.decimal(),
    forfeitedEarningAmount: answer.nullable(
      answer.decimal(),
      'Interest that an early redemption of a term forfeits; null for flexible plans.',
    ),
    timeToRedeem: answer.integer('Hours.'),
  },
);

export const memberSubscription = answer.object(
  'MemberSubscription',
  'A subscription of a member of the enterprise.',
  {
    subscriptionId: answer.text(),
    uid: answer.integer('The member.'),
    planId: answer.text(),
    planType,
    asset: answer.text(),
    startTime: answer.time(),
    maturityTime: answer.nullable(answer.time()),
    principal: answer.decimal(),
    earnings: answer.decimal(),
    redemptionStatus: answer.oneOf(['ACTIVE', 'REDEEMING', 'REDEEMED']),
    maturityAmount: answer.decimal(),
    marginAllocation: answer.decimal(),
  },
);

export const margin = answer.object('Margin', 'The share of a plan that the enterprise keeps.', {
  asset: answer.text(),
  planId: answer.text(),
  planDuration: answer.integer(),
  apy: answer.decimal(),
  apyPct: answer.decimal(),
  enterpriseMargin: answer.decimal(),
  userId: answer.integer(),
  planType: answer.oneOf(['FLEXIBLE', 'FIXED', 'CUSTOMIZED']),
});

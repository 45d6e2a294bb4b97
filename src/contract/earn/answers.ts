// The answers of the earn calls, without their envelope. Ids are texts, as the contract has them.
// Fields that do not apply to a type of plan are null.
import { DAY_MS } from '../../core/calendar.ts';
import {
  currentTerms,
  type Plan,
  type PlanKind,
  type PlanTerms,
  PlanType,
  type PlanVersion,
} from '../../core/earn/plan.ts';
import { endDayOf, SubscriptionStatus } from '../../core/earn/subscription.ts';
import type { Renewal } from '../../core/earn/term.ts';
import { type Amount, add, subtract, ZERO } from '../../core/units.ts';
import * as answer from '../answer.ts';
import { boolean, decimal, integer, oneOf, text } from '../fields.ts';
import { jsonRate, jsonUnits } from '../json.ts';

export const planType = answer.codes('PlanType', '1 flexible, 2 fixed, 3 customized.', PlanType, {
  lenient: true,
});

export const subscriptionStatus = answer.codes(
  'SubscriptionStatus',
  '0 processing, 1 redeeming, 2 partially redeeming, 3 redeemed.',
  SubscriptionStatus,
);

export const redemptionStatus = answer.codes('RedemptionStatus', '1 pending, 2 credited.', {
  pending: 1,
  credited: 2,
});

type Terms = PlanKind & Omit<PlanTerms, 'booster'>;
const isRange = ({ planType }: Terms): boolean => planType === PlanType.customized;
const daysOfRange = (field: 'minLockDay' | 'maxLockDay') =>
  answer.made(answer.nullable(integer()), (terms: Terms) => (isRange(terms) ? terms[field] : null));

/** The fields of a plan for customers and for the operator, of a plan with its terms. */
export const planFields = {
  planId: answer.idText(),
  planType,
  coin: answer.coin(),
  label: text(),
  lockDay: answer.made(
    answer.nullable(integer(), 'Days of a fixed plan.'),
    ({ planType, minLockDay }: Terms) => (planType === PlanType.fixed ? minLockDay : null),
  ),
  minLockDay: daysOfRange('minLockDay'),
  maxLockDay: daysOfRange('maxLockDay'),
  userAmountMin: answer.money(),
  userAmountMax: answer.money(),
  supportEarlyRedemption: boolean(),
  supportAutoRenew: boolean(),
  maxApr: answer.made(
    answer.nullable(decimal(), 'Rates are simple annual rates: 0.05 is 5 %.'),
    (terms: Terms) => (isRange(terms) ? jsonRate(terms.maxRate) : null),
  ),
  minApr: answer.made(answer.nullable(decimal()), (terms: Terms) =>
    isRange(terms) ? jsonRate(terms.minRate) : null,
  ),
  apr: answer.made(answer.nullable(decimal()), (terms: Terms) =>
    isRange(terms) ? null : jsonRate(terms.minRate),
  ),
} as const;

export const plan = answer.object('Plan', 'An earn plan.', {
  ...planFields,
  planName: text(),
  applyId: answer.constant(null),
});

interface Pool {
  readonly poolCapacity: Amount | null;
  readonly pool: Amount;
}

/** An amendment can set the capacity below what is subscribed. */
const capacityLeft = (capacity: Amount, pool: Amount): Amount =>
  pool < capacity ? subtract(capacity, pool) : ZERO;

/** Terms that a customer must know before subscribing; agio adds them to the contract. */
export const advanceTerms = {
  redeemLockHours: integer(
    'Hours from a redemption to its credit. At the end of a term, the credit is immediate.',
  ),
  autoCompound: boolean('Whether interest joins the principal; flexible plans only.'),
  requiresKyc: boolean('Whether only verified customers may subscribe.'),
  capacityLeft: answer.made(
    answer.nullable(decimal(), 'What customers can still subscribe in all; null: no limit.'),
    ({ poolCapacity, pool }: Pool, { scale }: { readonly scale: number }) =>
      poolCapacity === null ? null : jsonUnits(capacityLeft(poolCapacity, pool), scale),
  ),
} as const;

/** The contract's table and sample spell two fields differently, so both spellings are there. */
export const planDetail = answer.object('PlanDetail', 'An earn plan with all its terms.', {
  ...planFields,
  minlockDay: answer.noted(planFields.minLockDay, 'The same as minLockDay.'),
  apy: answer.noted(planFields.apr, 'The same as apr.'),
  ...advanceTerms,
});

export const boosterInfo = answer.object('BoosterInfo', 'The addition of a booster.', {
  apy: answer.from('boosterRate', answer.rate('The extra rate.')),
  boosterAmount: answer.from(
    'boosterRequired',
    answer.money('The amount of the booster’s coin that the subscription needs.'),
  ),
  coin: answer.coin(),
  interestAmount: decimal('In the plan’s coin.'),
});

const totalRate = (about?: string) =>
  answer.made(
    decimal(about),
    ({ rate, boosterRate }: { readonly rate: number; readonly boosterRate: number }) =>
      jsonRate(rate + boosterRate),
  );

interface Interest {
  readonly interest: Amount;
  readonly boosterInterest: Amount;
}

const totalInterest = answer.made(
  decimal(),
  ({ interest, boosterInterest }: Interest, { scale }: { readonly scale: number }) =>
    jsonUnits(add(interest, boosterInterest), scale),
);

export const applyPreview = answer.object(
  'ApplyPreview',
  'The interest of a possible subscription.',
  {
    planId: answer.idText(),
    amount: answer.money(),
    coin: answer.coin(),
    apr: answer.from('rate', answer.rate()),
    apy: answer.from('rate', answer.rate()),
    totalApr: totalRate(),
    totalApy: totalRate(),
    planType,
    lockDay: answer.nonZero(integer()),
    interestAmount: answer.from(
      'interest',
      answer.money('For the term; for a flexible plan, for one reward period.'),
    ),
    totalInterestAmount: totalInterest,
    rewardFrequency: integer('Days from one payout to the next.'),
    appliedAmount: answer.nullable(answer.money(), 'The amount already in the flexible plan.'),
    userAmountMin: answer.money(),
    userAmountMax: answer.money(),
    startDate: answer.from('startDay', answer.date('00:00 UTC.')),
    endDate: answer.from('endDay', answer.nullable(answer.date())),
    boosterInfo: answer.nullable(answer.written(boosterInfo)),
    supportAutoRenew: boolean(),
    ...advanceTerms,
  },
);

export const applied = answer.object('Applied', 'The subscription.', {
  applyId: answer.idText(),
  amount: answer.money(),
});

/** A subscription as its answers have it, live or redeemed. */
export interface SubscriptionView {
  readonly applyId: number;
  readonly plan: Plan;
  /** For a running term its promised terms, else the plan's current ones. */
  readonly terms: PlanVersion;
  readonly status: SubscriptionStatus;
  readonly amount: Amount;
  readonly rate: number;
  /** The booster's addition; 0 without one. */
  readonly boosterRate: number;
  readonly hadBooster: boolean;
  readonly startDay: number;
  readonly lockDay: number;
  readonly autoRenew: boolean;
  readonly renewal: Renewal | null;
  readonly earned: Amount;
}

const ofView = answer.madeOf<SubscriptionView, unknown>();

const subscriptionFields = {
  applyId: answer.idText(),
  amount: answer.money(),
  apy: answer.from('rate', answer.rate()),
  totalApy: totalRate('The rate that accrues: `apy` and the booster’s rate.'),
  coin: answer.coin(),
  startDate: answer.from('startDay', answer.dateText('Epoch ms, as a text.')),
  endDate: ofView(answer.nullable(answer.timeText()), (view) => {
    const day = endDayOf(view);
    return day === null ? null : String(day * DAY_MS);
  }),
  lockDay: answer.nonZero(integer()),
  planId: ofView(text(), ({ plan }) => String(plan.planId)),
  planName: ofView(text(), ({ plan }) => currentTerms(plan).planName),
  planType: ofView(planType, ({ plan }) => plan.planType),
  rewardFrequency: ofView(integer(), ({ plan }) => plan.rewardFrequency),
  status: subscriptionStatus,
  supportEarlyRedemption: ofView(boolean(), ({ terms }) => terms.supportEarlyRedemption),
  totalEarnedAmount: answer.from('earned', answer.money()),
} as const;

export const currentSubscription = answer.object(
  'CurrentSubscription',
  'A subscription that is not redeemed.',
  {
    ...subscriptionFields,
    apyPct: answer.from('rate', answer.percent('The rate as a percentage.')),
    autoCompound: ofView(boolean(), ({ plan }) => plan.autoCompound),
    hadBooster: boolean(),
  },
);

export const endedSubscription = answer.object(
  'EndedSubscription',
  'A redeemed subscription. Its amount is the maximum of its last term.',
  { ...subscriptionFields, endedAt: answer.from('transactTime', answer.time()) },
);

export const redemption = answer.object('Redemption', 'One redemption of a subscription.', {
  amount: answer.money(),
  createTime: answer.timeText('Epoch ms, as a text.'),
  redeemLockTime: answer.from('redeemLockHours', integer('Hours.')),
  status: redemptionStatus,
});

export const renewal = answer.object('Renewal', 'The renewal that would follow.', {
  apr: answer.from(
    'rate',
    answer.rate('The annual rate of the next term, after the margin of the enterprise.'),
  ),
  consentNeeded: boolean(
    'The margin has risen: the term ends unless the customer switches auto renew on again.',
  ),
});

export const subscription = answer.object('Subscription', 'A subscription, live or redeemed.', {
  ...subscriptionFields,
  redeemHistories: answer.list(redemption, 'Newest first.'),
  autoRenew: boolean(),
  renewal: answer.nullable(
    renewal,
    'The renewal under the current terms; null without auto renew.',
  ),
});

export const interestEntry = answer.object(
  'InterestEntry',
  'The interest of one UTC day, including the booster’s.',
  {
    coin: answer.coin(),
    date: answer.from('day', answer.date('00:00 UTC of the day that earned.')),
    earnedAmount: totalInterest,
  },
);

export const explainedRate = answer.object(
  'ExplainedRate',
  'exact + carriedIn = earnedAmount + carriedOut, in whole coins; all fractions have one ' +
    'denominator.',
  {
    rate: decimal(),
    exact: text(),
    numerator: text(),
    denominator: text(),
    carriedIn: text(),
    earnedAmount: decimal(),
    carriedOut: text(),
  },
);

export const interestExplanation = answer.object(
  'InterestExplanation',
  'How the interest of one day was calculated, to the last digit.',
  {
    applyId: answer.idText(),
    date: answer.from('day', answer.date()),
    coin: answer.coin(),
    principalBasis: answer.from('basis', answer.money()),
    dayCount: text(),
    ...explainedRate.shape.fields,
    rounding: text(),
    booster: answer.nullable(explainedRate),
  },
);

export const redeemPreview = answer.object(
  'RedeemPreview',
  'The result of a possible redemption.',
  {
    boosterAmount: answer.nullable(decimal()),
    boosterCoin: answer.nullable(text()),
    earnedAmount: answer.from('earned', answer.money()),
    forfeitedEarningAmount: answer.from(
      'forfeited',
      answer.nullable(
        answer.money(),
        'Interest that an early redemption of a term forfeits; null for flexible plans.',
      ),
    ),
    timeToRedeem: answer.from('redeemLockHours', integer('Hours.')),
  },
);

/** A partial redemption counts as a redemption, although the rest earns on. */
const REDEMPTION_WORDS = {
  [SubscriptionStatus.processing]: 'ACTIVE',
  [SubscriptionStatus.redeeming]: 'REDEEMING',
  [SubscriptionStatus.partiallyRedeeming]: 'REDEEMING',
  [SubscriptionStatus.redeemed]: 'REDEEMED',
} as const;

export const memberSubscription = answer.object(
  'MemberSubscription',
  'A subscription of a member of the enterprise.',
  {
    subscriptionId: answer.from('applyId', answer.idText()),
    uid: integer('The member.'),
    planId: answer.idText(),
    planType,
    asset: answer.coin(),
    startTime: answer.from('startDay', answer.date()),
    maturityTime: answer.nullable(answer.date()),
    principal: answer.money(),
    earnings: answer.from('earned', answer.money()),
    redemptionStatus: answer.made(
      oneOf(['ACTIVE', 'REDEEMING', 'REDEEMED']),
      ({ status }: { readonly status: SubscriptionStatus }) => REDEMPTION_WORDS[status],
    ),
    maturityAmount: answer.money(),
    marginAllocation: answer.from('marginEarned', answer.money()),
  },
);

export const margin = answer.object('Margin', 'The share of a plan that the enterprise keeps.', {
  asset: answer.coin(),
  planId: answer.idText(),
  planDuration: answer.from('minLockDay', integer()),
  apy: answer.from('minRate', answer.rate()),
  apyPct: answer.from('minRate', answer.percent()),
  enterpriseMargin: answer.from('margin', answer.rate()),
  userId: answer.from('uid', integer()),
  planType: answer.wordsOf({
    FLEXIBLE: PlanType.flexible,
    FIXED: PlanType.fixed,
    CUSTOMIZED: PlanType.customized,
  }),
});

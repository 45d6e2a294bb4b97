// The words for kinds of plans and for what members' subscriptions are doing.
import type { PlanType } from '../api/earn.ts';
import type { PlanMargin, RedemptionStatus } from '../api/enterprise.ts';
import type { StatusWord } from '../earn/words.ts';

export const TYPE_OF: Readonly<Record<PlanMargin['planType'], PlanType>> = {
  FLEXIBLE: '1',
  FIXED: '2',
  CUSTOMIZED: '3',
};

export const STATUS_WORDS: Readonly<Record<RedemptionStatus, StatusWord>> = {
  ACTIVE: { text: 'Earning', tone: 'good' },
  REDEEMING: { text: 'Being redeemed', tone: 'waiting' },
  REDEEMED: { text: 'Ended', tone: 'over' },
};

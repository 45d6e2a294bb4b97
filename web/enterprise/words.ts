// Texts for plan types and for the status of members' subscriptions.
import { type Margin, type MemberSubscription, PlanType } from '../../src/sdk/index.ts';
import type { StatusWord } from '../earn/words.ts';

export const TYPE_OF: Readonly<Record<Margin['planType'], PlanType>> = {
  FLEXIBLE: PlanType.flexible,
  FIXED: PlanType.fixed,
  CUSTOMIZED: PlanType.customized,
};

export const STATUS_WORDS: Readonly<Record<MemberSubscription['redemptionStatus'], StatusWord>> = {
  ACTIVE: { text: 'Earning', tone: 'good' },
  REDEEMING: { text: 'Redeeming', tone: 'waiting' },
  REDEEMED: { text: 'Ended', tone: 'over' },
};

// The earn calls of an enterprise's admin: subscriptions of members, and margins.

import type { SetMargin } from '../../core/command.ts';
import { termInterest } from '../../core/earn/interest.ts';
import { currentTerms, type Plan, PlanType } from '../../core/earn/plan.ts';
import {
  endDayOf,
  type Subscription,
  SubscriptionStatus,
  statusOf,
} from '../../core/earn/subscription.ts';
import type { SubscriptionChanged } from '../../core/event.ts';
import type { State } from '../../core/state.ts';
import { type Amount, add, MAX_INTEGER, RATE_DECIMALS, ZERO } from '../../core/units.ts';
import type { AnswerValue } from '../answer.ts';
import type { Infer } from '../fields.ts';
import { decimal, oneOf, optional, text } from '../fields.ts';
import { onScale } from '../grid.ts';
import { jsonPercent, jsonRate, jsonUnits } from '../json.ts';
import { object } from '../object.ts';
import { DEFAULT_PAGE, DEFAULT_PAGE_SIZE, page, pageSize } from '../paging.ts';
import { invalidField } from '../problem.ts';
import type { Caller } from '../trading/orders.ts';
import type * as answers from './answers.ts';
import { planId } from './requests.ts';
import { coinOf, dateOf } from './writers.ts';

const coin = text({ min: 1, max: 32, ascii: true, about: 'Only plans of this coin.' });

export const membersBody = object({
  planType: optional(
    oneOf([1, 2, 3], { lenient: true, about: '1 flexible, 2 fixed, 3 customized.' }),
  ),
  symbol: optional(coin),
  pageNum: optional(page),
  currentPage: optional(page),
  pageSize: optional(pageSize, DEFAULT_PAGE_SIZE),
});

export const marginsBody = object({ asset: optional(coin), pageNum: page, pageSize });

export const marginQuery = object({
  planId,
  margin: decimal({ sign: 'notNegative', about: 'Annual rate, at most the plan’s own.' }),
});

/** The page by either of its names. Throws Problem if they differ. */
export function pageOf({ pageNum, currentPage }: Infer<typeof membersBody>): number {
  if (pageNum !== undefined && currentPage !== undefined && pageNum !== currentPage) {
    throw invalidField('currentPage', 'be the same as pageNum, or be left out', {
      rule: 'correspond',
      value: currentPage,
      nearest: pageNum,
    });
  }
  return pageNum ?? currentPage ?? DEFAULT_PAGE;
}

/** Throws Problem for a rate of more than 8 decimals. */
export function toSetMargin(
  body: Infer<typeof marginQuery>,
  { uid, signature, idempotency }: Caller,
): SetMargin {
  const margin = onScale('margin', body.margin, RATE_DECIMALS);
  return {
    type: 'setMargin',
    uid,
    signature,
    idempotency,
    planId: body.planId,
    // A rate above every plan's own; the core rejects it.
    margin: typeof margin === 'number' ? margin : MAX_INTEGER,
  };
}

const TYPE_WORDS = {
  [PlanType.flexible]: 'FLEXIBLE',
  [PlanType.fixed]: 'FIXED',
  [PlanType.customized]: 'CUSTOMIZED',
} as const;

/** A partial redemption counts as a redemption, although the rest earns on. */
const REDEMPTION_WORDS = {
  [SubscriptionStatus.processing]: 'ACTIVE',
  [SubscriptionStatus.redeeming]: 'REDEEMING',
  [SubscriptionStatus.partiallyRedeeming]: 'REDEEMING',
  [SubscriptionStatus.redeemed]: 'REDEEMED',
} as const;

/** The last change of a member's subscription, without interest. */
type MemberFacts = Omit<SubscriptionChanged, 'type' | 'status' | 'transactTime'> & {
  readonly maturityPrincipal: Amount;
};

/** Paid interest of a compounding plan is already part of the principal. */
const paidApart = ({ earn }: State, { planId }: MemberFacts, earned: Amount): Amount =>
  earn.plans[planId]!.autoCompound ? ZERO : earned;

/** A member's subscription; `live` has the current figures, if it is live. */
export function writeMember(
  state: State,
  facts: MemberFacts,
  live: Subscription | undefined,
): AnswerValue<typeof answers.memberSubscription> {
  const { name, scale } = coinOf(state, facts);
  const now = live ?? facts;
  const { startDay, lockDay, earned } = now;
  // For a subscription that no longer earns, what it held.
  const principal = now.principal === 0 ? facts.maturityPrincipal : now.principal;
  const interest =
    lockDay === 0
      ? paidApart(state, facts, earned)
      : add(
          termInterest(principal, now.rate, lockDay),
          termInterest(principal, now.boosterRate, lockDay),
        );
  const status = live === undefined ? SubscriptionStatus.redeemed : statusOf(live);
  const end = endDayOf({ startDay, lockDay });
  return {
    subscriptionId: String(facts.applyId),
    uid: facts.uid,
    planId: String(facts.planId),
    planType: facts.planType,
    asset: name,
    startTime: dateOf(startDay),
    maturityTime: end === null ? null : dateOf(end),
    principal: jsonUnits(principal, scale),
    earnings: jsonUnits(earned, scale),
    redemptionStatus: REDEMPTION_WORDS[status],
    maturityAmount: jsonUnits(add(principal, interest), scale),
    marginAllocation: jsonUnits(now.marginEarned, scale),
  };
}

/** A plan with the enterprise's margin, an annual rate in 10^-8; `uid` is the caller's. */
export function writeMargin(
  state: State,
  plan: Plan,
  margin: number,
  uid: number,
): AnswerValue<typeof answers.margin> {
  const { minRate } = currentTerms(plan);
  return {
    asset: coinOf(state, plan).name,
    planId: String(plan.planId),
    planDuration: plan.minLockDay,
    apy: jsonRate(minRate),
    apyPct: jsonPercent(minRate),
    enterpriseMargin: jsonRate(margin),
    userId: uid,
    planType: TYPE_WORDS[plan.planType],
  };
}

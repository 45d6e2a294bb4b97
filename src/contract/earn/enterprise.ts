// The earn calls of an enterprise's admin: subscriptions of members, and margins.

import type { SetMargin } from '../../core/command.ts';
import { termInterest } from '../../core/earn/interest.ts';
import type { Plan } from '../../core/earn/plan.ts';
import {
  endDayOf,
  type Subscription,
  SubscriptionStatus,
  statusOf,
} from '../../core/earn/subscription.ts';
import type { SubscriptionChanged } from '../../core/event.ts';
import type { State } from '../../core/state.ts';
import { type Amount, add, MAX_INTEGER, RATE_DECIMALS, ZERO } from '../../core/units.ts';
import { neededField } from '../absent.ts';
import { decimal, type Infer, integer, optional, text } from '../fields.ts';
import { onScale } from '../grid.ts';
import { makeCommand } from '../nearest.ts';
import { object } from '../object.ts';
import { pageFields, pageNames, pageSize, readPage } from '../paging.ts';
import { type Caller, callerOnly } from '../trading/orders.ts';
import { margin, memberSubscription } from './answers.ts';
import { NO_SUCH_ID, planId } from './requests.ts';
import { coinOf, withTerms } from './writers.ts';

const coin = text({ min: 1, max: 32, ascii: true, about: 'Only plans of this coin.' });

export const membersBody = object({
  planType: optional(
    integer({
      lenient: true,
      about: 'Only plans of this type: 1 flexible, 2 fixed, 3 customized.',
    }),
  ),
  symbol: optional(coin),
  ...pageFields,
});

/** The spec requires the page and its size. */
export const marginsBody = object({ asset: optional(coin), ...pageNames, pageSize });

/** The page of the margins. Throws Problem if no name of it is sent, or the names differ. */
export function readMarginsPage(body: Infer<typeof marginsBody>) {
  if (body.pageNum === undefined && body.currentPage === undefined) {
    throw neededField(body, 'pageNum', 'an integer from 1: the page');
  }
  return readPage(body);
}

export const marginQuery = object({
  planId,
  margin: decimal({ sign: 'notNegative', about: 'Annual rate, at most the plan’s own.' }),
});

/** The asset of a filter; one that no plan has, if there is no asset of that name. */
export const filterAsset = (state: State, name: string | undefined): number | undefined =>
  name === undefined ? undefined : (state.assetNamed(name)?.assetId ?? NO_SUCH_ID);

/** Throws Problem for a rate of more than 8 decimals. */
export const toSetMargin = (
  state: State,
  query: Infer<typeof marginQuery>,
  caller: Caller,
): SetMargin =>
  makeCommand(state, query, ({ planId, margin }) => {
    const rate = onScale('margin', margin, RATE_DECIMALS);
    return {
      type: 'setMargin',
      ...callerOnly(caller),
      planId,
      // A rate above every plan's own; the core rejects it.
      margin: typeof rate === 'number' ? rate : MAX_INTEGER,
    };
  });

/** The last change of a member's subscription, without interest. */
type MemberFacts = Omit<SubscriptionChanged, 'type' | 'status' | 'transactTime'> & {
  readonly maturityPrincipal: Amount;
};

/** Paid interest of a compounding plan is already part of the principal. */
const paidApart = ({ earn }: State, { planId }: MemberFacts, earned: Amount): Amount =>
  earn.plans[planId]!.autoCompound ? ZERO : earned;

/** A member's subscription; `live` has the current figures, if it is live. */
export function writeMember(state: State, facts: MemberFacts, live: Subscription | undefined) {
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
  const maturityTime = endDayOf({ startDay, lockDay });
  const { marginEarned } = now;
  const figures = { startDay, principal, earned, status, marginEarned, maturityTime };
  return memberSubscription.write(
    { ...facts, ...figures, maturityAmount: add(principal, interest) },
    coinOf(state, facts),
  );
}

/** A plan with the enterprise's margin, an annual rate in 10^-8; `uid` is the caller's. */
export const writeMargin = (state: State, plan: Plan, enterpriseMargin: number, uid: number) =>
  margin.write({ ...withTerms(plan), margin: enterpriseMargin, uid }, coinOf(state, plan));

// Checks of the earn calls: the envelopes, fields with two spellings, the legacy errors and, if the
// kit may make one, a subscription.
import { earnCalls, enterpriseCalls } from '../contract/earn/calls.ts';
import * as decimal from '../sdk/decimal.ts';
import { type Check, section } from './check.ts';
import {
  type AnswerOf,
  expect,
  expectDescribed,
  expectRejected,
  expectSame,
  Skip,
} from './expect.ts';
import type { Kit } from './kit.ts';

const envelope = section('earn', 'Response envelope');
const plan = section('earn', 'Plan');
const preview = section('earn', 'Apply preview');
const subscription = section('earn', 'Subscription');
const current = section('earn', 'Current subscription entry');
const interest = section('earn', 'Subscription interest history');
const redeem = section('earn', 'Redeem preview');
const legacy = section('earn', 'Legacy error list');
const edit = section('earn', 'Edit plan (auto renew)');
const enterprise = section('earn', 'Permission groups');

const { plans, previewApply, applyPlan, subscriptions, previewRedeem, setAutoRenew } = earnCalls;
const { margins, memberSubscriptions } = enterpriseCalls;
const NO_ID = '999999999';
const FLEXIBLE = 1;

/** The open plans. Throws Skip if there are none. */
async function openPlans(kit: Kit): Promise<AnswerOf<typeof plans>> {
  const open = await kit.call(plans);
  if (open.length === 0) throw new Skip('no plan is open');
  return open;
}

/**
 * A subscription of the account, which the kit makes if it is allowed. Throws Skip if there is
 * none.
 */
async function anySubscription(kit: Kit): Promise<AnswerOf<typeof subscriptions>[number]> {
  const [first] = await kit.call(subscriptions);
  if (first !== undefined) return first;
  if (!kit.options.subscribe) {
    throw new Skip('the account has no subscription; --subscribe lets the kit make one');
  }
  for (const { planId, planType, coin, userAmountMin: amount } of await openPlans(kit)) {
    const isAffordable = decimal.compare(await kit.has(coin), amount) >= 0;
    if (planType !== FLEXIBLE || !isAffordable) continue;
    await kit.call(applyPlan, { planId, amount });
    const [created] = await kit.call(subscriptions);
    expect(created !== undefined, 'the new subscription in the current list', created);
    return created;
  }
  throw new Skip('the account has the minimum of no open flexible plan');
}

async function flexibleSubscription(kit: Kit): ReturnType<typeof anySubscription> {
  const found = await anySubscription(kit);
  if (found.planType !== FLEXIBLE) throw new Skip('the subscription is not flexible');
  return found;
}

export const earnChecks: readonly Check[] = [
  envelope(
    'ERN-01',
    'Answers have code "0", msg success and data; plan/list has succ too.',
    async (kit) => {
      await kit.call(plans);
      await kit.call(subscriptions);
    },
  ),
  plan('ERN-02', 'Plans of the list have the fields of the table.', async (kit) => {
    await openPlans(kit);
  }),
  plan('ERN-03', 'The detail of a plan has both spellings of a field.', async (kit) => {
    for (const { planId } of await openPlans(kit)) {
      const detail = await kit.call(earnCalls.plan, { planId });
      expectSame('apr and apy', detail.apr, detail.apy);
      expectSame('minLockDay and minlockDay', detail.minLockDay, detail.minlockDay);
    }
  }),
  preview(
    'ERN-04',
    'The preview has the fields of the table; endDate is null for flexible plans.',
    async (kit) => {
      for (const { planId, planType } of await openPlans(kit)) {
        const answer = await kit.call(previewApply, { planId, amount: 1000 });
        const isEndless = answer.endDate === null;
        expectSame('whether endDate is null', isEndless, planType === FLEXIBLE);
        const { totalInterestAmount: total, interestAmount: own } = answer;
        const includes = decimal.compare(total, own) >= 0;
        expect(includes, 'totalInterestAmount to include interestAmount', answer);
      }
    },
  ),
  legacy('ERN-05', 'An unknown plan is 40000, a missing parameter 40001.', async (kit) => {
    await kit.expectRejected(earnCalls.plan, { planId: NO_ID }, 'planUnknown');
    await kit.expectRejected(earnCalls.plan, {}, 'earnField');
  }),
  legacy('ERN-06', 'Below and above the amounts of a plan are 40002 and 40003.', async (kit) => {
    const flexible = (await openPlans(kit)).find(({ planType }) => planType === FLEXIBLE);
    if (flexible === undefined) throw new Skip('no flexible plan is open');
    const { planId, userAmountMin, userAmountMax } = flexible;
    const above = decimal.add(userAmountMax, '1');
    await kit.expectRejected(applyPlan, { planId, amount: above }, 'aboveUserMaximum');
    const open = await kit.call(subscriptions);
    const isSubscribed = open.some((one) => one.planId === planId);
    const below = decimal.multiply(userAmountMin, '0.5');
    if (!isSubscribed && decimal.isPositive(below)) {
      await kit.expectRejected(applyPlan, { planId, amount: below }, 'belowUserMinimum');
    }
  }),
  legacy(
    'ERN-07',
    'An unknown subscription is 40000, in every call that names one.',
    async (kit) => {
      for (const call of [earnCalls.subscription, earnCalls.interest, previewRedeem]) {
        await kit.expectRejected(call, { applyId: NO_ID }, 'planUnknown');
      }
    },
  ),
  current('ERN-08', 'Entries of the current list have the fields of the table.', async (kit) => {
    await anySubscription(kit);
    for (const { apy, apyPct, status } of await kit.call(subscriptions)) {
      const isPercent = decimal.compare(apyPct, decimal.toPercent(apy)) === 0;
      expect(isPercent, `apyPct to be ${apy} as a percentage`, apyPct);
      expect(status !== 3, 'status 0, 1 or 2', status);
    }
  }),
  subscription(
    'ERN-09',
    'The detail of a subscription has the fields of the table.',
    async (kit) => {
      const { applyId } = await anySubscription(kit);
      expectSame('applyId', (await kit.call(earnCalls.subscription, { applyId })).applyId, applyId);
    },
  ),
  interest('ERN-10', 'The interest comes in the page wrapper.', async (kit) => {
    const { applyId } = await anySubscription(kit);
    const page = await kit.call(earnCalls.interest, { applyId, currentPage: 1, pageSize: 5 });
    expectSame('currentPage and pageSize', [page.currentPage, page.pageSize], [1, 5]);
  }),
  redeem('ERN-11', 'The redeem preview has the fields of the table.', async (kit) => {
    const { applyId, supportEarlyRedemption, planType } = await anySubscription(kit);
    if (supportEarlyRedemption || planType === FLEXIBLE) {
      await kit.call(previewRedeem, { applyId });
    } else {
      await kit.expectRejected(previewRedeem, { applyId }, 'earlyRedemption');
    }
  }),
  redeem('ERN-12', 'A redemption above the amount of a subscription is 40010.', async (kit) => {
    const { applyId } = await flexibleSubscription(kit);
    const body = { applyId, amount: '999999999' };
    await kit.expectRejected(earnCalls.redeem, body, 'redeemAboveAmount');
  }),
  edit('ERN-13', 'A call for another account is rejected with 403.', async (kit) => {
    await kit.expectRejected(setAutoRenew, { uid: 9_007_199_254_740_991 }, 'forbidden');
    await kit.call(setAutoRenew);
  }),
  enterprise(
    'ERN-14',
    'Only the admin of an enterprise may make its calls; others are rejected with 403.',
    async (kit) => {
      const answer = await kit.wire.send(margins, { pageNum: 1, pageSize: 5 });
      if (answer.status !== 200) {
        expectRejected(answer, 'forbidden');
        await kit.expectRejected(memberSubscriptions, {}, 'forbidden');
        return;
      }
      expectDescribed(margins, answer);
      await kit.call(memberSubscriptions);
    },
  ),
  redeem('ERN-15', 'A redemption is answered with true.', async (kit) => {
    if (!kit.options.subscribe) throw new Skip('--subscribe lets the kit subscribe and redeem');
    const { applyId, amount } = await flexibleSubscription(kit);
    expectSame('data', await kit.call(earnCalls.redeem, { applyId, amount }), true);
  }),
];

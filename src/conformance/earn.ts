// Checks of the earn calls: envelopes, fields with both spellings, the legacy errors; and, where it
// is allowed, a subscription.
import * as decimal from '../sdk/decimal.ts';
import { type Check, expect, expectSame, Skipped, section } from './check.ts';
import {
  decimalText,
  expectEnvelope,
  expectLegacy,
  expectOk,
  expectRefused,
  expectRows,
  expectShape,
  type Shape,
} from './expect.ts';
import { EARN, type Kit } from './kit.ts';
import type { Json } from './wire.ts';

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

const NO_ID = '999999999';
const FLEXIBLE = 1;

const PLAN: Shape = {
  planId: 'text',
  planType: 'integer',
  coin: 'text',
  label: 'text',
  lockDay: 'integer?',
  minLockDay: 'integer?',
  maxLockDay: 'integer?',
  userAmountMin: 'decimal',
  userAmountMax: 'decimal',
  supportEarlyRedemption: 'boolean',
  supportAutoRenew: 'boolean',
  maxApr: 'decimal?',
  minApr: 'decimal?',
  apr: 'decimal?',
};
const SUBSCRIPTION: Shape = {
  applyId: 'text',
  amount: 'decimal',
  apy: 'decimal',
  coin: 'text',
  startDate: 'timeText',
  endDate: 'timeText?',
  lockDay: 'integer?',
  planId: 'text',
  planName: 'text',
  planType: 'integer',
  rewardFrequency: 'integer',
  status: 'integer',
  supportEarlyRedemption: 'boolean',
  totalEarnedAmount: 'decimal',
};

/** The open plans. Throws Skipped where there are none. */
async function plansOf({ wire }: Kit): Promise<Json[]> {
  const plans = expectEnvelope(await wire.open(`${EARN}/plan/list`), true) as unknown as Json[];
  if (plans.length === 0) throw new Skipped('no plan is open');
  return plans;
}

/**
 * A subscription of the account; one is made where that was allowed. Throws Skipped where there is
 * none.
 */
async function subscribed(kit: Kit): Promise<Json> {
  const list = `${EARN}/apply/currentList`;
  const [held] = expectEnvelope(await kit.wire.get(list), false) as unknown as Json[];
  if (held !== undefined) return held;
  if (!kit.options.subscribe) {
    throw new Skipped('the account has no subscription; --subscribe lets the kit make one');
  }
  for (const { planId, planType, coin, userAmountMin } of await plansOf(kit)) {
    const amount = decimalText(userAmountMin as unknown);
    const affordable = decimal.compare(await kit.has(String(coin)), amount) >= 0;
    if (Number(planType) !== FLEXIBLE || !affordable) continue;
    const answer = await kit.wire.post(`${EARN}/plan/apply`, { planId, amount });
    const applied = expectEnvelope(answer, false);
    expectShape('the answer of apply', applied, { applyId: 'text', amount: 'decimal' });
    const [made] = expectEnvelope(await kit.wire.get(list), false) as unknown as Json[];
    return made!;
  }
  throw new Skipped('no flexible plan is open whose least amount the account has');
}

export const earnChecks: readonly Check[] = [
  envelope(
    'ERN-01',
    'Answers have code "0", msg success and data; plan/list has succ too.',
    async (kit) => {
      expectEnvelope(await kit.wire.open(`${EARN}/plan/list`), true);
      expectEnvelope(await kit.wire.get(`${EARN}/apply/currentList`), false);
    },
  ),
  plan('ERN-02', 'Plans of the list have the fields of the table.', async (kit) => {
    const shape: Shape = { ...PLAN, planName: 'text', applyId: 'text?' };
    const rows = await plansOf(kit);
    for (const row of rows) {
      expectShape('a plan', row, shape);
      expect([1, 2, 3].includes(Number(row.planType)), 'planType 1, 2 or 3', row.planType);
    }
  }),
  plan('ERN-03', 'The detail of a plan has both spellings of a field.', async (kit) => {
    for (const { planId } of await plansOf(kit)) {
      const answer = await kit.wire.get(`${EARN}/plan/detail`, { planId: String(planId) });
      const detail = expectEnvelope(answer, false);
      expectShape('the plan', detail, { ...PLAN, apy: 'decimal?', minlockDay: 'integer?' });
      expectSame('apr and apy', detail.apr, detail.apy);
      expectSame('minLockDay and minlockDay', detail.minLockDay, detail.minlockDay);
    }
  }),
  preview(
    'ERN-04',
    'The preview has the fields of the table; endDate is null for flexible plans.',
    async (kit) => {
      for (const { planId, planType } of await plansOf(kit)) {
        const query = { planId: String(planId), amount: 1000 };
        const told = expectEnvelope(await kit.wire.get(`${EARN}/apply/preview`, query), false);
        expectShape('the preview', told, {
          planId: 'text',
          amount: 'decimal',
          coin: 'text',
          apy: 'decimal',
          totalApy: 'decimal',
          planType: 'integer',
          lockDay: 'integer?',
          interestAmount: 'decimal',
          totalInterestAmount: 'decimal',
          rewardFrequency: 'integer',
          appliedAmount: 'decimal?',
          userAmountMin: 'decimal',
          userAmountMax: 'decimal',
          startDate: 'time',
          endDate: 'time?',
          boosterInfo: 'object?',
          supportAutoRenew: 'boolean',
        });
        const endless = (told.endDate as unknown) === null;
        expectSame('whether endDate is null', endless, Number(planType) === FLEXIBLE);
        const total = decimalText(told.totalInterestAmount as unknown);
        const own = decimalText(told.interestAmount as unknown);
        expect(
          decimal.compare(total, own) >= 0,
          'totalInterestAmount to include interestAmount',
          told,
        );
      }
    },
  ),
  legacy(
    'ERN-05',
    'A plan that does not exist is 40000, a parameter that is missing 40001.',
    async (kit) => {
      const unknown = await kit.wire.get(`${EARN}/plan/detail`, { planId: NO_ID });
      expectLegacy(unknown, 40000, 'earn.plan.invalid');
      const missing = await kit.wire.get(`${EARN}/plan/detail`);
      expectLegacy(missing, 40001, 'earn.plan.invalid_param');
    },
  ),
  legacy('ERN-06', 'Below and above the amounts of a plan are 40002 and 40003.', async (kit) => {
    const flexible = (await plansOf(kit)).find(({ planType }) => Number(planType) === FLEXIBLE);
    if (flexible === undefined) throw new Skipped('no flexible plan is open');
    const { planId, userAmountMin, userAmountMax } = flexible;
    const apply = (amount: string) => kit.wire.post(`${EARN}/plan/apply`, { planId, amount });
    const least = decimalText(userAmountMin as unknown);
    const above = decimal.add(decimalText(userAmountMax as unknown), '1');
    expectLegacy(await apply(above), 40003, 'earn.plan.user_max_amount');
    const held = expectEnvelope(await kit.wire.get(`${EARN}/apply/currentList`), false);
    const holds = (held as unknown as Json[]).some((one) => String(one.planId) === String(planId));
    const below = decimal.multiply(least, '0.5');
    if (!holds && decimal.isPositive(below)) {
      expectLegacy(await apply(below), 40002, 'earn.plan.user_min_amount');
    }
  }),
  legacy(
    'ERN-07',
    'A subscription that does not exist is 40000, in every call that names one.',
    async ({ wire }) => {
      for (const path of ['apply/detail', 'apply/interest', 'redeem/preview']) {
        const answer = await wire.get(`${EARN}/${path}`, { applyId: NO_ID });
        expectLegacy(answer, 40000, 'earn.plan.invalid');
      }
    },
  ),
  current('ERN-08', 'Entries of the current list have the fields of the table.', async (kit) => {
    await subscribed(kit);
    const list = expectEnvelope(await kit.wire.get(`${EARN}/apply/currentList`), false);
    const rows = expectRows('the current list', list, {
      ...SUBSCRIPTION,
      apyPct: 'decimal',
      autoCompound: 'boolean',
      hadBooster: 'boolean',
    });
    for (const { apy, apyPct, status } of rows) {
      const percent = decimal.toPercent(decimalText(apy as unknown));
      expectSame('apyPct', decimalText(apyPct as unknown), percent.replace(/\.?0+$/, '') || '0');
      expect([0, 1, 2].includes(Number(status)), 'status 0, 1 or 2', status);
    }
  }),
  subscription(
    'ERN-09',
    'The detail of a subscription has the fields of the table.',
    async (kit) => {
      const { applyId } = await subscribed(kit);
      const query = { applyId: String(applyId) };
      const detail = expectEnvelope(await kit.wire.get(`${EARN}/apply/detail`, query), false);
      expectShape('the subscription', detail, {
        ...SUBSCRIPTION,
        redeemHistories: 'list',
        autoRenew: 'boolean',
      });
      expectRows('redeemHistories', detail.redeemHistories!, {
        amount: 'decimal',
        createTime: 'timeText',
        redeemLockTime: 'integer',
        status: 'integer',
      });
    },
  ),
  interest('ERN-10', 'The interest comes in the page wrapper.', async (kit) => {
    const { applyId } = await subscribed(kit);
    const query = { applyId: String(applyId), currentPage: 1, pageSize: 5 };
    const page = expectEnvelope(await kit.wire.get(`${EARN}/apply/interest`, query), false);
    expectShape('the page', page, {
      items: 'list',
      currentPage: 'integer',
      pageSize: 'integer',
      totalNum: 'integer',
      totalPage: 'integer',
    });
    expectSame('currentPage and pageSize', [page.currentPage, page.pageSize], [1, 5]);
    const shape: Shape = { coin: 'text', date: 'time', earnedAmount: 'decimal' };
    expectRows('items', page.items!, shape);
  }),
  redeem('ERN-11', 'The redeem preview has the fields of the table.', async (kit) => {
    const { applyId, supportEarlyRedemption, planType } = await subscribed(kit);
    const query = { applyId: String(applyId) };
    const answer = await kit.wire.get(`${EARN}/redeem/preview`, query);
    if (!supportEarlyRedemption && Number(planType) !== FLEXIBLE) {
      expectLegacy(answer, 40018, 'earn.plan.not_support_early_redemption');
      return;
    }
    expectShape('the preview', expectEnvelope(answer, false), {
      boosterAmount: 'decimal?',
      boosterCoin: 'text?',
      earnedAmount: 'decimal',
      forfeitedEarningAmount: 'decimal?',
      timeToRedeem: 'integer',
    });
  }),
  redeem('ERN-12', 'More than a subscription has cannot be redeemed: 40010.', async (kit) => {
    const { applyId, planType } = await subscribed(kit);
    if (Number(planType) !== FLEXIBLE) throw new Skipped('the subscription is not flexible');
    const answer = await kit.wire.post(`${EARN}/apply/redeem`, { applyId, amount: '999999999' });
    expectLegacy(answer, 40010, 'earn.redeem.amount_over');
  }),
  edit(
    'ERN-13',
    'Who names another account than the own is refused with 403.',
    async ({ wire }) => {
      const answer = await wire.post(`${EARN}/plan/detail/edit`, { uid: 9_007_199_254_740_991 });
      expectRefused(answer, 403, 100403);
      expectEnvelope(await wire.post(`${EARN}/plan/detail/edit`, {}), false);
    },
  ),
  enterprise(
    'ERN-14',
    'The calls of an enterprise are its admin’s; others are refused with 403.',
    async ({ wire }) => {
      const list = await wire.post(`${EARN}/yield/manage/list`, { pageNum: 1, pageSize: 5 });
      if (list.status !== 200) {
        expectRefused(list, 403, 100403);
        expectRefused(await wire.post(`${EARN}/earn/plans/list`, {}), 403, 100403);
        return;
      }
      const page = expectEnvelope(list, true);
      expectRows('items', page.items!, {
        asset: 'text',
        planId: 'text',
        planDuration: 'integer',
        apy: 'decimal',
        apyPct: 'decimal',
        enterpriseMargin: 'decimal',
        userId: 'integer',
        planType: 'text',
      });
      const members = expectEnvelope(await wire.post(`${EARN}/earn/plans/list`, {}), true);
      expectRows('items', members.items!, {
        subscriptionId: 'text',
        planId: 'text',
        planType: 'integer',
        asset: 'text',
        startTime: 'time',
        maturityTime: 'time?',
        principal: 'decimal',
        earnings: 'decimal',
        redemptionStatus: 'text',
        maturityAmount: 'decimal',
        marginAllocation: 'decimal',
      });
    },
  ),
  redeem('ERN-15', 'A redemption is answered with true.', async (kit) => {
    if (!kit.options.subscribe) throw new Skipped('--subscribe lets the kit subscribe and redeem');
    const { applyId, amount, planType } = await subscribed(kit);
    if (Number(planType) !== FLEXIBLE) throw new Skipped('the subscription is not flexible');
    const body = { applyId, amount: decimalText(amount as unknown) };
    const answer = await kit.wire.post(`${EARN}/apply/redeem`, body);
    expectOk(answer);
    expectSame('data', expectEnvelope(answer, false), true);
  }),
];

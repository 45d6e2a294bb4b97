// Plans, and the result of a possible subscription: plan list, plan detail, apply preview.
import { beforeAll, describe, expect, test } from 'bun:test';
import { PlanType } from '../../src/core/earn/plan.ts';
import {
  APPLY_PREVIEW,
  amendPlan,
  assign,
  createPlan,
  customizedPlan,
  dateOf,
  expectData,
  expectLegacy,
  fixedPlan,
  PLAN_DETAIL,
  PLAN_LIST,
  passDays,
  saver,
  setMargin,
  subscribe,
  today,
  units,
} from '../support/earn.ts';
import { type Client, type Json, TestNode } from '../support/node.ts';
import { RATE } from '../support/plan-terms.ts';
import { expectRows } from '../support/shape.ts';

const node = TestNode.forFile();
let client: Client;
let flexible: string;
let fixed: string;
let customized: string;
beforeAll(async () => {
  client = await saver(node);
  flexible = await createPlan(node);
  fixed = await fixedPlan(node, { supportEarlyRedemption: false, label: '' });
  customized = await customizedPlan(node, { planName: 'Your own term' });
});

const list = async (): Promise<Json[]> => expectRows(expectData(await node.get(PLAN_LIST), true));
const planOf = async (planId: string) => (await list()).find((plan) => `${plan.planId}` === planId);

describe('GET /earn-api/v1/user/plan/list', () => {
  test('has every field of a flexible plan', async () => {
    expect<unknown>(await planOf(flexible)).toEqual({
      planId: flexible,
      planType: 1,
      planName: 'USDT savings',
      apr: 0.0365,
      coin: 'USDT',
      label: 'hot',
      lockDay: null,
      minLockDay: null,
      maxLockDay: null,
      userAmountMin: 10,
      userAmountMax: 100000,
      supportEarlyRedemption: true,
      supportAutoRenew: false,
      applyId: null,
      maxApr: null,
      minApr: null,
    });
  });

  test('has the term of a fixed plan, and an empty label as a text', async () => {
    expect<unknown>(await planOf(fixed)).toMatchObject({
      planType: 2,
      apr: 0.0365,
      lockDay: 30,
      minLockDay: null,
      maxLockDay: null,
      label: '',
      supportEarlyRedemption: false,
      supportAutoRenew: true,
      maxApr: null,
      minApr: null,
    });
  });

  test('has the bounds of a customized plan, which has no single rate', async () => {
    expect<unknown>(await planOf(customized)).toMatchObject({
      planType: 3,
      planName: 'Your own term',
      apr: null,
      lockDay: null,
      minLockDay: 10,
      maxLockDay: 110,
      minApr: 0.0365,
      maxApr: 0.073,
    });
  });

  test('leaves out a plan that is closed', async () => {
    const planId = await createPlan(node);
    expect(await planOf(planId)).toBeDefined();
    await amendPlan(node, planId, { open: false });
    expect(await planOf(planId)).toBeUndefined();
  });
});

describe('GET /earn-api/v1/user/plan/detail', () => {
  const detail = async (planId: string): Promise<Json> => {
    const data = expectData(await client.get(PLAN_DETAIL, { planId }));
    return data;
  };

  test('has what the list has of a plan', async () => {
    for (const planId of [flexible, fixed, customized]) {
      const { planName: _name, applyId: _applyId, ...row } = (await planOf(planId))!;
      expect<unknown>(await detail(planId)).toMatchObject(row);
    }
  });

  test('has the current lock time, compounding and eligibility', async () => {
    const planId = await createPlan(node, {
      autoCompound: true,
      redeemLockHours: 24,
      requiresKyc: true,
    });
    const told = { redeemLockHours: 24, autoCompound: true, requiresKyc: true };
    expect<unknown>(await detail(planId)).toMatchObject(told);
    expect<unknown>(await preview({ planId })).toMatchObject(told);
    await amendPlan(node, planId, { redeemLockHours: 1, requiresKyc: false });
    const amended = { redeemLockHours: 1, autoCompound: true, requiresKyc: false };
    expect<unknown>(await detail(planId)).toMatchObject(amended);
    expect<unknown>(await preview({ planId })).toMatchObject(amended);
  });

  test('has what is left of the capacity, and 0 below what is subscribed', async () => {
    const planId = await fixedPlan(node, { poolCapacity: units('500') });
    await subscribe(client, planId, '120');
    expect<unknown>(await detail(planId)).toMatchObject({ capacityLeft: 380 });
    expect<unknown>(await preview({ planId })).toMatchObject({ capacityLeft: 380 });
    await amendPlan(node, planId, { poolCapacity: units('100') });
    expect<unknown>(await detail(planId)).toMatchObject({ capacityLeft: 0 });
  });

  test('shows a plan that is closed, too', async () => {
    const planId = await createPlan(node);
    await amendPlan(node, planId, { open: false });
    expect<unknown>((await detail(planId)).planId).toBe(planId);
    expectLegacy(await client.get(APPLY_PREVIEW, { planId }), 40000, 'planId');
  });
});

const preview = async (query: Record<string, string>, by = client): Promise<Json> => {
  const data = expectData(await by.get(APPLY_PREVIEW, query));
  return data;
};

describe('GET /earn-api/v1/user/apply/preview', () => {
  test('has every field for a fixed plan', async () => {
    const startDate = dateOf(today(node) + 1);
    expect<unknown>(await preview({ planId: fixed, amount: '1000' })).toEqual({
      planId: fixed,
      amount: 1000,
      coin: 'USDT',
      apr: 0.0365,
      apy: 0.0365,
      totalApr: 0.0365,
      totalApy: 0.0365,
      planType: 2,
      lockDay: 30,
      interestAmount: 3,
      totalInterestAmount: 3,
      rewardFrequency: 1,
      appliedAmount: null,
      userAmountMin: 10,
      userAmountMax: 100000,
      startDate,
      endDate: startDate + 30 * 86_400_000,
      boosterInfo: null,
      supportAutoRenew: true,
      redeemLockHours: 0,
      autoCompound: false,
      requiresKyc: false,
      capacityLeft: null,
    });
  });

  test('of a flexible plan has the interest of one reward period, and no end', async () => {
    const weekly = await createPlan(node, { rewardFrequency: 7 });
    expect<unknown>(await preview({ planId: weekly, amount: '1000' })).toMatchObject({
      planType: 1,
      lockDay: null,
      interestAmount: 0.7,
      totalInterestAmount: 0.7,
      rewardFrequency: 7,
      endDate: null,
      appliedAmount: null,
    });
  });

  test('of a flexible plan has the principal that is held', async () => {
    const holder = await saver(node);
    await subscribe(holder, flexible, '123.45');
    const overview = await preview({ planId: flexible, amount: '50' }, holder);
    expect<unknown>(overview).toMatchObject({ appliedAmount: 123.45, amount: 50 });
    expect<unknown>((await preview({ planId: flexible })).appliedAmount).toBeNull();
  });

  test('of a customized plan is of the days asked for, at their rate', async () => {
    const ask = (day: string) => preview({ planId: customized, amount: '1000', day });
    expect<unknown>(await ask('10')).toMatchObject({ lockDay: 10, apy: 0.0365, interestAmount: 1 });
    expect<unknown>(await ask('60')).toMatchObject({
      lockDay: 60,
      apy: 0.05475,
      interestAmount: 9,
    });
    expect<unknown>(await ask('110')).toMatchObject({ apy: 0.073, interestAmount: 22 });
  });

  test('without amount and day is of nothing for the shortest term', async () => {
    expect<unknown>(await preview({ planId: customized })).toMatchObject({
      amount: 0,
      interestAmount: 0,
      totalInterestAmount: 0,
      lockDay: 10,
      apy: 0.0365,
    });
  });

  test('of an enterprise’s member is after the margin', async () => {
    const member = await saver(node);
    const { enterpriseId } = await node.must({ type: 'createEnterprise', name: 'Margin Inc.' });
    await assign(node, member.uid, enterpriseId, true);
    await setMargin(node, member, fixed, RATE / 5);
    const data = await preview({ planId: fixed, amount: '1000' }, member);
    expect<unknown>(data).toMatchObject({ apy: 0.0292, interestAmount: 2.4 });
  });

  test('begins on the next day of business time, also after a quiet time', async () => {
    await using quiet = await TestNode.start();
    const planId = await createPlan(quiet, { planType: PlanType.flexible });
    const asking = await saver(quiet);
    await passDays(quiet, 3);
    const data = expectData(await asking.get(APPLY_PREVIEW, { planId }));
    expect<unknown>(data.startDate).toBe(dateOf(today(quiet) + 1));
  });
});

// Plans, possible subscriptions, and subscriptions: plan list and detail, apply preview, apply and
// its detail, the lists, and the switch for auto renew.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { PlanType } from '../../src/core/earn/plan.ts';
import {
  APPLY_DETAIL,
  APPLY_PREVIEW,
  amendPlan,
  boosterOf,
  CURRENT_LIST,
  createPlan,
  customizedPlan,
  dateOf,
  EDIT,
  ENDED_LIST,
  expectData,
  expectLegacy,
  fixedPlan,
  owned,
  PLAN_DETAIL,
  PLAN_LIST,
  passDays,
  REDEEM,
  saver,
  subscribe,
  today,
  units,
} from '../support/earn.ts';
import { type Client, type Json, TestNode } from '../support/node.ts';
import { expectError, expectRows, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();
let client: Client;
let flexible: string;
let fixed: string;
let customized: string;
let boosted: string;
beforeAll(async () => {
  flexible = await createPlan(node, { redeemLockHours: 48 });
  fixed = await fixedPlan(node);
  customized = await customizedPlan(node, { planName: 'Your own term' });
  boosted = await fixedPlan(node, { booster: boosterOf(node) });
});
beforeEach(async () => {
  client = await saver(node);
});

const plans = async (): Promise<Json[]> => expectRows(expectData(await node.get(PLAN_LIST), true));
const planOf = async (planId: string) =>
  (await plans()).find((plan) => `${plan.planId}` === planId);

describe('GET /earn-api/v1/user/plan/list', () => {
  test('leaves out a plan that is closed, which the detail has', async () => {
    const planId = await createPlan(node);
    expect(await planOf(planId)).toBeDefined();
    await amendPlan(node, planId, { open: false });
    expect(await planOf(planId)).toBeUndefined();
    const detail = expectData(await client.get(PLAN_DETAIL, { planId }));
    expect<unknown>(detail.planId).toBe(planId);
    expectLegacy(await client.get(APPLY_PREVIEW, { planId }), 40000, 'planId');
  });
});

describe('GET /earn-api/v1/user/plan/detail', () => {
  const detail = async (planId: string): Promise<Json> => {
    const data = expectData(await client.get(PLAN_DETAIL, { planId }));
    return data;
  };

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
});

const preview = async (query: Record<string, string>, by = client): Promise<Json> => {
  const data = expectData(await by.get(APPLY_PREVIEW, query));
  return data;
};

describe('GET /earn-api/v1/user/apply/preview', () => {
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
    const ask = (day?: string) =>
      preview({ planId: customized, ...(day === undefined ? {} : { amount: '1000', day }) });
    const told = (lockDay: number, apy: number, interestAmount: number) =>
      expect.objectContaining({ lockDay, apy, interestAmount });
    expect<unknown>(await ask('60')).toEqual(told(60, 0.05475, 9));
    expect<unknown>(await ask('110')).toEqual(told(110, 0.073, 22));
    // Without amount and day it is of nothing for the shortest term.
    expect<unknown>(await ask()).toEqual(told(10, 0.0365, 0));
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

const detail = async (applyId: string, by = client): Promise<Json> => {
  const data = expectData(await by.get(APPLY_DETAIL, { applyId }));
  return data;
};

describe('POST /earn-api/v1/user/plan/apply', () => {
  test('locks the booster with the principal', async () => {
    await subscribe(client, boosted, '100', { boosterAmount: '50' });
    const mmx = await owned(node, client, 'MMX');
    expect<unknown>(mmx).toMatchObject({ available: 99950, booster: 50, total: 100000 });
    const [current] = rowsOf(expectData(await client.get(CURRENT_LIST)));
    expect<unknown>(current).toMatchObject({ hadBooster: true, apy: 0.0365, totalApy: 0.05475 });
    // The detail says the same.
    expect<unknown>(await detail(String(current!.applyId))).toMatchObject({ totalApy: 0.05475 });
  });
});

describe('GET /earn-api/v1/user/apply/detail', () => {
  test('has every field of a term', async () => {
    const applyId = await subscribe(client, fixed, '100', { autoRenew: true });
    const start = dateOf(today(node) + 1);
    expect<unknown>(await detail(applyId)).toEqual({
      applyId,
      amount: 100,
      apy: 0.0365,
      totalApy: 0.0365,
      coin: 'USDT',
      startDate: String(start),
      endDate: String(start + 30 * 86_400_000),
      lockDay: 30,
      planId: fixed,
      planName: 'USDT savings',
      planType: 2,
      rewardFrequency: 1,
      redeemHistories: [],
      status: 0,
      supportEarlyRedemption: true,
      totalEarnedAmount: 0,
      autoRenew: true,
      renewal: { apr: 0.0365, consentNeeded: false },
    });
  });

  test('lists redemptions, newest first, from request to credit', async () => {
    const applyId = await subscribe(client, flexible, '100');
    for (const amount of [10, 20]) {
      expectData(await client.post(REDEEM, { applyId, amount }));
      await node.engine.advanceClock(1000);
    }
    const waiting = await detail(applyId);
    expect<unknown>(waiting).toMatchObject({ amount: 70, status: 2, planType: 1, endDate: null });
    expect<unknown>(waiting).toMatchObject({ lockDay: null, autoRenew: false });
    const rows = expectRows(waiting.redeemHistories!);
    const open = { redeemLockTime: 48, status: 1 };
    expect<unknown>(rows).toMatchObject([
      { amount: 20, ...open },
      { amount: 10, ...open },
    ]);
    expect(Number(rows[0]!.createTime)).toBeGreaterThan(Number(rows[1]!.createTime));
    await node.engine.advanceClock(48 * 3_600_000);
    const credited = await detail(applyId);
    expect<unknown>(credited.status).toBe(0);
    expect<unknown>(rowsOf(credited.redeemHistories!).map(({ status }) => status)).toEqual([2, 2]);
  });

  test('of a redeemed one has status 3, the principal and the interest', async () => {
    const applyId = await subscribe(client, fixed, '1000');
    await passDays(node, 31);
    expect<unknown>(await detail(applyId)).toMatchObject({
      amount: 1000,
      apy: 0.0365,
      lockDay: 30,
      status: 3,
      totalEarnedAmount: 3,
      redeemHistories: [],
    });
    expect<unknown>(expectData(await client.get(CURRENT_LIST))).toEqual([]);
  });
});

describe('GET /earn-api/v1/user/apply/currentList', () => {
  const list = async (): Promise<Json[]> => expectRows(expectData(await client.get(CURRENT_LIST)));

  test('has statuses 0, 1 and 2, newest first, and only the caller’s', async () => {
    const whole = await subscribe(client, fixed, '100');
    const partly = await subscribe(client, flexible, '100');
    const slow = await createPlan(node, { redeemLockHours: 1 });
    const leaving = await subscribe(client, slow, '100');
    await subscribe(await saver(node), fixed, '100');
    expectData(await client.post(REDEEM, { applyId: partly, amount: 40 }));
    expectData(await client.post(REDEEM, { applyId: leaving, amount: 100 }));
    // The amount of one that is redeemed wholly is on its way.
    const rows = (await list()).map(({ applyId, status, amount }) => [applyId, status, amount]);
    const expected = [leaving, 1, 100, partly, 2, 60, whole, 0, 100];
    expect<unknown[]>(rows.flat()).toEqual(expected);
  });

  test('is whole, or one page if a field asks for it', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.unshift(await subscribe(client, fixed, '100'));
    const idsOf = async (query: string) =>
      rowsOf(expectData(await client.get(CURRENT_LIST, query))).map(({ applyId }) => `${applyId}`);
    expect(await idsOf('')).toEqual(ids);
    expect(await idsOf('currentPage=&pageNum=')).toEqual(ids);
    expect(await idsOf('currentPage=1')).toEqual(ids.slice(0, 10));
    expect(await idsOf('pageNum=2')).toEqual(ids.slice(10));
    expect(await idsOf('pageNum=2&currentPage=2.0&pageSize=5')).toEqual(ids.slice(5, 10));
    expect(await idsOf('pageSize=3')).toEqual(ids.slice(0, 3));
    expect(await idsOf('pageNum=4')).toEqual([]);
    const differ = await client.get(CURRENT_LIST, 'currentPage=1&pageNum=2');
    expectLegacy(differ, 40001, 'currentPage');
  });
});

describe('GET /earn-api/v1/user/apply/endedList', () => {
  test('has the caller’s redeemed ones, newest first, a page at a time', async () => {
    const planId = await fixedPlan(node);
    const ended = [await subscribe(client, planId, '100'), await subscribe(client, planId, '250')];
    await subscribe(client, planId, '70');
    const other = await saver(node);
    for (const [by, applyId] of [
      [other, await subscribe(other, planId, '30')],
      [client, ended[1]!],
      [client, ended[0]!],
    ] as const) {
      const { amount } = expectData(await by.get(APPLY_DETAIL, { applyId }));
      expectData(await by.post(REDEEM, { applyId, amount }));
    }
    const page = async (currentPage: string): Promise<Json> =>
      expectData(await client.get(ENDED_LIST, { currentPage, pageSize: '1' }));
    expect<unknown>(await page('1')).toMatchObject({
      totalNum: 2,
      items: [{ applyId: ended[1], amount: 250, status: 3, endedAt: expect.any(Number) }],
    });
    expect<unknown>((await page('2')).items).toMatchObject([{ applyId: ended[0], amount: 100 }]);
  });
});

describe('POST /earn-api/v1/user/plan/detail/edit', () => {
  const edit = async (body: object): Promise<unknown> => expectData(await client.post(EDIT, body));
  const renews = async (applyId: string): Promise<unknown> => (await detail(applyId)).autoRenew;

  test('switches auto renew of the one that is named, or else of all that have terms', async () => {
    const one = await subscribe(client, fixed, '100');
    const other = await subscribe(client, customized, '100', { lockDay: 10 });
    const none = await subscribe(client, flexible, '100');
    expect(await edit({ applyId: one, autoRenew: true })).toBe(true);
    expect([await renews(one), await renews(other)]).toEqual([true, false]);
    expect(await edit({ applyId: one, uid: client.uid, autoRenew: false })).toBe(true);
    expect(await renews(one)).toBe(false);
    expect(await edit({ autoRenew: true })).toBe(true);
    const all = [await renews(one), await renews(other), await renews(none)];
    expect(all).toEqual([true, true, false]);
  });

  test('without autoRenew changes nothing', async () => {
    const applyId = await subscribe(client, fixed, '100', { autoRenew: true });
    const { seq } = node;
    const { uid } = client;
    const ofOther = await client.post(EDIT, { uid: uid + 1, autoRenew: true });
    const named = { field: 'uid', nearest: uid };
    expect<unknown>(expectError(ofOther, 403, 100403)).toMatchObject(named);
    for (const body of [{}, { applyId }, { applyId, autoRenew: null }, { uid }]) {
      expect(await edit(body)).toBe(true);
    }
    expect(node.seq).toBe(seq);
    expect(await renews(applyId)).toBe(true);
  });

  test('is rejected for one that is on its way back, and passes over it', async () => {
    const planId = await fixedPlan(node, { redeemLockHours: 24 });
    const applyId = await subscribe(client, planId, '100');
    expectData(await client.post(REDEEM, { applyId, amount: '100' }));
    const answer = await client.post(EDIT, { applyId, autoRenew: true });
    const details = expectLegacy(answer, 40001, 'applyId');
    expect<unknown>(details.rule).toBe('held');
    expect(await edit({ autoRenew: true })).toBe(true);
    expect(await renews(applyId)).toBe(false);
    expect(await edit({ applyId, autoRenew: false })).toBe(true);
  });
});

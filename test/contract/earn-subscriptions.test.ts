// Subscribing and what is shown of it: apply, apply detail, current list, and the switch for auto
// renew.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  APPLY_DETAIL,
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
  passDays,
  REDEEM,
  saver,
  subscribe,
  today,
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
  customized = await customizedPlan(node);
  boosted = await fixedPlan(node, { booster: boosterOf(node) });
});
beforeEach(async () => {
  client = await saver(node);
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

  test('of a flexible one has no term and no end', async () => {
    const applyId = await subscribe(client, flexible, '100');
    expect<unknown>(await detail(applyId)).toMatchObject({
      planType: 1,
      endDate: null,
      lockDay: null,
      autoRenew: false,
    });
  });

  test('lists redemptions, newest first, from request to credit', async () => {
    const applyId = await subscribe(client, flexible, '100');
    for (const amount of [10, 20]) {
      expectData(await client.post(REDEEM, { applyId, amount }));
      await node.engine.advanceClock(1000);
    }
    const waiting = await detail(applyId);
    expect<unknown>(waiting).toMatchObject({ amount: 70, status: 2 });
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

  test('of a full redemption shows the pending amount', async () => {
    const applyId = await subscribe(client, flexible, '100');
    expectData(await client.post(REDEEM, { applyId, amount: 100 }));
    expect<unknown>(await detail(applyId)).toMatchObject({ amount: 100, status: 1 });
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

  test('has every field of a term', async () => {
    const applyId = await subscribe(client, customized, '100', { lockDay: 60 });
    const start = dateOf(today(node) + 1);
    expect<unknown>(await list()).toEqual([
      {
        applyId,
        amount: 100,
        apy: 0.05475,
        totalApy: 0.05475,
        apyPct: 5.475,
        autoCompound: false,
        coin: 'USDT',
        startDate: String(start),
        endDate: String(start + 60 * 86_400_000),
        hadBooster: false,
        lockDay: 60,
        planId: customized,
        planName: 'USDT savings',
        planType: 3,
        rewardFrequency: 1,
        status: 0,
        supportEarlyRedemption: true,
        totalEarnedAmount: 0,
      },
    ]);
  });

  test('has statuses 0, 1 and 2, newest first, and only the caller’s', async () => {
    const whole = await subscribe(client, fixed, '100');
    const partly = await subscribe(client, flexible, '100');
    const slow = await createPlan(node, { redeemLockHours: 1 });
    const leaving = await subscribe(client, slow, '100');
    await subscribe(await saver(node), fixed, '100');
    expectData(await client.post(REDEEM, { applyId: partly, amount: 40 }));
    expectData(await client.post(REDEEM, { applyId: leaving, amount: 100 }));
    expect<unknown>((await list()).map(({ applyId, status }) => [applyId, status])).toEqual([
      [leaving, 1],
      [partly, 2],
      [whole, 0],
    ]);
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

  test('switches auto renew of the one that is named', async () => {
    const one = await subscribe(client, fixed, '100');
    const other = await subscribe(client, fixed, '100');
    expect(await edit({ applyId: one, autoRenew: true })).toBe(true);
    expect([await renews(one), await renews(other)]).toEqual([true, false]);
    expect(await edit({ applyId: one, uid: client.uid, autoRenew: false })).toBe(true);
    expect(await renews(one)).toBe(false);
  });

  test('without an applyId switches all that have terms', async () => {
    const one = await subscribe(client, fixed, '100');
    const other = await subscribe(client, customized, '100', { lockDay: 10 });
    const none = await subscribe(client, flexible, '100');
    expect(await edit({ autoRenew: true })).toBe(true);
    expect([await renews(one), await renews(other), await renews(none)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('without autoRenew changes nothing', async () => {
    const applyId = await subscribe(client, fixed, '100', { autoRenew: true });
    const { seq } = node;
    for (const body of [{}, { applyId }, { applyId, autoRenew: null }, { uid: client.uid }]) {
      expect(await edit(body)).toBe(true);
    }
    expect(node.seq).toBe(seq);
    expect(await renews(applyId)).toBe(true);
  });

  test('for another account is 403', async () => {
    const details = expectError(
      await client.post(EDIT, { uid: client.uid + 1, autoRenew: true }),
      403,
      100403,
    );
    expect<unknown>(details).toMatchObject({ field: 'uid', nearest: client.uid });
  });

  test('is rejected for a flexible one, and where the term does not support it', async () => {
    const none = await subscribe(client, flexible, '100');
    expectLegacy(await client.post(EDIT, { applyId: none, autoRenew: true }), 40001, 'applyId');
    const planId = await fixedPlan(node, { supportAutoRenew: false });
    const applyId = await subscribe(client, planId, '100');
    expectLegacy(await client.post(EDIT, { applyId, autoRenew: true }), 40001, 'autoRenew');
  });

  test('is rejected for one that is on its way back, and passes over it', async () => {
    const planId = await fixedPlan(node, { redeemLockHours: 24 });
    const applyId = await subscribe(client, planId, '100');
    expectData(await client.post(REDEEM, { applyId, amount: '100' }));
    const details = expectLegacy(
      await client.post(EDIT, { applyId, autoRenew: true }),
      40001,
      'applyId',
    );
    expect<unknown>(details.rule).toBe('held');
    expect(await edit({ autoRenew: true })).toBe(true);
    expect(await renews(applyId)).toBe(false);
    expect(await edit({ applyId, autoRenew: false })).toBe(true);
  });
});

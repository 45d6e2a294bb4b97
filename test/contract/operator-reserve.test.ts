// The reserves that interest is paid from: how the operator funds them, how long they last, and
// when that is an alarm.
import { describe, expect, test } from 'bun:test';
import {
  amendPlan,
  boosterOf,
  createPlan,
  fixedPlan,
  passDays,
  saver,
  subscribe,
} from '../support/earn.ts';
import { type Json, TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { RATE } from '../support/plan-terms.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();
const operator = new Operator(node);

/** A plan without a reserve: 10,000 USDT cost 365 a year and 1 a day. */
const emptyPlan = (): Promise<string> => createPlan(node, { reserve: '0' });

async function reserveOf(planId: string, boss = operator): Promise<Json> {
  const { reserve } = expectOk(await boss.get(`plans/${planId}`));
  return reserve!;
}

let references = 0;
async function fund(planId: string, amount: string, boss = operator): Promise<void> {
  const body = { amount, reference: `funding-${++references}` };
  expectOk(await boss.post(`plans/${planId}/reserve`, body));
}

/** The USDT of all reserves on the trial balance, whose sum is 0. */
async function onTrialBalance(): Promise<number> {
  const { assets } = expectOk(await operator.get('ledger/trial-balance'));
  const usdt = rowsOf(assets!).find(({ asset }) => String(asset) === 'USDT')!;
  expect<unknown>(usdt.sum).toBe(0);
  const reserves = rowsOf(usdt.accounts!).find(({ code }) => `${code}` === 'interestReserve');
  return Number(reserves?.balance ?? 0);
}

describe('POST plans/{planId}/reserve', () => {
  test('funds the reserve once per reference', async () => {
    const planId = await emptyPlan();
    const before = await onTrialBalance();
    const body = { amount: '250.5', reference: 'first-of-its-kind' };
    const first = await operator.post(`plans/${planId}/reserve`, body);
    expectOk(first);
    expect(Number(first.body.seq)).toBe(node.seq);
    expect(operator.audited()[0]).toMatchObject({ object: `plan:${planId}`, details: body });
    const again = await operator.post(`plans/${planId}/reserve`, { ...body, amount: 250.5 });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect<unknown>(await reserveOf(planId)).toMatchObject({ balance: 250.5 });
    const other = await operator.post(`plans/${planId}/reserve`, { ...body, amount: 1 });
    expectError(other, 409, 100223, 'reference');
    expect((await onTrialBalance()) - before).toBeCloseTo(250.5, 8);
  });

  test.each([[{ amount: '0.000000001', reference: 'r' }, 100208, 'amount']])(
    'rejects %j',
    async (body, code, field) => {
      const planId = await emptyPlan();
      expectError(await operator.post(`plans/${planId}/reserve`, body), 400, code, field);
    },
  );
});

describe('how long a reserve lasts', () => {
  test('is the free amount divided by the daily cost', async () => {
    const planId = await emptyPlan();
    await fund(planId, '7.05');
    await subscribe(await saver(node), planId, '10000');
    expect<unknown>(await reserveOf(planId)).toEqual({
      balance: 7.05,
      payable: 0,
      yearlyCost: 365,
      dailyCost: 1,
      daysOfCover: 7,
      overdue: false,
      alarm: false,
    });
    await subscribe(await saver(node), planId, '100');
    expect<unknown>(await reserveOf(planId)).toMatchObject({
      yearlyCost: 368.65,
      dailyCost: 1.01,
      daysOfCover: 6,
      alarm: true,
    });
    await fund(planId, '0.1');
    expect<unknown>(await reserveOf(planId)).toMatchObject({ daysOfCover: 7, alarm: false });
    await amendPlan(node, planId, { minRate: RATE / 10, maxRate: RATE / 10 });
    expect<unknown>(await reserveOf(planId)).toMatchObject({ dailyCost: 0.101, daysOfCover: 70 });
  });

  test('counts boosters and interest that is already owed', async () => {
    const booster = { ...boosterOf(node), rate: 2 * RATE };
    const planId = await fixedPlan(node, { reserve: '31', rewardFrequency: 30, booster });
    await subscribe(await saver(node), planId, '10000', { boosterAmount: 5000 });
    expect<unknown>(await reserveOf(planId)).toMatchObject({ dailyCost: 3, daysOfCover: 10 });
    await passDays(node, 2);
    expect<unknown>(await reserveOf(planId)).toMatchObject({
      balance: 31,
      payable: 3,
      daysOfCover: 9,
    });
  });

  test('uses the exact cost where a day costs less than a unit', async () => {
    const planId = await createPlan(node, { reserve: '0.00000001', minRate: 1, maxRate: 1 });
    await subscribe(await saver(node), planId, '100');
    expect<unknown>(await reserveOf(planId)).toMatchObject({
      yearlyCost: 0.000001,
      dailyCost: 0,
      daysOfCover: 3,
    });
  });

  test('an empty one ends in interest that is overdue, until it is funded', async () => {
    const planId = await emptyPlan();
    await subscribe(await saver(node), planId, '10000');
    expect<unknown>(await reserveOf(planId)).toMatchObject({
      daysOfCover: 0,
      overdue: false,
      alarm: true,
    });
    await passDays(node, 2);
    expect<unknown>(await reserveOf(planId)).toMatchObject({
      balance: 0,
      payable: 1,
      daysOfCover: 0,
      overdue: true,
      alarm: true,
    });
    const gauge = async (name: string) => {
      const { text } = await node.get('/metrics');
      return new RegExp(`^${name}\\{plan="${planId}"\\} (.+)$`, 'm').exec(text)?.[1];
    };
    expect(await gauge('agio_plan_interest_overdue')).toBe('1');
    expect(await gauge('agio_plan_reserve_days')).toBe('0');
    await fund(planId, '101');
    // The timers pay the waiting interest.
    await node.engine.advanceClock(1);
    expect<unknown>(await reserveOf(planId)).toMatchObject({
      balance: 100,
      payable: 0,
      daysOfCover: 100,
      overdue: false,
      alarm: false,
    });
    expect(await gauge('agio_plan_interest_overdue')).toBe('0');
    expect(await gauge('agio_plan_reserve_days')).toBe('100');
  });

  test('of an open plan without money is an alarm before its first subscription', async () => {
    const planId = await emptyPlan();
    const { text } = await node.get('/metrics');
    expect(text).toContain(`agio_plan_interest_overdue{plan="${planId}"} 0`);
    expect(text).toContain(`agio_plan_reserve_alarm{plan="${planId}"} 1`);
    expect(text).not.toContain(`agio_plan_reserve_days{plan="${planId}"}`);
    expect<unknown>(await reserveOf(planId)).toMatchObject({ daysOfCover: null, alarm: true });
    await amendPlan(node, planId, { open: false });
    expect<unknown>(await reserveOf(planId)).toMatchObject({ alarm: false });
    await amendPlan(node, planId, { open: true });
    await fund(planId, '1');
    expect<unknown>(await reserveOf(planId)).toMatchObject({ daysOfCover: null, alarm: false });
    expect((await node.get('/metrics')).text).toContain(
      `agio_plan_reserve_alarm{plan="${planId}"} 0`,
    );
  });

  test('is an alarm below the days that are configured', async () => {
    await using strict = await TestNode.start({ flags: ['--reserve-alarm-days', '30'] });
    const boss = new Operator(strict);
    const planId = await createPlan(strict, { reserve: '29.5' });
    await subscribe(await saver(strict), planId, '10000');
    expect<unknown>(await reserveOf(planId, boss)).toMatchObject({ daysOfCover: 29, alarm: true });
    await fund(planId, '0.5', boss);
    expect<unknown>(await reserveOf(planId, boss)).toMatchObject({ daysOfCover: 30, alarm: false });
  });
});

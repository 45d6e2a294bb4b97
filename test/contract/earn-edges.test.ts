// Limits of earn: subscriptions and redemptions of one account, closed subscriptions, the rest of
// an ended term, suspended users, and margins above lowered rates.
import { describe, expect, test } from 'bun:test';
import { MAX_REDEMPTIONS } from '../../src/core/earn/redeem.ts';
import { MAX_SUBSCRIPTIONS } from '../../src/core/earn/subscriptions.ts';
import {
  APPLY_DETAIL,
  APPLY_PREVIEW,
  assign,
  CURRENT_LIST,
  createPlan,
  EDIT,
  expectData,
  expectLegacy,
  expectPage,
  fixedPlan,
  fund,
  MEMBERS,
  PLAN_APPLY,
  passDays,
  REDEEM,
  REDEEM_PREVIEW,
  saver,
  subscribe,
  units,
} from '../support/earn.ts';
import { type Client, type Json, TestNode } from '../support/node.ts';
import { RATE } from '../support/plan-terms.ts';
import { expectError } from '../support/shape.ts';

const node = TestNode.forFile();

const unsigned = { signature: null, idempotency: null } as const;

/** The enterprise's admin and a member with funds. */
async function enterpriseOf(name: string): Promise<{ admin: Client; member: Client }> {
  const { enterpriseId } = await node.must({ type: 'createEnterprise', name });
  const [admin, member] = [await saver(node), await saver(node)];
  await assign(node, admin.uid, enterpriseId, true);
  await assign(node, member.uid, enterpriseId, false);
  return { admin, member };
}

const margin = (by: Client, planId: string, rate: number) =>
  node.engine.submit({
    type: 'setMargin',
    uid: by.uid,
    ...unsigned,
    planId: Number(planId),
    margin: rate,
  });

describe('one account', () => {
  test(`has at most ${MAX_SUBSCRIPTIONS} subscriptions; a flexible one can grow`, async () => {
    const client = await saver(node);
    const [flexible, fixed] = [await createPlan(node), await fixedPlan(node)];
    await subscribe(client, flexible, '10');
    const applies = Array.from({ length: MAX_SUBSCRIPTIONS - 1 }, () =>
      node.must({
        type: 'subscribePlan',
        uid: client.uid,
        ...unsigned,
        planId: Number(fixed),
        amount: units('10'),
        lockDay: 0,
        autoRenew: false,
        boosterAmount: null,
        applyId: 0,
      }),
    );
    await Promise.all(applies);
    const rejected = await client.post(PLAN_APPLY, { planId: fixed, amount: 10 });
    expectError(rejected, 400, 100225);
    expect<unknown>((rejected.body as Json).details).toEqual({
      field: 'planId',
      rule: 'subscriptions',
      limit: MAX_SUBSCRIPTIONS,
      unit: 'subscriptions',
    });
    await subscribe(client, flexible, '10');
    expect(expectData(await client.get(CURRENT_LIST, {}))).toHaveLength(MAX_SUBSCRIPTIONS);
  });

  test(`has at most ${MAX_REDEMPTIONS} redemptions of a subscription on their way`, async () => {
    const client = await saver(node);
    const planId = await createPlan(node, { redeemLockHours: 24 });
    const applyId = await subscribe(client, planId, '1000');
    for (let i = 0; i < MAX_REDEMPTIONS; i++) {
      expectData(await client.post(REDEEM, { applyId, amount: 1 }));
    }
    expectError(await client.post(REDEEM, { applyId, amount: 1 }), 400, 100225);
    await passDays(node, 2);
    expectData(await client.post(REDEEM, { applyId, amount: 1 }));
  });
});

describe('auto renew', () => {
  test('of a plan that does not renew is rejected with the reason', async () => {
    const client = await saver(node);
    const flexible = await createPlan(node);
    const plain = await fixedPlan(node, { supportAutoRenew: false });
    const held = await subscribe(client, flexible, '100');
    const term = await subscribe(client, plain, '100');
    const noTerm = 'A flexible subscription has no term that could renew.';
    const noRenewal = 'The plan does not renew its terms.';
    const body = { amount: 100, autoRenew: true };
    for (const [answer, field, reason] of [
      [await client.post(PLAN_APPLY, { planId: flexible, ...body }), 'autoRenew', noTerm],
      [await client.post(EDIT, { applyId: held, autoRenew: true }), 'applyId', noTerm],
      [await client.post(PLAN_APPLY, { planId: plain, ...body }), 'autoRenew', noRenewal],
      [await client.post(EDIT, { applyId: term, autoRenew: true }), 'autoRenew', noRenewal],
    ] as const) {
      expectLegacy(answer, 40001, field);
      expect(answer.text).toContain(reason);
    }
  });
});

describe('a closed subscription', () => {
  test('rejects further funds with the reason', async () => {
    const [client, other] = [await saver(node), await saver(node)];
    const [flexible, fixed] = [await createPlan(node), await fixedPlan(node)];
    for (const [planId, code] of [
      [flexible, 40007],
      [fixed, 40006],
    ] as const) {
      const applyId = await subscribe(client, planId, '100');
      expectData(await client.post(REDEEM, { applyId, amount: 100 }));
      const more = { planId, amount: 100, applyId };
      expectLegacy(await client.post(PLAN_APPLY, more), code, 'applyId');
      expectLegacy(await other.post(PLAN_APPLY, more), 40005, 'applyId');
      expectLegacy(await other.post(EDIT, { applyId, autoRenew: false }), 40005, 'applyId');
      expectLegacy(await client.post(EDIT, { applyId, autoRenew: false }), 40000, 'applyId');
    }
  });

  test('says that it has ended, to whatever needs a live one', async () => {
    const client = await saver(node);
    for (const planId of [await createPlan(node, { redeemLockHours: 0 }), await fixedPlan(node)]) {
      const applyId = await subscribe(client, planId, '100');
      expectData(await client.post(REDEEM, { applyId, amount: 100 }));
      const isLive = async () => node.state.earn.subscriptions.find(Number(applyId)) !== undefined;
      while (await isLive()) await passDays(node, 1);
      for (const answer of [
        await client.post(REDEEM, { applyId, amount: 1 }),
        await client.get(REDEEM_PREVIEW, { applyId, amount: '1' }),
        await client.post(EDIT, { applyId, autoRenew: true }),
        await client.post(EDIT, { applyId, autoRenew: false }),
        await client.post(EDIT, { applyId }),
      ]) {
        expectLegacy(answer, 40000, 'applyId');
        expect(answer.text).toContain('The subscription has ended.');
      }
    }
  });

  test('of a compounding plan shows the most that it held', async () => {
    const client = await saver(node);
    const planId = await createPlan(node, { autoCompound: true, redeemLockHours: 0 });
    const applyId = await subscribe(client, planId, '1000');
    await passDays(node, 11);
    const { amount } = expectData(await client.get(APPLY_DETAIL, { applyId })) as Json;
    // Ten days at a ten-thousandth, each on the interest of those before.
    expect(amount).toBeGreaterThan(1001);
    expectData(await client.post(REDEEM, { applyId, amount }));
    const closed = expectData(await client.get(APPLY_DETAIL, { applyId })) as Json;
    expect(closed).toMatchObject({ status: 3, amount });
  });

  test('the rest of an ended term is collected, and its preview forfeits nothing', async () => {
    const client = await saver(node);
    const planId = await fixedPlan(node, { reserve: '0' });
    const applyId = await subscribe(client, planId, '1000');
    await passDays(node, 32);
    const preview = expectData(await client.get(REDEEM_PREVIEW, { applyId, amount: '5' })) as Json;
    expect(preview).toMatchObject({ earnedAmount: 3, forfeitedEarningAmount: 0 });
    expectLegacy(await client.post(REDEEM, { applyId, amount: 5 }), 40009);
    await fund(node, Number(planId), '3');
    expectLegacy(await client.post(REDEEM, { applyId, amount: 5 }), 40000, 'applyId');
    const closed = expectData(await client.get(APPLY_DETAIL, { applyId })) as Json;
    expect(closed).toMatchObject({ status: 3, totalEarnedAmount: 3 });
  });
});

describe('a margin', () => {
  test('that rises needs the consent of the member, which the detail tells', async () => {
    const { admin, member } = await enterpriseOf('Raisers');
    const planId = await fixedPlan(node, { minLockDay: 3, maxLockDay: 3 });
    const renewing = { autoRenew: true };
    const applyId = await subscribe(member, planId, '1000', renewing);
    const asked = await subscribe(member, planId, '2000', renewing);
    const renewalOf = async (id: string): Promise<unknown> =>
      (expectData(await member.get(APPLY_DETAIL, { applyId: id })) as Json).renewal;
    expect(await renewalOf(applyId)).toEqual({ apr: 0.0365, consentNeeded: false });
    expect((await margin(admin, planId, RATE / 2)).outcome.ok).toBe(true);
    const needed = { apr: 0.01825, consentNeeded: true };
    expect([await renewalOf(applyId), await renewalOf(asked)]).toEqual([needed, needed]);
    expectData(await member.post(EDIT, { applyId: asked, autoRenew: true }));
    expect(await renewalOf(asked)).toEqual({ apr: 0.01825, consentNeeded: false });
  });

  test('of a held flexible subscription is the one that its preview shows', async () => {
    const { admin, member } = await enterpriseOf('Old Margins');
    const planId = await createPlan(node);
    await subscribe(member, planId, '1000');
    expect((await margin(admin, planId, RATE / 2)).outcome.ok).toBe(true);
    const held = expectData(await member.get(APPLY_PREVIEW, { planId, amount: '10' })) as Json;
    expect(held).toMatchObject({ apr: 0.0365, appliedAmount: 1000 });
    const fresh = expectData(await admin.get(APPLY_PREVIEW, { planId, amount: '10' })) as Json;
    expect(fresh).toMatchObject({ apr: 0.01825, appliedAmount: null });
  });

  test('has no part in compounded interest being counted twice', async () => {
    const { admin, member } = await enterpriseOf('Compounders');
    const planId = await createPlan(node, { autoCompound: true });
    await subscribe(member, planId, '1000');
    await passDays(node, 3);
    const [item] = expectPage(expectData(await admin.post(MEMBERS, {}), true), {});
    expect(item!.maturityAmount).toBe(item!.principal);
    expect(item!.earnings).toBeGreaterThan(0);
  });
});

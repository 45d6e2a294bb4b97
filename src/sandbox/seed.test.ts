// The content of a new sandbox: accounts with their credentials, and plans.
import { describe, expect, test } from 'bun:test';
import { TestNode } from '../../test/support/node.ts';
import { planReserves } from '../contract/operator/plan-reserve.ts';
import { currentTerms, type Plan } from '../core/earn/plan.ts';
import { checkInvariants } from '../core/invariants.ts';
import { AccountCode } from '../core/ledger/account-code.ts';
import { amount } from '../core/units.ts';
import type { SandboxUser } from './seed.ts';

const COIN = 100_000_000;

const node = TestNode.forFile({ sandbox: { history: false } });

const plans = (): Plan[] => node.state.earn.plans.flatMap((plan) => plan ?? []);
function everyone(): readonly SandboxUser[] {
  const { demo, market, enterprise } = node.sandbox;
  return [demo, ...market, enterprise.admin, ...enterprise.members];
}

describe('people', () => {
  test('have uids in order, a password, a key, KYC and money', async () => {
    expect(everyone().map(({ uid }) => uid)).toEqual([1, 2, 3, 4, 5, 6]);
    const { users, apiKeys, passwords } = node.services.identity;
    for (const { uid, email, password, apiKey } of everyone()) {
      const person = users.find(uid)!;
      expect(person.email).toBe(email);
      // The full cost: a server as main starts it has no lower one.
      expect(person.passwordHash).toStartWith('$argon2id$v=19$m=65536,t=3,p=1$');
      expect(await passwords.verify(password, person.passwordHash)).toMatchObject({ value: true });
      expect(apiKeys.lookup(apiKey)!.uid).toBe(uid);
      expect(node.state.users[uid]!.kyc).toBe(true);
      for (const { assetId } of node.state.assets) {
        expect(node.state.ledger.balanceOf(uid, assetId, AccountCode.available) > 0).toBe(true);
      }
    }
  });

  test('the demo user may do everything but administer an enterprise', () => {
    const { apiKeys } = node.services.identity;
    expect(apiKeys.lookup(node.sandbox.demo.apiKey)!.moduleIds).toEqual([1, 2, 3, 5, 6]);
    expect(node.state.users[node.sandbox.demo.uid]).toMatchObject({ enterpriseId: 0 });
  });

  test('the enterprise has an admin, whose key may do everything, and two members', () => {
    const { enterpriseId, name, admin, members } = node.sandbox.enterprise;
    expect(name).toBe('Sandbox Treasury');
    expect(node.state.earn.enterprises[enterpriseId]!.name).toBe(name);
    expect(members).toHaveLength(2);
    for (const { uid } of [admin, ...members]) {
      expect(node.state.users[uid]).toMatchObject({
        enterpriseId,
        enterpriseAdmin: uid === admin.uid,
      });
    }
    const { apiKeys } = node.services.identity;
    expect(apiKeys.lookup(admin.apiKey)!.moduleIds).toEqual([1, 2, 3, 4, 5, 6]);
    expect(apiKeys.lookup(members[0]!.apiKey)!.moduleIds).not.toContain(4);
  });
});

describe('plans', () => {
  test('there is one of every kind', () => {
    const shown = plans().map((plan) => {
      const terms = currentTerms(plan);
      const { name } = node.state.assets[plan.assetId]!;
      const days = [plan.minLockDay, plan.maxLockDay];
      return [terms.planName, plan.planType, name, terms.minRate, terms.maxRate, ...days];
    });
    expect(shown).toEqual([
      ['USDT Flexible', 1, 'USDT', 4_000_000, 4_000_000, 0, 0],
      ['BTC Flexible', 1, 'BTC', 1_500_000, 1_500_000, 0, 0],
      ['USDT 30 Days', 2, 'USDT', 8_000_000, 8_000_000, 30, 30],
      ['USDT 90 Days', 2, 'USDT', 10_000_000, 10_000_000, 90, 90],
      ['USDT Flexible Term', 3, 'USDT', 3_000_000, 9_000_000, 7, 365],
      ['USDC Verified', 1, 'USDC', 5_000_000, 5_000_000, 0, 0],
    ]);
    const [compounding, locked, renewing, boosted, term, verified] = plans();
    expect(compounding!.autoCompound).toBe(true);
    expect(currentTerms(locked!)).toMatchObject({ redeemLockHours: 24 });
    expect(currentTerms(renewing!)).toMatchObject({
      supportAutoRenew: true,
      supportEarlyRedemption: false,
    });
    expect(boosted!.rewardFrequency).toBe(7);
    expect(currentTerms(boosted!)).toMatchObject({
      supportEarlyRedemption: true,
      redeemLockHours: 24,
      booster: {
        assetId: node.state.assetNamed('MMX')!.assetId,
        ratio: COIN / 10,
        rate: 2_000_000,
      },
    });
    expect(currentTerms(term!)).toMatchObject({ supportEarlyRedemption: true });
    expect(currentTerms(verified!)).toMatchObject({ requiresKyc: true });
  });

  test('the maximum subscriptions of the demo user leave no reserve in alarm', async () => {
    const { uid } = node.sandbox.demo;
    for (const plan of plans()) {
      const { userAmountMax, booster } = currentTerms(plan);
      const { assetId, minLockDay: lockDay, planId } = plan;
      const money = { uid, assetId, amount: userAmountMax, reference: `more-${planId}` };
      await node.must({ type: 'transferFunds', direction: 'credit', ...money });
      await node.must({
        type: 'subscribePlan',
        uid,
        planId,
        amount: userAmountMax,
        lockDay,
        autoRenew: false,
        boosterAmount: booster === null ? null : amount(100_000 * COIN),
        applyId: 0,
        signature: null,
        idempotency: null,
      });
    }
    for (const reserve of planReserves(node.state, 365)) {
      expect(reserve).toMatchObject({ alarm: false, daysOfCover: expect.any(Number) });
    }
    checkInvariants(node.state);
  });
});

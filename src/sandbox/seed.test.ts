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
      for (const { assetId } of node.state.listedAssets) {
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
  test('there is one of every kind, and with every term', () => {
    const all = plans().map((plan) => ({ ...plan, ...currentTerms(plan) }));
    expect(new Set(all.map(({ planType }) => planType))).toEqual(new Set([1, 2, 3]));
    const withTerm = {
      'a higher rate for a longer term': all.filter(({ minRate, maxRate }) => minRate < maxRate),
      'compound interest': all.filter(({ autoCompound }) => autoCompound),
      'interest once a week': all.filter(({ rewardFrequency }) => rewardFrequency === 7),
      'auto renew': all.filter(({ supportAutoRenew }) => supportAutoRenew),
      'no early redemption': all.filter(({ supportEarlyRedemption }) => !supportEarlyRedemption),
      'a lock time': all.filter(({ redeemLockHours }) => redeemLockHours > 0),
      'a booster': all.filter(({ booster }) => booster !== null),
      verification: all.filter(({ requiresKyc }) => requiresKyc),
    };
    for (const [term, found] of Object.entries(withTerm)) {
      expect([term, found.length > 0]).toEqual([term, true]);
    }
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

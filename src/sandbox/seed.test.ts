// The content of a new sandbox: accounts with their credentials, and plans.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { loadConfig } from '../config.ts';
import { planReserves } from '../contract/operator/plan-reserve.ts';
import { currentTerms } from '../core/earn/plan.ts';
import { checkInvariants } from '../core/invariants.ts';
import { AccountCode } from '../core/ledger/account-code.ts';
import { amount } from '../core/units.ts';
import { type Node, startNode } from '../node.ts';
import { type SandboxAccess, type SandboxUser, seedSandbox } from './seed.ts';

const COIN = 100_000_000;

let dataDir: string;
let node: Node;
let access: SandboxAccess;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'agio-seed-'));
  const argv = ['--data', dataDir, '--port', '0', '--no-demo', '--segment-bytes', '1048576'];
  node = await startNode({
    config: loadConfig({ argv, env: {} }),
    operatorToken: 'token-of-the-test-operator',
    log: pino({ level: 'silent' }),
    onFailure: (error) => {
      throw error;
    },
  });
  access = await seedSandbox(node.services, { history: false });
});
afterAll(async () => {
  await node.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const state = () => node.services.engine.exchange.state;
const everyone = (): readonly SandboxUser[] => [
  access.demo,
  ...access.market,
  access.enterprise.admin,
  ...access.enterprise.members,
];

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
      expect(state().users[uid]!.kyc).toBe(true);
      for (const { assetId } of state().assets) {
        expect(state().ledger.balanceOf(uid, assetId, AccountCode.available) > 0).toBe(true);
      }
    }
  });

  test('the demo user may do everything but administer an enterprise', () => {
    const { apiKeys } = node.services.identity;
    expect(apiKeys.lookup(access.demo.apiKey)!.moduleIds).toEqual([1, 2, 3, 5, 6]);
    expect(state().users[access.demo.uid]).toMatchObject({ enterpriseId: 0 });
  });

  test('the enterprise has an admin, whose key may do everything, and two members', () => {
    const { enterpriseId, name, admin, members } = access.enterprise;
    expect(name).toBe('Sandbox Treasury');
    expect(state().earn.enterprises[enterpriseId]!.name).toBe(name);
    expect(members).toHaveLength(2);
    for (const { uid } of [admin, ...members]) {
      expect(state().users[uid]).toMatchObject({
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
    const plans = state().earn.plans.flatMap((plan) => plan ?? []);
    const shown = plans.map((plan) => {
      const terms = currentTerms(plan);
      const { name } = state().assets[plan.assetId]!;
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
    const [compounding, locked, renewing, boosted, term, verified] = plans;
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
        assetId: state().assetNamed('MMX')!.assetId,
        ratio: COIN / 10,
        rate: 2_000_000,
      },
    });
    expect(currentTerms(term!)).toMatchObject({ supportEarlyRedemption: true });
    expect(currentTerms(verified!)).toMatchObject({ requiresKyc: true });
  });

  test('the most that the demo user may subscribe leaves no reserve in alarm', async () => {
    const { uid } = access.demo;
    for (const plan of state().earn.plans.flatMap((each) => each ?? [])) {
      const { userAmountMax } = currentTerms(plan);
      const { assetId, minLockDay, planId } = plan;
      const { engine } = node.services;
      const credit = { uid, assetId, amount: userAmountMax, reference: `more-${planId}` };
      await engine.submit({ type: 'transferFunds', direction: 'credit', ...credit });
      const { outcome } = await engine.submit({
        type: 'subscribePlan',
        uid,
        planId,
        amount: userAmountMax,
        lockDay: minLockDay,
        autoRenew: false,
        boosterAmount: currentTerms(plan).booster === null ? null : amount(100_000 * COIN),
        applyId: 0,
        signature: null,
        idempotency: null,
      });
      expect(outcome).toMatchObject({ ok: true });
    }
    for (const reserve of planReserves(state(), 365)) {
      expect(reserve).toMatchObject({ alarm: false, daysOfCover: expect.any(Number) });
    }
    checkInvariants(state());
  });
});

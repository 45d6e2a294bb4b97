// Every legacy error of the list, caused over HTTP: one row each, by what a customer, an operator
// or a broken machine does.
import { beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { EngineError } from '../../src/engine/command-port.ts';
import type { FollowerHandle } from '../../src/engine/follower-handle.ts';
import { routes } from '../../src/gateway/routes/routes.ts';
import {
  APPLY_DETAIL,
  APPLY_PREVIEW,
  boosterOf,
  createPlan,
  customizedPlan,
  EDIT,
  EXPLAIN,
  expectData,
  expectLegacy,
  fixedPlan,
  INTEREST,
  PLAN_APPLY,
  PLAN_DETAIL,
  passDays,
  REDEEM,
  REDEEM_PREVIEW,
  saver,
  subscribe,
  units,
} from '../support/earn.ts';
import { type Answer, type Client, TestNode } from '../support/node.ts';
import { LEGACY_MESSAGES } from '../support/shape.ts';

const node = TestNode.forFile();
let client: Client;
let flexible: string;
let fixed: string;
let customized: string;
beforeAll(async () => {
  flexible = await createPlan(node);
  fixed = await fixedPlan(node);
  customized = await customizedPlan(node);
});
beforeEach(async () => {
  client = await saver(node);
});

const apply = (planId: string, more: object = {}, by = client): Promise<Answer> =>
  by.post(PLAN_APPLY, { planId, amount: 100, ...more });
const redeem = (applyId: string, amount: number | string, by = client): Promise<Answer> =>
  by.post(REDEEM, { applyId, amount });

interface Row {
  readonly cause: string;
  readonly field?: string;
  /** The nearest valid value that the rejection offers. */
  readonly nearest?: number;
  readonly make: () => Promise<Answer>;
}

const ROWS: Readonly<Record<number, Row>> = {
  40000: {
    cause: 'a plan that does not exist',
    field: 'planId',
    make: () => apply('999999'),
  },
  40001: {
    cause: 'a customized plan without its days',
    field: 'lockDay',
    nearest: 10,
    make: () => apply(customized),
  },
  40002: {
    cause: 'less than a customer must have in the plan',
    field: 'amount',
    nearest: 10,
    make: () => apply(flexible, { amount: '9.99999999' }),
  },
  40003: {
    cause: 'more than a customer may have in the plan, with what is held already',
    field: 'amount',
    nearest: 90,
    async make() {
      const planId = await createPlan(node, { userAmountMax: units('100') });
      await subscribe(client, planId, '10');
      return apply(planId, { amount: 90.5 });
    },
  },
  40004: {
    cause: 'more than the plan has room for',
    field: 'amount',
    nearest: 50,
    async make() {
      const planId = await createPlan(node, { poolCapacity: units('150') });
      await subscribe(await saver(node), planId, '100');
      return apply(planId);
    },
  },
  40005: {
    cause: 'a subscription of someone else',
    field: 'applyId',
    make: async () => redeem(await subscribe(await saver(node), flexible, '100'), 1),
  },
  40006: {
    cause: 'adding to a subscription that has a term',
    field: 'applyId',
    make: async () => apply(fixed, { applyId: await subscribe(client, fixed, '100') }),
  },
  40007: {
    cause: 'adding to a flexible subscription that is redeeming whole',
    field: 'applyId',
    async make() {
      const planId = await createPlan(node, { redeemLockHours: 24 });
      const applyId = await subscribe(client, planId, '100');
      expectData(await redeem(applyId, 100));
      return apply(planId, { applyId });
    },
  },
  40008: { cause: 'a journal that fails', make: () => withFailingJournal() },
  40009: {
    cause: 'interest that the reserve cannot pay',
    async make() {
      const planId = await createPlan(node, { reserve: '0' });
      const applyId = await subscribe(client, planId, '1000');
      await passDays(node, 3);
      expectData(await redeem(applyId, 1000));
      return redeem(applyId, 1);
    },
  },
  40010: {
    cause: 'redeeming more than there is',
    field: 'amount',
    nearest: 100,
    make: async () => redeem(await subscribe(client, flexible, '100'), 101),
  },
  40011: {
    cause: 'a plan for verified customers',
    async make() {
      const planId = await createPlan(node, { requiresKyc: true });
      await node.amendUser(client.uid, { kyc: false });
      return apply(planId);
    },
  },
  40012: {
    cause: 'a booster on a flexible plan',
    field: 'boosterAmount',
    make: () => apply(flexible, { boosterAmount: 50 }),
  },
  40013: {
    cause: 'redeeming a part of a term',
    field: 'amount',
    nearest: 100,
    make: async () => redeem(await subscribe(client, fixed, '100'), 99),
  },
  40014: {
    cause: 'a booster on a plan without one',
    field: 'boosterAmount',
    make: () => apply(fixed, { boosterAmount: '0.000000000001' }),
  },
  40015: {
    cause: 'a term that is too short',
    field: 'lockDay',
    nearest: 10,
    make: () => apply(customized, { lockDay: 9 }),
  },
  40016: {
    cause: 'a term that is too long',
    field: 'lockDay',
    nearest: 110,
    make: () => apply(customized, { lockDay: 111 }),
  },
  40017: {
    cause: 'a booster of nothing',
    field: 'boosterAmount',
    make: () => apply(fixed, { boosterAmount: 0 }),
  },
  40018: {
    cause: 'redeeming a term that cannot be redeemed early',
    field: 'applyId',
    async make() {
      const planId = await fixedPlan(node, { supportEarlyRedemption: false });
      return redeem(await subscribe(client, planId, '100'), 100);
    },
  },
  40019: { cause: 'views that have stopped', make: () => withStoppedViews() },
  40020: {
    cause: 'more than the available balance',
    field: 'amount',
    nearest: 99,
    make: async () => apply(flexible, {}, await saver(node, { USDT: '99' })),
  },
};

/** A subscription whose command the engine takes, and cannot write. */
async function withFailingJournal(): Promise<Answer> {
  using _failing = spyOn(node.engine, 'enqueue').mockImplementationOnce((_, receiver) =>
    receiver.reject(new EngineError('failed', 'The journal cannot be written.')),
  );
  return await apply(flexible);
}

/** A read of history from a node whose follower has ended. */
async function withStoppedViews(): Promise<Answer> {
  await using broken = await TestNode.start();
  const owner = await saver(broken);
  const applyId = await subscribe(owner, await createPlan(broken), '100');
  expectData(await owner.get(INTEREST, { applyId }));
  await (broken.services.views as FollowerHandle).stop();
  // Live state needs no views.
  expectData(await owner.get(REDEEM_PREVIEW, { applyId }));
  return await owner.get(INTEREST, { applyId });
}

test('every earn path is one of the contract, and answers in its envelope', () => {
  const earn = routes.filter(({ path }) => path.startsWith('/earn-api/'));
  expect(earn).toHaveLength(15);
  expect(earn.filter(({ envelope }) => envelope === undefined)).toEqual([]);
});

describe('the legacy errors', () => {
  test('are all caused below', () => {
    expect(Object.keys(ROWS)).toEqual(Object.keys(LEGACY_MESSAGES));
  });

  for (const [number, { cause, field, nearest, make }] of Object.entries(ROWS)) {
    test(`${number} ${LEGACY_MESSAGES[Number(number)]}: ${cause}`, async () => {
      const details = expectLegacy(await make(), Number(number), field);
      if (nearest !== undefined) expect<unknown>(details.nearest).toBe(nearest);
    });
  }

  test('change nothing', async () => {
    const planId = await fixedPlan(node, { booster: boosterOf(node) });
    const balances = () =>
      JSON.stringify([node.balance(client.uid, 'USDT'), node.balance(client.uid, 'MMX')]);
    const before = balances();
    const short = await apply(planId, { boosterAmount: '49.99999999' });
    expect<unknown>(expectLegacy(short, 40001, 'boosterAmount').nearest).toBe(50);
    expectLegacy(await apply(planId, { boosterAmount: '100001' }), 40020, 'boosterAmount');
    expect(balances()).toBe(before);
  });

  test('offer no value that the plan rejects next', async () => {
    const planId = await createPlan(node, {
      userAmountMin: units('50'),
      poolCapacity: units('120'),
    });
    const poor = await saver(node, { USDT: '40' });
    expect(expectLegacy(await apply(planId, { amount: '60' }, poor), 40020)).not.toHaveProperty(
      'nearest',
    );
    const rich = await saver(node);
    await subscribe(rich, planId, '100');
    // Below the plan's least for a new customer, and enough for who has it already.
    const another = await saver(node);
    expect(expectLegacy(await apply(planId, { amount: '60' }, another), 40004)).not.toHaveProperty(
      'nearest',
    );
    expect<unknown>(expectLegacy(await apply(planId, { amount: '60' }, rich), 40004).nearest).toBe(
      20,
    );
  });
});

describe('40000', () => {
  test('is every unknown id, also one that is no natural number', async () => {
    for (const id of ['999999', '0', '-1', '01', '1.5', 'abc', '9007199254740993', '%00']) {
      for (const path of [PLAN_DETAIL, APPLY_PREVIEW]) {
        expectLegacy(await client.get(path, `planId=${id}`), 40000, 'planId');
      }
      for (const [path, more] of [
        [APPLY_DETAIL, ''],
        [INTEREST, ''],
        [EXPLAIN, '&date=0'],
        [REDEEM_PREVIEW, '&amount=1'],
      ] as const) {
        expectLegacy(await client.get(path, `applyId=${id}${more}`), 40000, 'applyId');
      }
    }
    for (const id of ['x', '0', 0, -3, 4_294_967_297, '999999']) {
      expectLegacy(await client.post(PLAN_APPLY, { planId: id, amount: 100 }), 40000, 'planId');
      expectLegacy(await apply(flexible, { applyId: id }), 40000, 'applyId');
      expectLegacy(await client.post(REDEEM, { applyId: id, amount: 1 }), 40000, 'applyId');
      expectLegacy(await client.post(EDIT, { applyId: id, autoRenew: true }), 40000, 'applyId');
      expectLegacy(await client.post(EDIT, { applyId: id }), 40000, 'applyId');
    }
  });
});

describe('40005', () => {
  test('is every call about another user’s subscription, live or redeemed', async () => {
    const other = await saver(node);
    const live = await subscribe(other, fixed, '100');
    const closed = await subscribe(other, flexible, '100');
    expectData(await redeem(closed, 100, other));
    for (const applyId of [live, closed]) {
      for (const path of [APPLY_DETAIL, INTEREST]) {
        expectLegacy(await client.get(path, { applyId }), 40005, 'applyId');
      }
      expectLegacy(await client.get(EXPLAIN, { applyId, date: 0 }), 40005, 'applyId');
      // Before what depends on its plan.
      for (const amount of ['1', '0.0000000001']) {
        expectLegacy(await redeem(applyId, amount), 40005, 'applyId');
      }
      expectLegacy(await client.post(EDIT, { applyId }), 40005, 'applyId');
    }
    const fine = { applyId: live, amount: '0.0000000001' };
    expectLegacy(await client.get(REDEEM_PREVIEW, fine), 40005, 'applyId');
    expectLegacy(await client.post(EDIT, { applyId: live, autoRenew: false }), 40005, 'applyId');
    expectLegacy(await apply(fixed, { applyId: live }), 40005, 'applyId');
  });
});

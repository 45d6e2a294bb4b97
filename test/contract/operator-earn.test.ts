// The operator's calls about earn: plans with their terms, and enterprises. Reserves are in
// operator-reserve.test.ts.
import { describe, expect, test } from 'bun:test';
import { type Json, TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();
const operator = new Operator(node);

const BOUNDS = { userAmountMin: 10, userAmountMax: '100000' };
const FLEXIBLE = { planName: 'Flexible', planType: 1, coin: 'USDT', apr: 0.0365, ...BOUNDS };
const FIXED = {
  planName: 'Fixed',
  planType: 2,
  coin: 'USDT',
  apr: '0.08',
  lockDay: 30,
  ...BOUNDS,
};
const CUSTOMIZED = {
  planName: 'Customized',
  planType: 3,
  coin: 'USDT',
  minApr: 0.03,
  maxApr: 0.09,
  minLockDay: 7,
  maxLockDay: 365,
  ...BOUNDS,
};
const BOOSTER = { coin: 'MMX', ratio: 1, apr: 0.01 };
const boosters = (name: keyof typeof BOOSTER, ...values: unknown[]) =>
  values.map((value) => ({ booster: { ...BOOSTER, [name]: value } }));

async function create(body: object): Promise<string> {
  const created = expectOk(await operator.post('plans', body));
  return String(created.planId);
}

async function read(planId: string): Promise<Json> {
  const plan = expectOk(await operator.get(`plans/${planId}`));
  return plan;
}

describe('POST plans', () => {
  test('has its id and its terms in the audit log', async () => {
    const planId = await create(FLEXIBLE);
    expect(operator.audited()[0]).toMatchObject({
      object: `plan:${planId}`,
      details: { planName: 'Flexible', apr: '0.0365' },
    });
  });

  test('has each plan in the list', async () => {
    const planId = await create({ ...FLEXIBLE, planType: '1', autoCompound: true, apr: 0 });
    const rows = rowsOf(expectOk(await operator.get('plans')));
    expect(rows.map((row) => String(row.planId))).toEqual(rows.map((_, at) => String(at + 1)));
    expect<unknown>(rows.at(-1)).toEqual(await read(planId));
    expect<unknown>(rows.at(-1)).toMatchObject({ planType: 1, autoCompound: true, apr: 0 });
  });

  test.each<[terms: object, changes: readonly object[], code?: number, field?: string]>([
    [FLEXIBLE, [{ coin: 'DOGE' }], 100221],
    [FLEXIBLE, [{ apr: undefined }, { apr: 10.00000001 }, { apr: '9'.repeat(40) }]],
    [FLEXIBLE, [{ apr: 0.123456789 }, { userAmountMin: '0.000000001' }], 100208],
    [FLEXIBLE, [{ poolCapacity: '1.000000001' }], 100208],
    [FLEXIBLE, [{ minApr: 0.01 }, { maxApr: 0.01 }, { lockDay: 30 }, { minLockDay: 30 }]],
    [FLEXIBLE, [{ supportAutoRenew: true }, { supportEarlyRedemption: false }]],
    [FLEXIBLE, [{ booster: BOOSTER }, { userAmountMax: 9 }]],
    [FIXED, [{ lockDay: undefined }, { maxLockDay: 60 }, { autoCompound: true }]],
    [FIXED, [{ booster: { ...BOOSTER, coin: 'DOGE' } }], 100221, 'booster.coin'],
    [FIXED, boosters('ratio', 0, '1e61'), 100200, 'booster.ratio'],
    [FIXED, [{ booster: { ...BOOSTER, ratio: '90071993', apr: 1 } }], 100200, 'booster.ratio'],
    [FIXED, boosters('apr', 0, undefined, 11), 100200, 'booster.apr'],
    [CUSTOMIZED, [{ apr: 0.05 }, { lockDay: 30 }, { maxApr: undefined }]],
    [CUSTOMIZED, [{ minLockDay: undefined }, { maxLockDay: 6 }]],
    [CUSTOMIZED, [{ maxLockDay: 7 }], 100200, 'maxApr'],
  ])('%j rejects %j', async (terms, changes, code = 100200, field) => {
    const { seq } = node;
    for (const change of changes) {
      const answer = await operator.post('plans', { ...terms, ...change });
      expectError(answer, 400, code, field ?? Object.keys(change)[0]);
    }
    expect(node.seq).toBe(seq);
  });
});

/** An empty reserve is an alarm while its plan is open. */
const closedReserve = ({ reserve }: Json) => ({ ...(reserve as Json), alarm: false });

describe('PATCH plans/{planId}', () => {
  test('changes what is sent and nothing else', async () => {
    const planId = await create({ ...FIXED, poolCapacity: 500, label: 'old', redeemLockHours: 2 });
    const before = await read(planId);
    const booster = { coin: 'MMX', ratio: 0.5, apr: 0.01 };
    const answer = await operator.patch(`plans/${planId}`, { apr: '0.07', booster, label: '' });
    const after = expectOk(answer);
    expect<unknown>(after).toEqual({ ...before, apr: 0.07, booster, label: '' });
    expect(operator.audited()[0]).toMatchObject({
      object: `plan:${planId}`,
      details: { apr: '0.07' },
    });
    const removed = { poolCapacity: null, booster: null, status: 'closed', supportAutoRenew: true };
    const last = expectOk(await operator.patch(`plans/${planId}`, removed));
    expect<unknown>(last).toEqual({
      ...before,
      apr: 0.07,
      label: '',
      capacityLeft: null,
      ...removed,
      reserve: closedReserve(before),
    });
    expect(node.state.earn.plans[Number(planId)]!.versions).toHaveLength(3);
  });

  test('every term that may change changes', async () => {
    const planId = await create(CUSTOMIZED);
    const change = {
      planName: 'Renamed',
      minApr: 0.01,
      maxApr: 0.02,
      userAmountMin: 1,
      userAmountMax: 2,
      poolCapacity: 3,
      redeemLockHours: 4,
      supportEarlyRedemption: true,
      supportAutoRenew: true,
      requiresKyc: true,
      label: 'five',
      booster: { coin: 'BTC', ratio: 6, apr: 7 },
      status: 'closed',
    };
    const before = await read(planId);
    const { coin: _, planName: __, ...told } = CUSTOMIZED;
    expect<unknown>(before).toMatchObject({ apr: null, lockDay: null, minApr: 0.03, maxApr: 0.09 });
    const otherwise = { userAmountMax: 100_000, supportEarlyRedemption: false };
    expect<unknown>(before).toMatchObject({ ...told, ...otherwise });
    const after = expectOk(await operator.patch(`plans/${planId}`, change));
    expect<unknown>(after).toEqual({
      ...before,
      ...change,
      capacityLeft: 3,
      reserve: closedReserve(before),
    });
  });

  test('simultaneous changes do not undo each other', async () => {
    const planId = await create(FIXED);
    const changes = [
      { apr: 0.01 },
      { label: 'one' },
      { requiresKyc: true },
      { redeemLockHours: 9 },
    ];
    for (const { status } of await Promise.all(
      changes.map((body) => operator.patch(`plans/${planId}`, body)),
    )) {
      expect(status).toBe(200);
    }
    expect<unknown>(await read(planId)).toMatchObject(Object.assign({}, ...changes));
  });

  test.each<[terms: object, changes: readonly object[], code?: number, field?: string]>([
    [FIXED, [{}, { apr: null }], 100200, 'body'],
    [FIXED, [{ minApr: 0.05 }, { userAmountMin: 100_001 }, { userAmountMax: 1 }]],
    [FIXED, [{ booster: { ...BOOSTER, coin: 'DOGE' } }], 100221, 'booster.coin'],
    [FLEXIBLE, [{ supportAutoRenew: true }, { supportEarlyRedemption: false }]],
    [CUSTOMIZED, [{ apr: 0.05 }]],
    [{ ...CUSTOMIZED, maxLockDay: 7, maxApr: 0.03 }, [{ minApr: 0.02 }, { maxApr: 0.02 }]],
  ])('of %j rejects %j', async (terms, changes, code = 100200, field) => {
    const planId = await create(terms);
    const { seq } = node;
    for (const change of changes) {
      const answer = await operator.patch(`plans/${planId}`, change);
      expectError(answer, 400, code, field ?? Object.keys(change)[0]);
    }
    expect(node.seq).toBe(seq);
  });

  test('says of each other field that it never changes', async () => {
    const planId = await create(FIXED);
    const never = { planType: 2, coin: 'USDT', lockDay: 30, minLockDay: 1, maxLockDay: 1 };
    for (const term of Object.entries({
      ...never,
      rewardFrequency: 1,
      autoCompound: true,
      planId,
    })) {
      const body = { ...Object.fromEntries([term]), apr: 0.01 };
      const answer = await operator.patch(`plans/${planId}`, body);
      const details = expectError(answer, 400, 100200, term[0]);
      expect<unknown>(details).toEqual({ field: term[0], rule: 'changeable' });
    }
  });
});

describe('enterprises', () => {
  test('are created once by each name', async () => {
    const name = 'Treasury – Ärzte';
    const { enterpriseId } = expectOk(await operator.post('enterprises', { name }));
    expect(operator.audited()[0]!.object).toBe(`enterprise:${enterpriseId}`);
    expectError(await operator.post('enterprises', { name }), 409, 100222);
    const rows = rowsOf(expectOk(await operator.get('enterprises')));
    expect<unknown>(rows.at(-1)).toMatchObject({ enterpriseId, name });
  });
});

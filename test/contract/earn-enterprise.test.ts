// The calls of an enterprise's admin: the subscriptions of the members, the margins, and how one is
// set.
import { beforeAll, describe, expect, test } from 'bun:test';
import {
  APPLY_PREVIEW,
  assign,
  boosterOf,
  createPlan,
  customizedPlan,
  EARN,
  EDIT_MARGIN,
  editMargin,
  expectData,
  expectLegacy,
  expectPage,
  fixedPlan,
  MARGINS,
  MEMBERS,
  PLAN_DETAIL,
  REDEEM,
  saver,
  subscribe,
} from '../support/earn.ts';
import { type Client, type Json, signedHeaders, TestNode } from '../support/node.ts';
import { expectError } from '../support/shape.ts';

const node = TestNode.forFile();
let admin: Client;
let member: Client;
let enterpriseId: number;
let flexible: string;
let fixed: string;
let customized: string;
let dear: string;
beforeAll(async () => {
  flexible = await createPlan(node, { redeemLockHours: 24 });
  fixed = await fixedPlan(node, { booster: boosterOf(node), redeemLockHours: 24 });
  customized = await customizedPlan(node);
  dear = await createPlan(node, { coin: 'BTC', reserve: '100' });
  ({ enterpriseId } = await node.must({ type: 'createEnterprise', name: 'Savers Inc.' }));
  admin = await adminOf(enterpriseId);
  member = await memberOf(enterpriseId);
});

async function memberOf(enterprise: number, admin = false): Promise<Client> {
  const client = await saver(node, { USDT: '100000', MMX: '100000', BTC: '1000' });
  await assign(node, client.uid, enterprise, admin);
  return client;
}
const adminOf = (enterprise: number): Promise<Client> => memberOf(enterprise, true);

describe('POST /earn-api/v1/user/earn/plans/list', () => {
  const list = async (body: object, totals: Record<string, number> = {}, by = admin) =>
    expectPage(expectData(await by.post(MEMBERS, body), true), totals);

  test('shows the progress of a redemption, and keeps redeemed amounts', async () => {
    const own = await memberOf(enterpriseId);
    const partly = await subscribe(own, flexible, '100');
    const wholly = await subscribe(own, fixed, '100');
    expectData(await own.post(REDEEM, { applyId: partly, amount: 60 }));
    expectData(await own.post(REDEEM, { applyId: wholly, amount: 100 }));
    const pick = async () => {
      const items = await list({});
      return items
        .slice(0, 2)
        .map(({ subscriptionId, principal, redemptionStatus }) => [
          subscriptionId,
          principal,
          redemptionStatus,
        ]) as unknown;
    };
    expect(await pick()).toEqual([
      [wholly, 100, 'REDEEMING'],
      [partly, 40, 'REDEEMING'],
    ]);
    await node.engine.advanceClock(24 * 3_600_000);
    expect(await pick()).toEqual([
      [wholly, 100, 'REDEEMED'],
      [partly, 40, 'ACTIVE'],
    ]);
  });

  test('is of this enterprise alone, newest first, in pages by either name', async () => {
    const other = await node.must({ type: 'createEnterprise', name: 'Others Inc.' });
    const theirs = await adminOf(other.enterpriseId);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++)
      ids.unshift(await subscribe(theirs, customized, '100', { lockDay: 10 + i }));
    const totals = { totalNum: 5, totalPage: 3, pageSize: 2 };
    const seen: unknown[] = [];
    for (const [body, currentPage] of [
      [{ pageSize: 2 }, 1],
      [{ pageNum: 2, pageSize: 2 }, 2],
      [{ currentPage: 3, pageNum: 3, pageSize: 2 }, 3],
      [{ currentPage: 4, pageSize: 2 }, 4],
    ] as const) {
      const items = await list(body, { ...totals, currentPage }, theirs);
      seen.push(...items.map(({ subscriptionId }) => subscriptionId));
    }
    expect(seen).toEqual(ids);
    await list({}, { totalNum: 5, totalPage: 1, pageSize: 10, currentPage: 1 }, theirs);
    const differ = await theirs.post(MEMBERS, { currentPage: 1, pageNum: 2 });
    expectLegacy(differ, 40001, 'currentPage');
  });

  test('can be of one type and of one coin', async () => {
    const { enterpriseId: third } = await node.must({ type: 'createEnterprise', name: 'Third' });
    const own = await adminOf(third);
    const inBtc = await subscribe(own, dear, '10');
    const inUsdt = await subscribe(own, flexible, '10');
    const term = await subscribe(own, fixed, '10');
    const idsOf = async (body: object) =>
      (await list(body, {}, own)).map(({ subscriptionId }) => String(subscriptionId));
    expect(await idsOf({ planType: 1 })).toEqual([inUsdt, inBtc]);
    expect(await idsOf({ planType: '2' })).toEqual([term]);
    expect(await idsOf({ symbol: 'BTC' })).toEqual([inBtc]);
    expect(await idsOf({ symbol: 'USDT', planType: 1 })).toEqual([inUsdt]);
    expect(await idsOf({ symbol: 'ETH' })).toEqual([]);
    for (const none of [{ symbol: 'NONE' }, { planType: 9 }, { planType: 0 }]) {
      expect(await idsOf(none)).toEqual([]);
    }
  });

  test('is for admins alone, whatever their key may', async () => {
    for (const by of [member, await saver(node)]) {
      expectError(await by.post(MEMBERS, {}), 403, 100403);
    }
    const reader = node.key(admin.uid, { moduleIds: EARN.slice(0, 3) });
    expectError(await reader.post(MEMBERS, {}), 403, 100403);
  });
});

describe('POST /earn-api/v1/user/yield/manage/list', () => {
  const list = async (body: object, by = admin): Promise<Json> =>
    expectData(await by.post(MARGINS, body), true);

  test('is cut into pages, and can be of one coin', async () => {
    const second = await list({ pageNum: 2, pageSize: 3 });
    const items = expectPage(second, { currentPage: 2, pageSize: 3, totalNum: 4, totalPage: 2 });
    expect<unknown>(items.map(({ planId }) => planId)).toEqual([flexible]);
    const beyond = await list({ pageNum: 3, pageSize: 3 });
    expect(expectPage(beyond, { totalNum: 4, totalPage: 2 })).toEqual([]);
    const inBtc = await list({ asset: 'BTC', pageNum: 1, pageSize: 100 });
    expect(expectPage(inBtc, { totalNum: 1, totalPage: 1 })).toHaveLength(1);
    const none = await list({ asset: 'NONE', pageNum: 1, pageSize: 1 });
    expect(expectPage(none, { totalNum: 0, totalPage: 0 })).toEqual([]);
    expect(await list({ currentPage: 2, pageSize: 3 })).toEqual(second);
    for (const body of [{ pageSize: 3 }, { pageNum: 0, pageSize: 3 }, { pageNum: 1 }]) {
      const field = 'pageSize' in body ? 'pageNum' : 'pageSize';
      expectLegacy(await admin.post(MARGINS, body), 40001, field);
    }
  });
});

describe('POST /earn-api/v1/user/edit/enterpriseMargin', () => {
  test('rejects a margin above the plan’s minimum rate, and names the maximum', async () => {
    const high = await editMargin(node, admin, `planId=${customized}&margin=0.03650001`);
    expect<unknown>(expectLegacy(high, 40001, 'margin')).toMatchObject({
      limit: 0.0365,
      nearest: 0.0365,
    });
    for (const margin of ['1', '99999999999999999999']) {
      expectLegacy(
        await editMargin(node, admin, `planId=${fixed}&margin=${margin}`),
        40001,
        'margin',
      );
    }
  });

  test('rejects a margin of more than 8 decimals, and names the nearest', async () => {
    const fine = await editMargin(node, admin, `planId=${fixed}&margin=0.001000001`);
    expect<unknown>(expectLegacy(fine, 40001, 'margin').nearest).toBe(0.001);
  });

  test('takes its inputs from the query alone; the body is an empty object', async () => {
    const query = `planId=${fixed}&margin=0.001`;
    const withBody = (body: string) => editMargin(node, admin, query, { body });
    expectLegacy(await withBody('{"margin":0.001}'), 40001, 'margin');
    expectError(await withBody('[]'), 400, 100200);
    // The signature covers the query and then the body; the body alone is not enough.
    const timestamp = admin.timestamp();
    const request = { method: 'POST', path: EDIT_MARGIN, body: '{}', timestamp };
    const headers = signedHeaders(admin.credentials, request);
    expectError(await editMargin(node, admin, query, { headers }), 401, 100401);
  });

  test('is signed with its {} or without it, and works once either way', async () => {
    const query = `planId=${fixed}&margin=0.001`;
    for (const sent of ['{}', '']) {
      for (const signed of ['{}', '']) {
        const timestamp = admin.timestamp();
        const request = { method: 'POST', path: EDIT_MARGIN, query, body: signed, timestamp };
        const headers = signedHeaders(admin.credentials, request);
        expectData(await editMargin(node, admin, query, { body: sent, headers }), true);
        const again = await editMargin(node, admin, query, { body: sent, headers });
        expect([again.status, String(again.body.code)]).not.toContain('0');
        expect(again.status).toBeGreaterThan(400);
      }
    }
    const timestamp = admin.timestamp();
    const request = { method: 'POST', path: EDIT_MARGIN, query, body: '{ }', timestamp };
    const headers = signedHeaders(admin.credentials, request);
    expectError(await editMargin(node, admin, query, { headers }), 401, 100401);
  });

  test('is for admins alone, and of plans that exist', async () => {
    expectError(await editMargin(node, member, `planId=${fixed}&margin=0`), 403, 100403);
    for (const planId of ['999', '0', 'x', '1.0']) {
      expectLegacy(await editMargin(node, admin, `planId=${planId}&margin=0`), 40000, 'planId');
    }
  });
});

test('plan/detail and apply/preview show a member one rate', async () => {
  const own = await memberOf(enterpriseId);
  const outsider = await saver(node);
  const plans = [await createPlan(node), await fixedPlan(node), await customizedPlan(node)];
  for (const planId of plans) {
    const numbers = { planId: Number(planId), margin: 1_000_000 };
    const signed = { uid: admin.uid, signature: null, idempotency: null };
    await node.must({ type: 'setMargin', ...signed, ...numbers });
    const seen = async (client: Client) => {
      const detail = expectData(await client.get(PLAN_DETAIL, { planId }));
      const { apr, minApr, maxApr } = detail as Json;
      const previewed = async (day: unknown) => {
        const query = { planId, amount: '100', ...(day === null ? {} : { day: String(day) }) };
        return Number((expectData(await client.get(APPLY_PREVIEW, query)) as Json).apr);
      };
      const [first, last] = [minApr ?? apr, maxApr ?? apr].map(Number);
      expect(await previewed(detail.minLockDay ?? null)).toBe(first!);
      expect(await previewed(detail.maxLockDay ?? null)).toBe(last!);
      return first!;
    };
    expect((await seen(outsider)) - (await seen(own))).toBeCloseTo(0.01, 8);
  }
});

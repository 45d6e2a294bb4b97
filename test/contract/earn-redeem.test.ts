// Redemptions and their previews.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  APPLY_DETAIL,
  boosterOf,
  createPlan,
  expectData,
  expectLegacy,
  fixedPlan,
  owned,
  passDays,
  REDEEM,
  REDEEM_PREVIEW,
  saver,
  subscribe,
} from '../support/earn.ts';
import { type Client, type Json, TestNode } from '../support/node.ts';

const node = TestNode.forFile();
let client: Client;
let flexible: string;
let boosted: string;
beforeAll(async () => {
  flexible = await createPlan(node);
  boosted = await fixedPlan(node, {
    booster: boosterOf(node),
    redeemLockHours: 24,
    rewardFrequency: 2,
  });
});
beforeEach(async () => {
  client = await saver(node);
});

describe('GET /earn-api/v1/user/redeem/preview', () => {
  const preview = async (query: Record<string, string>): Promise<Json> => {
    const data = expectData(await client.get(REDEEM_PREVIEW, query));
    return data;
  };

  test('has every field for a flexible subscription, which forfeits nothing', async () => {
    const applyId = await subscribe(client, flexible, '1000');
    await passDays(node, 3);
    const expected = {
      boosterAmount: null,
      boosterCoin: null,
      earnedAmount: 0.2,
      forfeitedEarningAmount: null,
      timeToRedeem: 0,
    };
    expect<unknown>(await preview({ applyId })).toEqual(expected);
    expect<unknown>(await preview({ applyId, amount: '0.00000001' })).toEqual(expected);
  });

  test('has every field for a term with a booster, whose interest is forfeited', async () => {
    const applyId = await subscribe(client, boosted, '1000', { boosterAmount: '501.5' });
    await passDays(node, 4);
    expect<unknown>(await preview({ applyId, amount: '1000' })).toEqual({
      boosterAmount: 501.5,
      boosterCoin: 'MMX',
      earnedAmount: 0.45,
      forfeitedEarningAmount: 0.45,
      timeToRedeem: 24,
    });
  });

  test('of a term rejects a part, and more than there is', async () => {
    const applyId = await subscribe(client, boosted, '1000');
    const part = await client.get(REDEEM_PREVIEW, { applyId, amount: '999' });
    expect<unknown>(expectLegacy(part, 40013, 'amount').nearest).toBe(1000);
    const more = await client.get(REDEEM_PREVIEW, { applyId, amount: '1000.00000001' });
    expect<unknown>(expectLegacy(more, 40010, 'amount').nearest).toBe(1000);
  });

  test('changes nothing', async () => {
    const applyId = await subscribe(client, flexible, '1000');
    const { seq } = node;
    await preview({ applyId });
    expect(node.seq).toBe(seq);
  });
});

describe('POST /earn-api/v1/user/apply/redeem', () => {
  const redeem = async (applyId: string, amount: string | number): Promise<unknown> =>
    expectData(await client.post(REDEEM, { applyId, amount }));

  test('of a flexible subscription returns a part immediately', async () => {
    const applyId = await subscribe(client, flexible, '1000');
    expect(await redeem(applyId, 400.5)).toBe(true);
    expect<unknown>(await owned(node, client)).toMatchObject({ available: 99400.5, earn: 599.5 });
    expect(await redeem(applyId, '599.5')).toBe(true);
    expect<unknown>(await owned(node, client)).toMatchObject({ available: 100000, earn: 0 });
    const closed = expectData(await client.get(APPLY_DETAIL, { applyId }));
    expect<unknown>(closed).toMatchObject({ status: 3, amount: 1000 });
  });

  test('of a term waits for the lock time, without paid interest, with the booster', async () => {
    const applyId = await subscribe(client, boosted, '1000', { boosterAmount: '500' });
    await passDays(node, 4);
    // Two days were paid, one is not: what was paid is taken back.
    expect<unknown>(await owned(node, client)).toMatchObject({ available: 99000.3, earn: 1000 });
    expect(await redeem(applyId, 1000)).toBe(true);
    expect<unknown>(await owned(node, client)).toMatchObject({ earn: 0, redeeming: 999.7 });
    expect<unknown>(await owned(node, client, 'MMX')).toMatchObject({ booster: 500 });
    await node.engine.advanceClock(24 * 3_600_000);
    expect<unknown>(await owned(node, client)).toMatchObject({ available: 100000, total: 100000 });
    expect<unknown>(await owned(node, client, 'MMX')).toMatchObject({
      available: 100000,
      booster: 0,
    });
    const closed = expectData(await client.get(APPLY_DETAIL, { applyId }));
    expect<unknown>(closed).toMatchObject({ status: 3, totalEarnedAmount: 0 });
    expect<unknown>(closed.redeemHistories).toMatchObject([{ amount: 1000, status: 2 }]);
  });

  test('with an Idempotency-Key has the same answer, also after the last unit', async () => {
    const applyId = await subscribe(client, flexible, '1000');
    const body = { applyId, amount: 1000 };
    const headers = { 'Idempotency-Key': 'redeem-all' };
    const first = await client.post(REDEEM, body, { headers });
    expect<unknown>(expectData(first)).toBe(true);
    const second = await client.post(REDEEM, body, { headers });
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expectLegacy(await client.post(REDEEM, body), 40000, 'applyId');
    expect<unknown>(await owned(node, client)).toMatchObject({ available: 100000 });
  });

  test('names the nearest amount that would pass', async () => {
    const applyId = await subscribe(client, flexible, '1000');
    const fine = await client.post(REDEEM, `{"applyId":"${applyId}","amount":1.000000001}`);
    expect<unknown>(expectLegacy(fine, 40001, 'amount')).toMatchObject({ nearest: 1 });
    const much = await client.post(REDEEM, { applyId, amount: 1001 });
    expect<unknown>(expectLegacy(much, 40010, 'amount')).toMatchObject({
      limit: 1000,
      nearest: 1000,
    });
  });
});

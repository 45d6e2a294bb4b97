// Redemptions and their previews.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  boosterOf,
  createPlan,
  expectData,
  expectLegacy,
  fixedPlan,
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
});

test('a redemption off the grid of the coin names the nearest amount', async () => {
  const applyId = await subscribe(client, flexible, '1000');
  const fine = await client.post(REDEEM, `{"applyId":"${applyId}","amount":1.000000001}`);
  expect<unknown>(expectLegacy(fine, 40001, 'amount')).toMatchObject({ nearest: 1 });
});

// Earn in the account's own lists: every kind of movement in the statement, as pages and as CSV,
// and in the balances.
import { beforeAll, describe, expect, test } from 'bun:test';
import {
  boosterOf,
  expectData,
  fixedPlan,
  passDays,
  REDEEM,
  saver,
  subscribe,
} from '../support/earn.ts';
import { type Client, type Json, LEDGER, TestNode } from '../support/node.ts';
import { expectOk, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();
let client: Client;
let reader: Client;
let applyId: string;
beforeAll(async () => {
  client = await saver(node, { USDT: '2000', MMX: '500' });
  reader = node.key(client.uid, { moduleIds: [5] });
  const planId = await fixedPlan(node, { booster: boosterOf(node), rewardFrequency: 2 });
  applyId = await subscribe(client, planId, '1000', { boosterAmount: '500' });
  await passDays(node, 4);
  expectData(await client.post(REDEEM, { applyId, amount: 1000 }));
});

const row = ({ type, asset, amount, balance, applyId: of }: Json): unknown => [
  type,
  asset,
  amount,
  balance,
  of,
];

describe('GET /spot-api/api/private/v1/ledger', () => {
  test('has an entry for every movement between spot and a plan, with its applyId', async () => {
    const page = expectOk(await reader.get(LEDGER));
    expect(rowsOf(page.data!).reverse().map(row)).toEqual([
      ['credit', 'USDT', 2000, 2000, null],
      ['credit', 'MMX', 500, 500, null],
      ['subscription', 'USDT', -1000, 1000, applyId],
      ['boosterLock', 'MMX', -500, 0, applyId],
      ['interest', 'USDT', 0.3, 1000.3, applyId],
      ['redemption', 'USDT', 1000, 2000.3, applyId],
      ['forfeit', 'USDT', -0.3, 2000, applyId],
      ['boosterReturn', 'MMX', 500, 500, applyId],
    ]);
    expect<unknown>(page.balances).toEqual([
      { asset: 'MMX', openingBalance: 0, closingBalance: 500 },
      { asset: 'USDT', openingBalance: 0, closingBalance: 2000 },
    ]);
  });

  test('has the applyId as the last column of the CSV', async () => {
    const { text } = await reader.get(LEDGER, 'format=csv&asset=MMX');
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toEndWith(',reference,applyId');
    expect(lines.filter((line) => line.includes('booster'))).toEqual([
      expect.stringMatching(new RegExp(`,boosterLock,MMX,-500,0,,,,,${applyId}$`)),
      expect.stringMatching(new RegExp(`,boosterReturn,MMX,500,500,,,,,${applyId}$`)),
    ]);
    const columns = lines.map((line) => line.split(',').length);
    expect(new Set(columns)).toEqual(new Set([11]));
  });
});

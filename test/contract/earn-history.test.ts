// The interest of a subscription, the explanation of a day, previews of redemptions, and the
// entries of earn in the statement.
import { beforeAll, describe, expect, test } from 'bun:test';
import {
  boosterOf,
  createPlan,
  dateOf,
  EXPLAIN,
  expectData,
  expectLegacy,
  fixedPlan,
  INTEREST,
  passDays,
  REDEEM,
  REDEEM_PREVIEW,
  saver,
  subscribe,
  today,
} from '../support/earn.ts';
import { type Client, type Json, LEDGER, type Query, TestNode } from '../support/node.ts';
import { RATE } from '../support/plan-terms.ts';
import { expectOk, rowsOf } from '../support/shape.ts';

const DAYS = 13;

const node = TestNode.forFile();
let client: Client;
/** A subscription of an awkward amount at an awkward rate, and one with a booster. */
let applyId: string;
let boosted: string;
let firstDay: number;
beforeAll(async () => {
  client = await saver(node);
  const planId = await createPlan(node, { minRate: 1_234_567, maxRate: 1_234_567 });
  applyId = await subscribe(client, planId, '777.77777777');
  const withBooster = await fixedPlan(node, { booster: boosterOf(node) });
  boosted = await subscribe(client, withBooster, '1000.00000001', { boosterAmount: '501' });
  firstDay = today(node) + 1;
  await passDays(node, DAYS + 1);
});

describe('GET /earn-api/v1/user/apply/interest', () => {
  const ask = async (query: Query): Promise<Json> => expectData(await client.get(INTEREST, query));

  test('has the booster’s interest with the plan’s', async () => {
    const page = await ask({ applyId: boosted });
    // 0.1 and 0.05 a day.
    expect<unknown>(page.items![0]!.earnedAmount).toBe(0.15);
  });
});

describe('GET /earn-api/v1/user/apply/interest/explain', () => {
  const explain = async (id: string, date: number): Promise<Json> => {
    const data = expectData(await client.get(EXPLAIN, { applyId: id, date }));
    return data;
  };
  const numeratorOf = (fraction: Json): bigint => BigInt(String(fraction).split('/')[0]!);

  /** exact + carriedIn = earned + carriedOut, on the denominator that all of them have. */
  function checkPart(part: Json): void {
    const denominator = BigInt(String(part.denominator));
    for (const carried of [part.carriedIn!, part.carriedOut!]) {
      expect(String(carried)).toEndWith(`/${denominator}`);
      expect(numeratorOf(carried) < denominator / 10n ** 8n).toBe(true);
    }
    const earned = BigInt(Math.round(Number(part.earnedAmount) * 1e8)) * (denominator / 10n ** 8n);
    const sum = BigInt(String(part.numerator)) + numeratorOf(part.carriedIn!);
    expect(sum).toBe(earned + numeratorOf(part.carriedOut!));
    const [whole = '', decimals = ''] = String(part.exact).split('.');
    expect(decimals.length).toBe(40);
    const scaled = BigInt(whole + decimals);
    expect(scaled).toBe((BigInt(String(part.numerator)) * 10n ** 40n) / denominator);
  }

  test('explains the booster separately', async () => {
    const data = await explain(boosted, dateOf(firstDay));
    checkPart(data);
    checkPart(data.booster!);
    expect<unknown>([data.rate, data.booster!.rate]).toEqual([0.0365, 0.01825]);
    expect<unknown>([data.earnedAmount, data.booster!.earnedAmount]).toEqual([0.1, 0.05]);
    expect<unknown>(data.booster!.numerator).toBe(String(100_000_000_001n * BigInt(RATE / 2)));
  });

  test('takes any millisecond of the day', async () => {
    const last = await explain(applyId, dateOf(firstDay + 1) - 1);
    expect<unknown>(last).toEqual(await explain(applyId, dateOf(firstDay)));
  });

  test('of a day without an entry names the days that have one', async () => {
    const lastDay = firstDay + DAYS - 1;
    for (const [date, nearest] of [
      [dateOf(firstDay) - 1, dateOf(firstDay)],
      [0, dateOf(firstDay)],
      [dateOf(lastDay + 1), dateOf(lastDay)],
      [8_640_000_000_000_000, dateOf(lastDay)],
    ] as const) {
      const answer = await client.get(EXPLAIN, { applyId: boosted, date });
      const details = expectLegacy(answer, 40001, 'date');
      expect<unknown>(details).toMatchObject({ rule: 'accrued', nearest });
      expect<unknown>(answer.body.userMsg).toContain(`${dateOf(firstDay)} (`);
      expect<unknown>(answer.body.userMsg).toContain(`${dateOf(lastDay)} (`);
    }
  });

  test('before the first entry has its own rejection', async () => {
    const planId = await createPlan(node);
    const young = await subscribe(client, planId, '100');
    const answer = await client.get(EXPLAIN, { applyId: young, date: dateOf(firstDay) });
    expectLegacy(answer, 40001, 'date');
    expect<unknown>(answer.body.userMsg).toContain('no interest yet');
  });
});

describe('GET /earn-api/v1/user/redeem/preview', () => {
  const preview = async (query: Record<string, string>): Promise<Json> => {
    const data = expectData(await client.get(REDEEM_PREVIEW, query));
    return data;
  };

  test('has every field for a flexible subscription, which forfeits nothing', async () => {
    const applyId = await subscribe(client, await createPlan(node), '1000');
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
});

test('a redemption off the grid of the coin names the nearest amount', async () => {
  const applyId = await subscribe(client, await createPlan(node), '1000');
  const fine = await client.post(REDEEM, `{"applyId":"${applyId}","amount":1.000000001}`);
  expect<unknown>(expectLegacy(fine, 40001, 'amount')).toMatchObject({ nearest: 1 });
});

const row = ({ type, asset, amount, balance, applyId: of }: Json): unknown => [
  type,
  asset,
  amount,
  balance,
  of,
];

describe('earn in GET /spot-api/api/private/v1/ledger', () => {
  let reader: Client;
  let applyId: string;
  beforeAll(async () => {
    const owner = await saver(node, { USDT: '2000', MMX: '500' });
    reader = node.key(owner.uid, { moduleIds: [5] });
    const planId = await fixedPlan(node, { booster: boosterOf(node), rewardFrequency: 2 });
    applyId = await subscribe(owner, planId, '1000', { boosterAmount: '500' });
    await passDays(node, 4);
    expectData(await owner.post(REDEEM, { applyId, amount: 1000 }));
  });

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

// The interest of a subscription: its history, and the explanation of a day, which is checked here
// with exact fractions.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  boosterOf,
  createPlan,
  dateOf,
  EXPLAIN,
  expectData,
  expectLegacy,
  expectPage,
  fixedPlan,
  INTEREST,
  passDays,
  saver,
  subscribe,
  today,
} from '../support/earn.ts';
import { type Client, type Json, type Query, TestNode } from '../support/node.ts';
import { RATE } from '../support/plan-terms.ts';

const DAYS = 13;

let node: TestNode;
let client: Client;
/** A subscription of an awkward amount at an awkward rate, and one with a booster. */
let applyId: string;
let boosted: string;
let firstDay: number;
beforeAll(async () => {
  node = await TestNode.start();
  client = await saver(node);
  const planId = await createPlan(node, { minRate: 1_234_567, maxRate: 1_234_567 });
  applyId = await subscribe(client, planId, '777.77777777');
  const withBooster = await fixedPlan(node, { booster: boosterOf(node) });
  boosted = await subscribe(client, withBooster, '1000.00000001', { boosterAmount: '501' });
  firstDay = today(node) + 1;
  await passDays(node, DAYS + 1);
});
afterAll(() => node.stop());

describe('GET /earn-api/v1/user/apply/interest', () => {
  const ask = async (query: Query): Promise<Json> => expectData(await client.get(INTEREST, query));

  test('has every field of an entry and of the page', async () => {
    const items = expectPage(await ask({ applyId }), {
      currentPage: 1,
      pageSize: 10,
      totalNum: DAYS,
      totalPage: 2,
    });
    expect(items).toHaveLength(10);
    // 777.77777777 × 0.01234567 ÷ 365 = 0.0263073…
    expect<unknown>(items[0]).toMatchObject({ coin: 'USDT', date: dateOf(firstDay + DAYS - 1) });
    expect(String(items[0]!.earnedAmount)).toStartWith('0.0263');
  });

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

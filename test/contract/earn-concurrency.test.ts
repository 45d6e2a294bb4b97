// Simultaneous signed requests: the bounds of a plan and of a customer, the principal of a
// subscription and an Idempotency-Key hold to the last unit. test/model proves them for each type.
import { beforeAll, describe, expect, test } from 'bun:test';
import { formatUnits } from '../../src/contract/decimal.ts';
import { amount } from '../../src/core/units.ts';
import {
  APPLY_DETAIL,
  CURRENT_LIST,
  createPlan,
  expectData,
  expectLegacy,
  fixedPlan,
  owned,
  PLAN_APPLY,
  type PlanOptions,
  REDEEM,
  SCALE,
  saver,
  subscribe,
  units,
} from '../support/earn.ts';
import { type Answer, type Client, TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { Prng } from '../support/prng.ts';
import { rowsOf } from '../support/shape.ts';

const node = TestNode.forFile({ flags: ['--rate-limits', 'off'] });

const decimal = (value: bigint): string => formatUnits(amount(value), SCALE);
const bigUnits = (text: string): bigint => BigInt(units(text));
const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, n) => sum + n, 0n);
const savers = (count: number): Promise<Client[]> =>
  Promise.all(Array.from({ length: count }, () => saver(node)));

const isAccepted = ({ body }: Answer): boolean => `${body.code}` === '0';
const codeOf = ({ body }: Answer): number => Number(body.errorCode);

interface Attempt {
  readonly client: Client;
  readonly amount: bigint;
  readonly answer: Answer;
}

const accepted = (attempts: readonly Attempt[]): Attempt[] =>
  attempts.filter(({ answer }) => isAccepted(answer));
const taken = (attempts: readonly Attempt[]): bigint =>
  sumOf(accepted(attempts).map((attempt) => attempt.amount));
const rejectedWith = (attempts: readonly Attempt[], code: number): Attempt[] =>
  attempts.filter(({ answer }) => !isAccepted(answer) && codeOf(answer) === code);

/** The pool of a plan, from the operator's call. */
async function poolOf(planId: string): Promise<bigint> {
  const { text } = await new Operator(node).get(`plans/${planId}`);
  // The number as it was sent: a pool has more digits than a double is sure of.
  return bigUnits(/"pool":([\d.]+)/.exec(text)![1]!);
}

const UNIT = 1n;
const PEOPLE = 6;
const APPLIES = 72;
const CAPACITY = bigUnits('5000.00000007');
const USER_MAX = bigUnits('1250.00000003');
/** The plan is full before all customers are. */
const TIGHT: PlanOptions = {
  userAmountMin: amount(UNIT),
  userAmountMax: amount(USER_MAX),
  poolCapacity: amount(CAPACITY),
};

/** APPLIES simultaneous applies of random amounts, spread over the customers. */
function applyTogether(
  clients: readonly Client[],
  planId: string,
  seed: number,
): Promise<Attempt[]> {
  const prng = new Prng(seed);
  return Promise.all(
    Array.from({ length: APPLIES }, async (_, n) => {
      const client = clients[n % clients.length]!;
      const asked = BigInt(prng.between(1_000_000, 30_000_000_000));
      const body = { planId, amount: decimal(asked) };
      return { client, amount: asked, answer: await client.post(PLAN_APPLY, body) };
    }),
  );
}

describe('applies to a tight plan at the same time', () => {
  let clients: Client[];
  let planId: string;
  let attempts: Attempt[];
  let pool: bigint;
  /** The pool that the server reports. */
  let reported: bigint;
  const ofClient = (client: Client): Attempt[] =>
    attempts.filter((attempt) => attempt.client === client);
  const apply = (client: Client, asked: bigint, to = planId): Promise<Answer> =>
    client.post(PLAN_APPLY, { planId: to, amount: decimal(asked) });

  beforeAll(async () => {
    clients = await savers(PEOPLE);
    planId = await createPlan(node, TIGHT);
    attempts = await applyTogether(clients, planId, 9);
    pool = taken(attempts);
    reported = await poolOf(planId);
  });

  test('exceed neither the pool nor a customer’s maximum by a unit', async () => {
    expect(pool).toBeLessThanOrEqual(CAPACITY);
    expect(reported).toBe(pool);
    for (const client of clients) expect(taken(ofClient(client))).toBeLessThanOrEqual(USER_MAX);
  });

  test('are rejected with 40003 or 40004 only when the plan is full', () => {
    const overUser = rejectedWith(attempts, 40003);
    const overPool = rejectedWith(attempts, 40004);
    expect(overUser.length + overPool.length).toBe(APPLIES - accepted(attempts).length);
    expect(overPool.length).toBeGreaterThan(0);
    for (const { answer } of overUser) expectLegacy(answer, 40003, 'amount');
    for (const { answer } of overPool) expectLegacy(answer, 40004, 'amount');
    // Nothing leaves the plan, so that what is rejected would not fit now either.
    for (const { client, amount: asked } of overUser) {
      expect(asked).toBeGreaterThan(USER_MAX - taken(ofClient(client)));
    }
    for (const { amount: asked } of overPool) expect(asked).toBeGreaterThan(CAPACITY - pool);
  });

  test('leave room in the pool that can be taken to the last unit', async () => {
    const [last] = await savers(1);
    const left = CAPACITY - pool;
    expect(left).toBeGreaterThan(0n);
    const above = expectLegacy(await apply(last!, left + UNIT), 40004, 'amount');
    expect<unknown>(above.nearest).toBe(Number(decimal(left)));
    // Two reach for the last of it: one gets it.
    const both = await Promise.all([apply(last!, left), apply(last!, left)]);
    expect(both.filter(isAccepted)).toHaveLength(1);
    expectLegacy(await apply(last!, UNIT), 40004, 'amount');
    expect(await poolOf(planId)).toBe(CAPACITY);
  });

  test('leave each customer room up to the last unit of the maximum', async () => {
    const wide = await createPlan(node, { ...TIGHT, poolCapacity: null });
    const others = await savers(PEOPLE);
    const tries = await applyTogether(others, wide, 19);
    expect(rejectedWith(tries, 40003).length).toBe(APPLIES - accepted(tries).length);
    for (const client of others) {
      const room = USER_MAX - taken(tries.filter((attempt) => attempt.client === client));
      expect(room).toBeGreaterThan(0n);
      const above = expectLegacy(await apply(client, room + UNIT, wide), 40003, 'amount');
      expect<unknown>(above.nearest).toBe(Number(decimal(room)));
      const both = await Promise.all([apply(client, room, wide), apply(client, room, wide)]);
      expect(both.filter(isAccepted)).toHaveLength(1);
      expectLegacy(await apply(client, UNIT, wide), 40003, 'amount');
    }
    expect(await poolOf(wide)).toBe(USER_MAX * BigInt(PEOPLE));
  });
});

describe('redemptions of one flexible subscription at the same time', () => {
  const REDEMPTIONS = 60;

  test('never take more than it has, and leave the rest to the last unit', async () => {
    const planId = await createPlan(node, { userAmountMin: amount(UNIT) });
    const client = await saver(node);
    const principal = bigUnits('1000.00000009');
    const applyId = await subscribe(client, planId, decimal(principal));
    const prng = new Prng(5);
    const redeem = async (asked: bigint): Promise<Attempt> => {
      const answer = await client.post(REDEEM, { applyId, amount: decimal(asked) });
      return { client, amount: asked, answer };
    };
    const asked = () => BigInt(prng.between(1_000_000, 5_000_000_000));
    const attempts = await Promise.all(Array.from({ length: REDEMPTIONS }, () => redeem(asked())));

    const left = principal - taken(attempts);
    expect(left).toBeGreaterThan(0n);
    const rejected = rejectedWith(attempts, 40010);
    expect(rejected.length).toBe(REDEMPTIONS - accepted(attempts).length);
    expect(rejected.length).toBeGreaterThan(0);
    for (const { amount: above, answer } of rejected) {
      expectLegacy(answer, 40010, 'amount');
      expect(above).toBeGreaterThan(left);
    }
    const detail = expectData(await client.get(APPLY_DETAIL, { applyId }));
    expect<unknown>(detail.amount).toBe(Number(decimal(left)));
    expect(rowsOf(detail.redeemHistories)).toHaveLength(accepted(attempts).length);

    expectLegacy((await redeem(left + UNIT)).answer, 40010, 'amount');
    expect<unknown>(expectData((await redeem(left)).answer)).toBe(true);
    expect<unknown>(await owned(node, client)).toMatchObject({
      available: 100000,
      earn: 0,
      total: 100000,
    });
    expectLegacy((await redeem(UNIT)).answer, 40000, 'applyId');
  });
});

describe('an Idempotency-Key at the same time', () => {
  const COPIES = 20;
  const isReplay = ({ headers }: Answer): boolean => headers.get('idempotency-replayed') === 'true';
  const headers = { 'Idempotency-Key': 'together' };

  test('and the same apply: one subscription, and the same answer for all', async () => {
    const planId = await fixedPlan(node);
    const client = await saver(node);
    const body = { planId, amount: '123.45678901' };
    const answers = await Promise.all(
      Array.from({ length: COPIES }, () => client.post(PLAN_APPLY, body, { headers })),
    );
    for (const answer of answers) expectData(answer);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(rowsOf(expectData(await client.get(CURRENT_LIST)))).toHaveLength(1);
    expect<unknown>((await owned(node, client)).earn).toBe(123.45678901);
  });

  test('and the same redemption: it is carried out once', async () => {
    const planId = await createPlan(node);
    const client = await saver(node);
    const applyId = await subscribe(client, planId, '1000');
    const body = { applyId, amount: '1.00000001' };
    const answers = await Promise.all(
      Array.from({ length: COPIES }, () => client.post(REDEEM, body, { headers })),
    );
    for (const answer of answers) expect<unknown>(expectData(answer)).toBe(true);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect<unknown>((await owned(node, client)).earn).toBe(998.99999999);
  });
});

// Shared by tests of the earn calls: their paths, plans as an operator makes them, the passing of
// days, and the shape of answers and errors.

import { expect } from 'bun:test';
import { DAY_MS, dayOf } from '../../src/core/calendar.ts';
import type { AmendPlan, CreatePlan } from '../../src/core/command.ts';
import { PlanType } from '../../src/core/earn/plan.ts';
import type { Amount } from '../../src/core/units.ts';
import {
  type Answer,
  BALANCES,
  type Client,
  type Json,
  signedHeaders,
  type TestNode,
} from './node.ts';
import { SCALE, units as unitsOf } from './pair-terms.ts';
import { FLEXIBLE_PLAN, RATE } from './plan-terms.ts';
import { expectOk, LEGACY_MESSAGES } from './shape.ts';

const USER = '/earn-api/v1/user';
export const PLAN_LIST = `${USER}/plan/list`;
export const PLAN_DETAIL = `${USER}/plan/detail`;
export const APPLY_PREVIEW = `${USER}/apply/preview`;
export const PLAN_APPLY = `${USER}/plan/apply`;
export const APPLY_DETAIL = `${USER}/apply/detail`;
export const REDEEM = `${USER}/apply/redeem`;
export const REDEEM_PREVIEW = `${USER}/redeem/preview`;
export const CURRENT_LIST = `${USER}/apply/currentList`;
export const ENDED_LIST = `${USER}/apply/endedList`;
export const INTEREST = `${USER}/apply/interest`;
export const EXPLAIN = `${USER}/apply/interest/explain`;
export const EDIT = `${USER}/plan/detail/edit`;
export const MEMBERS = `${USER}/earn/plans/list`;
export const MARGINS = `${USER}/yield/manage/list`;
export const EDIT_MARGIN = `${USER}/edit/enterpriseMargin`;

/** The privileges of earn. */
export const EARN = [1, 2, 3, 4];

/** A decimal in units of a coin of the tests. */
export const units = (decimal: string): Amount => unitsOf(decimal, SCALE);

export type PlanOptions = Partial<Omit<CreatePlan, 'type' | 'assetId'>> & {
  readonly coin?: string;
  /** The funds of its reserve. */
  readonly reserve?: string;
};

const TERMS = {
  ...FLEXIBLE_PLAN,
  planName: 'USDT savings',
  userAmountMin: units('10'),
  userAmountMax: units('100000'),
  label: 'hot',
} as const;
let references = 0;

/** A flexible plan of USDT unless the options say otherwise; returns its planId. */
export async function createPlan(node: TestNode, options: PlanOptions = {}): Promise<string> {
  const { coin = 'USDT', reserve = '1000000', ...terms } = options;
  const { assetId } = node.state.assetNamed(coin)!;
  const { planId } = await node.must({
    ...TERMS,
    assetId,
    ...terms,
  });
  if (reserve !== '0') await fund(node, planId, reserve);
  return String(planId);
}

export async function fund(node: TestNode, planId: number, decimal: string): Promise<void> {
  const reference = `reserve-${++references}`;
  await node.must({ type: 'fundReserve', planId, amount: units(decimal), reference });
}

/** A fixed plan of 30 days that pays every day. */
export const fixedPlan = (node: TestNode, options: PlanOptions = {}): Promise<string> =>
  createPlan(node, {
    planType: PlanType.fixed,
    minLockDay: 30,
    maxLockDay: 30,
    supportAutoRenew: true,
    ...options,
  });

/** A customized plan of 10 to 110 days, from 3.65 % to 7.3 %. */
export const customizedPlan = (node: TestNode, options: PlanOptions = {}): Promise<string> =>
  createPlan(node, {
    planType: PlanType.customized,
    minLockDay: 10,
    maxLockDay: 110,
    maxRate: 2 * RATE,
    supportAutoRenew: true,
    ...options,
  });

/** Half an MMX for each USDT, and 1.825 % more. */
export const boosterOf = (node: TestNode) => ({
  assetId: node.state.assetNamed('MMX')!.assetId,
  ratio: 50_000_000,
  rate: RATE / 2,
});

/** Gives a plan new terms; what is not named stays. */
export async function amendPlan(
  node: TestNode,
  planId: string,
  changes: Partial<Omit<AmendPlan, 'type' | 'planId'>>,
): Promise<void> {
  const {
    version: _,
    fromDay: __,
    ...terms
  } = node.state.earn.plans[Number(planId)]!.versions.at(-1)!;
  await node.must({ type: 'amendPlan', planId: Number(planId), ...terms, ...changes });
}

/** Moves business time to an hour after the midnight that is `days` ahead. */
export async function passDays(node: TestNode, days: number): Promise<void> {
  const { now } = node.engine;
  await node.engine.advanceClock((dayOf(now) + days) * DAY_MS + 3_600_000 - now);
}

/** The UTC day of business time. */
export const today = (node: TestNode): number => dayOf(node.engine.now);
export const dateOf = (day: number): number => day * DAY_MS;

/** A client with all privileges of earn; for an enterprise, of its member. */
export async function saver(
  node: TestNode,
  owns: Readonly<Record<string, string>> = { USDT: '100000', MMX: '100000' },
): Promise<Client> {
  return node.client(owns, { moduleIds: EARN });
}

/** Makes a user a member of an enterprise, or its admin. */
export const assign = (node: TestNode, uid: number, enterpriseId: number, admin: boolean) =>
  node.must({ type: 'assignEnterprise', uid, enterpriseId, admin });

/** Sets the margin of an enterprise, as its admin would. */
export const setMargin = (
  node: TestNode,
  { uid }: Pick<Client, 'uid'>,
  planId: string,
  margin: number,
) =>
  node.must({
    type: 'setMargin',
    uid,
    planId: Number(planId),
    margin,
    signature: null,
    idempotency: null,
  });

/** The one POST with its fields in the query, which is signed before the body. */
export function editMargin(
  node: TestNode,
  admin: Client,
  query: string,
  { body = '{}', headers = {} } = {},
): Promise<Answer> {
  const timestamp = admin.timestamp();
  const request = { method: 'POST', path: EDIT_MARGIN, query, body, timestamp };
  const signed = signedHeaders(admin.credentials, request);
  return node.post(`${EDIT_MARGIN}?${query}`, body, { ...signed, ...headers });
}

/** The row of one coin in the balances of a client. */
export async function owned(node: TestNode, { uid }: Client, coin = 'USDT'): Promise<Json> {
  const { body } = await node.key(uid, { moduleIds: [5] }).get(BALANCES);
  return (body as unknown as Json[]).find(({ asset }) => `${asset}` === coin)!;
}

/** The data of a successful answer; `succ` is there on the calls that have it, and only there. */
export function expectData(answer: Answer, succ = false): Json {
  const body = expectOk(answer);
  const { code, msg, data, ...others } = body;
  expect<unknown>([code, msg]).toEqual(['0', 'success']);
  expect<unknown>(others).toEqual(succ ? { succ: true } : {});
  expect(data).toBeDefined();
  return data!;
}

/** Subscribes, which has to succeed; returns the applyId. */
export async function subscribe(
  client: Client,
  planId: string,
  decimal: string,
  more: object = {},
): Promise<string> {
  const body = { planId, amount: decimal, ...more };
  return String(expectData(await client.post(PLAN_APPLY, body)).applyId);
}

/** A legacy error of this number; returns its details. */
export function expectLegacy(answer: Answer, errorCode: number, field?: string): Json {
  const { body, status, text } = answer;
  expect({ status, text }).toMatchObject({ status: 200 });
  expect(answer.headers.get('content-type')).toBe('application/json');
  const { details, userMsg, ...others } = body;
  const msg = LEGACY_MESSAGES[errorCode]!;
  expect({ others, text } as unknown).toEqual({
    others: { code: '500', msg, data: null, errorCode },
    text,
  });
  expect(String(userMsg)).toMatch(/^[A-Z].*\.$/s);
  if (field !== undefined) {
    expect({ field: details?.field as unknown, text }).toMatchObject({ field });
    expect<unknown>(userMsg).toContain(field);
  }
  return details ?? ({} as Json);
}

/** The items of a page with these totals. */
export function expectPage(data: Json, totals: Readonly<Record<string, number>>): Json[] {
  expect<unknown>(data).toMatchObject(totals);
  return data.items as unknown as Json[];
}

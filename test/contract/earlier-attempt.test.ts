// A write that was executed comes again under its Idempotency-Key, with a new signature, after
// other things have changed. It gets its first answer, or a rejection that settles nothing. A
// client without an answer to its first attempt relies on that.
import { beforeAll, describe, expect, test } from 'bun:test';
import { InstrumentStatus } from '../../src/core/fix.ts';
import type { FollowerHandle } from '../../src/engine/follower-handle.ts';
import { SETTLING } from '../../src/sdk/generated/codes.ts';
import { ViewsUnavailable } from '../../src/views/views.ts';
import {
  assign,
  createPlan,
  editMargin,
  PLAN_APPLY,
  REDEEM,
  saver,
  subscribe,
} from '../support/earn.ts';
import { type Answer, type Client, ORDER, TestNode } from '../support/node.ts';
import { expectOk } from '../support/shape.ts';

const LIMIT = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 };

const node = TestNode.forFile();
let viewsFault: Error | null = null;
beforeAll(() => {
  const views = node.services.views as FollowerHandle;
  const query = views.query.bind(views);
  views.query = ((...asked) =>
    viewsFault === null ? query(...asked) : Promise.reject(viewsFault)) as typeof views.query;
});

const UNDER_KEY = { 'Idempotency-Key': 'the-write' };

/** The number that a client branches on; null for success. */
function rejectionCode({ status, body }: Answer): number | null {
  if (body.errorCode !== undefined) return Number(body.errorCode);
  return status === 200 ? null : Number(body.code);
}

describe('an order that was placed', () => {
  let client: Client;
  let first: Answer;
  beforeAll(async () => {
    client = await node.client({ USDT: '100' });
    first = await client.post(ORDER, LIMIT, { headers: UNDER_KEY });
    expectOk(first);
  });

  test('gets its first answer when the money, the market or the account is not there', async () => {
    expect((await again()).text).toBe(first.text);
    await node.amend('BTC-USDT', { status: InstrumentStatus.HALTED });
    expect((await again()).text).toBe(first.text);
    await node.amend('BTC-USDT', { status: InstrumentStatus.LIVE });
    await node.amendUser(client.uid, { suspended: true });
    expect((await again()).text).toBe(first.text);
    await node.amendUser(client.uid, { suspended: false });
  });

  const again = (headers: Record<string, string> = {}, by = client, path = ORDER, more = {}) =>
    by.post(path, LIMIT, { headers: { ...UNDER_KEY, ...headers }, ...more });
  const late = { timestamp: Date.now() - 11 * 60_000 };
  const keyWith = (terms: object) => node.key(client.uid, terms);
  const CALLERS: readonly (readonly [string, number, () => Promise<Answer>])[] = [
    ['a timestamp outside the window', 100402, () => again({}, client, ORDER, late)],
    ['a wrong signature', 100401, () => again({ 'EXCHANGE-API-SIGN': '0'.repeat(64) })],
    ['a key without the privilege', 100403, () => again({}, keyWith({ moduleIds: [5] }))],
    [
      'a key for another IP address',
      100403,
      () => again({}, keyWith({ ipAllowList: ['203.0.113.7'] })),
    ],
    ['a position that is not there', 100503, () => again({ 'X-Agio-Min-Seq': '99999999' })],
    [
      'a path that this node does not have',
      100404,
      () => again({}, client, `${ORDER}s-of-another`),
    ],
  ];

  for (const [cause, code, again] of CALLERS) {
    test(`is not settled by ${cause}`, async () => {
      expect(rejectionCode(await again())).toBe(code);
      expect(SETTLING.has(code)).toBe(false);
    });
  }

  test('is not settled by a signature that a proxy sent twice', async () => {
    await node.credit(client.uid, 'USDT', '100');
    const timestamp = client.timestamp();
    expectOk(await client.post(ORDER, LIMIT, { timestamp }));
    expect(rejectionCode(await client.post(ORDER, LIMIT, { timestamp }))).toBe(100405);
    expect(SETTLING.has(100405)).toBe(false);
  });
});

describe('a redemption that was carried out', () => {
  test('is not settled by a history that cannot be read', async () => {
    const planId = await createPlan(node);
    const client = await saver(node);
    const request = { applyId: await subscribe(client, planId, '100'), amount: '100' };
    const again = () => client.post(REDEEM, request, { headers: UNDER_KEY });
    expect(rejectionCode(await again())).toBeNull();
    const faults: readonly (readonly [Error, number])[] = [
      [new ViewsUnavailable('behind', 7), 100503],
      [new Error('the disk is on fire'), 40019],
    ];
    for (const [fault, code] of faults) {
      viewsFault = fault;
      expect(rejectionCode(await again())).toBe(code);
      viewsFault = null;
      expect(SETTLING.has(code)).toBe(false);
    }
    expect(rejectionCode(await again())).toBeNull();
  });
});

test('what only the core can reject settles: the key was looked up, and is free', async () => {
  const planId = await createPlan(node);
  const client = await saver(node, { USDT: '10' });
  const trader = node.key(client.uid);
  const writes = [
    () => trader.post(ORDER, { ...LIMIT, price: 1_000_000 }, { headers: UNDER_KEY }),
    () => client.post(PLAN_APPLY, { planId, amount: '100' }, { headers: UNDER_KEY }),
  ];
  for (const [n, code] of [100206, 40020].entries()) {
    const { count } = node.state.outcomes;
    expect(rejectionCode(await writes[n]!())).toBe(code);
    expect(SETTLING.has(code)).toBe(true);
    expect(node.state.outcomes.count).toBe(count);
  }
});

test('a former admin settles nothing', async () => {
  const planId = await createPlan(node);
  const { enterpriseId } = await node.must({ type: 'createEnterprise', name: 'Savers Inc.' });
  const admin = await saver(node);
  await assign(node, admin.uid, enterpriseId, true);
  const setMargin = (): Promise<Answer> =>
    editMargin(node, admin, `planId=${planId}&margin=0.001`, { headers: UNDER_KEY });
  expect(rejectionCode(await setMargin())).toBeNull();
  await assign(node, admin.uid, enterpriseId, false);
  expect(rejectionCode(await setMargin())).toBe(100403);
  expect(SETTLING.has(100403)).toBe(false);
});

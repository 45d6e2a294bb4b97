// Every method of the SDK against a real server: its answer has exactly the described fields.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { faultsOf } from '../../src/contract/answer-faults.ts';
import type { ApiCall } from '../../src/contract/call.ts';
import { CALLS } from '../../src/contract/calls.ts';
import { AgioClient } from '../../src/sdk/client.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import { UserCenterClient } from '../../src/sdk/user-center-client.ts';
import { EARN, fixedPlan } from '../support/earn.ts';
import { FakeCluster, FOLLOWER, GONE } from '../support/fake-cluster.ts';
import { TestNode, TRADING } from '../support/node.ts';
import { PASSWORD, Person, tamper } from '../support/person.ts';
import { until } from '../support/waiting.ts';

let node: TestNode;
let client: AgioClient;
let operator: OperatorClient;
let uid: number;

beforeAll(async () => {
  node = await TestNode.start({ flags: ['--rate-limits', 'off'] });
  uid = await node.user();
  const { credentials } = node.key(uid, { moduleIds: [...EARN, ...TRADING] });
  client = new AgioClient({ url: node.url, ...credentials });
  operator = new OperatorClient({ url: node.url, operatorToken: node.operatorToken });
});
afterAll(() => node.stop());

/** Calls methods and checks their answers by the descriptions of the contract. */
function checking<C extends object>(calls: Readonly<Record<string, ApiCall>>, target: C) {
  const called = new Set<string>();
  const check = async <N extends keyof C & string>(
    name: N,
    ...args: C[N] extends (...given: infer A) => unknown ? A : never
  ): Promise<C[N] extends (...given: never[]) => Promise<infer R> ? R : never> => {
    called.add(name);
    const method = target[name] as unknown as (...given: unknown[]) => Promise<unknown>;
    const answer = await method.apply(target, args);
    const faults = faultsOf(calls[name]!.answer, answer, 'sdk');
    expect({ name, faults, isEmptyList: isEmptyList(answer) }).toEqual({
      name,
      faults: [],
      isEmptyList: false,
    });
    return answer as never;
  };
  return { check, called };
}

/** An empty list proves nothing. */
const isEmptyList = (answer: unknown): boolean => {
  const { data, items } = Object(answer) as { data?: unknown; items?: unknown };
  return [answer, data, items].some((list) => Array.isArray(list) && list.length === 0);
};

test('trading, market data, the account and earn', async () => {
  const { check, called } = checking(CALLS.customer, client);
  const limit = { symbol: 'BTC-USDT', ordType: 2 } as const;
  await check('testOrder', { ...limit, side: 1, price: '60000.01', orderQty: '0.5' });
  const bid = await check('createOrder', { ...limit, side: 1, price: '60000.01', orderQty: '0.5' });
  await check('createOrder', { ...limit, side: 2, price: 60000, orderQty: '0.25' });
  await check('createOrder', { symbol: 'BTC-USDT', side: 2, ordType: 1, orderQty: '1' });
  await check('createOrder', { ...limit, side: 1, price: '1', orderQty: '0.5', execInst: 6 });
  await check('createOrder', { ...limit, side: 2, price: '70000', orderQty: '0.5' });
  await check('createOrder', { ...limit, side: 1, price: '71000', orderQty: '1', execInst: 6 });
  await check('createOrder', { symbol: 'BTC-USDT', side: 1, ordType: 1, quoteOrderQty: '100' });
  await check('orders', { type: 'COMPLETED' });
  await check('orders', { type: 'SINGLE', orderId: bid.orderId });
  await check('fills', {});
  await check('ledger', {});
  await check('balances');
  await check('fees');
  await check('feeSchedule');
  await check('feeTier');
  await checkMarketData(check);
  const { orderId } = await check('createOrder', { ...limit, side: 1, price: 2, orderQty: 1 });
  await checkTypes(check, orderId);
  await check('cancelOrder', { orderId });
  await check('massCancel', { symbol: 'BTC-USDT' });
  await check('massCancel', {});
  await check('cancelAllAfter', { timeout: 0 });
  await check('health');
  await check('ready');
  await check('metrics');

  const { enterpriseId } = await operator.createEnterprise({ name: 'Acme' });
  await operator.amendUser(uid, { enterpriseId, enterpriseAdmin: true });
  const booster = { coin: 'MMX', ratio: '0.5', apr: '0.01825' };
  await operator.createPlan({
    ...{ planName: 'Custom', planType: 3, coin: 'USDT', minLockDay: 7, maxLockDay: 30 },
    ...{ minApr: '0.01', maxApr: '0.02', userAmountMin: 1, userAmountMax: 100000, booster },
  });
  const terms = { coin: 'USDT', apr: '0.05', userAmountMin: 1, userAmountMax: 100000 };
  const flexible = await operator.createPlan({
    ...{ planName: 'Flexible', planType: 1, redeemLockHours: 5 },
    ...terms,
  });
  const instant = await operator.createPlan({ planName: 'Instant', planType: 1, ...terms });
  const fixed = await fixedPlan(node);
  const plans = await check('plans');
  for (const { planId } of plans) await check('plan', { planId });
  for (const { planId } of plans) await check('previewApply', { planId, amount: 1000 });
  const { applyId } = await check('applyPlan', { planId: flexible.planId, amount: '1000.5' });
  const term = await check('applyPlan', { planId: fixed, amount: 100 });
  await check('setAutoRenew', { applyId: term.applyId, autoRenew: true });
  const ended = await check('applyPlan', { planId: instant.planId, amount: 5 });
  await check('redeem', { applyId: ended.applyId, amount: 5 });
  await operator.fundReserve(flexible.planId, { amount: 1000, reference: 'reserve' });
  await operator.advanceClock({ ms: 3 * 86_400_000 });
  await check('previewRedeem', { applyId: term.applyId });
  await check('previewRedeem', { applyId });
  await check('redeem', { applyId, amount: '0.5' });
  await check('subscription', { applyId });
  await check('subscription', { applyId: term.applyId });
  await check('subscriptions');
  await check('endedSubscriptions');
  const { items } = await check('interest', { applyId });
  await check('explainInterest', { applyId, date: items[0]!.date });
  await check('memberSubscriptions', {});
  await check('margins', { pageNum: 1, pageSize: 10 });
  await check('setMargin', { planId: fixed, margin: '0.001' });
  expect([...called].sort()).toEqual(Object.keys(CALLS.customer).sort());
});

type Check = ReturnType<typeof checking<AgioClient>>['check'];

async function checkMarketData(check: Check): Promise<void> {
  await check('instruments', {});
  await check('instrumentsV1', { symbol: 'BTC-USDT' });
  await check('assets');
  await check('time');
  await check('orderbook', { symbol: 'BTC-USDT' });
  await check('level3Orderbook', { symbol: 'BTC-USDT' });
  await check('trades', { symbol: 'BTC-USDT' });
  await check('aggTrades', { symbol: 'BTC-USDT' });
  await check('avgPrice', { symbol: 'BTC-USDT' });
  await check('bbo', { symbol: 'BTC-USDT' });
  await check('tickers');
  await check('candles', { symbol: 'BTC-USDT', interval: '1m' });
}

/** The calls of version 2; the order is open. */
async function checkTypes(check: Check, orderId: number): Promise<void> {
  const limit = { symbol: 'BTC-USDT', ordType: 2 } as const;
  const stop = { ...limit, side: 2, ordType: 4, price: '0.9', stopPx: '1', orderQty: 1 } as const;
  const bracket = { takeProfitPx: 90000, stopPx: '1.5', stopLimitPx: 1 };
  await check('testOrderV2', { ...stop, triggerPriceDirection: 'D' });
  await check('createOrderV2', stop);
  const iceberg = { ...limit, side: 1, price: 3, orderQty: '1', displayQty: '0.5' } as const;
  const expireTime = 4_102_444_800_000;
  await check('createOrderV2', { ...iceberg, timeInForce: 6, expireTime, bracket });
  await check('amendOrder', { orderId, orderQty: '0.9' });
  const exits = { side: 2, orderQty: '0.5', price: 90000, stopPx: '1' } as const;
  await check('createOco', { symbol: 'BTC-USDT', ...exits });
  const { orders } = await check('createOrders', {
    orders: [
      { op: 'place', ...iceberg, selfTradePrevention: 'cancelBoth' },
      { op: 'oco', symbol: 'BTC-USDT', ...exits, stopLimitPx: '0.9' },
      { op: 'amend', orderId, price: '2.1' },
      { op: 'cancel', orderId: 999_999 },
    ],
  });
  expect(orders.map((one) => ('code' in one ? one.code : 'done'))).toEqual([
    ...['done', 'done', 'done'],
    '100203',
  ]);
  await check('orders', { type: 'OPEN' });
}

test('the operator', async () => {
  const { check, called } = checking(CALLS.operator, operator);
  const created = await check('createUser', { email: 'new@example.com', kyc: true });
  const unowned = await node.must({ type: 'createUser', kyc: true });
  await check('attachUser', unowned.uid, { email: 'attached@example.com' });
  await check('users', { query: 'new@' });
  await check('user', created.uid);
  await check('amendUser', created.uid, { makerFee: '0.001', takerFee: null });
  await check('userBalances', created.uid);
  const { apiKey } = await check('createKey', created.uid, { alias: 'a', moduleIds: [5] });
  await check('keys', created.uid);
  await check('revokeKey', created.uid, apiKey);
  await check('keys', created.uid);
  const transfer = { uid: created.uid, asset: 'USDT', amount: '12.5', reference: 'first' };
  const credited = await check('credit', transfer);
  expect(await check('credit', transfer)).toEqual(credited);
  await check('debit', { ...transfer, amount: 2, reference: 'second' });
  await check('cancelOrders', { uid: created.uid, reason: 'test' });
  await check('trialBalance');
  const tier = { volume: '100000', makerFee: '0.0008', takerFee: '0.001' };
  await check('setFeeTiers', { volumeAsset: 'USDT', rates: [], tiers: [tier] });
  await check('feeTiers');
  await check('createAsset', { asset: 'SOL', scale: 6 });
  await check('assets');
  const increments = { baseAssetIncrement: '0.01', quoteAssetIncrement: '0.01' };
  const minimum = { baseAssetMinOrderSize: '0.01', quoteAssetMinOrderSize: 1 };
  await check('createInstrument', { symbol: 'SOL-USDT', ...increments, ...minimum });
  await check('amendInstrument', 'SOL-USDT', { priceBand: '0.1', makerFee: '0.00025' });
  await check('instruments');
  const { planId } = await check('createPlan', {
    ...{ planName: 'Of the operator', planType: 1, coin: 'USDT', apr: '0.1' },
    ...{ userAmountMin: 1, userAmountMax: 10, poolCapacity: '500' },
  });
  await check('fundReserve', planId, { amount: '10', reference: 'of the plan' });
  const reserve = { account: 'reserve', planId, asset: 'USDT' } as const;
  await check('withdrawIncome', { ...reserve, amount: '1.5', reference: 'out' });
  await check('income');
  await check('venueStatement', { pageSize: 5 });
  await check('plans');
  await check('plan', planId);
  await check('amendPlan', planId, { poolCapacity: null, label: 'new' });
  const { enterpriseId } = await check('createEnterprise', { name: 'Umbrella' });
  await operator.amendUser(created.uid, { enterpriseId });
  await check('amendEnterprise', enterpriseId, { selfTradePrevention: true });
  await check('enterprises');
  await check('journalHead');
  await check('snapshot');
  await operator.amendInstrument('SOL-USDT', { makerFee: '0.0002' });
  await check('snapshot');
  await check('truncateJournal', { seq: 0, chainHash: '0'.repeat(64) });
  await check('audit', { pageSize: 50 });
  await check('clock');
  await check('advanceClock', { ms: 1 });
  await check('rateLimits');
  await check('cluster');
  FakeCluster.at(node);
  await check('cluster');
  await check('handOver', { node: FOLLOWER });
  await check('upgradeCluster', {});
  await check('forgetNode', { node: GONE });
  FakeCluster.remove(node);
  await Person.join(node);
  await check('outbox', {});
  expect([...called].sort()).toEqual(Object.keys(CALLS.operator).sort());
});

describe('the user center', () => {
  test('from the registration to the end of the account’s sessions', async () => {
    const center = new UserCenterClient({ url: node.url });
    const { check, called } = checking(CALLS.userCenter, center);
    const person = new Person(node, 'sdk@example.com');
    const { email } = person;
    const { ticket } = await check('register', { email, password: PASSWORD });
    const emailAuthCode = await person.code();
    await check('confirmRegistration', { email, emailAuthCode, ticket });
    await check('login', { email, password: PASSWORD });
    await check('me');
    await check('faucet', { asset: 'USDT' });
    person.secret = (await check('enrollTotp')).secret;
    const codes = await check('activateTotp', { googleAuthCode: person.totp() });
    const spare = [...codes.recoveryCodes];
    const before = center.sessionToken;
    await check('stepUp', { googleAuthCode: spare.pop()! });
    expect(center.sessionToken).not.toBe(before);
    // Codes are mailed once a minute.
    tamper(node, 'DELETE FROM email_sends');
    await check('sendEmailCode', { operationType: 7 });
    const { apiKey } = await check('createKey', {
      ...{
        alias: 'mine',
        moduleIds: [5],
        ipAllowList: ['127.0.0.1'],
        expiresAt: 4_000_000_000_000,
      },
      ...{ emailAuthCode: await person.code(), googleAuthCode: spare.pop()! },
    });
    await check('keys');
    await check('deleteKey', { apiKey, googleAuthCode: spare.pop()! });
    await check('keys');

    // The session acts for the person in the private calls as well, also after the step-up.
    const own = new AgioClient({ url: node.url, sessionToken: () => center.sessionToken });
    const usdt = (await own.balances()).find(({ asset }) => asset === 'USDT')!;
    expect(usdt.available).toBe('10000');

    const other = new UserCenterClient({ url: node.url });
    await other.login({ email, password: PASSWORD, googleAuthCode: spare.pop()! });
    await check('sessions');
    expect((await check('revokeSession', { all: true })).revoked).toBe(1);
    const renewed = await check('renewRecoveryCodes', { googleAuthCode: person.totp(1) });
    const fresh = [...renewed.recoveryCodes];
    await check('audit', {});
    const second = 'another quiet lantern';
    const change = { password: PASSWORD, newPassword: second, googleAuthCode: fresh.pop()! };
    await check('changePassword', change);
    await check('disableTotp', { password: second, googleAuthCode: fresh.pop()! });
    await check('logout');
    expect(center.sessionToken).toBeNull();

    tamper(node, 'DELETE FROM email_sends');
    const known = await person.code();
    const reset = await check('resetPassword', { email });
    // It is mailed behind the answer, so that the answer takes the same time for everybody.
    await until(async () => (await person.code()) !== known);
    const third = 'a third quiet lantern';
    const proof = { emailAuthCode: await person.code(), ticket: reset.ticket };
    await check('confirmPasswordReset', { email, newPassword: third, ...proof });
    expect([...called].sort()).toEqual(Object.keys(CALLS.userCenter).sort());
  });
});

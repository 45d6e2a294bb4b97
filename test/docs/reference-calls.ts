// Makes every call of the API once, in an order that works on a new server, and records the bytes:
// the examples of docs/openapi.json come from them and are compared with them.
import { type Example, operations } from '../../docs/reference/openapi.ts';
import type { ApiCall } from '../../src/contract/call.ts';
import { AgioClient } from '../../src/sdk/client.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import { UserCenterClient } from '../../src/sdk/user-center-client.ts';
import { EARN } from '../support/earn.ts';
import { FakeCluster, FOLLOWER, GONE } from '../support/fake-cluster.ts';
import { TestNode, TRADING } from '../support/node.ts';
import { PASSWORD, Person, tamper } from '../support/person.ts';
import { until } from '../support/waiting.ts';

const ALL = operations().map(({ operationId, call: { method, path } }) => {
  const pattern = path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { operationId, method, pattern: new RegExp(`^${pattern}$`) };
});

/** Makes a request; a caller of recordAll may observe it. */
export type Around = (
  request: { readonly method: string; readonly path: string },
  make: () => Promise<Response>,
) => Promise<Response>;

/** Requests and answers by operationId; a later call of an operation replaces the earlier one. */
export class Recorder {
  readonly calls: Record<string, Example> = {};
  readonly texts: Record<string, string> = {};
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  /** In place of the global fetch. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const request = { method: init.method ?? 'GET', path: pathname };
    const response = await this.#around(request, () => fetch(url, init));
    const text = await response.clone().text();
    for (const { operationId, method, pattern } of ALL) {
      const parts = method === init.method ? pattern.exec(pathname) : null;
      if (parts === null || response.status !== 200) continue;
      const isJson = response.headers.get('content-type') === 'application/json';
      const query = Object.fromEntries(new URLSearchParams(search));
      this.texts[operationId] = text;
      this.calls[operationId] = {
        ...(parts.groups === undefined ? {} : { parts: { ...parts.groups } }),
        ...(search === '' ? {} : { query }),
        ...(typeof init.body === 'string' ? { body: JSON.parse(init.body) } : {}),
        answer: isJson ? JSON.parse(text) : text,
      };
    }
    return response;
  };
}

const plainly = async (): Promise<Around> => (_, make) => make();

/** Receives what each method of the SDK returns. */
export type OnReturned = (client: ApiCall['client'], name: string, answer: unknown) => void;

/** A client whose methods pass their answers to `onReturned`, too. */
const watched = <C extends object>(
  client: C,
  which: ApiCall['client'],
  onReturned: OnReturned,
): C =>
  new Proxy(client, {
    get(target, name) {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        const answer = await method.apply(target, args);
        onReturned(which, String(name), answer);
        return answer;
      };
    },
  });

/** Makes every call by the SDK, on a node that was prepared. */
export async function recordAll(
  prepare: (node: TestNode) => Promise<Around> = plainly,
  onReturned: OnReturned = () => {},
): Promise<Recorder> {
  await using node = await TestNode.start({ flags: ['--rate-limits', 'off'] });
  const recorder = new Recorder(await prepare(node));
  const uid = await node.user();
  const { credentials } = node.key(uid, { moduleIds: [...EARN, ...TRADING] });
  const own = { url: node.url, fetch: recorder.fetch };
  const client = watched(new AgioClient({ ...own, ...credentials }), 'customer', onReturned);
  const { operatorToken } = node;
  const boss = new OperatorClient({ ...own, operatorToken });
  const operator = watched(boss, 'operator', onReturned);
  await trade(node, client);
  const planId = await save(node, client, operator, uid);
  await operate(node, operator, planId);
  await join(node, watched(new UserCenterClient(own), 'userCenter', onReturned));
  await operator.outbox({ limit: 1 });
  return recorder;
}

async function trade(node: TestNode, client: AgioClient): Promise<void> {
  const pair = { symbol: 'BTC-USDT', ordType: 2 } as const;
  await node.amend(pair.symbol, { makerFee: 100_000, takerFee: 200_000 });
  // All trades are in one minute, of which each price of the candle is another.
  await node.engine.advanceClock(60_000 - (node.engine.now % 60_000));
  await client.createOrder({ ...pair, side: 2, price: '60000', orderQty: '0.1' });
  await client.createOrder({ ...pair, side: 2, price: '60000', orderQty: '0.15' });
  await client.createOrder({ ...pair, side: 2, price: '60010.5', orderQty: '0.5' });
  await client.createOrder({ ...pair, side: 1, price: '59990.5', orderQty: '0.4' });
  await client.createOrder({ symbol: 'BTC-USDT', side: 1, ordType: 1, orderQty: '0.3' });
  await client.createOrder({ ...pair, side: 2, price: '59990.5', orderQty: '0.1' });
  await client.createOrder({ ...pair, side: 2, price: '60005', orderQty: '0.2' });
  await client.createOrder({ ...pair, side: 1, price: '60005', orderQty: '0.02' });
  await client.createOrder({ ...pair, side: 1, price: '59990.5', orderQty: '0.05' });
  const order = { ...pair, side: 1, price: '59980.01', orderQty: '0.002' } as const;
  await client.testOrder(order);
  const { orderId } = await client.createOrder({ ...order, clOrdId: 'bid-1' });
  await tradeV2(client);
  await client.instruments({ symbol: 'BTC-USDT' });
  await client.instrumentsV1({ symbol: 'BTC-USDT' });
  await client.assets();
  await client.feeSchedule();
  await client.time();
  await client.orderbook({ symbol: 'BTC-USDT', depth: 5 });
  await client.level3Orderbook({ symbol: 'BTC-USDT' });
  await client.trades({ symbol: 'BTC-USDT', limit: 10 });
  await client.aggTrades({ symbol: 'BTC-USDT', limit: 10 });
  await client.bbo({ symbol: 'BTC-USDT' });
  await client.avgPrice({ symbol: 'BTC-USDT' });
  await client.tickers({ symbol: 'BTC-USDT' });
  await client.candles({ symbol: 'BTC-USDT', interval: '1m', limit: 10 });
  await client.orders({ type: 'SINGLE', orderId });
  await client.orders({ type: 'OPEN', symbol: 'BTC-USDT', size: 2 });
  await client.fills({ symbol: 'BTC-USDT', size: 2 });
  await client.fees();
  await client.feeTier();
  await client.balances();
  await client.ledger({ asset: 'BTC', size: 4 });
  await client.cancelOrder({ orderId });
  await client.cancelAllAfter({ timeout: 60000 });
  await client.massCancel({ symbol: 'BTC-USDT' });
  await client.health();
  await client.ready();
  await client.metrics();
}

async function tradeV2(client: AgioClient): Promise<void> {
  const pair = { symbol: 'BTC-USDT' } as const;
  const stop = { ...pair, side: 2, ordType: 3, stopPx: '58000', orderQty: '0.1' } as const;
  await client.testOrderV2(stop);
  await client.createOrderV2({ ...stop, clOrdId: 'stop-1' });
  const bid = { ...pair, side: 1, ordType: 2, price: '59970', orderQty: '0.004' } as const;
  const { orderId } = await client.createOrder(bid);
  await client.amendOrder({ orderId, orderQty: '0.003' });
  await client.createOco({ ...pair, side: 2, orderQty: '0.05', price: '66000', stopPx: '58000' });
  await client.createOrders({
    orders: [
      { op: 'place', ...bid, price: '59960.005' },
      { op: 'place', ...bid, price: '59960', timeInForce: 3 },
      { op: 'amend', orderId, price: '59965' },
      { op: 'cancel', orderId },
    ],
  });
}

async function save(
  node: TestNode,
  client: AgioClient,
  operator: OperatorClient,
  uid: number,
): Promise<string> {
  const { enterpriseId } = await operator.createEnterprise({ name: 'Example Ltd' });
  await operator.amendUser(uid, { enterpriseId, enterpriseAdmin: true });
  const terms = { coin: 'USDT', userAmountMin: 10, userAmountMax: 100000 } as const;
  const flexible = await operator.createPlan({
    ...{ planName: 'USDT flexible', planType: 1, apr: '0.04', redeemLockHours: 24 },
    ...terms,
  });
  const fixed = await operator.createPlan({
    ...{ planName: 'USDT 30 days', planType: 2, lockDay: 30, apr: '0.06', supportAutoRenew: true },
    ...{ booster: { coin: 'MMX', ratio: '0.5', apr: '0.01825' }, supportEarlyRedemption: true },
    ...terms,
  });
  await operator.createPlan({
    ...{ planName: 'USDT of your term', planType: 3, minApr: '0.03', maxApr: '0.07', label: 'new' },
    ...{ minLockDay: 10, maxLockDay: 120, requiresKyc: true, rewardFrequency: 5 },
    ...terms,
  });
  const { planId } = fixed;
  await client.setMargin({ planId, margin: '0.005' });
  await client.plans();
  await client.plan({ planId });
  await client.previewApply({ planId, amount: 1000 });
  const short = await client.applyPlan({ planId, amount: '50' });
  await client.redeem({ applyId: short.applyId, amount: '50' });
  await client.endedSubscriptions();
  const flex = await client.applyPlan({ planId: flexible.planId, amount: '777.77' });
  const term = await client.applyPlan({ planId, amount: '1000', boosterAmount: '500' });
  await client.setAutoRenew({ applyId: term.applyId, autoRenew: true });
  await operator.fundReserve(flexible.planId, { amount: '25000', reference: 'treasury-1' });
  await operator.fundReserve(planId, { amount: '25000', reference: 'treasury-2' });
  await operator.advanceClock({ ms: 3 * 86_400_000 });
  await client.previewRedeem({ applyId: term.applyId });
  await client.redeem({ applyId: flex.applyId, amount: '77.77' });
  await client.subscription({ applyId: flex.applyId });
  await client.subscriptions();
  const { items } = await client.interest({ applyId: flex.applyId, pageSize: 2 });
  await client.explainInterest({ applyId: flex.applyId, date: items[0]!.date });
  await client.memberSubscriptions({ pageSize: 10 });
  await client.margins({ pageNum: 1, pageSize: 10 });
  await operator.plan(planId);
  await operator.amendPlan(planId, { label: 'popular', poolCapacity: '1000000' });
  await operator.plans();
  await operator.amendEnterprise(enterpriseId, { selfTradePrevention: true });
  await operator.enterprises();
  await node.engine.advanceClock(1);
  return flexible.planId;
}

async function operate(node: TestNode, operator: OperatorClient, planId: string): Promise<void> {
  const unowned = await node.must({ type: 'createUser', kyc: true });
  await operator.attachUser(unowned.uid, { email: 'grace@example.com' });
  const { uid } = await operator.createUser({ email: 'ada@example.com', kyc: true });
  await operator.users({ query: 'ada@', page: 1, pageSize: 10 });
  await operator.user(uid);
  await operator.amendUser(uid, { makerFee: '0.001', takerFee: null });
  const { apiKey } = await operator.createKey(uid, { alias: 'bot', moduleIds: [5, 6] });
  await operator.keys(uid);
  await operator.revokeKey(uid, apiKey);
  const transfer = { uid, asset: 'USDT', amount: '100.5', reference: 'wire-1' };
  await operator.credit(transfer);
  await operator.debit({ ...transfer, amount: '0.5', reference: 'wire-2' });
  await operator.cancelOrders({ uid, symbol: 'BTC-USDT', reason: 'Ticket 4711' });
  const reserve = { account: 'reserve', asset: 'USDT', planId } as const;
  await operator.withdrawIncome({ ...reserve, amount: '100', reference: 'to-treasury-1' });
  await operator.income();
  await operator.venueStatement({ page: 1, pageSize: 2 });
  await operator.userBalances(uid);
  await operator.trialBalance();
  await operator.createAsset({ asset: 'SOL', scale: 6 });
  await operator.createAsset({ asset: 'SQL', scale: 6 });
  await operator.amendAsset('SQL', { scale: 8 });
  await operator.removeAsset('SQL');
  await operator.assets();
  await operator.createInstrument({
    ...{ symbol: 'SOL-USDT', baseAssetIncrement: '0.01', quoteAssetIncrement: '0.01' },
    ...{ baseAssetMinOrderSize: '0.02', quoteAssetMinOrderSize: '1', takerFee: '0.0005' },
    ...{ selfTradePrevention: 'cancelBoth', instrumentStatus: 'POST_ONLY' },
  });
  await operator.amendInstrument('SOL-USDT', { priceBand: '0.1', makerFee: '0.00025' });
  await operator.instruments();
  await operator.setFeeTiers({
    ...{ volumeAsset: 'USDT', rates: [{ asset: 'BTC', rate: '60000' }] },
    tiers: [
      { volume: '100000', makerFee: '0.0008', takerFee: '0.001' },
      { volume: '1000000', makerFee: '0', takerFee: '0.0005' },
    ],
  });
  await operator.feeTiers();
  await operator.journalHead();
  await operator.snapshot();
  await operator.amendInstrument('SOL-USDT', { makerFee: '0.0002' });
  await operator.snapshot();
  await operator.truncateJournal({ seq: 0, chainHash: '0'.repeat(64) });
  await operator.audit({ page: 1, pageSize: 2 });
  await operator.clock();
  await operator.rateLimits();
  FakeCluster.at(node);
  await operator.cluster();
  await operator.handOver({ node: FOLLOWER });
  await operator.upgradeCluster({ dryRun: true });
  await operator.forgetNode({ node: GONE });
  FakeCluster.remove(node);
}

async function join(node: TestNode, center: UserCenterClient): Promise<void> {
  const person = new Person(node, 'bob@example.com');
  const { email } = person;
  const { ticket } = await center.register({ email, password: PASSWORD });
  await center.confirmRegistration({ email, emailAuthCode: await person.code(), ticket });
  await center.login({ email, password: PASSWORD });
  await center.me();
  await center.faucet({ asset: 'USDT' });
  person.secret = (await center.enrollTotp()).secret;
  const codes = await center.activateTotp({ googleAuthCode: person.totp() });
  const spare = [...codes.recoveryCodes];
  await center.stepUp({ googleAuthCode: spare.pop()! });
  tamper(node, 'DELETE FROM email_sends');
  await center.sendEmailCode({ operationType: 7 });
  const { apiKey } = await center.createKey({
    ...{ alias: 'bot', moduleIds: [5, 6], ipAllowList: ['127.0.0.1'] },
    ...{ emailAuthCode: await person.code(), googleAuthCode: spare.pop()! },
  });
  await center.keys();
  await center.deleteKey({ apiKey, googleAuthCode: spare.pop()! });
  await center.sessions();
  await center.revokeSession({ all: true });
  await center.audit({ page: 1, pageSize: 2 });
  const renewed = await center.renewRecoveryCodes({ googleAuthCode: person.totp(1) });
  const fresh = [...renewed.recoveryCodes];
  const second = 'another quiet lantern';
  const googleAuthCode = fresh.pop()!;
  await center.changePassword({ password: PASSWORD, newPassword: second, googleAuthCode });
  await center.disableTotp({ password: second, googleAuthCode: fresh.pop()! });
  await center.logout();
  tamper(node, 'DELETE FROM email_sends');
  const known = await person.code();
  const reset = await center.resetPassword({ email });
  // It is mailed behind the answer, so that the answer takes the same time for everybody.
  await until(async () => (await person.code()) !== known);
  await center.confirmPasswordReset({
    ...{ email, newPassword: 'a third quiet lantern', ticket: reset.ticket },
    emailAuthCode: await person.code(),
  });
}

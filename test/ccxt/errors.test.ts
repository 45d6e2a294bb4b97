// Every rejection as a ccxt exception: the tables of docs/errors.md, and each rejection that a
// client can provoke.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Dict, errors } from 'ccxt';
import { agio } from '../../src/ccxt/agio.ts';
import { operate, Server } from '../support/cli.ts';
import { CcxtSandbox } from './sandbox.ts';
import { offline } from './static-case.ts';

interface Row {
  readonly code: string;
  readonly http: number;
  readonly name: string;
  readonly sentence: string;
  readonly ccxt: string;
}

const DOCUMENT = readFileSync(join(import.meta.dir, '../../docs/errors.md'), 'utf8');

/** The rows of the two tables of codes; the one of legacy errors has no HTTP status. */
const ROWS: readonly Row[] = DOCUMENT.split('\n').flatMap((line): Row[] => {
  const cells = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
  const [, code = '', second, third = '', fourth = '', fifth = ''] = cells;
  const ccxt = cells.at(-2)!;
  if (/^100\d{3}$/.test(code)) {
    return [{ code, http: Number(second), name: third, sentence: fifth, ccxt }];
  }
  return /^400\d\d$/.test(code) ? [{ code, http: 200, name: third, sentence: fourth, ccxt }] : [];
});

const nameOf = (error: unknown): string => (error as Error).constructor.name;

describe('every code of docs/errors.md', () => {
  test('there are some', () => expect(ROWS.length).toBeGreaterThan(80));

  for (const { code, http, name, sentence, ccxt } of ROWS) {
    test(`${code} ${name} is ${ccxt}`, () => {
      const rejection = { code, msg: 'a phrase', userMsg: `Invalid field: x. ${sentence}` };
      const legacy = { code: '500', msg: 'earn.x', data: null, errorCode: code, userMsg: sentence };
      const body = code.length === 6 ? rejection : legacy;
      let thrown: unknown;
      try {
        offline().handleErrors(http, '', 'url', 'GET', {}, JSON.stringify(body), body);
      } catch (error) {
        thrown = error;
      }
      expect(nameOf(thrown)).toBe(ccxt);
      expect(thrown).toBeInstanceOf(errors[ccxt as keyof typeof errors] as typeof Error);
      expect((thrown as Error).message).toContain(code);
    });
  }

  test('a code that this version does not know is an ExchangeError', () => {
    const body = { code: '100999', msg: 'new', userMsg: 'Something new.' };
    const read = () => offline().handleErrors(400, '', '', '', {}, JSON.stringify(body), body);
    expect(read).toThrow(errors.ExchangeError);
  });

  test('the status decides about an answer of another server', () => {
    const exchange = offline();
    expect(exchange.handleErrors(502, '', '', '', {}, '<html>', undefined)).toBeUndefined();
    expect(exchange.handleErrors(200, '', '', '', {}, '', { code: '0' })).toBeUndefined();
    expect(() => exchange.handleHttpStatusCode(502, '', '', '', '')).toThrow(
      errors.ExchangeNotAvailable,
    );
  });
});

const PAIR = 'BTC/USDT';
let venue: CcxtSandbox;
let sandbox: CcxtSandbox['info'];
let demo: agio;

/** A further key of the demo user. */
async function keyWith(terms: Dict): Promise<agio> {
  const body = { alias: 'test', moduleIds: [5, 6], ...terms };
  const made = await operate(sandbox, 'POST', `users/${sandbox.demo!.uid}/keys`, body);
  return venue.customer(made as { apiKey: string; secretKey: string });
}

beforeAll(async () => {
  venue = await CcxtSandbox.start();
  sandbox = venue.info;
  demo = venue.customer(sandbox.demo!);
  await demo.loadMarkets();
});

afterAll(() => venue[Symbol.asyncDispose]());

/** Expects an exception of exactly that class with that code. */
async function rejected(code: number, exception: string, attempt: Promise<unknown>): Promise<void> {
  const error = await attempt.then(
    () => new Error('it was not rejected'),
    (thrown: unknown) => thrown,
  );
  expect(`${nameOf(error)} ${(error as Error).message}`).toMatch(
    new RegExp(`^${exception} .*"(?:code":"${code}"|errorCode":${code}\\b)`),
  );
}

const limit = (exchange: agio, amount: number, price: number, params: Dict = {}) =>
  exchange.createOrder(PAIR, 'limit', 'buy', amount, price, params);

describe('orders that the server rejects', () => {
  test('fields, sizes, increments and money', async () => {
    const raw = (fields: Dict) =>
      demo.spotPrivatePostV1Order({
        symbol: 'BTC-USDT',
        side: '1',
        ordType: '2',
        orderQty: '0.01',
        price: '60000',
        ...fields,
      });
    await rejected(100200, 'BadRequest', limit(demo, 0.01, 60000, { leverage: 2 }));
    await rejected(100200, 'BadRequest', raw({ price: '1e5' }));
    await rejected(100200, 'BadRequest', raw({ orderQty: '99999999999999999' }));
    await rejected(100200, 'BadRequest', limit(demo, 0.01, 60000, { idempotencyKey: 'a b' }));
    await rejected(100201, 'BadSymbol', raw({ symbol: 'NO-SUCH' }));
    await rejected(100202, 'BadSymbol', raw({ securityId: 2 }));
    await rejected(100206, 'InsufficientFunds', limit(demo, 1000, 60000));
    await rejected(100207, 'InvalidOrder', limit(demo, 0.000001, 60000));
    await rejected(100208, 'InvalidOrder', raw({ price: '60000.005' }));
    await rejected(100210, 'NotSupported', raw({ timeInForce: '3' }));
    await rejected(100413, 'BadRequest', raw({ clOrdId: 'x'.repeat(20_000) }));
  });

  test('unknown and closed orders, and ids of two orders', async () => {
    const first = await limit(demo, 0.01, 30000, { clientOrderId: 'one' });
    await limit(demo, 0.01, 30000, { clientOrderId: 'two' });
    const mismatch = demo.cancelOrder(first.id!, PAIR, { clientOrderId: 'two' });
    await rejected(100204, 'BadRequest', mismatch);
    await demo.cancelOrder(first.id!);
    await rejected(100205, 'OrderNotFound', demo.cancelOrder(first.id!));
    await rejected(100203, 'OrderNotFound', demo.cancelOrder('987654321'));
    const longAgo = Date.now() - 40 * 86_400_000;
    await rejected(100213, 'BadRequest', demo.fetchOrders(PAIR, longAgo));
    await demo.cancelAllOrders();
  });

  test('a client order id twice, for a strict key', async () => {
    const strict = await keyWith({ strictClOrdId: true });
    await limit(strict, 0.01, 30000, { clientOrderId: 'mine' });
    const again = limit(strict, 0.01, 30000, { clientOrderId: 'mine' });
    await rejected(100214, 'DuplicateOrderId', again);
    await demo.cancelAllOrders();
  });

  test('an Idempotency-Key with another order', async () => {
    const params = { idempotencyKey: 'once' };
    const first = await limit(demo, 0.01, 30000, params);
    expect((await limit(demo, 0.01, 30000, params)).id).toBe(first.id);
    await rejected(100409, 'DuplicateOrderId', limit(demo, 0.02, 30000, params));
    await demo.cancelAllOrders();
  });

  test('a halted pair, a price outside the band, too many orders', async () => {
    const pair = (terms: Dict) => operate(sandbox, 'PATCH', 'instruments/BTC-USDT', terms);
    await pair({ instrumentStatus: 'HALTED' });
    await rejected(100209, 'MarketClosed', limit(demo, 0.01, 30000));
    expect((await demo.loadMarkets(true))[PAIR]!.active).toBe(false);
    await pair({ instrumentStatus: 'LIVE' });
    const other = venue.customer(sandbox.market![0]!);
    await other.createOrder(PAIR, 'limit', 'sell', 0.01, 60000);
    await limit(demo, 0.01, 60000);
    await pair({ priceBand: '0.1' });
    await rejected(100211, 'InvalidOrder', limit(demo, 0.01, 30000));
    await pair({ priceBand: '0' });
    const user = (terms: Dict) => operate(sandbox, 'PATCH', `users/${sandbox.demo!.uid}`, terms);
    await user({ maxOpenOrders: 1 });
    await limit(demo, 0.01, 30000);
    await rejected(100212, 'InvalidOrder', limit(demo, 0.01, 30000));
    await user({ maxOpenOrders: 10_000 });
    await demo.cancelAllOrders();
  });
});

describe('callers, times and load', () => {
  test('wrong credentials and clocks', async () => {
    const { apiKey, secretKey } = sandbox.demo!;
    const wrong = venue.customer({ apiKey, secretKey: 'wrong' });
    await rejected(100401, 'AuthenticationError', wrong.spotPrivateGetV1Balances());
    const unknown = venue.customer({ apiKey: 'nobody', secretKey });
    await rejected(100401, 'AuthenticationError', unknown.spotPrivateGetV1Balances());
    const slow = venue.customer(sandbox.demo!, { options: { timeDifference: 1_200_000 } });
    await rejected(100402, 'InvalidNonce', slow.spotPrivateGetV1Balances());
    const anyone = new agio({ hostname: demo.hostname, sandbox: true });
    await expect(anyone.fetchBalance()).rejects.toThrow(errors.AuthenticationError);
  });

  test('a signature twice', async () => {
    const stuck = venue.customer(sandbox.demo!);
    await stuck.loadMarkets();
    const now = Date.now();
    stuck.nonce = () => now;
    await limit(stuck, 0.01, 30000);
    await rejected(100405, 'InvalidNonce', limit(stuck, 0.01, 30000));
    await demo.cancelAllOrders();
  });

  test('privileges, addresses, accounts', async () => {
    const reader = await keyWith({ moduleIds: [5] });
    await rejected(100403, 'PermissionDenied', limit(reader, 0.01, 30000));
    const writer = await keyWith({ moduleIds: [6] });
    expect((await writer.loadMarkets())[PAIR]!.taker).toBeUndefined();
    await rejected(100403, 'PermissionDenied', writer.fetchBalance());
    const elsewhere = await keyWith({ ipAllowList: ['203.0.113.7'] });
    await rejected(100403, 'PermissionDenied', elsewhere.spotPrivateGetV1Balances());
    const foreign = demo.earnPrivatePostPlanDetailEdit({ uid: 2, autoRenew: true });
    await rejected(100403, 'PermissionDenied', foreign);
    const user = (status: 'active' | 'suspended') =>
      operate(sandbox, 'PATCH', `users/${sandbox.demo!.uid}`, { status });
    await user('suspended');
    await rejected(100403, 'AccountSuspended', limit(demo, 0.01, 30000));
    await user('active');
  });

  test('paths, methods, and an unreachable service', async () => {
    const spot = ['spot', 'public'];
    await rejected(100404, 'BadRequest', demo.request('v1/nothing', spot));
    await rejected(100406, 'BadRequest', demo.request('v1/assets', spot, 'POST'));
    const ahead = venue.customer(sandbox.demo!, { headers: { 'X-Agio-Min-Seq': '99999999' } });
    await rejected(100503, 'ExchangeNotAvailable', ahead.spotPublicGetV1Assets());
    const nowhere = new agio({ hostname: '127.0.0.1:1', sandbox: true });
    await expect(nowhere.fetchTime()).rejects.toThrow(errors.NetworkError);
  });

  test('too many requests', async () => {
    const data = venue.place.path('limited');
    const limits = 'public=1/60/2';
    await using limited = await Server.start(['--data', data, '--rate-limits', limits]);
    const one = new agio({ hostname: new URL(limited.url).host, sandbox: true, rateLimit: 1 });
    await one.fetchTime();
    await one.fetchTime();
    await rejected(100429, 'RateLimitExceeded', one.fetchTime());
  });
});

describe('earn calls that are rejected with HTTP 200', () => {
  const apply = (planId: string, amount: string, more: Dict = {}) =>
    demo.earnPrivatePostPlanApply({ planId, amount, ...more });
  const redeem = (applyId: string, amount: string) =>
    demo.earnPrivatePostApplyRedeem({ applyId, amount });
  const idOf = async (answer: Promise<Dict>): Promise<string> => (await answer).data.applyId;
  let plans: Dict[];

  /** The first plan that has all of this. */
  const planWith = (terms: Dict): string =>
    plans.find((plan) => Object.entries(terms).every(([name, value]) => plan[name] === value))!
      .planId;

  beforeAll(async () => {
    ({ data: plans } = await demo.earnPublicGetPlanList());
  });

  test('subscriptions', async () => {
    const flexible = planWith({ planType: '1', coin: 'USDT' });
    const term = planWith({ planType: '3' });
    const boosted = planWith({ label: 'Booster' });
    const locked = planWith({ planType: '2', supportEarlyRedemption: false });
    await rejected(40000, 'BadRequest', apply('999', '10'));
    await rejected(40001, 'BadRequest', apply(flexible, 'ten'));
    await rejected(40002, 'BadRequest', apply(flexible, '0.0001'));
    await rejected(40003, 'BadRequest', apply(locked, '500001', { lockDay: 30 }));
    const user = (kyc: boolean) => operate(sandbox, 'PATCH', `users/${sandbox.demo!.uid}`, { kyc });
    await user(false);
    await rejected(40011, 'PermissionDenied', apply(planWith({ label: 'KYC' }), '10'));
    await user(true);
    await rejected(40012, 'BadRequest', apply(flexible, '10', { boosterAmount: '1' }));
    await rejected(40014, 'BadRequest', apply(locked, '10', { boosterAmount: '1' }));
    await rejected(40015, 'BadRequest', apply(term, '10', { lockDay: 3 }));
    await rejected(40016, 'BadRequest', apply(term, '10', { lockDay: 400 }));
    await rejected(40017, 'BadRequest', apply(boosted, '10', { boosterAmount: '0' }));
    await operate(sandbox, 'PATCH', `plans/${flexible}`, { poolCapacity: '100' });
    await rejected(40004, 'BadRequest', apply(flexible, '101'));
    await operate(sandbox, 'PATCH', `plans/${flexible}`, { poolCapacity: null });
  });

  test('additions and redemptions', async () => {
    const flexible = planWith({ planType: '1', coin: 'USDT' });
    const locked = planWith({ planType: '2', supportEarlyRedemption: false });
    const boosted = planWith({ label: 'Booster' });
    const held = await idOf(apply(flexible, '100'));
    const fixed = await idOf(apply(locked, '100'));
    const early = await idOf(apply(boosted, '100'));
    await rejected(40010, 'BadRequest', redeem(held, '101'));
    await rejected(40006, 'BadRequest', apply(locked, '10', { applyId: fixed }));
    await rejected(40013, 'BadRequest', redeem(early, '50'));
    await rejected(40018, 'BadRequest', redeem(fixed, '100'));
    const stranger = venue.customer(sandbox.enterprise!.members[0]!);
    const foreign = stranger.earnPrivateGetApplyDetail({ applyId: held });
    await rejected(40005, 'PermissionDenied', foreign);
    await apply(locked, '400000');
    await apply(boosted, '300000');
    await rejected(40020, 'InsufficientFunds', apply(flexible, '400000'));
    await redeem(held, '100');
    await rejected(40007, 'BadRequest', apply(flexible, '10', { applyId: held }));
  });
});

// Every rejection as a ccxt exception: the tables of docs/errors.md, and rejections of a server in
// each of their forms.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Dict, errors } from 'ccxt';
import { agio } from '../../src/ccxt/agio.ts';
import { operate } from '../support/cli.ts';
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

test('rejections of orders, of callers, and of the earn area with HTTP 200', async () => {
  await rejected(100206, 'InsufficientFunds', limit(demo, 1000, 60000));
  await rejected(100203, 'OrderNotFound', demo.cancelOrder('987654321'));
  const { apiKey } = sandbox.demo!;
  const wrong = venue.customer({ apiKey, secretKey: 'wrong' });
  await rejected(100401, 'AuthenticationError', wrong.spotPrivateGetV1Balances());
  const apply = demo.earnPrivatePostPlanApply({ planId: '999', amount: '10' });
  await rejected(40000, 'BadRequest', apply);
});

test('a halted pair is not active', async () => {
  const pair = (terms: Dict) => operate(sandbox, 'PATCH', 'instruments/BTC-USDT', terms);
  await pair({ instrumentStatus: 'HALTED' });
  await rejected(100209, 'MarketClosed', limit(demo, 0.01, 30000));
  expect((await demo.loadMarkets(true))[PAIR]!.active).toBe(false);
  await pair({ instrumentStatus: 'LIVE' });
});

test('a key that may not read has no rates, a suspended account its own exception', async () => {
  const terms = { alias: 'writer', moduleIds: [6] };
  const made = await operate(sandbox, 'POST', `users/${sandbox.demo!.uid}/keys`, terms);
  const writer = venue.customer(made as { apiKey: string; secretKey: string });
  expect((await writer.loadMarkets())[PAIR]!.taker).toBeUndefined();
  await rejected(100403, 'PermissionDenied', writer.fetchBalance());
  const user = (status: 'active' | 'suspended') =>
    operate(sandbox, 'PATCH', `users/${sandbox.demo!.uid}`, { status });
  await user('suspended');
  await rejected(100403, 'AccountSuspended', limit(demo, 0.01, 30000));
  await user('active');
});

test('without a key nothing is signed, and an absent server is a network error', async () => {
  const anyone = new agio({ hostname: demo.hostname, sandbox: true });
  await expect(anyone.fetchBalance()).rejects.toThrow(errors.AuthenticationError);
  const nowhere = new agio({ hostname: '127.0.0.1:1', sandbox: true });
  await expect(nowhere.fetchTime()).rejects.toThrow(errors.NetworkError);
});

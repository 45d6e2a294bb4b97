// Checks of signatures: what is signed, what is refused, and that bytes cannot be moved over the
// borders of what is signed.
import { type Check, expect, expectSame, section } from './check.ts';
import { expectOk, expectRefused } from './expect.ts';
import { EARN, type Kit, MARKET, PUBLIC, SPOT } from './kit.ts';

const signing = section('earn', 'Authentication: request headers');
const signedString = section('earn', 'Authentication: signed string');
const once = section('agio', 'A signature works once');

const BALANCES = `${SPOT}/balances`;
const ORDERS = `${SPOT}/orders`;
const TEST_ORDER = `${SPOT}/testorder`;
const MINUTE = 60_000;
const UNAUTHORIZED = 100401;
const OUTSIDE = 100402;
const USED = 100405;

const at = (kit: Kit, ms: number): string => String(Date.now() + kit.wire.skew + ms);

export const signingChecks: readonly Check[] = [
  signing('AUTH-01', 'A signed request with the three headers is answered.', async (kit) => {
    const answer = await kit.wire.get(ORDERS, { type: 'OPEN', size: 1 });
    expectOk(answer);
  }),
  signing(
    'AUTH-02',
    'Without any one of the three headers the answer is 401.',
    async ({ wire }) => {
      for (const name of ['EXCHANGE-API-KEY', 'EXCHANGE-API-TIMESTAMP', 'EXCHANGE-API-SIGN']) {
        const answer = await wire.get(BALANCES, {}, { headers: { [name]: null } });
        expectRefused(answer, 401, UNAUTHORIZED, name);
      }
    },
  ),
  signing('AUTH-03', 'A signature that is wrong is refused with 401.', async ({ wire }) => {
    const headers = { 'EXCHANGE-API-SIGN': '0'.repeat(64) };
    expectRefused(await wire.get(BALANCES, {}, { headers }), 401, UNAUTHORIZED);
  }),
  signing(
    'AUTH-04',
    'An unknown key is refused with 401, and told apart from a wrong signature by nothing.',
    async ({ wire }) => {
      const unknown = { 'EXCHANGE-API-KEY': 'f'.repeat(40) };
      const wrong = { 'EXCHANGE-API-SIGN': '0'.repeat(64) };
      const first = await wire.get(BALANCES, {}, { headers: unknown });
      expectRefused(first, 401, UNAUTHORIZED);
      const second = await wire.get(BALANCES, {}, { headers: wrong });
      expectSame('both refusals', first.text, second.text);
    },
  ),
  signing('AUTH-05', 'The signature is lowercase hexadecimal.', async ({ wire }) => {
    const timestamp = wire.timestamp();
    const sign = wire.sign(`${timestamp}GET${BALANCES}`).toUpperCase();
    const headers = { 'EXCHANGE-API-SIGN': sign };
    expectRefused(await wire.get(BALANCES, {}, { timestamp, headers }), 401, UNAUTHORIZED);
  }),
  signedString(
    'AUTH-06',
    'The timestamp is within 10 minutes of the server’s time, before or after; else 401.',
    async (kit) => {
      for (const off of [-9 * MINUTE, 9 * MINUTE]) {
        expectOk(await kit.wire.get(BALANCES, {}, { timestamp: at(kit, off) }));
      }
      for (const off of [-11 * MINUTE, 11 * MINUTE]) {
        const answer = await kit.wire.get(BALANCES, {}, { timestamp: at(kit, off) });
        expectRefused(answer, 401, OUTSIDE);
      }
    },
  ),
  signedString('AUTH-07', 'A timestamp that is no epoch milliseconds is 401.', async ({ wire }) => {
    for (const timestamp of ['now', '1700000000']) {
      expectRefused(await wire.get(BALANCES, {}, { timestamp }), 401, OUTSIDE);
    }
  }),
  signedString('AUTH-08', 'Method, path and timestamp are signed.', async ({ wire }) => {
    for (const signed of [
      { method: 'POST' },
      { path: ORDERS },
      { timestamp: String(Number(wire.timestamp()) - 1) },
    ]) {
      expectRefused(await wire.get(BALANCES, {}, { signed }), 401, UNAUTHORIZED);
    }
  }),
  signedString(
    'AUTH-09',
    'The query is signed as it is sent, joined to the path without a question mark.',
    async ({ wire }) => {
      expectOk(await wire.get(ORDERS, { type: 'OPEN', size: 1 }));
      for (const query of ['?type=OPEN', 'type=COMPLETED', '']) {
        const answer = await wire.get(ORDERS, { type: 'OPEN' }, { signed: { query } });
        expectRefused(answer, 401, UNAUTHORIZED);
      }
    },
  ),
  signedString('AUTH-10', 'The body is signed as the exact text that is sent.', async (kit) => {
    const { wire } = kit;
    const body = JSON.stringify(kit.bid(await kit.pair()));
    const spaced = ` ${body.replaceAll(',', ' ,\n')} `;
    expectOk(await wire.post(TEST_ORDER, spaced));
    const answer = await wire.post(TEST_ORDER, body, { signed: { body: `${body} ` } });
    expectRefused(answer, 401, UNAUTHORIZED);
  }),
  signedString(
    'AUTH-11',
    'Bytes moved from path, query or body to another of them, under the same signature, are refused.',
    async (kit) => {
      const { wire } = kit;
      const signed = { path: ORDERS, query: 'type=OPEN', body: '' };
      const targets = [
        [`${ORDERS}t`, 'ype=OPEN'],
        [`${ORDERS}type=OPEN`, ''],
        [ORDERS.slice(0, -1), 'stype=OPEN'],
      ] as const;
      for (const [path, query] of targets) {
        const { status, text } = await wire.send('GET', path, { query, signed });
        expect(status >= 400 && status < 500, 'moved bytes to be refused', `${status} ${text}`);
      }
      const text = JSON.stringify(kit.bid(await kit.pair()));
      const moved = { query: text.slice(0, 1), body: text.slice(1) };
      const whole = { path: TEST_ORDER, query: '', body: text };
      const { status } = await wire.send('POST', TEST_ORDER, { ...moved, signed: whole });
      expect(status >= 400 && status < 500, 'moved bytes to be refused', String(status));
    },
  ),
  signing('AUTH-12', 'Public calls need no signature, private ones do.', async ({ wire }) => {
    expectOk(await wire.open(`${PUBLIC}/v2/instruments`));
    expectOk(await wire.open(`${MARKET}/tickers`));
    expectOk(await wire.open(`${EARN}/plan/list`));
    for (const path of [BALANCES, `${EARN}/apply/currentList`]) {
      expectRefused(await wire.open(path), 401, UNAUTHORIZED);
    }
  }),
  once('AUTH-13', 'The signature of a write works once; the second time is 401.', async (kit) => {
    const timestamp = kit.wire.timestamp();
    const body = JSON.stringify({ orderId: 9_007_199_254_740_991 });
    expectRefused(await kit.wire.post(`${SPOT}/order/cancel`, body, { timestamp }), 400, 100203);
    expectRefused(await kit.wire.post(`${SPOT}/order/cancel`, body, { timestamp }), 401, USED);
  }),
  once('AUTH-14', 'Reads and test orders may be repeated with one signature.', async (kit) => {
    const timestamp = kit.wire.timestamp();
    const body = JSON.stringify(kit.bid(await kit.pair()));
    for (let i = 0; i < 2; i++) {
      expectOk(await kit.wire.get(BALANCES, {}, { timestamp }));
      expectOk(await kit.wire.post(TEST_ORDER, body, { timestamp }));
    }
  }),
];

// Checks of signatures: the signed text, the rejections, and that bytes cannot move between the
// parts of the signed text.
import { earnCalls } from '../contract/earn/calls.ts';
import { marketDataCalls } from '../contract/market-data/calls.ts';
import { accountCalls, orderCalls } from '../contract/trading/calls.ts';
import { type Check, section } from './check.ts';
import { expect, expectRejected, expectSame } from './expect.ts';
import type { Kit } from './kit.ts';

const signing = section('earn', 'Authentication: request headers');
const signedString = section('earn', 'Authentication: signed string');
const once = section('agio', 'A signature works once');

const { balances } = accountCalls;
const { orders, testOrder, cancelOrder } = orderCalls;
const MINUTE = 60_000;
const NO_KEY = { 'EXCHANGE-API-KEY': 'f'.repeat(40) };
const NO_SIGNATURE = { 'EXCHANGE-API-SIGN': '0'.repeat(64) };

const minutesFromNow = ({ wire }: Kit, minutes: number): string =>
  String(Date.now() + wire.skew + minutes * MINUTE);

export const signingChecks: readonly Check[] = [
  signing('AUTH-01', 'A signed request with the three headers is answered.', async (kit) => {
    await kit.call(orders, { type: 'OPEN', size: 1 });
  }),
  signing('AUTH-02', 'Without any one of the three headers the answer is 401.', async (kit) => {
    for (const name of ['EXCHANGE-API-KEY', 'EXCHANGE-API-TIMESTAMP', 'EXCHANGE-API-SIGN']) {
      const headers = { [name]: null };
      expectRejected(await kit.wire.send(balances, {}, { headers }), 'unauthorized', name);
    }
  }),
  signing('AUTH-03', 'A wrong signature is rejected with 401.', async (kit) => {
    const headers = NO_SIGNATURE;
    expectRejected(await kit.wire.send(balances, {}, { headers }), 'unauthorized');
  }),
  signing(
    'AUTH-04',
    'An unknown key is rejected with the same 401 as a wrong signature.',
    async ({ wire }) => {
      const first = await wire.send(balances, {}, { headers: NO_KEY });
      expectRejected(first, 'unauthorized');
      const second = await wire.send(balances, {}, { headers: NO_SIGNATURE });
      expectSame('both rejections', first.text, second.text);
    },
  ),
  signing('AUTH-05', 'The signature is lowercase hexadecimal.', async (kit) => {
    const timestamp = kit.wire.timestamp();
    const sign = kit.wire.sign(`${timestamp}GET${balances.path}`).toUpperCase();
    const sending = { timestamp, headers: { 'EXCHANGE-API-SIGN': sign } };
    expectRejected(await kit.wire.send(balances, {}, sending), 'unauthorized');
  }),
  signedString(
    'AUTH-06',
    'The timestamp is within 10 minutes of the server’s time, before or after; else 401.',
    async (kit) => {
      for (const minutes of [-9, 9]) {
        await kit.call(balances, {}, { timestamp: minutesFromNow(kit, minutes) });
      }
      for (const minutes of [-11, 11]) {
        const timestamp = minutesFromNow(kit, minutes);
        expectRejected(await kit.wire.send(balances, {}, { timestamp }), 'timestampOutside');
      }
    },
  ),
  signedString('AUTH-07', 'A timestamp that is no epoch milliseconds is 401.', async (kit) => {
    for (const timestamp of ['now', '1700000000']) {
      expectRejected(await kit.wire.send(balances, {}, { timestamp }), 'timestampOutside');
    }
  }),
  signedString('AUTH-08', 'The signature covers method, path and timestamp.', async (kit) => {
    for (const signed of [
      { method: 'POST' },
      { path: orders.path },
      { timestamp: String(Number(kit.wire.timestamp()) - 1) },
    ]) {
      expectRejected(await kit.wire.send(balances, {}, { signed }), 'unauthorized');
    }
  }),
  signedString(
    'AUTH-09',
    'The signature covers the query as sent, behind the path without a question mark.',
    async (kit) => {
      await kit.call(orders, { type: 'OPEN', size: 1 });
      for (const query of ['?type=OPEN', 'type=COMPLETED', '']) {
        const sending = { signed: { query } };
        expectRejected(await kit.wire.send(orders, { type: 'OPEN' }, sending), 'unauthorized');
      }
    },
  ),
  signedString('AUTH-10', 'The signature covers the exact text of the body.', async (kit) => {
    const body = JSON.stringify(await kit.bid());
    await kit.call(testOrder, ` ${body.replaceAll(',', ' ,\n')} `);
    const sending = { signed: { body: `${body} ` } };
    expectRejected(await kit.wire.send(testOrder, body, sending), 'unauthorized');
  }),
  signedString(
    'AUTH-11',
    'Bytes cannot move between path, query and body under the same signature.',
    async (kit) => {
      const { wire } = kit;
      const { path } = orders;
      const text = JSON.stringify(await kit.bid());
      const signed = { path, query: 'type=OPEN' };
      const moved = [
        await wire.send({ ...orders, path: `${path}t` }, 'ype=OPEN', { signed }),
        await wire.send({ ...orders, path: `${path}type=OPEN` }, '', { signed }),
        await wire.send({ ...orders, path: path.slice(0, -1) }, 'stype=OPEN', { signed }),
        await wire.send(testOrder, text.slice(1), {
          query: text.slice(0, 1),
          signed: { query: '', body: text },
        }),
      ];
      for (const { status, text: got } of moved) {
        expect(status >= 400 && status < 500, 'moved bytes to be rejected', `${status} ${got}`);
      }
    },
  ),
  signing('AUTH-12', 'Public calls need no signature, private ones do.', async (kit) => {
    await kit.call(marketDataCalls.instruments);
    await kit.call(marketDataCalls.tickers);
    await kit.call(earnCalls.plans);
    for (const call of [balances, earnCalls.subscriptions]) {
      await kit.expectRejected({ ...call, access: 'public' }, {}, 'unauthorized');
    }
  }),
  once('AUTH-13', 'The signature of a write works once; the second time is 409.', async (kit) => {
    const sending = { timestamp: kit.wire.timestamp() };
    const order = { orderId: 9_007_199_254_740_991 };
    expectRejected(await kit.wire.send(cancelOrder, order, sending), 'orderUnknown');
    expectRejected(await kit.wire.send(cancelOrder, order, sending), 'signatureUsed');
  }),
  once('AUTH-14', 'Reads and test orders may repeat one signature.', async (kit) => {
    const timestamp = kit.wire.timestamp();
    const bid = await kit.bid();
    for (let i = 0; i < 2; i++) {
      await kit.call(balances, {}, { timestamp });
      await kit.call(testOrder, bid, { timestamp });
    }
  }),
];

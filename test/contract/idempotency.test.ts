// The Idempotency-Key of a write: one effect, a repeated answer, and rejections that leave it free.
import { beforeEach, describe, expect, test } from 'bun:test';
import {
  BALANCES,
  type Client,
  MASS_CANCEL,
  ORDER,
  TEST_ORDER,
  TestNode,
} from '../support/node.ts';
import { expectError, expectOk } from '../support/shape.ts';

const LIMIT = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 };

const node = TestNode.forFile();
let client: Client;
beforeEach(async () => {
  client = await node.client();
});

describe('Idempotency-Key', () => {
  const key = (name: string) => ({ headers: { 'Idempotency-Key': name } });

  test('a rejection leaves the key free, for the same request and for another one', async () => {
    const poor = { ...LIMIT, orderQty: 1e6 };
    expectError(await client.post(ORDER, poor, key('poor')), 400, 100206);
    expectError(await client.post(ORDER, poor, key('other')), 400, 100206);
    const { count } = node.state.outcomes;
    await node.credit(client.uid, 'USDT', '1000000000');
    const again = await client.post(ORDER, poor, key('poor'));
    expectOk(again);
    expect(again.headers.has('idempotency-replayed')).toBe(false);
    expectOk(await client.post(ORDER, LIMIT, key('other')));
    expect(node.state.outcomes.count).toBe(count + 2);
    await client.post(MASS_CANCEL, {});
  });

  test('the very same bytes again: the first answer, without another command', async () => {
    const same = { timestamp: client.timestamp(), ...key('bytes') };
    const first = await client.post(ORDER, LIMIT, same);
    expectOk(first);
    const { seq } = node;
    for (let i = 0; i < 3; i++) {
      const again = await client.post(ORDER, LIMIT, same);
      expectOk(again);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.text).toBe(first.text);
    }
    expect(node.seq).toBe(seq);
    const { timestamp } = same;
    expectError(await client.post(ORDER, LIMIT, { timestamp }), 409, 100405);
    expectError(await client.post(ORDER, LIMIT, { timestamp, ...key('else') }), 409, 100405);
    await client.post(MASS_CANCEL, {});
  });

  test('the same bytes, many simultaneous times: one order, one answer', async () => {
    const same = { timestamp: client.timestamp(), ...key('bytes-at-once') };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.post(ORDER, LIMIT, same)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(node.state.orders.countOf(client.uid)).toBe(1);
    await client.post(MASS_CANCEL, {});
  });

  test('another body or another call under the same key: 409', async () => {
    expectOk(await client.post(ORDER, LIMIT, key('two')));
    expectError(await client.post(ORDER, { ...LIMIT, price: 99 }, key('two')), 409, 100409);
    expectError(await client.post(MASS_CANCEL, LIMIT, key('two')), 400, 100200);
    expectError(await client.post(MASS_CANCEL, {}, key('two')), 409, 100409);
    expect(node.state.orders.countOf(client.uid)).toBe(1);
    await client.post(MASS_CANCEL, {});
  });

  test('of reads and test orders is ignored', async () => {
    for (const name of ['read', 'read', 'a b']) {
      const read = await client.get(BALANCES, '', key(name));
      expectOk(read);
      const tried = await client.post(TEST_ORDER, LIMIT, key(name));
      expectOk(tried);
      for (const { headers } of [read, tried]) {
        expect(headers.has('idempotency-replayed')).toBe(false);
      }
    }
  });
});

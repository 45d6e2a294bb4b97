// Requests of the Binance dialect: signatures, their windows and their reuse, parameters in query
// and body, keys and their rights, headers, and paths that do not exist.
import { beforeEach, describe, expect, test } from 'bun:test';
import { createHmac, createPrivateKey, sign } from 'node:crypto';
import { TestNode, TRADING } from '../support/node.ts';
import { BinanceClient, formOf, type Parameters } from './client.ts';

const node = TestNode.forFile();
let client: BinanceClient;

beforeEach(async () => {
  client = await BinanceClient.of(node);
});

const LIMIT = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '10',
  quantity: '1',
};

const codeOf = async (sent: ReturnType<BinanceClient['send']>): Promise<[number, unknown]> => {
  const { status, body } = await sent;
  return [status, body.code];
};

describe('signatures', () => {
  test('over the query, over the body, and over both without a border', async () => {
    const form = formOf({ ...LIMIT, timestamp: client.timestamp() });
    const inQuery = `${form}&signature=${client.sign(form)}`;
    expect((await client.send('POST', 'order', inQuery)).status).toBe(200);

    const other = formOf({ ...LIMIT, timestamp: client.timestamp() });
    const inBody = `${other}&signature=${client.sign(other)}`;
    expect((await client.send('POST', 'order', '', inBody)).status).toBe(200);

    const [query, body] = [formOf(LIMIT), formOf({ timestamp: client.timestamp() })];
    const both = `${body}&signature=${client.sign(query + body)}`;
    expect((await client.send('POST', 'order', query, both)).status).toBe(200);

    const first = formOf({ timestamp: client.timestamp() });
    const middle = `signature=${client.sign(`${first}&${formOf(LIMIT)}`)}`;
    const mixed = `${first}&${middle}&${formOf(LIMIT)}`;
    expect((await client.send('POST', 'order', mixed)).status).toBe(200);
  });

  test('in capitals', async () => {
    const form = formOf({ timestamp: client.timestamp() });
    const signature = client.sign(form).toUpperCase();
    expect((await client.send('GET', 'account', `${form}&signature=${signature}`)).status).toBe(
      200,
    );
  });

  test('by Ed25519, with the key that follows from the secret', async () => {
    const seed = createHmac('sha256', client.credentials.secretKey).update('agio ed25519').digest();
    const head = Buffer.from('302e020100300506032b657004220420', 'hex');
    const der = Buffer.concat([head, seed]);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const form = formOf({ ...LIMIT, timestamp: client.timestamp() });
    const signature = sign(null, Buffer.from(form), key).toString('base64');
    const signed = `${form}&signature=${encodeURIComponent(signature)}`;
    expect((await client.send('POST', 'order', signed)).status).toBe(200);
    expect(await codeOf(client.send('POST', 'order', signed))).toEqual([400, -1022]);
    const changed = signed.replace('price=10', 'price=11');
    expect(await codeOf(client.send('POST', 'order', changed))).toEqual([400, -1022]);
  });

  test('works once for a write, and any number of times for a read', async () => {
    const write = client.signed(LIMIT);
    expect((await client.send('POST', 'order', write)).status).toBe(200);
    expect(await codeOf(client.send('POST', 'order', write))).toEqual([400, -1022]);
    expect(await client.must('GET', 'openOrders')).toHaveLength(1);
    const read = client.signed();
    for (let i = 0; i < 2; i++) {
      expect((await client.send('GET', 'account', read)).status).toBe(200);
    }
  });

  test('a wrong one and an unknown key have one answer; a missing one is named', async () => {
    const wrong = client.signed().replace(/signature=./, 'signature=0');
    const forged = await client.send('GET', 'account', `${wrong.slice(0, -1)}0`);
    const nobody = { apiKey: 'f'.repeat(40), secretKey: 'x' };
    const stranger = new BinanceClient(node, nobody);
    const unknown = await stranger.call('GET', 'account');
    expect([forged.status, forged.body]).toEqual([unknown.status, unknown.body]);
    expect(forged.body.code).toBe(-1022 as never);
    const unsigned = formOf({ timestamp: client.timestamp() });
    expect(await codeOf(client.send('GET', 'account', unsigned))).toEqual([400, -1102]);
    const keyless = await node.request(`/binance/api/v3/account?${client.signed()}`);
    expect([keyless.status, keyless.body.code]).toEqual([401, -2014] as never);
  });
});

describe('the window', () => {
  const at = (timestamp: number | string, recvWindow?: number | string) => {
    const sent = recvWindow === undefined ? { timestamp } : { timestamp, recvWindow };
    return codeOf(client.call('GET', 'account', sent as Parameters));
  };

  test('of five seconds, or what the caller sets up to a minute', async () => {
    const now = Date.now();
    expect(await at(now - 4000)).toEqual([200, undefined]);
    expect(await at(now - 6000)).toEqual([400, -1021]);
    expect(await at(now - 20_000, 60_000)).toEqual([200, undefined]);
    expect(await at(now - 61_000, 60_000)).toEqual([400, -1021]);
    expect(await at(now - 4000, 1000)).toEqual([400, -1021]);
    expect(await at(now, 60_001)).toEqual([400, -1131]);
    expect(await at(now, '5000.5')).toEqual([200, undefined]);
    expect(await at(now, 'long')).toEqual([400, -1100]);
  });

  test('less than a second ahead, and microseconds', async () => {
    expect(await at(Date.now() + 5000)).toEqual([400, -1021]);
    expect(await at(`${Date.now()}123`)).toEqual([200, undefined]);
    expect(await at('soon')).toEqual([400, -1100]);
  });
});

describe('parameters', () => {
  test('the query has precedence over the body', async () => {
    const query = formOf({ ...LIMIT, price: '12', timestamp: client.timestamp() });
    const body = formOf({ price: '11' });
    const signed = `${body}&signature=${client.sign(query + body)}`;
    const { body: placed } = await client.send('POST', 'order', query, signed);
    expect(placed.price).toBe('12' as never);
  });

  test('twice is an error', async () => {
    const form = `${formOf({ ...LIMIT, timestamp: client.timestamp() })}&price=11`;
    const signed = `${form}&signature=${client.sign(form)}`;
    expect(await codeOf(client.send('POST', 'order', signed))).toEqual([400, -1101]);
  });

  test('a plus is a space, and what is no UTF-8 is an error', async () => {
    expect(await codeOf(client.send('GET', 'depth', 'symbol=BTC+USDT'))).toEqual([400, -1121]);
    expect(await codeOf(client.send('GET', 'depth', 'symbol=%ff'))).toEqual([400, -1100]);
  });

  test('a body that is too large', async () => {
    const sent = client.send('POST', 'order', '', `a=${'x'.repeat(20_000)}`);
    expect(await codeOf(sent)).toEqual([413, -1101]);
  });
});

describe('keys', () => {
  const clientWith = async (moduleIds: readonly number[], more = {}) => {
    const { credentials } = await node.client(undefined, { moduleIds, ...more });
    return new BinanceClient(node, credentials);
  };

  test('need the privileges of agio', async () => {
    const reader = await clientWith([5]);
    expect((await reader.call('GET', 'account')).status).toBe(200);
    expect(await codeOf(reader.call('POST', 'order', LIMIT))).toEqual([401, -2015]);
    const writer = await clientWith([6]);
    expect((await writer.call('POST', 'order', LIMIT)).status).toBe(200);
    expect(await codeOf(writer.call('GET', 'account'))).toEqual([401, -2015]);
    expect(await codeOf(writer.send('POST', 'userDataStream'))).toEqual([401, -2015]);
  });

  test('need an address of their list', async () => {
    const elsewhere = await clientWith(TRADING, { ipAllowList: ['203.0.113.7'] });
    expect(await codeOf(elsewhere.call('GET', 'account'))).toEqual([401, -2015]);
    expect(await codeOf(elsewhere.send('POST', 'userDataStream'))).toEqual([401, -2015]);
  });

  test('end with their revocation', async () => {
    expect((await client.call('GET', 'account')).status).toBe(200);
    node.services.identity.apiKeys.revoke(client.credentials.apiKey);
    expect(await codeOf(client.call('GET', 'account'))).toEqual([400, -1022]);
  });
});

describe('answers', () => {
  test('name what does not exist', async () => {
    expect(await codeOf(client.send('GET', 'margin/everything'))).toEqual([404, -1020]);
    expect(await codeOf(client.send('PATCH', 'order'))).toEqual([405, -1020]);
    expect(await codeOf(client.call('GET', 'order/amendments', LIMIT))).toEqual([404, -1020]);
  });

  test('of a read show the writes before it', async () => {
    for (let i = 0; i < 20; i++) {
      const { orderId } = await client.limit('BUY', '10', '1');
      const read = { symbol: 'BTCUSDT', orderId: Number(orderId) };
      expect(await client.must('GET', 'order', read)).toMatchObject({ orderId: Number(orderId) });
    }
  });
});

test('limits are those of the key, with Retry-After', async () => {
  const strict = await TestNode.start({ flags: ['--rate-limits', 'order=2/60/2,private=9/60/9'] });
  try {
    const one = await BinanceClient.of(strict);
    await one.limit('BUY', '10', '1');
    const placed = await one.call('POST', 'order', LIMIT);
    expect(placed.headers.get('x-mbx-order-count-1m')).toBe('2');
    expect(placed.headers.get('x-agio-seq')).not.toBeNull();
    const read = await one.call('GET', 'rateLimit/order');
    expect(read.headers.get('x-mbx-used-weight-1m')).toBe('1');
    expect(read.body).toMatchObject([{ rateLimitType: 'ORDERS', limit: 2, count: 2 }]);
    const { status, body, headers } = await one.call('POST', 'order', LIMIT);
    expect([status, body.code]).toEqual([429, -1003] as never);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    const { body: info } = await one.public('exchangeInfo');
    const orders = { rateLimitType: 'ORDERS', interval: 'MINUTE', intervalNum: 1, limit: 2 };
    expect(info.rateLimits).toContainEqual(orders as never);
  } finally {
    await strict.stop();
  }
});

// Limits that cannot be multiplied: not by keys, not by made-up keys, not by paths that do not
// exist, and not by the addresses of one network.
import { describe, expect, test } from 'bun:test';
import { type Answer, BALANCES, type Client, ORDER, TestNode, TIME } from '../support/node.ts';
import { Person } from '../support/person.ts';
import { expectError, expectOk } from '../support/shape.ts';

const LIMIT = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 };
const PROXY = ['--trusted-proxies', '127.0.0.1'];

const statusesOf = async (count: number, ask: (n: number) => Promise<Answer>) => {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await ask(n)).status);
  return statuses;
};

/** A request with a well-formed signature by a key that nobody has. */
const madeUp = (node: TestNode, n: number, from?: string): Promise<Answer> =>
  node.request(BALANCES, {
    headers: {
      'EXCHANGE-API-KEY': `made-up-${n}`,
      'EXCHANGE-API-TIMESTAMP': String(Date.now()),
      'EXCHANGE-API-SIGN': '0'.repeat(64),
      ...(from === undefined ? {} : { 'X-Forwarded-For': from }),
    },
  });

const count = (statuses: readonly number[], status: number): number =>
  statuses.filter((one) => one === status).length;

describe('one user', () => {
  const keysOf = async (node: TestNode, keys: number): Promise<Client[]> => {
    const uid = await node.user();
    return Array.from({ length: keys }, () => node.key(uid));
  };

  test('has one limit of writes for all keys, and another user has their own', async () => {
    const flags = ['--rate-limits', 'order=5/60/5,userOrder=8/60/8'];
    await using node = await TestNode.start({ flags });
    const keys = await keysOf(node, 7);
    const other = await node.client();
    const statuses = await statusesOf(21, (n) => keys[n % 7]!.post(ORDER, LIMIT));
    expect(count(statuses, 200)).toBe(8);
    expect(count(statuses, 429)).toBe(13);
    expectOk(await other.post(ORDER, LIMIT));
  });

  test('has one limit of reads for keys and sessions', async () => {
    await using node = await TestNode.start({ flags: ['--rate-limits', 'user=6/60/6'] });
    const person = await Person.join(node);
    const keys = [node.key(person.uid), node.key(person.uid)];
    for (const key of keys) for (let n = 0; n < 2; n++) expectOk(await key.get(BALANCES));
    const bySession = () => node.request(BALANCES, { headers: person.headers });
    const statuses = await statusesOf(4, bySession);
    expect(count(statuses, 429)).toBeGreaterThanOrEqual(2);
    expectError(await keys[0]!.get(BALANCES), 429, 100429);
  });

  test('reads the remainder of the tighter limit in the headers', async () => {
    const flags = ['--rate-limits', 'order=5/60/5,userOrder=6/60/6'];
    await using node = await TestNode.start({ flags });
    const [one, two] = (await keysOf(node, 2)) as [Client, Client];
    const left = async (key: Client) => (await key.post(ORDER, LIMIT)).headers.get('ratelimit');
    expect(await left(one)).toStartWith('"order";r=4;');
    expect(await left(one)).toStartWith('"order";r=3;');
    expect(await left(two)).toStartWith('"user-order";r=3;');
    const answer = await two.post(ORDER, LIMIT);
    expect(answer.headers.get('ratelimit-policy')).toBe('"user-order";q=6;w=60');
    for (let n = 0; n < 2; n++) await one.post(ORDER, LIMIT);
    const rejected = await two.post(ORDER, LIMIT);
    expectError(rejected, 429, 100429);
    expect(rejected.headers.get('ratelimit')).toStartWith('"user-order";r=0;');
  });
});

describe('one address', () => {
  test('that fails with ever new keys is rejected before its signatures are checked', async () => {
    const flags = ['--rate-limits', 'failedAuth=2/60/2,failedAddress=4/60/4'];
    await using node = await TestNode.start({ flags });
    const statuses = await statusesOf(9, (n) => madeUp(node, n));
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429, 429, 429, 429]);
    const rejected = await madeUp(node, 10);
    expectError(rejected, 429, 100429);
    expect(rejected.headers.get('ratelimit')).toStartWith('"failed-address";r=0;');
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  test('does not stop other keys of the address, and does not show which keys exist', async () => {
    const flags = ['--rate-limits', 'failedAuth=9/60/9,failedAddress=4/60/4'];
    await using node = await TestNode.start({ flags });
    const client = await node.client();
    await statusesOf(5, (n) => madeUp(node, n));
    expectOk(await client.get(BALANCES));
    const bad = { headers: { 'EXCHANGE-API-SIGN': '0'.repeat(64) } };
    const known = await client.get(BALANCES, '', bad);
    const unknown = await madeUp(node, 6);
    expectError(known, 429, 100429);
    expect(known.text).toBe(unknown.text);
    expectOk(await client.get(BALANCES));
  });

  test('is a /56 of IPv6, for failures and for public calls', async () => {
    const limits = 'public=3/60/3,failedAddress=2/60/2';
    await using node = await TestNode.start({ flags: [...PROXY, '--rate-limits', limits] });
    const from = (n: number) => `2001:db8:0:${(0x100 + n).toString(16)}::${n}`;
    const failed = await statusesOf(5, (n) => madeUp(node, n, from(n * 40)));
    expect(failed).toEqual([401, 401, 429, 429, 429]);
    const read = (ip: string) => node.request(TIME, { headers: { 'X-Forwarded-For': ip } });
    expect(await statusesOf(4, (n) => read(from(n * 60)))).toEqual([200, 200, 200, 429]);
    expectOk(await read('2001:db8:0:200::1'));
  });

  test('is limited on paths that do not exist, on wrong methods, and on OPTIONS', async () => {
    await using node = await TestNode.start({ flags: ['--rate-limits', 'public=3/60/3'] });
    for (const [path, method, status] of [
      ['/no-such-path', 'GET', 404],
      ['/spot-api/api/private/v1/no-such-call', 'POST', 404],
      [TIME, 'POST', 405],
    ] as const) {
      expect((await node.request(path, { method })).status).toBe(status);
    }
    expectError(await node.get('/no-such-path'), 429, 100429);
    expectError(await node.request(TIME, { method: 'DELETE' }), 429, 100429);
    expectError(await node.request(TIME, { method: 'OPTIONS' }), 429, 100429);
    expectError(await node.get(TIME), 429, 100429);
  });
});

test('a key without the privilege is limited like all others', async () => {
  const flags = ['--rate-limits', 'order=3/60/3'];
  await using node = await TestNode.start({ flags });
  const reader = await node.client(undefined, { moduleIds: [5] });
  const elsewhere = await node.client(undefined, { ipAllowList: ['203.0.113.7'] });
  for (const client of [reader, elsewhere]) {
    const statuses = await statusesOf(5, () => client.post(ORDER, LIMIT));
    expect(statuses).toEqual([403, 403, 403, 429, 429]);
  }
});

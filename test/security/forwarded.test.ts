// Where a request comes from, as proxies say it: in every spelling, by the rightmost hop that is no
// trusted proxy, and never as a way into the operator area.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestNode, TIME } from '../support/node.ts';
import { expectError, expectOk } from '../support/shape.ts';

const USERS = '/operator/v1/users';
const OUTSIDE = '203.0.113.9';

const FLAGS = [
  ...['--trusted-proxies', '127.0.0.1,10.9.0.0/16'],
  ...['--operator-networks', '127.0.0.0/8,10.0.0.0/8,fd00::/8'],
];

const node = TestNode.forFile({ flags: [...FLAGS, '--rate-limits', 'public=2/3600/2'] });

const read = async (...forwarded: readonly string[]): Promise<number> => {
  const headers = new Headers();
  for (const one of forwarded) headers.append('X-Forwarded-For', one);
  return (await node.request(TIME, { headers })).status;
};

/** Uses up the allowance of a caller, then says whether each other spelling has the same one. */
const exhaust = async (entry: string): Promise<void> => {
  expect([await read(entry), await read(entry), await read(entry)]).toEqual([200, 200, 429]);
};

describe('one address in every spelling is one caller', () => {
  test('IPv4: with a port, in quotes, mapped into IPv6', async () => {
    await exhaust('198.51.100.1:5678');
    for (const same of [
      '198.51.100.1',
      '198.51.100.1:1',
      '"198.51.100.1:443"',
      '::ffff:198.51.100.1',
      '::ffff:c633:6401',
      '[::ffff:198.51.100.1]:80',
    ]) {
      expect({ same, status: await read(same) }).toEqual({ same, status: 429 });
    }
    expect(await read('198.51.100.2:5678')).toBe(200);
    expect(await read('198.51.100.3:5678')).toBe(200);
  });

  test('IPv6: in brackets, with a port, in quotes, in capitals', async () => {
    await exhaust('[2001:db8:1::1]:443');
    for (const same of [
      '2001:db8:1::1',
      '2001:DB8:1:0::1',
      '[2001:db8:1::1]',
      '"[2001:db8:1::1]"',
      '"[2001:db8:1::1]:9"',
    ]) {
      expect({ same, status: await read(same) }).toEqual({ same, status: 429 });
    }
    expect(await read('[2001:db8:2::1]:443')).toBe(200);
  });

  test('the caller is the rightmost hop that is no trusted proxy', async () => {
    await exhaust('198.51.100.20');
    expect(await read('192.0.2.1, 198.51.100.20:80, 10.9.0.1, 10.9.0.2:80')).toBe(429);
    expect(await read('192.0.2.1', '198.51.100.20', '10.9.0.1')).toBe(429);
    expect(await read('198.51.100.20, 192.0.2.7')).toBe(200);
  });

  test('an invalid address counts for the proxy that sent it, and hides nobody', async () => {
    await exhaust('unknown');
    for (const bad of ['_hidden', '', '1.2.3', '1.2.3.4:99999999', '[1.2.3.4', 'fe80::1%eth0']) {
      expect({ bad, status: await read(bad) }).toEqual({ bad, status: 429 });
    }
    expect(await read('198.51.100.30, nonsense')).toBe(429);
    expect(await read('nonsense, 198.51.100.31')).toBe(200);
  });
});

describe('the operator area', () => {
  let unlimited: TestNode;
  beforeAll(async () => {
    unlimited = await TestNode.start({ flags: FLAGS });
  });
  afterAll(() => unlimited.stop());

  const ask = (forwarded: string | null, more: Readonly<Record<string, string>> = {}) => {
    const headers = new Headers({ Authorization: `Bearer ${unlimited.operatorToken}`, ...more });
    if (forwarded !== null) headers.set('X-Forwarded-For', forwarded);
    return unlimited.request(USERS, { headers });
  };

  test('is open where every hop is inside', async () => {
    for (const chain of [
      null,
      '10.1.2.3',
      '10.1.2.3:5678',
      '"[fd00::7]:1"',
      '10.1.2.3, 10.9.0.1',
    ]) {
      expectOk(await ask(chain));
    }
    expectOk(await ask('::ffff:10.1.2.3, 10.4.4.4'));
  });

  test('stays shut where any hop is outside, or is no address', async () => {
    for (const chain of [
      '8.8.8.8, 10.0.0.1',
      '8.8.8.8:1, 10.0.0.1:2',
      '10.0.0.1, 8.8.8.8',
      '[2001:db8::1]:443, 10.0.0.1',
      '8.8.8.8, 10.9.0.1',
      'unknown',
      'unknown, 10.0.0.1',
      '10.0.0.1, unknown',
      '10.0.0.1,,10.0.0.2',
      '',
      OUTSIDE,
    ]) {
      const { status } = await ask(chain);
      expect({ chain, status }).toEqual({ chain, status: 404 });
    }
  });

  test('stays closed to a proxy that names its client in another header', async () => {
    for (const header of ['Forwarded', 'X-Real-IP', 'Via', 'X-Forwarded-Host']) {
      expectError(await ask(null, { [header]: 'for=10.0.0.1' }), 404, 100404);
    }
    expectOk(await ask('10.1.2.3', { Via: '1.1 proxy', 'X-Real-IP': '10.1.2.3' }));
  });
});

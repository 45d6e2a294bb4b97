// Addresses of one network are one, however they are written; those of another are not.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  addressRange,
  canonicalAddress,
  forwardedAddress,
  type IpRanges,
  parseIpRanges,
  rateKeyOf,
} from './ip.ts';

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['203.0.113.250', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['::ffff:cb00:7107', '203.0.113.0/24'],
  ['203.0.114.7', '203.0.114.0/24'],
  ['2001:db8:0:1ff::1', '2001:db8:0:100::/56'],
  ['2001:0DB8:0000:01aa:1:2:3:4', '2001:db8:0:100::/56'],
  ['2001:db8:0:200::1', '2001:db8:0:200::/56'],
  ['::1', '0:0:0:0::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/56'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/56'],
  ['not an address', 'unknown'],
  ['', 'unknown'],
])('%p is of %p', (ip, range) => expect(addressRange(ip)).toBe(range));

test('no address at all is unknown', () => expect(addressRange(null)).toBe('unknown'));

describe('rate keys', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:0::/56'],
    ['2001:0DB8:0001:01ff::1', '2001:db8:1:100::/56'],
    ['2001:db8::1', '2001:db8:0:0::/56'],
    ['::1', '0:0:0:0::/56'],
    ['::', '0:0:0:0::/56'],
    ['1::', '1:0:0:0::/56'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/56'],
    ['fe80::1%eth0', 'fe80:0:0:0::/56'],
    ['1:2:3:4:5:6:7::', '1:2:3:0::/56'],
    ['unknown', 'unknown'],
  ])('%s is counted as %s', (address, key) => expect(rateKeyOf(address)).toBe(key));

  test('addresses share a key exactly when they share their first 56 bits', () => {
    const groups = fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, groups, fc.boolean(), (a, b, same) => {
        const shared = [...a.slice(0, 3), (a[3]! & 0xff00) | (b[3]! & 0xff), ...b.slice(4)];
        const other = same ? shared : b;
        const write = (list: number[]) => list.map((group) => group.toString(16)).join(':');
        const network = (list: number[]) => [...list.slice(0, 3), list[3]! >> 8].join();
        const equal = network(a) === network(other);
        expect(rateKeyOf(write(a)) === rateKeyOf(write(other))).toBe(equal);
      }),
    );
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:DB8::1', '2001:db8::1'],
  ['fe80::1%eth0', null],
  ['203.0.113', null],
  ['', null],
])('%p is the address %p', (text, address) => expect(canonicalAddress(text)).toBe(address));

test.each([
  ['1.2.3.4:5678', '1.2.3.4'],
  [' 1.2.3.4 ', '1.2.3.4'],
  ['"1.2.3.4"', '1.2.3.4'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[::1]"', '::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[::ffff:1.2.3.4]:80', '1.2.3.4'],
  ['1.2.3.4:', null],
  ['1.2.3.4:123456', null],
  ['[1.2.3.4', null],
  ['2001:db8::1]:443', null],
  ['"1.2.3.4', null],
  ['unknown', null],
  ['_hidden', null],
  ['', null],
])('the entry %p of X-Forwarded-For is %p', (entry, address) =>
  expect(forwardedAddress(entry)).toBe(address),
);

function ranges(...texts: string[]): IpRanges {
  const parsed = parseIpRanges(texts);
  if ('bad' in parsed) throw new Error(`${parsed.bad} is a range.`);
  return parsed;
}

describe('ip ranges', () => {
  test('single addresses and networks of both families', () => {
    const list = ranges('203.0.113.7', '10.0.0.0/8', '2001:db8::/32', '::1');
    for (const ip of ['203.0.113.7', '10.255.0.1', '2001:db8:5::1', '::1']) {
      expect(list.contains(ip)).toBe(true);
    }
    for (const ip of ['203.0.113.8', '11.0.0.1', '2001:db9::1', '::2', 'localhost', '']) {
      expect(list.contains(ip)).toBe(false);
    }
  });

  test('an IPv4 address mapped into IPv6 is the same address', () => {
    expect(ranges('10.0.0.0/8').contains('::ffff:10.1.2.3')).toBe(true);
    expect(ranges('10.0.0.0/8').contains('::ffff:11.1.2.3')).toBe(false);
  });

  test('nothing is in the empty set, and everything of a family in /0', () => {
    expect(ranges().contains('127.0.0.1')).toBe(false);
    expect(ranges('0.0.0.0/0').contains('198.51.100.1')).toBe(true);
    expect(ranges('0.0.0.0/0').contains('2001:db8::1')).toBe(false);
  });

  test.each([
    '',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    'fe80::1%eth0',
    'a',
  ])('%p is no range', (text) =>
    expect(parseIpRanges(['10.0.0.0/8', text])).toEqual({ bad: text }),
  );
});

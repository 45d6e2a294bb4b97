// Addresses of one network are one, however they are written; those of another are not.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { addressRange, canonicalAddress, forwardedAddress, rateKeyOf } from './address-range.ts';

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

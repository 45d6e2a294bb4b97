// Addresses of one network are one, however they are written; those of another are not.
import { expect, test } from 'bun:test';
import { addressRange } from './address-range.ts';

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

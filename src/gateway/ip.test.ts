// Rate keys of addresses, in all the spellings that an address may have.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { rateKeyOf } from './ip.ts';

describe('rate keys', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['unknown', 'unknown'],
  ])('%s is counted as %s', (address, key) => expect(rateKeyOf(address)).toBe(key));

  test('addresses share a key exactly when they share their first 64 bits', () => {
    const groups = fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, groups, fc.boolean(), (a, b, same) => {
        const other = same ? [...a.slice(0, 4), ...b.slice(4)] : b;
        const write = (list: number[]) => list.map((group) => group.toString(16)).join(':');
        const equal = a.slice(0, 4).join() === other.slice(0, 4).join();
        expect(rateKeyOf(write(a)) === rateKeyOf(write(other))).toBe(equal);
      }),
    );
  });
});

// Address ranges as allow lists use them.
import { describe, expect, test } from 'bun:test';
import { type IpRanges, parseIpRanges } from './ip-ranges.ts';

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

// Faults of a key's description, against the server's checks.
import { expect, test } from 'bun:test';
import { parseBody } from '../../src/contract/lossless-json.ts';
import { createOwnKeyBody } from '../../src/contract/user-center/user-center.ts';
import { IpRanges, parseIpRanges } from '../../src/identity/ip.ts';
import {
  addressesOf,
  EMPTY_DRAFT,
  faultsOf,
  isAddressRange,
  type KeyDraft,
  requestOf,
} from './key-draft.ts';

const NOW = 1_795_237_741_922;
const DRAFT: KeyDraft = { ...EMPTY_DRAFT, alias: 'bot' };

test.each([
  ...['203.0.113.7', '10.0.0.0/8', '0.0.0.0/0', '255.255.255.255/32', '10.0.0.0/33', '10.0.0.0/'],
  ...['256.1.1.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '10.0.0.0/08', '10.0.0.0/8/8', '1.2.3.4:80'],
  ...['2001:db8::/32', '::1', '::', '::/0', '::ffff:10.0.0.1', '2001:db8::1/128', 'fe80::1%eth0'],
  ...['::/129', '[::1]', ':::', '1::2::3', 'g::1', 'example.com', '10.0.0.0/-1', '/8', '0x7f.1'],
])('the page and the server agree about the address %p', (text) => {
  expect(isAddressRange(text)).toBe(parseIpRanges([text]) instanceof IpRanges);
});

test('lines, commas and blanks separate addresses', () => {
  expect(addressesOf(' 10.0.0.1\n\n10.0.0.2, 10.0.0.3;::1\t')).toEqual([
    ...['10.0.0.1', '10.0.0.2', '10.0.0.3', '::1'],
  ]);
});

test.each<[Partial<KeyDraft>, string[]]>([
  [{}, []],
  [{ alias: '  ' }, ['alias']],
  [{ alias: 'x'.repeat(65) }, ['alias']],
  [{ modules: [] }, ['modules']],
  [{ addresses: '10.0.0.0/8\nnonsense' }, ['addresses']],
  [{ addresses: '10.0.0.1\n'.repeat(51) }, ['addresses']],
  [{ expiry: 'date', date: '' }, ['date']],
  [{ expiry: 'date', date: '2020-01-01' }, ['date']],
  [{ expiry: 'date', date: '2099-01-01' }, []],
])('the faults of %p are %p', (more, fields) => {
  expect(Object.keys(faultsOf({ ...DRAFT, ...more }, NOW))).toEqual(fields);
});

test('the contract reads the request, which has only the chosen fields', () => {
  const draft: KeyDraft = {
    ...{ alias: ' bot ', modules: [6, 1, 2], addresses: '10.0.0.0/8\n::1' },
    ...{ expiry: 'days30', date: '', strict: true },
  };
  const request = requestOf(draft, NOW);
  expect(request).toEqual({
    alias: 'bot',
    moduleIds: [2, 6],
    ipAllowList: ['10.0.0.0/8', '::1'],
    expiresAt: NOW + 30 * 86_400_000,
    strictClOrdId: true,
  });
  const codes = { emailAuthCode: '123456', googleAuthCode: '123456' };
  const sent = parseBody(Buffer.from(JSON.stringify({ ...request, ...codes })));
  expect(createOwnKeyBody.read(sent, '')).toMatchObject({ ...request });
});

test('the request leaves out an empty allowlist and an expiry of never', () => {
  const request = requestOf({ ...DRAFT, expiry: 'never' }, NOW);
  expect(request).toEqual({ alias: 'bot', moduleIds: [5], strictClOrdId: false });
});

test('a key works until the local end of its last day', () => {
  const { expiresAt } = requestOf({ ...DRAFT, expiry: 'date', date: '2026-12-31' }, NOW);
  expect(expiresAt).toBe(new Date(2027, 0, 1).getTime());
});

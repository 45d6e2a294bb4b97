// The forms about people, as the requests that they come to.
import { describe, expect, test } from 'bun:test';
import type { User } from '../../../src/sdk/index.ts';
import {
  EMPTY_KEY,
  EMPTY_USER,
  parseNewKey,
  parseNewUser,
  parseTerms,
  termsOf,
} from './user-form.ts';

const USER: User = {
  uid: 7,
  email: 'ada@example.com',
  kyc: true,
  status: 'active',
  makerFee: null,
  takerFee: '0.001',
  maxOpenOrders: 10000,
  enterpriseId: null,
  enterpriseAdmin: false,
  createdAt: 1,
};

describe('a new user', () => {
  test('without password and enterprise', () => {
    expect(parseNewUser({ ...EMPTY_USER, email: ' ada@example.com ', kyc: true })).toEqual({
      ok: true,
      body: { email: 'ada@example.com', kyc: true },
    });
  });

  test('an admin is one of an enterprise only', () => {
    const email = 'ada@example.com';
    const admin = { ...EMPTY_USER, email, enterpriseAdmin: true };
    expect(parseNewUser(admin)).toEqual({ ok: true, body: { email, kyc: false } });
    expect(parseNewUser({ ...admin, enterpriseId: '1' })).toEqual({
      ok: true,
      body: { email, kyc: false, enterpriseId: 1, enterpriseAdmin: true },
    });
  });

  test('what cannot be an address or a password is said before sending', () => {
    const checked = parseNewUser({ ...EMPTY_USER, email: 'ada', password: 'short' });
    expect(checked).toEqual({
      ok: false,
      faults: {
        email: 'Enter an address such as name@example.com.',
        password: 'At least 8 characters: 3 more.',
      },
    });
  });

  test('a password is counted in characters, as the server does', () => {
    const values = { ...EMPTY_USER, email: 'ada@example.com' };
    expect(parseNewUser({ ...values, password: '🔑🔑🔑🔑' }).ok).toBe(false);
    expect(parseNewUser({ ...values, password: '🔑'.repeat(100) }).ok).toBe(true);
  });
});

describe('terms of a user', () => {
  test('what is not touched is not sent', () => {
    expect(parseTerms(termsOf(USER), USER)).toEqual({ ok: true, body: {} });
  });

  test('fees are typed in percent and sent as rates; an empty one is the instrument’s', () => {
    const values = { ...termsOf(USER), makerFee: '0.05', takerFee: '' };
    expect(parseTerms(values, USER)).toEqual({
      ok: true,
      body: { makerFee: '0.0005', takerFee: null },
    });
  });

  test('leaving an enterprise ends its administration', () => {
    const member = { ...USER, enterpriseId: 1, enterpriseAdmin: true };
    const values = { ...termsOf(member), enterpriseId: '' };
    expect(parseTerms(values, member)).toEqual({
      ok: true,
      body: { enterpriseId: null, enterpriseAdmin: false },
    });
  });

  test('limits and fees keep to their ranges', () => {
    const values = { ...termsOf(USER), makerFee: '100', maxOpenOrders: '1000001' };
    expect(parseTerms(values, USER)).toEqual({
      ok: false,
      faults: {
        makerFee: 'Enter less than 100 %.',
        maxOpenOrders: 'Enter a whole number of orders from 0 to 1,000,000.',
      },
    });
  });
});

describe('a new key', () => {
  const now = Date.UTC(2026, 10, 21, 12);

  test('privileges are numbers in order, addresses are one a line', () => {
    const values = { ...EMPTY_KEY, alias: 'bot', moduleIds: ['6', '5'] };
    expect(parseNewKey({ ...values, ipAllowList: '10.0.0.1\n10.1.0.0/16, ::1' }, now)).toEqual({
      ok: true,
      body: {
        alias: 'bot',
        moduleIds: [5, 6],
        ipAllowList: ['10.0.0.1', '10.1.0.0/16', '::1'],
        strictClOrdId: false,
        replayGuard: true,
      },
    });
  });

  test('a key works until the end of its last day', () => {
    const today = parseNewKey({ ...EMPTY_KEY, alias: 'bot', expires: '2026-11-21' }, now);
    expect(today).toMatchObject({ ok: true, body: { expiresAt: Date.UTC(2026, 10, 22) - 1 } });
    const past = parseNewKey({ ...EMPTY_KEY, alias: 'bot', expires: '2026-11-20' }, now);
    expect(past).toEqual({
      ok: false,
      faults: { expires: 'Choose today or a later day, or leave it empty.' },
    });
  });

  test('a key needs a name and a privilege', () => {
    expect(parseNewKey({ ...EMPTY_KEY, moduleIds: [] }, now)).toMatchObject({
      ok: false,
      faults: { alias: expect.any(String), moduleIds: expect.any(String) },
    });
  });
});

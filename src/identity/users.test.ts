// Users: addresses are valid, belong to one user, and a uid is never taken for nothing.
import type { Database } from 'bun:sqlite';
import { beforeEach, describe, expect, test } from 'bun:test';
import { newDatabase, storeOver } from '../../test/support/identity-store.ts';
import { EMAIL_CODE_MS } from './proofs/email-codes.ts';
import type { PasswordHash } from './proofs/passwords.ts';
import type { IdentityStore } from './storage/identity-store.ts';
import {
  EMAIL_FORM,
  type EmailReservation,
  isEmail,
  PendingRegistrations,
  Users,
} from './users.ts';

const T0 = Date.UTC(2030, 0, 1);
const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA' as PasswordHash;

let database: Database;
let store: IdentityStore;
let users: Users;
beforeEach(() => {
  database = newDatabase();
  store = storeOver(database);
  users = new Users(store, () => T0);
});

function reserve(email: string): EmailReservation {
  const reservation = users.reserveEmail(email);
  if (!reservation.ok) throw new Error(reservation.text);
  return reservation.value;
}

const nameOf = (email: string) => {
  const answer = users.reserveEmail(email);
  return answer.ok ? 'ok' : answer.name;
};

describe('creating a user', () => {
  test('reserve, then complete with the uid of the core', () => {
    const user = users.completeUser(reserve('Ann@Example.com'), 1001, HASH);
    expect(user).toEqual({
      uid: 1001,
      email: 'Ann@Example.com',
      passwordHash: HASH,
      createdAt: T0,
    });
    expect(users.find(1001)).toEqual(user);
    expect(users.findByEmail('ann@EXAMPLE.com')).toEqual(user);
    expect(users.find(1002)).toBeUndefined();
    expect(users.highestUid()).toBe(1001);
  });

  test('an address that is taken or being taken is rejected before a uid exists', () => {
    const reservation = reserve('ann@example.com');
    expect(nameOf('ANN@example.com')).toBe('emailTaken');
    users.completeUser(reservation, 1);
    expect(nameOf('ann@EXAMPLE.com')).toBe('emailTaken');
    expect(nameOf('bob@example.com')).toBe('ok');
  });

  test('a released address is free again', () => {
    users.release(reserve('ann@example.com'));
    expect(nameOf('ann@example.com')).toBe('ok');
  });

  test('after a crash between the command and completeUser the address is free', () => {
    reserve('ann@example.com');
    users = new Users(store, () => T0);
    expect(users.completeUser(reserve('ann@example.com'), 2).uid).toBe(2);
    expect(users.list({ page: 1, pageSize: 10 }).total).toBe(1);
  });

  test('a uid that is known already never changes hands', () => {
    users.completeUser(reserve('ann@example.com'), 1);
    const second = reserve('bob@example.com');
    expect(() => users.completeUser(second, 1)).toThrow('Restore both from the same backup');
    expect(users.find(1)?.email).toBe('ann@example.com');
  });

  test('a reservation is used once', () => {
    const reservation = reserve('ann@example.com');
    users.completeUser(reservation, 1);
    expect(() => users.completeUser(reservation, 2)).toThrow(TypeError);
  });
});

describe('addresses', () => {
  test.each([
    'a@b.co',
    'first.last+tag@sub.example.com',
    "o'neill@example.com",
    `${'a'.repeat(64)}@example.com`,
  ])('%p is one', (email) => expect(isEmail(email)).toBe(true));

  test.each([
    '',
    'ann',
    'ann@',
    '@example.com',
    'ann@localhost',
    'ann@@example.com',
    'ann@example..com',
    '.ann@example.com',
    'an n@example.com',
    'ann@-example.com',
    'ann@example.com\r\nBcc: x@example.com',
    'änn@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}`,
  ])('%p is none', (email) => {
    expect(isEmail(email)).toBe(false);
    expect(nameOf(email)).toBe('invalidField');
  });
});

describe('users on record', () => {
  test('are listed newest first, found by part of the address or by uid', () => {
    for (let uid = 1; uid <= 12; uid += 1) users.completeUser(reserve(`u${uid}@a.example`), uid);
    users.completeUser(reserve('100%_x@b.example'), 13);
    const uids = (query: string, page = 1) =>
      users.list({ query, page, pageSize: 10 }).items.map((user) => user.uid);
    expect(uids('')).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4]);
    expect(uids('', 2)).toEqual([3, 2, 1]);
    expect(uids('A.EXAMPLE', 2)).toEqual([2, 1]);
    expect(uids('%_')).toEqual([13]);
    expect(uids('7')).toEqual([7]);
    expect(uids("' OR 1=1 --")).toEqual([]);
    expect(users.list({ query: 'a.example', page: 9, pageSize: 10 })).toEqual({
      items: [],
      total: 12,
    });
  });

  test('change their password, and a plain one does not fit into the column', () => {
    users.completeUser(reserve('ann@example.com'), 1);
    expect(users.setPasswordHash(1, HASH)).toBe(true);
    expect(users.find(1)?.passwordHash).toBe(HASH);
    expect(users.setPasswordHash(2, HASH)).toBe(false);
    expect(() => users.setPasswordHash(1, 'hunter22' as PasswordHash)).toThrow('CHECK');
  });
});

describe('a pending registration', () => {
  test('is found by its ticket and its address, whatever the case, and by no other', () => {
    const pending = new PendingRegistrations();
    pending.add('t', { email: 'Ann@example.com', hash: HASH, ip: '::1', since: 1 });
    expect(pending.find('t', 'ann@EXAMPLE.com')).toMatchObject({ hash: HASH });
    expect(pending.find('t', 'bob@example.com')).toBeUndefined();
    expect(pending.find('u', 'ann@example.com')).toBeUndefined();
    pending.delete('t');
    expect(pending.find('t', 'ann@example.com')).toBeUndefined();
  });

  test('is forgotten when its code is over, and the oldest when there are too many', () => {
    const pending = new PendingRegistrations();
    const email = 'ann@example.com';
    pending.add('old', { email, hash: HASH, ip: '::1', since: 0 });
    pending.add('new', { email, hash: HASH, ip: '::1', since: EMAIL_CODE_MS });
    expect(pending.find('old', email)).toBeUndefined();
    for (let n = 0; n < 9_999; n++) {
      pending.add(`${n}`, { email, hash: HASH, ip: '::1', since: EMAIL_CODE_MS });
    }
    expect(pending.find('new', email)).toMatchObject({ hash: HASH });
    pending.add('last', { email, hash: HASH, ip: '::1', since: EMAIL_CODE_MS });
    expect(pending.find('new', email)).toBeUndefined();
    expect(pending.find('0', email)).toMatchObject({ hash: HASH });
  });
});

test('the form of an address says each limit that it has', () => {
  const long = `${'a'.repeat(65)}@example.com`;
  expect(isEmail(long)).toBe(false);
  expect(EMAIL_FORM).toContain('up to 64');
  expect(EMAIL_FORM).toContain('254 characters in all');
});

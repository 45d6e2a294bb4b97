// Registrations that wait for their code: found by ticket and address, and forgotten in time.
import { expect, test } from 'bun:test';
import { EMAIL_CODE_MS } from '../proofs/email-codes.ts';
import type { PasswordHash } from '../proofs/passwords.ts';
import { PendingRegistrations } from './registration.ts';

const hash = '$argon2id$made-up' as PasswordHash;

test('is found by its ticket and its address, whatever the case, and by no other', () => {
  const pending = new PendingRegistrations();
  pending.add('t', { email: 'Ann@example.com', hash, ip: '::1', since: 1 });
  expect(pending.find('t', 'ann@EXAMPLE.com')).toMatchObject({ hash });
  expect(pending.find('t', 'bob@example.com')).toBeUndefined();
  expect(pending.find('u', 'ann@example.com')).toBeUndefined();
  pending.delete('t');
  expect(pending.find('t', 'ann@example.com')).toBeUndefined();
});

test('is forgotten when its code is over, and the oldest when there are too many', () => {
  const pending = new PendingRegistrations();
  const email = 'ann@example.com';
  pending.add('old', { email, hash, ip: '::1', since: 0 });
  pending.add('new', { email, hash, ip: '::1', since: EMAIL_CODE_MS });
  expect(pending.find('old', email)).toBeUndefined();
  for (let n = 0; n < 9_999; n++)
    pending.add(`${n}`, { email, hash, ip: '::1', since: EMAIL_CODE_MS });
  expect(pending.find('new', email)).toMatchObject({ hash });
  pending.add('last', { email, hash, ip: '::1', since: EMAIL_CODE_MS });
  expect(pending.find('new', email)).toBeUndefined();
  expect(pending.find('0', email)).toMatchObject({ hash });
});

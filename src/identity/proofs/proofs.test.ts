// An act and the codes given for it: all of it or nothing.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import { openTestIdentity } from '../../../test/support/replicated-identity.ts';
import type { NewApiKey } from '../api-keys.ts';
import type { Identity } from '../identity.ts';
import { parseMasterKeys } from '../master-key.ts';
import { deny, reject, success } from '../result.ts';
import { type CodeScope, Operation } from './email-codes.ts';
import type { CodeCheck } from './proofs.ts';

const SCOPE: CodeScope = {
  subject: 'uid:1',
  holder: 'session:1',
  operation: Operation.keyCreation,
};
const KEY: NewApiKey = { uid: 1, alias: 'bot', moduleIds: [5] };
const HOME = '203.0.113.7';

let now: number;
let dataDir: string;
let identity: Identity;
let secret: string;

beforeEach(() => {
  now = Date.UTC(2030, 0, 1);
  dataDir = mkdtempSync(join(tmpdir(), 'agio-proofs-'));
  const masterKeys = parseMasterKeys(randomBytes(32).toString('hex'))!;
  identity = openTestIdentity({
    dataDir,
    masterKeys,
    now: () => now,
    steady: () => now,
  });
  const reservation = identity.users.reserveEmail('ann@example.com');
  if (!reservation.ok) throw new Error(reservation.text);
  identity.users.completeUser(reservation.value, 1);
  const enrolment = identity.totp.enroll(1, 'ann@example.com');
  if (!enrolment.ok) throw new Error(enrolment.text);
  secret = enrolment.value.secret;
  if (!identity.totp.activate(1, totpCode()).ok) throw new Error('The code is right.');
  now += 30_000;
});
afterEach(() => {
  identity.close();
  rmSync(dataDir, { recursive: true });
});

const totpCode = () =>
  generateSync({ secret, epoch: Math.floor(now / 1000), period: 30, digits: 6 });

function emailCode(): string {
  const issued = identity.emailCodes.issue(SCOPE, HOME);
  if (!issued.ok) throw new Error(issued.text);
  return issued.value.code;
}

const given = (code: string, totp = totpCode(), ip = HOME): CodeCheck => ({
  uid: 1,
  ip,
  totp,
  email: { scope: SCOPE, code },
});

function check(codes: CodeCheck) {
  const checked = identity.proofs.check(codes);
  if (!checked.ok) throw new Error(checked.name);
  return checked.value;
}
const nameOf = (codes: CodeCheck) => {
  const checked = identity.proofs.check(codes);
  return checked.ok ? 'ok' : checked.name;
};
/** A code that is right now for nobody. */
const wrongTotp = () => (totpCode().startsWith('9') ? '000000' : '999999');

describe('a key for two codes', () => {
  test('is created, and both are used up', () => {
    const code = emailCode();
    const checked = check(given(code));
    const created = identity.proofs.createKey(checked, KEY, identity.apiKeys);
    if (!created.ok) throw new Error(created.text);
    expect(identity.apiKeys.lookup(created.value.apiKey)?.uid).toBe(1);
    expect(nameOf(given(code))).toBe('totpWrong');
    now += 30_000;
    expect(nameOf(given(code))).toBe('emailCodeWrong');
  });

  test('is rejected for its terms, and both are as good as before', () => {
    const code = emailCode();
    const rejected = identity.proofs.createKey(
      check(given(code)),
      { ...KEY, moduleIds: [9] },
      identity.apiKeys,
    );
    expect(rejected).toMatchObject({ ok: false, field: 'moduleIds' });
    expect(identity.apiKeys.list(1)).toEqual([]);
    expect(identity.proofs.createKey(check(given(code)), KEY, identity.apiKeys).ok).toBe(true);
  });

  test('is not there when a code was used in between, and then the other one is not used', () => {
    const code = emailCode();
    const [first, second] = [check(given(code)), check(given(code))];
    expect(identity.proofs.createKey(first, KEY, identity.apiKeys).ok).toBe(true);
    expect(identity.proofs.createKey(second, KEY, identity.apiKeys)).toMatchObject({
      ok: false,
      name: 'totpWrong',
    });
    now += 60_000;
    const third = check(given(emailCode()));
    if (third.email !== null) identity.emailCodes.consume(third.email);
    expect(identity.proofs.createKey(third, KEY, identity.apiKeys)).toMatchObject({
      name: 'emailCodeWrong',
    });
    expect(third.totp !== null && identity.totp.consume(third.totp)).toBe(true);
    expect(identity.apiKeys.list(1)).toHaveLength(1);
  });
});

describe('any other act', () => {
  const only = () => check({ uid: 1, ip: HOME, totp: totpCode() });

  test('is done with its codes used up', () => {
    expect(identity.proofs.spend(only(), () => 'done')).toEqual(success('done'));
    expect(nameOf({ uid: 1, ip: HOME, totp: totpCode() })).toBe('totpWrong');
  });

  test('that throws or is rejected undoes all of it', () => {
    const half = () => identity.sessions.create({ uid: 1, ip: null, userAgent: null });
    const thrown = () => {
      half();
      throw new Error('disk');
    };
    expect(() => identity.proofs.spend(only(), thrown)).toThrow('disk');
    const no = deny('userUnknown', null);
    const rejected = () => {
      half();
      return reject(no);
    };
    expect(identity.proofs.spend(only(), rejected)).toBe(no);
    expect(identity.sessions.list(1)).toEqual([]);
    expect(identity.proofs.spend(only(), () => 'done')).toEqual(success('done'));
  });

  test('takes a recovery code in place of the authenticator', () => {
    identity.totp.disable(1);
    const enrolment = identity.totp.enroll(1, 'x');
    if (!enrolment.ok) throw new Error(enrolment.text);
    secret = enrolment.value.secret;
    const activated = identity.totp.activate(1, totpCode());
    if (!activated.ok) throw new Error(activated.text);
    const totp = activated.value[0]!;
    expect(identity.proofs.spend(check({ uid: 1, ip: HOME, totp }), () => 'done')).toEqual(
      success('done'),
    );
    expect(nameOf({ uid: 1, ip: HOME, totp })).toBe('totpWrong');
  });
});

describe('guessing', () => {
  test('at the authenticator has five tries, then waits, and only in its own network', () => {
    const code = emailCode();
    for (let i = 0; i < 5; i += 1) expect(nameOf(given(code, wrongTotp()))).toBe('totpWrong');
    const waiting = identity.proofs.check(given(code));
    expect(waiting).toMatchObject({ name: 'tooManyAttempts', retryAfterMs: 30_000 });
    expect(nameOf(given(code, totpCode(), '198.51.100.9'))).toBe('ok');
  });

  test('from many networks needs the mailbox as well', () => {
    const code = emailCode();
    const totp = wrongTotp();
    for (let i = 0; i < 25; i += 1) nameOf({ uid: 1, ip: `10.0.${i}.1`, totp });
    expect(nameOf({ uid: 1, ip: HOME, totp: totpCode() })).toBe('emailCodeNeeded');
    expect(nameOf(given(code))).toBe('ok');
  });

  test('from many networks is not let off the mailbox for a made-up code', () => {
    const code = emailCode();
    const totp = wrongTotp();
    for (let i = 0; i < 25; i += 1) nameOf({ uid: 1, ip: `10.0.${i}.1`, totp });
    const madeUp = code.startsWith('9') ? '000000' : '999999';
    expect(nameOf(given(madeUp))).toBe('emailCodeWrong');
    expect(nameOf({ uid: 1, ip: HOME, totp: totpCode() })).toBe('emailCodeNeeded');
    expect(nameOf(given(code))).toBe('ok');
    // And then the network is known.
    expect(nameOf({ uid: 1, ip: HOME, totp: totpCode() })).toBe('ok');
  });

  test('at the e-mail code needs the authenticator first', () => {
    const code = emailCode();
    for (let i = 0; i < 5; i += 1) nameOf(given('000000', wrongTotp(), `10.0.${i}.1`));
    expect(nameOf(given(code))).toBe('ok');
  });
});

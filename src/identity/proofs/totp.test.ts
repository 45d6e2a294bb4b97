// The codes of an authenticator against the vectors of the RFC and another implementation; then
// enrolment, one-time use, recovery codes, and what is at rest.
import type { Database } from 'bun:sqlite';
import { beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { generateSecret, generateSync, generateURI } from 'otplib';
import {
  addUsers,
  newDatabase,
  newMasterKeys,
  storeOver,
} from '../../../test/support/identity-store.ts';
import type { MasterKey } from '../master-key.ts';
import type { IdentityStore } from '../storage/identity-store.ts';
import { Totp } from './totp.ts';
import { base32, matchingStep, otpauthUrl, STEP_MS, stepAt, totpCode } from './totp-code.ts';

const T0 = Date.UTC(2030, 0, 1);

describe('codes', () => {
  // RFC 6238, appendix B, SHA-1: a code of six digits ends one of eight.
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at second %p it is %p', (second, code) => {
    const secret = Buffer.from('12345678901234567890', 'ascii');
    expect(totpCode(secret, stepAt(second * 1000))).toBe(code.slice(2));
  });

  test('another implementation agrees, on base32 as well', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.integer({ min: 0, max: 2 ** 33 }),
        (secret, epoch) => {
          const code = generateSync({ secret: base32(secret), epoch, period: 30, digits: 6 });
          expect(totpCode(secret, stepAt(epoch * 1000))).toBe(code);
        },
      ),
    );
  });

  test('the URL is the one that applications expect', () => {
    const secret = Buffer.from('12345678901234567890', 'ascii');
    const ours = new URL(otpauthUrl('agio', 'ann+x@example.com', secret));
    const label = 'ann+x@example.com';
    const other = new URL(generateURI({ issuer: 'agio', label, secret: base32(secret) }));
    expect([ours.protocol, ours.host]).toEqual([other.protocol, other.host]);
    expect(decodeURIComponent(ours.pathname)).toBe(decodeURIComponent(other.pathname));
    for (const [name, value] of other.searchParams) expect(ours.searchParams.get(name)).toBe(value);
    expect(Object.fromEntries(ours.searchParams)).toEqual({
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      issuer: 'agio',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    expect(generateSecret()).toMatch(/^[A-Z2-7]{32}$/);
    expect(base32(randomBytes(20))).toMatch(/^[A-Z2-7]{32}$/);
  });

  test('one step before and after is accepted, two are not, and only after the last one', () => {
    const secret = randomBytes(20);
    const present = stepAt(T0);
    // Two codes of neighbouring steps may be equal by chance: the window is then the larger one.
    const found = (step: number, last = -1) =>
      matchingStep(secret, totpCode(secret, step), T0, last);
    for (const offset of [-1, 0, 1]) expect(found(present + offset)).toBe(present + offset);
    const near = [-1, 0, 1].map((offset) => totpCode(secret, present + offset));
    for (const offset of [-3, -2, 2, 3]) {
      const code = totpCode(secret, present + offset);
      if (!near.includes(code)) expect(found(present + offset)).toBeUndefined();
    }
    expect(found(present, present)).toBeUndefined();
    expect(found(present - 1, present)).toBeUndefined();
    expect(found(present + 1, present)).toBe(present + 1);
    for (const bad of ['', '12345', '1234567', 'abcdef', '１２３４５６']) {
      expect(matchingStep(secret, bad, T0, -1)).toBeUndefined();
    }
  });
});

let now: number;
let database: Database;
let store: IdentityStore;
let masterKey: MasterKey;
let totp: Totp;

beforeEach(() => {
  now = T0;
  database = newDatabase();
  masterKey = newMasterKeys()[0]!;
  store = storeOver(database, { masterKeys: [masterKey] });
  addUsers(store, 1, 2);
  totp = new Totp(store, () => now);
});

function enroll(uid = 1): string {
  const enrolment = totp.enroll(uid, 'ann@example.com');
  if (!enrolment.ok) throw new Error(enrolment.text);
  return enrolment.value.secret;
}

const codeOf = (secret: string, at = now) =>
  generateSync({ secret, epoch: Math.floor(at / 1000), period: 30, digits: 6 });

function active(uid = 1): { secret: string; recoveryCodes: readonly string[] } {
  const secret = enroll(uid);
  const activated = totp.activate(uid, codeOf(secret));
  if (!activated.ok) throw new Error(activated.text);
  now += STEP_MS;
  return { secret, recoveryCodes: activated.value };
}

function use(code: string, uid = 1): string {
  const checked = totp.check(uid, code);
  if (!checked.ok) return checked.name;
  return totp.consume(checked.value) ? 'ok' : 'spent';
}

const codeNeverRight = (secret: string) => {
  const right = [-1, 0, 1, 2].map((steps) => codeOf(secret, now + steps * STEP_MS));
  return ['000000', '000001', '000002', '000003', '000004'].find((code) => !right.includes(code))!;
};

describe('an authenticator', () => {
  test('counts from its activation by a right code on', () => {
    expect(totp.activate(1, '123456')).toMatchObject({ name: 'totpInactive' });
    const secret = enroll();
    expect(totp.isActive(1)).toBe(false);
    expect(use(codeOf(secret))).toBe('totpInactive');
    expect(totp.activate(1, codeNeverRight(secret))).toMatchObject({ name: 'totpWrong' });
    const activated = totp.activate(1, codeOf(secret));
    expect(activated).toMatchObject({ ok: true });
    expect(totp.isActive(1)).toBe(true);
    expect(totp.activate(1, codeOf(secret))).toMatchObject({ name: 'totpActive' });
    expect(totp.enroll(1, 'x')).toMatchObject({ name: 'totpActive' });
    expect(use(codeOf(secret))).toBe('totpWrong');
    now += STEP_MS;
    expect(use(codeOf(secret))).toBe('ok');
  });

  test('a code is used once, and checking it does not use it', () => {
    const { secret } = active();
    const first = totp.check(1, codeOf(secret));
    const second = totp.check(1, codeOf(secret));
    if (!first.ok || !second.ok) throw new Error('The code is right.');
    expect([totp.consume(first.value), totp.consume(second.value)]).toEqual([true, false]);
    expect(use(codeOf(secret))).toBe('totpWrong');
    expect(use(codeOf(secret, now - STEP_MS))).toBe('totpWrong');
    expect(use(codeOf(secret, now + STEP_MS))).toBe('ok');
  });

  test('no step of the clock makes a code work twice, or blocks the next one', () => {
    const hour = 3600_000;
    const steps = fc.array(
      fc.record({
        shift: fc.oneof(
          fc.integer({ min: 0, max: 3 * STEP_MS }),
          fc.integer({ min: -3 * STEP_MS, max: 0 }),
          fc.constantFrom(hour, -hour, 30 * 24 * hour, -30 * 24 * hour),
        ),
        offset: fc.constantFrom(-1, 0, 1),
      }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (clock) => {
        totp.disable(1);
        now = T0;
        const secret = enroll();
        expect(totp.activate(1, codeOf(secret))).toMatchObject({ ok: true });
        const used = new Set([stepAt(now)]);
        for (const { shift, offset } of clock) {
          now += shift;
          const step = stepAt(now) + offset;
          const near = [-1, 0, 1].filter((other) => used.has(stepAt(now) + other));
          const isNext = near.every((other) => other < offset);
          // Neighboring steps with the same code would be accepted as each other.
          const code = codeOf(secret, step * STEP_MS);
          const codes = [-1, 0, 1].map((other) => codeOf(secret, now + other * STEP_MS));
          if (new Set(codes).size < codes.length) continue;
          expect([step, use(code)]).toEqual([step, isNext ? 'ok' : 'totpWrong']);
          if (isNext) used.add(step);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('remembers the last hundred codes', () => {
    const { secret } = active();
    for (let n = 0; n < 300; n++, now += STEP_MS) expect(use(codeOf(secret))).toBe('ok');
    const { used_steps: steps } = database.query('SELECT used_steps FROM totp').get() as {
      used_steps: string;
    };
    expect(JSON.parse(steps)).toHaveLength(100);
  });

  test('a second enrolment replaces one that was never activated', () => {
    const first = enroll();
    const second = enroll();
    expect(second).not.toBe(first);
    expect(totp.activate(1, codeOf(first))).toMatchObject({ ok: false });
    expect(totp.activate(1, codeOf(second))).toMatchObject({ ok: true });
  });

  test('the code of another user is wrong', () => {
    const mine = active(1);
    active(2);
    const code = codeOf(mine.secret);
    expect(use(code, 2)).toBe('totpWrong');
    expect(use(code, 1)).toBe('ok');
  });

  test('disabled, it asks nothing and leaves nothing', () => {
    const { recoveryCodes } = active();
    expect([totp.disable(1), totp.disable(1)]).toEqual([true, false]);
    expect(totp.isActive(1)).toBe(false);
    expect(use(recoveryCodes[0]!)).toBe('totpInactive');
    for (const table of ['totp', 'recovery_codes']) {
      expect(database.query(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 });
    }
  });
});

describe('recovery codes', () => {
  test('are ten, of 80 bits, each good once, however they are typed', () => {
    const { recoveryCodes } = active();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    const [first = '', second = ''] = recoveryCodes;
    expect(use(first)).toBe('ok');
    expect(use(first)).toBe('totpWrong');
    expect(use(second.toLowerCase().replaceAll('-', ' '))).toBe('ok');
    expect(totp.recoveryCodesLeft(1)).toBe(8);
  });

  test('of another user are wrong, also when the row is copied', () => {
    const { recoveryCodes } = active(1);
    active(2);
    store.write(() => database.run('UPDATE OR REPLACE recovery_codes SET uid = 2 WHERE uid = 1'));
    expect(use(recoveryCodes[0]!, 2)).toBe('totpWrong');
  });

  test('of an earlier enrolment are void', () => {
    const { recoveryCodes } = active();
    totp.disable(1);
    active();
    expect(use(recoveryCodes[0]!)).toBe('totpWrong');
  });
});

describe('at rest', () => {
  test('no secret and no recovery code is in the file', () => {
    const { secret, recoveryCodes } = active();
    const bytes = Buffer.from(database.serialize());
    for (const text of [
      secret,
      ...recoveryCodes,
      ...recoveryCodes.map((c) => c.replaceAll('-', '')),
    ]) {
      expect(bytes.includes(text)).toBe(false);
    }
    expect(bytes.includes('u1@example.com')).toBe(true);
  });

  test('a secret that is copied to another user does not open', () => {
    active(1);
    active(2);
    store.write(() =>
      database.run(
        `UPDATE totp SET sealed_secret = (SELECT sealed_secret FROM totp WHERE uid = 1)
         WHERE uid = 2`,
      ),
    );
    expect(() => totp.check(2, '123456')).toThrow('the row was altered');
  });
});

// E-mail codes: bound, short-lived, used once, burnt by guessing, limited in number, and of no use
// to who reads the file.
import type { Database } from 'bun:sqlite';
import { beforeEach, describe, expect, test } from 'bun:test';
import {
  newDatabase,
  newMasterKeys,
  reopened,
  storeOver,
} from '../../../test/support/identity-store.ts';
import type { MasterKey } from '../master-key.ts';
import type { IdentityStore } from '../storage/identity-store.ts';
import { type CodeScope, EMAIL_CODE_MS, EmailCodes, newTicket, Operation } from './email-codes.ts';

const T0 = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const HOME = '203.0.113.7';
const KEY: CodeScope = { subject: 'uid:1', holder: 'session:1', operation: Operation.keyCreation };

let now: number;
let database: Database;
let store: IdentityStore;
let masterKeys: MasterKey[];
let codes: EmailCodes;
const codesOver = (over: IdentityStore) =>
  new EmailCodes(
    over,
    () => now,
    () => now - T0,
  );

beforeEach(() => {
  now = T0;
  database = newDatabase();
  masterKeys = newMasterKeys();
  store = storeOver(database, { masterKeys });
  codes = codesOver(store);
});

function issue(scope: CodeScope = KEY, ip = HOME): string {
  const issued = codes.issue(scope, ip);
  if (!issued.ok) throw new Error(`${issued.name} ${issued.retryAfterMs}`);
  return issued.value.code;
}
const resultOf = (code: string, scope: CodeScope = KEY) => {
  const checked = codes.check(scope, code);
  return checked.ok ? 'ok' : checked.name;
};
const waitOf = (scope: CodeScope, ip = HOME) => {
  const issued = codes.issue(scope, ip);
  return issued.ok ? 0 : issued.retryAfterMs;
};
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a code', () => {
  test('has six digits, and is used once', () => {
    const code = issue();
    expect(code).toMatch(/^\d{6}$/);
    const first = codes.check(KEY, code);
    const second = codes.check(KEY, code);
    if (!first.ok || !second.ok) throw new Error('The code is right.');
    expect([codes.consume(first.value), codes.consume(second.value)]).toEqual([true, false]);
    expect(resultOf(code)).toBe('emailCodeWrong');
  });

  test('lasts ten minutes', () => {
    const code = issue();
    now += EMAIL_CODE_MS - 1;
    const checked = codes.check(KEY, code);
    expect(checked.ok).toBe(true);
    now += 1;
    expect(resultOf(code)).toBe('emailCodeWrong');
    expect(checked.ok && codes.consume(checked.value)).toBe(false);
  });

  test.each([
    { ...KEY, subject: 'uid:2' },
    { ...KEY, holder: 'session:2' },
    { ...KEY, holder: 'ticket:1' },
    { ...KEY, operation: Operation.passwordChange },
  ] as CodeScope[])('is wrong for another user, session or operation: %p', (other) => {
    const code = issue();
    expect(resultOf(code, other)).toBe('emailCodeWrong');
    expect(resultOf(code)).toBe('ok');
  });

  test('is burnt by the fifth wrong try, of whatever form', () => {
    const code = issue();
    for (const wrong of [another(code), '', 'abcdef', `${code}0`]) {
      expect(resultOf(wrong)).toBe('emailCodeWrong');
    }
    const kept = codes.check(KEY, code);
    expect(kept.ok).toBe(true);
    resultOf(another(code));
    expect(resultOf(code)).toBe('emailCodeWrong');
    expect(kept.ok && codes.consume(kept.value)).toBe(false);
  });

  test('is replaced by the next one', () => {
    const first = issue();
    now += MINUTE;
    const second = issue();
    expect(resultOf(second)).toBe('ok');
    if (first !== second) expect(resultOf(first)).toBe('emailCodeWrong');
  });

  test('is not in the file, nor what would let it be searched for', () => {
    const code = issue();
    const bytes = Buffer.from(database.serialize());
    expect(bytes.includes(code)).toBe(false);
    // After a change of the master key every code is wrong.
    const rotated = reopened(database, [...newMasterKeys(), ...masterKeys]);
    codes = codesOver(rotated);
    expect(resultOf(code)).toBe('emailCodeWrong');
  });
});

describe('sending', () => {
  test('is once in 60 seconds and five times an hour, for all of a user’s sessions', () => {
    issue();
    expect(waitOf(KEY)).toBe(MINUTE);
    expect(waitOf({ ...KEY, holder: 'session:2' })).toBe(MINUTE);
    expect(waitOf({ ...KEY, subject: 'uid:2' })).toBe(0);
    for (let i = 0; i < 4; i += 1) {
      now += MINUTE;
      issue();
    }
    now += MINUTE;
    expect(waitOf(KEY)).toBe(60 * MINUTE - 5 * MINUTE);
    now = T0 + 60 * MINUTE;
    expect(waitOf(KEY)).toBe(0);
    expect(waitOf(KEY)).toBe(MINUTE);
  });

  test('a rejection leaves the code that was sent as it was', () => {
    const code = issue();
    expect(waitOf(KEY)).toBeGreaterThan(0);
    expect(resultOf(code)).toBe('ok');
  });

  test('forgets what is older than an hour', () => {
    issue();
    now += 61 * MINUTE;
    issue({ ...KEY, subject: 'uid:2' });
    expect(database.query('SELECT count(*) AS n FROM email_sends').get()).toEqual({ n: 1 });
    expect(database.query('SELECT count(*) AS n FROM email_codes').get()).toEqual({ n: 1 });
  });
});

describe('an unknown caller who requests codes for an owner without a session', () => {
  const reset = (ticket: string): CodeScope => ({
    subject: 'email:Ann@example.com',
    holder: `ticket:${ticket}`,
    operation: Operation.passwordReset,
  });

  test('can neither burn, replace nor delay the owner’s from another network', () => {
    const [owner, stranger] = [reset(newTicket()), reset(newTicket())];
    issue(stranger, '198.51.100.9');
    const code = issue(owner, HOME);
    for (let i = 0; i < 9; i += 1) resultOf(another(code), stranger);
    now += MINUTE;
    issue(stranger, '198.51.100.9');
    expect(resultOf(code, owner)).toBe('ok');
    expect(newTicket()).not.toBe(newTicket());
  });

  test('can cause at most twenty mails an hour, from any networks, in either case', () => {
    const ask = (i: number) =>
      waitOf(
        {
          ...reset(newTicket()),
          subject: i % 2 ? 'email:ann@example.com' : 'email:ANN@example.com',
        },
        `10.0.${i}.1`,
      );
    expect(Array.from({ length: 25 }, (_, i) => ask(i)).filter((wait) => wait === 0)).toHaveLength(
      20,
    );
  });

  test('cannot use up what an owner may ask for from where they are known', () => {
    const denials = new Set<string>();
    for (let i = 0; i < 40; i += 1) {
      const issued = codes.issue(reset(newTicket()), `10.0.${i}.1`);
      if (!issued.ok) denials.add(issued.text!);
    }
    // The owner, somewhere new, has no code: the sentence does not say that one was sent.
    expect([...denials]).toEqual([
      'Other networks requested too many codes for this address. Try again later, or from a ' +
        'network where you have logged in before.',
    ]);
    const known = (ip: string) => codes.issue(reset(newTicket()), ip, true);
    expect(known(HOME).ok).toBe(true);
    const again = known(HOME);
    expect(again).toMatchObject({ ok: false, retryAfterMs: MINUTE });
    expect(!again.ok && again.text).toStartWith('We sent you a code a short while ago');
    for (let i = 0; i < 4; i += 1) {
      now += MINUTE;
      expect(known(HOME).ok).toBe(true);
    }
    now += MINUTE;
    expect(known(HOME).ok).toBe(false);
    expect(known('192.0.2.1').ok).toBe(true);
  });

  test('can ask for thirty addresses an hour from one network', () => {
    const ask = (i: number) =>
      waitOf({ ...reset(newTicket()), subject: `email:u${i}@example.com` }, `198.51.100.${i}`);
    expect(Array.from({ length: 40 }, (_, i) => ask(i)).filter((wait) => wait === 0)).toHaveLength(
      30,
    );
  });
});

describe('a request too soon', () => {
  const sentence = (scope: CodeScope) => {
    const again = codes.issue(scope, HOME);
    return again.ok ? 'sent' : again.text;
  };
  const other: CodeScope = { ...KEY, holder: 'session:2' };

  test('says to use the code only while that works here', () => {
    const code = issue();
    expect(sentence(KEY)).toContain('Use that one');
    for (const scope of [other, { ...KEY, operation: Operation.confirmation }]) {
      expect(sentence(scope)).toContain('does not work here');
    }
    const checked = codes.check(KEY, code);
    if (checked.ok) codes.consume(checked.value);
    expect(sentence(KEY)).toContain('does not work here');
  });

  test('says the same to a caller without a session', () => {
    const reset = (): CodeScope => ({
      ...{ subject: 'email:a@example.com', holder: `ticket:${newTicket()}` },
      operation: Operation.passwordReset,
    });
    issue(reset());
    expect(sentence(reset())).toContain('Use that one');
  });
});

// Attacks on the codes that protect a sensitive act, with the creation of an API key as the act:
// guessed, expired, reused, foreign, and by brute force, with the owner unharmed.
import { describe, expect, test } from 'bun:test';
import { TestNode } from '../support/node.ts';
import { CENTER, otherThan, Person, SEND_CODE, tamper } from '../support/person.ts';
import { expectError, expectOk } from '../support/shape.ts';

const node = TestNode.forFile({ flags: ['--trusted-proxies', '127.0.0.1,::1'] });

const TERMS = { alias: 'attacked', moduleIds: [5] };
const from = (ip: string): Record<string, string> => ({ 'X-Forwarded-For': ip });
const create = (person: Person, codes: object, headers: Record<string, string> = {}) =>
  node.post(`${CENTER}/api/create`, { ...TERMS, ...codes }, { ...person.headers, ...headers });
const keysOf = (person: Person) => node.services.identity.apiKeys.list(person.uid).length;

describe('an email code', () => {
  test('no longer works after five wrong tries', async () => {
    const person = await Person.join(node, { totp: true });
    const right = await person.keyCode();
    for (let n = 0; n < 5; n++) {
      const codes = { emailAuthCode: otherThan(right), googleAuthCode: person.recoveryCodes[n]! };
      expectError(await create(person, codes), 403, 100307);
    }
    const codes = { emailAuthCode: right, googleAuthCode: person.spare() };
    expectError(await create(person, codes), 403, 100307);
    expect(keysOf(person)).toBe(0);
  });

  test('that has expired is wrong', async () => {
    const person = await Person.join(node, { totp: true });
    const emailAuthCode = await person.keyCode();
    tamper(node, `UPDATE email_codes SET expires_at = ${Date.now()}`);
    const codes = { emailAuthCode, googleAuthCode: person.spare() };
    expectError(await create(person, codes), 403, 100307);
    expect(keysOf(person)).toBe(0);
  });

  test('works once, also for two parallel calls', async () => {
    const person = await Person.join(node, { totp: true });
    const emailAuthCode = await person.keyCode();
    const answers = await Promise.all([
      create(person, { emailAuthCode, googleAuthCode: person.spare() }),
      create(person, { emailAuthCode, googleAuthCode: person.spare() }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(keysOf(person)).toBe(1);
  });

  test('of another user, session or act is wrong', async () => {
    const person = await Person.join(node, { totp: true });
    const other = await Person.join(node, { totp: true });
    const foreign = await other.keyCode();
    const own = await person.keyCode();
    const codes = { emailAuthCode: foreign, googleAuthCode: person.spare() };
    if (foreign !== own) expectError(await create(person, codes), 403, 100307);
    const login = await person.login({ googleAuthCode: person.spare() });
    const second = { 'exchange-token': String(expectOk(login).token) };
    const elsewhere = { emailAuthCode: own, googleAuthCode: person.spare() };
    expectError(await create(person, elsewhere, second), 403, 100307);
    tamper(node, 'DELETE FROM email_sends');
    expectOk(await node.post(SEND_CODE, { operationType: 6 }, other.headers));
    const confirmation = await other.code();
    const act = { emailAuthCode: confirmation, googleAuthCode: other.spare() };
    if (confirmation !== foreign) expectError(await create(other, act), 403, 100307);
    expect([keysOf(person), keysOf(other)]).toEqual([0, 0]);
  });

  test('does not work without the authenticator’s code', async () => {
    const person = await Person.join(node, { totp: true });
    const emailAuthCode = await person.keyCode();
    expectError(await create(person, { emailAuthCode, googleAuthCode: 'AAAA' }), 403, 100303);
    expectError(await create(person, { emailAuthCode }), 400, 100200, 'googleAuthCode');
    expectOk(await create(person, { emailAuthCode, googleAuthCode: person.spare() }));
  });
});

describe('a code of the authenticator', () => {
  test('allows five tries, then waits, and never creates a key', async () => {
    const person = await Person.join(node, { totp: true });
    const emailAuthCode = await person.keyCode();
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) {
      const googleAuthCode = otherThan(person.totp());
      const answer = await create(person, { emailAuthCode, googleAuthCode }, from('203.0.113.9'));
      statuses.push(answer.status);
      if (answer.status === 429) expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429, 429, 429, 429, 429, 429]);
    expect(keysOf(person)).toBe(0);
    // The owner in another network does not wait.
    const codes = { emailAuthCode, googleAuthCode: person.spare() };
    expectOk(await create(person, codes, from('198.51.100.7')));
  });

  test('works once, for the first act', async () => {
    const person = await Person.join(node, { totp: true });
    const googleAuthCode = person.totp(1);
    expectOk(await person.login({ googleAuthCode }));
    const emailAuthCode = await person.keyCode();
    expectError(await create(person, { emailAuthCode, googleAuthCode }), 403, 100303);
  });

  test('of an earlier or a later time is wrong', async () => {
    const person = await Person.join(node, { totp: true });
    for (const ahead of [-3, -2, 3, 40]) {
      const googleAuthCode = person.totp(ahead);
      expectError(await person.login({ googleAuthCode }), 403, 100303);
    }
  });
});

describe('a recovery code', () => {
  test('works once, in any act', async () => {
    const person = await Person.join(node, { totp: true });
    const googleAuthCode = person.spare();
    const emailAuthCode = await person.keyCode();
    expectOk(await create(person, { emailAuthCode, googleAuthCode }));
    expectError(await person.login({ googleAuthCode }), 403, 100303);
    expect<unknown>(expectOk(await person.get('me')).recoveryCodesLeft).toBe(9);
  });
});

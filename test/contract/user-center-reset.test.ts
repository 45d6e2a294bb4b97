// A forgotten password over HTTP: the owner of the mailbox gets in again, and nobody else learns
// anything.
import { describe, expect, test } from 'bun:test';
import { watch } from 'node:fs';
import { TestNode } from '../support/node.ts';
import { CENTER, otherThan, Person } from '../support/person.ts';
import { expectError, expectOk } from '../support/shape.ts';
import { until } from '../support/waiting.ts';

const NEW_PASSWORD = 'brisk otters paint doors';
let networks = 0;

const flags = ['--trusted-proxies', '127.0.0.1,::1'];
const node = TestNode.forFile({ flags });

/** A network that nobody has used yet. */
const network = (): Record<string, string> => ({
  'X-Forwarded-For': `10.${++networks >> 8}.${networks & 255}.1`,
});
const ask = (email: string, from = network()) =>
  node.post(`${CENTER}/password/reset`, { email }, from);
const confirm = (body: object, from = network()) =>
  node.post(`${CENTER}/password/reset/confirm`, { newPassword: NEW_PASSWORD, ...body }, from);

/**
 * Waits until this many mails have come: the one with the code is written up to 2 s after the
 * answer.
 */
const mailsOf = (person: Person, count: number): Promise<void> =>
  until(async () => (await person.mails()).length >= count);

/** Requests a reset; returns the fields that its owner confirms with. */
async function resetOf(person: Person) {
  const { email } = person;
  const before = (await person.mails()).length;
  const ticket = String(expectOk(await ask(email)).ticket);
  await mailsOf(person, before + 1);
  return { email, ticket, emailAuthCode: await person.code() };
}

describe('asking for a reset', () => {
  test('has the same answer for an unknown address, and mails only to an account', async () => {
    const person = await Person.join(node);
    const before = (await node.services.identity.outbox.list(1000)).length;
    const known = await ask(person.email);
    const unknown = await ask('nobody.at.all@example.com');
    for (const answer of [known, unknown]) {
      expectOk(answer);
      const minutes = (Number(answer.body.expiresAt) - Date.now()) / 60_000;
      expect(minutes).toBeGreaterThan(9);
      expect(minutes).toBeLessThanOrEqual(10);
    }
    await mailsOf(person, 2);
    expect(await person.code()).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
    expect((await node.services.identity.outbox.list(1000)).length).toBe(before + 1);
    expect((await person.mails())[0]!.subject).toBe('Your code to reset your password');
    expectError(await ask('not an address'), 400, 100200, 'email');
  });

  test('writes the mail after a random pause, and does the same work for no account', async () => {
    // Nobody else asks for anything here.
    await using own = await TestNode.start({ flags });
    const person = await Person.join(own);
    const before = (await person.mails()).length;
    const ask = (email: string) => own.post(`${CENTER}/password/reset`, { email }, network());
    const { directory } = own.services.identity.outbox;
    const discarded: number[] = [];
    const watcher = watch(directory, (_, file) => {
      if (file === 'discarded') discarded.push(Date.now());
    });
    const askedAt: number[] = [];
    for (let n = 0; n < 8; n++) {
      askedAt.push(Date.now());
      expectOk(await ask(person.email));
    }
    await mailsOf(person, before + 8);
    const sentAt = (await person.mails()).slice(0, 8).map(({ file }) => Number(file.slice(0, 14)));
    // At the earliest 200 ms after the first of them, and spread over two seconds.
    expect(Math.min(...sentAt) - askedAt[0]!).toBeGreaterThanOrEqual(200);
    expect(Math.max(...sentAt) - Math.min(...sentAt)).toBeGreaterThan(300);
    expect(discarded).toEqual([]);
    const asked = Date.now();
    expectOk(await ask('nobody.mailed@example.com'));
    await until(() => discarded.length > 0);
    watcher.close();
    expect(discarded[0]! - asked).toBeGreaterThanOrEqual(200);
    expect((await person.mails()).length).toBe(before + 8);
  });
});

describe('a reset', () => {
  test('sets the password, ends every session, opens none, and sends a mail', async () => {
    const person = await Person.join(node);
    const reset = await resetOf(person);
    const done = await confirm(reset);
    expect<unknown>(expectOk(done)).toEqual({});
    expect(done.headers.get('set-cookie')).toBeNull();
    expectError(await person.get('me'), 401, 100401);
    expect((await person.mails())[0]!.subject).toBe('Your password was reset');
    expectError(await person.login({}, network()), 401, 100301);
    expectOk(await person.login({ password: NEW_PASSWORD }, network()));
    expectError(await confirm(reset), 403, 100307);
  });

  test('needs the authenticator too, where one is active', async () => {
    const person = await Person.join(node, { totp: true });
    const reset = await resetOf(person);
    expectError(await confirm(reset), 403, 100302, 'googleAuthCode');
    expectError(await confirm({ ...reset, googleAuthCode: 'abc' }), 403, 100303);
    expectOk(await person.get('me'));
    const googleAuthCode = person.spare();
    expectOk(await confirm({ ...reset, googleAuthCode }));
    const login = { password: NEW_PASSWORD, googleAuthCode };
    expectError(await person.login(login, network()), 403, 100303);
  });

  test('takes no code of another address, ticket or operation', async () => {
    const person = await Person.join(node, { totp: true });
    const other = await Person.join(node);
    const mine = await resetOf(person);
    const theirs = await resetOf(other);
    const googleAuthCode = person.spare();
    const tries = [
      { ...mine, ticket: theirs.ticket },
      { ...mine, email: other.email },
      { ...theirs, email: person.email },
      { ...mine, emailAuthCode: otherThan(mine.emailAuthCode) },
      { ...mine, ticket: 'x'.repeat(22) },
    ];
    for (const body of tries) {
      expectError(await confirm({ ...body, googleAuthCode }), 403, 100307);
    }
    const keyCode = await person.keyCode();
    const wrong = { ...mine, emailAuthCode: keyCode, googleAuthCode };
    if (keyCode !== mine.emailAuthCode) expectError(await confirm(wrong), 403, 100307);
    const registered = await node.post(`${CENTER}/register/confirm`, mine, network());
    expectError(registered, 403, 100307);
    expectOk(await confirm({ ...mine, googleAuthCode }));
  });

  test('takes a code of 80 bits in any case, with or without dashes', async () => {
    const person = await Person.join(node);
    const reset = await resetOf(person);
    expect(reset.emailAuthCode).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
    const short = { ...reset, emailAuthCode: reset.emailAuthCode.slice(0, -1) };
    expectError(await confirm(short), 403, 100307);
    const typed = reset.emailAuthCode.toLowerCase().replaceAll('-', ' ');
    expectOk(await confirm({ ...reset, emailAuthCode: typed }));
  });

  test('rejects a weak password before it uses up the code', async () => {
    const person = await Person.join(node);
    const reset = await resetOf(person);
    for (const newPassword of ['short', 'password1234', person.email]) {
      expectError(await confirm({ ...reset, newPassword }), 400, 100200, 'newPassword');
    }
    expectOk(await confirm(reset));
  });

  test('rejects an unknown address like a wrong code', async () => {
    const person = await Person.join(node, { totp: true });
    const guess = {
      ticket: 'x'.repeat(22),
      emailAuthCode: 'A'.repeat(16),
      googleAuthCode: '123456',
    };
    const known = await confirm({ ...guess, email: person.email });
    const unknown = await confirm({ ...guess, email: 'nobody.here@example.com' });
    expectError(known, 403, 100307);
    expect(unknown.body).toEqual(known.body);
    expect<unknown>((await person.login()).body.code).not.toBe('100301');
  });
});

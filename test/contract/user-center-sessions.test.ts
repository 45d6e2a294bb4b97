// Sessions of the user center over HTTP: a forgotten password, what ends a session, which pages may
// use the cookies, known browsers, and how guessing locks out the guesser and not the owner.
import { describe, expect, test } from 'bun:test';
import { watch } from 'node:fs';
import { type Answer, TestNode } from '../support/node.ts';
import { CENTER, otherThan, PASSWORD, Person, SEND_CODE } from '../support/person.ts';
import { expectError, expectOk, expectRows, rowsOf } from '../support/shape.ts';
import { until } from '../support/waiting.ts';

const flags = ['--trusted-proxies', '127.0.0.1,::1'];
const node = TestNode.forFile({ flags });
let networks = 0;

const from = (ip: string): Record<string, string> => ({ 'X-Forwarded-For': ip });
/** An address of a network that nobody has used yet. */
const network = (host = 1) => from(`10.209.${++networks & 255}.${host}`);

const NEW_PASSWORD = 'brisk otters paint doors';
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

describe('a session', () => {
  test('ends when its token comes with a login, which opens a new one', async () => {
    const person = await Person.join(node);
    const { token } = expectOk(await person.login({}, person.headers));
    expect(String(token)).not.toBe(person.token);
    expectError(await person.get('me'), 401, 100401);
  });

  test('is listed and ended only by its owner', async () => {
    const person = await Person.join(node);
    const stranger = await Person.join(node);
    const second = String(expectOk(await person.login()).token);
    const rows = expectRows((await person.get('sessions')).body);
    expect(rows).toHaveLength(2);
    const { sessionId } = rows.find(({ current }) => !current)!;
    const revoke = 'sessions/revoke';
    expectError(await stranger.post(revoke, { sessionId }), 400, 100200, 'sessionId');
    expectError(await person.post(revoke, {}), 400, 100200, 'sessionId');
    expectError(await person.post(revoke, { sessionId, all: true }), 400, 100200, 'sessionId');
    expect<unknown>(expectOk(await person.post(revoke, { sessionId }))).toEqual({ revoked: 1 });
    const old = await node.request(`${CENTER}/me`, { headers: { 'exchange-token': second } });
    expectError(old, 401, 100401);
    expect(old.body).toMatchObject({
      userMsg: 'You ended this session on another device. Log in again.',
      details: { field: 'exchange-token', rule: 'session', reason: 'revoked' },
    });
    expectOk(await person.login());
    expect<unknown>(expectOk(await person.post(revoke, { all: true }))).toEqual({ revoked: 1 });
    expect(rowsOf((await person.get('sessions')).body)).toHaveLength(1);
  });

  test('needs the code of an active authenticator', async () => {
    const person = await Person.join(node, { totp: true });
    expectError(await person.login(), 403, 100302, 'googleAuthCode');
    expectError(await person.login({ googleAuthCode: 'abcdef' }), 403, 100303);
    const googleAuthCode = person.spare();
    expectOk(await person.login({ googleAuthCode }));
    expectError(await person.login({ googleAuthCode }), 403, 100303);
  });

  test('a new password ends the other sessions and the old password', async () => {
    const person = await Person.join(node, { totp: true });
    const second = String(expectOk(await person.login({ googleAuthCode: person.spare() })).token);
    const newPassword = NEW_PASSWORD;
    const change = (body: object) => person.post('password/change', { newPassword, ...body });
    const googleAuthCode = person.spare();
    expectError(await change({ password: 'wrong wrong wrong', googleAuthCode }), 401, 100301);
    expectError(await change({ password: PASSWORD }), 403, 100302);
    expectOk(await change({ password: PASSWORD, googleAuthCode }));
    expectOk(await person.get('me'));
    const other = await node.request(`${CENTER}/me`, { headers: { 'exchange-token': second } });
    expectError(other, 401, 100401);
    expect((await person.mails())[0]!.subject).toBe('Your password was changed');
    expectError(await person.login({ googleAuthCode: person.spare() }), 401, 100301);
    expectOk(await person.login({ password: newPassword, googleAuthCode: person.spare() }));
  });
});

describe('the cookie', () => {
  const cookieOf = (headers: Headers): string => headers.getSetCookie()[0] ?? '';

  test('is set for a page of the service, which may change, and ends with the logout', async () => {
    const person = await Person.join(node);
    const own = { Origin: node.url, 'Sec-Fetch-Site': 'same-origin' };
    const login = await person.login({}, own);
    const set = cookieOf(login.headers);
    expect(set).toMatch(/^agio=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    const Cookie = set.split(';')[0]!;
    expectOk(await node.request(`${CENTER}/me`, { headers: { Cookie } }));
    expectOk(await node.post(`${CENTER}/totp/enroll`, {}, { Cookie, Origin: node.url }));
    const logout = await node.post(`${CENTER}/logout`, {}, { Cookie, ...own });
    expectOk(logout);
    expect(cookieOf(logout.headers)).toMatch(/^agio=; .*Max-Age=0$/);
    expectError(await node.request(`${CENTER}/me`, { headers: { Cookie } }), 401, 100401);
  });

  test('is bound to the host over TLS, where the plain name does not work', async () => {
    const person = await Person.join(node);
    const tls = { Host: 'x.example.com', Origin: 'https://x.example.com' };
    const set = cookieOf((await person.login({}, tls)).headers);
    expect(set).toMatch(/^__Host-agio=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; /);
    const me = (headers: Record<string, string>) => node.request(`${CENTER}/me`, { headers });
    const Host = 'x.example.com';
    expectOk(await me({ Host, Cookie: set.split(';')[0]! }));
    expectError(await me({ Host, Cookie: `agio=${person.token}` }), 401, 100401);
    const plain = { Host, Origin: `http://${Host}` };
    expect(cookieOf((await person.login({}, plain)).headers)).toBe('');
    expect(cookieOf((await person.login()).headers)).toBe('');
  });
});

describe('guessing', () => {
  test('an unknown address and a wrong password are answered alike', async () => {
    const person = await Person.join(node);
    const wrong = await person.login({ password: 'not this one' });
    const unknown = await new Person(node, 'nobody@example.com').login();
    expectError(wrong, 401, 100301);
    expect(unknown.body).toEqual(wrong.body);
  });

  test('hashing has a bounded queue: 503 with Retry-After beyond it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        new Person(node, `crowd${n}@example.com`).login({}, from(`10.${n}.0.1`)),
      ),
    );
    const busy = answers.filter(({ status }) => status === 503);
    expect(busy.length).toBeGreaterThan(10);
    for (const answer of busy) {
      expectError(answer, 503, 100503);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
  });

  test('from many networks makes a new network need the mailbox, not a known one', async () => {
    const person = await Person.join(node);
    for (let n = 0; n < 22; n++) {
      await person.login({ password: 'guess guess guess' }, from(`10.200.${n}.1`));
    }
    expectOk(await person.login());
    const abroad = from('192.0.2.1');
    expectError(await person.login({}, abroad), 403, 100306);
    const code = await person.code();
    expectError(await person.login({ emailAuthCode: otherThan(code) }, abroad), 403, 100307);
    expectOk(await person.login({ emailAuthCode: code }, abroad));
  });

  test('at the password of a session also needs a mailed code, and no invented one', async () => {
    const person = await Person.join(node);
    const guess = { password: 'guess guess guess', newPassword: `${PASSWORD} and ice` };
    const path = `${CENTER}/password/change`;
    for (let n = 0; n < 22; n++) {
      await node.post(path, guess, { ...person.headers, ...from(`10.201.${n}.1`) });
    }
    const abroad = { ...person.headers, ...from('192.0.2.2') };
    const change = { ...guess, password: PASSWORD };
    expectError(await node.post(path, change, abroad), 403, 100306);
    const madeUp = { ...change, emailAuthCode: '000000' };
    expectError(await node.post(path, madeUp, abroad), 403, 100307);
    expectError(await node.post(path, change, abroad), 403, 100306);
    expectOk(await node.post(SEND_CODE, { operationType: 6 }, person.headers));
    const mailed = { ...change, emailAuthCode: await person.code() };
    expectOk(await node.post(path, mailed, abroad));
  });

  test('with a name that is no address blocks nobody', async () => {
    const person = await Person.join(node);
    const home = from('192.0.2.88');
    for (const email of [`${person.email}|192.0.2.0/24`, '|192.0.2.0/24', `uid:${person.uid}`]) {
      for (let n = 0; n < 6; n++) {
        const stranger = new Person(node, email);
        expectError(await stranger.login({}, from(`10.202.${n}.1`)), 401, 100301);
      }
    }
    expectOk(await person.login({}, home));
  });
});

const PAGE = { 'Sec-Fetch-Site': 'same-origin' };
const login = (email: string, password: string, headers: Record<string, string>) =>
  node.post(`${CENTER}/login`, { email, password }, headers);

const deviceOf = ({ headers }: Answer): string | null =>
  headers.getSetCookie().find((cookie) => cookie.includes('agio-device=')) ?? null;

/** The header with which a browser returns the cookie. */
const cookie = (answer: Answer): Record<string, string> => ({
  Cookie: deviceOf(answer)!.split(';')[0]!,
});

async function wrongPasswords(email: string, count: number, headers: Record<string, string>) {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) {
    statuses.push((await login(email, 'wrong password', headers)).status);
  }
  return statuses;
}

describe('the cookie of a browser', () => {
  test('is set by a login from a page of the service, for half a year, HttpOnly', async () => {
    const person = await Person.join(node);
    const set = deviceOf(await login(person.email, PASSWORD, { ...network(), ...PAGE }))!;
    expect(set).toMatch(
      /^agio-device=v1[.][\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=15552000$/,
    );
    const overTls = { ...network(), ...PAGE, Origin: 'https://example.com' };
    const secure = deviceOf(await login(person.email, PASSWORD, overTls))!;
    expect(secure).toMatch(/^__Host-agio-device=.*; Secure; Max-Age=15552000$/);
    expect(deviceOf(await login(person.email, PASSWORD, network()))).toBeNull();
  });

  test('lets its owner in while the network is locked out', async () => {
    const person = await Person.join(node);
    const home = network();
    const browser = {
      ...home,
      ...PAGE,
      ...cookie(await login(person.email, PASSWORD, { ...home, ...PAGE })),
    };
    expect(await wrongPasswords(person.email, 6, home)).toEqual([401, 401, 401, 401, 401, 429]);
    expectOk(await login(person.email, PASSWORD, browser));
    expectError(await login(person.email, PASSWORD, home), 429, 100308);
  });

  test('belongs to one user and one password', async () => {
    const person = await Person.join(node);
    const other = await Person.join(node);
    const stranger = network();
    const mine = cookie(await login(person.email, PASSWORD, { ...network(), ...PAGE }));
    await wrongPasswords(other.email, 5, { ...stranger, ...mine });
    expectError(await login(other.email, PASSWORD, { ...stranger, ...mine }), 429, 100308);
    const from = network();
    await person.login({}, from);
    const { users } = node.services.identity;
    users.setPasswordHash(person.uid, users.findByEmail(other.email)!.passwordHash!);
    await wrongPasswords(person.email, 5, { ...stranger, ...mine });
    expectError(await login(person.email, PASSWORD, { ...stranger, ...mine }), 429, 100308);
  });

  test('does not work after a change of any character', async () => {
    const person = await Person.join(node);
    const { devices, users } = node.services.identity;
    const owner = users.findByEmail(person.email)!;
    const value = devices.issue(owner);
    expect(devices.nameOf(value, owner)).not.toBeNull();
    for (let at = 0; at < value.length - 1; at++) {
      const changed = `${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`;
      expect(devices.nameOf(changed, owner)).toBeNull();
    }
    expect(devices.nameOf('', owner)).toBeNull();
  });
});

describe('a sign-in mail', () => {
  const subjects = async (person: Person) => (await person.mails()).map(({ subject }) => subject);

  test('is not sent for a first login from a network of the registration', async () => {
    const email = 'fresh.from.here@example.com';
    const [begun, ended] = [network(), network()];
    const ticket = String(
      expectOk(await node.post(`${CENTER}/register`, { email, password: PASSWORD }, begun)).ticket,
    );
    const mails = () => node.services.identity.outbox.list(1000);
    const code = /^ {4}(\d{6})$/m.exec((await mails()).find(({ to }) => to === email)!.body)![1]!;
    const body = { email, ticket, emailAuthCode: code };
    expectOk(await node.post(`${CENTER}/register/confirm`, body, ended));
    for (const from of [begun, ended]) expectOk(await login(email, PASSWORD, from));
    const sent = async () => (await mails()).filter(({ to }) => to === email).length;
    expect(await sent()).toBe(1);
    expectOk(await login(email, PASSWORD, network()));
    expect(await sent()).toBe(2);
  });

  test('is not sent for a known browser in another network', async () => {
    const person = await Person.join(node);
    const browser = cookie(await login(person.email, PASSWORD, { ...network(), ...PAGE }));
    const before = await subjects(person);
    expectOk(await login(person.email, PASSWORD, { ...network(), ...PAGE, ...browser }));
    expect(await subjects(person)).toEqual(before);
  });
});

// Sessions of the user center over HTTP: what ends them, which pages may use the cookie, and how
// guessing locks out the guesser and not the owner.
import { describe, expect, test } from 'bun:test';
import { TestNode } from '../support/node.ts';
import { CENTER, otherThan, PASSWORD, Person, SEND_CODE } from '../support/person.ts';
import { expectError, expectOk, expectRows, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile({ flags: ['--trusted-proxies', '127.0.0.1,::1'] });

const from = (ip: string): Record<string, string> => ({ 'X-Forwarded-For': ip });

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
    const newPassword = 'brisk otters paint doors';
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

  test('is set for a page of the service, and permits changes only from there', async () => {
    const person = await Person.join(node);
    const own = { Origin: node.url, 'Sec-Fetch-Site': 'same-origin' };
    const login = await person.login({}, own);
    const set = cookieOf(login.headers);
    expect(set).toMatch(/^agio=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    const Cookie = set.split(';')[0]!;
    expectOk(await node.request(`${CENTER}/me`, { headers: { Cookie } }));
    const foreign = [
      {},
      { Origin: 'https://evil.example.com' },
      { Origin: 'null' },
      { Origin: node.url, 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example.com', 'Sec-Fetch-Site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const sent = { Cookie, ...headers } as Record<string, string>;
      expectError(await node.post(`${CENTER}/totp/enroll`, {}, sent), 403, 100310);
    }
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

// Attacks on sessions over HTTP: a token that was fixed or stolen, one that has run out, one in the
// wrong place; and a page elsewhere that makes a browser send the cookie.
import { describe, expect, test } from 'bun:test';
import { routes } from '../../src/gateway/routes/routes.ts';
import { BALANCES, ORDER, TestNode } from '../support/node.ts';
import { CENTER, PASSWORD, Person } from '../support/person.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { expectError, expectOk } from '../support/shape.ts';
import { until } from '../support/waiting.ts';

const node = TestNode.forFile();

const me = (headers: Record<string, string>) => node.request(`${CENTER}/me`, { headers });
const withToken = (token: string) => ({ 'exchange-token': token });

describe('a token', () => {
  test('that an attacker chose before the login is never one', async () => {
    const chosen = 'A'.repeat(43);
    const person = await Person.join(node);
    const own = { Origin: node.url, Cookie: `agio=${chosen}` };
    const { token } = expectOk(await person.login({}, own));
    expect(String(token)).not.toBe(chosen);
    expectError(await me(withToken(chosen)), 401, 100401);
  });

  test('of an attacker’s session does not become the victim’s', async () => {
    const attacker = await Person.join(node);
    const victim = await Person.join(node);
    const planted = { Origin: node.url, Cookie: `agio=${attacker.token}` };
    const { token } = expectOk(await victim.login({}, planted));
    expect<unknown>(expectOk(await me(withToken(String(token)))).uid).toBe(victim.uid);
    expectError(await me(withToken(attacker.token)), 401, 100401);
  });

  test('that was stolen does not work after the logout, in any place', async () => {
    const person = await Person.join(node);
    const stolen = person.token;
    expectOk(await person.post('logout'));
    expectError(await me(withToken(stolen)), 401, 100401);
    expectError(await me({ Cookie: `agio=${stolen}` }), 401, 100401);
    expectError(await node.request(BALANCES, { headers: withToken(stolen) }), 401, 100401);
    expectError(await person.post('stepUp', { googleAuthCode: '123456' }), 401, 100401);
  });

  test('is not taken from the query or the body', async () => {
    const person = await Person.join(node);
    for (const name of ['exchange-token', 'token', 'agio']) {
      const answer = await node.get(`${CENTER}/me`, `${name}=${person.token}`);
      expectError(answer, 401, 100401);
    }
    const body = { token: person.token, 'exchange-token': person.token };
    expectError(await node.post(`${CENTER}/logout`, body), 401, 100401);
  });

  test('of one kind is not taken for another', async () => {
    const person = await Person.join(node);
    const bearer = { Authorization: `Bearer ${person.token}` };
    expectError(await me(bearer), 401, 100401);
    expectError(await node.request('/operator/v1/users', { headers: bearer }), 401, 100401);
    expectError(await me(withToken(node.operatorToken)), 401, 100401);
    const key = node.key(person.uid);
    expectError(await me(withToken(key.credentials.apiKey)), 401, 100401);
  });
});

/** A call whose last byte comes when `finish` is called, with the status of its answer. */
async function heldBack(path: string, token: string, body: object) {
  const raw = new RawConnection(Number(new URL(node.url).port));
  const text = JSON.stringify(body);
  const headers = {
    ...withToken(token),
    'Content-Type': 'application/json',
    'Content-Length': String(text.length),
  };
  const { sessions } = node.services.identity;
  const { uid } = sessions.find(token)!;
  const before = Date.now();
  await until(() => Date.now() > before);
  await raw.send(rawRequest('POST', path, headers, text.slice(0, -1)));
  // The server finds the session by the headers, before it waits for the body.
  await until(() => sessions.list(uid).some(({ lastUsedAt }) => lastUsedAt > before));
  return {
    async finish(): Promise<number> {
      const { status } = await raw.exchange(text.slice(-1));
      raw.close();
      return status;
    },
  };
}

describe('a call that was begun before its session ended', () => {
  test('does nothing when its body comes after the logout', async () => {
    const person = await Person.join(node);
    const held = await heldBack(`${CENTER}/totp/enroll`, person.token, {});
    expectOk(await person.post('logout'));
    expect(await held.finish()).toBe(401);
  });

  test('switches no authenticator on after the password was changed', async () => {
    const victim = await Person.join(node);
    const stolen = String(expectOk(await victim.login()).token);
    const { secret } = expectOk(await node.post(`${CENTER}/totp/enroll`, {}, withToken(stolen)));
    victim.secret = String(secret);
    const code = { googleAuthCode: victim.totp() };
    const held = await heldBack(`${CENTER}/totp/activate`, stolen, code);
    const change = { password: PASSWORD, newPassword: `${PASSWORD} and ice` };
    expectOk(await victim.post('password/change', change));
    expect(await held.finish()).toBe(401);
    expect<unknown>(expectOk(await victim.get('me')).totpActive).toBe(false);
  });

  test('does nothing under a token that was exchanged meanwhile', async () => {
    const person = await Person.join(node);
    const copied = person.token;
    const held = await heldBack(ORDER, copied, {});
    const change = { password: PASSWORD, newPassword: `${PASSWORD} and ice` };
    expectOk(await person.post('password/change', change));
    expect(person.token).not.toBe(copied);
    expect(await held.finish()).toBe(401);
  });
});

describe('a page elsewhere', () => {
  const changes = routes.filter(({ access, method }) => access === 'session' && method !== 'GET');

  test('makes a browser with the cookie do nothing, whatever the call', async () => {
    const person = await Person.join(node);
    const cookie = { Cookie: `agio=${person.token}` };
    expect(changes.length).toBeGreaterThanOrEqual(12);
    for (const { path } of changes) {
      const evil = {
        ...cookie,
        Origin: 'https://evil.example.com',
        'Sec-Fetch-Site': 'cross-site',
      };
      expectError(await node.post(path, {}, evil), 403, 100310);
      const sibling = { ...cookie, Origin: 'http://127.0.0.1:9', 'Sec-Fetch-Site': 'same-site' };
      expectError(await node.post(path, {}, sibling), 403, 100310);
      expectError(await node.post(path, {}, { ...cookie, Origin: 'null' }), 403, 100310);
      expectError(await node.post(path, {}, cookie), 403, 100310);
    }
    expectOk(await me(person.headers));
  });

  test('cannot send a form or a text in place of JSON, which would need no preflight', async () => {
    const person = await Person.join(node);
    const own = { Cookie: `agio=${person.token}`, Origin: node.url };
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      for (const path of [`${CENTER}/logout`, ORDER]) {
        const answer = await node.post(path, '{}', { ...own, 'Content-Type': type });
        expectError(answer, 415, 100415);
      }
    }
    expectOk(await me(person.headers));
  });

  test('cannot change anything by GET, nor by a method in a header', async () => {
    const person = await Person.join(node);
    const headers = {
      Cookie: `agio=${person.token}`,
      'X-HTTP-Method-Override': 'POST',
      'X-HTTP-Method': 'POST',
    };
    for (const { path } of changes) {
      expectError(await node.request(path, { headers }), 405, 100406);
    }
    expectOk(await me(person.headers));
  });

  test('is never allowed to read with the cookie: no answer grants credentials', async () => {
    const person = await Person.join(node);
    const headers = { Cookie: `agio=${person.token}`, Origin: 'https://evil.example.com' };
    const read = await me(headers);
    const preflight = await node.request(`${CENTER}/me`, { method: 'OPTIONS', headers });
    for (const answer of [read, preflight]) {
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('access-control-allow-origin')).not.toBe(headers.Origin);
    }
  });
});

// The second factor over HTTP: step-up before a sensitive act, disabling, replacement, and new
// recovery codes.
import { describe, expect, test } from 'bun:test';
import { BALANCES, TestNode } from '../support/node.ts';
import { CENTER, PASSWORD, Person, SEND_CODE, tamper } from '../support/person.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();

const me = (token: string) =>
  node.request(`${CENTER}/me`, { headers: { 'exchange-token': token } });

/** A second login of the same person. */
const elsewhere = async (person: Person): Promise<string> =>
  String(expectOk(await person.login({ googleAuthCode: person.spare() })).token);

describe('a first authenticator', () => {
  test('needs a login of the last ten minutes, so that an old stolen session fails', async () => {
    const person = await Person.join(node);
    const { sessionId } = rowsOf((await person.get('sessions')).body)[0]!;
    const { secret } = expectOk(await person.post('totp/enroll'));
    person.secret = String(secret);
    const ago = 10 * 60_000;
    tamper(
      node,
      `UPDATE sessions SET created_at = created_at - ${ago} WHERE session_id = ${sessionId}`,
    );
    expectError(await person.post('totp/enroll'), 403, 100313);
    const code = { googleAuthCode: person.totp() };
    expectError(await person.post('totp/activate', code), 403, 100313);
    expect(node.services.identity.totp.isActive(person.uid)).toBe(false);
    expectOk(await person.get('me'));
    person.token = String(expectOk(await person.login()).token);
    expectOk(await person.post('totp/activate', code));
  });

  test('and a new password return a new token to a script', async () => {
    const person = await Person.join(node);
    const copies = [person.token];
    await person.enroll();
    copies.push(person.token);
    const newPassword = 'brisk otters paint doors';
    const change = { password: PASSWORD, newPassword, googleAuthCode: person.spare() };
    const changed = expectOk(await person.post('password/change', change));
    expect(person.token).toBe(String(changed.token));
    copies.push(person.token);
    const disable = { password: newPassword, googleAuthCode: person.spare() };
    const disabled = expectOk(await person.post('totp/disable', disable));
    for (const copy of copies) expectError(await me(copy), 401, 100401);
    expectOk(await me(String(disabled.token)));
    expect(rowsOf((await person.get('sessions')).body)).toHaveLength(1);
  });
});

describe('the step-up', () => {
  test('gives the session a new token; the old one no longer works', async () => {
    const person = await Person.join(node, { totp: true });
    const before = rowsOf((await person.get('sessions')).body);
    expectError(await person.post('stepUp', { googleAuthCode: '000' }), 403, 100303);
    const code = { googleAuthCode: person.spare() };
    const answer = expectOk(await person.post('stepUp', code));
    const left = Number(answer.steppedUpUntil) - Date.now();
    expect(left).toBeGreaterThan(290_000);
    expect(left).toBeLessThanOrEqual(300_000);
    const old = person.token;
    person.token = String(answer.token);
    expect(person.token).not.toBe(old);
    expectError(await person.post('stepUp', code), 403, 100303);
    expectError(await me(old), 401, 100401);
    const bySession = { headers: { 'exchange-token': old } };
    expectError(await node.request(BALANCES, bySession), 401, 100401);
    const after = rowsOf((await person.get('sessions')).body);
    const ids = (rows: typeof after) =>
      rows.map(({ sessionId, createdAt }) => [sessionId, createdAt]);
    expect<unknown>(ids(after)).toEqual(ids(before));
    expect<unknown>(answer.expiresAt).toBe(after[0]!.expiresAt);
  });

  test('and every change of the account’s protection give a browser a new token', async () => {
    const person = await Person.join(node);
    const copies: string[] = [];
    let Cookie = `agio=${person.token}`;
    const act = async (path: string, body: object) => {
      const done = await node.post(`${CENTER}/${path}`, body, { Cookie, Origin: node.url });
      const set = /^agio=([\w-]{43}); Path=\/; HttpOnly/.exec(done.headers.get('set-cookie') ?? '');
      copies.push(Cookie);
      Cookie = `agio=${set?.[1]}`;
      return expectOk(done);
    };
    const { secret } = expectOk(
      await node.post(`${CENTER}/totp/enroll`, {}, { Cookie, Origin: node.url }),
    );
    person.secret = String(secret);
    const { recoveryCodes } = await act('totp/activate', { googleAuthCode: person.totp() });
    const [code, ...spare] = recoveryCodes as unknown as string[];
    const newPassword = 'brisk otters paint doors';
    await act('stepUp', { googleAuthCode: spare.pop() });
    await act('password/change', { password: PASSWORD, newPassword, googleAuthCode: code });
    const sent = { Cookie, Origin: node.url };
    expectOk(await node.post(SEND_CODE, { operationType: 7 }, sent));
    const codes = { googleAuthCode: spare[0], emailAuthCode: await person.code() };
    await act('api/create', { alias: 'bot', moduleIds: [5], ...codes });
    await act('totp/recoveryCodes', { googleAuthCode: person.totp(1) });
    const left = await node.services.identity.totp.recoveryCodesLeft(person.uid);
    expect(left).toBe(10);
    expectOk(await node.request(`${CENTER}/me`, { headers: { Cookie } }));
    expect(new Set(copies).size).toBe(5);
    for (const copy of copies) {
      expectError(await node.request(`${CENTER}/me`, { headers: { Cookie: copy } }), 401, 100401);
      const token = copy.slice('agio='.length);
      const headers = { 'exchange-token': token };
      expectError(await node.request(`${CENTER}/me`, { headers }), 401, 100401);
    }
  });
});

describe('disabling two-factor authentication', () => {
  test('takes password and code, ends other sessions, and sends a mail', async () => {
    const person = await Person.join(node, { totp: true });
    const second = await elsewhere(person);
    const off = (body: object) => person.post('totp/disable', body);
    const googleAuthCode = person.spare();
    expectError(await off({ password: 'wrong wrong wrong', googleAuthCode }), 401, 100301);
    expectError(await off({ password: PASSWORD, googleAuthCode: 'AAAA' }), 403, 100303);
    expectError(await off({ password: PASSWORD }), 400, 100200, 'googleAuthCode');
    expectOk(await me(second));
    const disabled = expectOk(await off({ password: PASSWORD, googleAuthCode }));
    expect<unknown>(disabled.token).toBeString();
    expectError(await me(second), 401, 100401);
    const known = expectOk(await person.get('me'));
    expect<unknown>([known.totpActive, known.recoveryCodesLeft]).toEqual([false, 0]);
    expect((await person.mails())[0]!.subject).toBe('Two-factor authentication is off');
    expectError(await off({ password: PASSWORD, googleAuthCode }), 409, 100305);
    expectOk(await person.login());
  });
});

describe('new recovery codes', () => {
  test('take a code of the authenticator and replace the previous codes', async () => {
    const person = await Person.join(node, { totp: true });
    const old = [...person.recoveryCodes];
    const renew = (googleAuthCode: string) => person.post('totp/recoveryCodes', { googleAuthCode });
    expectError(await renew(old[0]!), 403, 100303);
    expectError(await renew(old[0]!.toLowerCase().replaceAll('-', ' ')), 403, 100303);
    const made = rowsOf(expectOk(await renew(person.totp(1))).recoveryCodes!).map(String);
    expect(new Set([...made, ...old]).size).toBe(20);
    expect((await person.mails())[0]!.subject).toBe('You have new recovery codes');
    expectError(await person.login({ googleAuthCode: old[0]! }), 403, 100303);
    expectOk(await person.login({ googleAuthCode: made[0]! }));
    expect<unknown>(expectOk(await person.get('me')).recoveryCodesLeft).toBe(9);
  });
});

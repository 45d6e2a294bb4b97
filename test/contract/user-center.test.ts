// The user center over HTTP: from registration to an order signed with the new key, and what each
// step rejects.
import { describe, expect, test } from 'bun:test';
import { Client, TestNode } from '../support/node.ts';
import { otherThan, PASSWORD, Person, tamper } from '../support/person.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();

const KEY = { alias: 'my bot', moduleIds: [5, 6] };

describe('the user center', () => {
  test('leads from registration to an order signed with the new key', async () => {
    const person = await Person.join(node, { totp: true });
    const me = expectOk(await person.get('me'));
    const expected = { uid: person.uid, email: person.email, kyc: false, totpActive: true };
    expect<unknown>(me).toMatchObject({ ...expected, recoveryCodesLeft: 10 });

    const codes = { emailAuthCode: await person.keyCode(), googleAuthCode: person.totp(1) };
    const created = expectOk(await person.post('api/create', { ...KEY, ...codes }));
    const { apiKey, secretKey } = created as unknown as { apiKey: string; secretKey: string };
    await node.credit(person.uid, 'USDT', '1000');
    const client = new Client(node, { apiKey, secretKey });
    expect(client.uid).toBe(person.uid);
    expect(await client.limit(1, '100', '0.01')).toBeGreaterThan(0);

    const list = await person.get('api/list');
    expectOk(list);
    for (const { text } of [list, await person.get('me'), await person.get('sessions')]) {
      for (const secret of [secretKey, person.secret, person.token, PASSWORD]) {
        expect(text).not.toContain(secret);
      }
    }
    const mails = JSON.stringify(await person.mails());
    expect(mails).toContain('New API key');
    expect(mails).not.toContain(secretKey);
    const log = JSON.stringify(node.services.identity.audit.list({ page: 1, pageSize: 100 }));
    expect(log).toContain(`uid:${person.uid}/key:${apiKey}`);
    for (const secret of [secretKey, person.secret, person.token, PASSWORD]) {
      expect(log).not.toContain(secret);
    }

    expectError(await person.post('api/delete', { apiKey }), 403, 100302);
    expectOk(await person.post('api/delete', { apiKey, googleAuthCode: person.spare() }));
    expectError(await client.get('/spot-api/api/private/v1/balances'), 401, 100401);
    expect<unknown>(rowsOf((await person.get('api/list')).body)[0]!.revokedAt).not.toBeNull();
  });
});

describe('registration', () => {
  test('is answered alike for a taken address, which gets a mail without a code', async () => {
    const owner = await Person.join(node);
    tamper(node, 'DELETE FROM email_sends');
    const again = expectOk(await owner.register('another fine lantern'));
    expect((await owner.mails())[0]!.subject).toBe('You already have an account');
    expectError(await owner.confirm(String(again.ticket), '123456'), 403, 100307);
    expectOk(await owner.login());
  });

  test('rejects a wrong, foreign, expired and used code, and creates nobody', async () => {
    const [ann, bob] = [new Person(node), new Person(node)];
    const ticket = String(expectOk(await ann.register()).ticket);
    const other = String(expectOk(await bob.register()).ticket);
    const { seq } = node;
    const code = await ann.code();
    expectError(await ann.confirm(ticket, otherThan(code)), 403, 100307);
    expectError(await bob.confirm(ticket, code), 403, 100307);
    expectError(await ann.confirm(other, code), 403, 100307);
    tamper(node, 'UPDATE email_codes SET expires_at = 1');
    expectError(await ann.confirm(ticket, code), 403, 100307);
    expect(node.seq).toBe(seq);
    tamper(node, 'DELETE FROM email_sends');
    const second = String(expectOk(await ann.register()).ticket);
    const fresh = await ann.code();
    expectOk(await ann.confirm(second, fresh));
    expectError(await ann.confirm(second, fresh), 403, 100307);
  });

  test('sends another code for its ticket, without the password', async () => {
    const ann = new Person(node);
    const ticket = String(expectOk(await ann.register()).ticket);
    const first = await ann.code();
    const body = { email: ann.email, ticket };
    expectError(await node.post('/user-center/v1/register', body), 429, 100309);
    tamper(node, 'DELETE FROM email_sends');
    const again = expectOk(await node.post('/user-center/v1/register', body));
    expect(String(again.ticket)).toBe(ticket);
    const second = await ann.code();
    if (second !== first) expectError(await ann.confirm(ticket, first), 403, 100307);
    expectOk(await ann.confirm(ticket, second));
    tamper(node, 'DELETE FROM email_sends');
    expectError(await node.post('/user-center/v1/register', body), 400, 100200, 'ticket');
    expectOk(await ann.login());
  });

  test.each([
    [{ email: 'weak1@example.com', password: PASSWORD, ticket: 'both' }, 'password'],
    [{ email: 'weak1@example.com', ticket: 'unknown' }, 'ticket'],
    [{ email: 'nobody', password: PASSWORD }, 'email'],
    [{ email: 'weak1@example.com', password: 'short' }, 'password'],
    [{ email: 'weak1@example.com', password: 'password1' }, 'password'],
    [{ email: 'weak1@example.com', password: 'weak1@example' }, 'password'],
    [{ email: 'weak1@example.com' }, 'password'],
  ])('rejects %j', async (body, field) => {
    expectError(await node.post('/user-center/v1/register', body), 400, 100200, field);
  });

  test('mails one code a minute, and names the time of the next one', async () => {
    const eager = new Person(node);
    expectOk(await eager.register());
    const rejected = await eager.register();
    expectError(rejected, 429, 100309);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(50);
  });
});

describe('codes of a key', () => {
  test('are used up only by a call that succeeds, and then once', async () => {
    const person = await Person.join(node, { totp: true });
    const emailAuthCode = await person.keyCode();
    const googleAuthCode = person.spare();
    const codes = { emailAuthCode, googleAuthCode };
    const bad = { ...KEY, ipAllowList: ['not an address'] };
    expectError(await person.post('api/create', { ...bad, ...codes }), 400, 100200, 'ipAllowList');
    const wrong = { ...codes, emailAuthCode: otherThan(emailAuthCode) };
    expectError(await person.post('api/create', { ...KEY, ...wrong }), 403, 100307);
    const noTotp = { ...codes, googleAuthCode: '000000' };
    expectError(await person.post('api/create', { ...KEY, ...noTotp }), 403, 100303);
    expectOk(await person.post('api/create', { ...KEY, ...codes }));
    expectError(await person.post('api/create', { ...KEY, ...codes }), 403, 100303);
    const usedMail = { ...codes, googleAuthCode: person.spare() };
    expectError(await person.post('api/create', { ...KEY, ...usedMail }), 403, 100307);
    expect(rowsOf((await person.get('api/list')).body)).toHaveLength(1);
  });

  test('do not delete a key of another customer', async () => {
    const ann = await Person.join(node);
    const bob = await Person.join(node);
    const { apiKey } = node.key(ann.uid).credentials;
    expectError(await bob.post('api/delete', { apiKey }), 400, 100200, 'apiKey');
    expect(node.services.identity.apiKeys.lookup(apiKey)).toBeDefined();
    expectOk(await ann.post('api/delete', { apiKey }));
  });
});

test('the operator cannot set a weak password', async () => {
  const answer = await node.post(
    '/operator/v1/users',
    { email: 'weak@example.com', password: 'password1' },
    { Authorization: `Bearer ${node.operatorToken}` },
  );
  expectError(answer, 400, 100200, 'password');
});

// The account of a customer over HTTP: audit entries, the faucet of the sandbox, passwords that a
// login hashes again, suspension, and rate limits.
import { describe, expect, test } from 'bun:test';
import type { PasswordHash } from '../../src/identity/proofs/passwords.ts';
import { TestNode, TIME } from '../support/node.ts';
import { CENTER, PASSWORD, Person } from '../support/person.ts';
import { expectError, expectOk, expectRows, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();

const asOperator = (path: string, body: object) =>
  node.post(`/operator/v1${path}`, body, { Authorization: `Bearer ${node.operatorToken}` });

describe('the audit log of a customer', () => {
  test('has their acts, tries on their account, and keys that the operator created', async () => {
    const person = await Person.join(node, { totp: true });
    expectError(await person.login({ password: 'not this one' }), 401, 100301);
    const made = expectOk(
      await asOperator(`/users/${person.uid}/keys`, { alias: 'ours', moduleIds: [5] }),
    );
    const path = `/users/${person.uid}/keys/${made.apiKey}/revoke`;
    expectOk(await asOperator(path, {}));
    const read = await node.request(`/operator/v1/users/${person.uid}`, {
      headers: { Authorization: `Bearer ${node.operatorToken}` },
    });
    expectOk(read);
    const page = expectOk(await person.get('audit?pageSize=100'));
    const rows = expectRows(page.items!);
    const acts = rows.map(({ actor, action, result }) => `${actor} ${action} ${result}`);
    expect(acts).toEqual([
      'operator key.revoke ok',
      'operator key.create ok',
      'anonymous session.login credentialsWrong',
      'self totp.activate ok',
      'self totp.enroll ok',
      'self session.login ok',
      'self account.register ok',
    ]);
    // The address of an operator is hidden.
    expect<unknown>(rows.map(({ ip }) => ip).slice(0, 3)).toEqual([null, null, '127.0.0.1']);
  });

  test('has pages, newest first, and no entry of another customer', async () => {
    const person = await Person.join(node);
    const other = await Person.join(node);
    for (let n = 0; n < 12; n++) await person.post('totp/enroll');
    const first = expectOk(await person.get('audit'));
    expect<unknown>([first.totalNum, first.totalPage, first.pageSize]).toEqual([14, 2, 10]);
    const second = expectOk(await person.get('audit?page=2&pageSize=10'));
    const items = [...rowsOf(first.items!), ...rowsOf(second.items!)];
    expect(items).toHaveLength(14);
    const times = items.map(({ time }) => Number(time));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(items.map(({ id }) => Number(id))).toEqual([
      14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
    for (const { object } of items) expect(String(object)).toBe(`uid:${person.uid}`);
    const theirs = rowsOf(expectOk(await other.get('audit')).items!);
    expect(theirs.map(({ action }) => String(action))).toEqual([
      'session.login',
      'account.register',
    ]);
    expectError(await person.get('audit?uid=1'), 400, 100200, 'uid');
    expectError(await node.get(`${CENTER}/audit`), 401, 100401);
  });

  test('has no entry for a call that changed nothing', async () => {
    const person = await Person.join(node);
    const before = node.services.identity.audit.head().id;
    for (let n = 0; n < 5; n++) {
      const revoked = await person.post('sessions/revoke', { all: true });
      expect<unknown>(expectOk(revoked)).toEqual({ revoked: 0 });
    }
    expect(node.services.identity.audit.head().id).toBe(before);
    expectOk(await person.login());
    expectOk(await person.post('sessions/revoke', { all: true }));
    expect(node.services.identity.audit.head().id).toBe(before + 2);
  });

  test('does not confuse uids with the same beginning', async () => {
    const { audit } = node.services.identity;
    const facts = { actor: 'operator', ip: null, action: 'key.create', requestId: null } as const;
    audit.append({ ...facts, object: 'uid:90001/key:abc', result: 'ok' });
    audit.append({ ...facts, object: 'uid:9000', result: 'ok' });
    audit.append({ ...facts, object: 'uid:900', action: 'user.read', result: 'ok' });
    const page = { page: 1, pageSize: 10 };
    expect(audit.listOf(9000, page).items.map(({ object }) => object)).toEqual(['uid:9000']);
    expect(audit.listOf(90001, page).total).toBe(1);
    expect(audit.listOf(900, page).total).toBe(0);
    expect((await audit.verifyChain()).ok).toBe(true);
  });
});

describe('the faucet', () => {
  const next = () => (Math.floor(node.engine.now / 86_400_000) + 1) * 86_400_000;

  test('credits each asset once a day of business time', async () => {
    const person = await Person.join(node);
    const give = (asset: string) => person.post('faucet', { asset });
    expect<unknown>(expectOk(await give('USDT'))).toEqual({ asset: 'USDT', amount: 10000 });
    expect<unknown>(expectOk(await give('BTC'))).toEqual({ asset: 'BTC', amount: 1 });
    expect(node.balance(person.uid, 'USDT').available).toBe('10000');
    const { seq } = node;
    const details = expectError(await give('USDT'), 409, 100312);
    expect<unknown>(details).toEqual({
      field: 'asset',
      rule: 'oncePerDay',
      value: 'USDT',
      nearest: next(),
    });
    expect(node.seq).toBe(seq);
    await node.engine.advanceClock(next() - node.engine.now);
    expectOk(await give('USDT'));
    expect(node.balance(person.uid, 'USDT').available).toBe('20000');
    const day = new Date(node.engine.now).toISOString().slice(0, 10);
    const reference = `faucet-${person.uid}-USDT-${day}`;
    expect(node.state.references.find(reference)).toBeDefined();
  });

  test('credits 1,000 of an asset without a figure, and nothing of an unknown one', async () => {
    const person = await Person.join(node);
    await node.must({ type: 'createAsset', asset: 'XPT', scale: 0, fiat: false });
    expect<unknown>(expectOk(await person.post('faucet', { asset: 'XPT' })).amount).toBe(1000);
    expectError(await person.post('faucet', { asset: 'NONE' }), 400, 100221, 'asset');
    expectError(await person.post('faucet', {}), 400, 100200, 'asset');
  });
});

describe('a password hash of a lower cost', () => {
  test('is replaced by a successful login, and by no failed one', async () => {
    const person = await Person.join(node);
    const { users } = node.services.identity;
    const weak = Bun.password.hashSync(PASSWORD, {
      algorithm: 'argon2id',
      memoryCost: 512,
      timeCost: 1,
    }) as PasswordHash;
    users.setPasswordHash(person.uid, weak);
    expectError(await person.login({ password: 'not this one' }), 401, 100301);
    expect(users.find(person.uid)!.passwordHash).toBe(weak);
    expectOk(await person.login());
    const strong = users.find(person.uid)!.passwordHash!;
    expect(strong).not.toBe(weak);
    expect(node.services.identity.passwords.needsRehash(strong)).toBe(false);
    expectOk(await person.login());
    expect(users.find(person.uid)!.passwordHash).toBe(strong);
  });
});

describe('an account that is suspended', () => {
  test('may read and end sessions, and gets nothing new', async () => {
    const person = await Person.join(node, { totp: true });
    const plain = await Person.join(node);
    // By its command alone: a session that is opened later has the same rights.
    const unchanged = { kyc: null, makerFee: null, takerFee: null, maxOpenOrders: null };
    for (const { uid } of [person, plain]) {
      await node.must({ type: 'amendUser', uid, suspended: true, ...unchanged });
    }
    const newPassword = 'brisk otters paint doors';
    const googleAuthCode = () => person.totp();
    const rejected: readonly (readonly [Person, string, object])[] = [
      [plain, 'totp/enroll', {}],
      [plain, 'totp/activate', { googleAuthCode: '123456' }],
      [plain, 'password/change', { password: PASSWORD, newPassword }],
      [plain, 'faucet', { asset: 'BTC' }],
      [person, 'totp/disable', { password: PASSWORD, googleAuthCode: googleAuthCode() }],
      [person, 'totp/recoveryCodes', { googleAuthCode: googleAuthCode() }],
      [
        person,
        'api/create',
        { alias: 'x', moduleIds: [5], googleAuthCode: googleAuthCode(), emailAuthCode: '123456' },
      ],
    ];
    for (const [who, path, body] of rejected) {
      const answer = await who.post(path, body);
      expect([path, answer.status, String(answer.body.code)]).toEqual([path, 403, '100403']);
    }
    const { identity } = node.services;
    expect([identity.totp.isActive(plain.uid), identity.totp.isActive(person.uid)]).toEqual([
      false,
      true,
    ]);
    expectOk(await plain.login());
    expectOk(await plain.get('me'));
    expect<unknown>(expectOk(await plain.post('sessions/revoke', { all: true })).revoked).toBe(1);
    const audit = rowsOf(expectOk(await plain.get('audit?pageSize=100')).items!);
    const tried = audit.filter(({ result }) => String(result) === 'refused');
    expect(tried.map(({ action }) => String(action))).toEqual([
      'faucet.credit',
      'password.change',
      'totp.activate',
      'totp.enroll',
    ]);
  });
});

describe('the rate limit of the user center', () => {
  test('counts changes by user, and reads as private reads', async () => {
    const flags = ['--rate-limits', 'account=3/60/3,private=5/60/5'];
    await using small = await TestNode.start({ flags });
    const person = await Person.join(small);
    const other = await Person.join(small);
    const second = { 'exchange-token': String(expectOk(await person.login()).token) };
    expectOk(await person.post('totp/enroll'));
    expectOk(await small.post(`${CENTER}/totp/enroll`, {}, second));
    expectError(await person.post('faucet', { asset: 'NONE' }), 400, 100221, 'asset');
    const before = small.services.identity.audit.head().id;
    for (const headers of [person.headers, second]) {
      const rejected = await small.post(`${CENTER}/totp/enroll`, {}, headers);
      expectError(rejected, 429, 100429);
      expect(rejected.headers.get('ratelimit-policy')).toBe('"account";q=3;w=60');
    }
    expect(small.services.identity.audit.head().id).toBe(before);
    expectOk(await other.post('totp/enroll'));
    const read = await person.get('me');
    expect<unknown>(expectOk(read).uid).toBe(person.uid);
    expect(read.headers.get('ratelimit-policy')).toBe('"private";q=5;w=60');
  });

  test('of an address does not count the price reads from there', async () => {
    await using small = await TestNode.start({ flags: ['--rate-limits', 'public=4/60/4'] });
    const person = await Person.join(small);
    for (let n = 0; n < 4; n++) expectOk(await small.get(TIME));
    expectError(await small.get(TIME), 429, 100429);
    const again = await person.login();
    expectOk(again);
    expect(again.headers.get('ratelimit')).toStartWith('"public";r=0');
    expectError(await person.login(), 429, 100429);
    for (let n = 0; n < 6; n++) expectOk(await person.get('me'));
    expectOk(await person.post('logout'));
  });
});

describe('the list of rate limits', () => {
  test('has the limits in force, with the rejections of each', async () => {
    const flags = ['--rate-limits', 'public=off,private=3/60/4,failedAuth=9/60/9'];
    await using small = await TestNode.start({ flags });
    const person = await Person.join(small);
    for (let n = 0; n < 6; n++)
      await small.request('/spot-api/api/private/v1/balances', { headers: person.headers });
    const headers = { Authorization: `Bearer ${small.operatorToken}` };
    const { items } = expectOk(await small.request('/operator/v1/rate-limits', { headers }));
    const rows = expectRows(items!);
    const texts = rows.map(({ countedBy: _, ...row }) => Object.values(row).map(String).join(' '));
    expect(texts).toEqual([
      'public off null null null 0',
      'private on 3 60 4 2',
      'order on 5000 1 10000 0',
      'user on 20000 1 40000 0',
      'user-order on 20000 1 40000 0',
      'account on 5000 1 10000 0',
      'failed-auth on 9 60 9 0',
      'failed-address on 120000 60 20000 0',
    ]);
  });
});

// The operator's calls about users: creating, finding and changing them, their keys and balances.
// No secret is in the audit log, nor in any answer after the one that creates a key.
import { describe, expect, test } from 'bun:test';
import { BALANCES, Client, TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();
const operator = new Operator(node);

describe('POST users', () => {
  test('creates a user in the core and in identity, with an audit entry', async () => {
    const answer = await operator.post('users', {
      email: 'Ada@example.com',
      password: 'correct horse battery',
      kyc: true,
    });
    const uid = Number(expectOk(answer).uid);
    expect(node.state.users[uid]).toMatchObject({ uid, kyc: true, suspended: false });
    const person = node.services.identity.users.find(uid)!;
    expect(person.email).toBe('Ada@example.com');
    const { passwords } = node.services.identity;
    expect(await passwords.verify('correct horse battery', person.passwordHash)).toMatchObject({
      value: true,
    });
    expect(person.passwordHash).toStartWith('$argon2id$');
    expect(operator.audited()[0]).toMatchObject({
      actor: 'operator',
      ip: '127.0.0.1',
      object: `uid:${uid}`,
      requestId: answer.headers.get('x-request-id'),
      details: { email: 'Ada@example.com', password: '[secret]', kyc: true },
    });
  });

  test('rejects an address that is taken, whatever its case, and creates nobody', async () => {
    await operator.user('taken@example.com');
    const { seq } = node;
    expectError(await operator.post('users', { email: 'TAKEN@example.com' }), 409, 100222, 'email');
    expect(node.seq).toBe(seq);
  });

  test.each([
    [{ email: 'nobody' }, 'email'],
    [{ email: 'ü@example.com' }, 'email'],
    [{ email: 'x@example.com', enterpriseAdmin: true }, 'enterpriseAdmin'],
    [{ email: 'x@example.com', enterpriseId: 0, enterpriseAdmin: true }, 'enterpriseAdmin'],
  ])('rejects %j, naming the field', async (body, field) => {
    const { seq } = node;
    const details = expectError(await operator.post('users', body), 400, 100200);
    expect<unknown>(details).toMatchObject({ field });
    expect(node.seq).toBe(seq);
    expect(operator.audited()[0]!.details.refused).toMatchObject({ field });
  });

  test('gives the address back when a user could not be created', async () => {
    expectError(
      await operator.post('users', { email: 'again@example.com', password: 'x' }),
      400,
      100200,
    );
    await operator.user('again@example.com');
  });
});

describe('GET users', () => {
  test('writes how long a search was, and nothing that was typed or pasted', async () => {
    const pasted = 'b'.repeat(64);
    expectOk(await operator.get(`users?query=${pasted}`));
    expect(operator.audited()[0]).toMatchObject({ details: { query: { length: 64 }, page: 1 } });
    await operator.get(`users/${pasted}`);
    await operator.post(`users/1/keys/${pasted}/revoke`);
    const entries = operator.audited(4);
    const objects = ['uid:1/key:?', 'uid:1/key:?', 'uid:?', null];
    expect(entries.map(({ object }) => object)).toEqual(objects);
    expect(JSON.stringify(entries)).not.toContain(pasted);
  });

  test('GET users/{uid} names the user in the audit log, also one who is unknown', async () => {
    const uid = await operator.user('one@example.com');
    expectOk(await operator.get(`users/${uid}`));
    expect(operator.audited()[0]!.object).toBe(`uid:${uid}`);
    expectError(await operator.get('users/9999'), 400, 100220);
    expect(operator.audited()[0]!.object).toBe('uid:9999');
  });
});

describe('PATCH users/{uid}', () => {
  test('changes what is sent and nothing else', async () => {
    const uid = await operator.user('patch@example.com');
    const path = `users/${uid}`;
    const first = expectOk(
      await operator.patch(path, { kyc: true, makerFee: '0.0002', takerFee: 0.001 }),
    );
    expect<unknown>(first).toMatchObject({ kyc: true, makerFee: 0.0002, takerFee: 0.001 });
    const second = expectOk(await operator.patch(path, { status: 'suspended', maxOpenOrders: 5 }));
    expect<unknown>(second).toMatchObject({
      kyc: true,
      status: 'suspended',
      makerFee: 0.0002,
      takerFee: 0.001,
      maxOpenOrders: 5,
    });
    expect(operator.audited()[0]).toMatchObject({
      object: `uid:${uid}`,
      details: { status: 'suspended', maxOpenOrders: 5 },
    });
  });

  test('a fee of null returns to that of the instrument, one that is left out stays', async () => {
    const uid = await operator.user('fees@example.com');
    await operator.patch(`users/${uid}`, { makerFee: 0.001, takerFee: 0.002 });
    const user = expectOk(await operator.patch(`users/${uid}`, { makerFee: null }));
    expect<unknown>(user).toMatchObject({ makerFee: null, takerFee: 0.002 });
    expect<unknown>(
      expectOk(await operator.patch(`users/${uid}`, { makerFee: '0' })),
    ).toMatchObject({
      makerFee: 0,
    });
  });

  test.each([
    [{}, 'body', 100200],
    [{ makerFee: 1 }, 'makerFee', 100200],
    [{ takerFee: '12345678901234567890' }, 'takerFee', 100200],
    [{ takerFee: 0.123456789 }, 'takerFee', 100208],
  ])('rejects %j', async (body, field, code) => {
    const uid = await operator.user(`refused-${crypto.randomUUID()}@example.com`);
    const { seq } = node;
    expectError(await operator.patch(`users/${uid}`, body), 400, code, field);
    expect(node.seq).toBe(seq);
  });
});

describe('members of enterprises', () => {
  let enterprises = 0;
  async function newEnterprise(): Promise<number> {
    enterprises++;
    const answer = await operator.post('enterprises', { name: `Enterprise ${enterprises}` });
    return Number(expectOk(answer).enterpriseId);
  }
  const email = (): string => `member-${crypto.randomUUID()}@example.com`;

  test('a user is created as a member, or as an admin', async () => {
    const enterpriseId = await newEnterprise();
    for (const enterpriseAdmin of [false, true]) {
      const body = { email: email(), enterpriseId, enterpriseAdmin };
      const uid = Number(expectOk(await operator.post('users', body)).uid);
      expect(node.state.users[uid]).toMatchObject({ enterpriseId, enterpriseAdmin });
      const user = expectOk(await operator.get(`users/${uid}`));
      expect<unknown>(user).toMatchObject({ enterpriseId, enterpriseAdmin });
      expect(operator.audited(2)[1]).toMatchObject({ details: { enterpriseId, enterpriseAdmin } });
    }
    const body = { email: email(), enterpriseId: null };
    const { uid } = expectOk(await operator.post('users', body));
    expect(node.state.users[Number(uid)]).toMatchObject({ enterpriseId: 0 });
  });

  test('PATCH moves a user, and with null or 0 out of the enterprise', async () => {
    const enterpriseId = await newEnterprise();
    const uid = await operator.user(email());
    const patch = async (body: object) => expectOk(await operator.patch(`users/${uid}`, body));
    const joined = await patch({ enterpriseId, enterpriseAdmin: true, maxOpenOrders: 7 });
    expect<unknown>(joined).toMatchObject({
      enterpriseId,
      enterpriseAdmin: true,
      maxOpenOrders: 7,
    });
    // Fields that are not sent stay.
    const checked = await patch({ kyc: true });
    expect<unknown>(checked).toMatchObject({ enterpriseId, enterpriseAdmin: true, kyc: true });
    const member = await patch({ enterpriseAdmin: false });
    expect<unknown>(member).toMatchObject({ enterpriseId, enterpriseAdmin: false });
    const left = await patch({ enterpriseId: null });
    expect<unknown>(left).toMatchObject({ enterpriseId: null, enterpriseAdmin: false });
    await patch({ enterpriseId });
    expect<unknown>(await patch({ enterpriseId: 0 })).toMatchObject({ enterpriseId: null });
  });

  test('the right to administer ends with a change of enterprise', async () => {
    const [first, second] = [await newEnterprise(), await newEnterprise()];
    const admin = { email: email(), enterpriseId: first, enterpriseAdmin: true };
    const uid = Number(expectOk(await operator.post('users', admin)).uid);
    const same = expectOk(await operator.patch(`users/${uid}`, { enterpriseId: first }));
    expect<unknown>(same).toMatchObject({ enterpriseId: first, enterpriseAdmin: true });
    const moved = expectOk(await operator.patch(`users/${uid}`, { enterpriseId: second }));
    expect<unknown>(moved).toMatchObject({ enterpriseId: second, enterpriseAdmin: false });
  });

  test('rejects an enterprise that does not exist, and an admin of none', async () => {
    const uid = await operator.user(email());
    const { seq } = node;
    const unknown = { enterpriseId: 9999 };
    const created = await operator.post('users', { email: email(), ...unknown });
    expectError(created, 400, 100224, 'enterpriseId');
    const body = { ...unknown, kyc: true };
    expectError(await operator.patch(`users/${uid}`, body), 400, 100224, 'enterpriseId');
    const admin = { enterpriseAdmin: true, kyc: true };
    expectError(await operator.patch(`users/${uid}`, admin), 400, 100200, 'enterpriseAdmin');
    expect(node.seq).toBe(seq);
    expect(node.state.users[uid]).toMatchObject({ kyc: false });
  });
});

describe('users/{uid}/keys', () => {
  const terms = { alias: 'bot', moduleIds: [5, 6] };

  test('creates a key that works immediately, and shows its secret once', async () => {
    const uid = await node.user();
    const answer = await operator.post(`users/${uid}/keys`, terms);
    const created = expectOk(answer);
    const { apiKey, secretKey } = created as unknown as { apiKey: string; secretKey: string };
    const client = new Client(node, { apiKey, secretKey });
    expectOk(await client.get(BALANCES));
    expect(operator.audited()[0]).toMatchObject({
      object: `uid:${uid}/key:${apiKey}`,
      details: { alias: 'bot', moduleIds: [5, 6], strictClOrdId: false, replayGuard: true },
    });

    const list = await operator.get(`users/${uid}/keys`);
    const [row] = rowsOf(expectOk(list));
    expect<unknown>(row).toMatchObject({ apiKey, uid, alias: 'bot', moduleIds: [5, 6] });
    expect(list.text).not.toContain(secretKey);
    expect(operator.audited()[0]!.object).toBe(`uid:${uid}`);
  });

  test('keeps the terms of the key', async () => {
    const uid = await node.user();
    const expiresAt = Date.now() + 60_000;
    const ipAllowList = ['203.0.113.0/24', '2001:db8::1'];
    const all = {
      alias: 'all',
      moduleIds: ['6', 5],
      ipAllowList,
      expiresAt,
      strictClOrdId: true,
      replayGuard: false,
    };
    expectOk(await operator.post(`users/${uid}/keys`, all));
    const [row] = rowsOf(expectOk(await operator.get(`users/${uid}/keys`)));
    expect<unknown>(row).toMatchObject({ ...all, moduleIds: [5, 6] });
  });

  test('revokes a key immediately, and answers the same a second time', async () => {
    const client = await node.client();
    const { apiKey } = client.credentials;
    const path = `users/${client.uid}/keys/${apiKey}/revoke`;
    const first = await operator.post(path);
    expectOk(first);
    expectError(await client.get(BALANCES), 401, 100401);
    expect(operator.audited()[0]!.object).toBe(`uid:${client.uid}/key:${apiKey}`);
    expect((await operator.post(path)).text).toBe(first.text);
  });

  test('does not revoke the key of another user', async () => {
    const client = await node.client();
    const other = await node.user();
    const path = `users/${other}/keys/${client.credentials.apiKey}/revoke`;
    expectError(await operator.post(path), 400, 100200, 'apiKey');
    expectOk(await client.get(BALANCES));
    expectError(await operator.post(`users/${other}/keys/abc/revoke`), 400, 100200);
  });

  test.each([
    [{ ...terms, alias: '   ' }, 'alias'],
    [{ ...terms, ipAllowList: ['somewhere'] }, 'ipAllowList'],
    [{ ...terms, expiresAt: 1 }, 'expiresAt'],
  ])('rejects %j', async (body, field) => {
    const uid = await operator.user(`keys-${crypto.randomUUID()}@example.com`);
    expectError(await operator.post(`users/${uid}/keys`, body), 400, 100200, field);
    expect(rowsOf(expectOk(await operator.get(`users/${uid}/keys`)))).toEqual([]);
  });
});

// The known browsers of a user: the cookie that a login sets, and its effect.
import { describe, expect, test } from 'bun:test';
import { type Answer, TestNode } from '../support/node.ts';
import { CENTER, PASSWORD, Person } from '../support/person.ts';
import { expectError, expectOk } from '../support/shape.ts';

const node = TestNode.forFile({ flags: ['--trusted-proxies', '127.0.0.1,::1'] });
let networks = 0;

/** An address of a network that nobody has used yet. */
const network = (host = 1): Record<string, string> => ({
  'X-Forwarded-For': `10.9.${++networks & 255}.${host}`,
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

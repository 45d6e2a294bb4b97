// Secrets that were planted through the API, looked for in everything that the node keeps and says:
// its files, its log, a snapshot, and every answer after the one that may show them.
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { type Answer, BALANCES, TestNode } from '../support/node.ts';
import { CENTER, Person } from '../support/person.ts';
import { expectOk } from '../support/shape.ts';

const PASSWORD = 'canary password of the first day';
const NEXT_PASSWORD = 'canary password of the next day';

/** The forms in which somebody who writes a secret down might do so. */
const formsOf = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('base64').replaceAll('=', ''),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
];

/**
 * Everything below the directory but what is there to be read: mails, and the key that opens the
 * rest.
 */
function filesOf(directory: string): Map<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const kept = names.filter((name) => !name.startsWith('outbox') && name !== 'master.key');
  const files = kept.filter((name) => statSync(join(directory, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(directory, name), 'latin1')]));
}

function placesOf(secrets: readonly string[], texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([name, text]) =>
    secrets.flatMap((secret, n) =>
      formsOf(secret).some((form) => text.includes(form)) ? [`secret ${n} in ${name}`] : [],
    ),
  );
}

test('no secret is in the data directory, the log, a snapshot, or a later answer', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  await using node = await TestNode.start({ log });
  const { secrets, answers, person } = await plant(node);
  expect(secrets.length).toBeGreaterThan(25);
  await readEverything(node, person, answers);
  await failInEveryWay(node, person, secrets, answers);
  const headers = { Authorization: `Bearer ${node.operatorToken}` };
  answers.push(await node.post('/operator/v1/snapshot', {}, headers));
  const files = filesOf(node.dataDir);
  expect([...files.keys()].some((name) => name.endsWith('.snapshot'))).toBe(true);
  // The search does find what is there.
  expect(placesOf([person.email], files).length).toBeGreaterThan(0);
  expect(placesOf(secrets, files)).toEqual([]);
  expect(placesOf(secrets, new Map([['the log', lines.join('')]]))).toEqual([]);
  const said = answers.map(({ text }, n): [string, string] => [`answer ${n}`, text]);
  expect(said.length).toBeGreaterThan(40);
  expect(placesOf(secrets, new Map(said))).toEqual([]);
});

/** A person with every kind of secret; the answers that showed one are not kept. */
async function plant(node: TestNode) {
  const person = new Person(node, 'canary@example.com');
  const { ticket } = expectOk(await person.register(PASSWORD));
  const registration = await person.code();
  person.uid = Number(expectOk(await person.confirm(String(ticket), registration)).uid);
  const first = String(expectOk(await person.login({ password: PASSWORD })).token);
  person.token = first;
  await person.enroll();
  const terms = { alias: 'canary', moduleIds: [1, 5, 6], googleAuthCode: person.spare() };
  const emailAuthCode = await person.keyCode();
  const made = expectOk(await person.post('api/create', { ...terms, emailAuthCode }));
  const stepped = expectOk(await person.post('stepUp', { googleAuthCode: person.spare() }));
  person.token = String(stepped.token);
  const change = { password: PASSWORD, newPassword: NEXT_PASSWORD };
  const googleAuthCode = person.spare();
  const answers: Answer[] = [];
  expectOk(await person.post('password/change', { ...change, googleAuthCode }));
  const renewed = expectOk(
    await person.post('totp/recoveryCodes', { googleAuthCode: person.totp(1) }),
  );
  const codes = renewed.recoveryCodes as unknown as string[];
  const secrets = [
    ...[
      PASSWORD,
      NEXT_PASSWORD,
      first,
      String(stepped.token),
      person.token,
      person.secret,
      String(made.secretKey),
    ],
    ...[...person.recoveryCodes, ...codes, String(ticket), node.operatorToken],
    ...codes.map((code) => code.replaceAll('-', '')),
  ];
  return { secrets, answers, person };
}

async function readEverything(node: TestNode, person: Person, answers: Answer[]): Promise<void> {
  for (const path of ['me', 'api/list', 'sessions', 'audit?pageSize=100']) {
    answers.push(await person.get(path));
  }
  answers.push(await node.request(BALANCES, { headers: person.headers }));
  const headers = { Authorization: `Bearer ${node.operatorToken}` };
  const user = `users/${person.uid}`;
  const calls = ['audit?pageSize=100', 'users', user, `${user}/keys`, `${user}/balances`];
  for (const path of [...calls, 'rate-limits', 'journal/head', 'ledger/trial-balance']) {
    answers.push(await node.request(`/operator/v1/${path}`, { headers }));
  }
  for (const path of ['/health', '/ready', '/metrics']) answers.push(await node.get(path));
}

/** Secrets where they do not belong: rejected, and never repeated. */
async function failInEveryWay(
  node: TestNode,
  person: Person,
  secrets: readonly string[],
  answers: Answer[],
): Promise<void> {
  for (const secret of secrets.slice(0, 12)) {
    answers.push(await person.login({ password: `${secret}!` }));
    answers.push(await person.post('totp/activate', { googleAuthCode: secret.repeat(9) }));
    answers.push(await person.post('password/change', { password: secret, newPassword: secret }));
    answers.push(await node.post(`${CENTER}/login`, `{"password":"${secret}"`));
    const headers = { 'exchange-token': `${secret}x`, 'EXCHANGE-API-SIGN': secret };
    answers.push(await node.request(`${CENTER}/me`, { headers }));
  }
}

// Identity as a whole, on a real disk: what survives a restart, who can read the files, backups,
// and a canary: secrets are planted, then every byte of the data directory is searched for them.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import { type Identity, openIdentity } from './identity.ts';
import { type MasterKey, parseMasterKeys } from './master-key.ts';

/** Hashing gives way to all else on the machine. */
let dataDir: string;
let masterKeyText: string;
let masterKeys: MasterKey[];
let identity: Identity;

function keysOf(text: string): MasterKey[] {
  const keys = parseMasterKeys(text);
  if (keys === undefined) throw new Error('A generated key is a key.');
  return keys;
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'agio-identity-'));
  masterKeyText = randomBytes(32).toString('hex');
  masterKeys = keysOf(masterKeyText);
  identity = openIdentity({ dataDir, masterKeys });
});
afterEach(() => {
  identity.close();
  rmSync(dataDir, { recursive: true });
});

async function addUser(uid: number, email: string, password?: string): Promise<void> {
  const reservation = identity.users.reserveEmail(email);
  if (!reservation.ok) throw new Error(reservation.text);
  const hash = password === undefined ? null : await identity.passwords.hash(password);
  if (hash?.ok === false) throw new Error(hash.name);
  identity.users.completeUser(reservation.value, uid, hash?.value);
}

function addKey(uid: number): { apiKey: string; secretKey: string } {
  const created = identity.apiKeys.create({ uid, alias: 'bot', moduleIds: [5, 6] });
  if (!created.ok) throw new Error(created.text);
  return created.value;
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The files that contain the text, or bytes that it stands for. */
function findEverywhere(secret: string): string[] {
  const forms = [Buffer.from(secret), Buffer.from(Buffer.from(secret).toString('base64'))];
  if (/^[0-9a-f]{64}$/.test(secret)) {
    const raw = Buffer.from(secret, 'hex');
    forms.push(raw, Buffer.from(raw.toString('base64')), Buffer.from(raw.toString('base64url')));
    forms.push(Buffer.from(secret.toUpperCase()));
  }
  return filesBelow(dataDir).filter((file) => {
    const bytes = readFileSync(file);
    return forms.some((form) => bytes.includes(form));
  });
}

describe('identity', () => {
  test('keeps everything over a restart, and close may be called twice', async () => {
    await addUser(1, 'ann@example.com', 'correct horse');
    const { apiKey } = addKey(1);
    identity.audit.append({
      actor: 'operator',
      ip: null,
      action: 'user.create',
      object: 'uid:1',
      result: 'ok',
      requestId: null,
    });
    const used = identity.apiKeys.lookup(apiKey);
    if (used !== undefined) identity.apiKeys.touch(used, 123);
    const head = identity.audit.head();
    identity.close();
    identity.close();

    identity = openIdentity({ dataDir, masterKeys });
    const user = identity.users.findByEmail('ann@example.com');
    expect(await identity.passwords.verify('correct horse', user!.passwordHash)).toEqual({
      ok: true,
      value: true,
    });
    expect(identity.apiKeys.lookup(apiKey)?.uid).toBe(1);
    expect(identity.apiKeys.find(apiKey)?.lastUsedAt).toBe(123);
    expect(await identity.audit.verifyChain(head)).toEqual({ ok: true, value: head });
  });

  test('only the owner can read its files', async () => {
    await addUser(1, 'ann@example.com');
    identity.outbox.write({ from: 'a@b.example', to: 'c@d.example', subject: 's', body: 'b' });
    const names = filesBelow(dataDir);
    expect(names).toContain(join(dataDir, 'identity.db-wal'));
    for (const name of names) expect(statSync(name).mode & 0o077).toBe(0);
  });

  test('a failed open leaves the database closed and whole', async () => {
    await addUser(1, 'ann@example.com');
    const { apiKey } = addKey(1);
    identity.close();
    const other = keysOf(randomBytes(32).toString('hex'));
    expect(() => openIdentity({ dataDir, masterKeys: other })).toThrow('is not active');
    identity = openIdentity({ dataDir, masterKeys });
    expect(identity.apiKeys.lookup(apiKey)).toBeDefined();
  });
});

/** The secrets of a user: a session, an authenticator, recovery codes, an email code. */
function plantSecrets(): string[] {
  const { token } = identity.sessions.create({ uid: 1, ip: null, userAgent: null });
  const enrolment = identity.totp.enroll(1, 'canary@example.com');
  if (!enrolment.ok) throw new Error(enrolment.text);
  const code = generateSync({ secret: enrolment.value.secret, period: 30, digits: 6 });
  const activation = identity.totp.activate(1, code);
  if (!activation.ok) throw new Error(activation.text);
  const scope = { subject: 'uid:1', holder: 'session:1', operation: 7 } as const;
  expect(identity.emailCodes.issue(scope, null).ok).toBe(true);
  return [token, enrolment.value.secret, ...activation.value];
}

test('canary: no planted secret is in any byte of the data directory', async () => {
  const password = `canary-${randomBytes(12).toString('hex')}`;
  const operatorToken = randomBytes(32).toString('base64url');
  await addUser(1, 'canary@example.com', password);
  const kept = addKey(1);
  const revoked = addKey(1);
  identity.apiKeys.revoke(revoked.apiKey);
  identity.audit.append({
    actor: 'operator',
    ip: '127.0.0.1',
    action: 'user.create',
    object: 'uid:1',
    result: 'ok',
    requestId: null,
    details: { email: 'canary@example.com', password, operatorToken, secretKey: kept.secretKey },
  });
  const people = plantSecrets();
  const keySecrets = [kept.secretKey, revoked.secretKey];
  const planted = [password, operatorToken, ...keySecrets, masterKeyText, ...people];

  // Open, with a write-ahead log; then closed; then after a rotation.
  for (const secret of planted) expect(findEverywhere(secret)).toEqual([]);
  identity.close();
  for (const secret of planted) expect(findEverywhere(secret)).toEqual([]);
  const rotated = randomBytes(32).toString('hex');
  identity = openIdentity({ dataDir, masterKeys: keysOf(`${rotated},${masterKeyText}`) });
  for (const secret of [...planted, rotated]) expect(findEverywhere(secret)).toEqual([]);

  // The search does find what is there.
  expect(findEverywhere('canary@example.com')).not.toEqual([]);
  expect(findEverywhere(kept.apiKey).length).toBeGreaterThan(1);
});

// Which passwords are accepted, and hashing: argon2id, bounded, silent about which accounts exist,
// and apart from file syncs.
import { describe, expect, test } from 'bun:test';
import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPassword, type PasswordHash, PasswordHasher, Passwords } from './passwords.ts';

const PASSWORD = 'correct horse';
const WRONG = 'correct horsf';
const RIGHT = { ok: true, value: true } as const;
const NO_MATCH = { ok: true, value: false } as const;
const OVERLOADED = { ok: false, name: 'overloaded', retryAfterMs: 1_000 };

const full = new Passwords();
const passwords = new Passwords({ memoryCost: 1_024, timeCost: 1 });

async function hashOf(password: string, by = passwords): Promise<PasswordHash> {
  const hash = await by.hash(password);
  if (!hash.ok) throw new Error(hash.name);
  return hash.value;
}

describe('passwords', () => {
  test('a hash has the full cost and verifies its own password only', async () => {
    const hash = await hashOf(PASSWORD, full);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
    expect(await full.verify(PASSWORD, hash)).toEqual(RIGHT);
    expect(await full.verify(WRONG, hash)).toEqual(NO_MATCH);
    expect(await full.verify('', hash)).toEqual(NO_MATCH);
    expect(await hashOf(PASSWORD, full)).not.toBe(hash);
    expect(full.needsRehash(hash)).toBe(false);
  });

  test('a hash of a lower cost still verifies, and needs a new hash', async () => {
    const hash = await hashOf(PASSWORD);
    expect(await full.verify(PASSWORD, hash)).toEqual(RIGHT);
    expect(full.needsRehash(hash)).toBe(true);
  });

  test('no password matches a missing or a broken hash', async () => {
    const broken = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA' as PasswordHash;
    for (const hash of [null, broken, null]) {
      expect(await passwords.verify(PASSWORD, hash)).toEqual(NO_MATCH);
    }
  });

  test('the same characters typed on another keyboard are the same password', async () => {
    const hash = await hashOf('caf\u00e9 caf\u00e9');
    expect(await passwords.verify('cafe\u0301 cafe\u0301', hash)).toEqual(RIGHT);
  });

  test('a flood is rejected, and the accepted jobs are done', async () => {
    const flood = Array.from({ length: 40 }, () => passwords.verify(PASSWORD, null));
    const rejected = (await Promise.all(flood)).filter(({ ok }) => !ok);
    expect(rejected.length).toBe(40 - 17);
    for (const result of rejected) expect(result).toMatchObject(OVERLOADED);
    expect(await passwords.verify(PASSWORD, null)).toEqual(NO_MATCH);
  });

  test('a flood does not block known users, and known users do not block others', async () => {
    const flood = Array.from({ length: 40 }, () => passwords.verify(PASSWORD, null));
    const order: string[] = [];
    const log = (name: string, of: Promise<unknown>) => of.then(() => order.push(name));
    const unknown = log('unknown', flood[16]!);
    // A user has one place; a second job waits with those of unknown callers.
    const known = ['ann', 'bob', 'cy', 'dan'].map((name) =>
      log(name, passwords.verify(PASSWORD, null, name)),
    );
    expect(await passwords.verify(PASSWORD, null, 'ann')).toMatchObject(OVERLOADED);
    await Promise.all([unknown, ...known]);
    const results = await Promise.all(flood);
    expect(results.filter(({ ok }) => !ok)).toHaveLength(40 - 17);
    expect(order).toEqual(['ann', 'bob', 'cy', 'dan', 'unknown']);
    const all = Array.from({ length: 12 }, (_, n) =>
      log(`known ${n}`, passwords.verify(PASSWORD, null, `known ${n}`)),
    );
    await Promise.all([...all, log('late', passwords.verify(PASSWORD, null))]);
    expect(order.indexOf('late') - 5).toBeWithin(1, 5);
  });

  test('a process that gets no time, or dies, is replaced: no login hangs', async () => {
    await passwords.verify(PASSWORD, null);
    // The newest child is this module's process; other test files may have left theirs.
    const newest = () =>
      Number(
        Bun.spawnSync(['pgrep', '-n', '-P', String(process.pid), '-f', 'password-process']).stdout,
      );
    const pid = newest();
    process.kill(pid, 'SIGSTOP');
    const hash = await hashOf(PASSWORD, full);
    expect(await passwords.verify(PASSWORD, hash)).toEqual(RIGHT);
    const next = newest();
    expect(next).not.toBe(pid);
    const waiting = passwords.verify(PASSWORD, hash);
    process.kill(next, 'SIGKILL');
    await expect(waiting).rejects.toThrow('failed');
    expect(await passwords.verify(PASSWORD, hash)).toEqual(RIGHT);
  });

  test('while no process can be started, a login is rejected, and a later one works', async () => {
    let failures = 0;
    const hasher = new PasswordHasher((_, { onResult }) => {
      if (failures === 5) {
        const send = () => onResult({ matches: true });
        return { ref() {}, unref() {}, send, kill() {} };
      }
      failures += 1;
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    });
    const limited = new Passwords(undefined, hasher);
    const logins = Array.from({ length: 5 }, () => limited.verify(PASSWORD, null));
    for (const login of await Promise.all(logins)) expect(login).toMatchObject(OVERLOADED);
    expect(failures).toBe(5);
    expect(await limited.verify(PASSWORD, await hashOf(PASSWORD))).toEqual(RIGHT);
  });

  test('file syncs do not wait for hashes', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'agio-sync-'));
    const file = openSync(join(directory, 'file'), 'w');
    const sync = promisify(fdatasync);
    let hashing = true;
    const flood = Promise.all(
      Array.from({ length: 12 }, () => full.verify(PASSWORD, null)),
    ).finally(() => {
      hashing = false;
    });
    let syncs = 0;
    for (; hashing; syncs++) {
      writeSync(file, 'x', 0);
      await sync(file);
    }
    await flood;
    closeSync(file);
    rmSync(directory, { recursive: true });
    // In the runtime's pool, twelve hashes leave room for a dozen syncs in all this time.
    expect(syncs).toBeGreaterThan(100);
  });
});

describe('the rules', () => {
  const textOf = (password: string, email: string | null = null) =>
    checkPassword(password, 'password', email)?.text ?? 'accepted';

  test('8 to 128 characters, however many bytes they take', async () => {
    expect(textOf('q7#Lw9z')).toContain('8 to 128');
    expect(textOf('x'.repeat(129))).toContain('8 to 128');
    expect(textOf('q7#Lw9zP')).toBe('accepted');
    expect(textOf('🔑'.repeat(128))).toBe('accepted');
    await expect(passwords.hash('short')).rejects.toThrow(RangeError);
  });

  test.each(['password', 'PASSWORD', '12345678', 'qwertyuiop', 'iloveyou', 'Password1'])(
    '%p is too common',
    (password) => expect(textOf(password)).not.toBe('accepted'),
  );

  test.each([
    'anna.smith',
    'Anna.Smith1990!',
    'smith-1990',
    'agio2030',
    'Agio-Exchange!',
    'annasmith1',
  ])('%p consists of the email address or our name', (password) =>
    expect(textOf(password, 'anna.smith@example.com')).toContain('does not contain'),
  );

  test.each([
    'correct horse battery',
    'annas gray cat eats',
    'agio is where I trade',
    'Tr0ub4dor&3x',
  ])('%p is accepted', (password) =>
    expect(textOf(password, 'anna.smith@example.com')).toBe('accepted'),
  );
});

// What a password may be, and that hashing is argon2id, bounded, silent about who exists, and out
// of the way of file syncs.
import { describe, expect, test } from 'bun:test';
import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  checkPassword,
  hashPassword,
  needsRehash,
  type PasswordHash,
  PasswordsBusyError,
  verifyPassword,
} from './passwords.ts';

/** Hashing gives way to all else on the machine. */
describe('passwords', () => {
  test('a hash verifies its own password only', async () => {
    const hash = await hashPassword('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
    expect(await verifyPassword('correct horse', hash)).toBe(true);
    expect(await verifyPassword('correct horsf', hash)).toBe(false);
    expect(await verifyPassword('', hash)).toBe(false);
    expect(await hashPassword('correct horse')).not.toBe(hash);
    expect(needsRehash(hash)).toBe(false);
  });

  test('a hash of weaker parameters is still right, and is to be made again', async () => {
    const weak = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
    const hash = Bun.password.hashSync('correct horse', weak) as PasswordHash;
    expect(await verifyPassword('correct horse', hash)).toBe(true);
    expect(needsRehash(hash)).toBe(true);
  });

  test('nobody has the decoy', async () => {
    expect(await verifyPassword('correct horsf', null)).toBe(false);
  });

  test('a broken hash matches nothing and harms nobody', async () => {
    const broken = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA' as PasswordHash;
    expect(await verifyPassword('correct horse', broken)).toBe(false);
    expect(await verifyPassword('correct horse', null)).toBe(false);
  });

  test('the same characters typed on another keyboard are the same password', async () => {
    const hash = await hashPassword('caf\u00e9 caf\u00e9');
    expect(await verifyPassword('cafe\u0301 cafe\u0301', hash)).toBe(true);
  });

  test('a flood is turned away, and those admitted are served', async () => {
    const flood = Array.from({ length: 40 }, () => verifyPassword('correct horse', null));
    const results = await Promise.allSettled(flood);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBe(40 - 17);
    for (const result of refused) expect(result.reason).toBeInstanceOf(PasswordsBusyError);
    expect(await verifyPassword('correct horse', null)).toBe(false);
  });

  test('a flood does not shut out who is known, and the known do not shut out the others', async () => {
    const flood = Array.from({ length: 40 }, () =>
      verifyPassword('correct horse', null).catch(() => 'refused'),
    );
    const order: string[] = [];
    const log = (name: string, of: Promise<unknown>) => of.then(() => order.push(name));
    const stranger = log('stranger', flood[16]!);
    // The same person has one place, and stands with the others for the next one.
    const known = ['ann', 'bob', 'cy', 'dan'].map((name) =>
      log(name, verifyPassword('correct horse', null, name)),
    );
    await expect(verifyPassword('correct horse', null, 'ann')).rejects.toThrow(PasswordsBusyError);
    await Promise.all([stranger, ...known]);
    const served = await Promise.all(flood);
    expect(served.filter((answer) => answer === 'refused')).toHaveLength(40 - 17);
    expect(order).toEqual(['ann', 'bob', 'cy', 'dan', 'stranger']);
    const all = Array.from({ length: 12 }, (_, n) =>
      log(`known ${n}`, verifyPassword('correct horse', null, `known ${n}`)),
    );
    await Promise.all([...all, log('late', verifyPassword('correct horse', null))]);
    const late = order.indexOf('late') - 5;
    expect(late).toBeWithin(1, 5);
  });

  test('a process that gets no time, or dies, is replaced: no login hangs', async () => {
    await verifyPassword('correct horse', null);
    // The newest child is this module's process; other test files may have left theirs.
    const newest = () =>
      Number(
        Bun.spawnSync(['pgrep', '-n', '-P', String(process.pid), '-f', 'password-process']).stdout,
      );
    const pid = newest();
    process.kill(pid, 'SIGSTOP');
    const hash = await hashPassword('correct horse');
    expect(await verifyPassword('correct horse', hash)).toBe(true);
    const next = newest();
    expect(next).not.toBe(pid);
    const waiting = verifyPassword('correct horse', hash);
    process.kill(next, 'SIGKILL');
    await expect(waiting).rejects.toThrow('failed');
    expect(await verifyPassword('correct horse', hash)).toBe(true);
  });

  test('file syncs do not wait for hashes', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'agio-sync-'));
    const file = openSync(join(directory, 'file'), 'w');
    const sync = promisify(fdatasync);
    let hashing = true;
    const flood = Promise.allSettled(
      Array.from({ length: 12 }, () => verifyPassword('correct horse', null)),
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

describe('what may be chosen', () => {
  const textOf = (password: string, email: string | null = null) =>
    checkPassword(password, 'password', email)?.text ?? 'accepted';

  test('8 to 128 characters, however many bytes they take', async () => {
    expect(textOf('q7#Lw9z')).toContain('8 to 128');
    expect(textOf('x'.repeat(129))).toContain('8 to 128');
    expect(textOf('q7#Lw9zP')).toBe('accepted');
    expect(textOf('🔑'.repeat(128))).toBe('accepted');
    await expect(hashPassword('short')).rejects.toThrow(RangeError);
  });

  test.each(['password', 'PASSWORD', '12345678', 'qwertyuiop', 'iloveyou', 'Password1'])(
    '%p is tried first',
    (password) => expect(textOf(password)).not.toBe('accepted'),
  );

  test.each([
    'anna.smith',
    'Anna.Smith1990!',
    'smith-1990',
    'agio2030',
    'Agio-Exchange!',
    'annasmith1',
  ])('%p is made of what everybody knows', (password) =>
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

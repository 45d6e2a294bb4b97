// What a password may be, and that hashing is argon2id, bounded, and silent about who exists.
import { describe, expect, test } from 'bun:test';
import { checkPassword, hashPassword, PasswordsBusyError, verifyPassword } from './passwords.ts';

describe('passwords', () => {
  test('a hash verifies its own password only', async () => {
    const hash = await hashPassword('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword('correct horse', hash)).toBe(true);
    expect(await verifyPassword('correct horsf', hash)).toBe(false);
    expect(await verifyPassword('', hash)).toBe(false);
    expect(await hashPassword('correct horse')).not.toBe(hash);
  });

  test('nobody has the decoy', async () => {
    expect(await verifyPassword('correct horse', null)).toBe(false);
  });

  test('8 to 128 characters, however many bytes they take', async () => {
    expect(checkPassword('1234567')?.text).toContain('8 to 128');
    expect(checkPassword('x'.repeat(129))).toBeDefined();
    expect(checkPassword('12345678')).toBeUndefined();
    expect(checkPassword('🔑'.repeat(128))).toBeUndefined();
    await expect(hashPassword('short')).rejects.toThrow(RangeError);
  });

  test('the same characters typed on another keyboard are the same password', async () => {
    const hash = await hashPassword('caf\u00e9 caf\u00e9');
    expect(await verifyPassword('cafe\u0301 cafe\u0301', hash)).toBe(true);
  });

  test('a flood is turned away, and those admitted are served', async () => {
    const flood = Array.from({ length: 80 }, () => verifyPassword('correct horse', null));
    const results = await Promise.allSettled(flood);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBe(80 - 66);
    for (const result of refused) expect(result.reason).toBeInstanceOf(PasswordsBusyError);
    expect(await verifyPassword('correct horse', null)).toBe(false);
  });
});

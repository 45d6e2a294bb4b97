// A login while no process can be started, because descriptors or memory have run out, is turned away,
// and nothing hangs.
import { expect, test } from 'bun:test';
import { hashPassword, PasswordHasher, PasswordsBusyError, verifyPassword } from './passwords.ts';

const PASSWORD = 'a password that is long enough';

test('a login is turned away while no process can be started, and the next one that can is served', async () => {
  let failures = 0;
  const hash = await hashPassword(PASSWORD);
  const hasher = new PasswordHasher((_, { onResult }) => {
    if (failures === 5) {
      const send = () => onResult({ matches: true });
      return { ref() {}, unref() {}, send, kill() {} };
    }
    failures += 1;
    throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  });
  const logins = Array.from({ length: 5 }, () => verifyPassword(PASSWORD, null, null, hasher));
  for (const login of await Promise.allSettled(logins)) {
    expect(login.status).toBe('rejected');
    const { reason } = login as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(PasswordsBusyError);
  }
  expect(failures).toBe(5);
  expect(await verifyPassword(PASSWORD, hash, null, hasher)).toBe(true);
});

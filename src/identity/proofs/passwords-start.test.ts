// Logins where no process can be started, because descriptors or memory have run out: they are turned away, and nothing hangs.
import { expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import { hashPassword, PasswordsBusyError, verifyPassword } from './passwords.ts';

setDefaultTimeout(60_000);

const PASSWORD = 'a password that is long enough';

test('a login is turned away while no process can be started, and the next one that can is served', async () => {
  const spawn = spyOn(Bun, 'spawn').mockImplementation(() => {
    throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  });
  try {
    const logins = Array.from({ length: 5 }, () => verifyPassword(PASSWORD, null));
    for (const { status, reason } of (await Promise.allSettled(
      logins,
    )) as PromiseRejectedResult[]) {
      expect(status).toBe('rejected');
      expect(reason).toBeInstanceOf(PasswordsBusyError);
    }
    expect(spawn).toHaveBeenCalledTimes(5);
  } finally {
    spawn.mockRestore();
  }
  const hash = await hashPassword(PASSWORD);
  expect(await verifyPassword(PASSWORD, hash)).toBe(true);
});

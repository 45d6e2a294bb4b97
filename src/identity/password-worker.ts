// The thread that hashes passwords, one at a time. It is a thread of its own because the runtime's
// asynchronous hashing shares its pool with file syncs: on two cores, two hashes at once make an
// fdatasync take 7 ms instead of 0.1 ms, and eight make it take 110 ms. It has a low priority, so
// that a flood of logins gives way to orders. Messages are in passwords.ts.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { PasswordJob, PasswordResult } from './passwords.ts';

const NICE = 10;

// On Linux, and there alone, a priority is of the calling thread and not of the process.
if (process.platform === 'linux') setPriority(0, NICE);

function resultOf(job: PasswordJob): PasswordResult {
  const { password, against, options } = job;
  try {
    return against === null
      ? { hash: Bun.password.hashSync(password, options) }
      : { matches: Bun.password.verifySync(password, against) };
  } catch (error) {
    // Only the name: a message could quote its input.
    return { failed: error instanceof Error ? error.name : 'unknown' };
  }
}

parentPort?.on('message', (job: PasswordJob) => parentPort?.postMessage(resultOf(job)));

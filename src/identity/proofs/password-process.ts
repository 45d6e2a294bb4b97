// The process that hashes passwords, one at a time. It runs only while the processor has nothing
// else to do, because a hash would delay orders otherwise:
//
// - in the runtime's pool it would share threads with file syncs: two parallel hashes make an
//   fdatasync take 7 ms instead of 0.1 ms on two cores, and eight make it take 110 ms;
// - in a thread of the server it would share the lock of the memory map, which a suspended thread
//   must not hold, and the server's share of the processor, which Linux assigns to whole sessions.
//
// Measured by `npm run bench -- flood`.
//
// On a machine that is never idle, passwords.ts starts it with the argument `low`, for a small
// share of the processor. It has no environment, so it has no secret of the server.
import { dlopen, FFIType } from 'bun:ffi';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { PasswordJob, PasswordResult } from './passwords.ts';

/** The priority of `low`: a third of an even share. */
const NICE = 5;
const NICEST = 19;
/** From sched.h: runs only while no other process wants to. */
const SCHED_IDLE = 5;

/** Lowers the priority: the idle class where it exists, a low priority otherwise. */
function giveWay(): void {
  setPriority(0, NICE);
  if (process.platform !== 'linux') return;
  const isLow = process.argv[2] === 'low';
  shrinkShare(isLow ? NICE : NICEST);
  if (isLow) return;
  try {
    const { symbols } = dlopen('libc.so.6', {
      sched_setscheduler: { args: [FFIType.i32, FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
    });
    // struct sched_param: the static priority, which is 0 in this class. 0 is the calling thread.
    symbols.sched_setscheduler(0, SCHED_IDLE, new Int32Array(1));
  } catch {
    // Another C library has no such function; the share is already small.
  }
}

/**
 * Lowers the share of this process's session: Linux divides the processor evenly among sessions,
 * whatever the priorities within them (sched(7), autogroup).
 */
function shrinkShare(nice: number): void {
  try {
    writeFileSync('/proc/self/autogroup', String(nice));
  } catch {
    // A system without autogroups: only the class decides.
  }
}

function resultOf(job: PasswordJob): PasswordResult {
  const { password, against, cost } = job;
  try {
    return against === null
      ? { hash: Bun.password.hashSync(password, { algorithm: 'argon2id', ...cost }) }
      : { matches: Bun.password.verifySync(password, against) };
  } catch (error) {
    // Only the name: the message could quote the password.
    return { failed: error instanceof Error ? error.name : 'unknown' };
  }
}

giveWay();
process.on('message', (job: PasswordJob) => process.send?.(resultOf(job)));
// Ends with the server, however that ends; only the server handles Ctrl-C.
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

// The process that hashes passwords, one at a time. It is a process of its own, and one that works
// only while the processor has nothing else to do, because of what a hash costs an order otherwise:
//
// - in the runtime's pool it would share threads with file syncs: two hashes at once make an
//   fdatasync take 7 ms instead of 0.1 ms on two cores, and eight make it take 110 ms;
// - in a thread of the server it would share a memory map with it, whose lock somebody who may be
//   put off at any time must not hold, and its share of the processor, which Linux gives to whole
//   sessions; a low priority is one within the session. Measured by `npm run bench -- login-flood`.
//
// A machine that is never idle would make a login wait for ever: passwords.ts then starts one with
// the argument `low`, which has a small share of the processor instead of what is left. Messages are there as well. This process
// has no environment, so that no secret of the server is in it.
import { dlopen, FFIType } from 'bun:ffi';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { PasswordJob, PasswordResult } from './passwords.ts';

/** In the place of what is left: a third of what an even share would be. */
const NICE = 5;
const NICEST = 19;
/** Of sched.h: runs only when nobody else wants to. */
const SCHED_IDLE = 5;

/** Where the idle class is not to be had, a low priority has to do. */
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
    // Another C library: the share is small already.
  }
}

/**
 * The share of this session, which has nobody else in it: Linux divides the processor evenly among
 * sessions, whatever the priorities within them (sched(7), autogroup).
 */
function shrinkShare(nice: number): void {
  try {
    writeFileSync('/proc/self/autogroup', String(nice));
  } catch {
    // A system without autogroups, where the class alone decides.
  }
}

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

giveWay();
process.on('message', (job: PasswordJob) => process.send?.(resultOf(job)));
// The server has ended, however it ended; a Ctrl-C at the terminal is for it to answer.
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

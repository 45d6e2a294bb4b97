// The priority of a worker thread, which is below the leader's: its delay costs a reader some ms, a
// late order costs the market.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Gives the calling thread this niceness (1 to 19, the lowest priority), on Linux only. */
export function lowerThreadPriority(niceness: number): void {
  if (process.platform !== 'linux') return;
  try {
    // <pid>/task/<thread id>
    const threadId = Number(readlinkSync('/proc/thread-self').split('/')[2]);
    setPriority(threadId, niceness);
  } catch {
    // Without /proc, or in a sandbox that forbids it, the thread runs like any other.
  }
}

// The memory of a process and the processor time of its threads, as Linux accounts for them; NaN
// on other systems.
import { heapStats } from 'bun:jsc';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const HAS_ACCOUNTS = existsSync('/proc/self/clear_refs');
const RESET_PEAK = '5';

function statusBytes(pid: number, name: string): number {
  if (!HAS_ACCOUNTS) return Number.NaN;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]) * 1024;
}

/** The peak counts from here on. Returns the resident bytes that the process has now. */
export function resetPeak(pid: number): number {
  if (HAS_ACCOUNTS) writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
  return statusBytes(pid, 'VmRSS');
}

export const peakOf = (pid: number): number => statusBytes(pid, 'VmHWM');

export interface Memory {
  /** Bytes of the whole process, by the operating system. */
  readonly resident: number;
  /** Bytes of live objects and typed arrays. */
  readonly live: number;
}

/** The memory of this process after full collections, and time for the allocator to free pages. */
export async function settledMemory(): Promise<Memory> {
  for (let i = 0; i < 5; i++) {
    Bun.gc(true);
    await Bun.sleep(200);
  }
  // The heap's size has the memory of typed arrays in it.
  return { resident: process.memoryUsage.rss(), live: heapStats().heapSize };
}

/** The growth between two looks, for each of `count` objects. */
export const growthOf = (before: Memory, after: Memory, count: number): Memory => ({
  resident: (after.resident - before.resident) / count,
  live: (after.live - before.live) / count,
});

export const THREADS = ['main', 'follower', 'disk', 'runtime'] as const;
/** Milliseconds by thread. */
export type ThreadTimes = Readonly<Record<(typeof THREADS)[number], number>>;

/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10;
/** Fields of /proc/PID/task/TID/stat after the name, which may contain spaces. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

export function threadTimes(pid: number): ThreadTimes {
  const start = HAS_ACCOUNTS ? 0 : Number.NaN;
  const times = { main: start, follower: start, disk: start, runtime: start };
  for (const thread of HAS_ACCOUNTS ? readdirSync(`/proc/${pid}/task`) : []) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    const nameEnd = stat.lastIndexOf(')');
    const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
    const fields = stat.slice(nameEnd + 2).split(' ');
    const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
    times[roleOf(name, thread === String(pid))] += ticks * MS_PER_TICK;
  }
  return times;
}

/** Compilation and garbage collection have threads of their own, which serve all others. */
function roleOf(name: string, isMain: boolean): keyof ThreadTimes {
  if (isMain) return 'main';
  if (name === 'Worker') return 'follower';
  return name.startsWith('Bun Pool') ? 'disk' : 'runtime';
}

/** Microseconds of each thread since `before`, for each of `count` requests. */
export function timesSince(before: ThreadTimes, pid: number, count: number): ThreadTimes {
  const now = threadTimes(pid);
  const shares = THREADS.map((name) => [name, ((now[name] - before[name]) * 1000) / count]);
  return Object.fromEntries(shares) as ThreadTimes;
}

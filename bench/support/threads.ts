// Processor time of a server's threads, as Linux accounts for it.
import { readdirSync, readFileSync } from 'node:fs';

export const THREADS = ['main', 'follower', 'disk', 'runtime'] as const;
type ThreadName = (typeof THREADS)[number];

/** Milliseconds by thread. */
export type ThreadTimes = Readonly<Record<ThreadName, number>>;

/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10;
/** Fields of /proc/PID/task/TID/stat after the name, which may contain spaces. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** Null where the system has no /proc. */
export function threadTimes(pid: number): ThreadTimes | null {
  const times = { main: 0, follower: 0, disk: 0, runtime: 0 };
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return null;
  }
  for (const thread of threads) {
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
function roleOf(name: string, isMain: boolean): ThreadName {
  if (isMain) return 'main';
  if (name === 'Worker') return 'follower';
  return name.startsWith('Bun Pool') ? 'disk' : 'runtime';
}

/** Microseconds of each thread for each of `count` requests between two readings. */
export function perRequest(
  before: ThreadTimes | null,
  after: ThreadTimes | null,
  count: number,
): ThreadTimes | null {
  if (before === null || after === null) return null;
  const share = (name: ThreadName): number => ((after[name] - before[name]) * 1000) / count;
  return {
    main: share('main'),
    follower: share('follower'),
    disk: share('disk'),
    runtime: share('runtime'),
  };
}

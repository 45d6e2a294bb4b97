// The measurement of agio bench, and the projection that follows from it.
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { type DiskSpeed, measureDisk } from './disk.ts';
import { type Load, LoadClient } from './load.ts';
import { samplesOf, TemporaryNode } from './node.ts';

/** Microseconds of processor time for an order, by thread. */
export type CpuPerOrder = Readonly<Record<string, number>>;

export interface Measurements {
  readonly machine: { readonly cores: number; readonly model: string; readonly memory: number };
  readonly disk: DiskSpeed;
  readonly load: Load;
  readonly connections: number;
  /** The clock stops when the views have every order. */
  readonly ordersPerSecond: number;
  readonly cpuPerOrder: CpuPerOrder;
  /** The load's own, which is made on the same machine. */
  readonly clientCpuPerOrder: number;
}

const CONNECTIONS = 64;
/** Parts of the whole time. */
const DISK = 0.1;
const WARM_UP = 0.2;
/** Threads report their time a few times a second. */
const REPORTED_MS = 500;
const THREAD_CPU = /^agio_thread_cpu_seconds_total\{thread="(.+)"\}$/;

export async function measure(parent: string, seconds: number): Promise<Measurements> {
  await using node = await TemporaryNode.start(parent);
  const disk = measureDisk(join(node.directory, 'blocks'), seconds * DISK);
  const client = await LoadClient.connect(node.url, await node.customers(CONNECTIONS));
  try {
    await client.run(seconds * WARM_UP);
    await node.caughtUp();
    const before = await threadSeconds(node.url);
    const clientBefore = process.cpuUsage();
    const start = performance.now();
    const load = await client.run(seconds * (1 - DISK - WARM_UP));
    const { user, system } = process.cpuUsage(clientBefore);
    await node.caughtUp();
    const ordersPerSecond = (load.orders * 1000) / (performance.now() - start);
    const after = await threadSeconds(node.url);
    return {
      machine: { cores: availableParallelism(), model: cpus()[0]?.model ?? '', memory: totalmem() },
      disk,
      load,
      connections: CONNECTIONS,
      ordersPerSecond,
      cpuPerOrder: cpuPerOrder(before, after, load.orders),
      clientCpuPerOrder: (user + system) / load.orders,
    };
  } finally {
    client.close();
  }
}

type ThreadSeconds = ReadonlyMap<string, number>;

/** Seconds of processor time by thread, of the node at `url`. */
async function threadSeconds(url: string): Promise<ThreadSeconds> {
  await Bun.sleep(REPORTED_MS);
  const found = new Map<string, number>();
  for (const [name, value] of await samplesOf(url)) {
    const thread = THREAD_CPU.exec(name)?.[1];
    if (thread !== undefined) found.set(thread, value);
  }
  return found;
}

/** Between two readings with so many orders. */
function cpuPerOrder(before: ThreadSeconds, after: ThreadSeconds, orders: number): CpuPerOrder {
  const microseconds = [...after].map(([thread, time]) => {
    return [thread, ((time - (before.get(thread) ?? 0)) * 1e6) / orders] as const;
  });
  return Object.fromEntries(microseconds.filter(([, value]) => value > 0));
}

export const PROJECTED_CORES: readonly number[] = [4, 8, 16];
/** Work that any number of threads share. */
const SHARED: readonly string[] = ['other'];

export interface Projection {
  readonly cores: number;
  readonly ordersPerSecond: number;
  /** All cores, or the thread whose core is fully used at this rate. */
  readonly limit: string;
}

/**
 * The rate that `cores` allow: no thread uses more than one of them, and all threads together no
 * more than there are.
 */
export function projected(cpuPerOrder: CpuPerOrder, cores: number): Projection {
  const threads = Object.entries(cpuPerOrder);
  const all = threads.reduce((sum, [, microseconds]) => sum + microseconds, 0);
  const limits = threads.filter(([thread]) => !SHARED.includes(thread));
  limits.push(['all cores', all / cores]);
  const [limit, longest] = limits.reduce((most, one) => (one[1] > most[1] ? one : most));
  return { cores, ordersPerSecond: 1e6 / longest, limit };
}

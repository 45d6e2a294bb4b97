// The way from the nodes of a simulated cluster to their store: slow, cut, or to a store without
// room. A call that takes longer than the store's timeout has no answer, and may yet arrive.
import { type ClusterStore, StoreError } from '../../src/cluster/store.ts';
import { type MemoryCluster, MemoryStore } from '../support/memory-store.ts';
import type { Prng } from '../support/prng.ts';
import type { SimulatedProcess, SimulatedTime } from './simulated-time.ts';

/** The same as those of the store in PostgreSQL. */
const LEASE_TIMEOUT_MS = 2000;
const WRITE_TIMEOUT_MS = 5000;
const READ_TIMEOUT_MS = 30_000;
const LEASE_CALLS: ReadonlySet<string> = new Set([
  'readLease',
  'acquire',
  'renew',
  'handOver',
  'members',
  'register',
  'beat',
  'leave',
  'forget',
  'raiseRules',
]);
const WRITE_CALLS: ReadonlySet<string> = new Set(['append', 'writeIdentity']);

type Cut = 'request' | 'answer';

export class StoreWeather {
  readonly #time: SimulatedTime;
  readonly #random: Prng;
  readonly #cuts = new Map<string, Cut>();
  /** The store is down for everybody. */
  isDown = false;
  isFull = false;
  /** The longest way, ms. */
  slowness = 0;

  constructor(
    readonly cluster: MemoryCluster,
    time: SimulatedTime,
    random: Prng,
  ) {
    this.#time = time;
    this.#random = random;
  }

  /** Cuts the way of one node, or heals it. */
  cut(node: string, cut: Cut | null): void {
    if (cut === null) this.#cuts.delete(node);
    else this.#cuts.set(node, cut);
  }

  /** The store as a process of this node has it; it has nothing once `isAlive` is false. */
  storeOf(node: string, process: SimulatedProcess, isAlive: () => boolean): ClusterStore {
    const store: MemoryStore = new MemoryStore(this.cluster, async (way) => {
      await this.#pass(process, way);
      store.fault = this.isDown ? 'request' : (this.#cuts.get(node) ?? null);
      store.full = this.isFull;
    });
    return new Proxy<ClusterStore>(store, {
      get: (_target, name) => {
        const call = name as keyof ClusterStore;
        return (...given: unknown[]) => {
          if (!isAlive()) return Promise.reject(new StoreError('unreachable', 'the end'));
          const act = store[call] as (...given: unknown[]) => Promise<unknown>;
          return within(timeoutOf(call), act.apply(store, given));
        };
      },
    });
  }

  /** The way there goes on without its process; the way back ends at it. */
  #pass(process: SimulatedProcess, way: 'request' | 'answer'): Promise<void> {
    const random = this.#random;
    const usual = random.oneIn(30) ? random.below(80) : random.below(1500) / 1000;
    const slow = this.slowness > 0 ? random.below(this.slowness) : 0;
    return this.#time.as(way === 'request' ? null : process, () => this.#time.sleep(usual + slow));
  }
}

function timeoutOf(call: string): number {
  if (LEASE_CALLS.has(call)) return LEASE_TIMEOUT_MS;
  return WRITE_CALLS.has(call) ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS;
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new StoreError('unreachable', 'the store does not answer in time'));
  const timer = setTimeout(giveUp, milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

// Keeps clients from using up the descriptors that journal, snapshots and databases need. The HTTP
// server accepts every connection, so the guard counts descriptors. Above a mark it rejects new
// connections and ends the least used ones of the largest networks.
import type { Logger } from 'pino';
import { type ClientConnection, openSockets, type Sockets } from './sockets.ts';

/** The interval of the checks. */
const LOOK_MS = 10;
/** Above this part of the mark, connections that are silent for `SHORT_IDLE_MS` end. */
const PRESSURE = 0.75;
/** Longer than the heartbeat interval of a quiet websocket. */
const SHORT_IDLE_MS = 30_000;
const IDLE_SWEEP_MS = 1000;
/** The shortest time between two cuts above the mark, unless the reserve is in danger. */
const FULL_SWEEP_MS = 500;
/** A cut goes down to this part of the mark. */
const RELIEF = 0.9;
/** The part of the descriptor limit for everything but connections. */
const RESERVED_PART = 1 / 4;
const MIN_RESERVED = 64;
const MAX_RESERVED = 1024;
/** The part of the reserve that connections may use until the next sweep. */
const BORROWED_PART = 1 / 4;
/** Connections that may wait to be accepted: the HTTP server's number, and above the mark. */
const BACKLOG = 512;
const FULL_BACKLOG = 1;
/**
 * Descriptors that are looked at, and connections that are ended, before the event loop goes on.
 */
const LOOKS_AT_ONCE = 1024;
const ENDS_AT_ONCE = 128;

/** Below it, ordinary use can reach the mark. */
const FEW_CONNECTIONS = 1000;

/** Guards the connections of `port`; null where the system does not show them. */
export function guardConnections(
  port: number,
  maxConnections: number,
  log: Pick<Logger, 'warn'>,
): ConnectionGuard | null {
  const sockets = openSockets();
  if (sockets === null) {
    log.warn('connections are not counted on this system: limit them in a proxy');
    return null;
  }
  const guard = new ConnectionGuard(sockets, port, maxConnections);
  const { highWater } = guard;
  if (highWater < FEW_CONNECTIONS) {
    const { limit } = sockets;
    log.warn({ limit, highWater }, 'few descriptors: raise the limit of open files (LimitNOFILE)');
  }
  guard.start();
  return guard;
}

export class ConnectionGuard {
  readonly #sockets: Sockets;
  readonly #port: number;
  readonly #maxConnections: number;
  readonly #reserved: number;
  /** Descriptors that are no connections. */
  #own: number;
  /** Connections above the mark that may wait for the next sweep. */
  readonly #borrowed: number;
  #ended = 0;
  #rejects = false;
  #sweeping = false;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #fullAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setInterval> | null = null;

  /** Create it when the server listens on `port` and has no connection yet. */
  constructor(sockets: Sockets, port: number, maxConnections: number) {
    this.#sockets = sockets;
    this.#port = port;
    this.#maxConnections = maxConnections;
    this.#own = sockets.count();
    this.#reserved = reservedOf(sockets.limit);
    this.#borrowed = Math.floor(this.#reserved * BORROWED_PART);
  }

  /** Above this number of connections, some end. */
  get highWater(): number {
    const free = this.#sockets.limit - this.#reserved - this.#own;
    return Math.max(1, Math.min(this.#maxConnections, free));
  }

  /** Counts the descriptors of the server again, once it has opened its files. */
  rebase(): void {
    const count = this.#sockets.count();
    let connections = 0;
    for (let descriptor = 3; descriptor < this.#lastOf(count); descriptor++) {
      if (this.#sockets.connection(descriptor, this.#port) !== null) connections++;
    }
    this.#own = count - connections;
  }

  /** The system assigns the lowest free number, so nearly all descriptors are below the count. */
  #lastOf(count: number): number {
    return Math.min(this.#sockets.limit, 2 * count + LOOKS_AT_ONCE);
  }

  get connections(): number {
    return Math.max(0, this.#sockets.count() - this.#own);
  }

  /** Connections that were ended since the start. */
  get ended(): number {
    return this.#ended;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(performance.now()), LOOK_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Rejects and ends connections if there are too many; `now` in ms. */
  async look(now: number): Promise<void> {
    const { connections, highWater } = this;
    this.#reject(connections > highWater * (this.#rejects ? RELIEF : 1));
    if (this.#sweeping) return;
    const isUrgent = connections > highWater + this.#borrowed;
    const isFull = isUrgent || (connections > highWater && now - this.#fullAt >= FULL_SWEEP_MS);
    const isPressed = connections > PRESSURE * highWater && now - this.#sweptAt >= IDLE_SWEEP_MS;
    if (!isFull && !isPressed) return;
    this.#sweeping = true;
    this.#sweptAt = now;
    if (isFull) this.#fullAt = now;
    try {
      const held = await this.#held();
      const idle = held.filter(({ silentMs }) => silentMs >= SHORT_IDLE_MS);
      const lively = held.filter(({ silentMs }) => silentMs < SHORT_IDLE_MS);
      const surplus = isFull ? Math.ceil(connections - RELIEF * highWater) - idle.length : 0;
      await this.#end([...idle, ...surplusOf(lively, surplus)]);
    } finally {
      this.#sweeping = false;
    }
  }

  /** Connections that are not accepted cost nothing: the system drops them, and clients retry. */
  #reject(rejects: boolean): void {
    if (rejects === this.#rejects) return;
    this.#rejects = rejects;
    this.#sockets.setBacklog(this.#port, rejects ? FULL_BACKLOG : BACKLOG);
  }

  async #held(): Promise<ClientConnection[]> {
    const held: ClientConnection[] = [];
    const last = this.#lastOf(this.#sockets.count());
    for (let descriptor = 3; descriptor < last; descriptor++) {
      const found = this.#sockets.connection(descriptor, this.#port);
      if (found !== null) held.push(found);
      if (descriptor % LOOKS_AT_ONCE === 0) await nextTurn();
    }
    return held;
  }

  /** Checks each descriptor again, since the system may have closed and reused it meanwhile. */
  async #end(chosen: readonly ClientConnection[]): Promise<void> {
    let n = 0;
    for (const { descriptor, silentMs } of chosen) {
      const now = this.#sockets.connection(descriptor, this.#port);
      if (now !== null && now.silentMs >= silentMs) {
        this.#sockets.end(descriptor);
        this.#ended++;
      }
      if (++n % ENDS_AT_ONCE === 0) await nextTurn();
    }
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function reservedOf(limit: number): number {
  return Math.min(MAX_RESERVED, Math.max(MIN_RESERVED, Math.ceil(limit * RESERVED_PART)));
}

/**
 * The `count` connections to end: the surplus of the largest networks, so that a caller who opens
 * thousands loses only their own; in each network the least used ones.
 */
export function surplusOf(held: readonly ClientConnection[], count: number): ClientConnection[] {
  if (count <= 0) return [];
  const byNetwork = Map.groupBy(held, ({ network }) => network);
  const sizes = [...byNetwork.values()].map(({ length }) => length);
  const above = (cap: number) => sizes.reduce((sum, size) => sum + Math.max(0, size - cap), 0);
  let cap = 0;
  for (let step = 1 << 20; step >= 1; step >>= 1) if (above(cap + step) >= count) cap += step;
  const surplus = [...byNetwork.values()].flatMap((own) =>
    own.length <= cap ? [] : own.toSorted(byUse).slice(0, own.length - cap),
  );
  return surplus.toSorted(byUse).slice(0, count);
}

/** Connections without an answer come first, the oldest of them before the others. */
const byUse = (a: ClientConnection, b: ClientConnection): number =>
  a.received - b.received || b.silentMs - a.silentMs;

// The newest state of the database that this node has seen. A server with an older one lacks
// commits, such as a primary that comes back after a promotion, and the node does not use it. A
// file in the data directory keeps the state over restarts.
import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE } from '../../identity/storage/private-file.ts';
import { StoreError } from '../store.ts';

/** A server's state at one moment. */
export interface DatabaseState {
  /** Made by initdb; standbys and restored backups have the same. */
  readonly systemId: string;
  /** Each promotion begins the next one. */
  readonly timeline: number;
  /** The end of the WAL on its disk, as PostgreSQL writes it: 16/B374D848. */
  readonly flushed: string;
}

/** A server that accepts writes. */
export interface ServerState {
  /** Its address, for messages. */
  readonly name: string;
  readonly state: DatabaseState;
}

/** A running node saves how far the WAL is so often; a new timeline immediately. */
const SAVE_EVERY_MS = 10_000;

export interface KnownDatabaseOptions {
  /** null keeps the state in memory. */
  readonly dataDir?: string | null;
  /** Where another process writes the file. */
  readonly isReadOnly?: boolean;
  readonly warn?: (sentence: string) => void;
}

export class KnownDatabase {
  readonly #path: string | null;
  readonly #isReadOnly: boolean;
  readonly #warn: (sentence: string) => void;
  #newest: DatabaseState | null = null;
  /** The last rejected state of each server that was logged. */
  readonly #logged = new Map<string, string>();
  #savedAt = -SAVE_EVERY_MS;
  #savedState: DatabaseState | null = null;
  #saving: Promise<void> = Promise.resolve();

  /** Throws `rejected` where the file is damaged. */
  constructor({ dataDir = null, isReadOnly = false, warn }: KnownDatabaseOptions = {}) {
    this.#path = dataDir === null ? null : join(dataDir, 'database.json');
    this.#isReadOnly = isReadOnly;
    this.#warn = warn ?? (() => {});
    if (this.#path !== null) this.#newest = readState(this.#path);
    this.#savedState = this.#newest;
  }

  get newest(): DatabaseState | null {
    return this.#newest;
  }

  /** Resolves once the file has the newest state. */
  close(): Promise<void> {
    if (this.#newest !== this.#savedState) this.#save();
    return this.#saving;
  }

  /** Resolves once the file has the timeline. */
  get saved(): Promise<void> {
    return this.#saving;
  }

  /** True once a server with a newer timeline was used. */
  isOutdated({ timeline }: DatabaseState): boolean {
    return this.#newest !== null && timeline < this.#newest.timeline;
  }

  /**
   * The server to use of these, which accept writes. Throws `unreachable` where none is to be used.
   * `before`: the newest state when they were asked; other connections may have seen more since.
   */
  newestOf<S extends ServerState>(servers: readonly S[], before: DatabaseState | null): S {
    const usable = servers.filter((server) => this.problemOf(server, before) === null);
    const [newest, ...others] = usable.toSorted((a, b) => b.state.timeline - a.state.timeline);
    if (newest === undefined) {
      throw new StoreError('unreachable', this.problemOf(servers[0]!, before)!);
    }
    const other = others.find(({ state }) => state.systemId !== newest.state.systemId);
    if (other !== undefined) throw differentDatabases(newest, other);
    this.learn(newest.state);
    for (const server of servers) this.#log(server, this.problemOf(server, before));
    return newest;
  }

  /** A server that is used has this state. */
  learn(state: DatabaseState): void {
    const newest = this.#newest;
    const isRise = newest === null || state.timeline > newest.timeline;
    const isLonger =
      state.timeline === newest?.timeline && bytesOf(state.flushed) > bytesOf(newest.flushed);
    if (!(isRise || isLonger)) return;
    this.#newest = state;
    if (isRise || performance.now() - this.#savedAt >= SAVE_EVERY_MS) this.#save();
  }

  /** Why a server is not used, as a sentence; null where it may be. */
  problemOf({ name, state }: ServerState, before: DatabaseState | null): string | null {
    const newest = this.#newest;
    if (newest === null) return null;
    const { systemId, timeline, flushed } = state;
    const ignored = `The node does not use PostgreSQL at ${name}`;
    const unless = `if you restored or moved it, stop all nodes and remove ${this.#file}`;
    if (systemId !== newest.systemId) {
      return (
        `${ignored}, another database (system identifier ${systemId}, not ${newest.systemId}): ` +
        `correct the database URL, or, ${unless}.`
      );
    }
    if (timeline < newest.timeline) {
      return (
        `${ignored}, an old primary (timeline ${timeline}, and ${newest.timeline} has begun): ` +
        `stop it and make it a standby of the new primary, or, ${unless}.`
      );
    }
    const isSame = before !== null && timeline === before.timeline;
    if (!isSame || bytesOf(flushed) >= bytesOf(before.flushed)) return null;
    return (
      `${ignored}, which has lost commits (its WAL ends at ${flushed}, and had reached ` +
      `${before.flushed}): restore the newest backup, or, ${unless}.`
    );
  }

  /** Logs why a server is not used while another one is, once for each state. */
  #log({ name, state }: ServerState, problem: string | null): void {
    const key = `${state.systemId} ${state.timeline}`;
    if (problem === null || this.#logged.get(name) === key) return;
    this.#logged.set(name, key);
    this.#warn(problem);
  }

  get #file(): string {
    return this.#path ?? 'database.json in the data directories';
  }

  #save(): void {
    const path = this.#path;
    if (path === null || this.#isReadOnly) return;
    this.#savedAt = performance.now();
    this.#savedState = this.#newest;
    const content = `${JSON.stringify(this.#newest)}\n`;
    this.#saving = this.#saving
      .then(() => replaceFile(path, content))
      .catch((error: Error) =>
        this.#warn(`${path} could not be written (${error.message}); the node goes on without it.`),
      );
  }
}

function differentDatabases(a: ServerState, b: ServerState): StoreError {
  return new StoreError(
    'rejected',
    `The database URL names two different databases, at ${a.name} and at ${b.name}: name the ` +
      'servers of one replicated database.',
  );
}

/** Off the thread of orders, which does not wait for the disk. */
async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.tmp`;
  await using file = await open(temporary, 'w', PRIVATE_FILE);
  await file.writeFile(content);
  await file.sync();
  await rename(temporary, path);
}

function readState(path: string): DatabaseState | null {
  if (!existsSync(path)) return null;
  try {
    const state = JSON.parse(readFileSync(path, 'utf8')) as DatabaseState;
    bytesOf(state.flushed);
    if (typeof state.systemId === 'string' && Number.isSafeInteger(state.timeline)) return state;
  } catch {
    // Reported below.
  }
  throw new StoreError('rejected', `${path} is damaged: remove it, and the start writes it again.`);
}

/** A position in the WAL as a number of bytes. Throws TypeError. */
function bytesOf(position: string): bigint {
  const parts = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(position);
  if (parts === null) throw new TypeError(`${position} is no position in a WAL`);
  return (BigInt(`0x${parts[1]}`) << 32n) + BigInt(`0x${parts[2]}`);
}

// Makes a data directory with a history: a journal of commands, and an identity with the users and
// their keys. It uses agio's own journal and core.
import { mkdirSync } from 'node:fs';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { BinaryWriter } from '../../src/core/binary.ts';
import type { Command } from '../../src/core/command.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import type { ResultOf } from '../../src/core/outcome.ts';
import { checkpointOf, Follower } from '../../src/engine/follower.ts';
import { snapshotsOf } from '../../src/engine/snapshot-store.ts';
import { openIdentity } from '../../src/identity/identity.ts';
import { Module } from '../../src/identity/live-key.ts';
import { derivedKeys, loadMasterKeys, SNAPSHOTS } from '../../src/identity/master-key.ts';
import { encodeBatch } from '../../src/journal/codec.ts';
import type { FileJournal } from '../../src/journal/file-journal.ts';
import { openFileJournal, openJournalReader } from '../../src/journal/open-journal.ts';
import { viewsPath } from '../../src/views/view-store.ts';
import { VENUE_START } from '../../test/support/venue.ts';
import { venueCommands } from './venue.ts';

/** About as many as one sync of a busy server covers; recovery pays for each record. */
const COMMANDS_A_RECORD = 64;

/** More than anybody has. */
const MAX_OPEN_ORDERS = 120_000;

/** Applies commands at a business time of the caller's, and journals them once it is open. */
export class Writer {
  /** Without events, like the leader. */
  readonly exchange = new Exchange(undefined, EventFilter.none());
  /** The business time of the next commands. */
  time: number;
  readonly #buffer = new BinaryWriter(1 << 16);
  #journal: FileJournal | null = null;
  #record: Command[] = [];

  constructor(time = VENUE_START) {
    this.time = time;
  }

  /** Creates the journal, or continues the one that it has closed. */
  async open(dataDir: string): Promise<this> {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    this.#journal = await openFileJournal(dataDir);
    return this;
  }

  /** Applies a command, which must be accepted, and adds it to the record. */
  send<C extends Command>(command: C): ResultOf<C> {
    const { exchange } = this;
    const outcome = exchange.apply(exchange.state.seq + 1, this.time, command);
    if (!outcome.ok) throw new Error(`${command.type} was rejected: ${outcome.reject.name}`);
    if (this.#journal !== null) this.#record.push(command);
    return outcome.result as ResultOf<C>;
  }

  async sendAll(commands: Iterable<Command>): Promise<void> {
    for (const command of commands) {
      this.send(command);
      await this.flushFull();
    }
  }

  /** Does everything that is due. */
  async runTimers(): Promise<void> {
    while (this.exchange.nextTimer <= this.time) await this.sendAll([{ type: 'runTimers' }]);
  }

  /** Writes the record if it is full; to be called between commands. */
  async flushFull(): Promise<void> {
    if (this.#record.length >= COMMANDS_A_RECORD) await this.advance(1);
  }

  /** Writes the record, and lets business time pass. */
  async advance(milliseconds: number): Promise<void> {
    const commands = this.#record;
    if (commands.length > 0) {
      const firstSeq = this.exchange.state.seq - commands.length + 1;
      const payload = encodeBatch(this.#buffer, { time: this.time, commands });
      await this.#journal!.append({ firstSeq, count: commands.length, epoch: 1, payload });
      this.#record = [];
    }
    this.time += milliseconds;
  }

  /** Writes the last record. Returns the chain hash there. */
  async close(): Promise<Uint8Array> {
    await this.advance(1);
    const { chainHash } = this.#journal!.head;
    await this.#journal!.close();
    return chainHash;
  }
}

/** A data directory with this many customers, and their keys by uid. */
export async function writeVenue(dataDir: string, users: number): Promise<ApiKey[]> {
  const writer = await new Writer().open(dataDir);
  await writer.sendAll(venueCommands(users, MAX_OPEN_ORDERS));
  await writer.close();
  return createKeys(dataDir, users);
}

const masterKeysOf = (dataDir: string) =>
  loadMasterKeys({ configured: null, dataDir, mayCreate: true });

/**
 * Creates the first users, whose uids the core has assigned, and a key for each; the last one has
 * `keysOfLast` of them, at the end of the list.
 */
export function createKeys(dataDir: string, users: number, keysOfLast = 1): ApiKey[] {
  const identity = openIdentity({ dataDir, masterKeys: masterKeysOf(dataDir) });
  const moduleIds = [Module.tradingRead, Module.tradingWrite, Module.earnRead, Module.earnWrite];
  const createKey = (uid: number): ApiKey => {
    const key = identity.apiKeys.create({ uid, alias: 'bench', moduleIds });
    if (!key.ok) throw new Error(key.text);
    return { apiKey: key.value.apiKey, secretKey: key.value.secretKey };
  };
  try {
    const keys = Array.from({ length: users }, (_, i) => {
      const reservation = identity.users.reserveEmail(`bench-${i + 1}@example.com`);
      if (!reservation.ok) throw new Error(reservation.text);
      identity.users.completeUser(reservation.value, i + 1);
      return createKey(i + 1);
    });
    for (let more = 1; more < keysOfLast; more++) keys.push(createKey(users));
    return keys;
  } finally {
    identity.close();
  }
}

/** The snapshots of a data directory, and the keys that authenticate them. */
const snapshotsIn = (dataDir: string) =>
  snapshotsOf(dataDir, derivedKeys(masterKeysOf(dataDir), SNAPSHOTS));

/** A follower of this directory, which writes no snapshot of its own. Its warnings are errors. */
export function openFollower(dataDir: string): Promise<Follower> {
  const fail = (error: Error): void => {
    throw error;
  };
  return Follower.open({
    journal: openJournalReader(dataDir),
    viewsPath: viewsPath(dataDir),
    snapshots: snapshotsIn(dataDir),
    snapshotEvery: Number.MAX_SAFE_INTEGER,
    onCommitted: () => undefined,
    onFailure: fail,
    warn: (sentence) => fail(new Error(sentence)),
  });
}

/** Builds the views and writes a snapshot at the journal's end, as a node does when it stops. */
export async function follow(dataDir: string, exchange: Exchange): Promise<void> {
  const follower = await openFollower(dataDir);
  await follower.stop(checkpointOf(exchange));
}

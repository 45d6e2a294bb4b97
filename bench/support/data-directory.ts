// Makes a data directory with a history: a journal of commands, and an identity with the users and
// their keys. It uses agio's own journal and core. It syncs the disk once at the end, so a million
// commands take seconds.
import { closeSync, fsyncSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { BinaryWriter } from '../../src/core/binary.ts';
import type { Command } from '../../src/core/command.ts';
import { Exchange } from '../../src/core/exchange.ts';
import type { ResultOf } from '../../src/core/outcome.ts';
import { checkpointOf, Follower } from '../../src/engine/follower.ts';
import { snapshotsOf } from '../../src/engine/snapshot-store.ts';
import { type Identity, openIdentity } from '../../src/identity/identity.ts';
import { Module } from '../../src/identity/live-key.ts';
import { derivedKeys, loadMasterKeys, SNAPSHOTS } from '../../src/identity/master-key.ts';
import { encodeBatch } from '../../src/journal/codec.ts';
import type { Disk, DiskFile, OpenMode } from '../../src/journal/disk.ts';
import { FileJournal } from '../../src/journal/file-journal.ts';
import { NodeDisk } from '../../src/journal/node-disk.ts';
import { journalDirectory, openJournalReader } from '../../src/journal/open-journal.ts';
import { viewsPath } from '../../src/views/view-store.ts';
import { START } from './venue.ts';

/** About as many as one sync of a busy server covers; recovery pays for each record. */
const COMMANDS_A_RECORD = 64;

export class HistoryWriter {
  readonly exchange: Exchange;
  readonly #directory: string;
  readonly #journal: FileJournal;
  readonly #writer = new BinaryWriter(1 << 16);
  #batch: Command[] = [];
  #time: number;
  #appending: Promise<unknown> = Promise.resolve();

  private constructor(
    directory: string,
    journal: FileJournal,
    exchange: Exchange,
    startTime: number,
  ) {
    this.#directory = directory;
    this.#journal = journal;
    this.exchange = exchange;
    this.#time = Math.max(startTime, exchange.state.time);
  }

  /**
   * Writes on where `exchange` stands, which has applied all of the journal in `dataDir`; business
   * time is `startTime` at least.
   */
  static async open(
    dataDir: string,
    exchange = new Exchange(),
    startTime = START,
  ): Promise<HistoryWriter> {
    const directory = journalDirectory(dataDir);
    await NodeDisk.create(directory);
    const journal = await FileJournal.open(new UnsyncedDisk(directory));
    return new HistoryWriter(directory, journal, exchange, startTime);
  }

  /** The business time of the commands of this record. */
  get time(): number {
    return this.#time;
  }

  /**
   * Applies a command, which has to be accepted, and puts it into the record that is being
   * gathered.
   */
  send<C extends Command>(command: C): ResultOf<C> {
    const { exchange } = this;
    const outcome = exchange.apply(exchange.state.seq + 1, this.#time, command);
    if (!outcome.ok) throw new Error(`${command.type} was rejected: ${outcome.reject.name}`);
    this.#batch.push(command);
    return outcome.result as ResultOf<C>;
  }

  async sendAll(commands: Iterable<Command>): Promise<void> {
    for (const command of commands) {
      this.send(command);
      await this.flushFull();
    }
  }

  /** Writes the record that is being gathered if it is full; to be called between commands. */
  async flushFull(): Promise<void> {
    if (this.#batch.length >= COMMANDS_A_RECORD) await this.#flush();
  }

  /** Lets business time pass; the record that is being gathered is written before. */
  async advance(milliseconds: number): Promise<void> {
    await this.#flush();
    this.#time += milliseconds;
  }

  async #flush(): Promise<void> {
    if (this.#batch.length === 0) return;
    const commands = this.#batch;
    this.#batch = [];
    await this.#appending;
    this.#appending = this.#journal.append({
      firstSeq: this.exchange.state.seq - commands.length + 1,
      count: commands.length,
      epoch: 1,
      payload: encodeBatch(this.#writer, { time: this.#time, commands }),
    });
    await this.#appending;
    this.#time++;
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#journal.close();
    for (const name of readdirSync(this.#directory)) {
      const file = openSync(join(this.#directory, name), 'r');
      fsyncSync(file);
      closeSync(file);
    }
  }
}

/** Creates the first users, whose uids the core has assigned, and a key for each. */
export function createKeys(dataDir: string, users: number): ApiKey[] {
  const masterKeys = loadMasterKeys({ configured: null, dataDir, mayCreate: true });
  const identity = openIdentity({ dataDir, masterKeys });
  try {
    return Array.from({ length: users }, (_, i) => {
      const uid = i + 1;
      const reservation = identity.users.reserveEmail(`bench-${uid}@example.com`);
      if (!reservation.ok) throw new Error(reservation.text);
      identity.users.completeUser(reservation.value, uid);
      return createKey(identity, uid);
    });
  } finally {
    identity.close();
  }
}

/** Gives a user who has been created this many keys more. */
export function createMoreKeys(dataDir: string, uid: number, count: number): ApiKey[] {
  const masterKeys = loadMasterKeys({ configured: null, dataDir, mayCreate: true });
  const identity = openIdentity({ dataDir, masterKeys });
  try {
    return Array.from({ length: count }, () => createKey(identity, uid));
  } finally {
    identity.close();
  }
}

function createKey(identity: Identity, uid: number): ApiKey {
  const moduleIds = [Module.tradingRead, Module.tradingWrite, Module.earnRead, Module.earnWrite];
  const key = identity.apiKeys.create({ uid, alias: 'bench', moduleIds });
  if (!key.ok) throw new Error(key.text);
  return { apiKey: key.value.apiKey, secretKey: key.value.secretKey };
}

/** The keys that authenticate the snapshots of a directory of this benchmark. */
export const snapshotKeysOf = (dataDir: string) =>
  derivedKeys(loadMasterKeys({ configured: null, dataDir, mayCreate: true }), SNAPSHOTS);

/** A follower of this directory, which writes no snapshot of its own. Its warnings are errors. */
export function openFollower(dataDir: string): Promise<Follower> {
  const fail = (error: Error): void => {
    throw error;
  };
  return Follower.open({
    journal: openJournalReader(dataDir),
    viewsPath: viewsPath(dataDir),
    snapshots: snapshotsOf(dataDir, snapshotKeysOf(dataDir)),
    snapshotEvery: Number.MAX_SAFE_INTEGER,
    onCommitted: () => undefined,
    onFailure: fail,
    warn: (sentence) => fail(new Error(sentence)),
  });
}

/**
 * Builds the views up to the journal's end and writes a snapshot there, as a follower does when a
 * node stops.
 */
export async function followHistory(dataDir: string, exchange: Exchange): Promise<void> {
  const follower = await openFollower(dataDir);
  await follower.stop(checkpointOf(exchange));
}

/** A directory whose files are written and not synced. */
class UnsyncedDisk implements Disk {
  readonly #disk: NodeDisk;
  readonly directory: string;

  constructor(directory: string) {
    this.#disk = new NodeDisk(directory);
    this.directory = directory;
  }

  list(): Promise<string[]> {
    return this.#disk.list();
  }

  async open(name: string, mode: OpenMode): Promise<DiskFile> {
    const file = await this.#disk.open(name, mode);
    if (mode === 'read') return file;
    const unsynced = openSync(join(this.directory, name), 'r+');
    return {
      size: () => file.size(),
      read: (into, offset) => file.read(into, offset),
      write: async (bytes, offset) => {
        for (let at = 0; at < bytes.length; ) {
          at += writeSync(unsynced, bytes, at, bytes.length - at, offset + at);
        }
      },
      close: () => {
        closeSync(unsynced);
        return file.close();
      },
    };
  }

  rename(from: string, to: string): Promise<void> {
    return this.#disk.rename(from, to);
  }

  remove(name: string): Promise<void> {
    return this.#disk.remove(name);
  }

  async syncDirectory(): Promise<void> {}
}

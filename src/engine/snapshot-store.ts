// Snapshots on disk: written beside and renamed, so that a half-written one never has the name of a whole one; two are kept,
// so that one damaged file costs a longer replay and nothing else.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { BinaryReader, BinaryWriter } from '../core/binary.ts';
import { restore, snapshot } from '../core/snapshot.ts';
import type { State } from '../core/state.ts';

const MAGIC = 'agio-snapshot';
/** The form of the file around the state; the state has a format number of its own. */
const FORMAT = 1;
const KEPT = 2;
const NAME = /^(\d{16})\.snapshot$/;

/** Where in the journal a state stands. */
export interface SnapshotPoint {
  readonly seq: number;
  /** Chain hash of the record that ends with `seq`: 32 bytes. */
  readonly chainHash: Uint8Array;
}

export interface StoredSnapshot extends SnapshotPoint {
  readonly stateHash: string;
  readonly state: State;
}

export const snapshotDirectory = (dataDir: string): string => join(dataDir, 'snapshots');

/** Writes a snapshot durably and removes all but the two newest. Returns its path. Throws the file system's errors. */
export function writeSnapshot(directory: string, state: State, chainHash: Uint8Array): string {
  mkdirSync(directory, { recursive: true });
  const body = snapshot(state);
  const header = new BinaryWriter();
  header.text(MAGIC);
  header.integer(FORMAT);
  header.integer(state.seq);
  header.bytes(chainHash);
  header.text(state.stateHash());
  header.bytes(sha256(body));
  header.integer(body.length);
  const path = join(directory, `${String(state.seq).padStart(16, '0')}.snapshot`);
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeAll(file, header.view());
    writeAll(file, body);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncDirectory(directory);
  for (const old of snapshotSeqs(directory).slice(KEPT)) rmSync(snapshotPath(directory, old));
  return path;
}

/**
 * The newest whole snapshot at or before `atMostSeq`, or null. A damaged one is passed over with a word to `warn`: the
 * journal has everything.
 */
export function readNewestSnapshot(
  directory: string,
  warn: (sentence: string) => void,
  atMostSeq = Number.MAX_SAFE_INTEGER,
): StoredSnapshot | null {
  for (const seq of snapshotSeqs(directory)) {
    if (seq > atMostSeq) continue;
    const path = snapshotPath(directory, seq);
    try {
      return readSnapshot(path);
    } catch (error) {
      warn(`Snapshot ${path} is not usable and is passed over: ${(error as Error).message}`);
    }
  }
  return null;
}

/** Reads one snapshot and checks it against the digest and the state hash that it was written with. */
export function readSnapshot(path: string): StoredSnapshot {
  const input = new BinaryReader(readFileSync(path));
  if (input.text() !== MAGIC) throw new Error('it does not begin like a snapshot');
  const format = input.integer();
  if (format !== FORMAT) throw new Error(`its format is ${format}, known is ${FORMAT}`);
  const seq = input.integer();
  const chainHash = Uint8Array.from(input.bytes());
  const stateHash = input.text();
  const digest = input.bytes();
  const body = input.bytes();
  if (!Buffer.from(digest).equals(sha256(body))) throw new Error('its digest does not fit');
  const state = restore(body);
  if (state.seq !== seq || state.stateHash() !== stateHash) {
    throw new Error('its state hash does not fit');
  }
  return { seq, chainHash, stateHash, state };
}

/** The seqs of all snapshots, newest first; of files with a snapshot's name only. */
export function snapshotSeqs(directory: string): number[] {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return names
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
}

export const snapshotPath = (directory: string, seq: number): string =>
  join(directory, `${String(seq).padStart(16, '0')}.snapshot`);

const sha256 = (bytes: Uint8Array): Uint8Array =>
  new Bun.CryptoHasher('sha256').update(bytes).digest() as Uint8Array;

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

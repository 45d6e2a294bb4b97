// Snapshots on disk: written beside and renamed, so that a half-written one never has the name of a
// whole one; two are kept, so that one damaged file costs a longer replay and nothing else. A MAC
// under the master key shows a file that was forged.
import { randomInt, timingSafeEqual } from 'node:crypto';
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
import { crc32 } from 'node:zlib';
import { BinaryReader, BinaryWriter } from '../core/binary.ts';
import type { HashSeed } from '../core/keyed-hash.ts';
import { restore, SnapshotFormatError, snapshot } from '../core/snapshot.ts';
import { State } from '../core/state.ts';
import { withSpare } from '../journal/descriptor-reserve.ts';
import { JournalError } from '../journal/journal.ts';

/**
 * The secret that the hash tables of this process are seeded with (core/keyed-hash.ts). It changes
 * no result, so a leader, its follower and a replay each have their own.
 */
const PROCESS_SEED: HashSeed = { a: randomInt(2 ** 32), b: randomInt(2 ** 32) };

/** The state before the first command. */
export const emptyState = (): State => new State(PROCESS_SEED);

const MAGIC = 'agio-snapshot';
/** The format of the file around the state. */
const FORMAT = 1;
const MAC_BYTES = 32;
const CRC_BYTES = 4;
const KEPT = 2;
const NAME = /^(\d{16})\.snapshot$/;
const UNFINISHED = /^\d{16}\.snapshot\.tmp$/;

/** Where in the journal a state stands. */
interface SnapshotPoint {
  readonly seq: number;
  /** Chain hash of the record that ends with `seq`: 32 bytes. */
  readonly chainHash: Uint8Array;
}

export interface StoredSnapshot extends SnapshotPoint {
  readonly stateHash: string;
  readonly state: State;
}

/** A key for the MAC of snapshots, derived from the master key that `kid` names. */
export interface SnapshotKey {
  readonly kid: string;
  readonly bytes: Uint8Array;
}

/** Where snapshots are and how they are authenticated. */
export interface Snapshots {
  readonly directory: string;
  /** The first one signs, all of them verify. */
  readonly keys: readonly SnapshotKey[];
}

export const snapshotsOf = (dataDir: string, keys: readonly SnapshotKey[]): Snapshots => ({
  directory: snapshotDirectory(dataDir),
  keys,
});

export const snapshotDirectory = (dataDir: string): string => join(dataDir, 'snapshots');

/**
 * Writes a snapshot durably and removes all but the two newest. Returns its path. Throws the file
 * system's errors.
 */
export function writeSnapshot(
  { directory, keys }: Snapshots,
  state: State,
  chainHash: Uint8Array,
): string {
  mkdirSync(directory, { recursive: true });
  const { seq } = state;
  const point = { seq, chainHash, stateHash: state.stateHash() };
  const path = writeFile(directory, keys[0]!, point, snapshot(state));
  for (const old of snapshotSeqs(directory).slice(KEPT)) rmSync(snapshotPath(directory, old));
  return path;
}

/**
 * Signs the snapshots of older master keys with the current one, so that the older keys can be
 * dropped. Returns how many there were. Throws JournalError `corrupt` for a forged one.
 */
export function renewSnapshots({ directory, keys }: Snapshots): number {
  let renewed = 0;
  // There is more than one key only during a rotation.
  if (keys.length === 1) return renewed;
  for (const seq of snapshotSeqs(directory)) {
    const file = undamaged(snapshotPath(directory, seq), keys);
    if (file === null || file.kid === keys[0]!.kid) continue;
    writeFile(directory, keys[0]!, file, file.body);
    renewed++;
  }
  return renewed;
}

function undamaged(path: string, keys: readonly SnapshotKey[]): SnapshotFile | null {
  try {
    return readFile(path, keys);
  } catch (error) {
    if (error instanceof JournalError) throw error;
    return null;
  }
}

function writeFile(
  directory: string,
  { kid, bytes: key }: SnapshotKey,
  { seq, chainHash, stateHash }: SnapshotPoint & { readonly stateHash: string },
  body: Uint8Array,
): string {
  const header = new BinaryWriter();
  header.text(MAGIC);
  header.integer(FORMAT);
  header.text(kid);
  header.integer(seq);
  header.bytes(chainHash);
  header.text(stateHash);
  header.integer(body.length);
  const mac = macOf(key, header.view(), body);
  // A checksum of everything distinguishes damage, which costs a longer replay, from forgery.
  const trailer = Buffer.concat([mac, new Uint8Array(CRC_BYTES)]);
  trailer.writeUInt32LE(crcOf(header.view(), body, mac), MAC_BYTES);
  const path = snapshotPath(directory, seq);
  const temporary = `${path}.tmp`;
  const file = withSpare(() => openSync(temporary, 'w', 0o600));
  try {
    try {
      for (const part of [header.view(), body, trailer]) writeAll(file, part);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    // An incomplete file must not use up the disk.
    rmSync(temporary, { force: true });
    throw error;
  }
  syncDirectory(directory);
  return path;
}

/**
 * The newest usable snapshot at or before `atMostSeq`, or null. A damaged one, and one of another
 * format, is passed over with a word to `warn`: the journal has everything. Throws JournalError
 * `corrupt` for a forged one.
 */
export function readNewestSnapshot(
  { directory, keys }: Snapshots,
  warn: (sentence: string) => void,
  atMostSeq = Number.MAX_SAFE_INTEGER,
): StoredSnapshot | null {
  for (const seq of snapshotSeqs(directory)) {
    if (seq > atMostSeq) continue;
    const path = snapshotPath(directory, seq);
    try {
      return readSnapshot(path, keys);
    } catch (error) {
      if (error instanceof JournalError) throw error;
      warn(`Snapshot ${path} is not usable and is passed over: ${(error as Error).message}`);
    }
  }
  return null;
}

/**
 * Reads one snapshot and checks it against its checksum, its MAC and its state hash. Throws
 * JournalError `corrupt` for one whose MAC is wrong, `key` for one of another master key, and other
 * errors for damage.
 */
export function readSnapshot(path: string, keys: readonly SnapshotKey[]): StoredSnapshot {
  const { seq, chainHash, stateHash, body } = readFile(path, keys);
  const state = restore(body, emptyState());
  if (state.seq !== seq || state.stateHash() !== stateHash) {
    throw new Error('its state hash does not fit');
  }
  return { seq, chainHash, stateHash, state };
}

interface SnapshotFile extends SnapshotPoint {
  readonly stateHash: string;
  readonly body: Uint8Array;
  /** The master key that its MAC is under. */
  readonly kid: string;
}

function readFile(path: string, keys: readonly SnapshotKey[]): SnapshotFile {
  const bytes = withSpare(() => readFileSync(path));
  const input = new BinaryReader(bytes);
  if (input.text() !== MAGIC) throw new Error('it does not begin like a snapshot');
  const format = input.integer();
  if (format !== FORMAT) throw new SnapshotFormatError('file', format, FORMAT);
  const end = bytes.length - CRC_BYTES;
  if (end < MAC_BYTES || bytes.readUInt32LE(end) !== crcOf(bytes.subarray(0, end))) {
    throw new Error('its checksum does not fit');
  }
  const kid = input.text();
  requireAuthentic(path, keys, kid, bytes.subarray(0, end));
  return {
    seq: input.integer(),
    chainHash: Uint8Array.from(input.bytes()),
    stateHash: input.text(),
    body: input.bytes(),
    kid,
  };
}

/** `signed` ends with the MAC of all that is before it. */
function requireAuthentic(
  path: string,
  keys: readonly SnapshotKey[],
  kid: string,
  signed: Uint8Array,
): void {
  const key = keys.find((known) => known.kid === kid);
  if (key === undefined) throw keyError(path, keys, kid);
  const end = signed.length - MAC_BYTES;
  if (timingSafeEqual(macOf(key.bytes, signed.subarray(0, end)), signed.subarray(end))) return;
  throw new JournalError(
    'corrupt',
    `Snapshot ${path} is not authentic: its MAC does not fit, although its checksum does. ` +
      'Somebody has changed the file: find out who can write to the data directory, then remove ' +
      'the file.',
    { file: path },
  );
}

/** The file may be intact. */
function keyError(path: string, keys: readonly SnapshotKey[], kid: string): JournalError {
  const given =
    keys.length === 0
      ? 'no usable master key was given: set AGIO_MASTER_KEY, or name a file that sets it ' +
        '(--env-file FILE).'
      : `it was written under master key ${kid}, which is not active: give that key ` +
        `(AGIO_MASTER_KEY) in place of ${keys.map((key) => key.kid).join(', ')}, or after it.`;
  return new JournalError('key', `Snapshot ${path} was not checked: ${given}`, { file: path });
}

function macOf(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array {
  const hasher = new Bun.CryptoHasher('sha256', key as Uint8Array<ArrayBuffer>);
  for (const part of parts) hasher.update(part as Uint8Array<ArrayBuffer>);
  return hasher.digest() as Uint8Array;
}

const crcOf = (...parts: readonly Uint8Array[]): number =>
  parts.reduce((crc, part) => crc32(part, crc), 0);

/** Removes incomplete snapshots after a crash. Only for the process that writes them. */
export function removeUnfinished({ directory }: Snapshots): void {
  for (const name of namesIn(directory)) {
    if (!UNFINISHED.test(name)) continue;
    try {
      rmSync(join(directory, name), { force: true });
    } catch {
      // On a read-only disk it stays, and is never read.
    }
  }
}

/** The seqs of all snapshots, newest first; of files with a snapshot's name only. */
export const snapshotSeqs = (directory: string): number[] =>
  namesIn(directory)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);

function namesIn(directory: string): string[] {
  try {
    return withSpare(() => readdirSync(directory));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export const snapshotPath = (directory: string, seq: number): string =>
  join(directory, `${String(seq).padStart(16, '0')}.snapshot`);

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
}

function syncDirectory(directory: string): void {
  const handle = withSpare(() => openSync(directory, 'r'));
  fsyncSync(handle);
  closeSync(handle);
}

// Snapshots on disk: in which order they are made, which files count as one, and that no damaged
// one is believed.
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { placeOrder, Venue } from '../../test/support/venue.ts';
import { SNAPSHOT_KEYS, TemporaryDirectory } from '../../test/support/view-files.ts';
import { Side } from '../core/fix.ts';
import { lots, ticks } from '../core/units.ts';
import { JournalError } from '../journal/journal.ts';
import {
  readNewestSnapshot,
  readSnapshot,
  renewSnapshots,
  type SnapshotKey,
  snapshotSeqs,
  writeSnapshot,
} from './snapshot-store.ts';

const CHAIN_HASH = new Uint8Array(32).fill(7);

let temporary: TemporaryDirectory;
let directory: string;
beforeEach(() => {
  temporary = new TemporaryDirectory();
  directory = join(temporary.path, 'snapshots');
});
afterEach(() => temporary[Symbol.dispose]());

/**
 * A venue with an order, and with an answer to an Idempotency-Key, which the state hash knows by
 * its seq only.
 */
function traded(): Venue {
  const venue = new Venue();
  const order = { uid: 1, side: Side.buy, price: ticks(100), orderQty: lots(1) };
  venue.send({ ...placeOrder(order), idempotency: { key: 'k', digest: 'd' } });
  return venue;
}

const files = (keys = SNAPSHOT_KEYS) => ({ directory, keys });

const write = (venue: Venue, keys = SNAPSHOT_KEYS): string =>
  writeSnapshot(files(keys), venue.exchange.state, CHAIN_HASH);

const read = (path: string, keys = SNAPSHOT_KEYS) => readSnapshot(path, keys);

const OTHER_KEY: SnapshotKey = { kid: 'ffffffffffff', bytes: new Uint8Array(32).fill(6) };

const nameOf = (seq: number): string => `${String(seq).padStart(16, '0')}.snapshot`;

/** The calls that `work` makes to the file system, in order, with the names of the files. */
function operationsOf(work: () => void): string[] {
  const operations: string[] = [];
  const opened = new Map<number, string>();
  const { openSync, writeSync, fsyncSync, closeSync, renameSync, rmSync } = fs;
  const spies = [
    spyOn(fs, 'openSync').mockImplementation((path, ...more) => {
      const file = openSync(path, ...more);
      opened.set(file, basename(String(path)));
      operations.push(`open ${opened.get(file)}`);
      return file;
    }),
    spyOn(fs, 'writeSync').mockImplementation(((file: number, ...more: [Uint8Array]) => {
      operations.push(`write ${opened.get(file)}`);
      return writeSync(file, ...more);
    }) as typeof fs.writeSync),
    spyOn(fs, 'fsyncSync').mockImplementation((file) => {
      operations.push(`sync ${opened.get(file)}`);
      fsyncSync(file);
    }),
    spyOn(fs, 'closeSync').mockImplementation((file) => {
      operations.push(`close ${opened.get(file)}`);
      closeSync(file);
    }),
    spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      operations.push(`rename ${basename(String(from))} to ${basename(String(to))}`);
      renameSync(from, to);
    }),
    spyOn(fs, 'rmSync').mockImplementation((path, options) => {
      operations.push(`remove ${basename(String(path))}`);
      rmSync(path, options);
    }),
  ];
  try {
    work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return operations;
}

describe('a snapshot is written', () => {
  test('under a temporary name, renamed when durable; then older ones are removed', () => {
    const venue = traded();
    write(venue);
    for (let i = 0; i < 2; i++) {
      const oldest = snapshotSeqs(directory).at(-1)!;
      venue.addUser();
      const name = nameOf(venue.seq);
      const beside = `${name}.tmp`;
      expect(operationsOf(() => write(venue))).toEqual([
        `open ${beside}`,
        `write ${beside}`,
        `write ${beside}`,
        `write ${beside}`,
        `sync ${beside}`,
        `close ${beside}`,
        `rename ${beside} to ${name}`,
        'open snapshots',
        'sync snapshots',
        'close snapshots',
        // Two are kept.
        ...(i === 0 ? [] : [`remove ${nameOf(oldest)}`]),
      ]);
    }
  });

  test('where a crash left an incomplete one', () => {
    const venue = traded();
    fs.mkdirSync(directory);
    const beside = join(directory, `${nameOf(venue.seq)}.tmp`);
    fs.writeFileSync(beside, 'x'.repeat(1_000_000));
    const path = write(venue);
    expect(read(path).seq).toBe(venue.seq);
    expect(fs.readdirSync(directory)).toEqual([nameOf(venue.seq)]);
  });

  test('for the owner of the process alone to read', () => {
    expect(fs.statSync(write(traded())).mode & 0o777).toBe(0o600);
  });
});

describe('files', () => {
  test('are snapshots by their whole name, newest first', () => {
    expect(snapshotSeqs(directory)).toEqual([]);
    fs.mkdirSync(directory);
    for (const name of [
      nameOf(7),
      nameOf(30),
      `${nameOf(40)}.tmp`,
      `x${nameOf(50)}`,
      '60.snapshot',
      nameOf(9),
    ]) {
      fs.writeFileSync(join(directory, name), '');
    }
    expect(snapshotSeqs(directory)).toEqual([30, 9, 7]);
  });

  test('beside count for nothing, however whole', () => {
    const venue = traded();
    const path = write(venue);
    fs.renameSync(path, `${path}.tmp`);
    const warnings: string[] = [];
    expect(readNewestSnapshot(files(), (sentence) => warnings.push(sentence))).toBeNull();
    expect(warnings).toEqual([]);
  });
});

describe('a snapshot is read', () => {
  test('as it was written', () => {
    const venue = traded();
    const { state } = venue.exchange;
    const found = read(write(venue));
    expect(found.seq).toBe(state.seq);
    expect(found.chainHash).toEqual(CHAIN_HASH);
    expect([found.stateHash, found.state.stateHash()]).toEqual(Array(2).fill(state.stateHash()));
  });

  test('when it is the newest that is not too new', () => {
    const venue = traded();
    const first = venue.seq;
    write(venue);
    venue.addUser();
    write(venue);
    const newest = (atMost?: number) => readNewestSnapshot(files(), fail, atMost)?.seq;
    expect([newest(), newest(venue.seq), newest(venue.seq - 1), newest(first)]).toEqual([
      venue.seq,
      venue.seq,
      first,
      first,
    ]);
    expect(newest(first - 1)).toBeUndefined();
  });

  test('not when it is cut off anywhere', () => {
    const path = write(traded());
    const whole = fs.readFileSync(path);
    for (let length = 0; length < whole.length; length++) {
      fs.writeFileSync(path, whole.subarray(0, length));
      expect(() => read(path)).toThrow();
    }
  });

  test('not when any byte of it differs', () => {
    const path = write(traded());
    const whole = fs.readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1 << (at % 8);
      fs.writeFileSync(path, damaged);
      expect(() => read(path)).toThrow();
    }
  });

  test('not when it was changed together with its checksum', () => {
    const path = write(traded());
    const whole = fs.readFileSync(path);
    const end = whole.length - 4;
    // The name of the key has a length of its own in front: another one is damage like any other.
    for (let at = 'agio-snapshot'.length + 3; at < end; at++) {
      const forged = Buffer.from(whole);
      forged[at]! ^= 1;
      forged.writeUInt32LE(crc32(forged.subarray(0, end)), end);
      fs.writeFileSync(path, forged);
      expect(() => read(path)).toThrow(JournalError);
      expect(() => readNewestSnapshot(files(), fail)).toThrow(/is not authentic|was not checked/);
    }
  });

  test('under a master key that is active only', () => {
    const path = write(traded(), [OTHER_KEY]);
    expect(() => read(path)).toThrow('under master key ffffffffffff, which is not active');
    expect(read(path, [...SNAPSHOT_KEYS, OTHER_KEY]).chainHash).toEqual(CHAIN_HASH);
  });

  test('under the current master key alone, once it was renewed', () => {
    const path = write(traded(), [OTHER_KEY]);
    expect(renewSnapshots(files([...SNAPSHOT_KEYS, OTHER_KEY]))).toBe(1);
    expect(read(path).chainHash).toEqual(CHAIN_HASH);
    expect(renewSnapshots(files([...SNAPSHOT_KEYS, OTHER_KEY]))).toBe(0);
  });

  test('and one of another format is passed over, with a word', () => {
    const path = write(traded());
    const bytes = fs.readFileSync(path);
    bytes[bytes.indexOf('agio-snapshot') + 'agio-snapshot'.length] = 0;
    fs.writeFileSync(path, bytes);
    const warnings: string[] = [];
    expect(readNewestSnapshot(files(), (sentence) => warnings.push(sentence))).toBeNull();
    expect(warnings).toEqual([
      expect.stringContaining('the format of its file is 0, and this release has'),
    ]);
  });

  test('and a damaged one is passed over for the one before, with a word', () => {
    const venue = traded();
    const first = venue.seq;
    write(venue);
    venue.addUser();
    const path = write(venue);
    fs.truncateSync(path, 100);
    const warnings: string[] = [];
    const found = readNewestSnapshot(files(), (sentence) => warnings.push(sentence));
    expect(found?.seq).toBe(first);
    expect(warnings).toEqual([expect.stringContaining(`Snapshot ${path} is not usable`)]);
  });
});

function fail(sentence: string): void {
  throw new Error(sentence);
}

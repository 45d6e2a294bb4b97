// Snapshots on disk: in which order they are made, which files count as one, and that no damaged one is believed.
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import { placeOrder, Venue } from '../../test/support/venue.ts';
import { TemporaryDirectory } from '../../test/support/view-files.ts';
import { Side } from '../core/fix.ts';
import { snapshot } from '../core/snapshot.ts';
import { lots, ticks } from '../core/units.ts';
import { readNewestSnapshot, readSnapshot, snapshotSeqs, writeSnapshot } from './snapshot-store.ts';

const CHAIN_HASH = new Uint8Array(32).fill(7);

let temporary: TemporaryDirectory;
let directory: string;
beforeEach(() => {
  temporary = new TemporaryDirectory();
  directory = join(temporary.path, 'snapshots');
});
afterEach(() => temporary[Symbol.dispose]());

/** A venue with an order, and with an answer to an Idempotency-Key, which the state hash knows by its seq only. */
function traded(): Venue {
  const venue = new Venue();
  const order = { uid: 1, side: Side.buy, price: ticks(100), orderQty: lots(1) };
  venue.send({ ...placeOrder(order), idempotency: { key: 'k', digest: 'd' } });
  return venue;
}

const write = (venue: Venue): string => writeSnapshot(directory, venue.exchange.state, CHAIN_HASH);

const nameOf = (seq: number): string => `${String(seq).padStart(16, '0')}.snapshot`;

/** What `work` asks of the file system, in order, by the names of the files. */
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
  test('beside, made durable, and only then given its name; older ones go when the name is durable', () => {
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

  test('anew where a crash has left a part of one', () => {
    const venue = traded();
    fs.mkdirSync(directory);
    const beside = join(directory, `${nameOf(venue.seq)}.tmp`);
    fs.writeFileSync(beside, 'x'.repeat(1_000_000));
    const path = write(venue);
    expect(readSnapshot(path).seq).toBe(venue.seq);
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
    expect(readNewestSnapshot(directory, (sentence) => warnings.push(sentence))).toBeNull();
    expect(warnings).toEqual([]);
  });
});

describe('a snapshot is read', () => {
  test('as it was written', () => {
    const venue = traded();
    const { state } = venue.exchange;
    const read = readSnapshot(write(venue));
    expect(read.seq).toBe(state.seq);
    expect(read.chainHash).toEqual(CHAIN_HASH);
    expect([read.stateHash, read.state.stateHash()]).toEqual(Array(2).fill(state.stateHash()));
  });

  test('when it is the newest that is not too new', () => {
    const venue = traded();
    const first = venue.seq;
    write(venue);
    venue.addUser();
    write(venue);
    const newest = (atMost?: number) => readNewestSnapshot(directory, fail, atMost)?.seq;
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
      expect(() => readSnapshot(path)).toThrow();
    }
  });

  test('not when a bit of its state is another, also where the state hash would not tell', () => {
    const venue = traded();
    const path = write(venue);
    const whole = fs.readFileSync(path);
    for (let at = whole.length - snapshot(venue.exchange.state).length; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1;
      fs.writeFileSync(path, damaged);
      expect(() => readSnapshot(path)).toThrow('its digest does not fit');
    }
  });

  test('not when what is said of it is another: its form, its seq, its state hash', () => {
    const venue = traded();
    const path = write(venue);
    const whole = fs.readFileSync(path);
    const { stateHash } = readSnapshot(path);
    const form = whole.indexOf('agio-snapshot') + 'agio-snapshot'.length;
    for (const [at, why] of [
      [form - 1, 'it does not begin like a snapshot'],
      [form, 'known is 1'],
      [form + 1, 'its state hash does not fit'],
      [whole.indexOf(stateHash), 'its state hash does not fit'],
    ] as const) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 2;
      fs.writeFileSync(path, damaged);
      expect(() => readSnapshot(path)).toThrow(why);
    }
  });

  test('and a damaged one is passed over for the one before, with a word', () => {
    const venue = traded();
    const first = venue.seq;
    write(venue);
    venue.addUser();
    const path = write(venue);
    fs.truncateSync(path, 100);
    const warnings: string[] = [];
    const read = readNewestSnapshot(directory, (sentence) => warnings.push(sentence));
    expect(read?.seq).toBe(first);
    expect(warnings).toEqual([expect.stringContaining(`Snapshot ${path} is not usable`)]);
  });
});

function fail(sentence: string): void {
  throw new Error(sentence);
}

// The file journal on a real directory: its contract, its segments, and a process that is killed.
// repair.test.ts has damaged bytes and failing disks.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import {
  appendAll,
  chained,
  collect,
  journalContract,
  payloadOf,
} from '../../test/support/journal-contract.ts';
import { until } from '../../test/support/waiting.ts';
import { FileJournal } from './file-journal.ts';
import { NodeDisk } from './node-disk.ts';
import { journalDirectory, openFileJournal } from './open-journal.ts';
import { recordBytes } from './record.ts';
import { SEGMENT_HEADER_BYTES } from './segment.ts';

const SEGMENT_BYTES = 4096;
const PROCESS = join(import.meta.dir, '../../test/support/journal-process.ts');

function makeDirectory(): string {
  return fs.mkdtempSync(join(tmpdir(), 'agio-journal-'));
}

function removeDirectory(directory: string): void {
  fs.rmSync(directory, { recursive: true, force: true });
}

journalContract('the file journal', async () => {
  const directory = makeDirectory();
  return {
    durable: true,
    open: () => openFileJournal(directory, { segmentBytes: SEGMENT_BYTES }),
    dispose: async () => removeDirectory(directory),
  };
});

journalContract('the file journal on the simulated disk', async () => {
  const disk = new SimulatedDisk({ seed: 1 });
  return {
    durable: true,
    open: () => FileJournal.open(disk.mount(), { segmentBytes: SEGMENT_BYTES }),
    dispose: async () => undefined,
  };
});

describe('segments', () => {
  let data: string;

  beforeEach(() => {
    data = makeDirectory();
  });
  afterEach(() => removeDirectory(data));

  /** All names but the base, which every journal has. */
  const names = () =>
    fs
      .readdirSync(journalDirectory(data))
      .filter((name) => name !== 'base')
      .sort();
  const sizeOf = (name: string) => fs.statSync(join(journalDirectory(data), name)).size;

  test('a full segment is followed by one that is named for its first seq', async () => {
    const journal = await openFileJournal(data, { segmentBytes: SEGMENT_BYTES });
    // Two records of this payload fill a segment to the last byte.
    const payload = (SEGMENT_BYTES - SEGMENT_HEADER_BYTES) / 2 - recordBytes(0);
    const batches = await appendAll(journal, Array<number>(5).fill(payload));
    await journal.close();
    const firstSeqs = [0, 2, 4].map((i) => batches[i].firstSeq);
    expect(names()).toEqual(firstSeqs.map((seq) => `${String(seq).padStart(16, '0')}.seg`));
    for (const name of names()) expect(sizeOf(name)).toBe(SEGMENT_BYTES);
    const again = await openFileJournal(data, { segmentBytes: SEGMENT_BYTES });
    expect(await collect(again.read(1))).toEqual(chained(batches));
    await again.close();
  });

  test('a batch larger than a segment gets a segment of its own size', async () => {
    const journal = await openFileJournal(data, { segmentBytes: SEGMENT_BYTES });
    const batches = await appendAll(journal, [10, 3 * SEGMENT_BYTES, 10]);
    await journal.close();
    expect(sizeOf(names()[1])).toBe(SEGMENT_HEADER_BYTES + recordBytes(3 * SEGMENT_BYTES));
    const again = await openFileJournal(data, { segmentBytes: SEGMENT_BYTES });
    expect(again.firstSeq).toBe(1);
    expect(await collect(again.read(1))).toEqual(chained(batches));
    await again.close();
  });

  test('the next segment is prepared in the background, without holes', async () => {
    const segmentBytes = 64 * 1024;
    const journal = await openFileJournal(data, { segmentBytes });
    await appendAll(journal, [segmentBytes / 2]);
    const prepared = join(journalDirectory(data), 'next.tmp');
    await until(() => fs.existsSync(prepared) && fs.statSync(prepared).size >= segmentBytes);
    expect(fs.statSync(prepared).blocks * 512).toBeGreaterThanOrEqual(segmentBytes);
    await journal.close();
    expect(names()).toEqual(['0000000000000001.seg']);
  });

  test('a half-made next segment of a crash is removed', async () => {
    const first = await openFileJournal(data, { segmentBytes: SEGMENT_BYTES });
    const batches = await appendAll(first, [100]);
    await first.close();
    for (const name of ['next.tmp', 'large.tmp']) {
      fs.writeFileSync(join(journalDirectory(data), name), new Uint8Array(700));
    }
    const second = await openFileJournal(data, { segmentBytes: SEGMENT_BYTES });
    expect(names()).toEqual(['0000000000000001.seg']);
    batches.push(...(await appendAll(second, [SEGMENT_BYTES / 2, SEGMENT_BYTES / 2])));
    expect((await collect(second.read(1))).map(({ payload }) => payload)).toEqual(
      batches.map(({ payload }) => payload),
    );
    await second.close();
  });

  test('truncation removes whole files from the oldest on, never the active one', async () => {
    const journal = await openFileJournal(data, { segmentBytes: SEGMENT_BYTES });
    const batches = await appendAll(journal, Array<number>(8).fill(SEGMENT_BYTES / 2));
    const segments = () => names().filter((name) => name.endsWith('.seg'));
    expect(segments()).toHaveLength(8);
    await journal.truncateBefore(batches[3].firstSeq - 1);
    expect(segments()).toHaveLength(6);
    await journal.truncateBefore(batches[3].firstSeq);
    expect(segments()).toHaveLength(5);
    await journal.truncateBefore(journal.head.seq + 1);
    expect(segments()).toHaveLength(1);
    expect(journal.firstSeq).toBe(batches[7].firstSeq);
    await journal.close();
    const again = await openFileJournal(data, { segmentBytes: SEGMENT_BYTES });
    expect(await collect(again.read(batches[7].firstSeq))).toEqual(chained(batches).slice(7));
    await again.close();
  });

  test('journal files are readable by their owner only', async () => {
    const journal = await openFileJournal(data, { segmentBytes: SEGMENT_BYTES });
    await appendAll(journal, [10]);
    await journal.close();
    const mode = (path: string) => fs.statSync(path).mode & 0o777;
    expect(mode(journalDirectory(data))).toBe(0o700);
    expect(mode(join(journalDirectory(data), names()[0]))).toBe(0o600);
  });

  // A process that is killed leaves the page cache behind, so no kill tells whether a write waits
  // for the device.
  test.skipIf(process.platform !== 'linux')('the system is asked to write through', async () => {
    const journal = await openFileJournal(data, { segmentBytes: SEGMENT_BYTES });
    await appendAll(journal, [10]);
    const opened = (name: string) => fs.readlinkSync(`/proc/self/fd/${name}`, 'utf8');
    const descriptor = fs.readdirSync('/proc/self/fd').find((name) => {
      return fs.existsSync(`/proc/self/fd/${name}`) && opened(name).endsWith(names()[0]!);
    });
    const info = fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8');
    const flags = Number.parseInt(/^flags:\s*(\d+)$/m.exec(info)![1]!, 8);
    expect(flags & fs.constants.O_DSYNC).toBe(fs.constants.O_DSYNC);
    await journal.close();
  });

  test('a killed process loses nothing that it had acknowledged', async () => {
    for (let round = 0; round < 3; round++) {
      const child = Bun.spawn([process.execPath, PROCESS, 'append', data], { stdout: 'pipe' });
      let text = '';
      for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        if (text.length > 1500) child.kill('SIGKILL');
      }
      await child.exited;
      // The last line may be cut off.
      const acknowledged = Number(text.split('\n').at(-2));
      const journal = await openFileJournal(data, { segmentBytes: SEGMENT_BYTES });
      expect(journal.head.seq).toBeGreaterThanOrEqual(acknowledged);
      const records = await collect(journal.read(1));
      expect(records).toHaveLength(journal.head.seq);
      for (const { firstSeq, payload } of records)
        expect(payload).toEqual(payloadOf(firstSeq, 200));
      await journal.close();
    }
  });

  test('a directory that cannot be used is an io error that names it', async () => {
    const file = join(data, 'file');
    fs.writeFileSync(file, 'not a directory');
    const journal = FileJournal.open(new NodeDisk(file), { segmentBytes: SEGMENT_BYTES });
    await expect(journal).rejects.toMatchObject({ kind: 'io', file });
  });
});

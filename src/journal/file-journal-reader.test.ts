// The reader beside a writer: it follows appends and rolls, reads each record once, and tells a
// place that is still being written from one that is damaged.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import {
  appendAll,
  batchAfter,
  chained,
  collect,
  rejection,
} from '../../test/support/journal-contract.ts';
import { FileJournal } from './file-journal.ts';
import { FileJournalReader } from './file-journal-reader.ts';
import type { JournalRecord } from './journal.ts';
import { openFileJournal } from './open-journal.ts';
import { SEGMENT_HEADER_BYTES } from './segment.ts';

const OPTIONS = { segmentBytes: 1024 };
const PROCESS = join(import.meta.dir, '../../test/support/journal-process.ts');

describe('a reader on the simulated disk', () => {
  let disk: SimulatedDisk;
  let journal: FileJournal;
  let reader: FileJournalReader;

  beforeEach(async () => {
    disk = new SimulatedDisk({ seed: 1 });
    journal = await FileJournal.open(disk.mount(), OPTIONS);
    reader = new FileJournalReader(disk.mount());
  });
  afterEach(async () => {
    await reader.close();
    await journal.close();
  });

  test('tails during appends, over segments, and reads each record once', async () => {
    const found: JournalRecord[] = [];
    const batches = [];
    for (let round = 0; round < 60; round++) {
      const next = (found.at(-1)?.firstSeq ?? 0) + (found.at(-1)?.count ?? 1);
      batches.push(
        ...(await appendAll(journal, Array<number>(round % 4).fill(30 * (round % 9) + 8))),
      );
      found.push(...(await collect(reader.read(next, journal.head.seq))));
    }
    expect(found).toEqual(chained(batches));
    expect(reader.position).toMatchObject({ nextSeq: journal.head.seq + 1 });
  });

  test('takes nothing for damage while segments are made and removed beside it', async () => {
    for (let seed = 1; seed <= 150; seed++) {
      const beside = new SimulatedDisk({ seed });
      const writer = await FileJournal.open(beside.mount(), { segmentBytes: 512 });
      const tail = new FileJournalReader(beside.mount());
      let ended = false;
      let next = 1;
      const tailing = (async () => {
        while (!ended)
          for (const { firstSeq } of await collect(tail.read(next))) next = firstSeq + 1;
      })();
      for (let seq = 1; seq <= 40; seq++) {
        await writer.append(batchAfter(writer.head, 300));
        // Truncation may remove anything behind the reader, also while it opens a segment.
        await writer.truncateBefore(next);
      }
      ended = true;
      await tailing;
      expect(await collect(tail.read(next))).toEqual(await collect(writer.read(next)));
      await tail.close();
      await writer.close();
    }
  });

  test('an empty journal has nothing to read, with and without an end', async () => {
    expect(await collect(reader.read(1, 0))).toEqual([]);
    expect(await collect(reader.read(0))).toEqual([]);
    expect(reader.position).toBeUndefined();
    const batches = await appendAll(journal, [10]);
    expect(await collect(reader.read(1))).toEqual(chained(batches));
  });

  test('reading again from an earlier seq starts over there', async () => {
    const records = chained(await appendAll(journal, [300, 300, 300, 300, 300]));
    expect(await collect(reader.read(1))).toEqual(records);
    expect(await collect(reader.read(records[1].firstSeq))).toEqual(records.slice(1));
    expect(await collect(reader.read(records[4].firstSeq))).toEqual(records.slice(4));
  });

  test('a consumer that stops early continues from its position', async () => {
    const records = chained(await appendAll(journal, [300, 300, 300, 300, 300]));
    for await (const group of reader.read(1)) if (group.length > 0) break;
    expect(await collect(reader.read(2))).toEqual(records.slice(1));
  });

  test('the end asked for is not passed, also within a batch', async () => {
    const records = chained(await appendAll(journal, [10, 10, 10, 10]));
    const { firstSeq, count } = records[2];
    expect(count).toBeGreaterThan(1);
    expect(await collect(reader.read(1, firstSeq))).toEqual(records.slice(0, 2));
    expect(await collect(reader.read(firstSeq, firstSeq + count - 1))).toEqual(records.slice(2, 3));
    expect(await collect(reader.read(firstSeq + count))).toEqual(records.slice(3));
  });

  test('a record that is not whole yet ends the reading quietly', async () => {
    const records = chained(await appendAll(journal, [104, 104]));
    const { offset, lastOffset } = await positionAfter(reader);
    const image = disk.image();
    for (let at = lastOffset; at < offset; at++) {
      const bytes = image.get('0000000000000001.seg')!.slice().fill(0, at);
      const torn = new SimulatedDisk({
        seed: 1,
        image: new Map([['0000000000000001.seg', bytes]]),
      });
      const other = new FileJournalReader(torn.mount());
      expect(await collect(other.read(1))).toEqual(records.slice(0, 1));
      const error = await rejection('corrupt', collect(other.read(1, journal.head.seq)));
      expect(error.offset).toBe(lastOffset);
      await other.close();
    }
  });

  test('damage is found and named, with and without an end', async () => {
    await appendAll(journal, [100, 100, 100]);
    disk.flipBit('0000000000000001.seg', (SEGMENT_HEADER_BYTES + 20) * 8);
    for (const uptoSeq of [undefined, 1, journal.head.seq]) {
      const error = await rejection('corrupt', collect(reader.read(1, uptoSeq)));
      expect(error.offset).toBe(SEGMENT_HEADER_BYTES);
    }
    await rejection('corrupt', collect(journal.read(1)));
  });

  test('a reader that truncation has overtaken gets its own error', async () => {
    const batches = await appendAll(journal, [300]);
    expect(await collect(reader.read(1))).toHaveLength(1);
    batches.push(...(await appendAll(journal, [300, 300, 300, 300, 300, 300])));
    await journal.truncateBefore(batches[5].firstSeq);
    // The open file still gives what it holds; what came after it is gone.
    const error = await rejection('sequence', collect(reader.read(2, journal.head.seq)));
    expect(error.message).toContain('archived');
    await rejection('sequence', collect(reader.read(1)));
    expect(await collect(reader.read(batches[5].firstSeq))).toEqual(chained(batches).slice(5));
  });

  test('durable records in a directory without segments are missing, not absent', async () => {
    const error = await rejection('corrupt', collect(reader.read(1, 5)));
    expect(error.message).toContain('holds no journal segment');
  });

  test('a closed reader rejects, also in the middle of an iteration', async () => {
    await appendAll(journal, [300, 300, 300, 300]);
    const iteration = reader.read(1);
    await iteration.next();
    await reader.close();
    await rejection('closed', iteration.next());
    await rejection('closed', collect(reader.read(1)));
  });
});

async function positionAfter(reader: FileJournalReader) {
  await collect(reader.read(1));
  return reader.position!;
}

describe('a reader in another process', () => {
  let data: string;

  beforeEach(() => {
    data = fs.mkdtempSync(join(tmpdir(), 'agio-reader-'));
  });
  afterEach(() => fs.rmSync(data, { recursive: true, force: true }));

  test('reads beside the writer without a lock and never sees damage', async () => {
    const last = 2000;
    const journal = await openFileJournal(data, { segmentBytes: 8192 });
    const tail = Bun.spawn([process.execPath, PROCESS, 'tail', data, String(last)], {
      stdout: 'pipe',
      stderr: 'pipe',
    });
    while (journal.head.seq < last) {
      await journal.append(batchAfter(journal.head, 1 + (journal.head.seq % 1500)));
    }
    expect(await new Response(tail.stderr).text()).toBe('');
    expect(await new Response(tail.stdout).text()).toBe(`${last}\n`);
    await journal.close();
  });
});

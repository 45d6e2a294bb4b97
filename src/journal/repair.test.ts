// Opening a journal with torn, damaged and missing bytes, and appending to a disk that fails. The
// rule under test: an acknowledged record is there exactly, or the journal rejects to open and says
// where; it never opens with other content.
import { describe, expect, test } from 'bun:test';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import {
  appendAll,
  batchAfter,
  chained,
  collect,
  rejection,
} from '../../test/support/journal-contract.ts';
import { type Disk, WINDOW_BYTES } from './disk.ts';
import { FileJournal } from './file-journal.ts';
import type { JournalBatch, JournalRecord } from './journal.ts';
import { JournalError } from './journal.ts';
import { recordBytes } from './record.ts';
import { MAX_PAYLOAD_BYTES } from './rules.ts';
import { listSegments, SEGMENT_HEADER_BYTES, segmentName } from './segment.ts';

const SEGMENT_BYTES = 1024;
const OPTIONS = { segmentBytes: SEGMENT_BYTES };
/** A snapshot was taken after three batches. */
const KNOWN = { ...OPTIONS, evidence: [{ files: '/data/6.snapshot', seq: 6 }] };

type Image = Map<string, Uint8Array>;

interface WrittenFile {
  readonly image: Image;
  readonly batches: JournalBatch[];
  readonly records: JournalRecord[];
  /** The names of the segments, in order. */
  readonly segments: string[];
  /** The file of each record and where it starts there. */
  readonly places: { readonly file: string; readonly start: number; readonly end: number }[];
}

/** A closed journal of one batch for each length. */
async function write(lengths: number[], options = OPTIONS): Promise<WrittenFile> {
  const disk = new SimulatedDisk({ seed: 1 });
  const journal = await FileJournal.open(disk.mount(), options);
  const batches = await appendAll(journal, lengths);
  await journal.close();
  const segments = (await listSegments(disk.mount())).map(segmentName);
  let file = '';
  let end = 0;
  const places = batches.map(({ firstSeq, payload }) => {
    if (segments.includes(segmentName(firstSeq))) {
      file = segmentName(firstSeq);
      end = SEGMENT_HEADER_BYTES;
    }
    const start = end;
    end += recordBytes(payload.length);
    return { file, start, end };
  });
  return { image: disk.image(), batches, records: chained(batches), segments, places };
}

/** A copy of `image` in which `change` has changed the bytes of `file`. */
function changed(
  image: Image,
  file: string,
  change: (bytes: Uint8Array) => Uint8Array | undefined,
) {
  const bytes = image.get(file)!.slice();
  return new Map(image).set(file, change(bytes) ?? bytes);
}

function flip(at: number, mask = 1): (bytes: Uint8Array) => undefined {
  return (bytes) => {
    bytes[at] ^= mask;
  };
}

function without(image: Image, file: string): Image {
  const rest = new Map(image);
  rest.delete(file);
  return rest;
}

function open(image: Image, seed = 1): Promise<FileJournal> {
  return FileJournal.open(new SimulatedDisk({ seed, image }).mount(), OPTIONS);
}

async function contents(image: Image): Promise<JournalRecord[]> {
  const journal = await open(image);
  const records = await collect(journal.read(1));
  await journal.close();
  return records;
}

async function requireCorrupt(image: Image, file: string, offset: number): Promise<void> {
  const error = await rejection('corrupt', open(image));
  expect(error.file).toBe(`/simulated/journal/${file}`);
  expect(error.offset).toBe(offset);
  expect(error.message).toContain(error.file!);
  expect(error.message).toMatch(/restore .* from .*(a|one) backup\.$/);
}

describe('a torn end', () => {
  const remains: Record<string, (bytes: Uint8Array, end: number) => Uint8Array | undefined> = {
    zeros: (bytes, end) => void bytes.fill(0, end),
    garbage: (bytes, end) => void bytes.fill(0xa5, end),
    'the end of the file': (bytes, end) => bytes.subarray(0, end),
  };

  for (const [what, tear] of Object.entries(remains)) {
    test(`is cut at whatever byte of the last record ${what} begins`, async () => {
      const { image, records, places } = await write([100, 90, 104]);
      const { file, start, end } = places[2];
      for (let at = start; at < end; at++) {
        const torn = changed(image, file, (bytes) => tear(bytes, at));
        const disk = new SimulatedDisk({ seed: at, image: torn });
        const journal = await FileJournal.open(disk.mount(), OPTIONS);
        expect(await collect(journal.read(1))).toEqual(records.slice(0, 2));
        const rest = disk.image().get(file)!.subarray(start);
        expect(rest.every((byte) => byte === 0)).toBe(true);
        if (what === 'zeros') expect(journal.cutBytes).toBeLessThanOrEqual(at - start);
        // The next record is shorter, so it would show remains that were not cleared.
        const batch = batchAfter(journal.head, 8);
        await journal.append(batch);
        await journal.close();
        disk.crash();
        const again = await FileJournal.open(disk.mount(), OPTIONS);
        expect(again.cutBytes).toBe(0);
        expect((await collect(again.read(1))).slice(2)).toMatchObject([batch]);
      }
    });
  }

  test('may begin with lost sectors before good ones', async () => {
    const { image, records, places } = await write([100, 700]);
    const { file, start } = places[1];
    const torn = changed(image, file, (bytes) => void bytes.fill(0, start, 512));
    expect(await contents(torn)).toEqual(records.slice(0, 1));
  });

  test('leaves an intact journal untouched', async () => {
    const { image, records } = await write([100, 700, 300, 20]);
    expect(await contents(image)).toEqual(records);
    const disk = new SimulatedDisk({ seed: 1, image });
    await (await FileJournal.open(disk.mount(), OPTIONS)).close();
    expect(disk.image()).toEqual(image);
  });
});

describe('damage', () => {
  test('a bad record that a good one follows is rejected, with file and offset', async () => {
    const { image, places } = await write([100, 100, 100, 100]);
    for (const { file, start, end } of places.slice(0, 3)) {
      for (const at of [start, start + 5, start + 8, start + 30, end - 1]) {
        const flipped = changed(image, file, flip(at, 0x10));
        await requireCorrupt(flipped, file, start);
      }
      const blanked = changed(image, file, (bytes) => void bytes.fill(0, start, end));
      await requireCorrupt(blanked, file, start);
    }
  });

  test('a bad last record of a segment is rejected when another segment follows', async () => {
    const { image, places, segments } = await write([300, 300, 300, 300]);
    expect(segments).toHaveLength(2);
    const { file, start } = places[1];
    await requireCorrupt(
      changed(image, file, (bytes) => void bytes.fill(0, start)),
      file,
      start,
    );
    await requireCorrupt(
      changed(image, file, (bytes) => bytes.subarray(0, start)),
      file,
      start,
    );
  });

  test('a bad first record of a segment is rejected, since its name is younger', async () => {
    const { image, places } = await write([300, 300, 300]);
    const { file, start } = places[2];
    await requireCorrupt(
      changed(image, file, (bytes) => void bytes.fill(0, start)),
      file,
      start,
    );
  });

  test('a bad segment header is rejected', async () => {
    const { image, segments } = await write([300, 300, 300]);
    for (const file of segments) {
      for (const at of [0, 9, 16, 40, 58, 63]) {
        await requireCorrupt(changed(image, file, flip(at)), file, 0);
      }
      for (const length of [0, 63]) {
        await requireCorrupt(
          changed(image, file, (bytes) => bytes.subarray(0, length)),
          file,
          0,
        );
      }
    }
  });

  test('a missing segment is rejected', async () => {
    const { image, segments, places } = await write([300, 300, 300, 300, 300, 300]);
    expect(segments).toHaveLength(3);
    await requireCorrupt(without(image, segments[1]), segments[0], places[1].end);
  });

  test('a segment under the name of another is rejected', async () => {
    const { image, segments } = await write([300, 300, 300, 300, 300, 300]);
    const renamed = new Map(image).set(segments[1], image.get(segments[2])!);
    const error = await rejection('corrupt', open(renamed));
    expect(error.message).toContain('give the file its old name again');
  });

  test('a segment of another journal is rejected, though it is sound in itself', async () => {
    const { image, segments, places } = await write([300, 300, 300, 300, 300, 300]);
    const other = await write([301, 300, 300, 300, 300, 300]);
    expect(other.segments).toEqual(segments);
    for (const file of segments.slice(1)) {
      await requireCorrupt(new Map(image).set(file, other.image.get(file)!), file, 0);
    }
    const mixed = changed(image, segments[1], (bytes) => {
      bytes.set(other.image.get(segments[1])!.subarray(SEGMENT_HEADER_BYTES), SEGMENT_HEADER_BYTES);
      return bytes;
    });
    const error = await rejection('corrupt', open(mixed));
    expect(error.offset).toBe(places[2].start);
    expect(error.message).toContain('does not continue the hash chain');
  });

  test('a journal that is rejected is left as it is', async () => {
    const { image, places } = await write([100, 100, 100]);
    const { file, start } = places[1];
    const damaged = changed(image, file, flip(start));
    const disk = new SimulatedDisk({ seed: 1, image: damaged });
    await rejection('corrupt', FileJournal.open(disk.mount(), OPTIONS));
    expect(disk.image()).toEqual(damaged);
  });

  test('is found however far behind it a good record is, in windows', async () => {
    const lengths = Array<number>(12).fill(MAX_PAYLOAD_BYTES / 2);
    const { image, places } = await write(lengths, { segmentBytes: 16 * MAX_PAYLOAD_BYTES });
    const { file, start } = places[1];
    const { start: end } = places.at(-1)!;
    const disk = new SimulatedDisk({
      seed: 1,
      image: changed(image, file, (bytes) => void bytes.fill(0, start, end)),
    }).mount();
    let longest = 0;
    const counted: Disk = {
      ...{
        directory: disk.directory,
        list: () => disk.list(),
        rename: (...of) => disk.rename(...of),
      },
      ...{ remove: (name) => disk.remove(name), syncDirectory: () => disk.syncDirectory() },
      async open(name, mode) {
        const opened = await disk.open(name, mode);
        const read = opened.read.bind(opened);
        opened.read = (into, offset) => {
          longest = Math.max(longest, into.length);
          return read(into, offset);
        };
        return opened;
      },
    };
    const error = await rejection('corrupt', FileJournal.open(counted, OPTIONS));
    expect(error.offset).toBe(start);
    expect(longest).toBeLessThanOrEqual(WINDOW_BYTES + recordBytes(MAX_PAYLOAD_BYTES));
    // With nothing behind it, the end of the file was torn.
    const torn = changed(image, file, (bytes) => void bytes.fill(1, start + 5));
    const journal = await FileJournal.open(new SimulatedDisk({ seed: 1, image: torn }).mount());
    expect(journal.head.seq).toBe(1);
    expect(journal.cutBytes).toBe(image.get(file)!.length - start);
    await journal.close();
  });

  test('an unreadable end that was durable is not a torn write', async () => {
    const { image, places } = await write([100, 100, 100]);
    const { file, start } = places.at(-1)!;
    const flipped = changed(image, file, flip(start + 20));
    const disk = new SimulatedDisk({ seed: 1, image: flipped });
    const error = await rejection('corrupt', FileJournal.open(disk.mount(), KNOWN));
    expect(error.message).toContain('is damaged');
    expect(error.message).toContain('made durable');
    expect(disk.image()).toEqual(flipped);
    // An end that nothing shows to have been durable may have been torn.
    const journal = await FileJournal.open(disk.mount(), OPTIONS);
    expect(journal.head.seq).toBe(3);
    expect(journal.cutBytes).toBeGreaterThan(0);
    await journal.close();
  });

  test('a sound journal that ends before its evidence is an older backup, not damage', async () => {
    const { image, places, segments, batches } = await write([300, 300, 300, 300, 300]);
    const { firstSeq, count } = batches[4];
    const last = firstSeq + count - 1;
    const evidence = [
      { files: '/data/1.snapshot', seq: 1 },
      { files: '/data/views.db*', seq: last },
    ];
    const shorter = [
      without(image, segments[2]),
      changed(without(image, segments[2]), segments[1], (bytes) =>
        bytes.subarray(0, places[3].start),
      ),
    ];
    for (const older of shorter) {
      const disk = new SimulatedDisk({ seed: 1, image: older });
      const opening = FileJournal.open(disk.mount(), { ...OPTIONS, evidence });
      const error = await rejection('corrupt', opening);
      expect(error.message).toContain('restored from an older backup');
      expect(error.message).toContain(`/data/views.db* went up to command ${last}`);
      expect(error.message).toEndWith('first move these away: /data/views.db*');
      expect(error.message).not.toContain('damaged');
      expect(error.message).not.toContain('/data/1.snapshot');
      expect(disk.image()).toEqual(older);
      const journal = await FileJournal.open(disk.mount(), OPTIONS);
      expect(journal.cutBytes).toBe(0);
      await journal.close();
    }
  });

  test('any flipped bit gives an allowed prefix or a rejection, never other content', async () => {
    const { image, records, places, segments } = await write([
      60, 300, 200, 8, 500, 90, 700, 40, 77,
    ]);
    expect(segments.length).toBeGreaterThan(2);
    const last = places.at(-1)!;
    let rejected = 0;
    for (const file of segments) {
      for (let at = 0; at < image.get(file)!.length; at++) {
        const flipped = changed(image, file, flip(at, 1 << (at % 8)));
        const found = await contents(flipped).catch((error: unknown) => error);
        if (found instanceof JournalError) {
          expect(found).toMatchObject({ kind: 'corrupt', file: `/simulated/journal/${file}` });
          rejected++;
          continue;
        }
        const inLast = file === last.file && at >= last.start && at < last.end;
        expect(found).toEqual(inLast ? records.slice(0, -1) : records);
      }
    }
    expect(rejected).toBeGreaterThan(1500);
  });
});

/** Waits until whatever goes on in the background of the simulated disk must have ended. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 2000; turns++) await Promise.resolve();
}

describe('a missing first segment', () => {
  test('is rejected and named, also when it was the only one', async () => {
    for (const lengths of [[100], [300, 300, 300, 300, 300, 300]]) {
      const { image, segments } = await write(lengths);
      const missing = without(image, segments[0]);
      await requireCorrupt(missing, segments[0], 0);
      const disk = new SimulatedDisk({ seed: 1, image: missing });
      const error = await rejection('corrupt', FileJournal.open(disk.mount(), KNOWN));
      expect(error.message).toContain(`${segments[0]} is missing`);
      expect(disk.image()).toEqual(missing);
    }
  });

  test('is rejected where no base was written yet', async () => {
    const { image, segments } = await write([300, 300, 300, 300]);
    const old = without(image, 'base');
    expect(await contents(old)).toHaveLength(4);
    await requireCorrupt(without(old, segments[0]), segments[0], 0);
  });

  test('is one that was archived only where the base says so', async () => {
    const disk = new SimulatedDisk({ seed: 1 });
    const journal = await FileJournal.open(disk.mount(), OPTIONS);
    const batches = await appendAll(journal, [300, 300, 300, 300, 300, 300]);
    await journal.truncateBefore(batches[2].firstSeq);
    await journal.close();
    const image = disk.image();
    const segments = (await listSegments(disk.mount())).map(segmentName);
    expect(segments).toHaveLength(2);

    const again = await open(image);
    expect(again.firstSeq).toBe(batches[2].firstSeq);
    expect(await collect(again.read(batches[2].firstSeq))).toEqual(chained(batches).slice(2));
    await again.close();
    await requireCorrupt(without(image, segments[0]), segments[0], 0);
    await requireCorrupt(without(image, 'base'), segmentName(1), 0);
  });

  test('a base that is damaged, or of another journal, is rejected', async () => {
    const { image, segments } = await write([300, 300, 300]);
    for (let at = 0; at < 64; at++)
      await requireCorrupt(changed(image, 'base', flip(at)), 'base', 0);
    const disk = new SimulatedDisk({ seed: 1 });
    const other = await FileJournal.open(disk.mount(), OPTIONS);
    const batches = await appendAll(other, [301, 300, 300, 300]);
    await other.truncateBefore(batches[2].firstSeq);
    await other.close();
    const base = disk.image().get('base')!;
    await requireCorrupt(new Map(without(image, segments[0])).set('base', base), segments[1], 0);
  });
});

describe('a failing disk', () => {
  test('a failed sync is final and nothing is tried again', async () => {
    for (const operation of ['datasync', 'write'] as const) {
      const disk = new SimulatedDisk({ seed: 3 });
      const journal = await FileJournal.open(disk.mount(), OPTIONS);
      const batches = await appendAll(journal, [100, 100]);
      const { head } = journal;
      disk.failNext(operation, 'EIO');
      const error = await rejection('io', journal.append(batchAfter(head, 100)));
      expect(error.message).toContain('EIO');
      expect(error.offset).toBe(SEGMENT_HEADER_BYTES + 2 * recordBytes(100));
      const before = disk.image();
      const again = await rejection('io', journal.append(batchAfter(head, 100)));
      expect(again.message).toStartWith('The journal has stopped');
      expect(disk.image()).toEqual(before);
      expect(journal.head).toEqual(head);
      expect(await collect(journal.read(1))).toEqual(chained(batches));
      await journal.close();
    }
  });

  test('what a failed sync left in the page cache is durable at a restart, or gone', async () => {
    for (let seed = 1; seed <= 100; seed++) {
      const disk = new SimulatedDisk({ seed });
      const first = await FileJournal.open(disk.mount(), OPTIONS);
      const batches = await appendAll(first, [100, 120]);
      const lost = batchAfter(first.head, 200);
      disk.failNext('datasync', 'EIO');
      await rejection('io', first.append(lost));
      disk.kill();
      const second = await FileJournal.open(disk.mount(), OPTIONS);
      if (second.head.seq === lost.firstSeq) batches.push(lost);
      batches.push(...(await appendAll(second, [50])));
      disk.crash();
      const third = await FileJournal.open(disk.mount(), OPTIONS);
      expect(await collect(third.read(1))).toEqual(chained(batches));
    }
  });

  test('a full disk rejects a batch that needs a segment, until there is room', async () => {
    const disk = new SimulatedDisk({ seed: 5, capacityBytes: 2 * SEGMENT_BYTES + 300 });
    const journal = await FileJournal.open(disk.mount(), OPTIONS);
    const batches = await appendAll(journal, [600, 200, 600, 200]);
    const error = await rejection('full', journal.append(batchAfter(journal.head, 600)));
    expect(error.message).toContain('ENOSPC');
    await rejection('full', journal.append(batchAfter(journal.head, 600)));
    await journal.close();
    disk.kill();
    const again = await FileJournal.open(disk.mount(), OPTIONS);
    expect(await collect(again.read(1))).toEqual(chained(batches));
    await rejection('full', again.append(batchAfter(again.head, 600)));
    // Space that truncation gives back is enough to go on.
    await again.truncateBefore(batches[2].firstSeq);
    await appendAll(again, [600]);
    await again.close();
  });

  test('a failed background preparation is made good when the segment is needed', async () => {
    for (const operation of ['create', 'write', 'datasync'] as const) {
      const disk = new SimulatedDisk({ seed: 7 });
      const journal = await FileJournal.open(disk.mount(), OPTIONS);
      await appendAll(journal, [300]);
      const batch = batchAfter(journal.head, 200);
      // The operations of the append itself come first; the next ones are the preparation's.
      disk.failNext(operation, 'ENOSPC', operation === 'create' ? 0 : 1);
      await journal.append(batch);
      await settled();
      expect(disk.image().has('next.tmp')).toBe(false);
      await appendAll(journal, [900]);
      expect(journal.head.seq).toBe(3);
      await journal.close();
    }
  });

  test('a failed step of a roll stops the journal and loses nothing acknowledged', async () => {
    for (const operation of ['write', 'datasync', 'rename', 'syncDirectory'] as const) {
      const disk = new SimulatedDisk({ seed: 9 });
      const journal = await FileJournal.open(disk.mount(), OPTIONS);
      const batches = await appendAll(journal, [600]);
      await settled();
      const next = batchAfter(journal.head, 600);
      disk.failNext(operation, 'EIO');
      await rejection('io', journal.append(next));
      expect(journal.head.seq).toBe(1);
      await rejection('io', journal.append(next));
      await journal.close();
      disk.crash();
      const again = await FileJournal.open(disk.mount(), OPTIONS);
      if (again.head.seq === 2) batches.push(next);
      expect(await collect(again.read(1))).toEqual(chained(batches));
    }
  });
});

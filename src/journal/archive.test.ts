// The archive on simulated disks: what is copied, what is rejected, and that journal and archive
// are one history. Losses of power are test/sim/archive.sim.test.ts.
import { beforeEach, expect, test } from 'bun:test';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import { appendAll, chained, collect, rejection } from '../../test/support/journal-contract.ts';
import { archiveSegments, restoreSegments } from './archive.ts';
import { FileJournal } from './file-journal.ts';
import { HistoryReader } from './history-reader.ts';
import type { JournalBatch } from './journal.ts';

const OPTIONS = { segmentBytes: 1024 };

let journalDisk: SimulatedDisk;
let archiveDisk: SimulatedDisk;
let journal: FileJournal;
let batches: JournalBatch[];

beforeEach(async () => {
  journalDisk = new SimulatedDisk({ seed: 1 });
  archiveDisk = new SimulatedDisk({ seed: 2 });
  journal = await FileJournal.open(journalDisk.mount(), OPTIONS);
  batches = await appendAll(journal, [300, 300, 300, 300, 300, 300, 300]);
});

const archive = (from = journalDisk, to = archiveDisk) => archiveSegments(from.mount(), to.mount());
const history = () => new HistoryReader(journalDisk.mount(), archiveDisk.mount());
const segments = (disk: SimulatedDisk): string[] =>
  [...disk.image().keys()].filter((name) => name.endsWith('.seg'));

async function append(lengths: number[]): Promise<void> {
  batches.push(...(await appendAll(journal, lengths)));
}

test('copies each closed segment once', async () => {
  const first = await archive();
  expect(first.copied).toBe(3);
  expect(first.archived.nextSeq).toBe(batches[6]!.firstSeq);
  expect(segments(archiveDisk)).toHaveLength(3);
  for (const name of segments(archiveDisk)) {
    expect(archiveDisk.image().get(name)).toEqual(journalDisk.image().get(name)!);
  }
  expect((await archive()).copied).toBe(0);
  await append([300, 300, 300]);
  await journal.truncateBefore(first.archived.nextSeq);
  expect((await archive()).copied).toBe(1);
  await append([300, 300]);
  expect((await archive()).copied).toBe(1);
});

test('journal and archive are one history, from any place', async () => {
  const { archived } = await archive();
  await journal.truncateBefore(archived.nextSeq);
  await append([300, 300, 300]);
  const records = chained(batches);
  expect(await history().firstSeq()).toBe(1);
  for (const [index, { firstSeq, count }] of records.entries()) {
    expect(await collect(history().read(firstSeq))).toEqual(records.slice(index));
    const upto = firstSeq + count - 1;
    expect(await collect(history().read(1, upto))).toEqual(records.slice(0, index + 1));
  }
  const alone = new HistoryReader(journalDisk.mount());
  expect(await alone.firstSeq()).toBe(archived.nextSeq);
  const error = await rejection('sequence', collect(alone.read(1)));
  expect(error.message).toContain(`begins at command ${archived.nextSeq}`);
  expect(error.message).toContain('--archive DIR');
});

test('a journal that was restored from it is the one that it was', async () => {
  const before = journalDisk.image();
  const { archived } = await archive();
  await journal.truncateBefore(archived.nextSeq);
  await journal.close();
  await restoreSegments(archiveDisk.mount(), journalDisk.mount());
  before.delete('next.tmp');
  expect(journalDisk.image()).toEqual(before);
  const again = await FileJournal.open(journalDisk.mount(), OPTIONS);
  expect(await collect(again.read(1))).toEqual(chained(batches));
  expect((await restoreSegments(archiveDisk.mount(), journalDisk.mount())).copied).toBe(0);
});

test('a copy that is damaged is rejected, and nothing else is', async () => {
  await archive();
  const sound = archiveDisk.image();
  const [name] = segments(archiveDisk);
  for (let bit = 0; bit < 1024 * 8; bit += 61) {
    archiveDisk.flipBit(name!, bit);
    const found = await archive().catch((error: unknown) => error);
    // Zeros behind the last record mean nothing.
    if (bit < (64 + 2 * 360) * 8) expect(found).toMatchObject({ kind: 'corrupt' });
    archiveDisk.restore(sound);
  }
});

test('an archive that does not continue the journal is rejected before any copy', async () => {
  const early = journalDisk.image();
  const { archived } = await archive();
  await journal.truncateBefore(archived.nextSeq);
  await append([300, 300, 300, 300]);

  const other = new SimulatedDisk({ seed: 3 });
  const another = await FileJournal.open(other.mount(), OPTIONS);
  await appendAll(another, [301, 300, 300, 300, 300, 300, 300, 300, 300]);
  const untouched = archiveDisk.image();
  const ofAnother = await rejection('corrupt', archive(other));
  expect(ofAnother.message).toContain('hold different histories');
  expect(archiveDisk.image()).toEqual(untouched);

  // With a hole, and one that begins after the journal.
  const late = new SimulatedDisk({ seed: 4 });
  await archive(journalDisk, late);
  await append([300, 300, 300]);
  const older = new SimulatedDisk({ seed: 5, image: early });
  const behind = await rejection('corrupt', archive(older, late));
  expect(behind.message).toContain('and the journal at 1');
  const partial = new SimulatedDisk({ seed: 6, image: archiveDisk.image() });
  const newest = (await archive()).archived;
  await journal.truncateBefore(newest.nextSeq);
  const hole = await rejection('corrupt', archive(journalDisk, partial));
  expect(hole.message).toContain('and the journal begins at');
  const before = partial.image();
  const reader = new HistoryReader(journalDisk.mount(), partial.mount());
  expect((await rejection('corrupt', collect(reader.read(1)))).message).toContain(
    'it is not the whole archive',
  );
  expect(partial.image()).toEqual(before);
  // The journal that it was made of was put back to an earlier time.
  const ahead = await rejection('corrupt', archive(older, archiveDisk));
  expect(ahead.message).toContain('which the journal has not archived');
});

// Copies of a journal after damage, on the simulated disk.
import { expect, test } from 'bun:test';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import { FileJournal } from './file-journal.ts';
import { JournalError } from './journal.ts';
import { openCopy } from './open-copy.ts';

const OPTIONS = { segmentBytes: 4096 };

const batch = (firstSeq: number) => ({
  firstSeq,
  count: 1,
  epoch: 1,
  payload: new Uint8Array([firstSeq]),
});

async function written(disk: SimulatedDisk, records: number): Promise<void> {
  const journal = await FileJournal.open(disk.mount(), OPTIONS);
  for (let seq = 1; seq <= records; seq++) await journal.append(batch(seq));
  await journal.close();
}

/** The names of the segments, and of all that was set aside. */
const segments = (disk: SimulatedDisk): string[] =>
  [...disk.image().keys()].filter((name) => name.includes('.seg')).sort();

const rejected = (error: JournalError): never => {
  throw error;
};

test('an intact copy is opened as it is', async () => {
  const disk = new SimulatedDisk({ seed: 1 });
  await written(disk, 3);
  const journal = await openCopy(disk.mount(false), OPTIONS, rejected);
  expect(journal.head.seq).toBe(3);
  await journal.close();
});

test('a damaged copy is set aside and begins again, each time', async () => {
  const disk = new SimulatedDisk({ seed: 1 });
  const kinds: string[] = [];
  await written(disk, 3);
  for (const damages of [1, 2]) {
    disk.flipBit('0000000000000001.seg', 0);
    const journal = await openCopy(disk.mount(false), OPTIONS, ({ kind }) => kinds.push(kind));
    expect(kinds).toEqual(Array(damages).fill('corrupt'));
    expect(journal.head.seq).toBe(0);
    expect(segments(disk)).toEqual(['0000000000000001.seg.damaged']);
    await journal.append(batch(1));
    await journal.close();
    expect(segments(disk)).toEqual(['0000000000000001.seg', '0000000000000001.seg.damaged']);
  }
});

test('a disk that fails is not taken for a damaged copy', async () => {
  const disk = new SimulatedDisk({ seed: 1 });
  await written(disk, 1);
  disk.crashAfter(0);
  const opening = openCopy(disk.mount(false), OPTIONS, rejected);
  await expect(opening).rejects.toThrow(JournalError);
  await expect(opening).rejects.toMatchObject({ kind: 'io' });
});

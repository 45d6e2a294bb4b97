// Recovery: the state of the journal's head, from any snapshot of the same history, and no state at
// all from another one.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { listEth, tradeAtRandom } from '../../test/support/trading-workload.ts';
import { Venue } from '../../test/support/venue.ts';
import { appendLog, SNAPSHOT_KEYS, TemporaryDirectory } from '../../test/support/view-files.ts';
import { JournalError } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { recover } from './recovery.ts';
import { writeSnapshot } from './snapshot-store.ts';

let directory: TemporaryDirectory;
beforeEach(() => {
  directory = new TemporaryDirectory();
});
afterEach(() => directory[Symbol.dispose]());

const LENGTH = 150;

/** A venue and the journal of its history of `LENGTH` commands. */
async function lived(seed = 1): Promise<{ venue: Venue; journal: MemoryJournal }> {
  const venue = new Venue({ users: 2 });
  listEth(venue);
  tradeAtRandom(venue, new Prng(seed), 100);
  while (venue.seq < LENGTH) venue.addUser();
  const journal = new MemoryJournal();
  await appendLog(journal, venue.log);
  return { venue, journal };
}

const snapshots = () => ({ directory: directory.path, keys: SNAPSHOT_KEYS });

const recovered = (journal: MemoryJournal) =>
  recover(journal, snapshots(), (sentence) => {
    throw new Error(sentence);
  });

const refusal = async (journal: MemoryJournal): Promise<string> => {
  const error = await recovered(journal).catch((thrown: unknown) => thrown);
  if (!(error instanceof JournalError)) throw new Error('it was recovered');
  return `${error.kind}: ${error.message}`;
};

/** Goes on with the history, and writes it to the journal. */
async function goOn(venue: Venue, journal: MemoryJournal, epoch = 1): Promise<void> {
  const from = venue.log.length;
  venue.addUser();
  const other = new MemoryJournal();
  await appendLog(other, venue.log, 1);
  for await (const records of other.read(from + 1)) {
    for (const record of records) await journal.append({ ...record, epoch });
  }
}

test('from the first command, or from a snapshot and what came after it', async () => {
  const { venue, journal } = await lived();
  const all = await recovered(journal);
  expect(all.exchange.state.stateHash()).toBe(venue.exchange.state.stateHash());
  expect([all.snapshotSeq, all.replayed, all.epoch]).toEqual([0, venue.seq, 1]);

  writeSnapshot(snapshots(), venue.exchange.state, journal.head.chainHash);
  const none = await recovered(journal);
  expect([none.snapshotSeq, none.replayed, none.epoch]).toEqual([LENGTH, 0, 1]);

  await goOn(venue, journal, 2);
  const tail = await recovered(journal);
  expect(tail.exchange.state.stateHash()).toBe(venue.exchange.state.stateHash());
  expect([tail.snapshotSeq, tail.replayed]).toEqual([LENGTH, venue.seq - LENGTH]);
});

test('the term is that of the last leader, also where a snapshot stands at the end', async () => {
  const { venue, journal } = await lived();
  for (const epoch of [2, 5]) {
    await goOn(venue, journal, epoch);
    expect((await recovered(journal)).epoch).toBe(epoch);
    writeSnapshot(snapshots(), venue.exchange.state, journal.head.chainHash);
    expect((await recovered(journal)).epoch).toBe(epoch);
  }
});

test('not with a snapshot of commands that the journal does not have', async () => {
  const { venue } = await lived();
  writeSnapshot(snapshots(), venue.exchange.state, new Uint8Array(32));
  const journal = new MemoryJournal();
  await appendLog(journal, venue.log.slice(0, -3));
  expect(await refusal(journal)).toStartWith(
    `corrupt: Commands ${venue.seq - 2} to ${venue.seq} are missing from the journal`,
  );
});

test('not with a snapshot of another history of the same length', async () => {
  const { journal } = await lived(1);
  const { venue: other, journal: another } = await lived(2);
  writeSnapshot(snapshots(), other.exchange.state, another.head.chainHash);
  expect(await refusal(journal)).toContain('does not belong to this journal');
  // The other history has it.
  expect((await recovered(another)).snapshotSeq).toBe(LENGTH);
});

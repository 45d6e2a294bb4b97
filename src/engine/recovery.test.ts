// Recovery: the state of the journal's head, from any snapshot of the same history, and no state at
// all from another one.
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { MemoryJournal } from '../../test/support/memory-journal.ts';
import { tradedVenue } from '../../test/support/trading-workload.ts';
import { placeOrder, Venue } from '../../test/support/venue.ts';
import { appendLog, SNAPSHOT_KEYS, TemporaryDirectory } from '../../test/support/view-files.ts';
import { InvariantError } from '../core/assert.ts';
import { Exchange } from '../core/exchange.ts';
import { Side } from '../core/fix.ts';
import { checkInvariants } from '../core/invariants.ts';
import { lots, ticks } from '../core/units.ts';
import { JournalError } from '../journal/journal.ts';
import { type SetAside, signSetAside, withSetAside } from '../journal/set-aside.ts';
import { recover } from './recovery.ts';
import { ReplayMark } from './replay-mark.ts';
import { writeSnapshot } from './snapshot-store.ts';

let directory: TemporaryDirectory;
beforeEach(() => {
  directory = new TemporaryDirectory();
});
afterEach(() => directory[Symbol.dispose]());

const LENGTH = 150;

/** A venue and the journal of its history of `LENGTH` commands. */
async function lived(seed = 1): Promise<{ venue: Venue; journal: MemoryJournal }> {
  const venue = tradedVenue(seed, 100, { users: 2 });
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

const rejection = async (journal: MemoryJournal): Promise<string> => {
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

/** Runs `task` while the core breaks an invariant at each slice of the order. */
async function withPoison<T>(clOrdId: string, task: () => Promise<T>): Promise<T> {
  const { applyNext } = Exchange.prototype;
  const patch = spyOn(Exchange.prototype, 'applyNext').mockImplementation(function (
    this: Exchange,
    seq,
    time,
    command,
  ) {
    const { state } = this;
    const { onPart } = state;
    state.onPart = (part) => {
      onPart?.(part);
      const pending = state.pending.all.find((one) => one.seq === part);
      if (pending?.command.type !== 'placeOrder' || pending.command.clOrdId !== clOrdId) return;
      throw new InvariantError('this slice is poisonous');
    };
    const outcome = applyNext.call(this, seq, time, command);
    state.onPart = onPart;
    return outcome;
  });
  try {
    return await task();
  } finally {
    patch.mockRestore();
  }
}

test('a slice that ends each start is named by its order, whose rest can be canceled', async () => {
  const venue = new Venue({ users: 3 });
  for (let n = 0; n < 5_000; n++) venue.sell(1, 100, 1);
  const terms = { uid: 2, side: Side.buy, price: ticks(100), orderQty: lots(5_000) };
  venue.send(placeOrder({ ...terms, clOrdId: 'large' }));
  const placed = venue.seq;
  venue.send(placeOrder({ ...terms, uid: 3, orderQty: lots(7), clOrdId: 'behind' }));
  venue.must({ type: 'runTimers' });
  const poison = venue.seq;
  const journal = new MemoryJournal();
  await appendLog(journal, venue.log, 1);

  const start = (setAside: readonly SetAside[] = []) => {
    const mark = new ReplayMark(directory.path, 'start');
    const read = async function* (from: number) {
      for await (const records of journal.read(from)) {
        yield records.map((record) => withSetAside(record, setAside));
      }
    };
    const caution = { mark, dataDir: directory.path, setAside: setAside.map(({ seq }) => seq) };
    return recover({ read, head: journal.head }, snapshots(), () => undefined, caution);
  };
  const ending = () => start().then(String, String);
  await withPoison('large', async () => {
    for (let n = 0; n < 3; n++) expect(await ending()).toContain('this slice is poisonous');
    expect(await ending()).toContain(
      `Command ${poison} (runTimers, which continued command ${placed}, placeOrder of account 2, `,
    );
    const { poisonPart } = new ReplayMark(directory.path, 'start');
    expect(poisonPart).toBe(placed);
    const chainHash = Buffer.from(journal.head.chainHash).toString('hex');
    const facts = { seq: poison, part: poisonPart, chainHash, command: '', time: 1, reason: '' };
    const entry = signSetAside({ kid: 'k', bytes: new Uint8Array(32) }, facts);
    const { exchange } = await start([entry]);
    const { state } = exchange;
    expect([state.seq, state.matching.length, state.pending.count]).toEqual([poison, 0, 1]);
    while (exchange.isBusy) exchange.apply(state.seq + 1, state.time, { type: 'runTimers' });
    checkInvariants(state);
    // A record fills 2,000, and the order behind it its seven.
    expect([1, 2, 3].map((uid) => state.orders.countOf(uid))).toEqual([2_993, 0, 0]);
  });
});

test('not with a snapshot of commands that the journal does not have', async () => {
  const { venue } = await lived();
  writeSnapshot(snapshots(), venue.exchange.state, new Uint8Array(32));
  const journal = new MemoryJournal();
  await appendLog(journal, venue.log.slice(0, -3));
  expect(await rejection(journal)).toStartWith(
    `corrupt: Commands ${venue.seq - 2} to ${venue.seq} are missing from the journal`,
  );
});

test('not with a snapshot of another history of the same length', async () => {
  const { journal } = await lived(1);
  const { venue: other, journal: another } = await lived(2);
  writeSnapshot(snapshots(), other.exchange.state, another.head.chainHash);
  expect(await rejection(journal)).toContain('does not belong to this journal');
  // The other history has it.
  expect((await recovered(another)).snapshotSeq).toBe(LENGTH);
});

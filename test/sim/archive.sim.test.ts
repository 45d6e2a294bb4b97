// A journal that is archived, truncated and restored through many lives on two simulated disks,
// from one seed. Any step may lose power or fail. After each life the journal opens, and journal
// and archive together hold every acknowledged batch exactly.
import { expect, test } from 'bun:test';
import { truncateArchived } from '../../src/engine/truncation.ts';
import { archiveSegments, restoreSegments } from '../../src/journal/archive.ts';
import { readBase } from '../../src/journal/base.ts';
import { FileJournal } from '../../src/journal/file-journal.ts';
import { HistoryReader } from '../../src/journal/history-reader.ts';
import { type JournalBatch, JournalError } from '../../src/journal/journal.ts';
import { batchAfter, chained, collect, requireSame } from '../support/journal-contract.ts';
import { Prng } from '../support/prng.ts';
import { runSeeds } from './seeds.ts';
import { DISK_OPERATIONS, SimulatedCrash, SimulatedDisk } from './simulated-disk.ts';

const DEFAULT_SEEDS = 120;
const happened = { archived: 0, truncated: 0, restored: 0, ended: 0, unfinished: 0 };

class Simulation {
  readonly #random: Prng;
  readonly #journal: SimulatedDisk;
  readonly #archive: SimulatedDisk;
  readonly #batches: JournalBatch[] = [];
  /** The batch whose append was rejected by the end of a life: it may be there or not. */
  #inDoubt: JournalBatch | undefined;

  constructor(seed: number) {
    this.#random = new Prng(seed);
    this.#journal = new SimulatedDisk({ seed: seed + 1 });
    this.#archive = new SimulatedDisk({ seed: seed + 2 });
  }

  async run(): Promise<void> {
    for (let lives = this.#random.between(3, 12); lives > 0; lives--) {
      for (const disk of [this.#journal, this.#archive]) this.#threaten(disk);
      await this.#live();
      for (const disk of [this.#journal, this.#archive]) this.#end(disk);
      await this.#verify();
    }
  }

  #threaten(disk: SimulatedDisk): void {
    if (this.#random.oneIn(2)) disk.crashAfter(this.#random.below(120));
    if (this.#random.oneIn(6)) disk.failAny(this.#random, DISK_OPERATIONS, 20);
  }

  #end(disk: SimulatedDisk): void {
    if (disk.gone) happened.ended++;
    if (disk.gone || this.#random.oneIn(2)) disk.crash();
    else disk.kill();
  }

  async #live(): Promise<void> {
    try {
      if (this.#random.oneIn(4)) await this.#restore();
      const journal = await this.#open();
      for (let steps = this.#random.below(6); steps > 0; steps--) {
        await this.#append(journal);
        await this.#archiveAndTruncate(journal);
      }
      if (this.#random.oneIn(2)) await journal.close();
    } catch (error) {
      if (error instanceof SimulatedCrash) return;
      if (!(error instanceof JournalError)) throw error;
      if (error.kind !== 'io' && error.kind !== 'full') throw error;
    }
  }

  #open(): Promise<FileJournal> {
    return FileJournal.open(this.#journal.mount(), { segmentBytes: 1024 });
  }

  async #append(journal: FileJournal): Promise<void> {
    for (let batches = this.#random.below(8); batches > 0; batches--) {
      const batch = batchAfter(journal.head, this.#random.between(1, 700), 1);
      this.#inDoubt = batch;
      await journal.append(batch);
      this.#inDoubt = undefined;
      this.#batches.push(batch);
    }
  }

  /** Half of the time appends go on meanwhile, as they do beside a server. */
  async #archiveAndTruncate(journal: FileJournal): Promise<void> {
    happened.unfinished++;
    const archiving = archiveSegments(this.#journal.mount(), this.#archive.mount());
    archiving.catch(() => undefined);
    if (this.#random.oneIn(2)) await this.#append(journal);
    const { archived } = await archiving;
    happened.unfinished--;
    happened.archived++;
    const snapshot = this.#random.between(1, Math.max(1, journal.head.seq));
    const request = { archived, snapshots: [snapshot, snapshot], viewsSeq: snapshot };
    if (journal.head.seq === 0) return;
    const before = journal.firstSeq;
    // A rejection: nothing is closed yet.
    const done = await truncateArchived(journal, request);
    const first = 'firstSeq' in done ? done.firstSeq : before;
    if (first !== before) happened.truncated++;
  }

  async #restore(): Promise<void> {
    if ((await readBase(this.#archive.mount())) === undefined) return;
    const { copied } = await restoreSegments(this.#archive.mount(), this.#journal.mount());
    if (copied > 0) happened.restored++;
  }

  /** The disks are sound now: the journal opens, and nothing of the history is missing. */
  async #verify(): Promise<void> {
    const journal = await this.#open();
    if (this.#inDoubt !== undefined && journal.head.seq >= this.#inDoubt.firstSeq) {
      this.#batches.push(this.#inDoubt);
    }
    this.#inDoubt = undefined;
    expect(journal.head.seq).toBe(this.#batches.at(-1)?.firstSeq ?? 0);
    await journal.close();
    const history = new HistoryReader(this.#journal.mount(), this.#archive.mount());
    requireSame(await collect(history.read(1)), chained(this.#batches));
    await history.close();
  }
}

test('no loss of power while archiving, truncating or restoring costs a command', async () => {
  // A simulation in which nothing goes wrong would prove nothing.
  if (!(await runSeeds(DEFAULT_SEEDS, (seed) => new Simulation(seed).run()))) return;
  for (const count of Object.values(happened)) expect(count).toBeGreaterThan(DEFAULT_SEEDS / 4);
}, 3_600_000);

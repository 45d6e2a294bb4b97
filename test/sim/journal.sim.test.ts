// The file journal through many lives on a simulated disk, from one seed: appends, truncations and
// reads, ended by a loss of power, a failing disk or a kill. After each life the journal holds
// every acknowledged batch exactly, the one in flight entirely or not at all, and an unbroken
// chain.
import { expect, test } from 'bun:test';
import { FileJournal } from '../../src/journal/file-journal.ts';
import { FileJournalReader } from '../../src/journal/file-journal-reader.ts';
import { type JournalBatch, JournalError, type JournalRecord } from '../../src/journal/journal.ts';
import { genesisHash, nextChainHash, sameBytes } from '../../src/journal/record.ts';
import { collect, requireSame } from '../support/journal-contract.ts';
import { Prng } from '../support/prng.ts';
import { runSeeds } from './seeds.ts';
import { DISK_OPERATIONS, SimulatedDisk } from './simulated-disk.ts';

/** These take about three seconds. */
const DEFAULT_SEEDS = 1000;

/** The required content of the journal, from its acknowledgments. */
class Expectation {
  readonly acknowledged: JournalRecord[] = [];
  /** The batch whose append was rejected by the end of a life: it may be there or not. */
  inDoubt: JournalBatch | undefined;
  /** Records that end before this seq may be gone. */
  kept = 1;

  get seq(): number {
    const last = this.acknowledged.at(-1);
    return last === undefined ? 0 : last.firstSeq + last.count - 1;
  }

  get chainHash(): Uint8Array {
    return this.acknowledged.at(-1)?.chainHash ?? genesisHash();
  }

  add(batch: JournalBatch): void {
    this.acknowledged.push({ ...batch, chainHash: nextChainHash(this.chainHash, batch) });
  }

  from(seq: number): JournalRecord[] {
    return this.acknowledged.filter((record) => record.firstSeq + record.count > seq);
  }
}

class Simulation {
  readonly #random: Prng;
  readonly #disk: SimulatedDisk;
  readonly #segmentBytes: number;
  readonly #expected = new Expectation();
  readonly crashes = { power: 0, kill: 0, fault: 0 };

  constructor(seed: number) {
    this.#random = new Prng(seed);
    this.#disk = new SimulatedDisk({ seed: seed + 1 });
    this.#segmentBytes = this.#random.pick([512, 1024, 4096, 16384]);
  }

  async run(): Promise<void> {
    for (let lives = this.#random.between(3, 10); lives > 0; lives--) {
      this.#threaten();
      await this.#live();
      this.#end();
    }
    const journal = await this.#open();
    await this.#append(journal, 100);
    await this.#verify(journal);
    await journal.close();
  }

  /** Decides how this life will end, if it does not end well. */
  #threaten(): void {
    if (!this.#random.oneIn(4)) this.#disk.crashAfter(this.#random.below(80));
    if (this.#random.oneIn(4)) this.#disk.failAny(this.#random, DISK_OPERATIONS, 20);
  }

  #end(): void {
    if (this.#disk.gone || this.#random.oneIn(2)) {
      this.crashes.power++;
      this.#disk.crash();
    } else {
      this.crashes.kill++;
      this.#disk.kill();
    }
  }

  async #live(): Promise<void> {
    try {
      const journal = await this.#open();
      const reader = new FileJournalReader(this.#disk.mount());
      for (let steps = this.#random.below(30); steps > 0; steps--)
        await this.#step(journal, reader);
      await reader.close();
      if (this.#random.oneIn(2)) await journal.close();
    } catch (error) {
      // The journal may only report the fault that was put in its way.
      if (!(error instanceof JournalError)) throw error;
      if (error.kind !== 'io' && error.kind !== 'full') throw error;
      this.crashes.fault++;
    }
  }

  async #step(journal: FileJournal, reader: FileJournalReader): Promise<void> {
    const expected = this.#expected;
    switch (this.#random.below(8)) {
      case 0: {
        const seq = this.#random.between(1, Math.max(1, expected.seq));
        expected.kept = Math.max(expected.kept, seq);
        const truncated = journal.truncateBefore(seq);
        // Half of the time the truncation and the appends that follow are under way together.
        if (this.#random.oneIn(2)) await truncated;
        else truncated.catch(() => undefined);
        return;
      }
      case 1: {
        const from = this.#someSeq();
        requireSame(await collect(reader.read(from, expected.seq)), expected.from(from));
        return;
      }
      case 2:
        await this.#appendWhileReading(journal, reader);
        return;
      default:
        await this.#append(journal, this.#random.pick([8, 100, 700, 3000]));
    }
  }

  /** A reader that does not know what is durable takes no record in the making for damage. */
  async #appendWhileReading(journal: FileJournal, reader: FileJournalReader): Promise<void> {
    const from = this.#someSeq();
    const least = this.#expected.from(from).length;
    const reading = collect(reader.read(from));
    reading.catch(() => undefined);
    for (let i = this.#random.below(6); i > 0; i--) await this.#append(journal, 300);
    const records = await reading;
    expect(records.length).toBeGreaterThanOrEqual(least);
    requireSame(records, this.#expected.from(from).slice(0, records.length));
  }

  /** A seq that the journal must still hold, or the one after the last. */
  #someSeq(): number {
    return this.#random.between(this.#expected.kept, Math.max(1, this.#expected.seq) + 1);
  }

  async #append(journal: FileJournal, maxBytes: number): Promise<void> {
    const batch = {
      firstSeq: this.#expected.seq + 1,
      count: this.#random.between(1, 5),
      epoch: this.#random.between(1, 3),
      payload: this.#random.bytes(this.#random.between(1, maxBytes)),
    };
    this.#expected.inDoubt = batch;
    const head = await journal.append(batch);
    this.#expected.inDoubt = undefined;
    this.#expected.add(batch);
    expect(head.seq).toBe(this.#expected.seq);
    expect(sameBytes(head.chainHash, this.#expected.chainHash)).toBe(true);
  }

  async #open(): Promise<FileJournal> {
    const options = { segmentBytes: this.#segmentBytes };
    const journal = await FileJournal.open(this.#disk.mount(), options);
    await this.#verify(journal);
    return journal;
  }

  async #verify(journal: FileJournal): Promise<void> {
    const expected = this.#expected;
    const { inDoubt } = expected;
    if (inDoubt !== undefined && journal.head.seq > expected.seq) expected.add(inDoubt);
    // Known now: what was not there when the journal opened can never appear again.
    expected.inDoubt = undefined;
    expect(journal.head.seq).toBe(expected.seq);
    requireSame(await collect(journal.read(expected.kept)), expected.from(expected.kept));
  }
}

test('no crash and no fault loses, changes or invents a batch', async () => {
  const total = { power: 0, kill: 0, fault: 0 };
  const isUsual = await runSeeds(DEFAULT_SEEDS, async (seed) => {
    const simulation = new Simulation(seed);
    await simulation.run();
    for (const kind of ['power', 'kill', 'fault'] as const) total[kind] += simulation.crashes[kind];
  });
  // A simulation in which nothing goes wrong would prove nothing.
  if (!isUsual) return;
  for (const count of Object.values(total)) expect(count).toBeGreaterThan(DEFAULT_SEEDS / 4);
}, 3_600_000);

// A journal and its archive as one history: what was archived is read from the archive, the rest
// from the journal. Without an archive the history begins where the journal does.
import { beginningOf, endOf } from './archive.ts';
import { type Disk, pathOf } from './disk.ts';
import { FileJournalReader } from './file-journal-reader.ts';
import { corrupt, type DurabilityEvidence, type JournalRecord } from './journal.ts';
import { type ChainPoint, sameBytes } from './record.ts';
import { truncatedAway } from './rules.ts';
import { listSegments, segmentName } from './segment.ts';
import { readSetAside, type SetAside } from './set-aside.ts';

export class HistoryReader {
  readonly #journalDisk: Disk;
  readonly #journal: FileJournalReader;
  readonly #archiveDisk: Disk | undefined;
  readonly #archive: FileJournalReader | undefined;

  constructor(journal: Disk, archive?: Disk, evidence: readonly DurabilityEvidence[] = []) {
    this.#journalDisk = journal;
    this.#journal = new FileJournalReader(journal, evidence);
    this.#archiveDisk = archive;
    this.#archive = archive === undefined ? undefined : new FileJournalReader(archive, [], journal);
  }

  async firstSeq(): Promise<number> {
    const { nextSeq } = await this.#journal.base();
    if (this.#archiveDisk === undefined) return nextSeq;
    const begins = await beginningOf(this.#archiveDisk);
    return Math.min(nextSeq, begins?.nextSeq ?? nextSeq);
  }

  /** Throws JournalError `sequence` unless the commands from `seq` on can be read. */
  async requireFrom(seq: number): Promise<void> {
    const first = await this.firstSeq();
    if (first > seq) throw truncatedAway(seq, first, this.#journal.directory);
  }

  /** Like FileJournalReader.read, from the first command of the archive on. */
  async *read(
    fromSeq: number,
    uptoSeq = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<JournalRecord[]> {
    const base = await this.#journal.base();
    if (this.#archive !== undefined && fromSeq < base.nextSeq) {
      await this.requireFrom(fromSeq);
      await this.#requireReaches(base);
      yield* this.#archive.read(fromSeq, Math.min(uptoSeq, base.nextSeq - 1));
      if (uptoSeq < base.nextSeq) return;
      this.#requireContinues(base);
      yield* this.#journal.read(base.nextSeq, uptoSeq);
    } else {
      yield* this.#journal.read(fromSeq, uptoSeq);
    }
  }

  setAside(): Promise<SetAside[]> {
    return readSetAside(this.#journalDisk);
  }

  async close(): Promise<void> {
    await this.#archive?.close();
    await this.#journal.close();
  }

  /** Ignores a file that does not close: what was read is whole, and an error of reading counts. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close().catch(() => undefined);
  }

  /** The archive may be an old copy, or of another journal. */
  async #requireReaches(base: ChainPoint): Promise<void> {
    const disk = this.#archiveDisk!;
    const last = (await listSegments(disk)).at(-1);
    const nextSeq = last === undefined ? 1 : (await endOf(disk, last)).nextSeq;
    if (nextSeq >= base.nextSeq) return;
    const message =
      `The archive in ${disk.directory} ends at command ${nextSeq - 1}, and the journal in ` +
      `${this.#journal.directory} begins at ${base.nextSeq}: it is not the whole archive. ` +
      'Name the directory that the journal was archived to last.';
    throw corrupt(message, pathOf(disk, segmentName(nextSeq)));
  }

  #requireContinues(base: ChainPoint): void {
    const { nextSeq, chainHash } = this.#archive!.position!;
    if (nextSeq === base.nextSeq && sameBytes(chainHash, base.chainHash)) return;
    const archive = this.#archiveDisk!.directory;
    const message =
      `The archive in ${archive} and the journal in ${this.#journal.directory} are not of one ` +
      `history: they differ before command ${base.nextSeq}. Name the archive of this journal.`;
    throw corrupt(message, archive);
  }
}

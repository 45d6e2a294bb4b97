// Prepares the next segment in the background: a file of real zeros, so that an append changes no
// metadata and cannot run out of space. It has a temporary name until the first record is in; the
// next start removes it after a crash.
import { BASE_TEMPORARY_NAME } from './base.ts';
import type { Disk, DiskFile } from './disk.ts';

/** A file of zeros that waits for its header, its first record and its name. */
export interface BlankSegment {
  readonly file: DiskFile;
  readonly name: string;
  readonly size: number;
}

const NEXT_NAME = 'next.tmp';
const LARGE_NAME = 'large.tmp';
/** Names that a crash may leave behind and that hold nothing durable. */
export const TEMPORARY_NAMES: readonly string[] = [NEXT_NAME, LARGE_NAME, BASE_TEMPORARY_NAME];

/** Zeros are written in steps, since an append waits behind one step on the same device. */
const STEP_BYTES = 1024 * 1024;

export class SegmentPreparer {
  readonly #disk: Disk;
  readonly #segmentBytes: number;
  /** Resolves to undefined when the preparation failed or was given up. */
  #preparing: Promise<BlankSegment | undefined> | undefined;
  #closed = false;

  constructor(disk: Disk, segmentBytes: number) {
    this.#disk = disk;
    this.#segmentBytes = segmentBytes;
  }

  start(): void {
    if (this.#closed) return;
    // A failure here is none of the journal: space may be freed in time, and `take` tries again.
    this.#preparing ??= this.#makeBlank().catch(() => undefined);
  }

  /** A segment with room for `bytes`: the prepared one, or a new one. Rejects as the disk does. */
  async take(bytes: number): Promise<BlankSegment> {
    if (bytes > this.#segmentBytes) return this.#makeLarge(bytes);
    const prepared = await this.#preparing;
    this.#preparing = undefined;
    return prepared ?? (await this.#makeBlank());
  }

  /** Gives up a preparation and removes its file. */
  async close(): Promise<void> {
    this.#closed = true;
    const prepared = await this.#preparing;
    this.#preparing = undefined;
    if (prepared === undefined) return;
    await prepared.file.close();
    await this.#disk.remove(prepared.name);
  }

  async #makeBlank(): Promise<BlankSegment> {
    const size = this.#segmentBytes;
    const file = await this.#disk.open(NEXT_NAME, 'create');
    try {
      const zeros = new Uint8Array(Math.min(size, STEP_BYTES));
      for (let at = 0; at < size; at += zeros.length) {
        if (this.#closed) throw new Error('the journal is closing');
        await file.write(zeros.subarray(0, Math.min(zeros.length, size - at)), at);
      }
      return { file, name: NEXT_NAME, size };
    } catch (error) {
      // The first error counts; a file that stays behind shows at the next attempt.
      const ignored = () => undefined;
      await file.close().catch(ignored);
      await this.#disk.remove(NEXT_NAME).catch(ignored);
      throw error;
    }
  }

  /** A batch larger than a segment fills its own file to the last byte, so no zeros are needed. */
  async #makeLarge(size: number): Promise<BlankSegment> {
    const file = await this.#disk.open(LARGE_NAME, 'create');
    return { file, name: LARGE_NAME, size };
  }
}

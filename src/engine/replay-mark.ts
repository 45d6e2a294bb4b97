// Which command a replay was at when its process ended. The mark is in memory that a file maps: a
// mark costs nanoseconds and survives a kill, though not a loss of power, which is no fault of a
// command. Two ends at one position in a row make the command there suspicious.
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'replay.mark';
/** Ends at one position after which nobody replays it again. */
const ENDS = 2;

// The numbers of each owner: the present position or 0, the last one that ended a process, and how
// many times in a row it did. A position has a part: see State.onPart.
const AT = 0;
const PART = 1;
const LAST = 2;
const LAST_PART = 3;
const COUNT = 4;
const NUMBERS = 5;
const OWNERS = ['start', 'follower'] as const;
const BYTES = OWNERS.length * NUMBERS * Float64Array.BYTES_PER_ELEMENT;

export class ReplayMark {
  readonly #numbers: Float64Array;

  /** Counts the end of the last process of this owner, if it ended within a replay. */
  constructor(dataDir: string, owner: (typeof OWNERS)[number]) {
    const { buffer, byteOffset } = mapped(join(dataDir, NAME));
    const offset = byteOffset + OWNERS.indexOf(owner) * NUMBERS * Float64Array.BYTES_PER_ELEMENT;
    const numbers = new Float64Array(buffer, offset, NUMBERS);
    this.#numbers = numbers;
    const [at, part, last, , count] = numbers;
    if (at === 0) return;
    numbers.set([0, 0, at, part, at === last ? count + 1 : 1]);
  }

  /** The command that must not be replayed again, or null. */
  get poison(): number | null {
    return this.#numbers[COUNT] >= ENDS ? this.#numbers[LAST] : null;
  }

  /** The work that `poison` continued (State.onPart); 0: none. */
  get poisonPart(): number {
    return this.#numbers[LAST_PART];
  }

  /** The work on this position begins. */
  at(seq: number): void {
    this.#numbers[AT] = seq;
    this.#numbers[PART] = 0;
  }

  /** The work on a part of this position begins. */
  part(part: number): void {
    this.#numbers[PART] = part;
  }

  /** The work on a position has ended. */
  clear(): void {
    this.#numbers[AT] = 0;
  }

  /** A whole replay has ended well. */
  forget(): void {
    this.#numbers.fill(0);
  }
}

export const replayMarkPath = (dataDir: string): string => join(dataDir, NAME);

/** The file in memory. Where it cannot be mapped, as on a full disk, nothing is remembered. */
function mapped(path: string): Uint8Array {
  try {
    if (!existsSync(path)) {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, new Uint8Array(BYTES));
      closeSync(file);
    }
    const bytes = Bun.mmap(path);
    if (bytes.length === BYTES) return bytes;
  } catch {
    // See above.
  }
  return new Uint8Array(BYTES);
}

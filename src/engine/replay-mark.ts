// Which commands a replay was at when its process ended. The mark is in memory that a file maps: a
// mark costs nanoseconds and survives a kill, though not a loss of power, which is no fault of a
// command. Only ends at one single command in a row make it poisonous: a kill from outside that
// hits a write of many commands only has the next process write each of them alone.
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'replay.mark';
/** Ends at one command after which nobody replays it again. */
const ENDS = 3;

// The numbers of each owner: the commands that are worked on, or 0; the last single command that
// ended a process, and how many times in a row; the commands that the last end was at. A command
// has a part: see State.onPart.
const FROM = 0;
/** 0 for one command. */
const UPTO = 1;
const PART = 2;
const LAST = 3;
const LAST_PART = 4;
const COUNT = 5;
const ALONE_FROM = 6;
const ALONE_UPTO = 7;
const NUMBERS = 8;
const OWNERS = ['start', 'follower'] as const;
const BYTES = OWNERS.length * NUMBERS * Float64Array.BYTES_PER_ELEMENT;

export class ReplayMark {
  readonly #numbers: Float64Array;

  /** Counts the end of the last process of this owner, if it ended within its work. */
  constructor(dataDir: string, owner: (typeof OWNERS)[number]) {
    const { buffer, byteOffset } = mapped(join(dataDir, NAME));
    const offset = byteOffset + OWNERS.indexOf(owner) * NUMBERS * Float64Array.BYTES_PER_ELEMENT;
    const numbers = new Float64Array(buffer, offset, NUMBERS);
    this.#numbers = numbers;
    const [from, upto, part, last, , count] = numbers;
    if (from === 0) return;
    numbers[FROM] = 0;
    numbers[ALONE_FROM] = from;
    numbers[ALONE_UPTO] = Math.max(from, upto);
    if (upto > from) return;
    numbers[LAST] = from;
    numbers[LAST_PART] = part;
    numbers[COUNT] = from === last ? count + 1 : 1;
  }

  /** The command that must not be replayed again, or null. */
  get poison(): number | null {
    return this.#numbers[COUNT] >= ENDS ? this.#numbers[LAST] : null;
  }

  /** The work that `poison` continued (State.onPart); 0: none. */
  get poisonPart(): number {
    return this.#numbers[LAST_PART];
  }

  /** True if the last process ended at this command, or at others together with it. */
  isSuspicious(seq: number): boolean {
    return seq >= this.#numbers[ALONE_FROM] && seq <= this.#numbers[ALONE_UPTO];
  }

  /** The work on this command begins, or on all commands up to `upto`. */
  at(seq: number, upto = 0): void {
    this.#numbers[UPTO] = upto;
    this.#numbers[PART] = 0;
    this.#numbers[FROM] = seq;
  }

  /** The work on a part of this command begins. */
  part(part: number): void {
    this.#numbers[PART] = part;
  }

  /** The work has ended. */
  clear(): void {
    this.#numbers[FROM] = 0;
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
    if (statSync(path, { throwIfNoEntry: false })?.size !== BYTES) {
      const file = openSync(path, 'w', 0o600);
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

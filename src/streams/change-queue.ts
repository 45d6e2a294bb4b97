// Changes that wait to be sent, in the order of their commands. A message has a bounded number of
// them, so it divides a command with more: until the last part, only the position before that
// command is complete.
import { MESSAGE_ROWS } from './limits.ts';

/** Changes that were taken and are still in memory. */
const MAX_TAKEN = 10_000;

export class ChangeQueue<T> {
  #changes: T[] = [];
  /** The seq of the command of each. */
  #seqs: number[] = [];
  #taken = 0;

  get length(): number {
    return this.#changes.length - this.#taken;
  }

  get first(): T | undefined {
    return this.#changes[this.#taken];
  }

  push(change: T, seq: number): void {
    this.#changes.push(change);
    this.#seqs.push(seq);
  }

  /** Takes the changes of the next message: those of whole commands, or a part of one. */
  take(): T[] {
    let end = Math.min(this.#taken + MESSAGE_ROWS, this.#changes.length);
    const next = this.#seqs[end];
    let start = end;
    while (start > this.#taken && this.#seqs[start - 1] === next) start--;
    if (start > this.#taken) end = start;
    const changes = this.#changes.slice(this.#taken, end);
    this.#taken = end;
    if (this.length === 0) {
      this.clear();
    } else if (this.#taken >= MAX_TAKEN) {
      this.#changes.splice(0, this.#taken);
      this.#seqs.splice(0, this.#taken);
      this.#taken = 0;
    }
    return changes;
  }

  clear(): void {
    this.#changes = [];
    this.#seqs = [];
    this.#taken = 0;
  }

  /** The position up to which all changes were taken; the journal stands at `seq`. */
  sentSeq(seq: number): number {
    return this.length === 0 ? seq : this.#seqs[this.#taken]! - 1;
  }
}

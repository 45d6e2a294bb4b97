// Time on the order thread for bulk work of the streams: snapshots and what waits behind them. The
// work comes in pieces of less than a millisecond. Orders run between two pieces, and over time the
// work has a fixed share of the thread.
import { Budget, type Payer } from './budget.ts';
import { MAX_TIME_DEBT_MS, TURN_RESUME_MS, TURN_TERMS } from './limits.ts';

/** One piece of work. */
export type Piece = () => void;

export class Turns {
  readonly #budget = new Budget(TURN_TERMS);
  /** By payer, so that each of n payers gets every n-th piece. */
  readonly #queues = new Map<Payer, Piece[]>();
  readonly #warn: (error: unknown) => void;
  #scheduled = false;

  constructor(warn: (error: unknown) => void) {
    this.#warn = warn;
  }

  /** True if a short piece may run without waiting for a turn. */
  get hasRoom(): boolean {
    return !this.#budget.inDebt;
  }

  /** Runs `piece` at the payer's turn, and charges its time to the payer. */
  add(payer: Payer, piece: Piece): void {
    const queue = this.#queues.get(payer);
    if (queue === undefined) this.#queues.set(payer, [piece]);
    else queue.push(piece);
    this.#schedule();
  }

  /** Like `add`, for a piece with a result. */
  run<T>(payer: Payer, piece: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.add(payer, () => {
        try {
          resolve(piece());
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  /** Runs `piece` now and charges its time, which delays bulk work by a bounded time. */
  now(payer: Payer, piece: Piece): void {
    this.#do(payer, piece, -MAX_TIME_DEBT_MS);
  }

  #do(payer: Payer, piece: Piece, floor?: number): void {
    const start = performance.now();
    try {
      piece();
    } finally {
      const ms = performance.now() - start;
      payer.time.spend(ms);
      this.#budget.spend(ms, floor);
    }
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const wait = this.#budget.inDebt ? this.#budget.msUntil(TURN_RESUME_MS) : 0;
    if (wait > 0) setTimeout(() => this.#turn(), wait);
    else setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#scheduled = false;
    do this.#next();
    while (this.#queues.size > 0 && !this.#budget.inDebt);
    if (this.#queues.size > 0) this.#schedule();
  }

  /** The first piece of the payer whose last turn was longest ago. */
  #next(): void {
    const [next] = this.#queues;
    if (next === undefined) return;
    const [payer, queue] = next;
    const piece = queue.shift()!;
    this.#queues.delete(payer);
    if (queue.length > 0) this.#queues.set(payer, queue);
    try {
      this.#do(payer, piece);
    } catch (error) {
      this.#warn(error);
    }
  }

  close(): void {
    this.#queues.clear();
  }
}

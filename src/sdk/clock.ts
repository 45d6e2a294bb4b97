// The time of signatures. The SDK measures the server's clock before the first signature and
// follows it, since ten minutes of error invalidate a signature. No two signatures have the same
// time, because equal ones work once; several in a millisecond are counted ahead.

/**
 * How far timestamps may run ahead, and how far a clock may be set back before they follow; the
 * server accepts ten minutes.
 */
const MAX_AHEAD_MS = 60_000;

export class SigningClock {
  readonly #now: () => number;
  #offset = 0;
  #last = 0;
  /** The latest time that the clock has shown. */
  #reached = 0;
  #measured: Promise<void> | null = null;
  #followed = false;

  /** `now` is this machine's wall clock, ms. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The difference to the server's clock, to add to this machine's, ms. */
  get offset(): number {
    return this.#offset;
  }

  /** True if the server's time is known. */
  get followed(): boolean {
    return this.#followed;
  }

  /** How long to wait before the next signature, so that few are counted ahead, ms; usually 0. */
  get waitMs(): number {
    const reached = Math.max(this.#reached, this.#now() + this.#offset);
    return Math.max(0, this.#last - reached - MAX_AHEAD_MS);
  }

  /**
   * Measures the server's time once, for the first caller that needs it; `ask` resolves to epoch
   * ms. After a failure the clock is unchanged and the next call asks again.
   */
  measure(ask: () => Promise<number>): Promise<void> {
    this.#measured ??= this.#measure(ask).catch(() => {
      this.#measured = null;
    });
    return this.#measured;
  }

  async #measure(ask: () => Promise<number>): Promise<void> {
    const before = this.#now();
    const server = await ask();
    this.#offset = Math.round(server - (before + this.#now()) / 2);
    this.#followed = true;
  }

  /**
   * Another node answers from now on: the next `measure` asks it. Until then its time counts as the
   * one that is known.
   */
  measureAgain(): void {
    this.#measured = null;
  }

  /** Adopts the server's time from a rejection, epoch ms. */
  correct(serverTime: number): void {
    this.#offset = serverTime - this.#now();
    this.#measured = Promise.resolve();
    this.#followed = true;
  }

  /** The server's time, as far as it is known, epoch ms. */
  now(): number {
    return this.#now() + this.#offset;
  }

  /**
   * The time of the next signature, epoch ms: always later than the previous one. Only a clock that
   * is set back lowers it, since the server rejects times far in the future.
   */
  next(): number {
    const now = this.#now() + this.#offset;
    if (now < this.#reached - MAX_AHEAD_MS) {
      this.#reached = now;
      this.#last = 0;
    }
    this.#reached = Math.max(this.#reached, now);
    this.#last = Math.max(this.#last + 1, now);
    return this.#last;
  }
}

// The time of signatures. A clock that is wrong by more than ten minutes signs nothing, so the server's is measured before the
// first signature and followed; no two signatures of one key have the same time, since equal ones work only once.

/** How far timestamps may run ahead before they follow a clock that was set back. */
const MAX_AHEAD_MS = 60_000;

export class SigningClock {
  readonly #now: () => number;
  #offset = 0;
  #last = 0;
  #measured: Promise<void> | null = null;

  /** `now` is this machine's wall clock, ms. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** What has to be added to this machine's clock to get the server's, ms. */
  get offset(): number {
    return this.#offset;
  }

  /**
   * Asks for the server's time once, by the first who needs it; `ask` answers with epoch ms. Where it fails, the clock stays as
   * it is, and the next call asks again.
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
  }

  /** Takes over the server's time as a refusal told it, epoch ms. */
  correct(serverTime: number): void {
    this.#offset = serverTime - this.#now();
    this.#last = 0;
    this.#measured = Promise.resolve();
  }

  /** The time of the next signature, epoch ms, later than the one before. */
  next(): number {
    const now = this.#now() + this.#offset;
    const after = this.#last + 1;
    this.#last = after > now && after - now < MAX_AHEAD_MS ? after : now;
    return this.#last;
  }
}

// The time of signatures. A clock that is wrong by more than ten minutes signs nothing, so the server's is measured before the
// first signature and followed; no two signatures of one clock have the same time, since equal ones work only once. More than
// one in a millisecond are counted ahead of the clock.

/** How far timestamps may be counted ahead, and how far a clock may be set back before they follow it; ten minutes are served. */
const MAX_AHEAD_MS = 60_000;

export class SigningClock {
  readonly #now: () => number;
  #offset = 0;
  #last = 0;
  /** The latest that the clock has shown. */
  #reached = 0;
  #measured: Promise<void> | null = null;
  #followed = false;

  /** `now` is this machine's wall clock, ms. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** What has to be added to this machine's clock to get the server's, ms. */
  get offset(): number {
    return this.#offset;
  }

  /** Whether the server has told its time. */
  get followed(): boolean {
    return this.#followed;
  }

  /** How long to wait before the next signature, so that not too many are counted ahead, ms; 0 as a rule. */
  get waitMs(): number {
    const reached = Math.max(this.#reached, this.#now() + this.#offset);
    return Math.max(0, this.#last - reached - MAX_AHEAD_MS);
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
    this.#followed = true;
  }

  /** Takes over the server's time as a refusal told it, epoch ms. */
  correct(serverTime: number): void {
    this.#offset = serverTime - this.#now();
    this.#measured = Promise.resolve();
    this.#followed = true;
  }

  /**
   * The time of the next signature, epoch ms: later than the one before, however many there are. Only a clock that goes back
   * by itself takes it back, since times that are far in the future are refused.
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

// Bounds the entries of a log that callers can cause without limit: a few are written, and the next
// one has the number of those that were omitted.
import { RateLimiter } from './rate-limit.ts';

/** Enough to see that something repeats, and since when. */
const FEW = { quota: 6, windowSeconds: 60, burst: 20 };
const EVERYONE = 'everyone';

export class BoundedEntries {
  readonly #limiter: RateLimiter;
  #omitted = 0;

  /** `quota` entries in a window, and `burst` of them without a pause. */
  constructor(terms: Readonly<typeof FEW> = FEW) {
    this.#limiter = new RateLimiter({ name: 'entries', ...terms });
  }

  /** The entries that were omitted since the last one; null where this one has to be, too. */
  next(): number | null {
    if (!this.#limiter.take(EVERYONE, performance.now())) {
      this.#omitted++;
      return null;
    }
    const omitted = this.#omitted;
    this.#omitted = 0;
    return omitted;
  }
}

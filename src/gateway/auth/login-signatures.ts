// The signatures that streams were opened with. One that was captured may be sent again while its time is not up, as that of a
// read may; but only the connection that used it first may do what changes something, which is to cancel on disconnect. Kept in
// memory: after a restart a signature of the last minutes is new again.
import { TIMESTAMP_WINDOW_MS } from './signature.ts';

/** Some 20 MB. Logins are limited by key, so that this is far more than there are in a window. */
const MAX_KEPT = 100_000;

export class LoginSignatures {
  /** When each is refused for its age anyway, wall clock, ms; in order of their first use. */
  readonly #used = new Map<string, number>();

  /** Notes a use of a signature that was verified; whether it is the first one. `now`: wall clock, ms. */
  isFirst(signature: string, timestamp: number, now: number): boolean {
    for (const [old, until] of this.#used) {
      if (until >= now && this.#used.size < MAX_KEPT) break;
      this.#used.delete(old);
    }
    if (this.#used.has(signature)) return false;
    this.#used.set(signature, timestamp + TIMESTAMP_WINDOW_MS);
    return true;
  }
}

// The signatures that opened streams. A captured one may open another stream until it expires, as
// one of a read may, but only its first use may change something, which is to cancel on disconnect.
// A restart forgets them.
import { BoundedMap } from '../../identity/bounded-map.ts';
import { TIMESTAMP_WINDOW_MS } from './signature.ts';

/** About 20 MB. Logins are limited by key, so a window never has as many. */
const MAX_KEPT = 100_000;

export class LoginSignatures {
  /** When each expires, wall clock, ms. */
  readonly #used = new BoundedMap<string, number>(MAX_KEPT);

  /** Notes a use of a verified signature; true for the first. `now` is the wall clock, ms. */
  isFirst(signature: string, timestamp: number, now: number): boolean {
    this.#used.deleteOldestWhile((until) => until < now);
    if (this.#used.has(signature)) return false;
    this.#used.set(signature, timestamp + TIMESTAMP_WINDOW_MS);
    return true;
  }
}

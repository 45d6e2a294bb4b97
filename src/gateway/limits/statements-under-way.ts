// How many statements are being written for an account at the moment. One is as long as its
// history, and what the views read for it others wait for; so an account has two at a time.
import { Problem } from '../../contract/problem.ts';

const MAX_AT_A_TIME = 2;
/** A caller who reads slower than this has its place taken. */
const KEPT_MS = 600_000;

export class StatementsUnderWay {
  /** By uid, when each began, wall clock, ms. */
  readonly #begun = new Map<number, Set<{ readonly at: number }>>();

  /**
   * Takes a place; the function gives it back. Throws Problem rateLimited when there is none.
   * `now`: wall clock, ms.
   */
  begin(uid: number, now: number): () => void {
    const own = this.#begun.get(uid) ?? new Set();
    for (const one of own) if (one.at + KEPT_MS < now) own.delete(one);
    if (own.size >= MAX_AT_A_TIME) {
      throw new Problem('rateLimited', {
        userMsg:
          `An account can read ${MAX_AT_A_TIME} statements at a time. ` +
          'Read one to its end first.',
        details: { rule: 'maximum', limit: MAX_AT_A_TIME },
        headers: { 'Retry-After': '1' },
      });
    }
    const place = { at: now };
    own.add(place);
    this.#begun.set(uid, own);
    return () => {
      own.delete(place);
      if (own.size === 0 && this.#begun.get(uid) === own) this.#begun.delete(uid);
    };
  }
}

// The first answer to each Idempotency-Key, kept for 24 hours of business time: the same key with the same
// request gets it again, with another request it is refused. At most 100,000 an account; the oldest go first.
import type { Outcome } from './outcome.ts';
import { Fact, type StateHash } from './state-hash.ts';

export const IDEMPOTENCY_WINDOW_MS = 24 * 60 * 60 * 1000;
export const IDEMPOTENCY_KEYS_PER_USER = 100_000;

export interface StoredAnswer {
  readonly uid: number;
  readonly key: string;
  readonly digest: string;
  readonly outcome: Outcome;
  /** The seq of the command that was answered first. */
  readonly seq: number;
  readonly time: number;
}

export class IdempotencyStore {
  readonly #hash: StateHash;
  /** Per user, in order of arrival (a Map iterates in order of insertion). */
  readonly #answers = new Map<number, Map<string, StoredAnswer>>();

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  find(uid: number, key: string, now: number): StoredAnswer | undefined {
    const answer = this.#answers.get(uid)?.get(key);
    return answer !== undefined && now - answer.time < IDEMPOTENCY_WINDOW_MS ? answer : undefined;
  }

  remember(answer: StoredAnswer): void {
    let own = this.#answers.get(answer.uid);
    if (own === undefined) {
      own = new Map();
      this.#answers.set(answer.uid, own);
    }
    for (const [key, oldest] of own) {
      const expired = answer.time - oldest.time >= IDEMPOTENCY_WINDOW_MS;
      if (!expired && own.size < IDEMPOTENCY_KEYS_PER_USER) break;
      own.delete(key);
      this.#mix(oldest);
      this.#hash.remove();
    }
    own.set(answer.key, answer);
    this.#mix(answer);
    this.#hash.add();
  }

  /** In order of user, then of arrival. */
  *all(): Generator<StoredAnswer> {
    const users = [...this.#answers].sort(([a], [b]) => a - b);
    for (const [, own] of users) yield* own.values();
  }

  #mix(answer: StoredAnswer): void {
    const hash = this.#hash;
    hash.begin(Fact.idempotency);
    hash.number(answer.uid);
    hash.text(answer.key);
    hash.text(answer.digest);
    hash.number(answer.seq);
    hash.number(answer.time);
  }
}

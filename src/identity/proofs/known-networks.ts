// The networks where a user has succeeded in the last thirty days, across restarts: a login from
// one is no news, and guesses from elsewhere do not make it harder. Stored as HMACs under a key of
// the master key, since the places of users are private; a new master key makes every network
// unknown once.
import type { ValuesHash } from '../sealing.ts';
import type { IdentityStore } from '../storage/identity-store.ts';
import type { Networks } from './lockout.ts';

const DAY_MS = 24 * 60 * 60_000;
const KNOWN_MS = 30 * DAY_MS;
/** A further one replaces the least recently used. */
const MAX_OF_USER = 20;

export class KnownNetworks implements Networks {
  readonly #store: IdentityStore;
  readonly #hash: ValuesHash;
  readonly #now: () => number;

  constructor(store: IdentityStore, now: () => number) {
    this.#store = store;
    this.#hash = store.sealer.peppered('known networks');
    this.#now = now;
  }

  isKnown(user: string, range: string): boolean {
    const age = this.#ageOf(this.#hash(['user', user]), this.#hash([user, range]));
    return age !== undefined && age < KNOWN_MS;
  }

  /** Writes at most one use a day, since a write costs a sync. */
  note(user: string, range: string): void {
    const userHash = this.#hash(['user', user]);
    const networkHash = this.#hash([user, range]);
    const age = this.#ageOf(userHash, networkHash);
    if (age !== undefined && age >= 0 && age < DAY_MS) return;
    const now = this.#now();
    this.#store.write(() => {
      this.#store.run(
        'INSERT OR REPLACE INTO known_networks (user_hash, network_hash, since) VALUES (?, ?, ?)',
        userHash,
        networkHash,
        now,
      );
      const expired = 'DELETE FROM known_networks WHERE user_hash = ? AND since <= ?';
      this.#store.run(expired, userHash, now - KNOWN_MS);
      this.#store.run(
        `DELETE FROM known_networks WHERE user_hash = ?1 AND network_hash NOT IN
           (SELECT network_hash FROM known_networks WHERE user_hash = ?1
            ORDER BY since DESC LIMIT ${MAX_OF_USER})`,
        userHash,
      );
    });
  }

  #ageOf(userHash: Buffer, networkHash: Buffer): number | undefined {
    const row = this.#store.get<{ since: number }>(
      'SELECT since FROM known_networks WHERE user_hash = ? AND network_hash = ?',
      userHash,
      networkHash,
    );
    return row && this.#now() - row.since;
  }
}

// The signatures that arrived and could open a session, but whose message was rejected before it
// spent them: by a limit, or as another call. A captured message of this kind opens no session.
// This memory covers one process; a few signatures a second also go into the journal.
import type { WriteSignature } from '../../core/command.ts';
import type { LiveKey } from '../../identity/live-key.ts';
import { RateLimiter } from '../limits/rate-limit.ts';

/** The bound over all keys, about 5 MB. */
const MAX_REMEMBERED = 50_000;
/** The bound of one key's signatures that are also journaled and so survive a restart. */
const JOURNALED = { name: 'rejected-logins', quota: 5, windowSeconds: 1, burst: 50 };

export class RejectedLogins {
  readonly #maxRemembered: number;
  /** The oldest one first. */
  readonly #remembered = new Map<string, { key: LiveKey; timestamp: number }>();
  /** The newest timestamp of each key's signatures that are no longer remembered. */
  readonly #floors = new WeakMap<LiveKey, number>();
  readonly #journaled = new RateLimiter(JOURNALED);

  constructor(maxRemembered = MAX_REMEMBERED) {
    this.#maxRemembered = maxRemembered;
  }

  /** True if the caller should also journal it. The signature is a valid one. */
  add(key: LiveKey, signature: WriteSignature): boolean {
    const id = idOf(signature);
    if (this.#remembered.has(id)) return false;
    this.#remembered.set(id, { key, timestamp: signature.timestamp });
    if (this.#remembered.size > this.#maxRemembered) this.#dropOldest();
    return this.#journaled.take(key.keyId, performance.now());
  }

  /** True if the signature was rejected, or may have been. */
  has(key: LiveKey, signature: WriteSignature): boolean {
    const floor = this.#floors.get(key) ?? Number.NEGATIVE_INFINITY;
    return signature.timestamp <= floor || this.#remembered.has(idOf(signature));
  }

  /** A key loses its logins up to the dropped signature, which is never valid again. */
  #dropOldest(): void {
    const [oldest] = this.#remembered;
    if (oldest === undefined) return;
    const [id, { key, timestamp }] = oldest;
    this.#remembered.delete(id);
    this.#floors.set(key, Math.max(timestamp, this.#floors.get(key) ?? timestamp));
  }
}

const idOf = ({ keyId, digestHigh, digestLow }: WriteSignature): string =>
  `${keyId} ${digestHigh} ${digestLow}`;

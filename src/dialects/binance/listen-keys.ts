// Listen keys: names of the user data stream of an API key, valid for an hour from the last request
// that keeps them alive. An API key has one at most. A restart forgets them.
import { randomBytes } from 'node:crypto';
import { Problem } from '../../contract/problem.ts';
import type { LiveKey } from '../../identity/live-key.ts';
import { BinanceProblem } from './binance-problem.ts';

const LISTEN_KEY_MS = 60 * 60 * 1000;
/** Some 5 MB. */
const MAX_LISTEN_KEYS = 20_000;
const NAME_BYTES = 32;
/** A name of a listen key, which no stream has. */
export const LISTEN_KEY = /^[0-9a-f]{64}$/;

interface ListenKey {
  readonly name: string;
  readonly key: LiveKey;
  /** A time of performance.now(). */
  until: number;
}

export class ListenKeys {
  /** Oldest first. */
  readonly #byName = new Map<string, ListenKey>();
  readonly #byKeyId = new Map<number, ListenKey>();
  readonly #clock: () => number;

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#byName.size;
  }

  /** The key's listen key, kept alive, or a new one. Throws Problem overloaded. */
  start(key: LiveKey): string {
    const known = this.#byKeyId.get(key.keyId);
    if (known !== undefined && this.#isAlive(known)) {
      this.#keep(known);
      return known.name;
    }
    if (known !== undefined) this.#forget(known);
    if (this.#byName.size >= MAX_LISTEN_KEYS) this.#sweep();
    if (this.#byName.size >= MAX_LISTEN_KEYS) throw new Problem('overloaded');
    const name = randomBytes(NAME_BYTES).toString('hex');
    const made = { name, key, until: this.#clock() + LISTEN_KEY_MS };
    this.#byName.set(name, made);
    this.#byKeyId.set(key.keyId, made);
    return name;
  }

  /** Throws Problem where it is not one of this key. */
  keepAlive(key: LiveKey, name: string): void {
    this.#keep(this.#owned(key, name));
  }

  /** Throws Problem where it is not one of this key. */
  close(key: LiveKey, name: string): void {
    this.#forget(this.#owned(key, name));
  }

  /** The API key of a live listen key. */
  find(name: string): LiveKey | undefined {
    const found = this.#byName.get(name);
    return found !== undefined && this.#isAlive(found) ? found.key : undefined;
  }

  #owned(key: LiveKey, name: string): ListenKey {
    const found = this.#byName.get(name);
    if (found?.key.keyId === key.keyId && this.#isAlive(found)) return found;
    throw new BinanceProblem(-1125, 'This listenKey does not exist.');
  }

  #keep(one: ListenKey): void {
    one.until = this.#clock() + LISTEN_KEY_MS;
    this.#byName.delete(one.name);
    this.#byName.set(one.name, one);
  }

  #isAlive({ key, until }: ListenKey): boolean {
    return until > this.#clock() && !key.revoked;
  }

  #forget({ name, key }: ListenKey): void {
    this.#byName.delete(name);
    this.#byKeyId.delete(key.keyId);
  }

  #sweep(): void {
    for (const one of this.#byName.values()) if (!this.#isAlive(one)) this.#forget(one);
  }
}

// The replay guard: a write's signature works once. Per key the last 65,536 are remembered, with
// their timestamps. When a busy key overflows, its oldest entry goes, and from then on a timestamp
// that is not newer than the newest that was let go is refused: exact, and bounded to about a
// megabyte for the busiest key.
import type { WriteSignature } from './command.ts';
import { Fact, type StateHash } from './state-hash.ts';

export const SIGNATURES_PER_KEY = 65_536;

/** The ring of one key: entries in order of arrival, and a table of their places by digest. */
export class SignatureRing {
  #capacity = 64;
  #high = new Uint32Array(64);
  #low = new Uint32Array(64);
  #timestamps = new Float64Array(64);
  /** place + 1 by digest, open addressing; four places an entry keep the runs short. */
  #table = new Int32Array(256);
  #count = 0;
  #oldest = 0;
  /** No timestamp up to this one is accepted any more. */
  floor = 0;

  get count(): number {
    return this.#count;
  }

  has(high: number, low: number): boolean {
    const mask = this.#table.length - 1;
    let at = low & mask;
    for (;;) {
      const place = this.#table[at] - 1;
      if (place < 0) return false;
      if (this.#low[place] === low && this.#high[place] === high) return true;
      at = (at + 1) & mask;
    }
  }

  /** Remembers a signature; returns the one that was let go for it, or null. */
  add(high: number, low: number, timestamp: number): WriteDigest | null {
    let evicted: WriteDigest | null = null;
    if (this.#count === SIGNATURES_PER_KEY) evicted = this.#evict();
    else if (this.#count === this.#capacity) this.#grow();
    const place = (this.#oldest + this.#count) % this.#capacity;
    this.#high[place] = high;
    this.#low[place] = low;
    this.#timestamps[place] = timestamp;
    this.#count++;
    this.#index(place);
    return evicted;
  }

  /** Oldest first. */
  *entries(): Generator<WriteDigest> {
    for (let i = 0; i < this.#count; i++) yield this.#at((this.#oldest + i) % this.#capacity);
  }

  #at(place: number): WriteDigest {
    return { high: this.#high[place], low: this.#low[place], timestamp: this.#timestamps[place] };
  }

  #evict(): WriteDigest {
    const entry = this.#at(this.#oldest);
    this.#unindex(this.#oldest);
    this.#oldest = (this.#oldest + 1) % this.#capacity;
    this.#count--;
    if (entry.timestamp > this.floor) this.floor = entry.timestamp;
    return entry;
  }

  #index(place: number): void {
    const mask = this.#table.length - 1;
    let at = this.#low[place] & mask;
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    this.#table[at] = place + 1;
  }

  #unindex(place: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let hole = this.#low[place] & mask;
    while (table[hole] !== place + 1) hole = (hole + 1) & mask;
    let at = hole;
    for (;;) {
      at = (at + 1) & mask;
      if (table[at] === 0) break;
      const home = this.#low[table[at] - 1] & mask;
      const reachable = hole <= at ? home <= hole || home > at : home <= hole && home > at;
      if (!reachable) continue;
      table[hole] = table[at];
      hole = at;
    }
    table[hole] = 0;
  }

  /** Only a ring that never evicted grows, so its oldest entry is at place 0. */
  #grow(): void {
    this.#capacity *= 2;
    this.#high = grown(this.#high, new Uint32Array(this.#capacity));
    this.#low = grown(this.#low, new Uint32Array(this.#capacity));
    this.#timestamps = grown(this.#timestamps, new Float64Array(this.#capacity));
    this.#table = new Int32Array(this.#capacity * 4);
    for (let place = 0; place < this.#count; place++) this.#index(place);
  }
}

export interface WriteDigest {
  readonly high: number;
  readonly low: number;
  readonly timestamp: number;
}

export class ReplayGuard {
  readonly #hash: StateHash;
  readonly #rings = new Map<number, SignatureRing>();

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  /**
   * Whether a write may be carried out: 'signatureUsed', 'signatureTooOld', or null. Changes
   * nothing.
   */
  check(signature: WriteSignature): 'signatureUsed' | 'signatureTooOld' | null {
    const ring = this.#rings.get(signature.keyId);
    if (ring === undefined) return null;
    if (ring.has(signature.digestHigh, signature.digestLow)) return 'signatureUsed';
    return signature.timestamp <= ring.floor ? 'signatureTooOld' : null;
  }

  /** Remembers a signature that passed the check. */
  remember(signature: WriteSignature): void {
    this.restore(signature.keyId, signature.digestHigh, signature.digestLow, signature.timestamp);
  }

  restore(keyId: number, high: number, low: number, timestamp: number): void {
    let ring = this.#rings.get(keyId);
    if (ring === undefined) {
      ring = new SignatureRing();
      this.#rings.set(keyId, ring);
    }
    const { floor } = ring;
    const evicted = ring.add(high, low, timestamp);
    this.#mix(keyId, high, low, timestamp);
    this.#hash.add();
    if (evicted !== null) {
      this.#mix(keyId, evicted.high, evicted.low, evicted.timestamp);
      this.#hash.remove();
      this.#hashFloor(keyId, floor, ring.floor);
    }
  }

  restoreFloor(keyId: number, floor: number): void {
    const ring = this.#rings.get(keyId);
    if (ring === undefined) return;
    this.#hashFloor(keyId, ring.floor, floor);
    ring.floor = floor;
  }

  /** In order of key. */
  rings(): [number, SignatureRing][] {
    return [...this.#rings].sort(([a], [b]) => a - b);
  }

  /** The floor decides about writes as the signatures do; a key that never overflowed has none. */
  #hashFloor(keyId: number, before: number, after: number): void {
    if (before === after) return;
    const hash = this.#hash;
    if (before > 0) {
      this.#mixFloor(keyId, before);
      hash.remove();
    }
    if (after > 0) {
      this.#mixFloor(keyId, after);
      hash.add();
    }
  }

  #mixFloor(keyId: number, floor: number): void {
    const hash = this.#hash;
    hash.begin(Fact.signatureFloor);
    hash.number(keyId);
    hash.number(floor);
  }

  #mix(keyId: number, high: number, low: number, timestamp: number): void {
    const hash = this.#hash;
    hash.begin(Fact.signature);
    hash.number(keyId);
    hash.number(high);
    hash.number(low);
    hash.number(timestamp);
  }
}

function grown<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

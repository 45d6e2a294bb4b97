// The state hash: one number that two cores share exactly when they hold the same state. It sums
// the hashes of all facts (a balance, a resting order), so changing a fact costs two hashes, and
// iteration order never matters. It detects divergence, not tampering: that is the journal's
// SHA-256 chain.
import type { Amount } from './units.ts';

const TWO_30 = 1073741824;
const LOW_52 = (1n << 52n) - 1n;
const SEED_A = 0x9e3779b9 | 0;
const SEED_B = 0x85ebca6b | 0;

export class StateHash {
  #sumA = 0;
  #sumB = 0;
  #a = 0;
  #b = 0;

  /** Starts the hash of one fact; `kind` keeps facts of different kinds apart. */
  begin(kind: number): void {
    this.#a = SEED_A ^ Math.imul(kind + 1, 0x27d4eb2d);
    this.#b = SEED_B ^ Math.imul(kind + 1, 0x165667b1);
  }

  /**
   * Mixes a safe natural number into the fact. The highest bit marks the first word of a large
   * number, the two highest that of a text, so that neighbors never read as one another.
   */
  number(value: number): void {
    if (value > 0x7fffffff) {
      // Halves of 30 and 23 bits stay small integers for the compiler; `%` would be a slow call.
      const high = Math.floor(value / TWO_30);
      this.#word(high | 0x80000000);
      this.#word(value - high * TWO_30);
    } else {
      this.#word(value | 0);
    }
  }

  #word(word: number): void {
    let a = Math.imul(this.#a ^ word, 0x85ebca6b);
    a ^= a >>> 15;
    this.#a = Math.imul(a, 0xc2b2ae35);
    let b = Math.imul(this.#b + word, 0x9e3779b1);
    b ^= b >>> 13;
    this.#b = Math.imul(b, 0x27d4eb2f);
  }

  amount(value: Amount): void {
    if (typeof value === 'number' && value >= 0) {
      this.number(value);
      return;
    }
    this.#word(value < 0 ? -1 : -2);
    let rest = BigInt(value < 0 ? -value : value);
    for (; rest > 0n; rest >>= 52n) this.number(Number(rest & LOW_52));
  }

  text(value: string): void {
    this.#word(value.length | 0xc0000000);
    for (let i = 0; i < value.length; i++) this.#word(value.charCodeAt(i));
  }

  bytes(value: Uint8Array): void {
    const { length } = value;
    this.#word(length | 0xc0000000);
    let i = 0;
    for (; i + 4 <= length; i += 4) {
      this.#word(value[i] | (value[i + 1] << 8) | (value[i + 2] << 16) | (value[i + 3] << 24));
    }
    for (; i < length; i++) this.#word(value[i]);
  }

  /** An independent continuation of this hash. */
  copy(): StateHash {
    const copy = new StateHash();
    copy.#sumA = this.#sumA;
    copy.#sumB = this.#sumB;
    return copy;
  }

  /** The two halves of the fact's hash, for `removeHashed`. */
  get a(): number {
    return this.#a ^ (this.#a >>> 16);
  }
  get b(): number {
    return this.#b ^ (this.#b >>> 16);
  }

  /** The fact holds from now on. */
  add(): void {
    this.#sumA = (this.#sumA + this.a) | 0;
    this.#sumB = (this.#sumB + this.b) | 0;
  }

  /** The fact no longer holds. */
  remove(): void {
    this.removeHashed(this.a, this.b);
  }

  /** Removes a fact by its halves, so that a caller that keeps them need not mix it again. */
  removeHashed(a: number, b: number): void {
    this.#sumA = (this.#sumA - a) | 0;
    this.#sumB = (this.#sumB - b) | 0;
  }

  /** 16 hexadecimal digits. */
  digest(): string {
    return hex(this.#sumA) + hex(this.#sumB);
  }
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

/** The kinds of fact; each is hashed in the file that owns it. */
export const Fact = {
  balance: 0,
  order: 1,
  counter: 2,
  asset: 3,
  instrument: 4,
  user: 5,
  signature: 6,
  idempotency: 7,
  reference: 8,
  deadManSwitch: 9,
  sweep: 10,
  signatureFloor: 11,
  subscription: 12,
  redemption: 13,
  plan: 14,
  enterprise: 15,
  earnCounter: 16,
  enterpriseSelfTrade: 17,
  orderDetails: 18,
  dueRun: 19,
  dueBracket: 20,
  matching: 21,
  pendingCommand: 22,
  trailSegment: 23,
  dueStops: 24,
  lostSignatures: 25,
  feeTiers: 40,
  dayVolume: 41,
} as const;

// The naive venue remembers writes: signatures and the answers to Idempotency-Keys. These workloads
// stay within the bounds of an account and of the venue; the unit tests of the core reach them.
import type { IdempotencyTag, WriteSignature } from '../../src/core/command.ts';
import { type ExpectedOutcome, no, type Rejection } from './expectation.ts';

/** The bounds of the design: 65,536 write signatures a key for 21 minutes, answers for 24 hours. */
const SIGNATURES_PER_KEY = 65_536;
const SIGNATURE_LIFETIME_S = 1_260;
const ANSWER_LIFETIME_MS = 86_400_000;
/** So many expired signatures go with each command. */
const GO_WITH_A_COMMAND = 8;
const FORGOTTEN_BY_A_COMMAND = 1_000;
/** The core traces dropped signatures of so many times, which are so far apart. */
const TRACED_TIMES = 64;
const APART_MS = SIGNATURE_LIFETIME_S * 1000;

interface ModelSignature {
  readonly keyId: number;
  readonly timestamp: number;
  /** Second of the wall clock, which is never before that of the one before. */
  readonly arrival: number;
}

/** The dropped signatures of one time. */
interface TracedTime {
  from: number;
  to: number;
  readonly names: Set<string>;
}

interface ModelKey {
  count: number;
  floor: number;
}

interface ModelAnswer {
  readonly digest: string;
  readonly time: number;
  readonly outcome: ExpectedOutcome;
}

export class Memory {
  /** In order of arrival. */
  readonly #signatures = new Map<string, ModelSignature>();
  readonly #keys = new Map<number, ModelKey>();
  readonly #answers = new Map<string, ModelAnswer>();
  /** No time has more signatures than a page of the core's trace. */
  #traced: TracedTime[] = [];
  /** The signatures of the times that are no longer traced. */
  readonly #lost = new Set<string>();
  #newest = 1;
  #second = 0;
  #time = 0;

  /** A command comes at this business time; `wall` is the wall clock. */
  begin(time: number, wall: number): void {
    this.#time = time;
    this.#second = Math.floor(wall / 1000);
    for (let i = 0; i < GO_WITH_A_COMMAND; i++) {
      const [oldest] = this.#signatures;
      if (oldest === undefined || this.#second - oldest[1].arrival < SIGNATURE_LIFETIME_S) return;
      this.#letGo(...oldest);
    }
  }

  /** Remembers the signature, or says why it may not be used. */
  spend({ keyId, timestamp, digestHigh, digestLow }: WriteSignature): Rejection | null {
    const name = `${keyId}/${digestHigh}/${digestLow}`;
    if (this.#signatures.has(name)) return no('signatureUsed');
    const key = this.#keys.get(keyId) ?? { count: 0, floor: 0 };
    if (timestamp <= key.floor) {
      if (this.#lost.has(name)) return no('signatureTooOld');
      if (this.#traced.some(({ names }) => names.has(name))) return no('signatureUsed');
    }
    this.#keys.set(keyId, key);
    if (key.count === SIGNATURES_PER_KEY) this.#letGo(...this.#oldestOf(keyId));
    this.#newest = Math.max(this.#newest, this.#second);
    this.#signatures.set(name, { keyId, timestamp, arrival: this.#newest });
    key.count++;
    return null;
  }

  /** The answer to this request under this Idempotency-Key, or to another request. */
  answerTo(uid: number, { key }: IdempotencyTag): ModelAnswer | undefined {
    const first = this.#answers.get(`${uid}/${key}`);
    const alive = first !== undefined && this.#time - first.time < ANSWER_LIFETIME_MS;
    return alive ? first : undefined;
  }

  keep(uid: number, { key, digest }: IdempotencyTag, outcome: ExpectedOutcome): void {
    this.#answers.set(`${uid}/${key}`, { digest, time: this.#time, outcome });
  }

  /** Forgets the oldest signatures of a key, and with the last of them the key. */
  forget(keyId: number): { keyId: number; left: number } {
    const key = this.#keys.get(keyId) ?? { count: 0, floor: 0 };
    for (let i = 0; i < FORGOTTEN_BY_A_COMMAND && key.count > 0; i++) {
      this.#signatures.delete(this.#oldestOf(keyId)[0]);
      key.count--;
    }
    if (key.count === 0) this.#keys.delete(keyId);
    return { keyId, left: key.count };
  }

  /** Per key: how many signatures are remembered, and the newest timestamp of a dropped one. */
  keys(): { keyId: number; count: number; floor: number }[] {
    const keys = [...this.#keys].sort(([a], [b]) => a - b);
    return keys.map(([keyId, { count, floor }]) => ({ keyId, count, floor }));
  }

  #oldestOf(keyId: number): [string, ModelSignature] {
    for (const entry of this.#signatures) if (entry[1].keyId === keyId) return entry;
    throw new Error(`key ${keyId} has no signature`);
  }

  #letGo(name: string, { keyId, timestamp }: ModelSignature): void {
    this.#signatures.delete(name);
    const key = this.#keys.get(keyId)!;
    key.count--;
    key.floor = Math.max(key.floor, timestamp);
    this.#trace(name, timestamp);
  }

  #trace(name: string, at: number): void {
    const time = this.#traced.find(({ from, to }) => at > from - APART_MS && at < to + APART_MS);
    if (time === undefined) {
      this.#loseOldest();
      this.#traced.push({ from: at, to: at, names: new Set([name]) });
      return;
    }
    time.from = Math.min(time.from, at);
    time.to = Math.max(time.to, at);
    time.names.add(name);
  }

  #loseOldest(): void {
    if (this.#traced.length < TRACED_TIMES) return;
    const [oldest] = this.#traced.toSorted((a, b) => a.to - b.to);
    this.#traced = this.#traced.filter((one) => one !== oldest);
    for (const name of oldest!.names) this.#lost.add(name);
  }
}

// The first answer to each Idempotency-Key for 24 hours of business time, within bounds for each
// account and the venue. Another request under the same key is refused.
import { BinaryReader, BinaryWriter } from './binary.ts';
import { ByteBlocks } from './byte-blocks.ts';
import { DAY_MS } from './calendar.ts';
import { integer, record, text } from './codec.ts';
import { FlatRecords, listOf, RecordList } from './flat-records.ts';
import { NONE } from './hash-chains.ts';
import type { KeyedHash } from './keyed-hash.ts';
import { ShardedHashIndex } from './matching/hash-index.ts';
import type { Outcome } from './outcome.ts';
import { OUTCOME_TEXT, OutcomeForm } from './outcome-form.ts';
import { Fact, type StateHash } from './state-hash.ts';

export const IDEMPOTENCY_WINDOW_MS = DAY_MS;
export const IDEMPOTENCY_KEYS_PER_USER = 100_000;
const IDEMPOTENCY_KEYS = 1_048_576;

/** More than one command adds, few enough that no command waits. */
const RELEASED_PER_COMMAND = 8;

export interface AnswerLimits {
  readonly perUser: number;
  readonly total: number;
}

const LIMITS: AnswerLimits = { perUser: IDEMPOTENCY_KEYS_PER_USER, total: IDEMPOTENCY_KEYS };

export interface StoredAnswer {
  readonly uid: number;
  readonly key: string;
  readonly digest: string;
  readonly outcome: Outcome;
  /** The seq of the command that was answered first. */
  readonly seq: number;
  readonly time: number;
}

export const STORED_ANSWER = record<StoredAnswer>({
  uid: integer,
  key: text,
  digest: text,
  outcome: OUTCOME_TEXT,
  seq: integer,
  time: integer,
});

// The words of an answer; the rest of it is bytes.
const TIME = 0;
const UID = 2;
const BYTES = 3;
const HASH_A = 4;
const HASH_B = 5;
/** Links: of all answers, and of its user's. */
const ALL = 6;
const OF_USER = 8;
/** The keyed hash of its user and key. */
const KEY_HASH = 10;
const WORDS = 11;

/** As the edge makes it. */
const DIGEST = /^[0-9a-f]{32}$/;

export class IdempotencyStore {
  readonly #hash: StateHash;
  readonly #keyed: KeyedHash;
  readonly #limits: AnswerLimits;
  readonly #records = new FlatRecords(WORDS);
  readonly #blocks = new ByteBlocks();
  readonly #byKey = new ShardedHashIndex();
  readonly #all = new RecordList();
  readonly #users = new Map<number, RecordList>();
  readonly #outcomes = new OutcomeForm();
  readonly #writer = new BinaryWriter();

  constructor(hash: StateHash, keyed: KeyedHash, limits = LIMITS) {
    this.#hash = hash;
    this.#keyed = keyed;
    this.#limits = limits;
  }

  get count(): number {
    return this.#all.count;
  }

  find(uid: number, key: string, now: number): StoredAnswer | undefined {
    const slot = this.#slotOf(uid, key);
    if (slot === NONE || this.#hasExpired(slot, now)) return undefined;
    return this.#read(slot);
  }

  /** Drops some expired answers. */
  release(now: number): void {
    for (let n = 0; n < RELEASED_PER_COMMAND; n++) {
      const { oldest } = this.#all;
      if (oldest === NONE || !this.#hasExpired(oldest, now)) return;
      this.#drop(oldest);
    }
  }

  /** Keeps an answer to a key that has none, or an expired one. */
  remember(answer: StoredAnswer): void {
    const expired = this.#slotOf(answer.uid, answer.key);
    if (expired !== NONE) this.#drop(expired);
    const own = this.#users.get(answer.uid);
    if (own?.count === this.#limits.perUser) this.#drop(own.oldest);
    else if (this.#all.count === this.#limits.total) {
      const share = Math.floor(this.#limits.total / this.#users.size);
      this.#drop(own !== undefined && own.count >= share ? own.oldest : this.#all.oldest);
    }
    this.restore(answer);
  }

  /** Under the first rules answers expire when their user's next one comes. */
  rememberUnderFirstRules(answer: StoredAnswer): void {
    for (;;) {
      const own = this.#users.get(answer.uid);
      if (own === undefined) break;
      const expired = this.#hasExpired(own.oldest, answer.time);
      if (!expired && own.count < IDEMPOTENCY_KEYS_PER_USER) break;
      this.#drop(own.oldest);
    }
    this.restore(answer);
  }

  /** Adds an answer as the newest, without a check of the bounds. */
  restore(answer: StoredAnswer): void {
    const { uid, key, time } = answer;
    const records = this.#records;
    const slot = records.take();
    records.setLong(slot, TIME, time);
    records.set(slot, UID, uid);
    records.set(slot, BYTES, this.#blocks.write(this.#encode(answer)));
    const hash = this.#hash;
    this.#mix(answer);
    hash.add();
    records.set(slot, HASH_A, hash.a);
    records.set(slot, HASH_B, hash.b);
    records.append(this.#all, slot, ALL);
    records.append(listOf(this.#users, uid), slot, OF_USER);
    const keyHash = this.#keyed.text(uid, key);
    records.set(slot, KEY_HASH, keyHash);
    this.#byKey.shard(keyHash).add(keyHash, slot);
  }

  /** In order of arrival. */
  *all(): Generator<StoredAnswer> {
    for (let slot = this.#all.oldest; slot !== NONE; slot = this.#records.newer(slot, ALL)) {
      yield this.#read(slot);
    }
  }

  #slotOf(uid: number, key: string): number {
    const hash = this.#keyed.text(uid, key);
    const index = this.#byKey.shard(hash);
    for (let at = index.first(hash); at >= 0; at = index.next(hash, at)) {
      const slot = index.slotAt(at);
      if (this.#records.get(slot, UID) === uid && this.#reader(slot).text() === key) return slot;
    }
    return NONE;
  }

  #hasExpired(slot: number, now: number): boolean {
    return now - this.#records.getLong(slot, TIME) >= IDEMPOTENCY_WINDOW_MS;
  }

  #drop(slot: number): void {
    const records = this.#records;
    this.#hash.removeHashed(records.get(slot, HASH_A), records.get(slot, HASH_B));
    const keyHash = records.get(slot, KEY_HASH);
    this.#byKey.shard(keyHash).remove(keyHash, slot);
    this.#blocks.release(records.get(slot, BYTES));
    const uid = records.get(slot, UID);
    const own = this.#users.get(uid)!;
    records.unlink(this.#all, slot, ALL);
    records.unlink(own, slot, OF_USER);
    if (own.count === 0) this.#users.delete(uid);
    records.release(slot);
  }

  #encode({ key, digest, seq, outcome }: StoredAnswer): Uint8Array {
    const out = this.#writer;
    out.reset();
    out.text(key);
    const isUsual = DIGEST.test(digest);
    out.boolean(isUsual);
    if (isUsual) {
      for (let i = 0; i < 32; i += 2) out.byte(nibble(digest, i) * 16 + nibble(digest, i + 1));
    } else out.text(digest);
    out.integer(seq);
    this.#outcomes.write(out, outcome);
    return out.view();
  }

  #reader(slot: number): BinaryReader {
    return new BinaryReader(this.#blocks.read(this.#records.get(slot, BYTES)));
  }

  #read(slot: number): StoredAnswer {
    const input = this.#reader(slot);
    const key = input.text();
    const digest = input.boolean() ? hexOf(input.raw(16)) : input.text();
    const seq = input.integer();
    const outcome = this.#outcomes.read(input);
    const time = this.#records.getLong(slot, TIME);
    return { uid: this.#records.get(slot, UID), key, digest, outcome, seq, time };
  }

  #mix(answer: StoredAnswer): void {
    const hash = this.#hash;
    hash.begin(Fact.idempotency);
    STORED_ANSWER.mix(hash, answer);
  }
}

/** The value of a lower-case hexadecimal digit; parseInt would take a microsecond for a digest. */
function nibble(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0x3a ? code - 0x30 : code - 0x57;
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

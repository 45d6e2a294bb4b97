// The first outcome under each Idempotency-Key for 24 hours of business time, within bounds in
// bytes for each account and the venue. Another request under the same key is rejected.
import { BinaryReader, BinaryWriter } from './binary.ts';
import { ByteBlocks, blockBytes } from './byte-blocks.ts';
import { DAY_MS } from './calendar.ts';
import { FlatRecords, RecordList } from './flat-records.ts';
import { NONE } from './hash-chains.ts';
import type { KeyedHash } from './keyed-hash.ts';
import { ShardedHashIndex } from './matching/hash-index.ts';
import type { Outcome } from './outcome.ts';
import { OutcomeForm } from './outcome-form.ts';
import { Fact, type StateHash } from './state-hash.ts';

export const IDEMPOTENCY_WINDOW_MS = DAY_MS;
const MIB = 1024 * 1024;

/** More than one command adds, few enough that no command waits. */
const RELEASED_PER_COMMAND = 8;

/** In bytes of memory, by outcomeBytes. */
export interface OutcomeLimits {
  readonly perUser: number;
  readonly total: number;
}

export const OUTCOME_LIMITS: OutcomeLimits = { perUser: 32 * MIB, total: 256 * MIB };

export interface KeptOutcome {
  readonly uid: number;
  readonly key: string;
  readonly digest: string;
  readonly outcome: Outcome;
  /** The seq of the command that had it first. */
  readonly seq: number;
  readonly time: number;
}

// The words of an outcome; the rest of it is bytes.
const TIME = 0;
const UID = 2;
const BYTES = 3;
const HASH_A = 4;
const HASH_B = 5;
/** Links: of all outcomes, and of its user's. */
const ALL = 6;
const OF_USER = 8;
/** The keyed hash of its user and key. */
const KEY_HASH = 10;
/** Its bytes without those that fill its last block. */
const LENGTH = 11;
const WORDS = 12;

/** Its words, and at most four places of two words in an index that is a quarter full. */
const RECORD_BYTES = WORDS * 4 + 32;

/** The memory that an outcome of so many encoded bytes takes. */
const outcomeBytes = (length: number): number => RECORD_BYTES + blockBytes(length);

class UserOutcomes extends RecordList {
  bytes = 0;
}

/** 32 hex digits, as the gateway writes it. */
const DIGEST = /^[0-9a-f]{32}$/;

export class IdempotencyStore {
  readonly #hash: StateHash;
  readonly #keyed: KeyedHash;
  readonly #limits: OutcomeLimits;
  readonly #records = new FlatRecords(WORDS);
  readonly #blocks = new ByteBlocks();
  readonly #byKey = new ShardedHashIndex();
  readonly #all = new RecordList();
  readonly #users = new Map<number, UserOutcomes>();
  #bytes = 0;
  readonly #outcomes = new OutcomeForm();
  readonly #writer = new BinaryWriter();

  constructor(hash: StateHash, keyed: KeyedHash, limits = OUTCOME_LIMITS) {
    this.#hash = hash;
    this.#keyed = keyed;
    this.#limits = limits;
  }

  get count(): number {
    return this.#all.count;
  }

  /** The memory of all outcomes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The memory of a user's outcomes. */
  bytesOf(uid: number): number {
    return this.#users.get(uid)?.bytes ?? 0;
  }

  find(uid: number, key: string, now: number): KeptOutcome | undefined {
    const slot = this.#slotOf(uid, key);
    if (slot === NONE || this.#hasExpired(slot, now)) return undefined;
    return this.#read(slot);
  }

  /** Drops some expired outcomes. */
  release(now: number): void {
    for (let n = 0; n < RELEASED_PER_COMMAND; n++) {
      const { oldest } = this.#all;
      if (oldest === NONE || !this.#hasExpired(oldest, now)) return;
      this.#drop(oldest);
    }
  }

  /** Keeps the outcome under a key that has none, or an expired one. */
  remember(kept: KeptOutcome): void {
    const expired = this.#slotOf(kept.uid, kept.key);
    if (expired !== NONE) this.#drop(expired);
    const bytes = this.#encode(kept);
    this.#makeRoom(kept.uid, outcomeBytes(bytes.length));
    this.#add(kept.uid, kept.time, bytes);
  }

  /** Drops the oldest outcomes of a user at its bound, or at that of all and over its share. */
  #makeRoom(uid: number, needed: number): void {
    const { perUser, total } = this.#limits;
    for (;;) {
      const own = this.#users.get(uid);
      if (own !== undefined && own.bytes + needed > perUser) {
        this.#drop(own.oldest);
      } else if (this.#bytes + needed > total) {
        const share = Math.floor(total / this.#users.size);
        this.#drop(own !== undefined && own.bytes >= share ? own.oldest : this.#all.oldest);
      } else {
        return;
      }
    }
  }

  /** Adds an encoded outcome as the newest. */
  #add(uid: number, time: number, bytes: Uint8Array): void {
    const records = this.#records;
    const slot = records.take();
    records.setLong(slot, TIME, time);
    records.set(slot, UID, uid);
    records.set(slot, BYTES, this.#blocks.write(bytes));
    records.set(slot, LENGTH, bytes.length);
    const hash = this.#hash;
    hash.begin(Fact.idempotency);
    hash.number(uid);
    hash.number(time);
    hash.bytes(bytes);
    hash.add();
    records.set(slot, HASH_A, hash.a);
    records.set(slot, HASH_B, hash.b);
    const own = this.#users.get(uid) ?? new UserOutcomes();
    this.#users.set(uid, own);
    records.append(this.#all, slot, ALL);
    records.append(own, slot, OF_USER);
    own.bytes += outcomeBytes(bytes.length);
    this.#bytes += outcomeBytes(bytes.length);
    const keyHash = this.#keyed.text(uid, new BinaryReader(bytes).text());
    records.set(slot, KEY_HASH, keyHash);
    this.#byKey.shard(keyHash).add(keyHash, slot);
  }

  /** In order of arrival, in the form that they have in memory. */
  write(out: BinaryWriter): void {
    this.#outcomes.writeShapes(out);
    out.integer(this.count);
    for (const slot of this.#slots()) {
      out.integer(this.#records.get(slot, UID));
      out.integer(this.#records.getLong(slot, TIME));
      out.bytes(this.#blocks.read(this.#records.get(slot, BYTES), this.#records.get(slot, LENGTH)));
    }
  }

  /** Reads what `write` wrote into an empty store. */
  read(input: BinaryReader): void {
    this.#outcomes.readShapes(input);
    for (let rest = input.integer(); rest > 0; rest--) {
      this.#add(input.integer(), input.integer(), input.bytes());
    }
  }

  /** In order of arrival. */
  *all(): Generator<KeptOutcome> {
    for (const slot of this.#slots()) yield this.#read(slot);
  }

  *#slots(): Generator<number> {
    for (let slot = this.#all.oldest; slot !== NONE; slot = this.#records.newer(slot, ALL)) {
      yield slot;
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
    const bytes = outcomeBytes(records.get(slot, LENGTH));
    own.bytes -= bytes;
    this.#bytes -= bytes;
    if (own.count === 0) this.#users.delete(uid);
    records.release(slot);
  }

  #encode({ key, digest, seq, outcome }: KeptOutcome): Uint8Array {
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
    return new BinaryReader(
      this.#blocks.read(this.#records.get(slot, BYTES), this.#records.get(slot, LENGTH)),
    );
  }

  #read(slot: number): KeptOutcome {
    const input = this.#reader(slot);
    const key = input.text();
    const digest = input.boolean() ? hexOf(input.raw(16)) : input.text();
    const seq = input.integer();
    const outcome = this.#outcomes.read(input);
    const time = this.#records.getLong(slot, TIME);
    return { uid: this.#records.get(slot, UID), key, digest, outcome, seq, time };
  }
}

/** The value of a lower-case hexadecimal digit; parseInt would take a microsecond for a digest. */
function nibble(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0x3a ? code - 0x30 : code - 0x57;
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

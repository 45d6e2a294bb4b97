// The replay guard: a signature works once. It is remembered for 21 minutes and within bounds for
// each key, account and the venue. A dropped signature leaves a trace, and raises the floor of its
// key: a timestamp up to the floor is accepted only if the trace shows that its signature is new.
import { integer, mixFact, record, type ValueOf } from './codec.ts';
import { SIGNATURE, type WriteSignature } from './command.ts';
import { FlatRecords, listOf, RecordList } from './flat-records.ts';
import { NONE } from './hash-chains.ts';
import type { KeyedHash } from './keyed-hash.ts';
import { ShardedHashIndex } from './matching/hash-index.ts';
import { SignatureTrace, type TraceLimits } from './signature-trace.ts';
import { Fact, type StateHash } from './state-hash.ts';

const SIGNATURES_PER_KEY = 65_536;
const SIGNATURES_PER_ACCOUNT = 262_144;
const SIGNATURES = 2_097_152;

/** Twice the 10 minutes by which a timestamp may differ, and one minute for clock corrections. */
export const SIGNATURE_LIFETIME_S = 21 * 60;

/** More than one command adds, few enough that no command waits. */
export const RELEASED_PER_COMMAND = 8;

export interface GuardLimits {
  readonly perKey: number;
  readonly perAccount: number;
  readonly total: number;
}

const LIMITS: GuardLimits = {
  perKey: SIGNATURES_PER_KEY,
  perAccount: SIGNATURES_PER_ACCOUNT,
  total: SIGNATURES,
};

// The words of an entry.
const HIGH = 0;
const LOW = 1;
const TIMESTAMP = 2;
/** When it was sequenced: wall clock, seconds. */
const ARRIVAL = 4;
const KEY = 5;
const UID = 6;
/** Links: of all entries, of its account's, of its key's. */
const ALL = 7;
const OF_ACCOUNT = 9;
const OF_KEY = 11;
const WORDS = 13;

interface KeyMemory {
  readonly keyId: number;
  /** Its name in the entries. */
  readonly index: number;
  readonly entries: RecordList;
  /** The newest timestamp of its dropped signatures; 0: none. */
  floor: number;
}

/** A signature as a snapshot keeps it. */
export type RememberedSignature = ValueOf<typeof REMEMBERED_SIGNATURE>;

export const REMEMBERED_SIGNATURE = record({
  ...SIGNATURE.fields,
  uid: integer,
  arrival: integer,
});

export const SIGNATURE_FLOOR = record({ keyId: integer, floor: integer });

export class ReplayGuard {
  readonly #hash: StateHash;
  readonly #keyed: KeyedHash;
  readonly #limits: GuardLimits;
  readonly #entries = new FlatRecords(WORDS);
  readonly #byDigest = new ShardedHashIndex();
  readonly #all = new RecordList();
  readonly #accounts = new Map<number, RecordList>();
  readonly #keys = new Map<number, KeyMemory>();
  /** By index; places of forgotten keys are reused. */
  readonly #keyAt: (KeyMemory | undefined)[] = [];
  readonly #freeIndexes: number[] = [];
  readonly trace: SignatureTrace;

  constructor(hash: StateHash, keyed: KeyedHash, limits = LIMITS, traced?: TraceLimits) {
    this.trace = new SignatureTrace(hash, traced);
    this.#hash = hash;
    this.#keyed = keyed;
    this.#limits = limits;
  }

  get count(): number {
    return this.#all.count;
  }

  /** Why a write may not be executed, or null. Changes nothing. */
  check(signature: WriteSignature): 'signatureUsed' | 'signatureTooOld' | null {
    const key = this.#keys.get(signature.keyId);
    if (key === undefined) return null;
    const { digestHigh, digestLow, timestamp } = signature;
    if (this.#find(key, digestHigh | 0, digestLow | 0)) return 'signatureUsed';
    return timestamp <= key.floor ? this.trace.check(digestHigh, digestLow, timestamp) : null;
  }

  /** Drops some expired signatures. `now`: wall clock at sequencing, ms. */
  release(now: number): void {
    const born = Math.floor(now / 1000) - SIGNATURE_LIFETIME_S;
    for (let n = 0; n < RELEASED_PER_COMMAND; n++) {
      const slot = this.#all.oldest;
      if (slot === NONE || this.#entries.get(slot, ARRIVAL) >>> 0 > born) return;
      this.#letGo(slot);
    }
  }

  /** Remembers a signature that passed the check. `now`: wall clock at sequencing, ms. */
  remember(uid: number, signature: WriteSignature, now: number): void {
    const { perKey, perAccount, total } = this.#limits;
    const key = this.#keys.get(signature.keyId);
    const account = this.#accounts.get(uid);
    if (key?.entries.count === perKey) this.#letGo(key.entries.oldest);
    else if (account?.count === perAccount) this.#letGo(account.oldest);
    else if (this.#all.count === total) {
      const share = Math.floor(total / this.#accounts.size);
      const list = account !== undefined && account.count >= share ? account : this.#all;
      this.#letGo(list.oldest);
    }
    // A clock that steps back must not make this entry look older than those before it.
    const before = this.#all.newest;
    const least = before === NONE ? 0 : this.#entries.get(before, ARRIVAL) >>> 0;
    const arrival = Math.max(least, Math.floor(now / 1000));
    this.#add(signature, uid, arrival);
  }

  /** Adds a signature as the newest, without a check of the bounds. */
  restore(signature: RememberedSignature): void {
    this.#add(signature, signature.uid, signature.arrival);
  }

  #add(signature: WriteSignature, uid: number, arrival: number): void {
    const { keyId, timestamp, digestHigh, digestLow } = signature;
    const key = this.#keys.get(keyId) ?? this.#addKey(keyId);
    const entries = this.#entries;
    const slot = entries.take();
    entries.set(slot, HIGH, digestHigh);
    entries.set(slot, LOW, digestLow);
    entries.setLong(slot, TIMESTAMP, timestamp);
    entries.set(slot, ARRIVAL, arrival);
    entries.set(slot, KEY, key.index);
    entries.set(slot, UID, uid);
    entries.append(this.#all, slot, ALL);
    entries.append(key.entries, slot, OF_KEY);
    entries.append(listOf(this.#accounts, uid), slot, OF_ACCOUNT);
    const hash = this.#keyed.words(keyId, digestHigh, digestLow);
    this.#byDigest.shard(hash).add(hash, slot);
    this.#mix(slot, key);
    this.#hash.add();
  }

  restoreFloor(keyId: number, floor: number): void {
    this.#setFloor(this.#keys.get(keyId) ?? this.#addKey(keyId), floor);
  }

  /**
   * Forgets up to `limit` signatures of a revoked key, with the last one its floor. Returns how
   * many are left.
   */
  forget(keyId: number, limit: number): number {
    const key = this.#keys.get(keyId);
    if (key === undefined) return 0;
    for (let n = 0; n < limit && key.entries.count > 0; n++) {
      const slot = key.entries.oldest;
      this.#mix(slot, key);
      this.#hash.remove();
      this.#drop(slot, key);
    }
    if (key.entries.count > 0) return key.entries.count;
    this.#setFloor(key, 0);
    this.#keys.delete(keyId);
    this.#keyAt[key.index] = undefined;
    this.#freeIndexes.push(key.index);
    return 0;
  }

  get keyIds(): Iterable<number> {
    return this.#keys.keys();
  }

  /** In order of key. */
  keys(): { readonly keyId: number; readonly count: number; readonly floor: number }[] {
    return [...this.#keys.values()]
      .map(({ keyId, entries, floor }) => ({ keyId, count: entries.count, floor }))
      .sort((a, b) => a.keyId - b.keyId);
  }

  /** In order of arrival. */
  *signatures(): Generator<RememberedSignature> {
    const entries = this.#entries;
    for (let slot = this.#all.oldest; slot !== NONE; slot = entries.newer(slot, ALL)) {
      yield {
        keyId: this.#keyAt[entries.get(slot, KEY)]!.keyId,
        timestamp: entries.getLong(slot, TIMESTAMP),
        digestHigh: entries.get(slot, HIGH) >>> 0,
        digestLow: entries.get(slot, LOW) >>> 0,
        uid: entries.get(slot, UID),
        arrival: entries.get(slot, ARRIVAL) >>> 0,
      };
    }
  }

  #find(key: KeyMemory, high: number, low: number): boolean {
    const entries = this.#entries;
    const hash = this.#keyed.words(key.keyId, high, low);
    const index = this.#byDigest.shard(hash);
    for (let at = index.first(hash); at >= 0; at = index.next(hash, at)) {
      const slot = index.slotAt(at);
      const same = entries.get(slot, LOW) === low && entries.get(slot, HIGH) === high;
      if (same && entries.get(slot, KEY) === key.index) return true;
    }
    return false;
  }

  #addKey(keyId: number): KeyMemory {
    const index = this.#freeIndexes.pop() ?? this.#keyAt.length;
    const key: KeyMemory = { keyId, index, entries: new RecordList(), floor: 0 };
    this.#keyAt[index] = key;
    this.#keys.set(keyId, key);
    return key;
  }

  /** Drops a signature into the trace, which keeps its fact, and raises the floor. */
  #letGo(slot: number): void {
    const entries = this.#entries;
    const key = this.#keyAt[entries.get(slot, KEY)]!;
    const timestamp = entries.getLong(slot, TIMESTAMP);
    this.#mix(slot, key);
    this.trace.add(entries.get(slot, HIGH), entries.get(slot, LOW), timestamp);
    this.#drop(slot, key);
    if (timestamp > key.floor) this.#setFloor(key, timestamp);
  }

  #drop(slot: number, key: KeyMemory): void {
    const entries = this.#entries;
    const { keyId } = key;
    const hash = this.#keyed.words(keyId, entries.get(slot, HIGH), entries.get(slot, LOW));
    this.#byDigest.shard(hash).remove(hash, slot);
    entries.unlink(this.#all, slot, ALL);
    entries.unlink(key.entries, slot, OF_KEY);
    const uid = entries.get(slot, UID);
    const account = listOf(this.#accounts, uid);
    entries.unlink(account, slot, OF_ACCOUNT);
    if (account.count === 0) this.#accounts.delete(uid);
    entries.release(slot);
  }

  /** The floor of a key is a fact while it is above zero. */
  #setFloor(key: KeyMemory, floor: number): void {
    if (key.floor === floor) return;
    const mix = () => mixFact(this.#hash, Fact.signatureFloor, SIGNATURE_FLOOR, key);
    if (key.floor > 0) mix().remove();
    key.floor = floor;
    if (floor > 0) mix().add();
  }

  #mix(slot: number, { keyId }: KeyMemory): void {
    const entries = this.#entries;
    const hash = this.#hash;
    hash.begin(Fact.signature);
    hash.number(keyId);
    hash.number(entries.get(slot, HIGH) >>> 0);
    hash.number(entries.get(slot, LOW) >>> 0);
    hash.number(entries.getLong(slot, TIMESTAMP));
    hash.number(entries.get(slot, UID));
    hash.number(entries.get(slot, ARRIVAL) >>> 0);
  }
}

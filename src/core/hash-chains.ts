// An index from a 32-bit hash to slots of a store. Entries of one hash are a linked list, newest
// first, so thousands of them (one clOrdId for all orders) slow nothing down. The table grows by
// one bucket at a time, so no command waits while it doubles.

export const NONE = -1;

/** Slots and buckets a page. Nothing is copied when a page is added. */
const PAGE_BITS = 12;
const PAGE_MASK = (1 << PAGE_BITS) - 1;
const FIRST_BUCKETS = 64;

// An entry is four words. The newest of its hash, the head, is in the chain of its bucket.
const HASH = 0;
/** For a head: the next head of the bucket. */
const NEXT = 1;
/** For a head: the head before it in the bucket. For another entry: the next newer of its hash. */
const PREVIOUS = 2;
const OLDER = 3;
const WORD_BITS = 2;

/** In NEXT: this entry is not a head. */
const NO_HEAD = -2;

export class HashChains {
  readonly #pages: Int32Array[] = [];
  /** By bucket: its first head + 1, or 0. */
  readonly #buckets: Int32Array[] = [new Int32Array(1 << PAGE_BITS)];
  /** There are `base` + `split` buckets; those below `split` use one more bit of the hash. */
  #base = FIRST_BUCKETS;
  #split = 0;
  #heads = 0;

  /** The newest entry with this hash, or NONE. */
  first(hash: number): number {
    let slot = this.#headOf(this.#bucketOf(hash));
    while (slot !== NONE && this.#get(slot, HASH) !== hash) slot = this.#get(slot, NEXT);
    return slot;
  }

  older(slot: number): number {
    return this.#get(slot, OLDER);
  }

  /** How many entries `first` looks at. */
  stepsTo(hash: number): number {
    let steps = 1;
    let slot = this.#headOf(this.#bucketOf(hash));
    for (; slot !== NONE && this.#get(slot, HASH) !== hash; steps++) slot = this.#get(slot, NEXT);
    return steps;
  }

  add(hash: number, slot: number): void {
    const head = this.first(hash);
    const page = slot >>> PAGE_BITS;
    while (this.#pages.length <= page) {
      this.#pages.push(new Int32Array(1 << (PAGE_BITS + WORD_BITS)));
    }
    this.#set(slot, HASH, hash);
    this.#set(slot, OLDER, head);
    if (head === NONE) {
      this.#pushHead(this.#bucketOf(hash), slot);
      if (++this.#heads > this.#base + this.#split) this.#splitBucket();
      return;
    }
    this.#replaceHead(head, slot);
    this.#set(head, NEXT, NO_HEAD);
    this.#set(head, PREVIOUS, slot);
  }

  remove(slot: number): void {
    const older = this.#get(slot, OLDER);
    if (this.#get(slot, NEXT) === NO_HEAD) {
      const newer = this.#get(slot, PREVIOUS);
      this.#set(newer, OLDER, older);
      if (older !== NONE) this.#set(older, PREVIOUS, newer);
    } else if (older !== NONE) {
      this.#replaceHead(slot, older);
    } else {
      const next = this.#get(slot, NEXT);
      const previous = this.#get(slot, PREVIOUS);
      this.#link(this.#get(slot, HASH), previous, next);
      if (next !== NONE) this.#set(next, PREVIOUS, previous);
      this.#heads--;
    }
  }

  /** Puts `slot` where `head` is in the chain of their bucket. */
  #replaceHead(head: number, slot: number): void {
    const next = this.#get(head, NEXT);
    const previous = this.#get(head, PREVIOUS);
    this.#set(slot, NEXT, next);
    this.#set(slot, PREVIOUS, previous);
    this.#link(this.#get(head, HASH), previous, slot);
    if (next !== NONE) this.#set(next, PREVIOUS, slot);
  }

  /** Links `next` after `previous`, or as the first of its bucket where `previous` is NONE. */
  #link(hash: number, previous: number, next: number): void {
    if (previous === NONE) this.#setHead(this.#bucketOf(hash), next);
    else this.#set(previous, NEXT, next);
  }

  #pushHead(bucket: number, slot: number): void {
    const next = this.#headOf(bucket);
    this.#set(slot, NEXT, next);
    this.#set(slot, PREVIOUS, NONE);
    if (next !== NONE) this.#set(next, PREVIOUS, slot);
    this.#setHead(bucket, slot);
  }

  #splitBucket(): void {
    const from = this.#split;
    const to = from + this.#base;
    if (to >>> PAGE_BITS === this.#buckets.length) {
      this.#buckets.push(new Int32Array(1 << PAGE_BITS));
    }
    let slot = this.#headOf(from);
    this.#setHead(from, NONE);
    while (slot !== NONE) {
      const next = this.#get(slot, NEXT);
      this.#pushHead((this.#get(slot, HASH) & this.#base) === 0 ? from : to, slot);
      slot = next;
    }
    if (++this.#split < this.#base) return;
    this.#base *= 2;
    this.#split = 0;
  }

  #bucketOf(hash: number): number {
    const bucket = hash & (this.#base - 1);
    return bucket < this.#split ? hash & (2 * this.#base - 1) : bucket;
  }

  #headOf(bucket: number): number {
    return this.#buckets[bucket >>> PAGE_BITS][bucket & PAGE_MASK] - 1;
  }

  #setHead(bucket: number, slot: number): void {
    this.#buckets[bucket >>> PAGE_BITS][bucket & PAGE_MASK] = slot + 1;
  }

  #get(slot: number, field: number): number {
    return this.#pages[slot >>> PAGE_BITS][((slot & PAGE_MASK) << WORD_BITS) + field];
  }

  #set(slot: number, field: number, value: number): void {
    this.#pages[slot >>> PAGE_BITS][((slot & PAGE_MASK) << WORD_BITS) + field] = value;
  }
}

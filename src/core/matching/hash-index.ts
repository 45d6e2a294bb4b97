// An open-addressing index from a 32-bit hash to slots of a store: find orders by orderId without a
// JavaScript object per entry. Several slots may share a hash; the caller compares what it looks
// for.

const EMPTY = 0;
const INITIAL_WORDS = 128;

export class HashIndex {
  /** Two words an entry, side by side in memory: slot + 1 (or EMPTY), and the hash. */
  #table = new Int32Array(INITIAL_WORDS);
  /** The mask of positions, which are even. */
  #mask = (INITIAL_WORDS - 1) & ~1;
  #size = 0;

  /** The position of the first entry with this hash, or −1. Continue with `next`. */
  first(hash: number): number {
    return this.#seek(hash, (hash << 1) & this.#mask);
  }

  /** The position of the entry with this hash after `position`, or −1. */
  next(hash: number, position: number): number {
    return this.#seek(hash, (position + 2) & this.#mask);
  }

  #seek(hash: number, start: number): number {
    const table = this.#table;
    const mask = this.#mask;
    let position = start;
    while (table[position] !== EMPTY) {
      if (table[position + 1] === hash) return position;
      position = (position + 2) & mask;
    }
    return -1;
  }

  slotAt(position: number): number {
    return this.#table[position] - 1;
  }

  add(hash: number, slot: number): void {
    if (this.#size * 4 >= this.#table.length) this.#grow();
    this.#insert(hash, slot + 1);
    this.#size++;
  }

  #insert(hash: number, entry: number): void {
    const table = this.#table;
    const mask = this.#mask;
    let position = (hash << 1) & mask;
    while (table[position] !== EMPTY) position = (position + 2) & mask;
    table[position] = entry;
    table[position + 1] = hash;
  }

  #grow(): void {
    const table = this.#table;
    this.#table = new Int32Array(table.length * 2);
    this.#mask = (this.#table.length - 1) & ~1;
    for (let i = 0; i < table.length; i += 2) {
      if (table[i] !== EMPTY) this.#insert(table[i + 1], table[i]);
    }
  }

  /** Removes the entry of `slot`, which must exist. Later entries move up: no tombstone stays. */
  remove(hash: number, slot: number): void {
    const table = this.#table;
    const mask = this.#mask;
    const entry = slot + 1;
    let hole = (hash << 1) & mask;
    while (table[hole] !== entry) hole = (hole + 2) & mask;
    let position = hole;
    for (;;) {
      position = (position + 2) & mask;
      if (table[position] === EMPTY) break;
      const home = (table[position + 1] << 1) & mask;
      // Move it only if its home does not lie cyclically after the hole.
      const reachable =
        hole <= position ? home <= hole || home > position : home <= hole && home > position;
      if (!reachable) continue;
      table[hole] = table[position];
      table[hole + 1] = table[position + 1];
      hole = position;
    }
    table[hole] = EMPTY;
    this.#size--;
  }
}

/** Shards are named by the hash's upper bits; places within one by its lower bits. */
const SHARD_BITS = 6;

/** An index cut into 64, so that growing moves a small part of the entries at a time. */
export class ShardedHashIndex {
  readonly #shards = Array.from({ length: 1 << SHARD_BITS }, () => new HashIndex());

  shard(hash: number): HashIndex {
    return this.#shards[hash >>> (32 - SHARD_BITS)];
  }
}

/** A well-spread 32-bit hash of a natural number; which numbers meet depends on the seed. */
export function hashNumber(value: number, seed: number): number {
  let h = value > 0x7fffffff ? ((value % 4294967296) | 0) ^ ((value / 4294967296) | 0) : value | 0;
  h ^= seed;
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b);
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b);
  return h ^ (h >>> 16);
}

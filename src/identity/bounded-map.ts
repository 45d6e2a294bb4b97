// A map with a maximum size. A full map forgets the entry that was set longest ago, which is enough
// for memory that strangers can fill.

export class BoundedMap<K, V> {
  readonly #max: number;
  readonly #map = new Map<K, V>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#map.size;
  }

  has(key: K): boolean {
    return this.#map.has(key);
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  set(key: K, value: V): void {
    // Deleted first, so that the entry moves to the end of the order.
    this.#map.delete(key);
    const oldest = this.#map.size >= this.#max ? this.#map.keys().next() : undefined;
    if (oldest !== undefined && !oldest.done) this.#map.delete(oldest.value);
    this.#map.set(key, value);
  }

  delete(key: K): void {
    this.#map.delete(key);
  }

  /** Deletes entries from the oldest on, as long as the test holds. */
  deleteOldestWhile(test: (value: V) => boolean): void {
    for (const [key, value] of this.#map) {
      if (!test(value)) return;
      this.#map.delete(key);
    }
  }
}

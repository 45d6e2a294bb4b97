// A map with a maximum size. A full map forgets the entry that was set longest ago, which is enough
// for memory that strangers can fill.

export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: K, value: V): this {
    // Deleted first, so that the entry moves to the end of the order.
    this.delete(key);
    const oldest = this.size >= this.#max ? this.keys().next() : undefined;
    if (oldest !== undefined && !oldest.done) this.delete(oldest.value);
    return super.set(key, value);
  }

  /** Deletes entries from the oldest on, as long as the test holds. */
  deleteOldestWhile(test: (value: V) => boolean): void {
    for (const [key, value] of this) {
      if (!test(value)) return;
      this.delete(key);
    }
  }
}

// Numbers (uids, order ids) in order of a key such as a time, and of one key in their own order. A
// binary heap, of which any can be removed.

export class IndexedHeap {
  /** Each before those at twice its place plus one and two. */
  readonly #ids: number[] = [];
  readonly #keys: number[] = [];
  readonly #places = new Map<number, number>();

  get size(): number {
    return this.#ids.length;
  }

  /** The first one, which exists. */
  get first(): number {
    return this.#ids[0];
  }

  /** The smallest key; Infinity without any. */
  get firstKey(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.#keys[0];
  }

  keyOf(id: number): number | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#keys[place];
  }

  has(id: number): boolean {
    return this.#places.has(id);
  }

  /** In their order. */
  all(): number[] {
    const places = this.#ids
      .map((_, place) => place)
      .sort((a, b) => (this.#isBefore(a, b) ? -1 : 1));
    return places.map((place) => this.#ids[place]);
  }

  add(id: number, key: number): void {
    this.#raise(id, key, this.size);
  }

  /** Removes one that is there; false where it is not. */
  remove(id: number): boolean {
    const place = this.#places.get(id);
    if (place === undefined) return false;
    this.#places.delete(id);
    const [last, key] = [this.#ids.pop()!, this.#keys.pop()!];
    if (last === id) return true;
    this.#raise(last, key, place);
    this.#lower(last, key, this.#places.get(last)!);
    return true;
  }

  #isBefore(a: number, b: number): boolean {
    return isBefore(this.#ids[a], this.#keys[a], this.#ids[b], this.#keys[b]);
  }

  #put(id: number, key: number, place: number): void {
    this.#ids[place] = id;
    this.#keys[place] = key;
    this.#places.set(id, place);
  }

  #raise(id: number, key: number, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if (!isBefore(id, key, this.#ids[above], this.#keys[above])) break;
      this.#put(this.#ids[above], this.#keys[above], place);
      place = above;
    }
    this.#put(id, key, place);
  }

  #lower(id: number, key: number, from: number): void {
    let place = from;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= this.size) break;
      if (below + 1 < this.size && this.#isBefore(below + 1, below)) below++;
      if (!isBefore(this.#ids[below], this.#keys[below], id, key)) break;
      this.#put(this.#ids[below], this.#keys[below], place);
      place = below;
    }
    this.#put(id, key, place);
  }
}

const isBefore = (a: number, aKey: number, b: number, bKey: number): boolean =>
  aKey < bKey || (aKey === bKey && a < b);

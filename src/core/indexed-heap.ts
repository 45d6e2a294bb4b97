// A binary heap of distinct numbers (slots, uids), of which any can be removed.

export class IndexedHeap {
  readonly #isBefore: (a: number, b: number) => boolean;
  /** Each before those at twice its place plus one and two. */
  readonly #heap: number[] = [];
  readonly #places = new Map<number, number>();

  constructor(isBefore: (a: number, b: number) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#heap.length;
  }

  /** The first one, which exists. */
  get first(): number {
    return this.#heap[0];
  }

  add(one: number): void {
    this.#raise(one, this.#heap.push(one) - 1);
  }

  remove(one: number): void {
    const place = this.#places.get(one)!;
    this.#places.delete(one);
    const last = this.#heap.pop()!;
    if (last === one) return;
    this.#put(last, place);
    this.#raise(last, place);
    this.#lower(last, this.#places.get(last)!);
  }

  has(one: number): boolean {
    return this.#places.has(one);
  }

  #put(one: number, place: number): void {
    this.#heap[place] = one;
    this.#places.set(one, place);
  }

  #raise(one: number, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      const other = this.#heap[above];
      if (!this.#isBefore(one, other)) break;
      this.#put(other, place);
      place = above;
    }
    this.#put(one, place);
  }

  #lower(one: number, from: number): void {
    const heap = this.#heap;
    let place = from;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && this.#isBefore(heap[below + 1], heap[below])) below++;
      if (!this.#isBefore(heap[below], one)) break;
      this.#put(heap[below], place);
      place = below;
    }
    this.#put(one, place);
  }
}

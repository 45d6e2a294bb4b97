// The open orders of an instrument that expire, as a heap: the earliest first, and of one time the
// oldest. They leave the book before any later order of the instrument is matched.
import type { OrderStore } from './order-store.ts';

export class Expiries {
  readonly #orders: OrderStore;
  /** The slots, each before those at twice its place plus one and two. */
  readonly #heap: number[] = [];
  /** By slot: its place in the heap. */
  readonly #places = new Map<number, number>();

  constructor(orders: OrderStore) {
    this.#orders = orders;
  }

  get size(): number {
    return this.#heap.length;
  }

  /** The slot of the order that expires next, which exists. */
  get first(): number {
    return this.#heap[0];
  }

  /** The time before which nothing expires; Infinity without an order. */
  get earliest(): number {
    return this.#heap.length === 0 ? Number.POSITIVE_INFINITY : this.#timeOf(this.#heap[0]);
  }

  add(slot: number): void {
    this.#raise(slot, this.#heap.push(slot) - 1);
  }

  remove(slot: number): void {
    const place = this.#places.get(slot)!;
    this.#places.delete(slot);
    const last = this.#heap.pop()!;
    if (last === slot) return;
    this.#put(last, place);
    this.#raise(last, place);
    this.#lower(last, this.#places.get(last)!);
  }

  has(slot: number): boolean {
    return this.#places.has(slot);
  }

  #timeOf(slot: number): number {
    return this.#orders.details(slot)!.expireTime;
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#timeOf(a) - this.#timeOf(b);
    return (
      difference < 0 || (difference === 0 && this.#orders.orderId(a) < this.#orders.orderId(b))
    );
  }

  #put(slot: number, place: number): void {
    this.#heap[place] = slot;
    this.#places.set(slot, place);
  }

  #raise(slot: number, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >>> 1;
      const other = this.#heap[above];
      if (!this.#isBefore(slot, other)) break;
      this.#put(other, place);
      place = above;
    }
    this.#put(slot, place);
  }

  #lower(slot: number, from: number): void {
    const heap = this.#heap;
    let place = from;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && this.#isBefore(heap[below + 1], heap[below])) below++;
      if (!this.#isBefore(heap[below], slot)) break;
      this.#put(heap[below], place);
      place = below;
    }
    this.#put(slot, place);
  }
}

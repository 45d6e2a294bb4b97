// The open orders of an instrument that expire, as a heap: the earliest first, and of one time the
// oldest. They leave the book before any later order of the instrument is matched.
import { IndexedHeap } from '../indexed-heap.ts';
import type { OrderStore } from './order-store.ts';

export class Expiries {
  readonly #orders: OrderStore;
  /** The slots. */
  readonly #heap: IndexedHeap;

  constructor(orders: OrderStore) {
    this.#orders = orders;
    this.#heap = new IndexedHeap((a, b) => {
      const difference = this.#timeOf(a) - this.#timeOf(b);
      return difference < 0 || (difference === 0 && orders.orderId(a) < orders.orderId(b));
    });
  }

  get size(): number {
    return this.#heap.size;
  }

  /** The slot of the order that expires next, which exists. */
  get first(): number {
    return this.#heap.first;
  }

  /** The time before which nothing expires; Infinity without an order. */
  get earliest(): number {
    return this.#heap.size === 0 ? Number.POSITIVE_INFINITY : this.#timeOf(this.#heap.first);
  }

  add(slot: number): void {
    this.#heap.add(slot);
  }

  remove(slot: number): void {
    this.#heap.remove(slot);
  }

  has(slot: number): boolean {
    return this.#heap.has(slot);
  }

  #timeOf(slot: number): number {
    return this.#orders.details(slot)!.expireTime;
  }
}

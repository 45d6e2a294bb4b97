// Queues of waiting stops: those of one trigger and direction, in order of priority. A queue that a
// price has reached leaves its ladder for the due queue (due.ts) as a whole.
import type { TriggerPriceDirection } from '../fix.ts';
import { NONE, type OrderStore } from '../matching/order-store.ts';
import type { PriceLadder } from '../matching/price-ladder.ts';
import type { Ticks } from '../units.ts';

export interface StopQueue {
  /** The price that triggers its stops. */
  readonly stopPx: Ticks;
  readonly direction: TriggerPriceDirection;
  /** null: the queue is due. */
  ladder: PriceLadder | null;
  first: number;
  last: number;
  count: number;
}

export class StopQueues {
  protected readonly orders: OrderStore;
  /** By the level of their orders; handles are reused. */
  readonly #queues: (StopQueue | null)[] = [];
  readonly #free: number[] = [];

  constructor(orders: OrderStore) {
    this.orders = orders;
  }

  queue(level: number): StopQueue {
    return this.#queues[level]!;
  }

  /** A new empty queue. Returns its level. */
  open(stopPx: Ticks, direction: TriggerPriceDirection, ladder: PriceLadder | null = null): number {
    const level = this.#free.pop() ?? this.#queues.length;
    this.#queues[level] = { stopPx, direction, ladder, first: NONE, last: NONE, count: 0 };
    if (ladder !== null) ladder.insert(stopPx, level);
    return level;
  }

  /** Puts a stop at the end of a queue. */
  append(level: number, slot: number): void {
    const { orders } = this;
    const queue = this.queue(level);
    orders.setLevel(slot, level);
    orders.setPrevious(slot, queue.last);
    orders.setNext(slot, NONE);
    if (queue.last === NONE) queue.first = slot;
    else orders.setNext(queue.last, slot);
    queue.last = slot;
    queue.count++;
  }

  /** Takes a stop out of its queue, and an empty queue out of its ladder. True: it was the last. */
  unlink(level: number, slot: number): boolean {
    const { orders } = this;
    const queue = this.queue(level);
    const previous = orders.previous(slot);
    const next = orders.next(slot);
    if (previous === NONE) queue.first = next;
    else orders.setNext(previous, next);
    if (next === NONE) queue.last = previous;
    else orders.setPrevious(next, previous);
    queue.count--;
    if (queue.count > 0 || queue.ladder === null) return false;
    queue.ladder.remove(queue.stopPx);
    this.release(level);
    return true;
  }

  /** Forgets a queue that is in no ladder. */
  release(level: number): void {
    this.#queues[level] = null;
    this.#free.push(level);
  }
}

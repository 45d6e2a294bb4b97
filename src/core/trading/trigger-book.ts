// The stops of one instrument that wait for their triggers: two ladders of stopPx, each price a
// queue in order of priority. The queues that the last price has reached leave their ladder for the
// due queue (due.ts) together, so that a trade does no work per stop.
import { Side, TriggerPriceDirection } from '../fix.ts';
import { NONE, type OrderStore } from '../matching/order-store.ts';
import { PriceLadder } from '../matching/price-ladder.ts';
import { type Ticks, ticks } from '../units.ts';

/** The stops of one price and direction, in a ladder or due. */
export interface StopQueue {
  readonly stopPx: Ticks;
  readonly direction: TriggerPriceDirection;
  first: number;
  last: number;
  count: number;
}

export class TriggerBook {
  readonly #orders: OrderStore;
  readonly #up = new PriceLadder(Side.sell);
  readonly #down = new PriceLadder(Side.buy);
  /** By the level of their orders; handles are reused. */
  readonly #queues: (StopQueue | null)[] = [];
  readonly #free: number[] = [];
  /** The nearest stopPx in each direction: the last price has to reach it. */
  lowestUp = Number.POSITIVE_INFINITY;
  highestDown = 0;

  constructor(orders: OrderStore) {
    this.#orders = orders;
  }

  ladder(direction: TriggerPriceDirection): PriceLadder {
    return direction === TriggerPriceDirection.up ? this.#up : this.#down;
  }

  queue(level: number): StopQueue {
    return this.#queues[level]!;
  }

  /** True if a waiting stop has been triggered and waits for its turn. */
  isDue(slot: number): boolean {
    const level = this.#orders.level(slot);
    return !this.#isInLadder(level, this.queue(level));
  }

  #isInLadder(level: number, { direction, stopPx }: StopQueue): boolean {
    return this.ladder(direction).find(stopPx) === level;
  }

  /** Puts a stop at the end of the queue of its stopPx. */
  add(slot: number): void {
    const { stopPx, triggerPriceDirection: direction } = this.#orders.details(slot)!;
    const ladder = this.ladder(direction);
    let level = ladder.find(stopPx);
    if (level === NONE) {
      level = this.open(stopPx, direction);
      ladder.insert(stopPx, level);
      this.#noteNearest();
    }
    this.append(level, slot);
  }

  /** Puts a stop at the end of a queue, also of one that is due (snapshot.ts). */
  append(level: number, slot: number): void {
    const orders = this.#orders;
    const queue = this.queue(level);
    orders.setLevel(slot, level);
    orders.setPrevious(slot, queue.last);
    orders.setNext(slot, NONE);
    if (queue.last === NONE) queue.first = slot;
    else orders.setNext(queue.last, slot);
    queue.last = slot;
    queue.count++;
  }

  /** Takes a stop out of its queue, and an empty queue out of its ladder. */
  remove(slot: number): void {
    const orders = this.#orders;
    const level = orders.level(slot);
    const queue = this.queue(level);
    const previous = orders.previous(slot);
    const next = orders.next(slot);
    if (previous === NONE) queue.first = next;
    else orders.setNext(previous, next);
    if (next === NONE) queue.last = previous;
    else orders.setPrevious(next, previous);
    queue.count--;
    if (queue.count > 0 || !this.#isInLadder(level, queue)) return;
    this.ladder(queue.direction).remove(queue.stopPx);
    this.release(level);
    this.#noteNearest();
  }

  /** Takes the queues that `price` reaches out of their ladder, the nearest first. */
  takeReached(direction: TriggerPriceDirection, price: Ticks): number[] {
    const levels = this.ladder(direction).takeThrough(price);
    this.#noteNearest();
    return levels;
  }

  /** Forgets an empty queue that is in no ladder. */
  release(level: number): void {
    this.#queues[level] = null;
    this.#free.push(level);
  }

  /** A new empty queue outside the ladders. Returns its level. */
  open(stopPx: Ticks, direction: TriggerPriceDirection): number {
    const level = this.#free.pop() ?? this.#queues.length;
    this.#queues[level] = { stopPx, direction, first: NONE, last: NONE, count: 0 };
    return level;
  }

  #noteNearest(): void {
    const up = this.#up.best();
    const down = this.#down.best();
    this.lowestUp = up === NONE ? Number.POSITIVE_INFINITY : this.queue(up).stopPx;
    this.highestDown = down === NONE ? ticks(0) : this.queue(down).stopPx;
  }
}

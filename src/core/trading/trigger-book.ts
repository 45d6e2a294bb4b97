// The stops of one instrument that wait for their triggers: ladders of stopPx, each price a queue
// in order of priority, and the stops that trail the price. The stops that the last price reaches
// leave in steps of O(log n): a queue as a whole, a trailing stop alone.
import { Side, TriggerPriceDirection } from '../fix.ts';
import { NONE, type OrderStore } from '../matching/order-store.ts';
import { PriceLadder } from '../matching/price-ladder.ts';
import { isReached } from '../order-rules.ts';
import type { StateHash } from '../state-hash.ts';
import { type Ticks, ticks } from '../units.ts';
import { StopQueues } from './stop-queues.ts';
import { TrailingStops } from './trailing-stops.ts';

/** Upward comes before downward. */
export const DIRECTIONS = [TriggerPriceDirection.up, TriggerPriceDirection.down] as const;

/** The stops that wait in one direction. */
interface Waiting {
  readonly stops: PriceLadder;
  /** Trailing stops before they begin to trail, by stopPx. */
  readonly beginning: PriceLadder;
  readonly trailing: TrailingStops;
}

export class TriggerBook extends StopQueues {
  readonly #up: Waiting;
  readonly #down: Waiting;
  /** The nearest price in each direction that triggers a stop or moves a trigger. */
  lowestUp = Number.POSITIVE_INFINITY;
  highestDown = 0;

  constructor(orders: OrderStore, hash: StateHash, securityId: number) {
    super(orders);
    const waiting = (direction: TriggerPriceDirection, side: Side): Waiting => ({
      stops: new PriceLadder(side),
      beginning: new PriceLadder(side),
      trailing: new TrailingStops(orders, hash, securityId, direction),
    });
    this.#up = waiting(TriggerPriceDirection.up, Side.sell);
    this.#down = waiting(TriggerPriceDirection.down, Side.buy);
  }

  of(direction: TriggerPriceDirection): Waiting {
    return direction === TriggerPriceDirection.up ? this.#up : this.#down;
  }

  /** The stops of this side that trail: a sale is triggered downward. */
  trailingOf(side: Side): TrailingStops {
    return side === Side.buy ? this.#up.trailing : this.#down.trailing;
  }

  /** True if a waiting stop has been triggered and waits for its turn. */
  isDue(slot: number): boolean {
    return !this.isTrailing(slot) && this.queue(this.orders.level(slot)).ladder === null;
  }

  isTrailing(slot: number): boolean {
    const details = this.orders.details(slot);
    if (details === null || details.working || this.orders.level(slot) === NONE) return false;
    return details.trailingTime !== 0 && details.triggerPx === 0;
  }

  /** Puts a stop at the end of the queue of its stopPx. */
  add(slot: number): void {
    const { stopPx, triggerPriceDirection: direction, trail } = this.orders.extras(slot);
    const { stops, beginning } = this.of(direction);
    const ladder = trail === 0 ? stops : beginning;
    const level = ladder.find(stopPx);
    this.append(level === NONE ? this.open(stopPx, direction, ladder) : level, slot);
    if (level === NONE) this.noteNearest();
  }

  /** A stop begins to trail from the last price. */
  trail(slot: number, lastPrice: Ticks): void {
    this.trailingOf(this.orders.side(slot)).begin(slot, lastPrice);
    this.noteNearest();
  }

  /** Takes a stop out of its queue, and an empty queue out of its ladder. */
  remove(slot: number): void {
    if (this.isTrailing(slot)) this.trailingOf(this.orders.side(slot)).remove(slot);
    else if (!this.unlink(this.orders.level(slot), slot)) return;
    this.noteNearest();
  }

  /** Takes the first stop that begins to trail at `price`; NONE: there is none. */
  takeBeginning(direction: TriggerPriceDirection, price: Ticks): number {
    const { beginning } = this.of(direction);
    const level = this.#reachedLevel(beginning, price);
    if (level === NONE) return NONE;
    const slot = this.queue(level).first;
    this.unlink(level, slot);
    return slot;
  }

  /** True if `price` reaches a stop. */
  reaches(direction: TriggerPriceDirection, price: Ticks): boolean {
    const { stops, trailing } = this.of(direction);
    const isTrailing = signOf(direction) * trailing.nearest <= signOf(direction) * price;
    return isTrailing || this.#reachedLevel(stops, price) !== NONE;
  }

  /** Takes the nearest queue that `price` reaches before a trailing stop; NONE: there is none. */
  takeReached(direction: TriggerPriceDirection, price: Ticks): number {
    const { stops, trailing } = this.of(direction);
    const level = this.#reachedLevel(stops, price);
    if (level === NONE) return NONE;
    const queue = this.queue(level);
    const sign = signOf(direction);
    if (sign * trailing.nearest < sign * queue.stopPx) return NONE;
    stops.remove(queue.stopPx);
    queue.ladder = null;
    return level;
  }

  /** The best level of a ladder, if `price` reaches it; else NONE. */
  #reachedLevel(ladder: PriceLadder, price: Ticks): number {
    const level = ladder.best();
    if (level === NONE) return NONE;
    const { stopPx, direction } = this.queue(level);
    const isUp = direction === TriggerPriceDirection.up;
    return isReached(price, stopPx, isUp) ? level : NONE;
  }

  noteNearest(): void {
    const [up, down] = [this.#up, this.#down];
    const nearest = (ladder: PriceLadder, none: number): number =>
      ladder.size === 0 ? none : this.queue(ladder.best()).stopPx;
    this.lowestUp = Math.min(
      nearest(up.stops, Number.POSITIVE_INFINITY),
      nearest(up.beginning, Number.POSITIVE_INFINITY),
      up.trailing.nearest,
      down.trailing.nextBest,
    );
    this.highestDown = Math.max(
      nearest(down.stops, ticks(0)),
      nearest(down.beginning, ticks(0)),
      down.trailing.nearest,
      up.trailing.nextBest,
    );
  }
}

const signOf = (direction: TriggerPriceDirection): number =>
  direction === TriggerPriceDirection.up ? 1 : -1;

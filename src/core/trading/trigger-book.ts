// The stops of one instrument that wait for their triggers: ladders of stopPx, each price a queue
// in order of priority, and the stops that trail the price. The queues that the last price reaches
// leave their ladder for the due queue (due.ts) together, so that a trade does no work per stop.
// Trailing stops move one by one, once when they begin to trail and once when they are triggered.
import { Side, TriggerPriceDirection } from '../fix.ts';
import { NONE, type OrderStore } from '../matching/order-store.ts';
import { PriceLadder } from '../matching/price-ladder.ts';
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

  constructor(orders: OrderStore) {
    super(orders);
    const waiting = (direction: TriggerPriceDirection, side: Side): Waiting => ({
      stops: new PriceLadder(side),
      beginning: new PriceLadder(side),
      trailing: new TrailingStops(orders, this, direction),
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
    const level = this.orders.level(slot);
    return level !== NONE && this.queue(level).ladder === null;
  }

  isTrailing(slot: number): boolean {
    return this.orders.isWaiting(slot) && this.orders.level(slot) === NONE;
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
    const level = this.orders.level(slot);
    if (level === NONE) {
      this.trailingOf(this.orders.side(slot)).remove(slot);
      this.orders.setLevel(slot, 0);
    } else if (!this.unlink(level, slot)) return;
    this.noteNearest();
  }

  /** The stops that begin to trail at `price`, the nearest stopPx first, now in no queue. */
  takeBeginning(direction: TriggerPriceDirection, price: Ticks): number[] {
    const slots: number[] = [];
    for (const level of this.of(direction).beginning.takeThrough(price)) {
      slots.push(...this.#slotsOf(level));
      this.release(level);
    }
    return slots;
  }

  /**
   * Takes the queues that `price` reaches out of their ladder, the nearest first. Trailing stops
   * come after the others of their price; `each` receives them in order before they are queued.
   */
  takeReached(
    direction: TriggerPriceDirection,
    price: Ticks,
    each: (slot: number, triggerPx: Ticks) => void,
  ): number[] {
    const { stops, trailing } = this.of(direction);
    const levels = stops.takeThrough(price);
    for (const level of levels) this.queue(level).ladder = null;
    const reached = trailing.takeReached(price);
    if (reached.length === 0) return levels;
    const sign = direction === TriggerPriceDirection.up ? 1 : -1;
    const { orders } = this;
    const slots = reached.flatMap(({ triggerPx, level }) => {
      const all = this.#slotsOf(level).map((slot) => ({ slot, triggerPx }));
      this.release(level);
      return all;
    });
    slots.sort(
      (a, b) =>
        sign * (a.triggerPx - b.triggerPx) || orders.priority(a.slot) - orders.priority(b.slot),
    );
    const byPrice = new Map(levels.map((level) => [this.queue(level).stopPx, level]));
    for (const { slot, triggerPx } of slots) {
      const level = byPrice.get(triggerPx) ?? this.open(triggerPx, direction);
      byPrice.set(triggerPx, level);
      each(slot, triggerPx);
      this.append(level, slot);
    }
    return [...byPrice].sort(([a], [b]) => sign * (a - b)).map(([, level]) => level);
  }

  #slotsOf(level: number): number[] {
    const slots: number[] = [];
    const { orders } = this;
    for (let slot = this.queue(level).first; slot !== NONE; slot = orders.next(slot)) {
      slots.push(slot);
    }
    return slots;
  }

  /** The queues of stops that wait: the nearest first, then those that are to trail or trail. */
  visit(visit: (level: number) => boolean): void {
    let goesOn = true;
    const visitLadder = (ladder: PriceLadder): void => {
      if (goesOn) ladder.fromBest((level) => (goesOn = visit(level)));
    };
    for (const direction of DIRECTIONS) visitLadder(this.of(direction).stops);
    for (const direction of DIRECTIONS) visitLadder(this.of(direction).beginning);
    for (const direction of DIRECTIONS) {
      if (goesOn) goesOn = this.of(direction).trailing.visit(visit);
    }
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

// The stops of one instrument that trail the price in one direction. One that sells trails the
// highest price since it began, one that buys the lowest; its trigger moves with this best price.
//
// A stop that began later never has a better best price than an earlier one. So in the order in
// which they began, the stops form segments of one best price each, the best first, and a price
// that is better than that of the last segments makes them one. Each segment began with a stop, so
// a new best price costs O(1) amortized, and the smaller segment joins the larger.
// In a segment, equal distances share a queue, and the smallest distance is triggered first. A heap
// of the segments by their nearest trigger finds what a price reaches: O(log n) for each queue.
// Thus no trade does work for stops that it does not reach, and nothing is kept per stop that a
// price moves: its trigger follows from its place (`priority`) and its distance.
import { integer, price, record, type ValueOf } from '../codec.ts';
import { Side, TriggerPriceDirection } from '../fix.ts';
import { IndexedHeap } from '../indexed-heap.ts';
import { NONE, type OrderStore } from '../matching/order-store.ts';
import { PriceLadder } from '../matching/price-ladder.ts';
import { trailingTrigger } from '../order-rules.ts';
import { type Ticks, ticks } from '../units.ts';
import type { StopQueues } from './stop-queues.ts';

/** A segment in a snapshot and in the state hash. */
export const TRAIL_SEGMENT = record({
  /** The best price since its stops began. */
  best: price,
  /** The priority of the first stop that began in it. Stops of the next one have higher ones. */
  first: integer,
});

interface Segment extends Pick<ValueOf<typeof TRAIL_SEGMENT>, 'first'> {
  best: Ticks;
  /** Queues by distance, the smallest first: in basis points, and in ticks. */
  byShare: PriceLadder;
  byTicks: PriceLadder;
}

/** The first run of a ladder: most segments have few distances. */
const FEW = 4;

const newLadder = (): PriceLadder => new PriceLadder(Side.sell, FEW);

/** A queue that a price has reached. */
interface ReachedQueue {
  readonly triggerPx: Ticks;
  readonly level: number;
}

export class TrailingStops {
  readonly #orders: OrderStore;
  readonly #queues: StopQueues;
  readonly direction: TriggerPriceDirection;
  readonly #isUp: boolean;
  /** 1 upward, −1 downward: times it, the trigger that is reached first is the least. */
  readonly #sign: number;
  /** By handle. */
  readonly #segments: (Segment | null)[] = [];
  readonly #free: number[] = [];
  /** The handles in the order in which the segments began. */
  readonly #inOrder: number[] = [];
  /** The handles by their nearest trigger. */
  readonly #byTrigger = new IndexedHeap();

  constructor(orders: OrderStore, queues: StopQueues, direction: TriggerPriceDirection) {
    this.#orders = orders;
    this.#queues = queues;
    this.direction = direction;
    this.#isUp = direction === TriggerPriceDirection.up;
    this.#sign = this.#isUp ? 1 : -1;
  }

  /** The segments in the order in which they began. */
  get segments(): readonly Segment[] {
    return this.#inOrder.map((handle) => this.#segment(handle));
  }

  /** The nearest trigger; without one, what no price reaches. */
  get nearest(): number {
    return this.#sign * this.#byTrigger.firstKey;
  }

  /** The next price, against the direction, that moves triggers. */
  get nextBest(): number {
    const last = this.#inOrder.at(-1);
    const best = last === undefined ? this.#sign * -Infinity : this.#segment(last).best;
    return best - this.#sign;
  }

  /** The present trigger of a stop; 0: no price reaches it. */
  triggerOf(slot: number): Ticks {
    const { extras, priority } = this.#orders.details(slot)!;
    const { trail } = extras;
    const trigger = this.#trigger(this.#segmentOf(priority).best, trail);
    return ticks(trigger === Number.POSITIVE_INFINITY ? 0 : trigger);
  }

  /** A stop begins to trail from the last price; it has the highest priority number so far. */
  begin(slot: number, lastPrice: Ticks): void {
    const last = this.#inOrder.at(-1);
    if (last === undefined || this.#segment(last).best !== lastPrice) {
      this.restore(lastPrice, this.#orders.details(slot)!.priority);
    }
    this.add(slot);
  }

  /** The next segment of a snapshot, whose stops `add` brings. */
  restore(best: Ticks, first: number): void {
    const handle = this.#free.pop() ?? this.#segments.length;
    this.#segments[handle] = { best, first, byShare: newLadder(), byTicks: newLadder() };
    this.#inOrder.push(handle);
    this.#byTrigger.add(handle, Number.POSITIVE_INFINITY);
  }

  /** Puts a stop into the segment in which it began. */
  add(slot: number): void {
    const { extras, priority } = this.#orders.details(slot)!;
    const { trail } = extras;
    const place = this.#placeOf(priority);
    const segment = this.#segment(this.#inOrder[place]);
    const ladder = ladderOf(segment, trail);
    const distance = ticks(Math.abs(trail));
    const level = ladder.find(distance);
    this.#queues.append(
      level === NONE ? this.#queues.open(distance, this.direction, ladder) : level,
      slot,
    );
    // The level of its segment may become another one at any trade.
    this.#orders.setLevel(slot, NONE);
    if (level === NONE) this.#update(this.#inOrder[place]);
  }

  remove(slot: number): void {
    const { extras, priority } = this.#orders.details(slot)!;
    const { trail } = extras;
    const place = this.#placeOf(priority);
    const handle = this.#inOrder[place];
    const level = ladderOf(this.#segment(handle), trail).find(ticks(Math.abs(trail)));
    if (this.#queues.unlink(level, slot)) this.#updateOrDrop(handle);
  }

  /** A price that may be better than those so far. */
  noteBest(lastPrice: Ticks): void {
    let into: number | undefined;
    for (let last = this.#inOrder.at(-1); last !== undefined; last = this.#inOrder.at(-1)) {
      const { best } = this.#segment(last);
      if (this.#sign * best < this.#sign * lastPrice) break;
      if (into === undefined && best === lastPrice) return;
      this.#inOrder.pop();
      if (into !== undefined) this.#merge(last, into);
      into = last;
    }
    if (into === undefined) return;
    this.#inOrder.push(into);
    this.#segment(into).best = lastPrice;
    this.#update(into);
  }

  /** Takes the queues whose trigger a price has reached, in any order. */
  takeReached(lastPrice: Ticks): ReachedQueue[] {
    const reached: ReachedQueue[] = [];
    while (this.#isReached(this.nearest, lastPrice)) {
      const handle = this.#byTrigger.first;
      const segment = this.#segment(handle);
      for (const ladder of [segment.byShare, segment.byTicks]) {
        for (let level = ladder.best(); level !== NONE; level = ladder.best()) {
          const { stopPx: distance } = this.#queues.queue(level);
          const trail = ladder === segment.byShare ? distance : -distance;
          const triggerPx = ticks(this.#trigger(segment.best, trail));
          if (!this.#isReached(triggerPx, lastPrice)) break;
          ladder.remove(distance);
          reached.push({ triggerPx, level });
        }
      }
      this.#updateOrDrop(handle);
    }
    return reached;
  }

  /** All queues, in the order in which their segments began, the smallest distance first. */
  visit(visit: (level: number) => boolean): boolean {
    let goesOn = true;
    for (const handle of this.#inOrder) {
      const { byShare, byTicks } = this.#segment(handle);
      for (const ladder of [byShare, byTicks]) {
        if (goesOn) ladder.fromBest((level) => (goesOn = visit(level)));
      }
      if (!goesOn) return false;
    }
    return true;
  }

  #segment(handle: number): Segment {
    return this.#segments[handle]!;
  }

  #trigger(best: Ticks, trail: number): number {
    return trailingTrigger(best, trail, this.#isUp);
  }

  #isReached(triggerPx: number, lastPrice: Ticks): boolean {
    return this.#sign * triggerPx <= this.#sign * lastPrice;
  }

  #segmentOf(priority: number): Segment {
    return this.#segment(this.#inOrder[this.#placeOf(priority)]);
  }

  /** The last place whose first priority is not above this one. */
  #placeOf(priority: number): number {
    let low = 0;
    let high = this.#inOrder.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#segment(this.#inOrder[middle]).first <= priority) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Notes the nearest trigger of a segment. */
  #update(handle: number): void {
    const segment = this.#segment(handle);
    let nearest = Number.POSITIVE_INFINITY;
    for (const ladder of [segment.byShare, segment.byTicks]) {
      if (ladder.size === 0) continue;
      const { stopPx: distance } = this.#queues.queue(ladder.best());
      const trail = ladder === segment.byShare ? distance : -distance;
      nearest = Math.min(nearest, this.#sign * this.#trigger(segment.best, trail));
    }
    this.#byTrigger.remove(handle);
    this.#byTrigger.add(handle, nearest);
  }

  #updateOrDrop(handle: number): void {
    const { byShare, byTicks, first } = this.#segment(handle);
    if (byShare.size + byTicks.size > 0) {
      this.#update(handle);
      return;
    }
    this.#inOrder.splice(this.#placeOf(first), 1);
    this.#drop(handle);
  }

  #drop(handle: number): void {
    this.#byTrigger.remove(handle);
    this.#segments[handle] = null;
    this.#free.push(handle);
  }

  /** Puts the stops of a segment behind those of the one before it. */
  #merge(earlier: number, later: number): void {
    const into = this.#segment(earlier);
    const from = this.#segment(later);
    into.byShare = this.#joined(into.byShare, from.byShare);
    into.byTicks = this.#joined(into.byTicks, from.byTicks);
    this.#drop(later);
  }

  /** The larger of two ladders with the queues of both. */
  #joined(earlier: PriceLadder, later: PriceLadder): PriceLadder {
    const [large, small] = earlier.size >= later.size ? [earlier, later] : [later, earlier];
    small.fromBest((level, distance) => {
      const other = large.find(distance);
      if (other === NONE) {
        large.insert(distance, level);
        this.#queues.queue(level).ladder = large;
      } else {
        const isEarlier = large === earlier;
        this.#join(other, isEarlier ? other : level, isEarlier ? level : other);
        this.#queues.release(level);
      }
      return true;
    });
    return large;
  }

  /** Makes a queue one of two, of which the stops of `earlier` come first. */
  #join(level: number, earlier: number, later: number): void {
    const [a, b] = [this.#queues.queue(earlier), this.#queues.queue(later)];
    this.#orders.setNext(a.last, b.first);
    this.#orders.setPrevious(b.first, a.last);
    const joined = { first: a.first, last: b.last, count: a.count + b.count };
    Object.assign(this.#queues.queue(level), joined);
  }
}

const ladderOf = ({ byShare, byTicks }: Segment, trail: number): PriceLadder =>
  trail > 0 ? byShare : byTicks;

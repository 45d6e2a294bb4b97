// The stops of one instrument that trail the price in one direction. One that sells trails the
// highest price since it began, one that buys the lowest; its trigger moves with this best price.
//
// A stop that began later never has a better best price than an earlier one. So in the order in
// which they began, the stops form segments of one best price each, the best first, and a price
// that is better than that of the last segments makes them one. Each segment began with a stop, so
// a new best price costs O(1) amortized.
// In a segment, the smallest distance is triggered first: its stops are two heaps by distance, in
// basis points and in ticks. Segments become one by joining their heaps. A heap of the segments by
// their nearest trigger finds what a price reaches. Each step is O(log n), and the caller decides
// how many steps it does (reached.ts).
// Nothing is kept per stop that a price moves: its trigger follows from its place (`priority`) and
// its distance.
import { code, integer, mixFact, price, record, type ValueOf } from '../codec.ts';
import { Side, TriggerPriceDirection } from '../fix.ts';
import { IndexedHeap } from '../indexed-heap.ts';
import { NONE, type OrderStore } from '../matching/order-store.ts';
import { PriceLadder } from '../matching/price-ladder.ts';
import { MergeableHeaps } from '../mergeable-heaps.ts';
import { trailingTrigger } from '../order-rules.ts';
import { Fact, type StateHash } from '../state-hash.ts';
import { type Ticks, ticks } from '../units.ts';

/** A segment in a snapshot. */
export const TRAIL_SEGMENT = record({
  /** The best price since its stops began. */
  best: price,
  /** The priority of the first stop that began in it. Stops of the next one have higher ones. */
  first: integer,
});

const HASHED_SEGMENT = record({
  securityId: integer,
  direction: code<TriggerPriceDirection>(),
  ...TRAIL_SEGMENT.fields,
});

interface Segment extends Pick<ValueOf<typeof TRAIL_SEGMENT>, 'first'> {
  best: Ticks;
  /** Heaps by distance and priority: in basis points, and in ticks. */
  byShare: number;
  byTicks: number;
}

/** The first run of the ladder: most pairs have few segments. */
const FEW = 4;

export class TrailingStops {
  readonly #orders: OrderStore;
  readonly #hash: StateHash;
  readonly #securityId: number;
  readonly direction: TriggerPriceDirection;
  readonly #isUp: boolean;
  /** 1 upward, −1 downward: times it, the trigger that is reached first is the smallest. */
  readonly #sign: number;
  readonly #stops = new MergeableHeaps();
  /** By handle. */
  readonly #segments: (Segment | null)[] = [];
  readonly #free: number[] = [];
  /** The handles by `first`: the newest segment is the best one of the ladder. */
  readonly #inOrder = new PriceLadder(Side.buy, FEW);
  /** `first` of each segment by its nearest trigger; of one trigger, the earlier segment. */
  readonly #byTrigger = new IndexedHeap();

  constructor(
    orders: OrderStore,
    hash: StateHash,
    securityId: number,
    direction: TriggerPriceDirection,
  ) {
    this.#orders = orders;
    this.#hash = hash;
    this.#securityId = securityId;
    this.direction = direction;
    this.#isUp = direction === TriggerPriceDirection.up;
    this.#sign = this.#isUp ? 1 : -1;
  }

  /** The segments in the order in which they began. */
  get segments(): readonly Segment[] {
    const newestFirst: Segment[] = [];
    this.#inOrder.fromBest((handle) => newestFirst.push(this.#segments[handle]!) > 0);
    return newestFirst.reverse();
  }

  /** The nearest trigger; without one, what no price reaches. */
  get nearest(): number {
    return this.#sign * this.#byTrigger.firstKey;
  }

  /** The next price, against the direction, that moves triggers. */
  get nextBest(): number {
    const best = this.#newest?.best ?? this.#sign * -Infinity;
    return best - this.#sign;
  }

  /** The present trigger of a stop; 0: no price reaches it. */
  triggerOf(slot: number): Ticks {
    const { extras, priority } = this.#orders.details(slot)!;
    const trigger = this.#trigger(this.#segmentOf(priority).best, extras.trail);
    return ticks(trigger === Number.POSITIVE_INFINITY ? 0 : trigger);
  }

  /** A stop begins to trail from the last price; it has the highest priority number so far. */
  begin(slot: number, lastPrice: Ticks): void {
    if (this.#newest?.best !== lastPrice) {
      this.restore(lastPrice, this.#orders.details(slot)!.priority);
    }
    this.add(slot);
  }

  /** The next segment of a snapshot, whose stops `add` brings. */
  restore(best: Ticks, first: number): void {
    const handle = this.#free.pop() ?? this.#segments.length;
    const segment: Segment = { best, first, byShare: NONE, byTicks: NONE };
    this.#segments[handle] = segment;
    this.#inOrder.insert(first as Ticks, handle);
    this.#byTrigger.add(first, Number.POSITIVE_INFINITY);
    this.#mix(segment).add();
  }

  /** Puts a stop into the segment in which it began. */
  add(slot: number): void {
    const { extras, priority } = this.#orders.details(slot)!;
    const { trail } = extras;
    const segment = this.#segmentOf(priority);
    const stop = this.#stops.open(slot, Math.abs(trail), priority);
    this.#orders.setLevel(slot, stop);
    if (trail > 0) segment.byShare = this.#stops.merge(segment.byShare, stop);
    else segment.byTicks = this.#stops.merge(segment.byTicks, stop);
    this.#update(segment);
  }

  remove(slot: number): void {
    const { extras, priority } = this.#orders.details(slot)!;
    const segment = this.#segmentOf(priority);
    const stop = this.#orders.level(slot);
    if (extras.trail > 0) segment.byShare = this.#stops.remove(segment.byShare, stop);
    else segment.byTicks = this.#stops.remove(segment.byTicks, stop);
    this.#orders.setLevel(slot, NONE);
    if (segment.byShare === NONE && segment.byTicks === NONE) this.#drop(segment);
    else this.#update(segment);
  }

  /**
   * Takes the stop that the last price reaches first. Stops of one trigger come by segment, then by
   * distance, basis points before ticks. NONE: the price reaches none.
   */
  takeReached(lastPrice: Ticks): number {
    if (this.#sign * this.nearest > this.#sign * lastPrice) return NONE;
    const segment = this.#segmentOf(this.#byTrigger.first);
    const isByShare = this.#shareTrigger(segment) <= this.#ticksTrigger(segment);
    const slot = this.#stops.id(isByShare ? segment.byShare : segment.byTicks);
    this.remove(slot);
    return slot;
  }

  /**
   * Lets the newest segment follow the last price, if this is better, and joins it with the one
   * before it, if this follows too. False: all triggers follow the last price.
   */
  follow(lastPrice: Ticks): boolean {
    const segment = this.#newest;
    if (segment === undefined || !this.#isFollowing(segment, lastPrice)) return false;
    const earlier = this.#before(segment);
    if (earlier !== undefined && this.#isFollowing(earlier, lastPrice)) {
      earlier.byShare = this.#stops.merge(earlier.byShare, segment.byShare);
      earlier.byTicks = this.#stops.merge(earlier.byTicks, segment.byTicks);
      this.#drop(segment);
      this.#setBest(earlier, lastPrice);
      return true;
    }
    if (segment.best === lastPrice) return false;
    this.#setBest(segment, lastPrice);
    return true;
  }

  /** The stops of a segment, in no order. */
  *slotsOf({ byShare, byTicks }: Segment): Generator<number> {
    for (const heap of [byShare, byTicks]) {
      for (const stop of this.#stops.nodes(heap)) yield this.#stops.id(stop);
    }
  }

  /** True if the last price is as good as the best price of a segment, or better. */
  #isFollowing({ best }: Segment, lastPrice: Ticks): boolean {
    return this.#sign * best >= this.#sign * lastPrice;
  }

  get #newest(): Segment | undefined {
    const handle = this.#inOrder.best();
    return handle === NONE ? undefined : this.#segments[handle]!;
  }

  #before({ first }: Segment): Segment | undefined {
    const handle = this.#inOrder.through((first - 1) as Ticks);
    return handle === NONE ? undefined : this.#segments[handle]!;
  }

  /** The last segment whose first priority is not above this one. */
  #segmentOf(priority: number): Segment {
    return this.#segments[this.#inOrder.through(priority as Ticks)]!;
  }

  #trigger(best: Ticks, trail: number): number {
    return trailingTrigger(best, trail, this.#isUp);
  }

  /** The nearest triggers of a segment, times #sign. */
  #shareTrigger({ best, byShare }: Segment): number {
    if (byShare === NONE) return Number.POSITIVE_INFINITY;
    return this.#sign * this.#trigger(best, this.#stops.key(byShare));
  }
  #ticksTrigger({ best, byTicks }: Segment): number {
    if (byTicks === NONE) return Number.POSITIVE_INFINITY;
    return this.#sign * this.#trigger(best, -this.#stops.key(byTicks));
  }

  #update(segment: Segment): void {
    const { first } = segment;
    this.#byTrigger.remove(first);
    this.#byTrigger.add(first, Math.min(this.#shareTrigger(segment), this.#ticksTrigger(segment)));
  }

  #setBest(segment: Segment, best: Ticks): void {
    this.#mix(segment).remove();
    segment.best = best;
    this.#mix(segment).add();
    this.#update(segment);
  }

  #drop(segment: Segment): void {
    const { first } = segment;
    this.#mix(segment).remove();
    this.#byTrigger.remove(first);
    const handle = this.#inOrder.find(first as Ticks);
    this.#inOrder.remove(first as Ticks);
    this.#segments[handle] = null;
    this.#free.push(handle);
  }

  /** Begins the fact of a segment in the hash. */
  #mix({ best, first }: Segment): StateHash {
    const fact = { securityId: this.#securityId, direction: this.direction, best, first };
    return mixFact(this.#hash, Fact.trailSegment, HASHED_SEGMENT, fact);
  }
}

// The book of one instrument: two ladders of price levels, each level a queue of orders in order of
// priority. It knows prices, quantities and time priority; money and ownership are the business of
// its callers.
import { opposite, Side } from '../fix.ts';
import { type Amount, add, type Lots, subtract, type Ticks, ZERO } from '../units.ts';
import { HiddenRounds } from './hidden-rounds.ts';
import { NONE, type OrderStore } from './order-store.ts';
import { PriceLadder } from './price-ladder.ts';

const PRICE = 0;
const COUNT = 1;
const FIRST = 2;
const LAST = 3;
const LEVEL_STRIDE = 4;

/** The prices of each side at which something has changed, in order of their first change. */
export interface BookChanges {
  readonly bids: readonly Ticks[];
  readonly asks: readonly Ticks[];
}

export class OrderBook {
  readonly #orders: OrderStore;
  readonly #bids = new PriceLadder(Side.buy);
  readonly #asks = new PriceLadder(Side.sell);
  /** Levels by handle: price, count, first and last order. Handles are reused. */
  #levels = new Float64Array(64 * LEVEL_STRIDE);
  /** The shown quantity of each level in lots; a sum may exceed a safe integer. */
  readonly #quantity: Amount[] = [];
  /** The hidden parts of icebergs, by level; null for a level that hides nothing. */
  readonly #hidden: (HiddenRounds | null)[] = [];
  /** The levels that hide something: most books need no look at #hidden. */
  #hiding = 0;
  readonly #free: number[] = [];
  /** Grows by one with every change of this book. */
  updateId = 0;
  /** The readers that collect changed prices; null for none. Not in the state. */
  #watches: BookWatch[] | null = null;

  constructor(orders: OrderStore) {
    this.#orders = orders;
  }

  ladder(side: Side): PriceLadder {
    return side === Side.buy ? this.#bids : this.#asks;
  }

  /** The best level that an order of `side` would meet, or NONE. */
  bestAgainst(side: Side): number {
    return this.ladder(opposite(side)).best();
  }

  levelPrice(level: number): Ticks {
    return this.#levels[level * LEVEL_STRIDE + PRICE] as Ticks;
  }
  levelQuantity(level: number): Amount {
    return this.#quantity[level];
  }
  /** The hidden parts of the level; null: it hides nothing. */
  levelHidden(level: number): HiddenRounds | null {
    return this.#hiding === 0 ? null : this.#hidden[level];
  }
  /** The shown and the hidden quantity of the level. */
  levelTotal(level: number): Amount {
    const hidden = this.levelHidden(level);
    const shown = this.#quantity[level];
    return hidden === null ? shown : add(shown, hidden.total);
  }
  levelCount(level: number): number {
    return this.#levels[level * LEVEL_STRIDE + COUNT];
  }
  levelFirst(level: number): number {
    return this.#levels[level * LEVEL_STRIDE + FIRST];
  }
  levelLast(level: number): number {
    return this.#levels[level * LEVEL_STRIDE + LAST];
  }

  /** Begins to collect changed prices. */
  watch(): BookWatch {
    const watch = new BookWatch(this);
    this.#watches = [...(this.#watches ?? []), watch];
    return watch;
  }

  get isWatched(): boolean {
    return this.#watches !== null;
  }

  unwatch(watch: BookWatch): void {
    const others = (this.#watches ?? []).filter((other) => other !== watch);
    this.#watches = others.length === 0 ? null : others;
  }

  #note(side: Side, price: Ticks): void {
    for (const watch of this.#watches!) watch.note(side, price);
  }

  /** Puts a stored order at the end of the queue of its price. */
  add(slot: number): void {
    const orders = this.#orders;
    const ladder = this.ladder(orders.side(slot));
    const price = orders.price(slot);
    let level = ladder.find(price);
    if (level === NONE) {
      level = this.#openLevel(price);
      ladder.insert(price, level);
    }
    const at = level * LEVEL_STRIDE;
    const levels = this.#levels;
    const last = levels[at + LAST];
    orders.setLevel(slot, level);
    orders.setPrevious(slot, last);
    orders.setNext(slot, NONE);
    if (last === NONE) levels[at + FIRST] = slot;
    else orders.setNext(last, slot);
    levels[at + LAST] = slot;
    levels[at + COUNT]++;
    this.#quantity[level] = add(this.#quantity[level], orders.shownQty(slot) as number as Amount);
    if (orders.hasDetails(slot)) this.#includeHidden(level, slot);
    this.updateId++;
    if (this.#watches !== null) this.#note(orders.side(slot), price);
  }

  #includeHidden(level: number, slot: number): void {
    const iceberg = this.#orders.iceberg(slot);
    if (iceberg === null || iceberg.leavesQty === iceberg.shownQty) return;
    let hidden = this.#hidden[level];
    if (hidden === null) {
      hidden = new HiddenRounds();
      this.#hidden[level] = hidden;
      this.#hiding++;
    }
    hidden.add(iceberg);
  }

  #excludeHidden(level: number, slot: number): void {
    const hidden = this.#hidden[level];
    const iceberg = hidden === null ? null : this.#orders.iceberg(slot);
    if (hidden === null || iceberg === null) return;
    hidden.remove(iceberg);
    if (hidden.total !== 0) return;
    this.#hidden[level] = null;
    this.#hiding--;
  }

  /** Quantities of an order in the book are about to change; `endChange` must follow. */
  beginChange(slot: number): void {
    const level = this.#orders.level(slot);
    const shown = this.#orders.shownQty(slot) as number as Amount;
    this.#quantity[level] = subtract(this.#quantity[level], shown);
    if (this.#hiding > 0) this.#excludeHidden(level, slot);
  }

  /** `isVisible`: the change is one that a reader of the book sees. */
  endChange(slot: number, isVisible = true): void {
    const orders = this.#orders;
    const level = orders.level(slot);
    this.#quantity[level] = add(this.#quantity[level], orders.shownQty(slot) as number as Amount);
    if (orders.hasDetails(slot)) this.#includeHidden(level, slot);
    if (!isVisible) return;
    this.updateId++;
    if (this.#watches !== null) this.#note(orders.side(slot), orders.price(slot));
  }

  /** An order of the level that hides nothing was filled by `quantity`. */
  reduce(level: number, quantity: Lots): void {
    this.#quantity[level] = subtract(this.#quantity[level], quantity as number as Amount);
    this.updateId++;
    if (this.#watches !== null) {
      this.#note(this.#orders.side(this.levelFirst(level)), this.levelPrice(level));
    }
  }

  remove(slot: number): void {
    const orders = this.#orders;
    const level = orders.level(slot);
    const at = level * LEVEL_STRIDE;
    const levels = this.#levels;
    const previous = orders.previous(slot);
    const next = orders.next(slot);
    if (previous === NONE) levels[at + FIRST] = next;
    else orders.setNext(previous, next);
    if (next === NONE) levels[at + LAST] = previous;
    else orders.setPrevious(next, previous);
    const shown = orders.shownQty(slot) as number as Amount;
    this.#quantity[level] = subtract(this.#quantity[level], shown);
    if (this.#hiding > 0) this.#excludeHidden(level, slot);
    levels[at + COUNT]--;
    this.updateId++;
    if (this.#watches !== null) this.#note(orders.side(slot), this.levelPrice(level));
    if (levels[at + COUNT] === 0) {
      this.ladder(orders.side(slot)).remove(this.levelPrice(level));
      this.#free.push(level);
    }
  }

  /** Moves an order to the end of the queue of its price. */
  moveToEnd(slot: number): void {
    const orders = this.#orders;
    const levels = this.#levels;
    const at = orders.level(slot) * LEVEL_STRIDE;
    if (levels[at + LAST] === slot) return;
    const [previous, next, last] = [orders.previous(slot), orders.next(slot), levels[at + LAST]];
    if (previous === NONE) levels[at + FIRST] = next;
    else orders.setNext(previous, next);
    orders.setPrevious(next, previous);
    orders.setNext(last, slot);
    orders.setPrevious(slot, last);
    orders.setNext(slot, NONE);
    levels[at + LAST] = slot;
  }

  #openLevel(price: Ticks): number {
    const level = this.#free.pop() ?? this.#quantity.length;
    const at = level * LEVEL_STRIDE;
    if (at + LEVEL_STRIDE > this.#levels.length) {
      const grown = new Float64Array(this.#levels.length * 2);
      grown.set(this.#levels);
      this.#levels = grown;
    }
    this.#quantity[level] = ZERO;
    this.#hidden[level] = null;
    this.#levels[at + PRICE] = price;
    this.#levels[at + COUNT] = 0;
    this.#levels[at + FIRST] = NONE;
    this.#levels[at + LAST] = NONE;
    return level;
  }
}

/** The changed prices of a book for one reader. */
export class BookWatch {
  readonly #book: OrderBook;
  readonly #bids = new Set<Ticks>();
  readonly #asks = new Set<Ticks>();

  constructor(book: OrderBook) {
    this.#book = book;
  }

  note(side: Side, price: Ticks): void {
    if (side === Side.buy) this.#bids.add(price);
    else this.#asks.add(price);
  }

  /** Returns and forgets the changed prices; a level may be back to its earlier quantity. */
  take(): BookChanges {
    const taken = { bids: [...this.#bids], asks: [...this.#asks] };
    this.#bids.clear();
    this.#asks.clear();
    return taken;
  }

  /** True if more than `limit` orders and prices belong to the changes. */
  hasMoreThan(limit: number): boolean {
    let left = limit;
    for (const [side, prices] of [
      [Side.buy, this.#bids],
      [Side.sell, this.#asks],
    ] as const) {
      for (const price of prices) {
        const level = this.#book.ladder(side).find(price);
        left -= 1 + (level === NONE ? 0 : this.#book.levelCount(level));
        if (left < 0) return true;
      }
    }
    return false;
  }
}

/** True if an order of `side` with limit `limit` trades at `price`. */
export function crosses(side: Side, limit: Ticks, price: Ticks): boolean {
  return side === Side.buy ? price <= limit : price >= limit;
}

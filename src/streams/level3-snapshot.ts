// A level-3 book as JSON text, written in pieces between orders. The raw figures are copied first,
// which is quick, so the text is the book at one moment.
import { formatSteps } from '../contract/decimal.ts';
import { MAX_L3_ORDERS } from '../contract/market-data/market-data.ts';
import { Side } from '../core/fix.ts';
import type { Instrument } from '../core/instrument.ts';
import { NONE } from '../core/matching/order-store.ts';
import type { State } from '../core/state.ts';
import type { Amount, Lots, Ticks } from '../core/units.ts';

/** Figures of an order in the copy: id, priority, time, shown quantity. */
const STRIDE = 4;

/** The copy of one side; a level ends before the order of `ends`. */
interface Copy {
  readonly prices: Ticks[];
  readonly quantities: Amount[];
  readonly ends: number[];
  readonly orders: Float64Array;
  readonly isWhole: boolean;
}

/** The best MAX_L3_ORDERS orders, by level. */
function copySide({ orders }: State, { book }: Instrument, side: Side): Copy {
  const [prices, quantities, ends] = [[] as Ticks[], [] as Amount[], [] as number[]];
  const figures = new Float64Array(Math.min(countOf(book, side), MAX_L3_ORDERS) * STRIDE);
  let count = 0;
  let isWhole = true;
  book.ladder(side).fromBest((level, price) => {
    if (count === MAX_L3_ORDERS) {
      isWhole = false;
      return false;
    }
    prices.push(price);
    quantities.push(book.levelQuantity(level));
    let slot = book.levelFirst(level);
    for (; slot !== NONE && count < MAX_L3_ORDERS; slot = orders.next(slot)) {
      const at = count++ * STRIDE;
      figures[at] = orders.publicId(slot);
      figures[at + 1] = orders.priority(slot);
      figures[at + 2] = orders.publicTime(slot);
      figures[at + 3] = orders.shownQty(slot);
    }
    ends.push(count);
    isWhole = slot === NONE;
    return isWhole;
  });
  return { prices, quantities, ends, orders: figures, isWhole };
}

/** Orders of a side: all, or at least MAX_L3_ORDERS. */
function countOf(book: Instrument['book'], side: Side): number {
  let count = 0;
  book.ladder(side).fromBest((level) => {
    count += book.levelCount(level);
    return count < MAX_L3_ORDERS;
  });
  return count;
}

/** Orders that a snapshot of the book would list. */
export const listedOrders = ({ book }: Instrument): number =>
  Math.min(countOf(book, Side.buy), MAX_L3_ORDERS) +
  Math.min(countOf(book, Side.sell), MAX_L3_ORDERS);

export interface Level3Texts {
  readonly bids: string;
  readonly asks: string;
  /** True if both sides were listed to their end. */
  readonly complete: boolean;
}

export class Level3Snapshot {
  readonly #instrument: Instrument;
  readonly #bids: SideWriter;
  readonly #asks: SideWriter;
  readonly #complete: boolean;

  /** A snapshot of the current book. */
  constructor(state: State, instrument: Instrument) {
    this.#instrument = instrument;
    const bids = copySide(state, instrument, Side.buy);
    const asks = copySide(state, instrument, Side.sell);
    this.#bids = new SideWriter(bids);
    this.#asks = new SideWriter(asks);
    this.#complete = bids.isWhole && asks.isWhole;
  }

  /** Writes up to `orders` further orders; the texts when none are left, null before. */
  write(orders: number): Level3Texts | null {
    const left = this.#bids.write(this.#instrument, orders);
    if (this.#bids.isDone) this.#asks.write(this.#instrument, left);
    if (!this.#bids.isDone || !this.#asks.isDone) return null;
    return { bids: this.#bids.text, asks: this.#asks.text, complete: this.#complete };
  }
}

class SideWriter {
  readonly #copy: Copy;
  readonly #pieces: string[] = [];
  #level = 0;
  #order = 0;

  constructor(copy: Copy) {
    this.#copy = copy;
  }

  get isDone(): boolean {
    return this.#level === this.#copy.prices.length;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  /** Returns how many of `orders` are left. */
  write({ tick, lot }: Instrument, orders: number): number {
    const { prices, quantities, ends, orders: figures } = this.#copy;
    let left = orders;
    let text = '';
    while (!this.isDone && left > 0) {
      const level = this.#level;
      const first = level === 0 ? 0 : ends[level - 1]!;
      if (this.#order === first) {
        const quantity = formatSteps(quantities[level]!, lot);
        text += `${level === 0 ? '' : ','}["${formatSteps(prices[level]!, tick)}","${quantity}",[`;
      }
      const end = Math.min(ends[level]!, this.#order + left);
      left -= end - this.#order;
      for (; this.#order < end; this.#order++) {
        const at = this.#order * STRIDE;
        const [id, priority, time] = [figures[at], figures[at + 1], figures[at + 2]];
        const shown = formatSteps(figures[at + 3] as Lots, lot);
        const comma = this.#order === first ? '' : ',';
        text += `${comma}["${id}","${priority}","${time}","${shown}"]`;
      }
      if (this.#order < ends[level]!) break;
      text += ']]';
      this.#level++;
    }
    this.#pieces.push(text);
    return left;
  }
}

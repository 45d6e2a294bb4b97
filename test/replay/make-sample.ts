// Makes sample.txt from a seed: `bun test/replay/main.ts`. A small busy book: many orders share few
// prices, as in stocks, and a fifth of the messages reduce an order. So who comes first in a queue
// decides many executions.
import { Prng } from '../support/prng.ts';
import { lineOf, type Message, type SideLetter } from './messages.ts';
import { ReferenceBook, type Resting } from './reference-book.ts';

const SEED = 17;
const MESSAGES = 4_000;
const MIDDLE = 10_000;
/** Prices of each side, and the number of resting orders that the book returns to. */
const DEPTH = 6;
const RESTING = 120;
const LARGEST = 40;

class Sample {
  readonly #random = new Prng(SEED);
  readonly #book = new ReferenceBook();
  readonly messages: Message[] = [];
  #orders = 0;
  #takers = 0;

  make(): void {
    while (this.messages.length < MESSAGES) {
      const kind = this.#random.weighted<() => void>([
        [this.#book.resting.length < RESTING ? 60 : 30, () => this.#add()],
        [20, () => this.#reduce()],
        [20, () => this.#cancel()],
        [8, () => this.#replace()],
        [14, () => this.#trade()],
      ]);
      kind();
    }
  }

  #emit(message: Message): void {
    this.#book.apply(message);
    this.messages.push(message);
  }

  #any(): Resting | undefined {
    const { resting } = this.#book;
    return resting.length === 0 ? undefined : this.#random.pick(resting);
  }

  #price(side: SideLetter): number {
    const away = 1 + this.#random.below(DEPTH);
    return side === 'B' ? MIDDLE - away : MIDDLE + away;
  }

  #add(): void {
    const side = this.#random.pick(['B', 'S'] as const);
    const quantity = this.#random.between(2, LARGEST);
    this.#emit({ type: 'A', order: ++this.#orders, side, quantity, price: this.#price(side) });
  }

  #reduce(): void {
    const resting = this.#any();
    if (resting === undefined || resting.quantity < 2) return;
    const quantity = this.#random.between(1, resting.quantity - 1);
    this.#emit({ type: 'R', order: resting.order, quantity });
  }

  #cancel(): void {
    const resting = this.#any();
    if (resting !== undefined) this.#emit({ type: 'X', order: resting.order });
  }

  /** Another price, or more at the same one. */
  #replace(): void {
    const resting = this.#any();
    if (resting === undefined) return;
    const { order, side } = resting;
    const more = this.#random.oneIn(3);
    const quantity = resting.quantity + this.#random.between(1, 10);
    const price = more ? resting.price : this.#price(side);
    this.#emit({ type: 'U', order, quantity, price });
  }

  /** A taker hits the best orders of a side, one after the other. */
  #trade(): void {
    const side = this.#random.pick(['B', 'S'] as const);
    const taker = ++this.#takers;
    let wanted = this.#random.between(1, LARGEST);
    while (wanted > 0) {
      const best = this.#book.best(side);
      if (best === undefined) return;
      const quantity = Math.min(wanted, best.quantity);
      this.#emit({ type: 'E', order: best.order, quantity, taker });
      wanted -= quantity;
    }
  }
}

/** The text of sample.txt. */
export function makeSample(): string {
  const sample = new Sample();
  sample.make();
  return `${sample.messages.map(lineOf).join('\n')}\n`;
}

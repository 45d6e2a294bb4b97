// A textbook book for the sample: an array of resting orders for each side, searched from its
// start. It makes the sample, and it checks each execution of it. It shares no code with the core.
import type { Execution, Message, SideLetter } from './messages.ts';

export interface Resting {
  readonly order: number;
  readonly side: SideLetter;
  quantity: number;
  price: number;
}

export class ReferenceBook {
  /** In order of arrival. */
  readonly resting: Resting[] = [];

  get(order: number): Resting {
    const found = this.resting.find((resting) => resting.order === order);
    if (found === undefined) throw new Error(`order ${order} does not rest`);
    return found;
  }

  /** The order that the next trade against this side hits: the best price, then the oldest. */
  best(side: SideLetter): Resting | undefined {
    const sign = side === 'B' ? 1 : -1;
    return this.resting
      .filter((resting) => resting.side === side)
      .reduce<Resting | undefined>(
        (best, resting) =>
          best === undefined || (resting.price - best.price) * sign > 0 ? resting : best,
        undefined,
      );
  }

  /** Applies a message. Throws where an execution is not of the best order. */
  apply(message: Message): void {
    if (message.type === 'A') {
      const { order, side, quantity, price } = message;
      this.resting.push({ order, side, quantity, price });
      return;
    }
    const resting = this.get(message.order);
    if (message.type === 'X') this.#remove(resting);
    else if (message.type === 'R') resting.quantity -= message.quantity;
    else if (message.type === 'U') {
      this.#remove(resting);
      const { quantity, price } = message;
      this.resting.push({ ...resting, quantity, price });
    } else this.#execute(message, resting);
  }

  #execute({ order, quantity }: Execution, resting: Resting): void {
    const best = this.best(resting.side)!;
    if (best !== resting) throw new Error(`${order} trades, but ${best.order} is first`);
    resting.quantity -= quantity;
    if (resting.quantity === 0) this.#remove(resting);
  }

  #remove(resting: Resting): void {
    this.resting.splice(this.resting.indexOf(resting), 1);
  }
}

// A local book by the recipe of Binance's documents: a snapshot of `depth`, and the events of the
// difference stream after it.
import { expect } from 'bun:test';
import type { Json } from '../support/node.ts';

type Side = 'bids' | 'asks';
type Level = readonly [price: string, quantity: string];

export class LocalBook {
  /** The last update that it has. */
  at: number;
  readonly #sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };

  constructor(depth: Json) {
    this.at = Number(depth.lastUpdateId);
    this.#apply('bids', depth.bids);
    this.#apply('asks', depth.asks);
  }

  /** Throws if an update is missing before the event. */
  apply({ U, u, a, b }: Json): void {
    if (Number(u) <= this.at) return;
    if (Number(U) > this.at + 1) throw new Error(`a gap: ${U} follows ${this.at}`);
    this.#apply('bids', b);
    this.#apply('asks', a);
    this.at = Number(u);
  }

  #apply(side: Side, levels: unknown): void {
    for (const [price, quantity] of levels as Level[]) {
      if (quantity === '0.00000000') this.#sides[side].delete(price);
      else this.#sides[side].set(price, quantity);
    }
  }

  #levels(side: Side): Level[] {
    const sign = side === 'asks' ? 1 : -1;
    return [...this.#sides[side]].sort(([x], [y]) => sign * (Number(x) - Number(y)));
  }

  /** Compares it with an answer to `depth` of the same update. */
  expectEqual({ lastUpdateId, bids, asks }: Json): void {
    const own = { lastUpdateId: this.at, bids: this.#levels('bids'), asks: this.#levels('asks') };
    expect<unknown>(own).toEqual({ lastUpdateId, bids, asks });
  }
}

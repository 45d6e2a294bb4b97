// Orders of every type, over both versions of the calls. Prices lie around one middle, so that
// trades reach the stops, and some orders expire while no node runs.
import { OCO, ORDER, ORDER_V2, ORDERS_V2 } from '../support/node.ts';
import type { Prng } from '../support/prng.ts';

export type Body = Readonly<Record<string, unknown>>;

export interface OrderCall {
  readonly kind: 'placeOrder' | 'placeOco' | 'orderBatch';
  readonly path: string;
  readonly body: Body;
}

/** The id of a batch: that of the first order that it placed, changed or canceled; 0 for none. */
export const batchId = (entries: readonly { readonly orderId?: number }[]): number =>
  entries.find(({ orderId }) => orderId !== undefined)?.orderId ?? 0;

/** Where a world trades. */
export interface Market {
  /** Prices lie around this one. */
  readonly middle: number;
  /** Orders expire within so long, ms. */
  readonly expiry: number;
}

const symbol = 'BTC-USDT';

export class OrderCalls {
  readonly #random: Prng;
  readonly #market: Market;

  constructor(random: Prng, market: Market) {
    this.#random = random;
    this.#market = market;
  }

  /** Mostly one order, under this clOrdId; a batch has no name but its Idempotency-Key. */
  next(clOrdId: string): OrderCall {
    const named = { symbol, clOrdId };
    return this.#random.weighted<() => OrderCall>([
      [8, () => ({ kind: 'placeOrder', path: ORDER, body: { ...named, ...this.#plain() } })],
      [8, () => ({ kind: 'placeOrder', path: ORDER_V2, body: { ...named, ...this.#typed() } })],
      [2, () => ({ kind: 'placeOco', path: OCO, body: { ...named, ...this.#pair() } })],
      [2, () => ({ kind: 'orderBatch', path: ORDERS_V2, body: { orders: this.#entries() } })],
    ])();
  }

  /** Another quantity or another price of an own order. */
  amendment(name: object): Body {
    const price = this.#random.oneIn(2) ? { price: this.#away(-40, 40) } : {};
    return { symbol, ...name, orderQty: this.#quantity(), ...price };
  }

  #quantity(): string {
    return String(this.#random.between(1, 2000) / 1_000_000);
  }

  #side(): 1 | 2 {
    return this.#random.pick([1, 2] as const);
  }

  /** A price so far above the middle. */
  #away(low: number, high: number): string {
    return String(this.#market.middle + this.#random.between(low, high));
  }

  /** Mostly behind the middle. */
  #price(side: 1 | 2): string {
    return side === 1 ? this.#away(-60, 20) : this.#away(-20, 60);
  }

  /** Mostly a limit order near the middle; sometimes a market order, or more than anybody has. */
  #plain(): object {
    const random = this.#random;
    const side = this.#side();
    const orderQty = random.oneIn(12) ? '1000' : this.#quantity();
    const kind = random.below(12);
    if (kind === 0) return { side, ordType: 1, orderQty };
    if (kind === 1) return { side: 1, ordType: 1, quoteOrderQty: String(random.between(1, 500)) };
    return { side, ordType: 2, price: this.#price(side), orderQty };
  }

  #typed(): object {
    const random = this.#random;
    const { middle, expiry } = this.#market;
    const side = this.#side();
    const orderQty = this.#quantity();
    const limit = { side, ordType: 2, price: this.#price(side), orderQty };
    const stop = { side, ordType: 3, stopPx: this.#away(-25, 25), orderQty };
    const direction = { triggerPriceDirection: random.pick(['U', 'D']) };
    // Sometimes a time that has passed.
    const expires = { timeInForce: 6, expireTime: Date.now() + random.between(-500, expiry) };
    const [near, far] = [String(middle - 30), String(middle + 30)];
    const [takeProfitPx, stopPx] = side === 1 ? [far, near] : [near, far];
    return random.pick<object>([
      { ...limit, timeInForce: random.pick([3, 4]) },
      { ...limit, ...expires },
      { ...limit, orderQty: '0.002', displayQty: '0.0005' },
      { ...limit, bracket: { takeProfitPx, stopPx } },
      { ...stop, ...direction },
      { ...stop, ...direction, ordType: 4, price: this.#price(side) },
      { ...stop, ...expires },
      { side: 2, ordType: 1, quoteOrderQty: String(random.between(1, 100)) },
    ]);
  }

  #pair(): object {
    const side = this.#side();
    const [price, stopPx] =
      side === 1
        ? [this.#away(-30, -1), this.#away(0, 25)]
        : [this.#away(1, 30), this.#away(-25, 0)];
    return { side, orderQty: this.#quantity(), price, stopPx };
  }

  #entries(): object[] {
    const random = this.#random;
    const orderId = random.between(1, 300);
    return Array.from({ length: random.between(1, 6) }, () =>
      random.weighted<object>([
        [6, { op: 'place', symbol, ...this.#typed() }],
        [2, { op: 'oco', symbol, ...this.#pair() }],
        [1, { op: 'cancel', orderId }],
        [1, { op: 'amend', ...this.amendment({ orderId }) }],
      ]),
    );
  }
}

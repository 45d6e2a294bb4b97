// The orders of one customer in the streams that most parts share. Orders that trade lie near the
// middle, and a customer places what it takes before it takes it: so every order trades as a whole,
// and no cancel comes too late, however the connections run.
import { type Entry, limitBody, OrderScript } from '../../src/cli/bench/order-script.ts';

/**
 * `quiet`: half new orders, half cancels; nothing trades. `market`: 48 % resting orders, 42 %
 * cancels, 8 % marketable limit orders, 2 % market orders, as in part core. `busy`: every other
 * order takes what another one offered.
 */
export const STREAMS = ['quiet', 'market', 'busy'] as const;
export type Stream = (typeof STREAMS)[number];

/** The streams, for a reader of the figures. */
export const STREAM_NOTE =
  'Streams. Quiet: half new orders, half cancels. Market: 48 % resting orders, 42 % cancels, 8 % ' +
  'marketable limit orders, 2 % market orders. Busy: every other order takes what another one ' +
  'offered. Every order that trades is filled completely, and no cancel comes too late.';

/** Orders that trade are at most this many ticks away from the middle; all others are beyond. */
const NEAR_TICKS = 50;
/** Orders that each customer places first, so that no taker ever finds too little. */
const STOCK = 12;
/** In thousandths of a bitcoin; no cycle offers more on a side than three of these. */
const STOCK_QUANTITY = 45;

/** The steps of `market` in which orders for takers are placed, and the others that take. */
const CYCLE = 50;
const MAKER_STEPS = [0, 16, 32];
const TAKER_EVERY = 10;
/** Three orders offer what five take. */
const [OFFERED, TAKEN] = [5, 3];

const FAR_TERMS = '"side":"1","ordType":"2","price":0.01,"orderQty":0.001,"timeInForce":"1"';

export class OrderFlow extends OrderScript {
  /** Steps of `market`, orders near the middle, and entries far from it. */
  steps = 0;
  near = 0;
  distant = 0;

  entry(stream: Stream): Entry {
    if (stream === 'quiet') return this.next();
    if (this.near < STOCK) return this.#offer(this.near % 2 === 0, STOCK_QUANTITY);
    return stream === 'market' ? this.#market() : this.#busy();
  }

  /** An order far from the market, and then its cancel. */
  far(symbol: string): Entry {
    const number = this.distant++;
    const id = `${this.name}-f${number >> 1}`;
    return number % 2 === 0
      ? { op: 'place', body: `{"clOrdId":"${id}","symbol":"${symbol}",${FAR_TERMS}}` }
      : { op: 'cancel', body: `{"origClOrdId":"${id}"}` };
  }

  #market(): Entry {
    const cycle = Math.floor(this.steps / CYCLE);
    const step = this.steps++ % CYCLE;
    const [takerBuys, size] = [cycle % 2 === 0, 1 + (cycle % 9)];
    if (MAKER_STEPS.includes(step)) return this.#offer(!takerBuys, OFFERED * size);
    if (step % TAKER_EVERY < TAKER_EVERY - 1) return this.next();
    return this.#take(takerBuys, TAKEN * size, step === CYCLE - 1);
  }

  #busy(): Entry {
    const pair = this.near >> 1;
    const [takerBuys, quantity] = [pair % 2 === 0, 1 + (pair % 9)];
    return this.near % 2 === 0
      ? this.#offer(!takerBuys, quantity)
      : this.#take(takerBuys, quantity, false);
  }

  #offer(buys: boolean, quantity: number): Entry {
    const distance = 1 + ((this.near * 7919) % NEAR_TICKS);
    return this.#place(buys, buys ? -distance : distance, quantity);
  }

  #take(buys: boolean, quantity: number, atMarket: boolean): Entry {
    const limit = this.#place(buys, buys ? NEAR_TICKS : -NEAR_TICKS, quantity);
    if (!atMarket) return limit;
    const body = limit.body.replace(/"ordType":"2","price":[\d.]+/, '"ordType":"1"');
    return { op: 'place', body };
  }

  #place(buys: boolean, ticks: number, quantity: number): Entry {
    return { op: 'place', body: limitBody(`${this.name}-n${this.near++}`, buys, ticks, quantity) };
  }
}

// A recorded order feed through the core: with amend, each execution hits the same resting order as
// in the recording. Without it, a reduced order loses its place and others trade instead.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Side } from '../../src/core/fix.ts';
import { lots, ticks } from '../../src/core/units.ts';
import { BTC_USDT, Venue } from '../support/venue.ts';
import { makeSample } from './make-sample.ts';
import { type Execution, type Message, parseLine } from './messages.ts';
import { ReferenceBook } from './reference-book.ts';

const text = readFileSync(join(import.meta.dir, 'sample.txt'), 'utf8');
const messages = text.trimEnd().split('\n').map(parseLine);
const executions = messages.filter((message): message is Execution => message.type === 'E');

/** The way to reduce an order: the amend call, or a cancel and a new order. */
type Reduction = 'amend' | 'cancel and new';

const MAKER = 1;
const TAKER = 2;

interface Sent {
  orderId: number;
  readonly side: Side;
  /** The total quantity, and how much of it is filled. */
  total: number;
  filled: number;
  price: number;
}

/** Sends the feed to a core; returns the executions in the feed's numbers. */
class Replay {
  readonly #venue = new Venue();
  readonly #reduction: Reduction;
  readonly #sent = new Map<number, Sent>();
  readonly #sides = new Map<number, Side>();
  /** The feed's numbers by orderId. */
  readonly #orders = new Map<number, number>();
  readonly executions: Execution[] = [];

  constructor(reduction: Reduction) {
    this.#reduction = reduction;
  }

  run(feed: readonly Message[]): void {
    for (let i = 0; i < feed.length; i++) {
      const message = feed[i]!;
      if (message.type !== 'E') this.#apply(message);
      else {
        const { taker } = message;
        let quantity = 0;
        const side = this.#sides.get(message.order);
        for (let next = feed[i]; next?.type === 'E' && next.taker === taker; next = feed[i]) {
          quantity += next.quantity;
          i++;
        }
        i--;
        this.#take(taker, side === Side.buy ? Side.sell : Side.buy, quantity);
      }
    }
  }

  #apply(message: Exclude<Message, Execution>): void {
    const { order } = message;
    if (message.type === 'A') {
      const side = message.side === 'B' ? Side.buy : Side.sell;
      const { quantity: total, price } = message;
      this.#enter(order, { orderId: 0, side, total, filled: 0, price });
      return;
    }
    const sent = this.#sent.get(order);
    // Where other orders traded than in the recording, this one may be filled already.
    if (sent === undefined) return;
    if (message.type === 'X') this.#cancel(order, sent);
    else if (message.type === 'R') this.#reduce(order, sent, message.quantity);
    else this.#amend(sent, sent.filled + message.quantity, message.price);
  }

  #enter(order: number, sent: Sent): void {
    sent.orderId = this.#venue.limit(MAKER, sent.side, sent.price, sent.total - sent.filled);
    this.#sent.set(order, sent);
    this.#sides.set(order, sent.side);
    this.#orders.set(sent.orderId, order);
  }

  #cancel(order: number, { orderId }: Sent): void {
    this.#venue.cancel(MAKER, orderId);
    this.#sent.delete(order);
  }

  #reduce(order: number, sent: Sent, by: number): void {
    const total = sent.total - by;
    if (this.#reduction === 'amend') {
      this.#amend(sent, total, null);
      return;
    }
    this.#cancel(order, sent);
    if (total > sent.filled) this.#enter(order, { ...sent, total: total - sent.filled, filled: 0 });
  }

  #amend(sent: Sent, total: number, price: number | null): void {
    this.#venue.must({
      type: 'amendOrder',
      uid: MAKER,
      securityId: BTC_USDT,
      orderId: sent.orderId,
      origClOrdId: '',
      clOrdId: '',
      orderQty: lots(total),
      price: price === null ? null : ticks(price),
      stopPx: null,
      displayQty: null,
      expireTime: null,
      bracket: null,
      signature: null,
      idempotency: null,
    });
    sent.total = total;
    sent.price = price ?? sent.price;
  }

  #take(taker: number, side: Side, quantity: number): void {
    this.#venue.market(TAKER, side, quantity);
    for (const event of this.#venue.events) {
      if (event.type !== 'trade') continue;
      const order = this.#orders.get(event.makerOrderId)!;
      this.executions.push({ type: 'E', order, quantity: event.quantity, taker });
      const sent = this.#sent.get(order)!;
      sent.filled += event.quantity;
      if (sent.filled === sent.total) this.#sent.delete(order);
    }
  }
}

describe('the sample', () => {
  test('is what its script makes', () => {
    expect(makeSample() === text).toBe(true);
  });

  test('has enough of each message', () => {
    for (const type of ['A', 'R', 'X', 'U', 'E'] as const) {
      expect(messages.filter((message) => message.type === type).length).toBeGreaterThan(200);
    }
  });

  test('a line that is no message is rejected', () => {
    for (const line of ['E 1 5', 'A 1 X 5 100', 'R 1 0', 'Q 1']) {
      expect(() => parseLine(line)).toThrow('no message');
    }
  });

  test('agrees with a textbook book', () => {
    const book = new ReferenceBook();
    for (const message of messages) book.apply(message);
    // The textbook book would see another order trade.
    const first = executions[0]!;
    const wrong = { ...first, order: messages.findLast(({ type }) => type === 'A')!.order };
    const earlier = messages.slice(0, messages.indexOf(first));
    const again = new ReferenceBook();
    for (const message of earlier) again.apply(message);
    expect(() => again.apply(wrong)).toThrow();
  });
});

describe('the core', () => {
  const replayed = (reduction: Reduction): readonly Execution[] => {
    const replay = new Replay(reduction);
    replay.run(messages);
    return replay.executions;
  };

  test('hits the recorded order in every execution', () => {
    expect(replayed('amend')).toEqual(executions);
  });

  test('hits other orders when a reduction is a cancel and a new order', () => {
    const others = replayed('cancel and new');
    const same = others.filter(
      (execution, i) =>
        execution.order === executions[i]?.order && execution.taker === executions[i].taker,
    );
    expect(executions.length - same.length).toBeGreaterThan(30);
  });
});

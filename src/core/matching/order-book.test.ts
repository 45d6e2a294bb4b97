// A watched book reports its changed prices, and a book keeps no more levels than have orders. The
// invariants (core/invariants.ts) check queues and sums wherever orders trade.
import { describe, expect, test } from 'bun:test';
import { Side } from '../fix.ts';
import { StateHash } from '../state-hash.ts';
import { lots, ticks, ZERO } from '../units.ts';
import { OrderBook } from './order-book.ts';
import { NONE, OrderStore } from './order-store.ts';

/** A book with a way to put orders of five lots into it; returns their slots. */
function opened() {
  const orders = new OrderStore(new StateHash());
  const book = new OrderBook(orders);
  let orderId = 0;
  const put = (side: Side, price: number): number => {
    const terms = {
      uid: 1,
      securityId: 1,
      side,
      price: ticks(price),
      orderQty: lots(5),
      postOnly: false,
      clOrdId: '',
    };
    const filled = { cumQty: lots(0), cumQuote: ZERO };
    const order = { terms, orderId: ++orderId, ...filled, details: null };
    const slot = orders.add(order, 0);
    book.add(slot);
    return slot;
  };
  const take = (slot: number): void => {
    book.remove(slot);
    orders.remove(slot);
  };
  return { orders, book, put, take };
}

describe('a watched book', () => {
  test('reports each price with a new, filled or removed order, on its side, once', () => {
    const { orders, book, put, take } = opened();
    const bid = put(Side.buy, 10);
    const ask = put(Side.sell, 12);
    const watch = book.watch();
    put(Side.buy, 9);
    put(Side.buy, 9);
    put(Side.sell, 13);
    expect(watch.take()).toEqual({ bids: [ticks(9)], asks: [ticks(13)] });
    expect(watch.take()).toEqual({ bids: [], asks: [] });
    // A partial fill changes the level.
    for (const slot of [bid, ask]) {
      orders.fill(slot, lots(2), ZERO);
      book.reduce(orders.level(slot), lots(2));
    }
    expect(watch.take()).toEqual({ bids: [ticks(10)], asks: [ticks(12)] });
    take(bid);
    take(ask);
    expect(watch.take()).toEqual({ bids: [ticks(10)], asks: [ticks(12)] });
  });

  test('reports to each reader what has changed since it began to watch', () => {
    const { book, put } = opened();
    const first = book.watch();
    put(Side.buy, 9);
    const second = book.watch();
    put(Side.buy, 8);
    expect(first.take().bids).toEqual([ticks(9), ticks(8)]);
    expect(second.take().bids).toEqual([ticks(8)]);
    book.unwatch(first);
    put(Side.buy, 7);
    expect(first.take().bids).toEqual([]);
    expect(second.take().bids).toEqual([ticks(7)]);
    book.unwatch(second);
    expect(book.isWatched).toBe(false);
  });
});

describe('levels', () => {
  test('are reused while as many orders leave as arrive', () => {
    const { orders, book, put, take } = opened();
    const places = new Set<number>();
    for (let price = 1; price <= 1_000; price++) {
      const bid = put(Side.buy, price);
      const ask = put(Side.sell, price + 1);
      for (const slot of [bid, ask]) places.add(orders.level(slot));
      take(bid);
      take(ask);
    }
    expect([...places].sort()).toEqual([0, 1]);
    expect(book.bestAgainst(Side.buy)).toBe(NONE);
  });
});

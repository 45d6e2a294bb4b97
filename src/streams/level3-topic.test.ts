// A level-3 snapshot of a large book is written in pieces while orders go on, once for all who
// wait. With the updates behind it, it is the current book.
import { beforeEach, describe, expect, test } from 'bun:test';
import { SimulatedTime } from '../../test/sim/simulated-time.ts';
import type { Json } from '../../test/support/node.ts';
import { amendOf, limitWith } from '../../test/support/order-types.ts';
import { Prng } from '../../test/support/prng.ts';
import { StreamBook } from '../../test/support/stream-book.ts';
import { type Peer, Server } from '../../test/support/stream-server.ts';
import { BTC_USDT } from '../../test/support/venue.ts';
import { l3SideText, MAX_L3_ORDERS } from '../contract/market-data/market-data.ts';
import { Side } from '../core/fix.ts';
import { lots, ticks } from '../core/units.ts';
import { Level3Snapshot, listedOrders } from './level3-snapshot.ts';
import { CAUGHT_UP_BYTES, PIECE_ORDERS } from './limits.ts';

const time = SimulatedTime.forEachTest();
let server: Server;
beforeEach(() => {
  // Whatever asks the clock takes a little, so that a turn has few pieces.
  let taken = 0;
  performance.now = () => {
    taken += 0.2;
    return time.now + taken;
  };
  server = new Server(() => time.pass(0));
});

const LEVEL_3 = { op: 'subscribe', channel: 'l3orderbook', symbol: 'BTC-USDT' };

function fill(orders: number): void {
  for (let i = 0; i < orders; i++) {
    const side = i % 2 === 0 ? Side.buy : Side.sell;
    const distance = 1 + (i % 997);
    const price = ticks(side === Side.buy ? 5000 - distance : 5000 + distance);
    server.apply({ side, price, orderQty: lots(1000 + i) });
  }
}

const instrument = () => server.venue.exchange.state.instruments[BTC_USDT]!;
const sideNow = (side: Side): unknown =>
  JSON.parse(`[${l3SideText(server.venue.exchange.state, instrument(), side)}]`);
const dataOf = (peer: Peer): Json[] => peer.of('l3orderbook') as unknown as Json[];

function bookOf(peer: Peer): StreamBook {
  const book = new StreamBook();
  for (const message of dataOf(peer)) book.take(message);
  return book;
}

describe('the copy of a book', () => {
  test('is written in pieces of so many orders to the text that is written in one', () => {
    fill(5 * PIECE_ORDERS);
    const { state } = server.venue.exchange;
    expect(listedOrders(instrument())).toBe(5 * PIECE_ORDERS);
    for (const size of [1, 7, PIECE_ORDERS]) {
      const snapshot = new Level3Snapshot(state, instrument());
      let pieces = 1;
      let texts = snapshot.write(size);
      for (; texts === null; pieces++) texts = snapshot.write(size);
      expect(pieces).toBeGreaterThanOrEqual((5 * PIECE_ORDERS) / size);
      expect(texts).toEqual({
        bids: l3SideText(state, instrument(), Side.buy),
        asks: l3SideText(state, instrument(), Side.sell),
        complete: true,
      });
    }
  });

  test('has each part of an iceberg as an order of its own, which nothing links to others', () => {
    const { venue } = server;
    const [placed, shown] = [venue.time, venue.time + 1_000];
    const asksNow = (): unknown => {
      const { state } = venue.exchange;
      const { asks } = new Level3Snapshot(state, instrument()).write(10)!;
      expect(asks).toBe(l3SideText(state, instrument(), Side.sell));
      return JSON.parse(`[${asks}]`)[0];
    };
    const entry = (id: number, time: number, quantity: string, sequence = id): string[] => [
      `${id}`,
      `${sequence}`,
      `${time}`,
      quantity,
    ];
    const iceberg = limitWith([1, Side.sell, 100, 50_000_000], { displayQty: lots(1_000_000) });
    const { orderId } = venue.must(iceberg);
    const second = venue.sell(1, 100, 3_000_000);
    const both = [entry(orderId, placed, '1'), entry(second, placed, '3')];
    expect(asksNow()).toEqual(['1', '4', both]);

    venue.time = shown;
    venue.buy(2, 100, 1_000_000);
    const part = entry(second + 2, shown, '1');
    expect(asksNow()).toEqual(['1', '4', [entry(second, placed, '3'), part]]);

    // An iceberg that ends in its place keeps the id of its last part, and a hidden identity.
    venue.time += 1_000;
    venue.must(amendOf(1, orderId, { orderQty: lots(2_000_000), displayQty: lots(0) }));
    expect(asksNow()).toEqual(['1', '4', [entry(second, placed, '3'), part]]);
    venue.must(amendOf(1, orderId, { orderQty: lots(3_000_000) }));
    venue.must(amendOf(1, second, { orderQty: lots(4_000_000) }));
    const { next } = venue.exchange.state;
    const moved = entry(second, placed, '4', next.orderId - 1);
    const larger = entry(next.orderId - 2, venue.time, '2');
    expect(asksNow()).toEqual(['1', '6', [larger, moved]]);
  });

  test('of a side that is empty is empty', () => {
    const { state } = server.venue.exchange;
    const texts = new Level3Snapshot(state, instrument()).write(1);
    expect(texts).toEqual({ bids: '', asks: '', complete: true });
  });
});

describe('a large book', () => {
  test('continues while its snapshot is written, and is correct behind it', async () => {
    fill(4000);
    const random = new Prng(7);
    const { venue } = server;
    const early = server.join();
    early.say(LEVEL_3);
    const late = server.join();
    for (let step = 0; step < 120; step++) {
      const price = ticks(4000 + random.below(990));
      server.apply({ side: Side.buy, price, orderQty: lots(1000) });
      const orderId = 1 + random.below(4000);
      server.cancel(orderId);
      server.hub.receiveApplied();
      if (step === 20) late.say(LEVEL_3);
      await time.pass(2);
    }
    await time.pass(1000);
    for (const peer of [early, late]) {
      const snapshots = dataOf(peer).filter(({ type }) => String(type) === 'snapshot');
      expect(snapshots).toHaveLength(1);
      // The updates that came while it was written follow it.
      expect(dataOf(peer).length).toBeGreaterThan(1);
      const book = bookOf(peer);
      expect<unknown>(book.side('bids')).toEqual(sideNow(Side.buy));
      expect<unknown>(book.side('asks')).toEqual(sideNow(Side.sell));
      expect(book.seq).toBe(venue.seq);
    }
  });

  test('is written once for all who wait, and not at all for those who have gone', async () => {
    fill(4000);
    const peers = Array.from({ length: 20 }, () => server.join());
    for (const peer of peers) for (let i = 0; i < 5; i++) peer.say(LEVEL_3);
    for (const peer of peers.slice(10)) peer.leave();
    await time.pass(2000);
    const counts = peers.map((peer) => dataOf(peer).length);
    expect(counts).toEqual([...Array(10).fill(1), ...Array(10).fill(0)]);
    const texts = new Set(peers.slice(0, 10).map((peer) => JSON.stringify(dataOf(peer)[0])));
    expect(texts.size).toBe(1);
  });

  test('that waits for its reader is followed by the changes since', async () => {
    fill(4000);
    const peer = server.join();
    peer.unread = CAUGHT_UP_BYTES + 1;
    peer.say(LEVEL_3);
    await time.pass(500);
    for (let i = 0; i < 5; i++) {
      server.apply({ side: Side.buy, price: ticks(4990 + i), orderQty: lots(1000) });
      server.hub.receiveApplied();
      await time.pass(300);
    }
    expect(dataOf(peer)).toEqual([]);
    peer.unread = 0;
    await time.pass(500);
    const types = dataOf(peer).map(({ type }) => String(type));
    expect(types).toEqual(['snapshot', 'update', 'update', 'update', 'update', 'update']);
    expect<unknown>(bookOf(peer).side('bids')).toEqual(sideNow(Side.buy));
  });

  test('is not sent twice to a peer that has not read it', async () => {
    fill(4000);
    const peer = server.join();
    peer.reads = false;
    for (let i = 0; i < 10; i++) {
      peer.say(LEVEL_3);
      await time.pass(300);
    }
    expect(dataOf(peer)).toHaveLength(1);
    // Read at last: what was put off follows.
    peer.reads = true;
    peer.unread = 0;
    await time.pass(1000);
    expect(dataOf(peer)).toHaveLength(2);
    expect<unknown>(bookOf(peer).side('bids')).toEqual(sideNow(Side.buy));
  });
});

test('a change of very many orders comes as a snapshot, one at a time', async () => {
  for (let i = 0; i <= MAX_L3_ORDERS; i++) {
    server.apply({ uid: 1 + (i % 2), side: Side.sell, price: ticks(5000), orderQty: lots(1000) });
  }
  const [reader, late] = [server.join(), server.join()];
  reader.say(LEVEL_3);
  late.say(LEVEL_3);
  await time.pass(1000);
  late.unread = CAUGHT_UP_BYTES + 1;
  for (let step = 0; step < 100; step++) {
    server.apply({ uid: 1, side: Side.buy, price: ticks(4000 + step), orderQty: lots(1000) });
    server.apply({ uid: 1, side: Side.sell, price: ticks(5000), orderQty: lots(1000) });
    server.apply({ uid: 2, side: Side.buy, price: ticks(5000), orderQty: lots(1000) });
    server.hub.receiveApplied();
    await time.pass(10);
  }
  late.unread = 0;
  await time.pass(2000);
  // Few orders belong to this one.
  server.apply({ uid: 1, side: Side.buy, price: ticks(3000), orderQty: lots(1000) });
  server.hub.receiveApplied();
  await time.pass(1000);
  for (const peer of [reader, late]) {
    const types = dataOf(peer).map(({ type }) => String(type));
    expect(types.at(-1)).toBe('update');
    expect(new Set(types.slice(0, -1))).toEqual(new Set(['snapshot']));
    expect<unknown>(bookOf(peer).side('bids')).toEqual(sideNow(Side.buy));
  }
  const snapshots = dataOf(reader).length - 1;
  expect(snapshots).toBeGreaterThan(2);
  expect(snapshots).toBeLessThan(100 / 5);
  // The first, the one that waited and was outdated, and the last.
  expect(dataOf(late).length - 1).toBe(3);
});

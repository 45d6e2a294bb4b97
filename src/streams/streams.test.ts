// The websockets of the server in simulated time: which connections it keeps, what a heartbeat
// promises, and subscriptions that begin while their account is busy.
import { describe, expect, test } from 'bun:test';
import { SimulatedTime } from '../../test/sim/simulated-time.ts';
import { stopOf } from '../../test/support/order-types.ts';
import { MINE, Server } from '../../test/support/stream-server.ts';
import { CANDLE_INTERVALS } from '../core/calendar.ts';
import { Side } from '../core/fix.ts';
import { lots, ticks } from '../core/units.ts';
import {
  BOOK_INTERVAL_MS,
  fanOutRest,
  HEARTBEAT_SECONDS,
  MAX_BUFFERED_OF_PAYER,
  MAX_CHANNELS,
  MAX_CHANNELS_OF_PAYER,
  MAX_CONNECTIONS,
  MAX_HELD,
  PING_SECONDS,
  SILENCE_MS,
  STALL_MS,
} from './limits.ts';

const time = SimulatedTime.forEachTest();

const ORDERS = { op: 'subscribe', channel: 'orders' };

const settle = (): Promise<void> => time.pass(0);

describe('a connection', () => {
  test('gets pings, and is closed after a minute without a pong', async () => {
    const server = new Server(settle);
    const [alive, gone] = [server.join(), server.join()];
    for (let ms = 0; ms <= SILENCE_MS + 2_000; ms += 1_000) {
      await time.pass(1_000);
      if (alive.pings > 0) alive.answerPing();
    }
    expect(alive.pings).toBe(Math.floor(SILENCE_MS / 1_000 / PING_SECONDS));
    expect([alive.closed, gone.closed]).toEqual([[], ['nothing was heard for a minute']]);
    await time.pass(SILENCE_MS);
    alive.answerPing();
    await time.pass(SILENCE_MS - 2_000);
    expect(alive.closed).toEqual([]);
  });

  test('takes one of a limited number of places until it is released', () => {
    const { streams } = new Server(settle);
    const admit = () => streams.admit('/ws/v1/public', '::1', '::1', null);
    const first = admit();
    for (let taken = 1; taken < MAX_CONNECTIONS; taken++) admit();
    expect(admit).toThrow(expect.objectContaining({ kind: 'overloaded' }));
    streams.release(first);
    admit();
    expect(admit).toThrow(expect.objectContaining({ kind: 'overloaded' }));
  });
});

describe('cancel on disconnect', () => {
  test('follows the last subscription', async () => {
    for (const [asked, commands] of [
      [[true], ['massCancel']],
      [[true, false], []],
      [[false, true], ['massCancel']],
    ] as const) {
      const server = await new Server(settle).write();
      const peer = server.join(MINE);
      for (const cancelOnDisconnect of asked) peer.say({ ...ORDERS, cancelOnDisconnect });
      peer.leave();
      expect(await server.submitted()).toEqual([...commands]);
    }
  });

  test('does not happen when the server stops', async () => {
    const server = await new Server(settle).write();
    const peer = server.join(MINE);
    peer.say({ ...ORDERS, cancelOnDisconnect: true });
    server.streams.close();
    expect(peer.closed).toEqual(['the server is stopping']);
    expect(await server.submitted()).toEqual([]);
  });
});

describe('a heartbeat', () => {
  const TWICE = 2 * HEARTBEAT_SECONDS * 1_000;

  test('follows all messages up to its seq', async () => {
    const server = new Server(settle);
    const peer = server.join(MINE);
    peer.say(ORDERS);
    await time.pass(0);
    expect(peer.of('orders')).toHaveLength(1);
    // Applied, but not flushed when the heartbeat is due.
    server.apply();
    await time.pass(TWICE);
    const channels = peer.heard.map(({ channel }) => channel);
    expect(channels.lastIndexOf('orders')).toBeLessThan(channels.indexOf('heartbeat'));
    const { seq } = server.venue;
    expect(peer.of('orders').at(-1)).toMatchObject({ type: 'update', seq });
    expect(peer.of('heartbeat')[0]).toMatchObject({ seq, channels: [{ channel: 'orders', seq }] });
  });

  test('does not come before the snapshot of a subscription', async () => {
    const server = new Server(settle);
    server.apply();
    const peer = server.join(MINE);
    peer.say(ORDERS);
    await time.pass(TWICE);
    expect([peer.of('orders'), peer.of('heartbeat')]).toEqual([[], []]);
    await server.answer();
    expect(peer.of('orders')).toHaveLength(1);
    await time.pass(TWICE);
    expect(peer.of('heartbeat').length).toBeGreaterThan(0);
  });
});

describe('the triggers of trailing stops', () => {
  const TRIGGERS = { op: 'subscribe', channel: 'triggers' };
  const SECOND = 1_000;

  /** A trade, which moves the last price. */
  const trade = (server: Server, price: number): void => {
    const at = { price: ticks(price), orderQty: lots(1) };
    server.apply({ ...at, side: Side.buy });
    server.apply({ ...at, side: Side.sell, uid: 2 });
  };

  test('come with a snapshot, then once for all moves of an interval', async () => {
    const server = new Server(settle);
    trade(server, 1_000);
    server.apply(stopOf([1, Side.sell, 0, 1], {}, { trail: 500 }));
    const stop = server.venue.events.find(({ type }) => type === 'executionReport');
    expect(stop).toMatchObject({ triggerPx: 950 });
    const peer = server.join(MINE);
    peer.say(TRIGGERS);
    await time.pass(0);
    for (const price of [1_100, 1_200, 1_150]) trade(server, price);
    await time.pass(SECOND);
    trade(server, 1_180);
    await time.pass(SECOND);
    const seen = peer.of('triggers').map(({ type, data }) => [type, data]);
    expect(seen).toMatchObject([
      ['snapshot', [{ symbol: 'BTC-USDT', triggerPx: 9.5 }]],
      ['update', [{ symbol: 'BTC-USDT', triggerPx: 11.4 }]],
    ]);
  });
});

test('thousands of triggers that move come in messages of 400 at most', async () => {
  const STOPS = 1_000;
  const server = new Server(settle);
  const trade = (price: number): void => {
    const at = { price: ticks(price), orderQty: lots(1) };
    server.apply({ ...at, side: Side.buy });
    server.apply({ ...at, side: Side.sell, uid: 2 });
  };
  trade(1_000);
  const stop = stopOf([1, Side.sell, 0, 1], {}, { trail: 500 });
  for (let i = 0; i < STOPS; i++) server.apply(stop);
  const peer = server.join(MINE);
  peer.say({ op: 'subscribe', channel: 'triggers' });
  await time.pass(1_000);
  trade(1_100);
  await time.pass(1_000);
  const updates = peer.of('triggers').filter(({ type }) => type === 'update');
  const rows = updates.map(({ data }) => (data as unknown as { orderId: number }[]).length);
  expect(rows).toEqual([400, 400, 200]);
});

describe('a subscription that waits for its snapshot', () => {
  test('gets the changes up to its seq in it, and none of them again', async () => {
    const server = new Server(settle);
    server.apply();
    const peer = server.join(MINE);
    peer.say(ORDERS);
    await time.pass(0);
    // The first is flushed; the second is pending when the views answer.
    server.apply();
    server.hub.flush();
    server.apply();
    await server.answer();
    server.hub.flush();
    const messages = peer.of('orders');
    expect(messages).toHaveLength(1);
    const [{ type, seq, data }] = messages as [Record<string, unknown>];
    expect([type, seq]).toEqual(['snapshot', server.venue.seq]);
    expect((data as { orderId: number }[]).map(({ orderId }) => orderId)).toEqual([3, 2]);
    server.apply();
    server.hub.flush();
    expect(peer.of('orders').at(-1)).toMatchObject({ type: 'update', prevSeq: seq });
  });

  test('is closed when its buffer is full', async () => {
    const server = new Server(settle);
    server.apply();
    const peer = server.join(MINE);
    peer.say(ORDERS);
    await time.pass(0);
    const clOrdId = 'x'.repeat(1_000);
    for (let told = 0; told <= MAX_HELD && peer.closed.length === 0; told += clOrdId.length) {
      server.apply({ clOrdId });
      server.hub.flush();
    }
    expect(peer.closed).toEqual(['too much has come before the first message']);
    expect(peer.of('orders')).toEqual([]);
  });
});

describe('the places of websockets', () => {
  test('are counted for each account as well', () => {
    const { streams } = new Server(settle, { perAccount: 2, perAddress: 10 });
    const admit = () => streams.admit('/ws/v1/private/orders', '::1', '::1', MINE);
    const first = admit();
    admit();
    const rejected = { kind: 'tooManyConnections', details: { value: 'account' } };
    expect(admit).toThrow(expect.objectContaining({ kind: 'tooManyConnections' }));
    try {
      admit();
    } catch (error) {
      expect(error).toMatchObject(rejected);
    }
    streams.release(first);
    admit();
  });

  test('have a limited number of channels together', async () => {
    const server = new Server(settle);
    const intervals = Object.keys(CANDLE_INTERVALS);
    const depths = [1, 5, 20, 100];
    const subjects = [
      ...intervals.map((interval) => ({ channel: 'candles', symbol: 'BTC-USDT', interval })),
      ...depths.map((depth) => ({ channel: 'orderbook', symbol: 'BTC-USDT', depth })),
    ];
    expect(subjects.length).toBeLessThan(MAX_CHANNELS);
    const peers = Array.from({ length: MAX_CHANNELS_OF_PAYER / subjects.length }, () =>
      server.join(),
    );
    for (const peer of peers) {
      for (const subject of subjects) peer.say({ op: 'subscribe', ...subject });
    }
    const late = server.join();
    const ticker = { op: 'subscribe', channel: 'ticker' };
    late.say(ticker);
    expect(late.heard.at(-1)).toMatchObject({
      op: 'error',
      code: '100602',
      details: { limit: MAX_CHANNELS_OF_PAYER, value: 'address' },
    });
    const elsewhere = server.join(null, '::2');
    elsewhere.say(ticker);
    expect(elsewhere.heard.at(-1)).toMatchObject({ op: 'subscribed' });
    peers[0]!.leave();
    late.say(ticker);
    expect(late.heard.at(-1)).toMatchObject({ op: 'subscribed' });
  });
});

test('more members make the messages of a book rarer', async () => {
  const server = new Server(settle);
  const updatesOf = async (listeners: number): Promise<number> => {
    const peers = Array.from({ length: listeners }, () => server.join());
    for (const peer of peers)
      peer.say({ op: 'subscribe', channel: 'orderbook', symbol: 'BTC-USDT' });
    for (let ms = 0; ms < 400; ms++) {
      server.apply();
      server.hub.receiveApplied();
      await time.pass(1);
    }
    for (const peer of peers) peer.leave();
    return peers[0]!.of('orderbook').length - 1;
  };
  const few = await updatesOf(1);
  const many = await updatesOf(1000);
  expect(few).toBeGreaterThan(400 / BOOK_INTERVAL_MS / 2);
  expect(many).toBeLessThanOrEqual(400 / fanOutRest(1000) + 2);
  expect(many).toBeGreaterThan(2);
});

describe('peers that do not read', () => {
  test('are closed after a time without reading', async () => {
    const server = new Server(settle);
    const peer = server.join();
    peer.reads = false;
    peer.say({ op: 'ping' });
    await time.pass(STALL_MS - 1000);
    expect(peer.closed).toEqual([]);
    await time.pass(2000);
    expect(peer.closed).toEqual(['too slow: read faster, or subscribe to less']);
  });

  test('are cut off where their address holds too much memory, the largest first', async () => {
    const server = new Server(settle);
    const [small, large] = [server.join(), server.join()];
    small.unread = MAX_BUFFERED_OF_PAYER / 4;
    large.unread = MAX_BUFFERED_OF_PAYER;
    await time.pass(100);
    expect([small.closed, large.closed]).toEqual([[], ['cut off']]);
  });
});

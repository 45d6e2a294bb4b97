// The bounds of the websockets: floods, giant and endless messages, peers that do not read, too
// many connections and channels. The server closes the offender with a reason, or conflates its
// messages; the others do not notice.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BOOK_DEPTHS } from '../../src/contract/market-data/market-data.ts';
import { CANDLE_INTERVALS } from '../../src/core/calendar.ts';
import {
  INBOUND_BURST,
  INBOUND_PER_SECOND,
  MAX_BUFFERED_BYTES,
  MAX_CHANNELS,
  SLOW_BYTES,
  SLOW_CHECK_MS,
  STALL_MS,
} from '../../src/streams/limits.ts';
import { type Client, L3_ORDERBOOK, TestNode } from '../support/node.ts';
import { RawSocket } from '../support/raw-socket.ts';
import { OWN_ORDERS, PUBLIC, StreamClient, UPGRADE } from '../support/stream.ts';
import { StreamBook } from '../support/stream-book.ts';
import { BTC_USDT_TERMS } from '../support/venue.ts';
import { jumpAhead, until } from '../support/waiting.ts';

let node: TestNode;
let client: Client;
let witness: StreamClient;
beforeAll(async () => {
  node = await TestNode.start({ flags: ['--streams-per-address', '20', '--rate-limits', 'off'] });
  client = await node.client();
  witness = await StreamClient.open(node);
});
afterAll(async () => {
  // After all this the server still serves.
  await witness.settle();
  expect(witness.isClosed).toBe(false);
  await node.stop();
});

const PAIR = { symbol: 'BTC-USDT' };
const SENT_SNAPSHOTS = 'agio_stream_snapshot_bytes_total';
const BUFFERED = 'agio_stream_buffered_bytes';
const CONNECTIONS = 'agio_stream_connections';
const REJECTED = 'agio_stream_refused_total';
/** Far more messages than a connection may send, even while the server is slow. */
const FLOOD = 8 * INBOUND_BURST;

describe('what comes in', () => {
  test('a flood of messages', async () => {
    const start = performance.now();
    const stream = await StreamClient.open(node);
    for (let i = 0; i < FLOOD; i++) stream.say({ op: 'ping' });
    expect(await stream.closed).toEqual({ code: 1008, reason: 'too many messages' });
    const earned = (INBOUND_PER_SECOND * (performance.now() - start)) / 1000;
    const pongs = stream.messages.filter(({ op }) => String(op) === 'pong');
    expect(pongs.length).toBeLessThanOrEqual(INBOUND_BURST + earned);
  });

  test('a flood of pings of the protocol', async () => {
    await using raw = await RawSocket.open(node.port, PUBLIC);
    for (let i = 0; i < FLOOD; i++) raw.frame(0x9, new Uint8Array(4));
    expect(await raw.closeCode()).toBe(1008);
  });

  test('a message that is too long, whole or in pieces', async () => {
    const long = new TextEncoder().encode(`{"op":"ping","id":"${'x'.repeat(5000)}"}`);
    await using whole = await RawSocket.open(node.port, PUBLIC);
    whole.frame(0x1, long);
    expect(await whole.ended()).toBe(true);
    await using pieces = await RawSocket.open(node.port, PUBLIC);
    pieces.frame(0x1, long.subarray(0, 1000), { last: false });
    for (let at = 1000; at < long.length; at += 1000) {
      pieces.frame(0x0, long.subarray(at, at + 1000), { last: at + 1000 >= long.length });
    }
    expect(await pieces.ended()).toBe(true);
    // A giant message of which only the header comes.
    await using giant = await RawSocket.open(node.port, PUBLIC);
    giant.write(Uint8Array.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4]));
    expect(await giant.ended()).toBe(true);
  });

  test('a message in fragments is one message', async () => {
    await using raw = await RawSocket.open(node.port, PUBLIC);
    const bytes = new TextEncoder().encode('{"op":"ping","id":"in pieces"}');
    for (let at = 0; at < bytes.length; at++) {
      raw.frame(at === 0 ? 0x1 : 0x0, bytes.subarray(at, at + 1), {
        last: at === bytes.length - 1,
      });
    }
    expect(await raw.text()).toContain('"id":"in pieces"');
  });

  test('frames that break the protocol', async () => {
    const broken: readonly (readonly [string, (raw: RawSocket) => void])[] = [
      ['no mask', (raw) => raw.write(Uint8Array.from([0x81, 2, 0x7b, 0x7d]))],
      ['a reserved bit', (raw) => raw.frame(0x41, new Uint8Array(2))],
      ['an unknown opcode', (raw) => raw.frame(0x3, new Uint8Array(2))],
      ['a continuation of nothing', (raw) => raw.frame(0x0, new Uint8Array(2))],
      ['a long ping', (raw) => raw.frame(0x9, new Uint8Array(200))],
      ['text that is no UTF-8', (raw) => raw.frame(0x1, Uint8Array.from([0xff, 0xfe]))],
    ];
    for (const [name, send] of broken) {
      await using raw = await RawSocket.open(node.port, PUBLIC);
      send(raw);
      expect({ name, ended: await raw.ended() }).toEqual({ name, ended: true });
    }
  });
});

describe('limits of an open connection', () => {
  test('connections of one address', async () => {
    const streams: StreamClient[] = [];
    for (let i = 0; i < 19; i++) streams.push(await StreamClient.open(node));
    await expect(StreamClient.open(node)).rejects.toThrow('rejected');
    const answer = await node.request(PUBLIC, { headers: UPGRADE });
    expect([answer.status, String(answer.body.code)]).toEqual([429, '100603']);
    await streams.pop()!.close();
    await until(() =>
      StreamClient.open(node).then(
        (again) => again.close(),
        () => false,
      ),
    );
    for (const stream of streams) await stream.close();
    // The witness stays.
    await until(async () => (await node.metric(CONNECTIONS)) === 1);
  });

  test('channels of one connection', async () => {
    for (let i = 0; i < 12; i++) {
      await node.must({ type: 'createAsset', asset: `A${i}`, scale: 8, fiat: false });
      const symbol = `A${i}-USDT`;
      await node.must({ ...BTC_USDT_TERMS, symbol, baseAsset: `A${i}`, quoteAsset: 'USDT' });
    }
    const symbols = node.state.instruments.flatMap((instrument) => instrument?.symbol ?? []);
    const subjects = symbols.flatMap((symbol) => [
      ...BOOK_DEPTHS.map((depth) => ({ channel: 'orderbook', symbol, depth })),
      ...Object.keys(CANDLE_INTERVALS).map((interval) => ({
        channel: 'candles',
        symbol,
        interval,
      })),
      ...['trades', 'ticker', 'l3orderbook', 'instruments'].map((channel) => ({ channel, symbol })),
    ]);
    expect(subjects.length).toBeGreaterThan(MAX_CHANNELS);
    await using stream = await StreamClient.open(node);
    for (const subject of subjects.slice(0, MAX_CHANNELS)) {
      let answer = await stream.ask({ op: 'subscribe', ...subject });
      // A busy machine uses up the budget of time.
      while (String(answer.code) === '100429') {
        jumpAhead(1000);
        answer = await stream.ask({ op: 'subscribe', ...subject });
      }
      expect<unknown>(answer).toMatchObject({ op: 'subscribed' });
    }
    const beyond = subjects[MAX_CHANNELS]!;
    const rejected = await stream.ask({ op: 'subscribe', ...beyond });
    expect<unknown>(rejected).toMatchObject({ op: 'error', code: '100602' });
    // A repeated subscription is no further channel, and one that ends makes room.
    await stream.subscribe(subjects[0]!);
    await stream.ask({ op: 'unsubscribe', ...subjects[0]! });
    await stream.subscribe(beyond);
  });
});

describe('repeated requests', () => {
  test('for open orders share one read', async () => {
    const owner = await node.client();
    await owner.limit(1, '10', '1');
    const { views } = node.services;
    const { query } = views;
    let reads = 0;
    views.query = (asked, minSeq) => {
      if (asked.type === 'orders') reads++;
      return query.call(views, asked, minSeq) as never;
    };
    try {
      await using raw = await RawSocket.open(node.port, OWN_ORDERS, owner.headersOf(OWN_ORDERS));
      const rounds = 40;
      for (let i = 0; i < rounds; i++) raw.say({ op: 'subscribe', channel: 'orders', id: i });
      // The last one is answered like the first.
      for (;;) {
        const message = JSON.parse(await raw.text());
        if (message.op === 'subscribed' && message.id === rounds - 1) break;
      }
      for (;;) {
        if (JSON.parse(await raw.text()).type === 'snapshot') break;
      }
      expect(reads).toBeGreaterThan(0);
      expect(reads).toBeLessThan(rounds / 4);
    } finally {
      views.query = query;
    }
  });
});

describe('a peer that does not read', () => {
  /** A snapshot of them all is shorter than SLOW_BYTES. */
  const BIDS = 2000;
  /** The server measures what waits from time to time; the system's buffers may take more of it. */
  const isStuck = async () => {
    const bytes = await node.metric(BUFFERED);
    const since = performance.now();
    while (bytes > 0 && performance.now() - since < 3 * SLOW_CHECK_MS) {
      if ((await node.metric(BUFFERED)) !== bytes) return false;
    }
    return bytes > 0;
  };
  /** Subscribes again for further snapshots, until the buffers of the system take no more. */
  const fillBuffers = async (raw: RawSocket, subject: object) => {
    // A repeated subscribe ends the one before, so it follows the snapshot or a rejection.
    let requested = '';
    await until(async () => {
      const answered = `${await node.metric(SENT_SNAPSHOTS)}/${await node.metric(REJECTED)}`;
      if (answered !== requested) raw.say({ op: 'subscribe', ...subject });
      requested = answered;
      return isStuck();
    });
  };
  beforeAll(() => node.placeBids(client.uid, BIDS));

  test('of a book gets the newest state when it reads again', async () => {
    await using raw = await RawSocket.open(node.port, PUBLIC);
    raw.pause();
    await fillBuffers(raw, { channel: 'l3orderbook', ...PAIR });
    for (let i = 0; i < 20; i++) await client.limit(1, String(50 + i), '1');
    raw.resume();
    const book = new StreamBook();
    const { seq } = node;
    while (book.seq < seq) {
      const message = JSON.parse(await raw.text());
      if (message.channel === 'l3orderbook' && message.type !== undefined) book.take(message);
    }
    const { bids } = (await node.get(L3_ORDERBOOK, PAIR)).body;
    expect<unknown>(book.side('bids')).toEqual(bids);
  });

  test('of anything else is closed with a reason', async () => {
    await using raw = await RawSocket.open(node.port, OWN_ORDERS, client.headersOf(OWN_ORDERS));
    raw.pause();
    const isClosed = async () =>
      !node.state.eventFilter.includesOwner(client.uid) || (await node.metric(CONNECTIONS)) === 1;
    do {
      await fillBuffers(raw, { channel: 'orders' });
      const bytes = await node.metric(BUFFERED);
      jumpAhead(STALL_MS);
      // The system may take more bytes after all.
      await until(async () => (await isClosed()) || (await node.metric(BUFFERED)) < bytes);
    } while (!(await isClosed()));
    // The server cuts the peer off soon after it has closed, whether the peer has read why or not.
    raw.resume();
    expect(await raw.closeCode()).toBe(1013);
    await witness.settle();
  });

  test('of the answers to its orders is cut off before they fill the memory', async () => {
    await using raw = await RawSocket.open(node.port, OWN_ORDERS, client.headersOf(OWN_ORDERS));
    raw.pause();
    const orders = Array.from({ length: 50 }, () => ({ op: 'place', price: 'none' }));
    const opened = () => node.metric(CONNECTIONS);
    const connections = await opened();
    let most = 0;
    while ((await opened()) === connections) {
      for (let i = 0; i < 20; i++) {
        raw.say({ op: 'order.batch', timestamp: Date.now(), orders });
      }
      most = Math.max(most, await node.metric(BUFFERED));
    }
    expect(most).toBeGreaterThan(SLOW_BYTES);
    expect(most).toBeLessThanOrEqual(MAX_BUFFERED_BYTES);
    await witness.settle();
  });
});

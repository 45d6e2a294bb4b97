// The bounds of the websockets: floods, giant and endless messages, readers that do not read, too
// many connections and channels. Whoever goes beyond one is closed with a reason, or conflated;
// nobody else notices.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BOOK_DEPTHS, CANDLE_INTERVALS } from '../../src/contract/market-data/market-data.ts';
import {
  INBOUND_BURST,
  INBOUND_PER_SECOND,
  MAX_CHANNELS,
  MAX_REST_MS,
} from '../../src/streams/limits.ts';
import { type Client, signedHeaders, TestNode } from '../support/node.ts';
import { RawSocket } from '../support/raw-socket.ts';
import { OWN_ORDERS, PUBLIC, StreamClient } from '../support/stream.ts';
import { StreamBook } from '../support/stream-book.ts';
import { BTC_USDT_TERMS } from '../support/venue.ts';
import { until } from '../support/waiting.ts';

let node: TestNode;
let client: Client;
let witness: StreamClient;
beforeAll(async () => {
  node = await TestNode.start({ flags: ['--streams-per-address', '20', '--rate-limits', 'off'] });
  client = await node.client();
  witness = await StreamClient.open(node);
});
afterAll(async () => {
  // Whatever was done to the server, it serves.
  await witness.settle();
  expect(witness.isClosed).toBe(false);
  await node.stop();
});

const PAIR = { symbol: 'BTC-USDT' };
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

  test('a flood of subscribes costs the flooder alone', async () => {
    const stream = await StreamClient.open(node);
    for (let i = 0; i < FLOOD; i++) {
      stream.say({ op: 'subscribe', channel: 'l3orderbook', ...PAIR });
    }
    expect((await stream.closed).code).toBe(1008);
    await witness.settle();
  });

  test('a flood of pings of the protocol', async () => {
    await using raw = await RawSocket.open(node.port, PUBLIC);
    for (let i = 0; i < FLOOD; i++) raw.frame(0x9, new Uint8Array(4));
    expect(await raw.closeCode()).toBe(1008);
  });

  test('a message that is too long, at once or in pieces', async () => {
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
    // A giant that is only announced.
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

describe('what is held', () => {
  test('connections of one address', async () => {
    const streams: StreamClient[] = [];
    for (let i = 0; i < 19; i++) streams.push(await StreamClient.open(node));
    await expect(StreamClient.open(node)).rejects.toThrow('refused');
    const answer = await node.request(PUBLIC, {
      headers: {
        Upgrade: 'websocket',
        Connection: 'Upgrade',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version': '13',
      },
    });
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
    await until(async () => /^agio_stream_connections 1$/m.test((await node.get('/metrics')).text));
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
      ...CANDLE_INTERVALS.map((interval) => ({ channel: 'candles', symbol, interval })),
      ...['trades', 'ticker', 'l3orderbook', 'instruments'].map((channel) => ({ channel, symbol })),
    ]);
    expect(subjects.length).toBeGreaterThan(MAX_CHANNELS);
    await using stream = await StreamClient.open(node);
    for (const subject of subjects.slice(0, MAX_CHANNELS)) await stream.subscribe(subject);
    const beyond = subjects[MAX_CHANNELS]!;
    const refused = await stream.ask({ op: 'subscribe', ...beyond });
    expect<unknown>(refused).toMatchObject({ op: 'error', code: '100602' });
    // To begin anew is no further channel, and one that has ended makes room.
    await stream.subscribe(subjects[0]!);
    await stream.ask({ op: 'unsubscribe', ...subjects[0]! });
    await stream.subscribe(beyond);
  });
});

describe('who asks again and again', () => {
  test('for open orders is shown what was read once for all who wait', async () => {
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
      const path = OWN_ORDERS;
      const timestamp = owner.timestamp();
      const headers = signedHeaders(owner.credentials, { method: 'GET', path, timestamp });
      await using raw = await RawSocket.open(node.port, path, headers);
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

describe('who does not read', () => {
  /** Some changes of the book, each with a level of its own. */
  const stir = async (rounds: number) => {
    for (let i = 0; i < rounds; i++) {
      await client.limit(1, String(10 + (i % 400) / 10), '1');
    }
  };

  test('of a book is given the newest state when they read again', async () => {
    await stir(1000);
    await using raw = await RawSocket.open(node.port, PUBLIC);
    raw.pause();
    // Each subscription anew is a snapshot of some 50 kB, until the reader is far behind.
    for (let i = 0; i < 200; i++) {
      raw.say({ op: 'subscribe', channel: 'l3orderbook', ...PAIR });
      if (i % 10 === 0) await Bun.sleep(10);
    }
    await Bun.sleep(300);
    await stir(20);
    raw.resume();
    const book = new StreamBook();
    const seq = node.seq;
    let snapshots = 0;
    for (;;) {
      const message = JSON.parse(await raw.text());
      if (message.channel !== 'l3orderbook' || message.type === undefined) continue;
      book.take(message);
      if (message.type === 'snapshot') snapshots++;
      if (message.seq >= seq) break;
    }
    const { bids } = (await node.get('/market-data-server/api/public/v1/l3Orderbook', PAIR)).body;
    expect<unknown>(book.side('bids')).toEqual(bids);
    expect(snapshots).toBeLessThan(200);
  });

  test('of anything else is closed with a reason', async () => {
    await stir(1000);
    const path = OWN_ORDERS;
    const timestamp = client.timestamp();
    const headers = signedHeaders(client.credentials, { method: 'GET', path, timestamp });
    await using raw = await RawSocket.open(node.port, path, headers);
    raw.pause();
    const unread = async () => {
      const { text } = await node.get('/metrics');
      return Number(/^agio_stream_buffered_bytes (\S+)$/m.exec(text)?.[1]);
    };
    // Snapshots of the open orders, some 500 kB each, until the system's buffers take no more. None
    // is made while one is unread.
    while ((await unread()) === 0) {
      raw.say({ op: 'subscribe', channel: 'orders' });
      await Bun.sleep(2 * MAX_REST_MS);
    }
    const isHeard = () => node.state.eventFilter.includesOwner(client.uid);
    // The peer is cut off soon after the server has closed, whether it has read why or not.
    await until(() => !isHeard());
    raw.resume();
    expect(await raw.closeCode()).toBe(1013);
    await witness.settle();
  });
});

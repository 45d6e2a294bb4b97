// The public websocket: each channel from its snapshot through its updates, how subscriptions begin
// and end, and every kind of message that is rejected.

import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { MAX_L3_ORDERS } from '../../src/contract/market-data/market-data.ts';
import { InstrumentStatus, Side } from '../../src/core/fix.ts';
import { lots, ticks } from '../../src/core/units.ts';
import { HEARTBEAT_SECONDS, SNAPSHOT_TRADES } from '../../src/streams/limits.ts';
import {
  BBO,
  CANDLES,
  type Client,
  INSTRUMENTS,
  type Json,
  L3_ORDERBOOK,
  ORDERS_V2,
  TestNode,
  TICKERS,
  TRADES,
} from '../support/node.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { expectOk, rowsOf } from '../support/shape.ts';
import { expectChain, PUBLIC, StreamClient, UPGRADE } from '../support/stream.ts';
import { placeOrder } from '../support/venue.ts';
import { jumpAhead, until } from '../support/waiting.ts';

const PAIR = { symbol: 'BTC-USDT' };

const node = TestNode.forFile();
let maker: Client;
let taker: Client;
beforeAll(async () => {
  maker = await node.client();
  taker = await node.client();
});

/** Each test begins with full budgets. */
beforeEach(() => jumpAhead(30_000));

const cancelAll = () => maker.post('/spot-api/api/private/v1/order/masscancel', {});

describe('orderbook', () => {
  test('a depth is exactly the best levels: others have quantity 0', async () => {
    await cancelAll();
    await maker.limit(1, '90', '1');
    await using stream = await StreamClient.open(node);
    const snapshot = await stream.subscribe({ channel: 'orderbook', depth: 1, ...PAIR });
    expect<unknown>(snapshot.bids).toEqual([[90, 1]]);
    const better = await maker.limit(1, '91', '3');
    const first = await stream.take({ type: 'update' });
    expect<unknown>(first.bids).toEqual([
      [91, 3],
      [90, 0],
    ]);
    // Below the depth of this subscription.
    await maker.limit(1, '89', '1');
    await maker.post('/spot-api/api/private/v1/order/cancel', { orderId: better });
    const second = await stream.take({ type: 'update' });
    expect<unknown>(second.bids).toEqual([
      [91, 0],
      [90, 1],
    ]);
    expect<unknown>(second.prevSeq).toBe(first.seq);
    expect(Number(second.checksum)).toBe(Bun.hash.crc32('90:1|'));
  });

  test('a repeated subscription restarts with a snapshot', async () => {
    await using stream = await StreamClient.open(node);
    const first = await stream.subscribe({ channel: 'orderbook', ...PAIR });
    const second = await stream.subscribe({ channel: 'orderbook', ...PAIR });
    expect<unknown>(second.bids).toEqual(first.bids);
    await maker.limit(1, '80', '1');
    await stream.take({ type: 'update' });
    await stream.settle();
    expect(stream.of('orderbook').filter(({ type }) => String(type) === 'update')).toHaveLength(1);
  });
});

test('bbo: the best prices, and a message only when they have changed', async () => {
  await cancelAll();
  await maker.limit(1, '99', '1');
  await using stream = await StreamClient.open(node);
  const snapshot = await stream.subscribe({ channel: 'bbo', ...PAIR });
  const { bestBid, bestBidQuantity, bestAsk, bestAskQuantity } = snapshot;
  expect<unknown>({ bestBid, bestBidQuantity, bestAsk, bestAskQuantity }).toEqual({
    ...{ bestBid: 99, bestBidQuantity: 1, bestAsk: null, bestAskQuantity: null },
  });
  const [rest] = rowsOf(expectOk(await node.get(BBO, PAIR)));
  expect<unknown>(snapshot).toMatchObject({ bestBid: rest!.bestBid, seq: node.seq });
  await maker.limit(1, '98', '7');
  await maker.limit(2, '102', '2');
  const update = await stream.take({ channel: 'bbo', type: 'update' });
  expect<unknown>(update).toMatchObject({
    ...{ symbol: 'BTC-USDT', prevSeq: snapshot.seq, seq: node.seq },
    ...{ bestBid: 99, bestBidQuantity: 1, bestAsk: 102, bestAskQuantity: 2 },
  });
  await maker.limit(1, '97', '7');
  await maker.limit(1, '99', '0.5');
  await stream.take({ channel: 'bbo', bestBidQuantity: 1.5 });
  await stream.settle();
  // One for the ask and one for the bid: none for prices below the best.
  expect(stream.of('bbo').filter(({ type }) => String(type) === 'update')).toHaveLength(2);
});

test('l3orderbook: a side with more orders than a snapshot lists is not complete', async () => {
  const symbol = 'MMX-USDT';
  const { securityId } = node.state.instrumentNamed(symbol)!;
  const uids = [await node.user(), await node.user()];
  for (let i = 0; i <= MAX_L3_ORDERS; i += 1000) {
    const size = Math.min(1000, MAX_L3_ORDERS + 1 - i);
    const orders = Array.from({ length: size }, (_, at) =>
      node.must(
        placeOrder({
          uid: uids[(i + at) % 2]!,
          side: Side.buy,
          securityId,
          price: ticks(1000 + ((i + at) % 200)),
          orderQty: lots(10),
        }),
      ),
    );
    await Promise.all(orders);
  }
  await using stream = await StreamClient.open(node);
  const snapshot = await stream.subscribe({ channel: 'l3orderbook', symbol });
  const rest = expectOk(await node.get(L3_ORDERBOOK, { symbol }));
  expect<unknown>(snapshot.bids).toEqual(rest.bids);
  expect<unknown>(snapshot.complete).toBe(false);
  const whole = await stream.subscribe({ channel: 'l3orderbook', ...PAIR });
  expect<unknown>(whole.complete).toBe(true);
  const level = (snapshot.bids as unknown as [string, string, unknown[]][])[0]!;
  await maker.post('/spot-api/api/private/v1/order', {
    symbol,
    side: 1,
    ordType: 2,
    price: level[0],
    orderQty: '1',
  });
  const update = await stream.take({ channel: 'l3orderbook', type: 'update' });
  const changed = (update.bids as unknown as [string, string, unknown[]][])[0]!;
  expect([changed[0], changed[2].length]).toEqual([level[0], level[2].length + 1]);
});

test('trades: the snapshot has the newest hundred, also of those that came since', async () => {
  await using first = await StreamClient.open(node);
  await first.subscribe({ channel: 'trades', ...PAIR });
  const asks = Array.from({ length: 30 }, () => ({
    ...{ op: 'place', symbol: 'BTC-USDT', side: 2, ordType: 2, price: '90', orderQty: '0.01' },
  }));
  for (let n = 0; n < 4; n++) {
    expectOk(await maker.post(ORDERS_V2, { orders: asks }));
    await taker.limit(1, '90', '0.3');
  }
  await using stream = await StreamClient.open(node);
  const { data } = await stream.subscribe({ channel: 'trades', ...PAIR });
  const rest = expectOk(await node.get(TRADES, { ...PAIR, limit: 100 })) as unknown as Json[];
  expect(data).toHaveLength(SNAPSHOT_TRADES);
  expect<unknown>(data).toEqual([...rest].reverse());
});

test('ticker: of one pair or of all, again when the book moves', async () => {
  await cancelAll();
  await using stream = await StreamClient.open(node);
  const all = await stream.subscribe({ channel: 'ticker' });
  const rows = all.data as unknown as Json[];
  expect(rows).toHaveLength(4);
  const one = await stream.subscribe({ channel: 'ticker', ...PAIR });
  const rest = expectOk(await node.get(TICKERS, PAIR)) as unknown as Json[];
  expect<unknown>(Object.keys(one.data![0]!)).toEqual(Object.keys(rest[0]!));
  await maker.limit(1, '98.76', '1');
  const update = await stream.take(
    ({ channel, type }) => String(channel) === 'ticker' && String(type) === 'update',
  );
  expect<unknown>(update.data![0]).toMatchObject({ symbol: 'BTC-USDT', bestBid: 98.76 });
});

test('candles: what REST has, then the one that grows', async () => {
  await using stream = await StreamClient.open(node);
  const snapshot = await stream.subscribe({ channel: 'candles', interval: '1m', ...PAIR });
  const before = expectOk(await node.get(CANDLES, { ...PAIR, interval: '1m', limit: 100 }));
  expect<unknown>(snapshot.data).toEqual(before);
  await maker.limit(2, '104', '0.1');
  await taker.limit(1, '104', '0.1');
  const update = await stream.take({ type: 'update' });
  const after = expectOk(await node.get(CANDLES, { ...PAIR, interval: '1m', limit: 1 }));
  expect<unknown>((update.data as unknown as Json[]).at(-1)).toEqual(after[0]);
  expect<unknown>(update.interval).toBe('1m');
  expectChain(stream.of('candles'));
});

test('instruments: the list, then each that changes', async () => {
  await using stream = await StreamClient.open(node);
  const all = await stream.subscribe({ channel: 'instruments' });
  expect<unknown>(all.data).toEqual(expectOk(await node.get(INSTRUMENTS)));
  await node.amend('ETH-USDT', { status: InstrumentStatus.HALTED });
  const update = await stream.take({ type: 'update' });
  expect<unknown>(update.data).toMatchObject([{ symbol: 'ETH-USDT', instrumentStatus: 'HALTED' }]);
  await node.amend('ETH-USDT', { status: InstrumentStatus.LIVE });
  await stream.take({ type: 'update' });
});

describe('subscriptions', () => {
  test('after unsubscribing nothing more comes, and the core emits nothing for it', async () => {
    const stream = await StreamClient.open(node);
    await stream.subscribe({ channel: 'trades', ...PAIR });
    const answer = await stream.ask({ op: 'unsubscribe', channel: 'trades', ...PAIR });
    expect<unknown>(answer).toMatchObject({ op: 'unsubscribed', channel: 'trades', ...PAIR });
    await maker.limit(2, '105', '0.1');
    await taker.limit(1, '105', '0.1');
    await stream.settle();
    expect(stream.of('trades')).toHaveLength(1);
    await stream.subscribe({ channel: 'trades', ...PAIR });
    expect(node.state.eventFilter.includesPair(1)).toBe(true);
    await stream.close();
    await until(() => !node.state.eventFilter.includesPair(1));
  });

  test('the two depths of a book are two subscriptions', async () => {
    await using stream = await StreamClient.open(node);
    await stream.subscribe({ channel: 'orderbook', depth: 1, ...PAIR });
    await stream.subscribe({ channel: 'orderbook', depth: 5, ...PAIR });
    await stream.ask({ op: 'unsubscribe', channel: 'orderbook', depth: 1, ...PAIR });
    await maker.limit(1, '107', '0.1');
    const update = await stream.take({ type: 'update' });
    expect<unknown>(update.depth).toBe(5);
    await cancelAll();
  });

  test('a heartbeat has the position of the journal and of every channel', async () => {
    await using stream = await StreamClient.open(node);
    await stream.subscribe({ channel: 'orderbook', ...PAIR });
    const snapshot = await stream.subscribe({ channel: 'instruments' });
    jumpAhead(HEARTBEAT_SECONDS * 1000);
    const heartbeat = await stream.take({ channel: 'heartbeat' });
    expect<unknown>(heartbeat).toMatchObject({
      seq: node.seq,
      channels: [
        { channel: 'orderbook', symbol: 'BTC-USDT', depth: 20 },
        { channel: 'instruments', seq: snapshot.seq },
      ],
    });
  });
});

describe('what is rejected', () => {
  const sub = { op: 'subscribe' };
  const REJECTED: readonly (readonly [string, object | string, string, string | null])[] = [
    ['no JSON', '{', '100200', null],
    ['an empty text', '', '100200', null],
    ['a duplicate field', '{"op":"ping","op":"ping"}', '100200', null],
    ['no object', [], '100200', 'body'],
    ['no op', {}, '100200', 'op'],
    ['an unknown op', { op: 'order' }, '100200', 'op'],
    ['a login where nobody logs in', { op: 'login' }, '100200', 'op'],
    ['no channel', sub, '100200', 'channel'],
    ['an unknown channel', { ...sub, channel: 'candle' }, '100200', 'channel'],
    ['a channel of an account', { ...sub, channel: 'orders' }, '100200', 'channel'],
    ['an inherited name', { ...sub, channel: 'toString' }, '100200', 'channel'],
    ['no symbol', { ...sub, channel: 'trades' }, '100200', 'symbol'],
    ['an unknown symbol', { ...sub, channel: 'trades', symbol: 'X-Y' }, '100201', 'symbol'],
    ['an unknown depth', { ...sub, channel: 'orderbook', ...PAIR, depth: 7 }, '100200', 'depth'],
    ['a depth as text', { ...sub, channel: 'orderbook', ...PAIR, depth: '5' }, '100200', 'depth'],
    ['a foreign field', { ...sub, channel: 'trades', ...PAIR, depth: 5 }, '100200', 'depth'],
    ['no interval', { ...sub, channel: 'candles', ...PAIR }, '100200', 'interval'],
    [
      'another interval',
      { ...sub, channel: 'candles', ...PAIR, interval: '2m' },
      '100200',
      'interval',
    ],
    ['a resumption', { ...sub, channel: 'trades', ...PAIR, resumeFrom: 1 }, '100200', 'resumeFrom'],
    ['an id of the wrong kind', { op: 'ping', id: 1.5 }, '100200', 'id'],
    ['a long id', { op: 'ping', id: 'x'.repeat(65) }, '100200', 'id'],
  ];

  for (const [name, message, code, field] of REJECTED) {
    test(name, async () => {
      await using stream = await StreamClient.open(node);
      stream.say(message);
      const error = await stream.take({ op: 'error' });
      expect<unknown>(error).toMatchObject({
        code,
        ...(field === null ? {} : { details: { field } }),
      });
      expect(String(error.userMsg).length).toBeGreaterThan(10);
      // Nothing has changed: it goes on.
      await stream.settle();
    });
  }

  test('a binary message', async () => {
    await using stream = await StreamClient.open(node);
    stream.sendBytes(new TextEncoder().encode('{"op":"ping"}'));
    expect<unknown>(await stream.take({ op: 'error' })).toMatchObject({ code: '100200' });
  });

  test('a request that is no upgrade, another method, a query, another path', async () => {
    const plain = await node.get(PUBLIC);
    expect([plain.status, String(plain.body.code)]).toEqual([426, '100426']);
    expect(plain.headers.get('upgrade')).toBe('websocket');
    const connection = new RawConnection(node.port);
    const { 'Sec-WebSocket-Key': _, ...keyless } = UPGRADE;
    const { status, body } = await connection.exchange(rawRequest('GET', PUBLIC, keyless));
    expect([status, (JSON.parse(body) as Json).code]).toEqual<unknown[]>([426, '100426']);
    connection.close();
    const posted = await node.post(PUBLIC, {});
    expect([posted.status, String(posted.body.code)]).toEqual([405, '100406']);
    const queried = await node.request(`${PUBLIC}?a=1`, { headers: UPGRADE });
    expect([queried.status, String(queried.body.code)]).toEqual([400, '100200']);
    const elsewhere = await node.request('/ws/v1/', { headers: UPGRADE });
    expect([elsewhere.status, String(elsewhere.body.code)]).toEqual([404, '100404']);
  });
});

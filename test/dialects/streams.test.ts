// The streams of the Binance dialect and its websocket API, with a plain websocket: subscriptions,
// the local book by Binance's recipe, user data, listen keys, sessions, and bounds.
import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import { Captures } from '../../src/dialects/binance/captures.ts';
import * as tradeTexts from '../../src/dialects/binance/trades.ts';
import { UserFeed } from '../../src/dialects/binance/user-data.ts';
import { type Json, TestNode } from '../support/node.ts';
import { pairTerms } from '../support/pair-terms.ts';
import { until } from '../support/waiting.ts';
import { BinanceClient, BinanceSocket, type Parameters } from './client.ts';
import { LocalBook } from './local-book.ts';

const node = TestNode.forFile();
const opened: BinanceSocket[] = [];

afterEach(() => {
  for (const socket of opened.splice(0)) socket.close();
});

const open = async (path: string): Promise<BinanceSocket> => {
  const socket = await BinanceSocket.open(node, path);
  opened.push(socket);
  return socket;
};

const is = (event: string) => (message: Json) => message.e === (event as never);

async function trade(price: string, quantity = '1'): Promise<void> {
  const [maker, taker] = [await BinanceClient.of(node), await BinanceClient.of(node)];
  await maker.limit('SELL', price, quantity);
  await taker.limit('BUY', price, quantity);
}

describe('market streams', () => {
  test('by the path, alone and combined', async () => {
    const raw = await open('ws/btcusdt@trade/btcusdt@aggTrade');
    const combined = await open('stream?streams=btcusdt@trade/btcusdt@bookTicker');
    await trade('100');
    expect(await raw.receive(is('trade'))).toMatchObject({
      s: 'BTCUSDT',
      p: '100',
      q: '1',
      m: false,
    });
    expect(await raw.receive(is('aggTrade'))).toMatchObject({ p: '100', q: '1' });
    const wrapped = await combined.receive(({ stream }) => stream === ('btcusdt@trade' as never));
    expect(wrapped.data).toMatchObject({ e: 'trade' });
    await combined.receive(({ stream }) => stream === ('btcusdt@bookTicker' as never));
  });

  test('all spellings of a pair share one channel, which has one name', async () => {
    const write = spyOn(tradeTexts, 'writeStreamTrade');
    const spellings = ['btcusdt', 'BTCUSDT', 'BtcUsdt', 'btc-usdt', 'BTC-USDT'];
    const names = spellings.map((pair) => `${pair}@trade`);
    const sockets = await Promise.all(names.map((name) => open(`stream?streams=${name}`)));
    const all = await open(`stream?streams=${names.join('/')}`);
    all.say({ method: 'LIST_SUBSCRIPTIONS', id: 1 });
    const listed = await all.receive(({ id }) => id === (1 as never));
    expect<unknown>(listed.result).toEqual(['btcusdt@trade']);
    await trade('100');
    for (const socket of [...sockets, all]) {
      const { stream } = await socket.receive(({ data }) => data !== undefined);
      expect<unknown>(stream).toBe('btcusdt@trade');
      expect(socket.received.filter(({ data }) => data !== undefined)).toHaveLength(1);
    }
    expect(write).toHaveBeenCalledTimes(1);
    write.mockRestore();
    all.say({ method: 'UNSUBSCRIBE', params: ['BTCUSDT@trade'], id: 2 });
    all.say({ method: 'LIST_SUBSCRIPTIONS', id: 3 });
    const left = await all.receive(({ id }) => id === (3 as never));
    expect<unknown>(left.result).toEqual([]);
  });

  test('an aggregate has the trades of one order at one price', async () => {
    const socket = await open('ws/btcusdt@aggTrade');
    const [maker, taker] = [await BinanceClient.of(node), await BinanceClient.of(node)];
    for (const price of ['100', '100', '101']) await maker.limit('SELL', price, '1');
    await taker.limit('BUY', '101', '3');
    await until(() => socket.received.length === 2);
    expect(socket.received).toMatchObject([
      { p: '100', q: '2' },
      { p: '101', q: '1' },
    ]);
  });

  test('by requests, which are answered', async () => {
    const socket = await open('ws');
    const names = [
      ...['btcusdt@kline_1m', 'btcusdt@miniTicker', '!ticker@arr', 'btcusdt@depth5@100ms'],
      ...['btcusdt@ticker_1h', 'btcusdt@avgPrice'],
    ];
    expect(await socket.ask('SUBSCRIBE', names)).toEqual({ result: null, id: 1 } as never);
    expect((await socket.ask('LIST_SUBSCRIPTIONS', [])).result).toEqual(names as never);
    await trade('200', '0.5');
    expect(await socket.receive(is('kline'))).toMatchObject({ k: { i: '1m', c: '200', x: false } });
    await socket.receive(
      (message) => is('24hrMiniTicker')(message) && message.c === ('200' as never),
    );
    await socket.receive((message) => Array.isArray(message));
    await socket.receive(
      ({ lastUpdateId, bids }) => lastUpdateId !== undefined && bids !== undefined,
    );
    await socket.receive((message) => is('1hTicker')(message) && message.c === ('200' as never));
    expect(await socket.receive(is('avgPrice'))).toMatchObject({ s: 'BTCUSDT', i: '5m' });
    await socket.ask('UNSUBSCRIBE', names);
    expect((await socket.ask('LIST_SUBSCRIPTIONS', [])).result).toEqual([] as never);
    await socket.ask('SUBSCRIBE', ['btcusdt@trade']);
    expect((await socket.ask('SET_PROPERTY', ['combined', true])).result).toBeNull();
    expect((await socket.ask('GET_PROPERTY', ['combined'])).result).toBe(true as never);
  });

  test.each([
    ['SUBSCRIBE', ['nope@trade'], 2],
    ['SUBSCRIBE', ['btcusdt@nothing'], 2],
    ['SUBSCRIBE', 'btcusdt@trade', 1],
    ['DANCE', [], 2],
    ['SET_PROPERTY', ['combined'], 1],
  ])('%s %j is an error', async (method, params, code) => {
    const socket = await open('ws');
    expect((await socket.ask(method, params)).error).toMatchObject({ code });
  });

  test('a message that is no JSON, and a name of the path that is no stream', async () => {
    const socket = await open('ws/nothing');
    socket.say('{');
    await socket.receive(({ error }) => error?.code === (3 as never));
  });

  test('a connection has 200 streams at most', async () => {
    await using own = await TestNode.start();
    const grid = { tick: '0.01', lot: '0.00001', minQuantity: '0.0001', minNotional: '0.1' };
    for (const base of ['BTC', 'ETH', 'MMX', 'USDT']) {
      await own.must(pairTerms(`${base}-USDC`, grid));
    }
    const socket = await BinanceSocket.open(own, 'ws');
    opened.push(socket);
    const kinds = ['trade', 'aggTrade', 'ticker', 'miniTicker', 'bookTicker', 'depth', 'depth5'];
    const intervals = '1m 3m 5m 15m 30m 1h 2h 4h 6h 12h 1d 1w'.split(' ');
    const suffixes = ['depth10', 'depth20', 'depth@100ms', 'depth5@100ms', 'depth10@100ms'];
    const more = ['depth20@100ms', 'depth@1000ms', 'depth5@1000ms', 'depth10@1000ms'];
    const all = [...kinds, ...suffixes, ...more, ...intervals.map((one) => `kline_${one}`)];
    const symbols = own.state.instruments.flatMap((one) => one?.symbol ?? []);
    const pairs = symbols.map((symbol) => symbol.replace('-', '').toLowerCase());
    const names = pairs.flatMap((pair) => all.map((kind) => `${pair}@${kind}`));
    expect(names.length).toBeGreaterThan(200);
    expect((await socket.ask('SUBSCRIBE', names)).error).toMatchObject({ code: 2 });
    expect((await socket.ask('LIST_SUBSCRIPTIONS', [])).result).toHaveLength(200);
  });
});

test('the local book of Binance’s recipe equals depth', async () => {
  const socket = await open('ws/btcusdt@depth@100ms');
  const traders = [await BinanceClient.of(node), await BinanceClient.of(node)];
  const place = (i: number) => {
    const side = i % 2 === 0 ? 'BUY' : 'SELL';
    const price = String(1000 + ((i * 7) % 20) + (side === 'BUY' ? 0 : 3));
    return traders[i % 2]!.limit(side, price, `0.0${1 + (i % 5)}`);
  };
  for (let i = 0; i < 20; i++) await place(i);
  const { body: snapshot } = await traders[0]!.public('depth', { symbol: 'BTCUSDT', limit: 5000 });
  for (let i = 20; i < 120; i++) await place(i);
  const { body: last } = await traders[0]!.public('depth', { symbol: 'BTCUSDT', limit: 5000 });
  await socket.receive(({ u }) => Number(u) >= Number(last.lastUpdateId));

  const book = new LocalBook(snapshot);
  for (const event of socket.received)
    if (Number(event.u) <= Number(last.lastUpdateId)) book.apply(event);
  book.expectEqual(last);
});

describe('user data', () => {
  const order: Parameters = {
    symbol: 'ETHUSDT',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: '10',
    quantity: '2',
  };

  test('by listen key: reports, positions and lists', async () => {
    const client = await BinanceClient.of(node);
    const { body } = await client.send('POST', 'userDataStream');
    const socket = await open(`ws/${String(body.listenKey)}`);
    await client.must('POST', 'order', { ...order, newClientOrderId: 'mine' });
    const report = await socket.receive(is('executionReport'));
    expect(report).toMatchObject({ s: 'ETHUSDT', c: 'mine', x: 'NEW', X: 'NEW', q: '2', p: '10' });
    const position = await socket.receive(is('outboundAccountPosition'));
    expect(position.B).toEqual([{ a: 'USDT', f: '9999980', l: '20' }] as never);
    const other = await BinanceClient.of(node);
    await other.limit('SELL', '10', '2', { symbol: 'ETHUSDT', timeInForce: 'IOC' });
    const filled = await socket.receive(({ x }) => x === ('TRADE' as never));
    expect(filled).toMatchObject({ X: 'FILLED', l: '2', L: '10', N: 'ETH', m: true, Y: '20' });
    await client.must('POST', 'order/oco', {
      symbol: 'ETHUSDT',
      side: 'SELL',
      quantity: '1',
      price: '12',
      stopPrice: '5',
    });
    expect(await socket.receive(is('listStatus'))).toMatchObject({ l: 'EXEC_STARTED', c: 'OCO' });
    await client.must('DELETE', 'openOrders', { symbol: 'ETHUSDT' });
    await socket.receive(({ l }) => l === ('ALL_DONE' as never));
    await node.credit(
      node.services.identity.apiKeys.lookup(client.credentials.apiKey)!.uid,
      'ETH',
      '3',
    );
    expect(await socket.receive(is('balanceUpdate'))).toMatchObject({ a: 'ETH', d: '3' });
  });

  test('ends when the listen key is closed, and when the API key is revoked', async () => {
    const client = await BinanceClient.of(node);
    const { body } = await client.send('POST', 'userDataStream');
    const listenKey = String(body.listenKey);
    const socket = await open(`stream?streams=${listenKey}`);
    expect((await client.send('PUT', 'userDataStream', `listenKey=${listenKey}`)).status).toBe(200);
    await client.send('DELETE', 'userDataStream', `listenKey=${listenKey}`);
    const expired = await socket.receive(({ data }) => data?.e === ('listenKeyExpired' as never));
    expect(expired.stream).toBe(listenKey as never);
    const again = await client.send('PUT', 'userDataStream', `listenKey=${listenKey}`);
    expect(again.body.code).toBe(-1125 as never);

    const next = await client.send('POST', 'userDataStream');
    const second = await open(`ws/${String(next.body.listenKey)}`);
    node.services.identity.apiKeys.revoke(client.credentials.apiKey);
    await until(() => second.closed !== null);
  });

  test('thousands of reports come in turns, and the balances after them', async () => {
    const ORDERS = 2_500;
    const client = await BinanceClient.of(node);
    const { uid } = node.services.identity.apiKeys.lookup(client.credentials.apiKey)!;
    for (let placed = 0; placed < ORDERS; placed += 500) await node.placeBids(uid, 500);
    const { body } = await client.send('POST', 'userDataStream');
    const socket = await open(`ws/${String(body.listenKey)}`);
    let turns = 0;
    const { flush } = UserFeed.prototype;
    using _turns = spyOn(UserFeed.prototype, 'flush').mockImplementation(function (this: UserFeed) {
      if (this.waiting > 0) turns++;
      flush.call(this);
    });
    await client.must('DELETE', 'openOrders', { symbol: 'BTCUSDT' });
    const position = await socket.receive(
      ({ e, B }) => e === ('outboundAccountPosition' as never) && B[0]?.l === ('0' as never),
    );
    const reports = socket.received.filter(is('executionReport'));
    expect(new Set(reports.map(({ i }) => i)).size).toBe(ORDERS);
    expect(socket.received.at(-1)).toBe(position);
    expect(turns).toBeGreaterThanOrEqual(ORDERS / 500);
  });

  test('comes once after a new listen key has replaced a closed one', async () => {
    const client = await BinanceClient.of(node);
    const start = async () => String((await client.send('POST', 'userDataStream')).body.listenKey);
    const first = await start();
    const socket = await open(`ws/${first}`);
    await client.send('DELETE', 'userDataStream', `listenKey=${first}`);
    expect((await socket.ask('SUBSCRIBE', [await start()])).error).toBeUndefined();
    expect(socket.received).toMatchObject([{ e: 'listenKeyExpired', listenKey: first }, {}]);
    await client.must('POST', 'order', order);
    await client.must('POST', 'order', { ...order, side: 'SELL', price: '12' });
    await socket.receive(({ S }) => S === ('SELL' as never));
    const reports = socket.received.filter(is('executionReport'));
    expect(reports).toMatchObject([{ S: 'BUY' }, { S: 'SELL' }]);
  });

  test('a listen key of an API key that has expired is no stream', async () => {
    const client = await BinanceClient.of(node);
    const { body } = await client.send('POST', 'userDataStream');
    const { apiKeys } = node.services.identity;
    const key = apiKeys.lookup(client.credentials.apiKey)!;
    using _expired = spyOn(key, 'isExpired').mockReturnValue(true);
    const socket = await open('ws');
    expect((await socket.ask('SUBSCRIBE', [String(body.listenKey)])).error?.code).toBe(2 as never);
  });

  test('a listen key of nobody is no stream', async () => {
    const socket = await open(`ws/${'0'.repeat(64)}`);
    expect((await socket.ask('SUBSCRIBE', ['0'.repeat(64)])).error).toMatchObject({ code: 2 });
  });
});

describe('the websocket API', () => {
  const signed = (client: BinanceClient, params: Parameters = {}) => {
    const all: Parameters = {
      apiKey: client.credentials.apiKey,
      timestamp: client.timestamp(),
      ...params,
    };
    const text = Object.keys(all)
      .sort()
      .map((name) => `${name}=${all[name]}`)
      .join('&');
    return { ...all, signature: client.sign(text) };
  };

  test('market requests and errors', async () => {
    const socket = await open('ws-api/v3');
    expect(await socket.ask('ping', undefined)).toMatchObject({ status: 200, result: {} });
    const depth = await socket.ask('depth', { symbol: 'BTCUSDT', limit: 5 });
    expect(depth).toMatchObject({ status: 200, result: { lastUpdateId: expect.any(Number) } });
    const named = await socket.ask('ticker.price', { symbols: ['BTCUSDT', 'ETHUSDT'] });
    expect(named.result).toHaveLength(2);
    const unknown = await socket.ask('depth', { symbol: 'NOPE' });
    expect(unknown).toMatchObject({ status: 400, error: { code: -1121 } });
    expect(await socket.ask('fly', {})).toMatchObject({ status: 404, error: { code: -1020 } });
    const unsigned = await socket.ask('account.status', { timestamp: Date.now() });
    expect(unsigned.error).toMatchObject({ code: -2014 });
    socket.say('[]');
    await socket.receive(({ error }) => error?.code === (-1135 as never));
  });

  test('orders with numbers as numbers and as strings, signed by each message', async () => {
    const client = await BinanceClient.of(node);
    const socket = await open('ws-api/v3');
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' };
    const numbers = signed(client, { ...order, price: 10.5, quantity: 1 });
    const placed = await socket.ask('order.place', numbers);
    expect(placed.result).toMatchObject({ price: '10.5', status: 'NEW' });
    expect(placed.rateLimits).toMatchObject([{ rateLimitType: 'REQUEST_WEIGHT' }, {}]);
    const repeated = await socket.ask('order.place', numbers);
    expect(repeated.error).toMatchObject({ code: -1022 });
    const texts = signed(client, { ...order, price: '11', quantity: '1.50' });
    expect((await socket.ask('order.place', texts)).result).toMatchObject({ origQty: '1.5' });
    const test = signed(client, { ...order, price: '11', quantity: '1' });
    expect((await socket.ask('order.test', test)).result).toEqual({} as never);
    const ended = await socket.ask('openOrders.cancelAll', signed(client, { symbol: 'BTCUSDT' }));
    expect(ended.result).toHaveLength(2);
  });

  test('500 requests of 16 KiB wait for their answers, and no more', async () => {
    const MAX_IN_FLIGHT = 500;
    const client = await BinanceClient.of(node);
    const socket = await open('ws-api/v3');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { submit } = Captures.prototype;
    using _held = spyOn(Captures.prototype, 'submit').mockImplementation(async function (
      this: Captures,
      ...args
    ) {
      await released;
      return submit.apply(this, args) as never;
    });
    const terms = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' };
    for (let id = 0; id <= MAX_IN_FLIGHT; id++) {
      const params = signed(client, { ...terms, price: 10, quantity: 1 });
      socket.say(JSON.stringify({ id, method: 'order.place', params }).padEnd(16 * 1024));
    }
    const rejected = await socket.receive(({ status }) => Number(status) !== 200);
    expect(rejected).toMatchObject({ id: MAX_IN_FLIGHT, status: 429, error: { code: -1003 } });
    expect(socket.received).toHaveLength(1);
    release();
    await until(() => socket.received.length === 1 + MAX_IN_FLIGHT);
    expect(socket.received.filter(({ status }) => Number(status) === 200)).toHaveLength(
      MAX_IN_FLIGHT,
    );
    await client.must('DELETE', 'openOrders', { symbol: 'BTCUSDT' });
  });

  test('methods without a signature count as public calls', async () => {
    await using limited = await TestNode.start({ flags: ['--rate-limits', 'public=1/60/5'] });
    const socket = await BinanceSocket.open(limited, 'ws-api/v3');
    opened.push(socket);
    let answers = 0;
    do answers++;
    while ((await socket.ask('session.status', {})).status === (200 as never));
    expect(answers).toBeLessThanOrEqual(6);
    for (const method of [
      'session.subscriptions',
      'session.logout',
      'userDataStream.unsubscribe',
    ]) {
      expect(await socket.ask(method, {})).toMatchObject({ status: 429, error: { code: -1003 } });
    }
  });

  test('a session signs once, and gets the user data stream', async () => {
    const client = await BinanceClient.of(node);
    const socket = await open('ws-api/v3');
    const status = (await socket.ask('session.status', {})).result!;
    expect(status).toMatchObject({ apiKey: null });
    expect(Number(status.connectedSince)).toBeGreaterThan(0);
    const early = await socket.ask('userDataStream.subscribe', {});
    expect(early.error).toMatchObject({ code: -2015 });
    const logon = await socket.ask('session.logon', signed(client));
    expect(logon.result).toMatchObject({ apiKey: client.credentials.apiKey });
    const subscribed = await socket.ask('userDataStream.subscribe', {});
    expect(subscribed.result).toEqual({ subscriptionId: 0 } as never);
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' };
    const params = { ...order, price: '9', quantity: '1', timestamp: Date.now() };
    const placed = await socket.ask('order.place', params);
    expect(placed.result).toMatchObject({ status: 'NEW' });
    const { event } = await socket.receive((message) => message.event !== undefined);
    expect(event).toMatchObject({ e: 'executionReport', i: placed.result!.orderId });
    const late = await socket.ask('order.place', { ...params, timestamp: Date.now() - 10_000 });
    expect(late.error).toMatchObject({ code: -1021 });
    const stranger = await BinanceClient.of(node);
    const second = await socket.ask('session.logon', signed(stranger));
    expect(second.error).toMatchObject({ code: -2015 });
    await socket.ask('session.logout', {});
    const out = await socket.ask('account.status', { timestamp: Date.now() });
    expect(out.error).toMatchObject({ code: -2014 });
    node.services.identity.apiKeys.revoke(client.credentials.apiKey);
    await until(() => socket.closed !== null);
  });
});

// The private channels against a server that answers as a test wants it to: the login's signature, a position that is too far
// back to be resumed from, trades that are more than a page.
import { expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { BadRequest, type Dict, PermissionDenied, RequestTimeout } from 'ccxt';
import type { agio } from '../../src/ccxt/agio.ts';
import { until } from '../support/waiting.ts';
import { offline } from './static-case.ts';

const ORDERS = '/ws/v1/private/orders';

/** A websocket that logs everybody in and gives each subscription what `answer` makes of it. */
function serve(answer: (request: Dict) => readonly Dict[]) {
  const heard: Dict[] = [];
  const server = Bun.serve({
    port: 0,
    fetch: (request, self) =>
      self.upgrade(request) ? undefined : new Response('', { status: 400 }),
    websocket: {
      message(socket, text) {
        const request: Dict = JSON.parse(String(text));
        heard.push(request);
        const login = { op: 'loggedIn', uid: 1, id: request.id };
        const messages = request.op === 'login' ? [login] : answer(request);
        for (const message of messages) socket.send(JSON.stringify(message));
      },
    },
  });
  const exchange = offline({
    hostname: `127.0.0.1:${server.port}`,
    options: { ws: { backoff: { base: 1 } } },
  });
  exchange.setSandboxMode(true);
  return { exchange, heard, server };
}

const subscribesIn = (heard: readonly Dict[]): Dict[] =>
  heard.filter(({ op }) => op === 'subscribe');

const report = (orderId: number, more: Dict = {}): Dict => ({
  rowId: orderId,
  orderId,
  clOrdId: `c${orderId}`,
  side: 1,
  orderQty: 1,
  quoteOrderQty: null,
  cumQty: 0,
  leavesQty: 1,
  price: 30000,
  avgPx: 0,
  symbol: 'BTC-USDT',
  ordType: 2,
  ordStatus: 0,
  execType: 0,
  transactTime: 1795255627140,
  ...more,
});

const orders = (type: string, seq: number, ...data: Dict[]): Dict => ({
  channel: 'orders',
  type,
  seq,
  prevSeq: null,
  transactTime: 1795255627140,
  data,
});

async function drop(exchange: agio): Promise<void> {
  const [client] = Object.values(exchange.clients as Dict);
  const lost = exchange.watchOrders().catch(() => {});
  client.connection.close();
  await lost;
}

test('a login signs timestamp, GET and the path', async () => {
  const { exchange, heard, server } = serve(() => [orders('snapshot', 7, report(1))]);
  const [order] = await exchange.watchOrders();
  expect(order).toMatchObject({ id: '1', status: 'open' });
  const [login, subscribe] = heard;
  const text = `${login!.timestamp}GET${ORDERS}`;
  const sign = createHmac('sha256', 'secretsecret').update(text).digest('hex');
  expect(login).toMatchObject({ op: 'login', apiKey: 'key', sign });
  expect(subscribe).toEqual({ op: 'subscribe', id: 'orders', channel: 'orders' });
  await exchange.close();
  await server.stop(true);
});

test('a position too far back is told once, and then the snapshot is taken', async () => {
  const refusal = {
    op: 'error',
    id: 'orders',
    code: '100601',
    msg: 'resume too old',
    userMsg: 'x',
  };
  const { exchange, heard, server } = serve((request) =>
    request.resumeFrom === undefined ? [orders('snapshot', 9, report(2))] : [refusal],
  );
  await exchange.watchOrders();
  await drop(exchange);
  await expect(exchange.watchOrders()).rejects.toThrow(BadRequest);
  const [order] = await exchange.watchOrders();
  expect(order!.id).toBe('2');
  const subscriptions = heard.filter(({ op }) => op === 'subscribe');
  expect(subscriptions.map(({ resumeFrom }) => resumeFrom)).toEqual([undefined, 9, undefined]);
  await exchange.close();
  await server.stop(true);
});

test('own trades are read back to those that were told, however many', async () => {
  const fill = { cumQty: 1, leavesQty: 0, avgPx: 30000, ordStatus: 2, execType: 2 };
  const { exchange, server } = serve(() => [orders('update', 12, report(3, fill))]);
  const row = (tradeId: number): Dict => ({
    tradeId,
    orderId: 3,
    symbol: 'BTC-USDT',
    side: 1,
    price: 30000,
    quantity: 0.004,
    quoteAmount: 120,
    fee: 0,
    feeAsset: 'BTC',
    maker: true,
    transactTime: 1795255627140 + tradeId,
  });
  const asked: string[] = [];
  exchange.fetch = async (url: string) => {
    const { searchParams } = new URL(url);
    asked.push(searchParams.toString());
    const size = Number(searchParams.get('size'));
    // The first call learns that trade 50 is the newest of before; after the fill there are 250 more.
    const newest = asked.length === 1 ? 50 : 300;
    const from = Number(searchParams.get('lastTradeId') ?? newest + 1) - 1;
    const count = Math.min(size, from);
    return exchange.parseJson(
      JSON.stringify(Array.from({ length: count }, (_, i) => row(from - i))),
    );
  };
  const trades = await exchange.watchMyTrades('BTC/USDT');
  expect(trades.map(({ id }) => Number(id))).toEqual(Array.from({ length: 250 }, (_, i) => 51 + i));
  expect(asked).toEqual([
    'size=1',
    'size=100',
    'size=100&lastTradeId=201',
    'size=100&lastTradeId=101',
  ]);
  await exchange.close();
  await server.stop(true);
});

test('orders are canceled with every connection once that was asked for, whoever subscribes', async () => {
  let seq = 6;
  const { exchange, heard, server } = serve((request) => [
    orders(request.resumeFrom === undefined ? 'snapshot' : 'update', ++seq, report(1)),
  ]);
  exchange.fetch = async () => [];
  exchange.watchMyTrades().catch(() => {});
  await until(() => subscribesIn(heard).length === 1);
  await exchange.watchOrders(undefined, undefined, undefined, { cancelOnDisconnect: true });
  const asked = () => subscribesIn(heard).map((request) => request.cancelOnDisconnect);
  expect(asked()).toEqual([undefined, true]);
  // The same again changes nothing.
  exchange
    .watchOrders(undefined, undefined, undefined, { cancelOnDisconnect: true })
    .catch(() => {});
  await Bun.sleep(20);
  expect(asked()).toEqual([undefined, true]);
  await drop(exchange);
  exchange.watchMyTrades().catch(() => {});
  await until(() => asked().length === 3);
  exchange.watchOrders().catch(() => {});
  await Bun.sleep(20);
  expect(asked()).toEqual([undefined, true, true]);
  exchange
    .watchOrders(undefined, undefined, undefined, { cancelOnDisconnect: false })
    .catch(() => {});
  await until(() => asked().length === 4);
  expect(asked()[3]).toBeUndefined();
  await exchange.close();
  await server.stop(true);
});

test('a key that may not cancel can still listen', async () => {
  const refusal = { op: 'error', id: 'orders', code: '100403', msg: 'forbidden', userMsg: 'x' };
  const { exchange, server } = serve((request) =>
    request.cancelOnDisconnect ? [refusal] : [orders('snapshot', 7, report(1))],
  );
  const params = { cancelOnDisconnect: true };
  await expect(exchange.watchOrders(undefined, undefined, undefined, params)).rejects.toThrow(
    PermissionDenied,
  );
  expect((await exchange.watchOrders())[0]!.id).toBe('1');
  await exchange.close();
  await server.stop(true);
});

test('what was on its way when the channel was subscribed to anew is told once', async () => {
  const { exchange, server } = serve((request) =>
    request.cancelOnDisconnect
      ? // Two updates of the first subscription come late; after the consent the second comes again.
        [
          orders('update', 9, report(2)),
          orders('update', 9, report(2)),
          orders('update', 10, report(3)),
        ]
      : [orders('snapshot', 8, report(1))],
  );
  await exchange.watchOrders();
  const params = { cancelOnDisconnect: true };
  const told: string[] = [];
  while (!told.includes('3')) {
    const news = await exchange.watchOrders(undefined, undefined, undefined, params);
    told.push(...news.map(({ id }) => id!));
  }
  expect(told).toEqual(['2', '3']);
  await exchange.close();
  await server.stop(true);
});

const trade = (tradeId: number): Dict => ({
  ...{ tradeId, orderId: 3, symbol: 'BTC-USDT', side: 1, price: 30000, quantity: 0.004 },
  ...{ quoteAmount: 120, fee: 0, feeAsset: 'BTC', maker: true, transactTime: 1795255627140 },
});

/** Answers with the trades that there are, newest first; `newest` is looked at for each request. */
function tradesUpTo(exchange: agio, newest: () => number | Error): void {
  exchange.fetch = async (url: string) => {
    const size = Number(new URL(url).searchParams.get('size'));
    const last = newest();
    if (last instanceof Error) throw last;
    const rows = Array.from({ length: Math.min(size, last) }, (_, i) => trade(last - i));
    return exchange.parseJson(JSON.stringify(rows));
  };
}

test('a trade between the first look and the subscription is told', async () => {
  const { exchange, server } = serve(() => [orders('snapshot', 7)]);
  let looks = 0;
  tradesUpTo(exchange, () => (++looks === 1 ? 5 : 6));
  expect((await exchange.watchMyTrades()).map(({ id }) => id)).toEqual(['6']);
  await exchange.close();
  await server.stop(true);
});

test('a trade that is reported during the first look is told', async () => {
  const { exchange, server } = serve(() => [
    orders('snapshot', 7, report(3)),
    orders('update', 8, report(3, { cumQty: 1, leavesQty: 0, ordStatus: 2, execType: 2 })),
  ]);
  await exchange.watchOrders();
  await until(() => exchange.orders?.[0]?.status === 'closed');
  let looks = 0;
  tradesUpTo(exchange, () => (++looks === 1 ? 5 : 6));
  expect((await exchange.watchMyTrades()).map(({ id }) => id)).toEqual(['6']);
  await exchange.close();
  await server.stop(true);
});

test('a trade that could not be read is read at the next call', async () => {
  const { exchange, server } = serve(() => [orders('snapshot', 7)]);
  let looks = 0;
  tradesUpTo(exchange, () => {
    looks++;
    return looks === 2 ? new RequestTimeout('lost') : looks === 1 ? 5 : 6;
  });
  await expect(exchange.watchMyTrades()).rejects.toThrow(RequestTimeout);
  expect((await exchange.watchMyTrades()).map(({ id }) => id)).toEqual(['6']);
  await exchange.close();
  await server.stop(true);
});

test.each([
  ['public', (exchange: agio) => exchange.watchTicker('BTC/USDT')],
  ['private', (exchange: agio) => exchange.watchOrders()],
] as const)(
  'a %s connection that waits for its turn when everything is closed is never made',
  async (_, watch) => {
    let connections = 0;
    const server = Bun.serve({
      port: 0,
      fetch(request, self) {
        connections++;
        // The first is refused, so that the next has to wait.
        if (connections > 1 && self.upgrade(request)) return undefined;
        return new Response('', { status: 503 });
      },
      websocket: { message() {} },
    });
    const exchange = offline({
      hostname: `127.0.0.1:${server.port}`,
      options: { ws: { backoff: { base: 100 } } },
    });
    exchange.setSandboxMode(true);
    await watch(exchange).catch(() => {});
    const waiting = watch(exchange).catch((error: unknown) => error);
    await Bun.sleep(10);
    await exchange.close();
    expect(await waiting).toBeInstanceOf(Error);
    await Bun.sleep(250);
    expect(connections).toBe(1);
    await server.stop(true);
  },
);

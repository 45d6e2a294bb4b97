// The private channels against a server that answers as the test orders: the login's signature, a
// position that is too old to resume from, more trades than a page.
import { afterEach, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { BadRequest, type Dict, PermissionDenied, RequestTimeout } from 'ccxt';
import type { agio } from '../../src/ccxt/agio.ts';
import { FakeStreams } from '../sdk/fake-streams.ts';
import { until } from '../support/waiting.ts';
import { offline } from './static-case.ts';

const ORDERS = '/ws/v1/private/orders';

const opened: { exchange: agio; server: FakeStreams }[] = [];
afterEach(async () => {
  for (const { exchange, server } of opened.splice(0)) {
    await exchange.close();
    server[Symbol.dispose]();
  }
});

/** A websocket that accepts every login and answers each other request except a ping. */
function serve(answer: (request: Dict) => readonly Dict[]) {
  const server = new FakeStreams();
  server.answer = (request) => {
    if (request.op === 'ping') return [];
    return request.op === 'login' ? [{ op: 'loggedIn', uid: 1, id: request.id }] : answer(request);
  };
  const exchange = offline({
    hostname: new URL(server.url).host,
    options: { ws: { backoff: { base: 1 } } },
  });
  exchange.setSandboxMode(true);
  opened.push({ exchange, server });
  return { exchange, received: server.received as readonly Dict[] };
}

const subscribesIn = (received: readonly Dict[]): Dict[] =>
  received.filter(({ op }) => op === 'subscribe');

const report = (orderId: number, more: Dict = {}): Dict => ({
  rowId: orderId,
  orderId,
  execId: orderId,
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

const clientOf = ({ clients }: agio): Dict => Object.values(clients as Dict)[0];

/** Resolves when the server has received everything that the calls until now send. */
async function flush(exchange: agio, received: readonly Dict[]): Promise<void> {
  const pings = () => received.filter(({ op }) => op === 'ping').length;
  const before = pings();
  // The pending calls send in this turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  clientOf(exchange).connection.send('{"op":"ping"}');
  await until(() => pings() > before);
}

async function drop(exchange: agio): Promise<void> {
  const lost = exchange.watchOrders().catch(() => {});
  clientOf(exchange).connection.close();
  await lost;
}

test('a login signs timestamp, GET and the path', async () => {
  const { exchange, received } = serve(() => [orders('snapshot', 7, report(1))]);
  const [order] = await exchange.watchOrders();
  expect(order).toMatchObject({ id: '1', status: 'open' });
  const [login, subscribe] = received;
  const text = `${login!.timestamp}GET${ORDERS}`;
  const sign = createHmac('sha256', 'secretsecret').update(text).digest('hex');
  expect(login).toMatchObject({ op: 'login', apiKey: 'key', sign });
  expect(subscribe).toEqual({ op: 'subscribe', id: 'orders', channel: 'orders' });
});

test('a position that is too old is reported once, and then a snapshot follows', async () => {
  const rejection = {
    op: 'error',
    id: 'orders',
    code: '100601',
    msg: 'resume too old',
    userMsg: 'x',
  };
  const { exchange, received } = serve((request) =>
    request.resumeFrom === undefined ? [orders('snapshot', 9, report(2))] : [rejection],
  );
  await exchange.watchOrders();
  await drop(exchange);
  await expect(exchange.watchOrders()).rejects.toThrow(BadRequest);
  const [order] = await exchange.watchOrders();
  expect(order!.id).toBe('2');
  const subscriptions = received.filter(({ op }) => op === 'subscribe');
  expect(subscriptions.map(({ resumeFrom }) => resumeFrom)).toEqual([undefined, 9, undefined]);
});

test('own trades are read back to the last reported one, page by page', async () => {
  const fill = { cumQty: 1, leavesQty: 0, avgPx: 30000, ordStatus: 2, execType: 2 };
  const { exchange } = serve(() => [orders('update', 12, report(3, fill))]);
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
  const queries: string[] = [];
  exchange.fetch = async (url: string) => {
    const { searchParams } = new URL(url);
    queries.push(searchParams.toString());
    const size = Number(searchParams.get('size'));
    // The first call finds trade 50 as the newest; after the fill there are 250 more.
    const newest = queries.length === 1 ? 50 : 300;
    const from = Number(searchParams.get('lastTradeId') ?? newest + 1) - 1;
    const count = Math.min(size, from);
    return exchange.parseJson(
      JSON.stringify(Array.from({ length: count }, (_, i) => row(from - i))),
    );
  };
  const trades = await exchange.watchMyTrades('BTC/USDT');
  expect(trades.map(({ id }) => Number(id))).toEqual(Array.from({ length: 250 }, (_, i) => 51 + i));
  expect(queries).toEqual([
    'size=1',
    'size=100',
    'size=100&lastTradeId=201',
    'size=100&lastTradeId=101',
  ]);
});

test('cancelOnDisconnect holds for every later connection, until it is switched off', async () => {
  let seq = 6;
  const { exchange, received } = serve((request) => [
    orders(
      request.resumeFrom === undefined ? 'snapshot' : 'update',
      ++seq,
      report(1, { execId: seq }),
    ),
  ]);
  exchange.fetch = async () => [];
  exchange.watchMyTrades().catch(() => {});
  await until(() => subscribesIn(received).length === 1);
  await exchange.watchOrders(undefined, undefined, undefined, { cancelOnDisconnect: true });
  const flags = () => subscribesIn(received).map((request) => request.cancelOnDisconnect);
  expect(flags()).toEqual([undefined, true]);
  // The same parameter again changes nothing.
  exchange
    .watchOrders(undefined, undefined, undefined, { cancelOnDisconnect: true })
    .catch(() => {});
  await flush(exchange, received);
  expect(flags()).toEqual([undefined, true]);
  await drop(exchange);
  exchange.watchMyTrades().catch(() => {});
  await until(() => flags().length === 3);
  exchange.watchOrders().catch(() => {});
  await flush(exchange, received);
  expect(flags()).toEqual([undefined, true, true]);
  exchange
    .watchOrders(undefined, undefined, undefined, { cancelOnDisconnect: false })
    .catch(() => {});
  await until(() => flags().length === 4);
  expect(flags()[3]).toBeUndefined();
});

test('a key that may not cancel can still subscribe', async () => {
  const rejection = { op: 'error', id: 'orders', code: '100403', msg: 'forbidden', userMsg: 'x' };
  const { exchange } = serve((request) =>
    request.cancelOnDisconnect ? [rejection] : [orders('snapshot', 7, report(1))],
  );
  const params = { cancelOnDisconnect: true };
  await expect(exchange.watchOrders(undefined, undefined, undefined, params)).rejects.toThrow(
    PermissionDenied,
  );
  expect((await exchange.watchOrders())[0]!.id).toBe('1');
});

test('the parts of a divided message have one seq, and are reported once', async () => {
  const { exchange, received } = serve(({ resumeFrom }) => {
    const parts = [2, 3, 4].map((id) => orders('update', id === 4 ? 9 : 8, report(id)));
    return resumeFrom === undefined ? [orders('snapshot', 7), ...parts.slice(0, 2)] : parts;
  });
  const reported: string[] = [];
  const readTo = async (id: string): Promise<void> => {
    while (!reported.includes(id)) {
      reported.push(...(await exchange.watchOrders()).map((order) => order.id!));
    }
  };
  await readTo('3');
  await drop(exchange);
  await readTo('4');
  expect(subscribesIn(received).at(-1)!.resumeFrom).toBe(8);
  expect(reported).toEqual(['2', '3', '4']);
});

test('late messages of the previous subscription are reported once', async () => {
  const { exchange } = serve((request) =>
    request.cancelOnDisconnect
      ? // Late updates of the first subscription; the second comes again after this one begins.
        [
          orders('update', 9, report(2)),
          orders('update', 9, report(2)),
          orders('update', 10, report(3)),
        ]
      : [orders('snapshot', 8, report(1))],
  );
  await exchange.watchOrders();
  const params = { cancelOnDisconnect: true };
  const reported: string[] = [];
  while (!reported.includes('3')) {
    const news = await exchange.watchOrders(undefined, undefined, undefined, params);
    reported.push(...news.map(({ id }) => id!));
  }
  expect(reported).toEqual(['2', '3']);
});

const trade = (tradeId: number): Dict => ({
  ...{ tradeId, orderId: 3, symbol: 'BTC-USDT', side: 1, price: 30000, quantity: 0.004 },
  ...{ quoteAmount: 120, fee: 0, feeAsset: 'BTC', maker: true, transactTime: 1795255627140 },
});

/** Answers with the trades up to `newest`, newest first; it is called for each request. */
function tradesUpTo(exchange: agio, newest: () => number | Error): void {
  exchange.fetch = async (url: string) => {
    const size = Number(new URL(url).searchParams.get('size'));
    const last = newest();
    if (last instanceof Error) throw last;
    const rows = Array.from({ length: Math.min(size, last) }, (_, i) => trade(last - i));
    return exchange.parseJson(JSON.stringify(rows));
  };
}

test('a trade between the first read and the subscription is reported', async () => {
  const { exchange } = serve(() => [orders('snapshot', 7)]);
  let reads = 0;
  tradesUpTo(exchange, () => (++reads === 1 ? 5 : 6));
  expect((await exchange.watchMyTrades()).map(({ id }) => id)).toEqual(['6']);
});

test('a trade during the first read is reported', async () => {
  const { exchange } = serve(() => [
    orders('snapshot', 7, report(3)),
    orders(
      'update',
      8,
      report(3, { execId: 4, cumQty: 1, leavesQty: 0, ordStatus: 2, execType: 2 }),
    ),
  ]);
  await exchange.watchOrders();
  await until(() => exchange.orders?.[0]?.status === 'closed');
  let reads = 0;
  tradesUpTo(exchange, () => (++reads === 1 ? 5 : 6));
  expect((await exchange.watchMyTrades()).map(({ id }) => id)).toEqual(['6']);
});

test('a trade that could not be read is read at the next call', async () => {
  const { exchange } = serve(() => [orders('snapshot', 7)]);
  let reads = 0;
  tradesUpTo(exchange, () => {
    reads++;
    return reads === 2 ? new RequestTimeout('lost') : reads === 1 ? 5 : 6;
  });
  await expect(exchange.watchMyTrades()).rejects.toThrow(RequestTimeout);
  expect((await exchange.watchMyTrades()).map(({ id }) => id)).toEqual(['6']);
});

const RETRY_MS = 20;

test.each([
  ['public', (exchange: agio) => exchange.watchTicker('BTC/USDT')],
  ['private', (exchange: agio) => exchange.watchOrders()],
] as const)(
  'a %s connection that waits for its retry is never opened after close',
  async (_, watch) => {
    let connections = 0;
    await using server = Bun.serve({
      port: 0,
      fetch(request, self) {
        connections++;
        // The first is rejected, so that the next has to wait.
        if (connections > 1 && self.upgrade(request)) return undefined;
        return new Response('', { status: 503 });
      },
      websocket: { message() {} },
    });
    const exchange = offline({
      hostname: `127.0.0.1:${server.port}`,
      options: { ws: { backoff: { base: RETRY_MS } } },
    });
    exchange.setSandboxMode(true);
    await watch(exchange).catch(() => {});
    const waiting = watch(exchange).catch((error: unknown) => error);
    await until(() => clientOf(exchange) !== undefined);
    await exchange.close();
    expect(await waiting).toBeInstanceOf(Error);
    // The event loop runs timers in their order, so the retry was due before this one.
    await Bun.sleep(2 * RETRY_MS);
    await fetch(server.url);
    expect(connections).toBe(2);
  },
);

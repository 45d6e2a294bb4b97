// The private channels against a server that answers as a test wants it to: the login's signature, a position that is too far
// back to be resumed from, trades that are more than a page.
import { expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { BadRequest, type Dict } from 'ccxt';
import type { agio } from '../../src/ccxt/agio.ts';
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

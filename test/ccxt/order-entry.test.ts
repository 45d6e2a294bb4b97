// Orders of ccxt over the websocket: the messages that each method sends, the orders that it
// returns, rejections as exceptions, and a lost connection that sends nothing twice.
import { afterEach, describe, expect, test } from 'bun:test';
import {
  type Dict,
  InsufficientFunds,
  InvalidOrder,
  NetworkError,
  type Order,
  OrderNotFound,
  type OrderRequest,
} from 'ccxt';
import { agio } from '../../src/ccxt/agio.ts';
import { FakeStreams } from '../sdk/fake-streams.ts';
import { type Client, TestNode } from '../support/node.ts';
import { offline } from './static-case.ts';

const PAIR = 'BTC/USDT';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

describe('messages', () => {
  /** A server that accepts every login, and the messages with orders that it has received. */
  function serve(answer: (request: Dict) => Dict | null) {
    const server = new FakeStreams();
    const received: readonly Dict[] = server.play(answer);
    const exchange = offline({ hostname: new URL(server.url).host });
    exchange.setSandboxMode(true);
    ends.push(
      () => exchange.close(),
      async () => server[Symbol.dispose](),
    );
    return { exchange, received };
  }

  const done = { status: 200, data: { orderId: 1, clOrdId: 'c' } };
  const order = { symbol: 'BTC-USDT', side: '1', ordType: '2', orderQty: '0.5', price: '30000' };

  const cases: readonly (readonly [string, (exchange: agio) => Promise<unknown>, Dict])[] = [
    [
      'createOrderWs',
      (exchange) => exchange.createOrderWs(PAIR, 'limit', 'buy', 0.5, 30000),
      { op: 'order.place', ...order },
    ],
    [
      'createPostOnlyOrderWs',
      (exchange) =>
        exchange.createPostOnlyOrderWs(PAIR, 'limit', 'buy', 0.5, 30000, {
          clientOrderId: 'mine',
          idempotencyKey: 'k',
        }),
      { op: 'order.place', ...order, execInst: '6', clOrdId: 'mine', idempotencyKey: 'k' },
    ],
    [
      'createOrderWs of a stop with exits',
      (exchange) =>
        exchange.createOrderWs(PAIR, 'limit', 'buy', 0.5, 30000, {
          triggerPrice: 29000.5,
          triggerDirection: 'ascending',
          takeProfit: { triggerPrice: 33000 },
          stopLoss: { triggerPrice: 28000 },
        }),
      {
        op: 'order.place',
        ...order,
        ordType: '4',
        stopPx: '29000.5',
        triggerPriceDirection: 'U',
        bracket: { takeProfitPx: '33000', stopPx: '28000' },
      },
    ],
    [
      'editOrderWs',
      (exchange) => exchange.editOrderWs('7', PAIR, 'limit', 'buy', 0.4, 30000.5),
      {
        op: 'order.amend',
        symbol: 'BTC-USDT',
        orderId: '7',
        orderQty: '0.4',
        price: '30000.5',
      },
    ],
    [
      'cancelOrderWs',
      (exchange) => exchange.cancelOrderWs('7', PAIR),
      { op: 'order.cancel', orderId: '7' },
    ],
    [
      'cancelAllOrdersWs',
      (exchange) => exchange.cancelAllOrdersWs(PAIR, { recvWindow: 1000, type: 'spot' }),
      { op: 'order.cancelAll', symbol: 'BTC-USDT', recvWindow: 1000 },
    ],
    [
      'createOrdersWs',
      (exchange) =>
        exchange.createOrdersWs([
          { symbol: PAIR, type: 'limit', side: 'buy', amount: 0.5, price: 30000 },
        ]),
      { op: 'order.batch', orders: [{ op: 'place', ...order }] },
    ],
    [
      'cancelOrdersWs',
      (exchange) => exchange.cancelOrdersWs(['7'], PAIR, { clientOrderIds: ['mine'] }),
      {
        op: 'order.batch',
        orders: [
          { op: 'cancel', orderId: '7' },
          { op: 'cancel', origClOrdId: 'mine' },
        ],
      },
    ],
  ];
  test.each(cases)('%s', async (_, call, expected) => {
    const { exchange, received } = serve(({ orders = [] }) => ({
      ...done,
      data: { orders: orders.map(() => ({})) },
    }));
    const before = Date.now();
    await call(exchange);
    const [{ id, timestamp, ...message }] = received as [Dict];
    expect(message).toEqual(expected);
    expect(typeof id).toBe('string');
    expect(timestamp).toBeGreaterThanOrEqual(before);
  });

  test('a call without an answer is not sent again', async () => {
    const { exchange, received } = serve(({ op }) => (op === 'order.place' ? null : done));
    const lost = exchange.createOrderWs(PAIR, 'limit', 'buy', 0.5, 30000);
    await expect(lost).rejects.toBeInstanceOf(NetworkError);
    await exchange.cancelAllOrdersWs();
    expect(received.map(({ op }) => op)).toEqual(['order.place', 'order.cancelAll']);
  });
});

describe('on a real server', () => {
  const node = TestNode.forFile();

  function connect({ credentials }: Client): agio {
    const { apiKey, secretKey: secret } = credentials;
    const exchange = new agio({
      hostname: `127.0.0.1:${node.port}`,
      sandbox: true,
      apiKey,
      secret,
    });
    ends.push(() => exchange.close());
    return exchange;
  }

  test('an order, its cancel, a mass cancel', async () => {
    const trader = await node.client();
    const exchange = connect(trader);
    const placed = await exchange.createOrderWs(PAIR, 'limit', 'buy', 0.5, 100, {
      clientOrderId: 'ws-1',
    });
    expect(placed).toMatchObject({ symbol: PAIR, type: 'limit', side: 'buy', price: 100 });
    expect((await exchange.fetchOrder(placed.id!)).clientOrderId).toBe('ws-1');
    const edited = await exchange.editOrderWs(placed.id!, PAIR, 'limit', 'buy', undefined, 101);
    expect(edited).toEqual(await exchange.fetchOrder(placed.id!));
    expect(edited).toMatchObject({ id: placed.id, clientOrderId: 'ws-1', price: 101, amount: 0.5 });
    const canceled = await exchange.cancelOrderWs(placed.id!, PAIR);
    expect(canceled).toMatchObject({ id: placed.id, status: 'canceled', symbol: PAIR });
    await exchange.createOrderWs(PAIR, 'limit', 'buy', 0.5, 100);
    await exchange.cancelAllOrdersWs();
    expect(node.state.orders.countOf(trader.uid)).toBe(0);
    const { subscriptions } = Object.values(exchange.clients as Dict)[0];
    expect(Object.keys(subscriptions)).toEqual(['authenticated']);
  });

  test('a batch is the same over both, with rejected entries', async () => {
    const exchange = connect(await node.client());
    const market = { symbol: PAIR, type: 'market', side: 'sell' } as const;
    const limit = { symbol: PAIR, type: 'limit', side: 'buy' } as const;
    const orders: OrderRequest[] = [
      { ...limit, amount: 0.5, price: 100, params: { clientOrderId: 'first' } },
      { ...limit, amount: 9_999_999, price: 100, params: { clientOrderId: 'poor' } },
      { ...market, amount: 1, params: { takeProfitPrice: 90_000, clientOrderId: 'stop' } },
    ];
    const ownTerms = ({ timestamp, datetime, id, info, ...order }: Order) => order;
    const facts = (placed: Order[], canceled: Order[]) => ({
      placed: placed.map(ownTerms),
      canceled: canceled.map(ownTerms),
      reasons: [placed[1]!.info, canceled[1]!.info],
      named: canceled.map(({ id }) => [placed[0]!.id, '999999'].indexOf(id!)),
    });
    const placed = await exchange.createOrders(orders);
    const ids = (created: Order[]): string[] => [created[0]!.id!, '999999'];
    const calls = facts(placed, await exchange.cancelOrders(ids(placed), PAIR));
    const sent = await exchange.createOrdersWs(orders);
    expect(facts(sent, await exchange.cancelOrdersWs(ids(sent), PAIR))).toEqual(calls);
    expect(calls.placed).toMatchObject([
      { status: undefined, clientOrderId: 'first', price: 100, amount: 0.5 },
      { status: 'rejected', clientOrderId: 'poor', side: 'buy', amount: 9_999_999 },
      { status: undefined, clientOrderId: 'stop', takeProfitPrice: 90_000 },
    ]);
    expect(calls.canceled.map(({ status }) => status)).toEqual(['canceled', undefined]);
    expect(calls.named).toEqual([0, 1]);
  });

  test('rejections are those of the calls', async () => {
    const exchange = connect(await node.client());
    const poor = exchange.createOrderWs(PAIR, 'limit', 'buy', 9_999_999, 100);
    await expect(poor).rejects.toBeInstanceOf(InsufficientFunds);
    const small = exchange.createOrderWs(PAIR, 'limit', 'buy', 0.00001, 1);
    await expect(small).rejects.toBeInstanceOf(InvalidOrder);
    await expect(exchange.cancelOrderWs('999999')).rejects.toBeInstanceOf(OrderNotFound);
  });
});

// The costs of reads: each call of both APIs, with the most rows that it may read, at a venue where
// it reads them. A call pays for 1,000 rows, and each further thousand is charged as another call.
import { describe, expect, test } from 'bun:test';
import { type ApiCall, fieldsOf } from '../../src/contract/call.ts';
import { allCalls } from '../../src/contract/calls.ts';
import { earnCalls, enterpriseCalls } from '../../src/contract/earn/calls.ts';
import { MAX_PAGE_ROWS } from '../../src/contract/paging.ts';
import { CANDLE_INTERVALS, type CandleInterval } from '../../src/core/calendar.ts';
import { OrdType, Side } from '../../src/core/fix.ts';
import { lots, ticks } from '../../src/core/units.ts';
import { ENDPOINTS } from '../../src/dialects/binance/endpoints.ts';
import { moreCalls } from '../../src/gateway/limits/limits.ts';
import { tradesIn } from '../../src/views/agg-trades.ts';
import { rowsOfCandles } from '../../src/views/candles.ts';
import type { ViewQuery } from '../../src/views/views.ts';
import { BinanceClient, formOf } from '../dialects/client.ts';
import { assign, EARN } from '../support/earn.ts';
import { type Answer, type Client, OCO, type Query, TestNode } from '../support/node.ts';
import { expectOk } from '../support/shape.ts';
import { placeOrder } from '../support/venue.ts';
import { until } from '../support/waiting.ts';

/** No call of the test is paid back. */
const LIMITS =
  'public=1/86400/100000,private=1/86400/100000,user=1/86400/100000,order=off,userOrder=off';
const OPEN = 10_000;
const TRADES = 21_500;
const SYMBOL = { symbol: 'BTC-USDT' };

/** The largest question of each call that reads a list; the others have one question. */
const LARGEST: Readonly<Record<string, Query>> = {
  orderbook: { ...SYMBOL, depth: 100 },
  level3Orderbook: SYMBOL,
  trades: { ...SYMBOL, limit: 1000 },
  aggTrades: { ...SYMBOL, limit: 1000 },
  avgPrice: SYMBOL,
  candles: { ...SYMBOL, interval: '1w', limit: 1000 },
  orders: { type: 'OPEN', size: 1000 },
  fills: { size: 1000 },
  ledger: { format: 'csv' },
};

/** The same for the endpoints of the dialect, by path. */
const LARGEST_OF_BINANCE: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  depth: { limit: 5000 },
  trades: { limit: 1000 },
  historicalTrades: { limit: 1000 },
  aggTrades: { limit: 1000 },
  klines: { interval: '1w', limit: 1000 },
  uiKlines: { interval: '1w', limit: 1000 },
  avgPrice: {},
  ticker: { windowSize: '7d' },
  order: {},
  allOrders: { limit: 1000 },
  'account/commission': {},
  myTrades: { limit: 1000 },
};

const node = TestNode.forFile({ flags: ['--rate-limits', LIMITS] });
let reader: Client;
/** A pair of orders of the reader. */
let orderListId = 0;

/** The rows that the views have read since the last call of it, as they are charged. */
let rows = 0;

const rowsOf = (query: ViewQuery, found: unknown): number => {
  if (query.type === 'aggTrades') return tradesIn(found as never);
  if (query.type === 'candles') {
    return rowsOfCandles(query.interval, (found as unknown[]).length);
  }
  // A balance is two entries, which are looked up.
  if (query.type === 'statementBalances') return 0;
  if (Array.isArray(found)) return found.length;
  return (found as { items?: unknown[] } | null)?.items?.length ?? 1;
};

async function fillVenue(): Promise<void> {
  const { views } = node.services;
  const query = views.query.bind(views);
  views.query = (async (asked: ViewQuery, ...rest: [number]) => {
    const found: unknown = await query(asked, ...rest);
    rows += rowsOf(asked, found);
    return found;
  }) as typeof views.query;
  const maker = await node.user({ BTC: '1000', USDT: '1000000' });
  await node.amendUser(maker, { maxOpenOrders: TRADES });
  const { securityId } = node.state.instrumentNamed('BTC-USDT')!;
  const ask = {
    uid: maker,
    securityId,
    side: Side.sell,
    price: ticks(50_000),
    orderQty: lots(1000),
  };
  const takes = { ordType: OrdType.market, orderQty: lots(1000 * TRADES) };
  for (let placed = 0; placed < TRADES; placed += 500) {
    await Promise.all(Array.from({ length: 500 }, () => node.must(placeOrder(ask))));
  }
  reader = await node.client({ USDT: '1000000000' }, { moduleIds: [1, 2, 3, 5, 6] });
  await node.must(placeOrder({ ...takes, uid: reader.uid, securityId, side: Side.buy }));
  await until(() => node.state.orders.countOf(maker) === 0);
  const pair = { ...SYMBOL, side: 2, orderQty: 1, price: 60_000, stopPx: 10, stopLimitPx: 10 };
  orderListId = Number(expectOk(await reader.post(OCO, pair)).orderId);
  for (let open = 2; open < OPEN; open += 500) {
    await node.placeBids(reader.uid, Math.min(500, OPEN - open));
  }
}

const nameOf = (path: string): string => path.replace(/^\/binance\/(?:api\/v3\/)?/, '');

const newestOrder = (): number => node.state.next.orderId - 1;

/** The calls that a request has cost beyond its own, and the rows that it read. */
async function costOf(ask: () => Promise<Answer>): Promise<{ rows: number; more: number }> {
  const { limits } = node.services;
  const used = () =>
    limits.used('public', '127.0.0.1') + limits.used('private', reader.credentials.apiKey);
  const before = used();
  rows = 0;
  const answer = await ask();
  if (answer.status !== 200) throw new Error(answer.text);
  return { rows, more: used() - before - 1 };
}

/** Checks what a call costs, and that it is not more than the call declares. */
function expectCost(name: string, cost: { rows: number; more: number }, max: number | null): void {
  expect({ name, more: cost.more }).toEqual({ name, more: moreCalls(cost.rows) });
  if (max !== null) expect({ name, max }).toEqual({ name, max: Math.max(max, cost.rows) });
}

describe('every call', () => {
  test('has pages of at most 1,000 rows', () => {
    for (const call of allCalls) {
      for (const [name, field] of fieldsOf(call).fields) {
        if (!['size', 'pageSize', 'limit'].includes(name)) continue;
        const { maximum } = field.toJsonSchema() as { maximum?: number };
        expect({ call: call.name, name, maximum }).toEqual({
          ...{ call: call.name, name },
          maximum: Math.min(maximum ?? Number.POSITIVE_INFINITY, MAX_PAGE_ROWS),
        });
      }
    }
  });

  test('that reads more than one page says so', () => {
    const long = (calls: readonly { name: string; maxRows: number | null }[]) =>
      Object.fromEntries(
        calls
          .filter(({ maxRows }) => maxRows !== MAX_PAGE_ROWS)
          .map(({ name, maxRows }) => [name, maxRows]),
      );
    expect(long(allCalls)).toEqual({
      aggTrades: 21_000,
      candles: 7000,
      ledger: null,
      level3Orderbook: 20_000,
      subscriptions: 2000,
    });
    const endpoints = ENDPOINTS.map(({ verb, path, endpoint }) => ({
      name: `${verb} ${nameOf(path)}`,
      maxRows: endpoint.maxRows,
    }));
    expect(long(endpoints)).toEqual({
      'GET depth': 10_000,
      'GET aggTrades': 21_000,
      'GET klines': 7000,
      'GET uiKlines': 7000,
      'GET ticker': null,
      'GET openOrders': 10_000,
      'GET openOrderList': 10_000,
    });
    // A message of the websocket API costs what its request over HTTP costs.
    for (const { endpoint, message } of ENDPOINTS) expect(message.maxRows).toBe(endpoint.maxRows);
  });

  test('candles of each interval are joined from as many rows as the call declares', () => {
    const most = Object.keys(CANDLE_INTERVALS).map((interval) =>
      rowsOfCandles(interval as CandleInterval, MAX_PAGE_ROWS),
    );
    expect(Math.max(...most)).toBe(allCalls.find(({ name }) => name === 'candles')!.maxRows!);
  });
});

const isRead = ({ method, access, area }: ApiCall): boolean =>
  method === 'GET' &&
  (access === 'public' || typeof access === 'object') &&
  ['marketData', 'orders', 'account'].includes(area);

test('each read costs the rows that it reads', async () => {
  await fillVenue();
  for (const call of allCalls.filter(isRead)) {
    const query = LARGEST[call.name] ?? '';
    const cost = await costOf(() => reader.get(call.path, query));
    // All open orders but the stop of the pair; they are not read from the views.
    if (call.name === 'level3Orderbook') cost.rows = OPEN - 1;
    expectCost(call.name, cost, call.maxRows);
  }
  const binance = new BinanceClient(node, reader.credentials);
  for (const { verb, path, endpoint } of ENDPOINTS) {
    const name = nameOf(path);
    if (verb !== 'GET') continue;
    const own = LARGEST_OF_BINANCE[name];
    const named = name === 'order' ? { orderId: newestOrder() } : {};
    const query = own === undefined ? {} : { symbol: 'BTCUSDT', ...own, ...named };
    const sent = name === 'orderList' ? { orderListId } : query;
    const isPublic = endpoint.call.access === 'public';
    const form = () => (isPublic ? formOf(sent) : binance.signed(sent));
    const cost = await costOf(() => binance.send('GET', name, form()));
    expectCost(name, cost, endpoint.maxRows);
  }
  // A window of a week has at most 288 candles, and they are charged before they are read.
  const symbols = JSON.stringify(['BTCUSDT', 'ETHUSDT', 'MMXUSDT', 'BTCAED']);
  const ticker = () => binance.public('ticker', { symbols, windowSize: '7d' });
  expect(await costOf(ticker)).toMatchObject({ more: 1 });
}, 120_000);

test('a page pays for the entries of its list that are counted and skipped', async () => {
  const { views } = node.services;
  const query = views.query.bind(views);
  const earn = { moduleIds: EARN };
  const { enterpriseId } = await node.must({ type: 'createEnterprise', name: 'Savers' });
  const saver = await node.client({ USDT: '100' }, earn);
  await assign(node, saver.uid, enterpriseId, true);
  const used = () => node.services.limits.used('private', saver.credentials.apiKey);
  views.query = (async (asked: ViewQuery, ...rest: [number]) => {
    const found = await query(asked, ...rest);
    const isPaged = ['endedSubscriptions', 'enterpriseSubscriptions'].includes(asked.type);
    return isPaged ? { ...(found as object), total: 50_000 } : found;
  }) as typeof views.query;
  const { endedSubscriptions: ended } = earnCalls;
  const { memberSubscriptions: members } = enterpriseCalls;
  const pages = [
    [1, 2],
    // 49,900 more are skipped.
    [500, 4],
    // Nothing is read behind the last page.
    [501, 2],
  ];
  for (const [currentPage = 0, more = 0] of pages) {
    const page = { currentPage, pageSize: 100 };
    for (const call of [ended, members]) {
      const before = used();
      if (call.method === 'GET') expectOk(await saver.get(call.path, page));
      else expectOk(await saver.post(call.path, page));
      expect({ call: call.name, currentPage, more: used() - before - 1 }).toEqual({
        ...{ call: call.name, currentPage, more },
      });
    }
  }
  views.query = query;
}, 60_000);

test('a book pays for its levels', async () => {
  const { uid } = await node.client({ USDT: '1000000' });
  const { securityId } = node.state.instrumentNamed('ETH-USDT')!;
  const bid = { uid, securityId, side: Side.buy, orderQty: lots(1000) };
  await node.amendUser(uid, { maxOpenOrders: 2100 });
  for (let placed = 0; placed < 2100; placed += 300) {
    const prices = Array.from({ length: 300 }, (_, i) => ticks(10_000 + placed + i));
    await Promise.all(prices.map((price) => node.must(placeOrder({ ...bid, price }))));
  }
  const binance = new BinanceClient(node, reader.credentials);
  const depth = (limit: number) => () => binance.public('depth', { symbol: 'ETHUSDT', limit });
  expect(await costOf(depth(5000))).toMatchObject({ more: 2 });
  expect(await costOf(depth(1000))).toMatchObject({ more: 0 });
});

test('an account has two long reads at a time', async () => {
  const { limits } = node.services;
  const binance = new BinanceClient(node, reader.credentials);
  const ends = [1, 2].map(() => limits.beginLongRead(reader.uid));
  for (const path of ['openOrders', 'openOrderList']) {
    const { status, body, headers } = await binance.call('GET', path);
    expect({ status, code: body.code }).toEqual({ status: 429, code: -1003 as never });
    expect(headers.get('retry-after')).toBe('1');
  }
  expect((await reader.get('/spot-api/api/private/v1/ledger', 'format=csv')).status).toBe(429);
  // One page is no long read.
  expect((await binance.call('GET', 'openOrders', { symbol: 'ETHUSDT' })).status).toBe(200);
  for (const end of ends) end();
  for (let i = 0; i < 3; i++) {
    expect((await binance.must('GET', 'openOrders')) as unknown).toHaveLength(OPEN);
  }
});

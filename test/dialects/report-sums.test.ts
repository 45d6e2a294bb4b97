// The reports of an account's streams add up to its trades and its payments: on agio's stream and
// on Binance's, for random orders, and in ccxt's own caches.
import { expect, test } from 'bun:test';
import type { Trade } from 'ccxt';
import { type JsonText, stringify } from '../../src/contract/json.ts';
import { order as orderAnswer } from '../../src/contract/trading/order-report.ts';
import type { CoreEvent, Trade as CoreTrade, ExecutionReport } from '../../src/core/event.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { Side } from '../../src/core/fix.ts';
import type { State } from '../../src/core/state.ts';
import type { Venue } from '../../src/dialects/binance/endpoint.ts';
import { Symbols } from '../../src/dialects/binance/symbols.ts';
import { UserFeed } from '../../src/dialects/binance/user-data.ts';
import { parseExact } from '../../src/sdk/exact-json.ts';
import { Venue as ModelVenue } from '../model/venue.ts';
import { Workload } from '../model/workload.ts';
import { type Json, TestNode } from '../support/node.ts';
import { until } from '../support/waiting.ts';
import { ccxtOf } from './client.ts';

/** More than any decimal of the streams has after its point, and a product of two. */
const DIGITS = 40;
const exact = (value: unknown): bigint => {
  const [whole = '', fraction = ''] = String(value).split('.');
  return BigInt(whole + fraction.padEnd(DIGITS, '0'));
};
const product = (a: unknown, b: unknown): bigint => (exact(a) * exact(b)) / 10n ** BigInt(DIGITS);

interface Sums {
  quantity: bigint;
  quote: bigint;
  ends: number;
  fees: bigint;
  readonly trades: Set<unknown>;
}

const sumsOf = (all: Map<unknown, Sums>, orderId: unknown): Sums => {
  const none = { quantity: 0n, quote: 0n, ends: 0, fees: 0n, trades: new Set() };
  const sums = all.get(orderId) ?? none;
  all.set(orderId, sums);
  return sums;
};

function addOwn(all: Map<unknown, Sums>, state: State, report: ExecutionReport): void {
  const { source } = orderAnswer.write(report, state.instruments[report.securityId]!) as JsonText;
  const row = parseExact(source) as Record<string, unknown>;
  const sums = sumsOf(all, report.orderId);
  const isFill = row.execType === 1 || row.execType === 2;
  expect(exact(row.lastQty) > 0n).toBe(isFill);
  sums.quantity += exact(row.lastQty);
  sums.quote += product(row.lastQty, row.lastPx);
  expect(exact(row.cumQty)).toBe(sums.quantity);
  expect(exact(row.cumQuoteQty)).toBe(sums.quote);
  if ([2, 4, 8].includes(row.ordStatus as number)) expect(++sums.ends).toBe(1);
}

function addBinance(all: Map<unknown, Sums>, message: Json): void {
  const sums = sumsOf(all, String(message.i));
  const isTrade = message.x === ('TRADE' as never);
  expect(exact(message.l) > 0n).toBe(isTrade);
  expect(exact(message.L) > 0n).toBe(isTrade);
  expect(Number(message.t) > 0).toBe(isTrade);
  expect(message.N !== null).toBe(isTrade);
  if (isTrade) expect(exact(message.Y)).toBe(product(message.l, message.L));
  else expect([message.n, message.Y]).toEqual(['0', '0'] as never);
  sums.quantity += exact(message.l);
  sums.quote += exact(message.Y);
  sums.fees += exact(message.n);
  expect(exact(message.z)).toBe(sums.quantity);
  expect(exact(message.Z)).toBe(sums.quote);
  const isOpen = ['NEW', 'PARTIALLY_FILLED'].includes(message.X as never);
  if (!isOpen) expect(++sums.ends).toBe(1);
  // An account that trades with itself reads one trade of each of its two orders.
  const trade = `${message.t}/${message.m}`;
  if (isTrade) expect(sums.trades.has(trade)).toBe(false);
  sums.trades.add(trade);
}

function addFees(fees: Map<number, bigint>, { instruments }: State, trade: CoreTrade): void {
  const { base, quote } = instruments[trade.securityId]!;
  const isBuy = trade.takerSide === Side.buy;
  const add = (orderId: number, fee: number | bigint, scale: number): void => {
    const sum = fees.get(orderId) ?? 0n;
    fees.set(orderId, sum + BigInt(fee) * 10n ** BigInt(DIGITS - scale));
  };
  add(trade.takerOrderId, trade.takerFee, isBuy ? base.scale : quote.scale);
  add(trade.makerOrderId, trade.makerFee, isBuy ? quote.scale : base.scale);
}

test('the reports of random orders add up on both streams', () => {
  const model = new ModelVenue();
  const workload = new Workload(3, model, 'mixed');
  const exchange = new Exchange();
  const venue = { state: exchange.state, symbols: new Symbols(exchange.state) };
  const own = new Map<unknown, Sums>();
  const binance = new Map<unknown, Sums>();
  const fees = new Map<number, bigint>();
  const feeds = new Map<number, UserFeed>();
  const feedOf = (uid: number): UserFeed => {
    const feed = feeds.get(uid) ?? new UserFeed(venue as unknown as Venue, uid);
    if (feeds.has(uid)) return feed;
    feeds.set(uid, feed);
    feed.add((message) => {
      const json = parseExact(stringify(message)) as Json;
      if (json.e === ('executionReport' as never)) addBinance(binance, json);
    });
    return feed;
  };
  const receive = (event: CoreEvent): void => {
    if (event.type === 'trade') {
      addFees(fees, exchange.state, event);
      for (const uid of new Set([event.makerUid, event.takerUid])) feedOf(uid).receive(event);
    } else if (event.type === 'executionReport') {
      addOwn(own, exchange.state, event);
      feedOf(event.uid).receive(event);
    }
  };
  for (let seq = 1; seq <= 6_000; seq++) {
    const { time, command } = workload.next();
    model.seq = seq - 1;
    model.apply(time, command);
    exchange.apply(seq, time, command);
    for (const event of exchange.events) receive(event);
    for (const feed of feeds.values()) feed.flush();
  }
  expect(fees.size).toBeGreaterThan(100);
  for (const [orderId, sum] of fees) expect(binance.get(String(orderId))!.fees).toBe(sum);
});

const node = TestNode.forFile();
const SYMBOL = 'BTC/USDT';

test("ccxt's caches have each trade of an order by quote once, with its fee", async () => {
  await node.amend('BTC-USDT', { takerFee: 200_000 });
  const [one, other] = [await node.client(), await node.client()];
  const taker = ccxtOf(node, other.credentials);
  await taker.loadHttpProxyAgent();
  await taker.loadMarkets();
  try {
    await one.limit(2, '30', '1');
    await one.limit(2, '30.01', '1');
    const watching = taker.watchOrders(SYMBOL);
    await until(() => node.services.engine.exchange.state.eventFilter.owners.has(other.uid));
    const placed = await taker.createMarketBuyOrderWithCost(SYMBOL, 45);
    await watching;
    const cached = () => taker.orders as unknown as { id: string; status: string }[];
    await until(() => cached().some(({ id, status }) => id === placed.id && status === 'closed'));
    const seen = taker.myTrades as unknown as Trade[];
    const rest = await taker.fetchMyTrades(SYMBOL);
    const facts = (trades: readonly Trade[]) =>
      trades.map(({ id, amount, price, cost, fee }) => ({ id, amount, price, cost, fee }));
    expect(facts(seen)).toEqual(facts(rest));
    expect(seen.map(({ price }) => price)).toEqual([30, 30.01]);
    const order = await taker.fetchOrder(placed.id!, SYMBOL);
    expect(order.status).toBe('closed');
    const paid = seen.reduce((sum, { cost }) => sum + cost!, 0);
    expect(paid).toBeCloseTo(order.cost!, 10);
    expect(paid).toBeLessThanOrEqual(45);
    const [{ fee, fees }] = taker.orders as unknown as [
      { fee: Trade['fee']; fees?: Trade['fee'][] },
    ];
    const all = fees === undefined || fees.length === 0 ? [fee] : fees;
    const sum = all.reduce((fees, one) => fees + Number(one?.cost ?? 0), 0);
    const charged = rest.reduce((fees, one) => fees + one.fee!.cost!, 0);
    expect(sum).toBeCloseTo(charged, 12);
  } finally {
    await taker.close();
    await node.amend('BTC-USDT', { takerFee: 0 });
  }
});

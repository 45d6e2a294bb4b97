// Checks of the public calls: instruments, books of both levels and how they agree, trades,
// tickers, candles.
import { marketDataCalls } from '../contract/market-data/calls.ts';
import * as decimal from '../sdk/decimal.ts';
import { type Check, section } from './check.ts';
import { type AnswerOf, expect, expectSame, expectSorted, Skip } from './expect.ts';
import type { Kit } from './kit.ts';

const listing = section('trading', 'getInstruments');
const instrument = section('trading', 'Instrument');
const book = section('trading', 'getOrderbook');
const level3 = section('trading', 'getL3Orderbook');
const ours = section('agio', 'Public calls');

const { instruments, instrumentsV1, orderbook, level3Orderbook } = marketDataCalls;
const { trades, aggTrades, bbo, avgPrice, tickers, candles, time, assets } = marketDataCalls;
const DEPTHS = [1, 5, 20, 100];
/** The server lists so many levels of a side at least completely. */
const WHOLE_LEVELS = 1_000;
const ATTEMPTS = 20;

export const SIDES = ['bids', 'asks'] as const;
type Side = (typeof SIDES)[number];
type Orderbook = AnswerOf<typeof orderbook>;
type Level3Orderbook = AnswerOf<typeof level3Orderbook>;
type Level3 = readonly [price: string, quantity: string, orders: readonly (readonly string[])[]];

const level3Of = (orders: Level3Orderbook, side: Side): readonly Level3[] =>
  orders[side] as unknown as readonly Level3[];

/** The best price of a side comes first. */
function expectOrdered(side: Side, levels: readonly (readonly unknown[])[]): void {
  const prices = levels.map(([price]) => String(price));
  const wanted = side === 'bids' ? 1 : -1;
  const order = side === 'bids' ? 'descend' : 'ascend';
  for (let i = 1; i < prices.length; i++) {
    const holds = decimal.compare(prices[i - 1]!, prices[i]!) === wanted;
    expect(holds, `prices of ${side} to ${order}`, prices.slice(i - 1, i + 1));
  }
}

/** Both books at the same moment. Throws Skip if the book always changes. */
async function bothBooks(kit: Kit, symbol: string): Promise<readonly [Orderbook, Level3Orderbook]> {
  for (let i = 0; i < ATTEMPTS; i++) {
    const [levels, orders] = await Promise.all([
      kit.call(orderbook, { symbol, depth: 100 }),
      kit.call(level3Orderbook, { symbol }),
    ]);
    if (levels.lastUpdateId === orders.version) return [levels, orders];
  }
  throw new Skip('the book changed too fast to be read twice at one lastUpdateId');
}

export const marketDataChecks: readonly Check[] = [
  instrument('MKT-01', 'Each instrument has the fields of the table.', async (kit) => {
    const rows = await kit.call(instruments);
    expect(rows.length > 0, 'at least one instrument', rows);
    for (const { symbol, apiTradeSupported } of rows) {
      expect(/^[^-]+-[^-]+$/.test(symbol), 'symbol as <BASE>-<QUOTE>', symbol);
      expect(apiTradeSupported !== undefined, 'apiTradeSupported', apiTradeSupported);
    }
    const ids = rows.map(({ securityId }) => securityId);
    expectSame('the number of different securityIds', new Set(ids).size, ids.length);
  }),
  listing('MKT-02', 'Version 1 is the same without apiTradeSupported.', async (kit) => {
    const rows = await kit.call(instruments);
    const without = rows.map(({ apiTradeSupported: _, ...row }) => row);
    expectSame('instruments v1', await kit.call(instrumentsV1), without);
  }),
  ours('MKT-03', 'Version 1 has the headers of a deprecated call.', async ({ wire }) => {
    const rejected = await wire.send(instrumentsV1, { securityId: 'x' });
    for (const { headers } of [await wire.send(instrumentsV1), rejected]) {
      const deprecation = headers.get('deprecation');
      expect(/^@\d+$/.test(deprecation ?? ''), 'the header Deprecation', deprecation);
      expectSame('Link', headers.get('link'), `<${instruments.path}>; rel="successor-version"`);
    }
    const { headers } = await wire.send(instruments);
    expectSame('Deprecation of v2', headers.get('deprecation'), null);
  }),
  listing('MKT-04', 'The filters symbol and securityId select.', async (kit) => {
    const [first] = await kit.call(instruments);
    const { symbol, securityId } = first!;
    const both = { symbol, securityId, securityType: 'SPOT_PAIR' };
    for (const query of [{ symbol }, { securityId }, both]) {
      const selected = (await kit.call(instruments, query)).map((row) => row.symbol);
      expectSame('the selected pairs', selected, [symbol]);
    }
  }),
  listing(
    'MKT-05',
    'Filters that differ are an error; one that matches nothing gives an empty list.',
    async (kit) => {
      const [first, second] = await kit.call(instruments);
      if (second === undefined) throw new Skip('there is only one instrument');
      const { symbol } = first!;
      const { securityId } = second;
      await kit.expectRejected(instruments, { symbol, securityId }, 'symbolMismatch');
      for (const none of [{ symbol: 'NO-SUCH' }, { securityType: 'NO-SUCH' }]) {
        expectSame('the list', await kit.call(instruments, none), []);
      }
    },
  ),
  book('MKT-06', 'The order book has the fields of the table.', async (kit) => {
    const { symbol } = await kit.pair();
    await kit.rest();
    expectSame('symbol', (await kit.call(orderbook, { symbol })).symbol, symbol);
  }),
  book('MKT-07', 'Bids descend in price, asks ascend, and they do not cross.', async (kit) => {
    const { symbol, tick, bidPrice } = await kit.pair();
    await kit.rest();
    await kit.rest({ price: decimal.subtract(bidPrice, tick) });
    const { bids, asks } = await kit.call(orderbook, { symbol, depth: 100 });
    expectOrdered('bids', bids);
    expectOrdered('asks', asks);
    const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]];
    if (bid === undefined || ask === undefined) return;
    expect(decimal.compare(bid, ask) < 0, 'the best bid below the best ask', [bid, ask]);
  }),
  book('MKT-08', 'depth is 1, 5, 20 or 100, and bounds the levels; 20 by default.', async (kit) => {
    const { symbol } = await kit.pair();
    for (const depth of DEPTHS) {
      const answer = await kit.call(orderbook, { symbol, depth });
      expectSame('depth', answer.depth, depth);
      for (const side of SIDES) {
        const { length } = answer[side];
        expect(length <= depth, `at most ${depth} levels of ${side}`, length);
      }
    }
    expectSame('depth', (await kit.call(orderbook, { symbol })).depth, 20);
    await kit.expectRejected(orderbook, { symbol, depth: 7 }, 'invalidField', 'depth');
  }),
  book('MKT-09', 'lastUpdateId grows with each change of the book.', async (kit) => {
    const { symbol } = await kit.pair();
    const before = await kit.call(orderbook, { symbol });
    await kit.rest();
    const after = await kit.call(orderbook, { symbol });
    const grew = after.lastUpdateId > before.lastUpdateId;
    expect(grew, `lastUpdateId above ${before.lastUpdateId}`, after.lastUpdateId);
  }),
  book('MKT-10', 'symbol is required, and has to exist.', async (kit) => {
    await kit.expectRejected(orderbook, {}, 'invalidField', 'symbol');
    await kit.expectRejected(orderbook, { symbol: 'NO-SUCH' }, 'unknownSymbol');
    await kit.expectRejected(level3Orderbook, {}, 'invalidField', 'symbol');
  }),
  level3('MKT-11', 'The level-3 book lists each order, everything as strings.', async (kit) => {
    const { symbol } = await kit.pair();
    const orderId = await kit.rest();
    const answer = await kit.call(level3Orderbook, { symbol });
    const orders = SIDES.flatMap((side) => level3Of(answer, side).flatMap((level) => level[2]));
    const own = orders.filter(([id]) => id === String(orderId));
    expectSame(`how often the own order ${orderId} is in the book`, own.length, 1);
  }),
  level3(
    'MKT-12',
    'Levels are in the order of the price, and are the sum of their orders.',
    async (kit) => {
      const { symbol } = await kit.pair();
      await kit.rest();
      const answer = await kit.call(level3Orderbook, { symbol });
      for (const side of SIDES) {
        const levels = level3Of(answer, side);
        expectOrdered(side, levels);
        // The last level of a long side may be cut.
        for (const [price, quantity, orders] of levels.slice(0, WHOLE_LEVELS)) {
          const sum = decimal.sum(orders.map((order) => order[3]!));
          const isSum = decimal.compare(sum, quantity) === 0;
          expect(isSum, `orders at ${price} to add up to ${quantity}`, sum);
        }
      }
    },
  ),
  level3('MKT-13', 'At one lastUpdateId both books say the same.', async (kit) => {
    const { symbol } = await kit.pair();
    await kit.rest();
    const [levels, orders] = await bothBooks(kit, symbol);
    for (const side of SIDES) {
      const best = level3Of(orders, side).slice(0, 100);
      const totals = best.map(([price, quantity]) => [price, quantity]);
      expectSame(`${side} of level 3`, totals, levels[side]);
    }
  }),
  ours('MKT-14', 'Trades of a pair come newest first, with their fields.', async (kit) => {
    const { symbol } = await kit.pair();
    const rows = await kit.call(trades, { symbol, limit: 50 });
    const ids = rows.map(({ tradeId }) => tradeId);
    expectSorted('tradeIds', ids, -1);
  }),
  ours('MKT-15', 'Tickers have a row for each pair.', async (kit) => {
    const pairs = await kit.call(instruments);
    expectSame('the number of tickers', (await kit.call(tickers)).length, pairs.length);
  }),
  ours('MKT-16', 'Candles come oldest first; low and high enclose open and close.', async (kit) => {
    const { symbol } = await kit.pair();
    const rows = await kit.call(candles, { symbol, interval: '1m', limit: 100 });
    const times = rows.map(({ openTime }) => openTime);
    expectSorted('opening times', times, 1);
    for (const row of rows) {
      for (const price of [row.open, row.close]) {
        const isLow = decimal.compare(row.low, price) <= 0;
        const isHigh = decimal.compare(row.high, price) >= 0;
        expect(isLow && isHigh, 'low and high around open and close', row);
      }
    }
  }),
  ours(
    'MKT-18',
    'Trades of one incoming order at one price add up to an aggregate.',
    async (kit) => {
      const { symbol } = await kit.pair();
      const rows = await kit.call(trades, { symbol, limit: 200 });
      const [oldest] = rows.slice(-1);
      if (oldest === undefined) return;
      const aggregates = await kit.call(aggTrades, { symbol, limit: 1000, fromId: oldest.tradeId });
      expectSorted(
        'first trades',
        aggregates.map(({ firstTradeId }) => firstTradeId),
        1,
      );
      for (const aggregate of aggregates) {
        const { aggTradeId, firstTradeId, lastTradeId, quantity } = aggregate;
        expectSame('firstTradeId', firstTradeId, aggTradeId);
        const parts = rows.filter((row) => row.aggTradeId === aggTradeId);
        const ids = parts.map(({ tradeId }) => tradeId);
        // An aggregate at either end of the page may have other trades.
        if (!ids.includes(firstTradeId) || !ids.includes(lastTradeId)) continue;
        const sum = decimal.sum(parts.map((part) => part.quantity));
        const isSum = decimal.compare(sum, quantity) === 0;
        expect(isSum, `trades of ${aggTradeId} to add up to ${quantity}`, sum);
      }
    },
  ),
  ours('MKT-19', 'The best prices are the top of the book.', async (kit) => {
    const { symbol } = await kit.pair();
    await kit.rest();
    for (let i = 0; i < ATTEMPTS; i++) {
      const [[best], book] = await Promise.all([
        kit.call(bbo, { symbol }),
        kit.call(orderbook, { symbol, depth: 1 }),
      ]);
      if (best!.lastUpdateId !== book.lastUpdateId) continue;
      const [[bid = [null, null]], [ask = [null, null]]] = [book.bids, book.asks];
      expectSame('best bid', [best!.bestBid, best!.bestBidQuantity], bid);
      expectSame('best ask', [best!.bestAsk, best!.bestAskQuantity], ask);
      return;
    }
    throw new Skip('the book changed too fast to be read twice at one lastUpdateId');
  }),
  ours('MKT-20', 'The average price is quoteVolume ÷ baseVolume of its window.', async (kit) => {
    const { symbol } = await kit.pair();
    const answer = await kit.call(avgPrice, { symbol });
    const { price, baseVolume, quoteVolume, openTime, closeTime } = answer;
    const length = closeTime - openTime;
    expect(length > 0 && length <= 300_000, 'a window of at most 5 minutes', length);
    if (price === null || decimal.compare(baseVolume, '0') === 0) return;
    // The price is rounded once: the product is off by at most half a unit for each coin.
    const product = decimal.multiply(price, baseVolume);
    const difference = decimal.subtract(product, quoteVolume);
    const bound = decimal.multiply(baseVolume, '0.000000005');
    const isNear =
      decimal.compare(difference, bound) <= 0 &&
      decimal.compare(decimal.subtract('0', difference), bound) <= 0;
    expect(isNear, `price × ${baseVolume} to be ${quoteVolume}`, product);
  }),
  ours('MKT-17', 'The server publishes its clock and its assets.', async (kit) => {
    await kit.call(time);
    const rows = await kit.call(assets);
    expect(rows.length > 0, 'at least one asset', rows);
  }),
];

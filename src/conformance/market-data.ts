// Checks of the public calls: instruments, books of both levels and what they say of each other,
// trades, tickers, candles.
import * as decimal from '../sdk/decimal.ts';
import { type Check, expect, expectSame, Skipped, section } from './check.ts';
import {
  decimalText,
  expectOk,
  expectRefused,
  expectRows,
  expectShape,
  type Shape,
} from './expect.ts';
import { type Kit, MARKET, PUBLIC } from './kit.ts';
import type { Fields, Json } from './wire.ts';

const instruments = section('trading', 'getInstruments');
const instrument = section('trading', 'Instrument');
const orderbook = section('trading', 'getOrderbook');
const level3 = section('trading', 'getL3Orderbook');
const ours = section('agio', 'Public calls');

const V1 = `${PUBLIC}/v1/instruments`;
const V2 = `${PUBLIC}/v2/instruments`;
const BOOK = `${MARKET}/orderbook`;
const L3 = `${MARKET}/l3Orderbook`;
const DEPTHS = [1, 5, 20, 100];
const UNKNOWN_SYMBOL = 100201;
const MISMATCH = 100202;
const INVALID = 100200;

const INSTRUMENT: Shape = {
  symbol: 'text',
  securityId: 'integer',
  securityType: 'text',
  instrumentStatus: 'text',
  baseAssetIncrement: 'decimal',
  quoteAssetIncrement: 'decimal',
  baseAssetMinOrderSize: 'decimal',
  quoteAssetMinOrderSize: 'decimal',
  open: 'boolean',
  fiat: 'boolean',
};
const BOOK_SHAPE: Shape = {
  symbol: 'text',
  depth: 'integer',
  transactTime: 'time',
  lastUpdateId: 'integer',
  bids: 'list',
  asks: 'list',
};

type Side = 'bids' | 'asks';
const SIDES: readonly Side[] = ['bids', 'asks'];
type Level = readonly [price: string, quantity: string];

/** The levels of a side, as texts; they must be pairs of numbers. */
function levelsOf(book: Json, side: Side): Level[] {
  const rows = book[side] as unknown as Json[];
  return rows.map((row): Level => {
    const pair = Array.isArray(row) && row.length === 2;
    expect(pair, `a level of ${side} to be [price, quantity]`, row);
    return [decimalText(row[0] as unknown), decimalText(row[1] as unknown)];
  });
}

function expectOrdered(side: Side, prices: readonly string[]): void {
  const wanted = side === 'bids' ? 1 : -1;
  const order = side === 'bids' ? 'descend' : 'ascend';
  for (let i = 1; i < prices.length; i++) {
    const holds = decimal.compare(prices[i - 1]!, prices[i]!) === wanted;
    expect(holds, `prices of ${side} to ${order}`, prices.slice(i - 1, i + 1));
  }
}

const ATTEMPTS = 20;

/** Both books at the same moment. Throws Skipped in a book that never rests. */
async function bothBooks({ wire }: Kit, symbol: string): Promise<readonly [Json, Json]> {
  for (let i = 0; i < ATTEMPTS; i++) {
    const [two, three] = await Promise.all([
      wire.open(BOOK, { symbol, depth: 100 }),
      wire.open(L3, { symbol }),
    ]);
    const level2 = expectOk(two);
    const orders = expectOk(three);
    if (Number(level2.lastUpdateId) === Number(orders.version)) return [level2, orders];
  }
  throw new Skipped('the book changed too fast to be read twice at one lastUpdateId');
}

export const marketDataChecks: readonly Check[] = [
  instrument('MKT-01', 'Each instrument has the fields of the table.', async ({ wire }) => {
    const rows = expectRows('instruments', expectOk(await wire.open(V2)), {
      ...INSTRUMENT,
      apiTradeSupported: 'boolean',
    });
    expect(rows.length > 0, 'at least one instrument', rows);
    for (const row of rows) {
      expect(/^[^-]+-[^-]+$/.test(String(row.symbol)), 'symbol as <BASE>-<QUOTE>', row.symbol);
    }
    const ids = rows.map(({ securityId }) => Number(securityId));
    expectSame('the number of different securityIds', new Set(ids).size, ids.length);
  }),
  instruments('MKT-02', 'Version 1 is the same without apiTradeSupported.', async ({ wire }) => {
    const shape: Shape = { ...INSTRUMENT, apiTradeSupported: '-' };
    const first = expectRows('instruments v1', expectOk(await wire.open(V1)), shape);
    const second = expectOk(await wire.open(V2)) as unknown as Json[];
    const without = second.map(({ apiTradeSupported: _, ...row }) => row);
    expectSame('instruments v1', first, without);
  }),
  ours('MKT-03', 'Version 1 says by its headers that it is deprecated.', async ({ wire }) => {
    const refused = await wire.open(V1, { symbol: 'NO-SUCH' });
    for (const { headers } of [await wire.open(V1), refused]) {
      const deprecation = headers.get('deprecation');
      expect(/^@\d+$/.test(deprecation ?? ''), 'the header Deprecation', deprecation);
      expectSame('Link', headers.get('link'), `<${V2}>; rel="successor-version"`);
    }
    expectSame('Deprecation of v2', (await wire.open(V2)).headers.get('deprecation'), null);
  }),
  instruments('MKT-04', 'The filters symbol and securityId select.', async ({ wire }) => {
    const [one] = expectOk(await wire.open(V2)) as unknown as Json[];
    const { symbol, securityId } = one!;
    const queries: readonly Fields[] = [
      { symbol: String(symbol) },
      { securityId: Number(securityId) },
      { symbol: String(symbol), securityId: Number(securityId), securityType: 'SPOT_PAIR' },
    ];
    for (const query of queries) {
      const found = expectOk(await wire.open(V2, query)) as unknown as Json[];
      expectSame(
        'what the filter selects',
        found.map((row) => row.symbol),
        [symbol],
      );
    }
  }),
  instruments('MKT-05', 'A symbol and a securityId that differ are an error.', async ({ wire }) => {
    const all = expectOk(await wire.open(V2)) as unknown as Json[];
    if (all.length < 2) throw new Skipped('there is only one instrument');
    const query = { symbol: String(all[0]!.symbol), securityId: Number(all[1]!.securityId) };
    expectRefused(await wire.open(V2, query), 400, MISMATCH);
    expectRefused(await wire.open(V2, { symbol: 'NO-SUCH' }), 400, UNKNOWN_SYMBOL);
  }),
  orderbook('MKT-06', 'The order book has the fields of the table.', async (kit) => {
    const { symbol } = await kit.pair();
    await kit.rest();
    const book = expectOk(await kit.wire.open(BOOK, { symbol }));
    expectShape('the order book', book, BOOK_SHAPE);
    expectSame('symbol', book.symbol, symbol);
    for (const side of SIDES) levelsOf(book, side);
  }),
  orderbook('MKT-07', 'Bids descend in price, asks ascend, and they do not cross.', async (kit) => {
    const { symbol, tick, bidPrice } = await kit.pair();
    await kit.rest();
    await kit.rest({ price: decimal.subtract(bidPrice, tick) });
    const book = expectOk(await kit.wire.open(BOOK, { symbol, depth: 100 }));
    for (const side of SIDES) {
      expectOrdered(
        side,
        levelsOf(book, side).map(([price]) => price),
      );
    }
    const [bid] = levelsOf(book, 'bids');
    const [ask] = levelsOf(book, 'asks');
    if (bid === undefined || ask === undefined) return;
    expect(decimal.compare(bid[0], ask[0]) < 0, 'the best bid below the best ask', [bid, ask]);
  }),
  orderbook(
    'MKT-08',
    'depth is 1, 5, 20 or 100, and bounds the levels; 20 by default.',
    async (kit) => {
      const { symbol } = await kit.pair();
      for (const depth of DEPTHS) {
        const book = expectOk(await kit.wire.open(BOOK, { symbol, depth }));
        expectSame('depth', book.depth, depth);
        for (const side of SIDES) {
          const { length } = levelsOf(book, side);
          expect(length <= depth, `at most ${depth} levels of ${side}`, length);
        }
      }
      expectSame('depth', expectOk(await kit.wire.open(BOOK, { symbol })).depth, 20);
      expectRefused(await kit.wire.open(BOOK, { symbol, depth: 7 }), 400, INVALID, 'depth');
    },
  ),
  orderbook('MKT-09', 'lastUpdateId grows with each change of the book.', async (kit) => {
    const { symbol } = await kit.pair();
    const before = expectOk(await kit.wire.open(BOOK, { symbol }));
    await kit.rest();
    const after = expectOk(await kit.wire.open(BOOK, { symbol }));
    const grown = Number(after.lastUpdateId) > Number(before.lastUpdateId);
    expect(grown, `lastUpdateId above ${before.lastUpdateId}`, after.lastUpdateId);
  }),
  orderbook('MKT-10', 'symbol is required, and has to exist.', async ({ wire }) => {
    expectRefused(await wire.open(BOOK), 400, INVALID, 'symbol');
    expectRefused(await wire.open(BOOK, { symbol: 'NO-SUCH' }), 400, UNKNOWN_SYMBOL);
    expectRefused(await wire.open(L3), 400, INVALID, 'symbol');
  }),
  level3('MKT-11', 'The level-3 book lists each order, everything as strings.', async (kit) => {
    const { symbol } = await kit.pair();
    const orderId = await kit.rest();
    const book = expectOk(await kit.wire.open(L3, { symbol }));
    expectShape('the level-3 book', book, {
      version: 'integer',
      transactTime: 'time',
      symbol: 'text',
      bids: 'list',
      asks: 'list',
    });
    const ids: string[] = [];
    for (const side of SIDES) {
      for (const level of book[side] as unknown as Json[]) {
        const [price, quantity, orders] = level as unknown as [unknown, unknown, unknown[][]];
        const form = typeof price === 'string' && typeof quantity === 'string';
        expect(form && Array.isArray(orders), `a level of ${side} in strings`, level);
        for (const order of orders) {
          const texts = order.length === 4 && order.every((part) => typeof part === 'string');
          expect(texts, 'an order of four strings', order);
          ids.push(String(order[0]));
        }
      }
    }
    expect(ids.includes(String(orderId)), `the own order ${orderId} in the book`, ids.length);
  }),
  level3(
    'MKT-12',
    'Levels are in the order of the price, and are the sum of their orders.',
    async (kit) => {
      const { symbol } = await kit.pair();
      await kit.rest();
      const book = expectOk(await kit.wire.open(L3, { symbol }));
      for (const side of SIDES) {
        const levels = book[side] as unknown as [
          string,
          string,
          [string, string, string, string][],
        ][];
        expectOrdered(
          side,
          levels.map(([price]) => price),
        );
        // The last level of a long side may be cut.
        for (const [price, quantity, orders] of levels.slice(0, 1000)) {
          const sum = decimal.sum(orders.map((order) => order[3]));
          expect(
            decimal.compare(sum, quantity) === 0,
            `orders at ${price} to add up to ${quantity}`,
            sum,
          );
        }
      }
    },
  ),
  level3('MKT-13', 'At one lastUpdateId both books say the same.', async (kit) => {
    const { symbol } = await kit.pair();
    await kit.rest();
    const [two, three] = await bothBooks(kit, symbol);
    for (const side of SIDES) {
      const levels = three[side] as unknown as readonly [string, string][];
      const totals = levels.slice(0, 100).map(([price, quantity]) => [price, quantity]);
      expectSame(`${side} of level 3`, totals, levelsOf(two, side));
    }
  }),
  ours('MKT-14', 'Trades of a pair come newest first, with their fields.', async (kit) => {
    const { symbol } = await kit.pair();
    const trades = expectOk(await kit.wire.open(`${MARKET}/trades`, { symbol, limit: 50 }));
    const rows = expectRows('trades', trades, {
      tradeId: 'integer',
      price: 'decimal',
      quantity: 'decimal',
      quoteAmount: 'decimal',
      takerSide: 'integer',
      transactTime: 'time',
    });
    const ids = rows.map(({ tradeId }) => Number(tradeId));
    expectSame(
      'tradeIds',
      ids,
      [...ids].sort((a, b) => b - a),
    );
  }),
  ours('MKT-15', 'Tickers have a row for each pair.', async ({ wire }) => {
    const listed = expectOk(await wire.open(V2)) as unknown as Json[];
    const rows = expectRows('tickers', expectOk(await wire.open(`${MARKET}/tickers`)), {
      symbol: 'text',
      securityId: 'integer',
      openTime: 'time',
      closeTime: 'time',
      openPrice: 'decimal?',
      highPrice: 'decimal?',
      lowPrice: 'decimal?',
      lastPrice: 'decimal?',
      baseVolume: 'decimal',
      quoteVolume: 'decimal',
      tradeCount: 'integer',
      bestBid: 'decimal?',
      bestAsk: 'decimal?',
    });
    expectSame('the number of tickers', rows.length, listed.length);
  }),
  ours('MKT-16', 'Candles come oldest first; low and high enclose open and close.', async (kit) => {
    const { symbol } = await kit.pair();
    const query = { symbol, interval: '1m', limit: 100 };
    const rows = expectRows('candles', expectOk(await kit.wire.open(`${MARKET}/candles`, query)), {
      openTime: 'time',
      open: 'decimal',
      high: 'decimal',
      low: 'decimal',
      close: 'decimal',
      baseVolume: 'decimal',
      quoteVolume: 'decimal',
      tradeCount: 'integer',
    });
    const times = rows.map(({ openTime }) => Number(openTime));
    expectSame(
      'opening times',
      times,
      [...times].sort((a, b) => a - b),
    );
    for (const row of rows) {
      const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((name) =>
        Number(row[name]),
      );
      const encloses = low! <= Math.min(open!, close!) && high! >= Math.max(open!, close!);
      expect(encloses, 'low and high around open and close', row);
    }
  }),
  ours('MKT-17', 'The server tells its clock and its assets.', async ({ wire }) => {
    const time = expectOk(await wire.open(`${PUBLIC}/v1/time`));
    expectShape('time', time, { serverTime: 'time', businessTime: 'time' });
    const assets = expectOk(await wire.open(`${PUBLIC}/v1/assets`));
    expectRows('assets', assets, { asset: 'text', scale: 'integer', fiat: 'boolean' });
  }),
];

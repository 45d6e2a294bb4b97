// The public calls: instruments, assets, clocks, books, trades, averages, tickers and candles, with
// the values of their fields. The conformance kit proves their order, and that they agree.
import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { InstrumentStatus } from '../../src/core/fix.ts';
import {
  AGG_TRADES,
  ASSETS_PATH,
  AVG_PRICE,
  CANDLES,
  type Client,
  INSTRUMENTS,
  L3_ORDERBOOK,
  MASS_CANCEL,
  ORDERBOOK,
  TestNode,
  TICKERS,
  TIME,
  TRADES,
} from '../support/node.ts';
import { expectError, expectOk, expectRows, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();
let maker: Client;
let taker: Client;
beforeAll(async () => {
  maker = await node.client();
  taker = await node.client();
});

const SYMBOL = 'symbol=BTC-USDT';
const MINUTE = 60_000;

/** One trade at this price; side 1: the taker buys. */
async function trade(price: string, quantity: string, side: 1 | 2 = 1, pair = 'BTC-USDT') {
  const order = { symbol: pair, ordType: 2, price, orderQty: quantity };
  await maker.order({ ...order, side: side === 1 ? 2 : 1 });
  await taker.order({ ...order, side });
}

const symbols = (list: unknown): unknown[] =>
  (list as { symbol: string }[]).map((row) => row.symbol);

describe('GET /spot-api/api/public/v2/instruments', () => {
  test('lists every instrument with every field', async () => {
    const answer = await node.get(INSTRUMENTS);
    const rows = expectRows(expectOk(answer));
    expect(symbols(rows)).toEqual(['BTC-USDT', 'ETH-USDT', 'MMX-USDT', 'BTC-AED']);
    expect<unknown>(rows[0]).toEqual({
      symbol: 'BTC-USDT',
      securityId: 1,
      securityType: 'SPOT_PAIR',
      instrumentStatus: 'LIVE',
      baseAssetIncrement: 0.000001,
      quoteAssetIncrement: 0.01,
      baseAssetMinOrderSize: 0.00001,
      quoteAssetMinOrderSize: 0.1,
      open: true,
      fiat: false,
      apiTradeSupported: true,
    });
  });

  test('a pair against a fiat currency is a fiat instrument', async () => {
    const [row] = expectRows(expectOk(await node.get(INSTRUMENTS, 'symbol=BTC-AED')));
    expect<unknown>(row!.fiat).toBe(true);
  });

  test('has every status, and whether the instrument is open', async () => {
    for (const [name, open] of [
      ['POST_ONLY', true],
      ['CANCEL_ONLY', false],
      ['HALTED', false],
      ['LIVE', true],
    ] as const) {
      await node.amend('MMX-USDT', { status: InstrumentStatus[name] });
      const [row] = rowsOf(expectOk(await node.get(INSTRUMENTS, 'symbol=MMX-USDT')));
      expect<unknown>(row).toMatchObject({ instrumentStatus: name, open });
    }
  });
});

describe('GET /spot-api/api/public/v1/assets', () => {
  test('lists every asset with its decimals', async () => {
    const rows = expectRows(expectOk(await node.get(ASSETS_PATH)));
    expect(rows).toContainEqual({ asset: 'AED', scale: 8, fiat: true } as never);
    expect(rows).toHaveLength(6);
  });
});

describe('GET /spot-api/api/public/v1/time', () => {
  test('has the wall clock and the business clock', async () => {
    const before = Date.now();
    const body = expectOk(await node.get(TIME));
    expect(Number(body.serverTime)).toBeWithin(before, Date.now() + 1);
  });

  test('shows how far the business clock was moved', async () => {
    const hour = 3_600_000;
    await node.engine.advanceClock(hour);
    const { serverTime, businessTime } = expectOk(await node.get(TIME));
    const ahead = Number(businessTime) - Number(serverTime);
    expect(ahead).toBeWithin(hour, 2 * hour);
  });
});

const TEXT = expect.any(String);

describe('GET /market-data-server/api/public/v1/orderbook', () => {
  afterEach(() => maker.post(MASS_CANCEL, {}));

  test('an empty book has empty sides', async () => {
    expect<unknown>(expectOk(await node.get(ORDERBOOK, 'symbol=ETH-USDT'))).toMatchObject({
      bids: [],
      asks: [],
      lastUpdateId: 0,
    });
  });

  test('depth cuts both sides', async () => {
    for (let i = 1; i <= 101; i++) {
      await maker.limit(1, `${100 + i}`, '0.01');
      await maker.limit(2, `${300 + i}`, '0.01');
    }
    for (const depth of [1, 5, 20, 100]) {
      const book = expectOk(await node.get(ORDERBOOK, `${SYMBOL}&depth=${depth}`));
      expect([rowsOf(book.bids!).length, rowsOf(book.asks!).length]).toEqual([depth, depth]);
      expect<unknown>([book.bids![0], book.asks![0]]).toEqual([
        [201, 0.01],
        [301, 0.01],
      ]);
    }
  });
});

describe('GET /market-data-server/api/public/v1/l3Orderbook', () => {
  afterEach(() => maker.post(MASS_CANCEL, {}));

  test('has every field; levels and orders are texts', async () => {
    const first = await maker.limit(1, '100.02', '0.25');
    const second = await maker.limit(1, '100.02', '0.5');
    await maker.limit(1, '100.01', '1');
    const ask = await maker.limit(2, '100.05', '2');
    const book = expectOk(await node.get(L3_ORDERBOOK, SYMBOL));
    const [best, next] = rowsOf(book.bids!);
    const [price, quantity, orders] = rowsOf(best!);
    expect<unknown>([price, quantity]).toEqual(['100.02', '0.75']);
    const [one, two] = rowsOf(orders!);
    for (const order of [one!, two!]) {
      expect(rowsOf(order)).toHaveLength(4);
      for (const part of rowsOf(order)) expect<unknown>(part).toBeString();
    }
    // The sequence sorts orders by priority, the time is that of their creation.
    expect(Number(one![1])).toBeLessThan(Number(two![1]));
    expect(Number(one![2])).toBeWithin(node.state.time - 60_000, node.state.time + 1);
    expect<unknown>(one).toMatchObject([String(first), TEXT, TEXT, '0.25']);
    expect<unknown>(two).toMatchObject([String(second), TEXT, TEXT, '0.5']);
    expect<unknown>(next![0]).toBe('100.01');
    expect<unknown>(book.asks).toMatchObject([['100.05', '2', [[String(ask), TEXT, TEXT, '2']]]]);
  });
});

describe('GET /market-data-server/api/public/v1/trades', () => {
  test('has every field, newest first', async () => {
    await trade('100.5', '0.2', 1);
    await trade('100.4', '0.1', 2);
    const rows = expectRows(expectOk(await node.get(TRADES, SYMBOL)));
    expect<unknown>(rows.slice(0, 2)).toMatchObject([
      { price: 100.4, quantity: 0.1, quoteAmount: 10.04, takerSide: 2 },
      { price: 100.5, quantity: 0.2, quoteAmount: 20.1, takerSide: 1 },
    ]);
  });
});

describe('GET /market-data-server/api/public/v1/aggTrades', () => {
  const pair = 'symbol=BTC-AED';

  test('has the trades of one order at one price as one, oldest first', async () => {
    const sell = { symbol: 'BTC-AED', side: 2, ordType: 2 };
    for (const price of ['300', '300', '301']) {
      await maker.order({ ...sell, price, orderQty: '0.5' });
    }
    await taker.order({ ...sell, side: 1, price: '301', orderQty: '1.25' });
    const rows = expectRows(expectOk(await node.get(AGG_TRADES, pair)));
    const trades = rowsOf(expectOk(await node.get(TRADES, pair))).reverse();
    const [first, second, third] = trades.map(({ tradeId }) => Number(tradeId));
    const common = { takerSide: 1, transactTime: trades[0]!.transactTime };
    const one = { aggTradeId: first, firstTradeId: first, lastTradeId: second };
    expect<unknown>(rows).toEqual([
      { ...one, price: 300, quantity: 1, quoteAmount: 300, ...common },
      {
        ...{ aggTradeId: third, firstTradeId: third, lastTradeId: third },
        ...{ price: 301, quantity: 0.25, quoteAmount: 75.25, ...common },
      },
    ]);
    expect<unknown>(trades.map(({ aggTradeId }) => aggTradeId)).toEqual([first, first, third]);
    const page = async (query: string) =>
      rowsOf(expectOk(await node.get(AGG_TRADES, `${pair}&${query}`))).map((row) =>
        Number(row.aggTradeId),
      );
    expect(await page(`fromId=${second}&limit=1`)).toEqual([first!]);
    expect(await page(`fromId=${second! + 1}`)).toEqual([third!]);
    expect(await page(`fromId=${third! + 1}`)).toEqual([]);
    expect(await page('limit=1')).toEqual([third!]);
  });
});

describe('GET /market-data-server/api/public/v1/avgPrice', () => {
  const pair = 'symbol=BTC-AED';

  test('has 8 decimals, half rounded up', async () => {
    await node.engine.advanceClock(5 * MINUTE);
    await trade('300', '1', 1, 'BTC-AED');
    await trade('301', '2', 1, 'BTC-AED');
    const { text } = await node.get(AVG_PRICE, pair);
    expect(text).toContain('"price":300.66666667,"baseVolume":3,"quoteVolume":902');
  });

  test('is null before the first trade', async () => {
    const answer = expectOk(await node.get(AVG_PRICE, 'symbol=MMX-USDT'));
    expect(answer.price).toBeNull();
  });
});

describe('GET /market-data-server/api/public/v1/tickers', () => {
  test('sums up 24 hours and shows the top of the live book', async () => {
    const pair = 'ETH-USDT';
    for (const [price, quantity] of [
      ['20', '1'],
      ['25.5', '2'],
      ['19.5', '3'],
      ['19.75', '1'],
    ] as const) {
      await trade(price, quantity, 1, pair);
    }
    await maker.order({ symbol: pair, side: 1, ordType: 2, price: '19', orderQty: '4' });
    await maker.order({ symbol: pair, side: 2, ordType: 2, price: '21', orderQty: '5' });
    const [row] = expectRows(expectOk(await node.get(TICKERS, `symbol=${pair}`)));
    expect<unknown>(row).toMatchObject({
      symbol: pair,
      openPrice: 20,
      highPrice: 25.5,
      lowPrice: 19.5,
      lastPrice: 19.75,
      priceChange: -0.25,
      baseVolume: 7,
      quoteVolume: 149.25,
      tradeCount: 4,
      bestBid: 19,
      bestBidQuantity: 4,
      bestAsk: 21,
      bestAskQuantity: 5,
    });
  });

  test('a pair without trades has no prices', async () => {
    const [row] = expectRows(expectOk(await node.get(TICKERS, 'symbol=MMX-USDT')));
    expect<unknown>(row).toMatchObject({ openPrice: null, lastPrice: null, tradeCount: 0 });
  });
});

describe('GET /market-data-server/api/public/v1/candles', () => {
  const pair = 'symbol=MMX-USDT';
  const minutes: number[] = [];

  beforeAll(async () => {
    // Three minutes with trades and an empty one between the last two.
    for (const [price, advance] of [
      ['0.25', MINUTE],
      ['0.26', MINUTE],
      ['0.24', 2 * MINUTE],
    ] as const) {
      // To the start of a minute, so that both trades are in the same one.
      await node.engine.advanceClock(advance - (node.state.time % MINUTE));
      await trade(price, '100', 1, 'MMX-USDT');
      await trade('0.25', '10', 2, 'MMX-USDT');
      minutes.push(node.state.time - (node.state.time % MINUTE));
    }
  });

  test('has every field, oldest first, and no candle for an empty interval', async () => {
    const rows = expectRows(expectOk(await node.get(CANDLES, `${pair}&interval=1m`)));
    expect<unknown>(rows).toEqual([
      candle(minutes[0]!, 0.25, 0.25, 0.25, 27.5),
      candle(minutes[1]!, 0.26, 0.26, 0.25, 28.5),
      candle(minutes[2]!, 0.24, 0.25, 0.24, 26.5),
    ]);
  });

  const candle = (
    openTime: number,
    open: number,
    high: number,
    low: number,
    quoteVolume: number,
  ) => ({
    openTime,
    open,
    high,
    low,
    close: 0.25,
    baseVolume: 110,
    quoteVolume,
    tradeCount: 2,
  });
});

test.each([TRADES, AGG_TRADES, AVG_PRICE, TICKERS, `${CANDLES}?interval=1m`])(
  '%s rejects an unknown symbol',
  async (path) => {
    for (const symbol of ['NO-SUCH', 'btc-usdt']) {
      const answer = await node.request(`${path}${path.includes('?') ? '&' : '?'}symbol=${symbol}`);
      expectError(answer, 400, 100201, 'symbol');
    }
  },
);

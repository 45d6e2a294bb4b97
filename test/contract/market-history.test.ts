// Public trades, tickers and candles: the fields, paging, windows, and fresh answers.
import { beforeAll, describe, expect, test } from 'bun:test';
import { CANDLES, type Client, TestNode, TICKERS, TRADES } from '../support/node.ts';
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

  test('pages backwards by beforeTradeId', async () => {
    for (let i = 0; i < 5; i++) await trade('100', '0.01');
    const all = rowsOf(expectOk(await node.get(TRADES, SYMBOL)));
    const paged: unknown[] = [];
    for (let before = ''; ; ) {
      const page = rowsOf(expectOk(await node.get(TRADES, `${SYMBOL}&limit=2${before}`)));
      paged.push(...page);
      if (page.length < 2) break;
      before = `&beforeTradeId=${page.at(-1)!.tradeId}`;
    }
    expect<unknown>(paged).toEqual(all);
  });

  test('knows one pair from another', async () => {
    expect<unknown>(expectOk(await node.get(TRADES, 'symbol=BTC-AED'))).toEqual([]);
  });

  test('shows a trade immediately to all of many readers', async () => {
    for (let i = 1; i <= 20; i++) {
      await trade(String(1000 + i), '0.001');
      const answers = await Promise.all([1, 2, 3].map(() => node.get(TRADES, `${SYMBOL}&limit=1`)));
      for (const { body } of answers) expect<unknown>(body[0]!.price).toBe(1000 + i);
    }
  });

  test('refuses a missing or unknown symbol and bad limits', async () => {
    expectError(await node.get(TRADES), 400, 100200, 'symbol');
    expectError(await node.get(TRADES, 'symbol=X'), 400, 100201, 'symbol');
    for (const limit of ['0', '1001', '-1', 'x', '1e2', '']) {
      expectError(await node.get(TRADES, `${SYMBOL}&limit=${limit}`), 400, 100200, 'limit');
    }
    const zero = await node.get(TRADES, `${SYMBOL}&beforeTradeId=0`);
    expectError(zero, 400, 100200, 'beforeTradeId');
  });
});

describe('GET /market-data-server/api/public/v1/tickers', () => {
  test('has every field for every pair', async () => {
    const rows = expectRows(expectOk(await node.get(TICKERS)));
    expect(rows.map((row) => String(row.symbol))).toEqual([
      'BTC-USDT',
      'ETH-USDT',
      'MMX-USDT',
      'BTC-AED',
    ]);
  });

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
    const [row] = expectRows(expectOk(await node.get(TICKERS, 'symbol=BTC-AED')));
    expect<unknown>(row).toMatchObject({ openPrice: null, lastPrice: null, tradeCount: 0 });
  });

  test('refuses an unknown symbol', async () => {
    expectError(await node.get(TICKERS, 'symbol=A-B'), 400, 100201, 'symbol');
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
      await node.engine.advanceClock(advance);
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

  test('a window holds both of its ends', async () => {
    const window = `&startTime=${minutes[0]}&endTime=${minutes[1]}`;
    const rows = expectRows(expectOk(await node.get(CANDLES, `${pair}&interval=1m${window}`)));
    expect(rows.map((row) => Number(row.openTime))).toEqual(minutes.slice(0, 2));
  });

  test('a limit keeps the newest, or the first from startTime on', async () => {
    const times = async (query: string) =>
      rowsOf(expectOk(await node.get(CANDLES, `${pair}&interval=1m&limit=1${query}`))).map((row) =>
        Number(row.openTime),
      );
    expect(await times('')).toEqual([minutes[2]!]);
    expect(await times('&startTime=0')).toEqual([minutes[0]!]);
  });

  for (const interval of ['1m', '5m', '15m', '1h', '4h', '1d']) {
    test(`interval ${interval} holds every trade`, async () => {
      const rows = expectRows(expectOk(await node.get(CANDLES, `${pair}&interval=${interval}`)));
      expect(rows.reduce((sum, row) => sum + Number(row.tradeCount), 0)).toBe(6);
    });
  }

  test('refuses missing, unknown and out-of-bounds parameters', async () => {
    expectError(await node.get(CANDLES, pair), 400, 100200, 'interval');
    expectError(await node.get(CANDLES, 'interval=1m'), 400, 100200, 'symbol');
    expectError(await node.get(CANDLES, `${pair}&interval=2m`), 400, 100200, 'interval');
    const get = (more: string) => node.get(CANDLES, `${pair}&interval=1m&${more}`);
    expectError(await get('limit=1001'), 400, 100200, 'limit');
    expectError(await get('startTime=-1'), 400, 100200, 'startTime');
    expectError(await get('startTime=2&endTime=1'), 400, 100213, 'startTime');
    expectError(await get('endTime=99999999999999999999'), 400, 100200, 'endTime');
  });
});

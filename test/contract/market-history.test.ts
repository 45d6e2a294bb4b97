// Public trades, averages, tickers and candles: the fields, paging, windows, and fresh answers.
import { beforeAll, describe, expect, test } from 'bun:test';
import { CANDLE_INTERVALS } from '../../src/core/calendar.ts';
import {
  AGG_TRADES,
  AVG_PRICE,
  BBO,
  CANDLES,
  type Client,
  TestNode,
  TICKERS,
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

describe('GET /market-data-server/api/public/v1/bbo', () => {
  test('has the best price of each side, of one pair or of all', async () => {
    const pair = 'MMX-USDT';
    const bid = { symbol: pair, side: 1, ordType: 2, price: '0.1', orderQty: '70' };
    const orderId = await maker.order(bid);
    const [row] = expectRows(expectOk(await node.get(BBO, `symbol=${pair}`)));
    expect<unknown>(row).toMatchObject({
      symbol: pair,
      bestBid: 0.1,
      bestBidQuantity: 70,
      bestAsk: null,
      bestAskQuantity: null,
    });
    const all = rowsOf(expectOk(await node.get(BBO)));
    expect(all).toHaveLength(node.state.instruments.length - 1);
    await maker.post('/spot-api/api/private/v1/order/cancel', { orderId });
    expectError(await node.get(BBO, 'symbol=A-B'), 400, 100201, 'symbol');
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

  for (const interval of Object.keys(CANDLE_INTERVALS)) {
    test(`interval ${interval} holds every trade`, async () => {
      const rows = expectRows(expectOk(await node.get(CANDLES, `${pair}&interval=${interval}`)));
      expect(rows.reduce((sum, row) => sum + Number(row.tradeCount), 0)).toBe(6);
    });
  }
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

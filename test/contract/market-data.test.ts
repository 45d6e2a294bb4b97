// The public calls: instruments, assets, clocks, books, trades, averages, tickers and candles, with
// the values of their fields. The conformance kit proves their order, and that they agree.
import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { InstrumentStatus } from '../../src/core/fix.ts';
import {
  AGG_TRADES,
  AVG_PRICE,
  CANDLES,
  type Client,
  INSTRUMENTS,
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

describe('GET /spot-api/api/public/v2/instruments', () => {
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

describe('GET /spot-api/api/public/v1/time', () => {
  test('shows how far the business clock was moved', async () => {
    const hour = 3_600_000;
    await node.engine.advanceClock(hour);
    const { serverTime, businessTime } = expectOk(await node.get(TIME));
    const ahead = Number(businessTime) - Number(serverTime);
    expect(ahead).toBeWithin(hour, 2 * hour);
  });
});

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
  test('a pair without trades has no prices', async () => {
    const [row] = expectRows(expectOk(await node.get(TICKERS, 'symbol=MMX-USDT')));
    expect<unknown>(row).toMatchObject({ openPrice: null, lastPrice: null, tradeCount: 0 });
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

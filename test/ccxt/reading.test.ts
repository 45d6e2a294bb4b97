// Digits, clocks, pages and retries, which the static cases cannot test.
import { describe, expect, test } from 'bun:test';
import type { Dict } from 'ccxt';
import ccxt, {
  ArgumentsRequired,
  Exchange,
  ExchangeNotAvailable,
  InvalidOrder,
  NotSupported,
} from 'ccxt';
import { agio, register } from '../../src/ccxt/agio.ts';
import { CHOICES } from '../../src/ccxt/api.ts';
import { fieldsOf } from '../../src/contract/call.ts';
import { allCalls } from '../../src/contract/calls.ts';
import { parseAsText } from '../../src/sdk/exact-json.ts';
import { offline } from './static-case.ts';

/** Answers each request with the next text, and keeps what was asked. */
function answering(exchange: agio, texts: readonly string[]) {
  const asked: { url: string; headers: Dict; body: string }[] = [];
  exchange.fetch = async (url: string, _method: string, headers: Dict, body: string) => {
    asked.push({ url, headers, body });
    return exchange.parseJson(texts[asked.length - 1]!);
  };
  return asked;
}

describe('register', () => {
  test('adds the class to ccxt and to ccxt.pro, once', () => {
    const library = { ...ccxt, exchanges: ['binance'], pro: { exchanges: ['binance'] } };
    register(library);
    register(library);
    expect(library.agio).toBe(agio);
    expect(library.pro.agio).toBe(agio);
    expect(library.exchanges).toEqual(['binance', 'agio']);
    expect(library.pro.exchanges).toEqual(['binance', 'agio']);
  });

  test('rejects another copy of ccxt, whose exceptions would be others', () => {
    const other = { Exchange: class {}, exchanges: [], pro: {} };
    expect(() => register(other)).toThrow('one copy of ccxt');
  });
});

describe('digits', () => {
  test('numbers become strings, strings stay', () => {
    const text = '{"a":-0.10,"b":[1e-7,12345678901234567890],"c":"x:1,\\"2\\"","d":null,"e":true}';
    expect(parseAsText(text)).toEqual({
      a: '-0.10',
      b: ['1e-7', '12345678901234567890'],
      c: 'x:1,"2"',
      d: null,
      e: true,
    });
  });

  test('no digit is lost where the caller asks for strings', async () => {
    const exchange = offline({ number: String });
    const levels = '"bids":[[90071992547409.93,12345678901.123457],[9.5,1]],"asks":[]';
    answering(exchange, [`{"transactTime":1,"lastUpdateId":2,${levels}}`]);
    const { bids } = await exchange.fetchOrderBook('BTC/USDT');
    expect(bids as unknown).toEqual([
      ['90071992547409.93', '12345678901.123457'],
      ['9.5', '1'],
    ]);
  });

  test.each([
    ['123456789012345.675', '123456789012345.68'],
    ['123456789012345.6749', '123456789012345.67'],
    [1.005, '1.01'],
  ])('the price %p goes to %p', (price, nearest) => {
    expect(offline().priceToPrecision('BTC/USDT', price)).toBe(nearest);
  });

  test('rejects a price below half an increment', () => {
    expect(() => offline().priceToPrecision('BTC/USDT', 0.0049)).toThrow(InvalidOrder);
  });

  test('an amount is cut, never raised', () => {
    expect(offline().amountToPrecision('BTC/USDT', '123456789012345.1234569')).toBe(
      '123456789012345.123456',
    );
    expect(() => offline().amountToPrecision('BTC/USDT', 0.0000001)).toThrow(InvalidOrder);
  });
});

describe('the clock', () => {
  test('two requests never have one timestamp', () => {
    const exchange = offline();
    const stamps = Array.from({ length: 1000 }, () => exchange.nonce());
    expect(new Set(stamps).size).toBe(1000);
  });

  test('follows the exchange’s clock on request', async () => {
    const exchange = new agio({ options: { adjustForTimeDifference: true } });
    const server = Date.now() + 3_600_000;
    const asked = answering(exchange, [`{"serverTime":${server}}`, '[]', '[]']);
    await exchange.fetchMarkets();
    expect(asked[0]!.url).toEndWith('/spot-api/api/public/v1/time');
    expect(Math.abs(exchange.nonce() - Date.now() - 3_600_000)).toBeLessThan(5000);
  });
});

describe('pages', () => {
  const rows = (from: number, count: number): string =>
    JSON.stringify(
      Array.from({ length: count }, (_, i) => ({
        tradeId: from - i,
        orderId: 1,
        symbol: 'BTC-USDT',
        side: 1,
        price: 1,
        quantity: 1,
        quoteAmount: 1,
        fee: 0,
        feeAsset: 'BTC',
        maker: false,
        transactTime: 1_000_000 + from - i,
      })),
    );

  test('are read to the end, each from below the last, and come oldest first', async () => {
    const exchange = offline();
    const asked = answering(exchange, [rows(2500, 1000), rows(1500, 1000), rows(500, 500)]);
    const trades = await exchange.fetchMyTrades('BTC/USDT', undefined, undefined, {
      paginate: true,
    });
    expect(asked.map(({ url }) => new URL(url).searchParams.get('lastTradeId'))).toEqual([
      null,
      '1501',
      '501',
    ]);
    expect(trades.map(({ id }) => Number(id))).toEqual(
      Array.from({ length: 2500 }, (_, i) => i + 1),
    );
  });

  test('are not more than was asked for', async () => {
    const exchange = offline();
    const asked = answering(exchange, [rows(3000, 1000), rows(2000, 1000), rows(1000, 1000)]);
    const params = { paginate: true, paginationCalls: 2 };
    expect(await exchange.fetchMyTrades('BTC/USDT', undefined, undefined, params)).toHaveLength(
      2000,
    );
    expect(asked).toHaveLength(2);
  });

  test('since a time the first of a window come, not its last', async () => {
    const exchange = offline();
    answering(exchange, [rows(900, 900)]);
    const trades = await exchange.fetchMyTrades('BTC/USDT', 1_000_100, 3);
    expect(trades.map(({ id }) => id)).toEqual(['100', '101', '102']);
  });
});

describe('a write whose answer was lost', () => {
  test('is sent again with its Idempotency-Key and a new signature', async () => {
    const exchange = offline();
    const tries: Dict[] = [];
    exchange.fetch = async (_url: string, _method: string, headers: Dict) => {
      tries.push(headers);
      if (tries.length < 3) throw new ExchangeNotAvailable('no answer');
      return { orderId: '7', clOrdId: 'c', transactTime: '1' };
    };
    const params = { maxRetriesOnFailure: 2 };
    const order = await exchange.createOrder('BTC/USDT', 'limit', 'buy', 1, 1, params);
    expect(order.id).toBe('7');
    expect(new Set(tries.map((headers) => headers['Idempotency-Key'])).size).toBe(1);
    expect(tries[0]!['Idempotency-Key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(tries.map((headers) => headers['EXCHANGE-API-SIGN'])).size).toBe(3);
  });

  test('has the key that the caller gives', async () => {
    const exchange = offline();
    const asked = answering(exchange, ['{"orderId":1}']);
    const params = { idempotencyKey: 'mine-1' };
    await exchange.createOrder('BTC/USDT', 'limit', 'buy', 1, 1, params);
    expect(asked[0]!.headers['Idempotency-Key']).toBe('mine-1');
    expect(asked[0]!.body).not.toContain('mine-1');
  });
});

describe('orders that the exchange does not have', () => {
  test('are rejected before they are sent', async () => {
    const exchange = offline();
    const asked = answering(exchange, []);
    const order = (type: string, params: Dict) =>
      exchange.createOrder('BTC/USDT', type, 'buy', 1, 1, params);
    await expect(order('limit', { timeInForce: 'DAY' })).rejects.toThrow(NotSupported);
    const twoTriggers = { stopLossPrice: 1, takeProfitPrice: 2 };
    await expect(order('limit', twoTriggers)).rejects.toThrow(InvalidOrder);
    const noTrigger = { takeProfit: {} };
    await expect(order('limit', noTrigger)).rejects.toThrow(ArgumentsRequired);
    await expect(order('stop', {})).rejects.toThrow(InvalidOrder);
    await expect(order('market', { postOnly: true })).rejects.toThrow(InvalidOrder);
    expect(asked).toEqual([]);
  });
});

describe('a trigger without a direction', () => {
  const trade = (price: number): string => JSON.stringify([{ tradeId: 1, price }]);

  test.each([
    ['buy', 59000, 'D'],
    ['buy', 61000, 'U'],
    ['sell', 59000, 'D'],
    ['sell', 61000, 'U'],
  ])('to %s at %p waits for the price from its side', async (side, triggerPrice, direction) => {
    const exchange = offline();
    const asked = answering(exchange, [trade(60000), '{"orderId":1}']);
    await exchange.createTriggerOrder('BTC/USDT', 'market', side, 1, undefined, triggerPrice);
    expect(new URL(asked[0]!.url).search).toBe('?symbol=BTC-USDT&limit=1');
    const { stopPx, triggerPriceDirection } = JSON.parse(asked[1]!.body);
    expect([stopPx, triggerPriceDirection]).toEqual([String(triggerPrice), direction]);
  });

  test('is a stop loss before the first trade, and a batch asks once for each pair', async () => {
    const exchange = offline();
    const asked = answering(exchange, ['[]', trade(3000), '{"orders":[{},{},{}]}']);
    const order = { type: 'market', side: 'sell', amount: 1, params: { stopPrice: 4000 } } as const;
    await exchange.createOrders([
      { ...order, symbol: 'BTC/USDT' },
      { ...order, symbol: 'ETH/USDT' },
      { ...order, symbol: 'ETH/USDT', params: { takeProfitPrice: 4000 } },
    ]);
    const { orders } = JSON.parse(asked[2]!.body);
    const directions = orders.map((one: Dict) => one.triggerPriceDirection);
    expect(directions).toEqual([undefined, 'U', 'U']);
  });
});

describe('a trailing stop', () => {
  test('has a percentage in basis points, or an amount, and may begin at a price', async () => {
    const exchange = offline();
    const trade = JSON.stringify([{ tradeId: 1, price: 60000 }]);
    const asked = answering(exchange, ['{"orderId":1}', trade, '{"orderId":2}']);
    const order = ['BTC/USDT', 'market', 'sell', 1, undefined] as const;
    await exchange.createTrailingPercentOrder(...order, 2.5);
    const { ordType, trailingDelta, stopPx } = JSON.parse(asked[0]!.body);
    expect([ordType, trailingDelta, stopPx]).toEqual(['3', '250', undefined]);
    await exchange.createTrailingAmountOrder(...order, 100.5, 61000);
    const begins = { trailingAmount: '100.5', stopPx: '61000', triggerPriceDirection: 'U' };
    expect(JSON.parse(asked[2]!.body)).toMatchObject(begins);
  });

  test('of exits has no triggerPrice, and an order has the present trigger', async () => {
    const exchange = offline();
    const asked = answering(exchange, ['{"orderId":1}']);
    const exits = { takeProfit: { triggerPrice: 70000 }, stopLoss: { trailingPercent: 1 } };
    await exchange.createOrder('BTC/USDT', 'limit', 'buy', 1, 60000, exits);
    const { bracket } = JSON.parse(asked[0]!.body);
    expect(bracket).toEqual({ takeProfitPx: '70000', trailingDelta: '100' });
    const report = { orderId: 1, symbol: 'BTC-USDT', side: 2, ordType: 3, triggerPx: '59000' };
    expect(exchange.parseOrder(report)).toMatchObject({
      triggerPrice: 59000,
      stopLossPrice: 59000,
    });
  });
});

describe('parameters by which ccxt chooses', () => {
  const spot = { type: 'spot', reduceOnly: true, trigger: true, stop: false, hedged: false };

  test('are not sent', async () => {
    const exchange = offline();
    const asked = answering(exchange, ['{"orderId":1}', '{"orderId":1}', '{"data":[]}', '[]']);
    await exchange.createOrder('BTC/USDT', 'limit', 'buy', 1, 1, spot);
    await exchange.cancelOrder('7', 'BTC/USDT', spot);
    await exchange.fetchOpenOrders('BTC/USDT', undefined, undefined, spot);
    await exchange.fetchBalance(spot);
    const sent = { symbol: 'BTC-USDT', side: '1', ordType: '2', orderQty: '1', price: '1' };
    expect(asked.map(({ body, url }) => body ?? new URL(url).search)).toEqual([
      JSON.stringify(sent),
      '{"orderId":"7"}',
      '?type=OPEN&symbol=BTC-USDT',
      '',
    ]);
  });

  test('are no fields of any call', () => {
    const fields = allCalls
      .filter(({ client }) => client === 'customer')
      .flatMap((one) => [...fieldsOf(one).fields.keys()]);
    expect(CHOICES.filter((name) => fields.includes(name))).toEqual([]);
  });

  test('never lead to another market or account', async () => {
    const exchange = offline();
    const asked = answering(exchange, []);
    await expect(exchange.fetchBalance({ type: 'swap' })).rejects.toThrow(NotSupported);
    await expect(
      exchange.createOrder('BTC/USDT', 'limit', 'buy', 1, 1, { marginMode: 'cross' }),
    ).rejects.toThrow(NotSupported);
    expect(asked).toEqual([]);
  });
});

test('an amendment whose order cannot be read has not failed', async () => {
  const exchange = offline();
  exchange.fetch = async (_url: string, method: string) => {
    if (method === 'GET') throw new ExchangeNotAvailable('no answer');
    return { orderId: '7', origClOrdId: 'mine', transactTime: '1795255627140' };
  };
  const edited = await exchange.editOrder('7', 'BTC/USDT', 'limit', 'buy', 0.5);
  expect(edited).toMatchObject({ id: '7', clientOrderId: 'mine', amount: 0.5 });
  expect([edited.timestamp, edited.lastUpdateTimestamp]).toEqual([undefined, 1795255627140]);
});

describe('the description', () => {
  const { has, features, timeframes } = offline();

  const CALL = /^(cancel|create|edit|fetch|unWatch|watch)[A-Z]/;

  test('names no method that ccxt would answer with NotSupported', () => {
    const [own, base] = [agio.prototype, Exchange.prototype] as readonly Dict[] as [Dict, Dict];
    const missing = Object.keys(has).filter((name) => {
      if (has[name] !== true || !CALL.test(name)) return false;
      const method = name === 'cancelOrdersWithClientOrderId' ? `${name}s` : name;
      const usesOther = /return await this\.(create|edit|cancel|fetch)Order/.test(base[method]);
      return own[method] === base[method] && !usesOther;
    });
    expect(missing).toEqual([]);
  });

  test('names what bots look for', () => {
    const several = ['watchOrderBook', 'watchTrades', 'watchOHLCV'].flatMap((name) => [
      `${name}ForSymbols`,
      `unW${name.slice(1)}ForSymbols`,
    ]);
    const ofStops = [
      ...['Stop', 'StopLimit', 'StopMarket', 'Trigger', 'StopLoss', 'TakeProfit'],
      ...['TrailingAmount', 'TrailingPercent'],
    ];
    const names = [...several, ...ofStops.map((type) => `create${type}Order`), 'fetchLastPrices'];
    expect(names.filter((name) => has[name] !== true)).toEqual([]);
    const intervals = '1m 3m 5m 15m 30m 1h 2h 4h 6h 12h 1d 1w'.split(' ');
    expect(Object.keys(timeframes)).toEqual(intervals);
  });

  // The keys that ccxt's own test of features demands.
  test('has all features, and none that it does not have', () => {
    const page = ['marginMode', 'limit', 'trigger', 'trailing'];
    const form: Readonly<Record<string, readonly string[]>> = {
      createOrder: [
        ...['marginMode', 'triggerPrice', 'triggerPriceType', 'stopLossPrice', 'takeProfitPrice'],
        ...['attachedStopLossTakeProfit', 'timeInForce', 'hedged', 'trailing'],
      ],
      createOrders: ['max'],
      fetchMyTrades: ['marginMode', 'daysBack', 'limit', 'untilDays'],
      fetchOrder: ['marginMode', 'trigger', 'trailing'],
      fetchOpenOrders: page,
      fetchOrders: [...page, 'daysBack', 'untilDays'],
      fetchClosedOrders: [...page, 'daysBack', 'daysBackCanceled', 'untilDays'],
      fetchOHLCV: ['limit'],
    };
    const { spot } = features as Dict;
    for (const [method, keys] of Object.entries(form)) {
      expect(Object.keys(spot[method])).toEqual(expect.arrayContaining([...keys]));
    }
    expect(Object.keys(spot).filter((name) => !(name in has))).toEqual([]);
    const value = (name: string) => offline().featureValue('BTC/USDT', 'createOrder', name);
    const attached = { triggerPriceType: { last: true, mark: false, index: false }, price: true };
    expect([value('stopLoss'), value('takeProfit')]).toEqual([attached, attached]);
  });
});

describe('the address', () => {
  test('is the production one, and of a sandbox on request', () => {
    const exchange = new agio({ hostname: 'exchange.example.com' });
    const url = (): string => exchange.sign('v1/time').url;
    expect(url()).toBe('https://exchange.example.com/spot-api/api/public/v1/time');
    exchange.setSandboxMode(true);
    expect(url()).toBe('http://exchange.example.com/spot-api/api/public/v1/time');
    exchange.setSandboxMode(false);
    expect(url()).toBe('https://exchange.example.com/spot-api/api/public/v1/time');
  });
});

// Public frames: a book with a gap, a wrong checksum, updates without a snapshot; repeated trades.
import { describe, expect, test } from 'bun:test';
import { ArgumentsRequired, ChecksumError, type Dict } from 'ccxt';
import { offline } from './static-case.ts';

const PAIR = 'BTC/USDT';
const HASH = 'orderbook:BTC-USDT:100';
const URL = 'wss://127.0.0.1:8080/ws/v1/public';

/** A connection without a network: the test passes the frames in as text. */
function connected() {
  const exchange = offline();
  const client = exchange.client(URL) as Dict;
  const receive = (frame: Dict): void => client.onMessage({ data: JSON.stringify(frame) });
  client.subscriptions[HASH] = { hash: HASH };
  return { exchange, client, receive };
}

const frame = (more: Dict): Dict => ({
  channel: 'orderbook',
  symbol: 'BTC-USDT',
  depth: 100,
  transactTime: 1795255627140,
  ...more,
});

const crc = (text: string): number => Bun.hash.crc32(text);

const SNAPSHOT = frame({
  type: 'snapshot',
  seq: 10,
  prevSeq: null,
  lastUpdateId: 5,
  bids: [
    [60000.5, 0.25],
    [59999, 1],
  ],
  asks: [[60001, 0.5]],
  checksum: crc('60000.5:0.25,59999:1|60001:0.5'),
});

describe('a book', () => {
  test('changes by level, and 0 removes one', async () => {
    const { exchange, client, receive } = connected();
    const first = client.future(HASH);
    receive(SNAPSHOT);
    expect((await first).bids[0]).toEqual([60000.5, 0.25]);
    const second = client.future(HASH);
    receive(
      frame({
        type: 'update',
        seq: 12,
        prevSeq: 10,
        lastUpdateId: 7,
        bids: [
          [60000.5, 0],
          [60000, 2.000001],
        ],
        asks: [],
        checksum: crc('60000:2.000001,59999:1|60001:0.5'),
      }),
    );
    const book = await second;
    expect([...book.bids]).toEqual([
      [60000, 2.000001],
      [59999, 1],
    ]);
    expect(book).toMatchObject({ nonce: 7, symbol: PAIR, timestamp: 1795255627140 });
    expect(exchange.orderbooks[PAIR] as unknown).toBe(book);
  });

  test('is checked by the digits of the text', async () => {
    const { client, receive } = connected();
    const waiting = client.future(HASH);
    const levels = '[[90071992547409.93,12345678901.123457]]';
    const checksum = crc('90071992547409.93:12345678901.123457|');
    const head = JSON.stringify(
      frame({ type: 'snapshot', seq: 1, prevSeq: null, lastUpdateId: 1 }),
    );
    client.onMessage({
      data: `${head.slice(0, -1)},"bids":${levels},"asks":[],"checksum":${checksum}}`,
    });
    expect((await waiting).nonce).toBe(1);
    expect(receive).toBeFunction();
  });

  const UPDATE = frame({
    type: 'update',
    seq: 12,
    prevSeq: 10,
    lastUpdateId: 6,
    bids: [],
    asks: [],
  });

  test.each([
    ['a gap', { ...UPDATE, prevSeq: 11, checksum: SNAPSHOT.checksum }, 'has a gap'],
    ['a wrong checksum', { ...UPDATE, checksum: 1 }, 'checksum'],
  ])('with %s is dropped, and the next call subscribes again', async (_what, update, words) => {
    const { client, receive } = connected();
    receive(SNAPSHOT);
    const waiting: Promise<unknown> = client.future(HASH);
    receive(update);
    const error = await waiting.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ChecksumError);
    expect((error as Error).message).toContain(words);
    expect(client.subscriptions[HASH]).toBeUndefined();
    // Late updates change nothing until a snapshot arrives.
    receive(frame({ ...UPDATE, seq: 13, prevSeq: 12, checksum: 2 }));
    const again = client.future(HASH);
    receive(SNAPSHOT);
    expect((await again).nonce).toBe(5);
  });
});

test('trades that a later snapshot repeats are not new', async () => {
  const { client, receive } = connected();
  const hash = 'trades:BTC-USDT';
  const trade = (tradeId: number): Dict => ({
    tradeId,
    price: 60000,
    quantity: 0.5,
    quoteAmount: 30000,
    takerSide: 2,
    transactTime: 1795255627140 + tradeId,
  });
  const snapshot = (...ids: number[]): Dict => ({
    channel: 'trades',
    symbol: 'BTC-USDT',
    type: 'snapshot',
    seq: 1,
    prevSeq: null,
    transactTime: 1795255627140,
    data: ids.map(trade),
  });
  const first = client.future(hash);
  receive(snapshot(1, 2, 3));
  expect((await first).getLimit(undefined, undefined)).toBe(3);
  const second = client.future(hash);
  receive(snapshot(1, 2, 3));
  receive(snapshot(2, 3, 4));
  const trades = await second;
  expect(trades.map(({ id }: Dict) => id)).toEqual(['1', '2', '3', '4']);
  expect(trades.getLimit(undefined, undefined)).toBe(1);
});

describe('several markets', () => {
  const PAIRS = ['BTC/USDT', 'ETH/USDT'];

  function watching(channel: string) {
    const { exchange, client, receive } = connected();
    for (const id of ['BTC-USDT', 'ETH-USDT']) client.subscriptions[`${channel}:${id}`] = {};
    const trade = (tradeId: number) => ({ tradeId, price: 1, quantity: 1, takerSide: 1 });
    const trades = (symbol: string, ...ids: number[]) =>
      receive({ channel, symbol, type: 'update', seq: 1, prevSeq: 1, data: ids.map(trade) });
    return { exchange, client, trades };
  }

  const idsOf = (trades: readonly Dict[]) => trades.map(({ id, symbol }) => `${symbol} ${id}`);

  test('trades are those of the market that traded, each once', async () => {
    const { exchange, trades } = watching('trades');
    const first = exchange.watchTradesForSymbols(PAIRS);
    trades('ETH-USDT', 1, 2);
    expect(idsOf(await first)).toEqual(['ETH/USDT 1', 'ETH/USDT 2']);
    // Between two calls: none is lost, and none waits for a later trade of its market.
    trades('BTC-USDT', 3);
    trades('ETH-USDT', 4);
    trades('BTC-USDT', 5);
    expect(idsOf(await exchange.watchTradesForSymbols(PAIRS))).toEqual([
      'BTC/USDT 3',
      'BTC/USDT 5',
    ]);
    expect(idsOf(await exchange.watchTradesForSymbols(PAIRS))).toEqual(['ETH/USDT 4']);
    const next = exchange.watchTradesForSymbols(PAIRS);
    trades('BTC-USDT', 6);
    expect(idsOf(await next)).toEqual(['BTC/USDT 6']);
  });

  test('a subscription that fails ends the call', async () => {
    const { exchange, client } = watching('trades');
    const waiting = exchange.watchTradesForSymbols(PAIRS);
    client.reject(new ChecksumError('a gap'), 'trades:ETH-USDT');
    await expect(waiting).rejects.toThrow(ChecksumError);
  });

  test('of none is an error', async () => {
    await expect(connected().exchange.watchTradesForSymbols([])).rejects.toThrow(ArgumentsRequired);
  });
});

// The tickers of rolling windows against the one-minute candles, and how many candles they read.
import { expect, spyOn, test } from 'bun:test';
import { type Json, TestNode } from '../support/node.ts';
import { BinanceClient } from './client.ts';

const node = TestNode.forFile();
const MINUTE = 60_000;
const MINUTES = 400;

test('a window sums whole hours and the minutes around them', async () => {
  const { services } = node;
  let [maker, taker] = [await BinanceClient.of(node), await BinanceClient.of(node)];
  for (let i = 0; i < MINUTES; i++) {
    const price = String(100 + ((i * 7) % 31));
    await maker.limit('SELL', price, '1');
    await taker.limit('BUY', price, '1');
    [maker, taker] = [taker, maker];
    await services.engine.advanceClock(MINUTE);
  }
  const { body } = await taker.public('klines', { symbol: 'BTCUSDT', interval: '1m', limit: 1000 });
  const candles = body as unknown as Json[];
  const query = spyOn(services.views, 'query');
  for (const windowSize of ['1m', '59m', '1h', '2h', '5h', '23h', '1d', '7d']) {
    query.mockClear();
    const { body: ticker } = await taker.public('ticker', { symbol: 'BTCUSDT', windowSize });
    const inside = candles.filter((candle) => Number(candle[0]) >= Number(ticker.openTime));
    const numbers = (place: number) => inside.map((candle) => Number(candle[place]));
    const sum = (of: number[]) => of.reduce((total, one) => total + one, 0);
    expect({ windowSize, ...ticker }).toMatchObject({
      windowSize,
      count: sum(numbers(8)),
      openPrice: inside[0]?.[1] ?? '0',
      highPrice: String(Math.max(0, ...numbers(2))),
      lowPrice: String(inside.length === 0 ? 0 : Math.min(...numbers(3))),
      lastPrice: inside.at(-1)?.[4] ?? '0',
      volume: String(sum(numbers(5))),
      quoteVolume: String(sum(numbers(7))),
    });
    const read = await Promise.all(query.mock.results.map(({ value }) => value as Promise<Json[]>));
    expect(read.flat().length).toBeLessThan(200);
  }
  query.mockRestore();
});

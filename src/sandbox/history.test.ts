// The past of a new sandbox: trades before it was made, and no open orders from them.
import { beforeAll, expect, test } from 'bun:test';
import { CANDLES, TestNode, TICKERS } from '../../test/support/node.ts';
import { checkInvariants } from '../core/invariants.ts';
import { HISTORY_MS } from './history.ts';

let began: number;
beforeAll(() => {
  began = Date.now();
});
const node = TestNode.forFile({ sandbox: { history: true } });

const get = async (path: string) => JSON.parse((await node.get(path)).text);
test.each([
  ['1h', 3_600_000],
  ['15m', 900_000],
])('charts of %s reach back some days without a gap', async (interval, width) => {
  const candles: { openTime: number }[] = await get(
    `${CANDLES}?symbol=BTC-USDT&interval=${interval}&limit=1000`,
  );
  const times = candles.map(({ openTime }) => openTime);
  expect(times[0]).toBeLessThanOrEqual(began - HISTORY_MS + width);
  for (let i = 1; i < times.length; i++) expect(times[i]! - times[i - 1]!).toBe(width);
});

test('every pair has a change and a volume of 24 hours', async () => {
  const tickers = await get(TICKERS);
  expect(tickers).toHaveLength(4);
  for (const { priceChange, baseVolume, tradeCount } of tickers) {
    expect(priceChange).not.toBe(0);
    expect(baseVolume).toBeGreaterThan(0);
    expect(tradeCount).toBeGreaterThan(100);
  }
});

test('no order is left, all sums hold, and the clock is back at the present', () => {
  const { state, engine } = node;
  expect(state.orders.size).toBe(0);
  expect(() => checkInvariants(state)).not.toThrow();
  expect(state.time).toBeLessThanOrEqual(Date.now());
  expect(engine.now).toBeWithin(began, Date.now() + 1);
});

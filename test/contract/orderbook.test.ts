// getOrderbook and getL3Orderbook: the values of their fields. The conformance kit proves the order
// of the levels and that both show the same book.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, L3_ORDERBOOK, MASS_CANCEL, ORDERBOOK, TestNode } from '../support/node.ts';
import { expectOk, rowsOf } from '../support/shape.ts';

const node = TestNode.forFile();
let maker: Client;
beforeAll(async () => {
  maker = await node.client();
});
beforeEach(async () => {
  await maker.post(MASS_CANCEL, {});
});

const TEXT = expect.any(String);
const SYMBOL = 'symbol=BTC-USDT';

describe('GET /market-data-server/api/public/v1/orderbook', () => {
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
    expect(Number(one![2])).toBeWithin(Date.now() - 60_000, Date.now() + 1000);
    expect<unknown>(one).toMatchObject([String(first), TEXT, TEXT, '0.25']);
    expect<unknown>(two).toMatchObject([String(second), TEXT, TEXT, '0.5']);
    expect<unknown>(next![0]).toBe('100.01');
    expect<unknown>(book.asks).toMatchObject([['100.05', '2', [[String(ask), TEXT, TEXT, '2']]]]);
  });
});

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

  test('lastUpdateId grows with every change of this book, and of no other', async () => {
    const idOf = async (symbol: string) =>
      Number((await node.get(ORDERBOOK, { symbol })).body.lastUpdateId);
    const [before, other] = [await idOf('BTC-USDT'), await idOf('ETH-USDT')];
    await maker.limit(1, '100', '0.5');
    const added = await idOf('BTC-USDT');
    expect(added).toBeGreaterThan(before);
    await maker.post(MASS_CANCEL, { symbol: 'BTC-USDT' });
    expect(await idOf('BTC-USDT')).toBeGreaterThan(added);
    expect(await idOf('ETH-USDT')).toBe(other);
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

  test('shows the remaining quantity after a fill', async () => {
    const taker = await node.client();
    await maker.limit(2, '100', '1');
    await taker.limit(1, '100', '0.4');
    const book = expectOk(await node.get(L3_ORDERBOOK, SYMBOL));
    expect<unknown>(book.asks![0]).toMatchObject(['100', '0.6', [[TEXT, TEXT, TEXT, '0.6']]]);
  });

  test('shows the own order to all of many simultaneous reads', async () => {
    for (let i = 0; i < 20; i++) {
      const orderId = await maker.limit(1, '50', '0.01');
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => node.get(L3_ORDERBOOK, SYMBOL)),
      );
      for (const { text } of answers) expect(text).toContain(`["${orderId}",`);
    }
  });
});

// The history of fills: each fill is news once, whatever is reported again.
import { describe, expect, test } from 'bun:test';
import type { Order } from '../../src/sdk/index.ts';
import {
  allRead,
  cleared,
  type FillHistory,
  parseHistory,
  reportsAfter,
  seenUntil,
  withOrder,
} from './fill-history.ts';

const report = (orderId: number, cumQty: string, transactTime = orderId): Order =>
  ({
    ...{ orderId, symbol: 'BTC-USDT', side: 1, cumQty, orderQty: '2', avgPx: '5' },
    ...{ transactTime, ordStatus: 1, execId: orderId * 10, clOrdId: 'private' },
  }) as Order;

const after = (...reports: readonly Order[]): FillHistory =>
  reports.reduce(withOrder, parseHistory(null));

test('an order moves to the top with each fill, and has one row', () => {
  const history = after(report(1, '0.5'), report(2, '1'), report(1, '0.7', 9));
  expect(history.orders.map(({ orderId, cumQty }) => [orderId, cumQty])).toEqual([
    [1, '0.7'],
    [2, '1'],
  ]);
  expect(history.seenAt).toBe(9);
  expect(history.orders[0]).not.toHaveProperty('clOrdId');
});

test.each([
  ['the same report', report(1, '0.5')],
  ['an older report', report(1, '0.4', 99)],
  ['a report without a fill', report(3, '0')],
])('%s is no news', (_, order) => {
  const history = after(report(1, '0.5'));
  expect(withOrder(history, order)).toBe(history);
});

test('an order that ends without another fill is filled, and stays read', () => {
  const read = allRead(after(report(1, '0.5')));
  const [order] = withOrder(read, { ...report(1, '0.5'), ordStatus: 2 }).orders;
  expect(order).toMatchObject({ ordStatus: 2, isUnread: false });
});

test('rejected exits are an unread entry with their reason, once', () => {
  const rejected = {
    ...report(5, '0'),
    ordStatus: 8,
    ordType: 2,
    ordRejText: 'Too small',
  } as Order;
  const exit = { ...rejected, parentOrderId: 4 };
  const history = after(report(4, '1'), rejected, exit);
  expect(history.orders.map(({ orderId }) => orderId)).toEqual([5, 4]);
  expect(history.orders[0]).toMatchObject({ exitReason: 'Too small', isUnread: true });
  expect(withOrder(allRead(history), exit).orders[0]!.isUnread).toBe(false);
});

test('quantities are compared as numbers', () => {
  expect(after(report(1, '9'), report(1, '10')).orders[0]!.cumQty).toBe('10');
});

test('it keeps the newest hundred orders', () => {
  const history = after(...Array.from({ length: 130 }, (_, i) => report(i + 1, '1')));
  expect(history.orders).toHaveLength(100);
  expect([history.orders[0]!.orderId, history.orders.at(-1)!.orderId]).toEqual([130, 31]);
});

test('reading marks all, and the next fill is unread again', () => {
  const read = allRead(after(report(1, '0.5'), report(2, '1')));
  expect(read.orders.some(({ isUnread }) => isUnread)).toBe(false);
  const next = withOrder(read, report(1, '0.6'));
  expect(next.orders.map(({ isUnread }) => isUnread)).toEqual([true, false]);
});

test('a cleared history does not read its fills again', () => {
  expect(cleared(after(report(7, '1')))).toEqual({ orders: [], seenAt: 8 });
  expect(seenUntil(after(report(7, '1')), 5).seenAt).toBe(7);
  expect(seenUntil(after(report(7, '1')), 9).seenAt).toBe(9);
});

describe('a stored history', () => {
  test('is read as it was written', () => {
    const history = after(report(1, '0.5'), report(2, '1'));
    expect(parseHistory(JSON.stringify(history))).toEqual(history);
  });

  test.each(['', '{', '[]', 'null', '{"orders":3,"seenAt":1}'])('%p is empty', (text) => {
    expect(parseHistory(text)).toEqual({ orders: [], seenAt: 0 });
  });
});

test('reports after the last known one', () => {
  const all = [report(1, '1'), report(2, '1'), report(3, '1')];
  expect(reportsAfter(all, 10)).toEqual(all.slice(1));
  expect(reportsAfter(all, 30)).toEqual([]);
  expect(reportsAfter(all, null)).toEqual(all);
  expect(reportsAfter(all, 5)).toEqual(all);
});

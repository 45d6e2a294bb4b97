// Orders in words.
import { describe, expect, test } from 'bun:test';
import { type Fill, type Order, OrdStatus, OrdType, Side } from '../../../src/sdk/index.ts';
import { OPEN_ORDERS } from '../../live/feeds.ts';
import { trade as t } from '../../messages/trade.ts';
import {
  cancelOutcome,
  filledPercent,
  type Outcome,
  orderSentence,
  outcomeOf,
  stateOf,
  typeText,
} from './words.ts';

const orderWith = (change: Partial<Order>) =>
  ({
    symbol: 'BTC-USDT',
    side: Side.buy,
    ordType: OrdType.limit,
    ordStatus: OrdStatus.new,
    orderQty: '3',
    quoteOrderQty: null,
    price: '60000',
    cumQty: '0',
    leavesQty: '3',
    avgPx: '0',
    ...change,
  }) as Order;
const { new: open, partiallyFilled, filled, canceled, rejected } = OrdStatus;

describe('states', () => {
  test('a canceled order says its filled part and the reason', () => {
    expect(stateOf(orderWith({ ordStatus: canceled }))).toMatchObject({
      label: 'Canceled',
      reason: null,
    });
    const partly = { ordStatus: canceled, cumQty: '1', ordCxlText: 'Canceled by you' };
    expect(stateOf(orderWith(partly))).toEqual({
      label: 'Partly filled, rest canceled',
      tone: 'plain',
      reason: 'Canceled by you',
    });
  });

  test.each<[number, Partial<Order>]>([
    [99, { orderQty: '3', cumQty: '2.9999999', ordStatus: partiallyFilled }],
    [33, { orderQty: '3', cumQty: '1', ordStatus: partiallyFilled }],
    [100, { orderQty: null, cumQty: '1', ordStatus: filled }],
    [0, { orderQty: null, cumQty: '1', ordStatus: canceled }],
  ])('%d percent of an order is filled, and only a filled one is full', (percent, change) => {
    expect(filledPercent(orderWith(change))).toBe(percent);
  });

  test('types', () => {
    expect(typeText(orderWith({}))).toBe('Limit');
    expect(typeText(orderWith({ execInst: '6' }))).toBe('Post-only');
    expect(typeText(orderWith({ ordType: OrdType.market }))).toBe('Market');
  });
});

describe('the outcome of a submitted order', () => {
  const market = { ordType: OrdType.market, price: null };
  test.each<[string, Partial<Order>, Outcome]>([
    [
      'resting',
      { ordStatus: open },
      { tone: 'good', title: 'In the book', detail: 'Buy 3 BTC waits at 60,000 USDT.' },
    ],
    [
      'filled',
      { ordStatus: filled, cumQty: '3', avgPx: '59999.5' },
      {
        tone: 'good',
        title: 'Filled',
        detail: 'Bought 3 BTC at an average of 59,999.500 USDT.',
      },
    ],
    [
      'partly filled',
      { ordStatus: partiallyFilled, cumQty: '1', leavesQty: '2', avgPx: '60000' },
      {
        tone: 'good',
        title: 'Partly filled',
        detail: 'Bought 1 BTC at an average of 60,000.000 USDT. 2 BTC waits at 60,000 USDT.',
      },
    ],
    [
      'rejected',
      { ordStatus: rejected, ordRejText: 'Post-only order would match' },
      { tone: 'bad', title: 'Rejected', detail: 'Post-only order would match.' },
    ],
    [
      'a market order without a counterpart',
      { ...market, ordStatus: canceled, ordCxlText: 'No more liquidity' },
      { tone: 'warn', title: 'Nothing was traded', detail: 'No more liquidity.' },
    ],
    [
      'a market order in a thin book',
      { ...market, ordStatus: canceled, side: Side.sell, cumQty: '1', avgPx: '5' },
      {
        tone: 'warn',
        title: 'Partly filled, rest canceled',
        detail: 'Sold 1 BTC at an average of 5.000 USDT. The rest was canceled.',
      },
    ],
  ])('%s', (_, change, outcome) => {
    expect(outcomeOf(orderWith(change), [], 2)).toEqual(outcome);
  });

  const fill = (quantity: string, quoteAmount: string, fee: string, feeAsset = 'BTC') =>
    ({ quantity, quoteAmount, fee, feeAsset }) as Fill;
  const fills = [fill('0.04', '2403.87649', '0.00008'), fill('0.06', '3605.8147', '0.00012')];
  const sold = fill('0.1', '6009.69', '12.01938', 'USDT');
  const all = '0.1 BTC for 6,009.69 USDT, at 60,096.912 on average.';
  test.each<[string, Side, readonly Fill[], string]>([
    ['every fill', Side.buy, fills, `Bought ${all} Fee 0.0002 BTC.`],
    ['no fee', Side.buy, [fill('0.1', '6009.69', '0')], `Bought ${all}`],
    ['a fee in quote', Side.sell, [sold], `Sold ${all} Fee 12.02 USDT.`],
    [
      'a missing fill',
      Side.buy,
      fills.slice(1),
      'Bought 0.1 BTC at an average of 60,096.912 USDT.',
    ],
  ])('with %s', (_, side, fills, detail) => {
    const change = { side, ordStatus: filled, cumQty: '0.1', avgPx: '60096.91234567' };
    expect(outcomeOf(orderWith(change), fills, 2).detail).toBe(detail);
  });
});

test('orders in words', () => {
  const sent = { symbol: 'BTC-USDT', side: Side.buy } as const;
  const limit = { ...sent, ordType: OrdType.limit, orderQty: '0.5', price: '40000' };
  expect(orderSentence(limit)).toBe('Buy 0.5 BTC at 40,000 USDT.');
  const market = { ...sent, ordType: OrdType.market, quoteOrderQty: '1500' };
  expect(orderSentence(market)).toBe('Buy BTC for 1,500 USDT at market price.');
  expect(t.orders.canceled(orderSentence(orderWith({ orderQty: '0.05' })))).toBe(
    'Canceled: Buy 0.05 BTC at 60,000 USDT.',
  );
});

describe('canceling all orders', () => {
  const open = (orderId: number) => ({ orderId });

  test('counts orders that were open before and are not open now', () => {
    const before = [open(1), open(2)];
    expect(cancelOutcome(before, before)).toBe('No order canceled; 2 are still open');
    expect(cancelOutcome(before, [open(9)])).toBe('2 canceled');
  });

  test('a full page may not be all orders', () => {
    const before = Array.from({ length: OPEN_ORDERS }, (_, i) => open(i));
    expect(cancelOutcome(before, [])).toBe('At least 100 canceled');
  });

  test('the question names the count', () => {
    expect(t.orders.cancelCount(1, false)).toBe('Cancel order');
    expect(t.orders.cancelCount(3, false)).toBe('Cancel 3 orders');
    expect(t.orders.cancelCount(OPEN_ORDERS, true)).toBe('Cancel 100+ orders');
  });
});

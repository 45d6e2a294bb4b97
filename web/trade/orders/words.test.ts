// Orders in words.
import { describe, expect, test } from 'bun:test';
import { OrdStatus, OrdType, Side } from '../../../src/sdk/generated/codes.ts';
import type { Fill, Order } from '../../../src/sdk/index.ts';
import { OPEN_ORDERS } from '../../live/feeds.ts';
import { trade as t } from '../../messages/trade.ts';
import {
  cancelOutcome,
  filledPercent,
  orderSentence,
  outcomeOf,
  stateOf,
  typeText,
} from './words.ts';

const order: Order = {
  rowId: 1,
  type: 'ORDER',
  account: 1,
  execId: 1,
  securityId: 1,
  stopPx: null,
  lastPx: '0',
  lastQty: '0',
  timeInForce: '1',
  execType: 0,
  orderId: 1,
  clOrdId: 'a',
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
  transactTime: 1,
};

describe('states', () => {
  test('a canceled order says its filled part and the reason', () => {
    expect(stateOf({ ...order, ordStatus: OrdStatus.canceled })).toMatchObject({
      label: 'Canceled',
      reason: null,
    });
    const partly = {
      ...order,
      ordStatus: OrdStatus.canceled,
      cumQty: '1',
      ordCxlText: 'Canceled by you',
    } as const;
    expect(stateOf(partly)).toEqual({
      label: 'Partly filled, rest canceled',
      tone: 'plain',
      reason: 'Canceled by you',
    });
  });

  test('only what is filled is full', () => {
    expect(
      filledPercent({ orderQty: '3', cumQty: '2.9999999', ordStatus: OrdStatus.partiallyFilled }),
    ).toBe(99);
    expect(
      filledPercent({ orderQty: '3', cumQty: '1', ordStatus: OrdStatus.partiallyFilled }),
    ).toBe(33);
    expect(filledPercent({ orderQty: null, cumQty: '1', ordStatus: OrdStatus.filled })).toBe(100);
    expect(filledPercent({ orderQty: null, cumQty: '1', ordStatus: OrdStatus.canceled })).toBe(0);
  });

  test('types', () => {
    expect(typeText(order)).toBe('Limit');
    expect(typeText({ ...order, execInst: '6' })).toBe('Post-only');
    expect(typeText({ ...order, ordType: OrdType.market })).toBe('Market');
  });
});

describe('the outcome of a submitted order', () => {
  test('resting, filled and both', () => {
    expect(outcomeOf(order, [], 2)).toEqual({
      tone: 'good',
      title: 'In the book',
      detail: 'Buy 3 BTC waits at 60,000 USDT.',
    });
    const filled = {
      ...order,
      ordStatus: OrdStatus.filled,
      cumQty: '3',
      avgPx: '59999.5',
    } as const;
    expect(outcomeOf(filled, [], 2).detail).toBe('Bought 3 BTC at an average of 59,999.5000 USDT.');
    const partly = {
      ...order,
      ordStatus: OrdStatus.partiallyFilled,
      cumQty: '1',
      leavesQty: '2',
      avgPx: '60000',
    } as const;
    expect(outcomeOf(partly, [], 2).detail).toBe(
      'Bought 1 BTC at an average of 60,000.0000 USDT. 2 BTC waits at 60,000 USDT.',
    );
  });

  test('with every fill known, what was paid and the fee', () => {
    const filled = {
      ...order,
      ordStatus: OrdStatus.filled,
      cumQty: '0.1',
      avgPx: '60096.91234567',
    } as const;
    const fill = (quantity: string, quoteAmount: string, fee: string, feeAsset = 'BTC') =>
      ({ quantity, quoteAmount, fee, feeAsset }) as Fill;
    const fills = [fill('0.04', '2403.87649', '0.00008'), fill('0.06', '3605.8147', '0.00012')];
    expect(outcomeOf(filled, fills, 2).detail).toBe(
      'Bought 0.1 BTC for 6,009.69 USDT, at 60,096.9123 on average. Fee 0.0002 BTC.',
    );
    const free = [fill('0.1', '6009.69', '0')];
    expect(outcomeOf(filled, free, 2).detail).toBe(
      'Bought 0.1 BTC for 6,009.69 USDT, at 60,096.9123 on average.',
    );
    const sold = [fill('0.1', '6009.69', '12.01938', 'USDT')];
    expect(outcomeOf({ ...filled, side: Side.sell }, sold, 2).detail).toBe(
      'Sold 0.1 BTC for 6,009.69 USDT, at 60,096.9123 on average. Fee 12.02 USDT.',
    );
    expect(outcomeOf(filled, fills.slice(1), 2).detail).toBe(
      'Bought 0.1 BTC at an average of 60,096.9123 USDT.',
    );
  });

  test('rejected and canceled say why', () => {
    const rejected = {
      ...order,
      ordStatus: OrdStatus.rejected,
      ordRejText: 'Post-only order would match',
    } as const;
    expect(outcomeOf(rejected, [], 2)).toEqual({
      tone: 'bad',
      title: 'Rejected',
      detail: 'Post-only order would match.',
    });
    const thin = {
      ...order,
      ordStatus: OrdStatus.canceled,
      ordType: OrdType.market,
      price: null,
    } as const;
    expect(outcomeOf({ ...thin, ordCxlText: 'No more liquidity' }, [], 2)).toMatchObject({
      tone: 'warn',
      title: 'Nothing was traded',
      detail: 'No more liquidity.',
    });
    expect(outcomeOf({ ...thin, side: Side.sell, cumQty: '1', avgPx: '5' }, [], 2)).toMatchObject({
      title: 'Partly filled, rest canceled',
      detail: 'Sold 1 BTC at an average of 5.0000 USDT. The rest was canceled.',
    });
  });
});

test('a sent order in words', () => {
  const sent = { symbol: 'BTC-USDT', side: Side.buy } as const;
  expect(orderSentence({ ...sent, ordType: OrdType.limit, orderQty: '0.5', price: '40000' })).toBe(
    'Buy 0.5 BTC at 40,000 USDT.',
  );
  expect(orderSentence({ ...sent, ordType: OrdType.market, quoteOrderQty: '1500' })).toBe(
    'Buy BTC for 1,500 USDT at market price.',
  );
});

describe('canceling all orders', () => {
  const open = (orderId: number) => ({ orderId });

  test('counts what was open before and is not open now', () => {
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

test('a canceled order in words', () => {
  const one = { symbol: 'BTC-USDT', side: Side.buy, quoteOrderQty: null } as Order;
  expect(t.orders.canceled(orderSentence({ ...one, orderQty: '0.05', price: '59000' }))).toBe(
    'Canceled: Buy 0.05 BTC at 59,000 USDT.',
  );
});

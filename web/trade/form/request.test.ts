// From the form to the order that is sent.

import { describe, expect, test } from 'bun:test';
import { OrdType, Side } from '../../../src/sdk/codes.ts';
import { type Draft, DraftStore, EMPTY_DRAFT, stepped } from './draft.ts';
import { PAIR as pair } from './pair-of-tests.ts';
import { closedFor, outcomeOf, quantityOf, totalOf } from './request.ts';
import { POST_ONLY } from './submission.ts';

const draft = (change: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, ...change });
const faultOf = (change: Partial<Draft>, available: string | null = null) => {
  const outcome = outcomeOf(draft(change), pair, available);
  return outcome.kind === 'fault' ? outcome.fault : null;
};

describe('what is sent', () => {
  test('a limit order by quantity, post-only where it is asked for', () => {
    const limit = draft({ price: '60000.01', amount: '.5' });
    expect(outcomeOf(limit, pair, null)).toEqual({
      kind: 'ready',
      order: {
        symbol: 'BTC-USDT',
        side: Side.buy,
        ordType: OrdType.limit,
        price: '60000.01',
        orderQty: '0.5',
      },
    });
    expect(outcomeOf({ ...limit, postOnly: true }, pair, null)).toMatchObject({
      order: { execInst: POST_ONLY },
    });
  });

  test('a limit order by total buys the lots that the total pays for', () => {
    const limit = draft({ price: '60000.01', basis: 'total', amount: '1000' });
    expect(quantityOf(limit, pair)).toBe('0.016666');
    expect(outcomeOf(limit, pair, null)).toMatchObject({ order: { orderQty: '0.016666' } });
    expect(totalOf(draft({ price: '60000.01', amount: '0.5' }))).toBe('30000.005');
  });

  test('a market order ignores price and post-only, by quantity or by total', () => {
    const market = draft({ kind: 'market', price: '1', postOnly: true, amount: '2' });
    const head = { symbol: 'BTC-USDT', side: Side.buy, ordType: OrdType.market };
    expect(outcomeOf(market, pair, null)).toEqual({
      kind: 'ready',
      order: { ...head, side: Side.buy, ordType: OrdType.market, orderQty: '2' },
    });
    const byTotal = draft({ kind: 'market', basis: 'total', amount: '20.05' });
    expect(outcomeOf(byTotal, pair, null)).toMatchObject({ order: { quoteOrderQty: '20.05' } });
  });

  test('nothing while something is missing', () => {
    expect(outcomeOf(draft({ price: '1' }), pair, null)).toEqual({ kind: 'incomplete' });
    expect(outcomeOf(draft({ price: '', amount: '1' }), pair, null).kind).toBe('incomplete');
    expect(outcomeOf(draft({ price: '0', amount: '1' }), pair, null).kind).toBe('incomplete');
  });
});

describe('what is wrong, and the nearest that is right', () => {
  test('off the grid', () => {
    expect(faultOf({ price: '60000.016', amount: '1' })).toMatchObject({
      field: 'price',
      nearest: '60000.02',
    });
    expect(faultOf({ price: '0.001', amount: '1' })).toMatchObject({ nearest: '0.01' });
    expect(faultOf({ price: '1000', amount: '0.0100005' })).toMatchObject({
      field: 'quantity',
      nearest: '0.01',
    });
    expect(faultOf({ kind: 'market', basis: 'total', amount: '7.005' })).toMatchObject({
      field: 'total',
      nearest: '7',
    });
  });

  test('below a minimum', () => {
    expect(faultOf({ price: '600', amount: '0.000001' })).toMatchObject({ nearest: '0.008334' });
    expect(faultOf({ price: '600', amount: '0.001' })).toMatchObject({ nearest: '0.008334' });
    expect(faultOf({ kind: 'market', amount: '0.000001' })).toMatchObject({ nearest: '0.00001' });
    expect(faultOf({ kind: 'market', basis: 'total', amount: '4.99' })).toMatchObject({
      nearest: '5',
    });
    expect(faultOf({ price: '600', basis: 'total', amount: '1' })).toMatchObject({
      field: 'total',
      nearest: '5.0004',
    });
  });

  test('above the balance', () => {
    expect(faultOf({ price: '60000.01', amount: '1' }, '1000')).toMatchObject({
      field: 'quantity',
      nearest: '0.016666',
    });
    expect(faultOf({ side: Side.sell, kind: 'market', amount: '1' }, '0.25')).toMatchObject({
      nearest: '0.25',
    });
    expect(faultOf({ side: Side.sell, kind: 'market', amount: '1' }, '0')).toMatchObject({
      nearest: null,
    });
    expect(faultOf({ kind: 'market', basis: 'total', amount: '100' }, '50.129')).toMatchObject({
      nearest: '50.12',
    });
    expect(faultOf({ kind: 'market', amount: '1' }, '0.25')).toBeNull();
  });

  test('the sentence has both sides in the asset that is paid with', () => {
    const text = (change: Partial<Draft>, available: string) => faultOf(change, available)?.text;
    expect(text({ price: '60141.20', amount: '1' }, '58019.7384904')).toBe(
      'Insufficient balance: this order costs 60,141.20 USDT; you have 58,019.73 USDT.',
    );
    expect(text({ side: Side.sell, kind: 'market', amount: '1' }, '0.25')).toBe(
      'Insufficient balance: this order sells 1 BTC; you have 0.25 BTC.',
    );
    expect(text({ kind: 'market', basis: 'total', amount: '1000.01' }, '1000')).toBe(
      'Insufficient balance: this order costs 1,000.01 USDT; you have 1,000.00 USDT.',
    );
    expect(text({ kind: 'market', basis: 'total', amount: '7' }, '0')).toEndWith(
      'you have 0 USDT.',
    );
  });
});

test('a pair that is not live says why, and takes post-only orders where it does', () => {
  const postOnly = { ...pair, status: 'POST_ONLY' } as const;
  expect(closedFor(draft({}), pair)).toBeNull();
  expect(closedFor(draft({}), postOnly)).toContain('post-only');
  expect(closedFor(draft({ postOnly: true }), postOnly)).toBeNull();
  expect(closedFor(draft({ postOnly: true, kind: 'market' }), postOnly)).not.toBeNull();
  expect(closedFor(draft({ postOnly: true }), { ...pair, status: 'HALTED' })).toContain('halted');
});

describe('the draft', () => {
  test('moves by a tick, from the market where it is empty, and never to 0', () => {
    expect(stepped('60000', '0.01', 1, null)).toBe('60000.01');
    expect(stepped('60000', '0.01', -1, null)).toBe('59999.99');
    expect(stepped('0.01', '0.01', -1, null)).toBe('0.01');
    expect(stepped('', '0.01', 1, '60001')).toBe('60001');
    expect(stepped('', '0.01', 1, null)).toBe('');
  });

  test('a total does not outlive the change to a market sell', () => {
    const store = new DraftStore();
    store.change({ basis: 'total', amount: '100' });
    store.change({ side: Side.sell });
    expect(store.get()).toMatchObject({ basis: 'total', amount: '100' });
    store.change({ kind: 'market' });
    expect(store.get()).toMatchObject({ basis: 'quantity', amount: '' });
  });

  test('a price of the book is meant as a limit, and whoever looks is told', () => {
    const store = new DraftStore();
    let told = 0;
    const stop = store.subscribe(() => told++);
    store.change({ kind: 'market' });
    store.pickPrice('5');
    stop();
    store.change({ amount: '1' });
    expect(store.get()).toMatchObject({ kind: 'limit', price: '5' });
    expect(told).toBe(2);
  });
});

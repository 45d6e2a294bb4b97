// From the draft to the order that is sent, or to what is wrong with it.

import { describe, expect, test } from 'bun:test';
import { OrdType, Side } from '../../../src/sdk/generated/codes.ts';
import type { Level } from '../../../src/sdk/index.ts';
import { BOOK_DEPTH } from '../book/rows.ts';
import { type Draft, DraftStore, EMPTY_DRAFT, POST_ONLY, stepped } from './draft.ts';
import { estimateOrder } from './estimate.ts';
import { PAIR as pair } from './test-pair.ts';
import { bookFault, closedReason, orderOf, quantityOf, totalOf, validate } from './validation.ts';

const draft = (change: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, ...change });
const faultOf = (change: Partial<Draft>, available: string | null = null) => {
  const outcome = validate(draft(change), pair, available);
  return outcome.kind === 'fault' ? outcome.fault : null;
};

describe('what is sent', () => {
  test('a limit order by quantity, post-only if requested', () => {
    const limit = draft({ price: '60000.01', amount: '.5' });
    expect(validate(limit, pair, null)).toEqual({
      kind: 'ready',
      order: {
        symbol: 'BTC-USDT',
        side: Side.buy,
        ordType: OrdType.limit,
        price: '60000.01',
        orderQty: '0.5',
      },
    });
    expect(validate({ ...limit, postOnly: true }, pair, null)).toMatchObject({
      order: { execInst: POST_ONLY },
    });
  });

  test('a limit order by total buys the lots that the total pays for', () => {
    const limit = draft({ price: '60000.01', basis: 'total', amount: '1000' });
    expect(quantityOf(limit, pair)).toBe('0.016666');
    expect(validate(limit, pair, null)).toMatchObject({ order: { orderQty: '0.016666' } });
    expect(totalOf(draft({ price: '60000.01', amount: '0.5' }))).toBe('30000.005');
  });

  test('a market order ignores price and post-only, by quantity or by total', () => {
    const market = draft({ kind: 'market', price: '1', postOnly: true, amount: '2' });
    const head = { symbol: 'BTC-USDT', side: Side.buy, ordType: OrdType.market };
    expect(validate(market, pair, null)).toEqual({
      kind: 'ready',
      order: { ...head, side: Side.buy, ordType: OrdType.market, orderQty: '2' },
    });
    const byTotal = draft({ kind: 'market', basis: 'total', amount: '20.05' });
    expect(validate(byTotal, pair, null)).toMatchObject({ order: { quoteOrderQty: '20.05' } });
  });

  test('nothing while something is missing', () => {
    expect(validate(draft({ price: '1' }), pair, null)).toEqual({ kind: 'incomplete' });
    expect(validate(draft({ price: '', amount: '1' }), pair, null).kind).toBe('incomplete');
    expect(validate(draft({ price: '0', amount: '1' }), pair, null).kind).toBe('incomplete');
  });
});

describe('faults, with the nearest value that passes', () => {
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

test('a pair that is not live says why, and may still take post-only orders', () => {
  const postOnly = { ...pair, status: 'POST_ONLY' } as const;
  expect(closedReason(draft({}), pair)).toBeNull();
  expect(closedReason(draft({}), postOnly)).toContain('post-only');
  expect(closedReason(draft({ postOnly: true }), postOnly)).toBeNull();
  expect(closedReason(draft({ postOnly: true, kind: 'market' }), postOnly)).not.toBeNull();
  expect(closedReason(draft({ postOnly: true }), { ...pair, status: 'HALTED' })).toContain(
    'halted',
  );
});

describe('the draft', () => {
  test('moves by a tick, starts at the market if it is empty, and never reaches 0', () => {
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

  test('a price of the book is meant as a limit, and listeners are called', () => {
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

describe('in the book', () => {
  const ASKS: readonly Level[] = [
    ['60141.2', '0.5'],
    ['60200', '4'],
  ];
  const BIDS: readonly Level[] = [['60000', '1']];

  function faultIn(
    change: Partial<Draft>,
    available: string | null,
    levels: readonly Level[] | undefined = change.side === Side.sell ? BIDS : ASKS,
  ) {
    const draft = { ...EMPTY_DRAFT, ...change };
    const order = orderOf(draft, pair);
    const market = { pair, levels, rates: null, available };
    const estimate = order === null ? null : estimateOrder(order, market);
    return bookFault({ pair, draft, levels, available, estimate });
  }

  test('a market buy by quantity that costs more than there is, in the asset that it costs', () => {
    const fault = faultIn({ kind: 'market', amount: '0.6' }, '20000.129');
    expect(fault).toEqual({
      field: 'quantity',
      text: 'Insufficient balance: this order costs 36,090.60 USDT; you have 20,000.12 USDT.',
      nearest: '0.332552',
    });
    expect(faultIn({ kind: 'market', amount: '0.6' }, '36090.6')).toBeNull();
    expect(faultIn({ kind: 'market', amount: '0.6' }, '0.01')?.nearest).toBeNull();
  });

  test('a market buy beyond the levels that were read costs at least their total', () => {
    const deep = Array.from({ length: BOOK_DEPTH }, (_, i): Level => [`${1000 + i}`, '1']);
    const fault = faultIn({ kind: 'market', amount: String(BOOK_DEPTH + 1) }, '5', deep);
    expect(fault?.text).toMatch(/costs at least [\d,.]+ USDT; you have 5.00 USDT\.$/);
  });

  test('a market order in an empty book', () => {
    expect(faultIn({ kind: 'market', amount: '1' }, null, [])?.text).toContain(
      'no sell orders for BTC',
    );
    const sold = faultIn({ side: Side.sell, kind: 'market', amount: '1' }, '5', []);
    expect(sold?.text).toContain('no buy orders for BTC');
  });

  test('a total below one lot, and the nearest that buys one', () => {
    const dear: readonly Level[] = [['60000000', '1']];
    const fault = faultIn({ kind: 'market', basis: 'total', amount: '7' }, null, dear);
    expect(fault).toMatchObject({ field: 'total', nearest: '60' });
  });

  test('a post-only order that would execute, and the nearest price that rests', () => {
    const buy = { price: '60141.2', amount: '0.1', postOnly: true } as const;
    expect(faultIn(buy, null)).toMatchObject({ field: 'price', nearest: '60141.19' });
    expect(faultIn({ ...buy, price: '60141.19' }, null)).toBeNull();
    const sell = { ...buy, side: Side.sell, price: '60000' } as const;
    expect(faultIn(sell, null)).toMatchObject({ nearest: '60000.01' });
    expect(faultIn({ ...buy, postOnly: false }, null)).toBeNull();
  });

  test('no fault while the book or the balance is unknown', () => {
    expect(faultIn({ kind: 'market', amount: '9' }, null)).toBeNull();
    const unread = bookFault({
      pair,
      draft: { ...EMPTY_DRAFT, kind: 'market', amount: '9' },
      levels: undefined,
      available: '0',
      estimate: null,
    });
    expect(unread).toBeNull();
  });
});

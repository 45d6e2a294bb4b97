// From the draft to the order that is sent, or to its fault.
import { describe, expect, test } from 'bun:test';
import { type Level, OrdType, Side } from '../../../src/sdk/index.ts';
import { limitOrder, marketOrder, PAIR as pair } from '../../../test/support/order-form.ts';
import { BOOK_DEPTH } from '../book/rows.ts';
import { type Draft, DraftStore, EMPTY_DRAFT, POST_ONLY, stepped } from './draft.ts';
import { estimateOrder } from './estimate.ts';
import { quantityOf } from './order-terms.ts';
import {
  bookFault,
  closedReason,
  type Percent,
  totalOf,
  validate,
  withShare,
} from './validation.ts';

type Change = Partial<Draft>;
const { buy, sell } = Side;
const draftOf = (change: Change): Draft => ({ ...EMPTY_DRAFT, ...change });
const stateOf = (change: Change, available: string | null = null) =>
  validate(draftOf(change), pair, available);

describe('what is sent', () => {
  const total = { kind: 'market', basis: 'total', amount: '20.05' } as const;
  test.each<[string, Change, object | null]>([
    ['a limit', { price: '60000.01', amount: '.5' }, limitOrder(buy, '60000.01', '0.5')],
    [
      'a post-only limit',
      { price: '60000.01', amount: '.5', postOnly: true },
      { ...limitOrder(buy, '60000.01', '0.5'), execInst: POST_ONLY },
    ],
    [
      'a limit by total, which buys the lots that the total pays for',
      { price: '60000.01', basis: 'total', amount: '1000' },
      limitOrder(buy, '60000.01', '0.016666'),
    ],
    [
      'a market order, which ignores price and post-only',
      { kind: 'market', price: '1', postOnly: true, amount: '2' },
      marketOrder(buy, '2'),
    ],
    [
      'a market buy by total',
      total,
      { symbol: 'BTC-USDT', side: buy, ordType: OrdType.market, quoteOrderQty: '20.05' },
    ],
    ['nothing without an amount', { price: '1' }, null],
    ['nothing without a price', { price: '', amount: '1' }, null],
    ['nothing at the price 0', { price: '0', amount: '1' }, null],
  ])('%s', (_, change, order) => {
    expect(stateOf(change)).toEqual({ order, fault: null } as never);
  });

  test('the field that was not typed is derived', () => {
    const limit = draftOf({ price: '60000.01', basis: 'total', amount: '1000' });
    expect(quantityOf(limit, pair)).toBe('0.016666');
    expect(totalOf(draftOf({ price: '60000.01', amount: '0.5' }))).toBe('30000.005');
  });
});

describe('faults, with the nearest value that passes', () => {
  const market = { kind: 'market' } as const;
  const total = { kind: 'market', basis: 'total' } as const;
  const sold = { side: sell, kind: 'market', amount: '1' } as const;
  test.each<[string, Change, string | null, string, string | null]>([
    ['off the tick', { price: '60000.016', amount: '1' }, null, 'price', '60000.02'],
    ['below a tick', { price: '0.001', amount: '1' }, null, 'price', '0.01'],
    ['off the lot', { price: '1000', amount: '0.0100005' }, null, 'quantity', '0.01'],
    ['off the lot and too small', { ...market, amount: '0.0000015' }, null, 'quantity', '0.00001'],
    [
      'off the lot, no balance',
      { ...market, side: sell, amount: '0.0000015' },
      '0',
      'quantity',
      null,
    ],
    ['a total off the tick', { ...total, amount: '7.005' }, null, 'total', '7'],
    ['below a lot', { price: '600', amount: '0.000001' }, null, 'quantity', '0.008334'],
    ['below the total', { price: '600', amount: '0.001' }, null, 'quantity', '0.008334'],
    ['a market order', { ...market, amount: '0.000001' }, null, 'quantity', '0.00001'],
    ['a small total', { ...total, amount: '4.99' }, null, 'total', '5'],
    ['a limit by total', { price: '600', basis: 'total', amount: '1' }, null, 'total', '5.0004'],
    ['above the balance', { price: '60000.01', amount: '1' }, '1000', 'quantity', '0.016666'],
    ['selling more', sold, '0.25', 'quantity', '0.25'],
    ['selling without a balance', sold, '0', 'quantity', null],
    ['spending more', { ...total, amount: '100' }, '50.129', 'total', '50.12'],
  ])('%s', (_, change, available, field, nearest) => {
    expect(stateOf(change, available).fault).toMatchObject({ field, nearest });
  });

  test('a market buy by quantity depends on the book', () => {
    expect(stateOf({ kind: 'market', amount: '1' }, '0.25').fault).toBeNull();
  });

  test.each<[Change, string, string]>([
    [
      { price: '60141.20', amount: '1' },
      '58019.7384904',
      'this order costs 60,141.20 USDT; you have 58,019.73 USDT.',
    ],
    [sold, '0.25', 'this order sells 1 BTC; you have 0.25 BTC.'],
    [
      { ...total, amount: '1000.01' },
      '1000',
      'this order costs 1,000.01 USDT; you have 1,000.00 USDT.',
    ],
    [{ ...total, amount: '7' }, '0', 'this order costs 7.00 USDT; you have 0 USDT.'],
  ])('the sentence has both sides in the asset that is paid with %#', (change, available, text) => {
    expect(stateOf(change, available).fault!.text).toBe(`Insufficient balance: ${text}`);
  });
});

test('a pair that is not live has its reason, and can still accept post-only orders', () => {
  const postOnly = { ...pair, status: 'POST_ONLY' } as const;
  expect(closedReason(draftOf({}), pair)).toBeNull();
  expect(closedReason(draftOf({}), postOnly)).toContain('post-only');
  expect(closedReason(draftOf({ postOnly: true }), postOnly)).toBeNull();
  expect(closedReason(draftOf({ postOnly: true, kind: 'market' }), postOnly)).not.toBeNull();
  expect(closedReason(draftOf({ postOnly: true }), { ...pair, status: 'HALTED' })).toContain(
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

  test('a total does not outlive the change to a stop that sells at market', () => {
    const store = new DraftStore();
    store.change({ side: sell, kind: 'market' });
    store.change({ basis: 'total', amount: '100' });
    expect(store.get()).toMatchObject({ basis: 'total', amount: '100' });
    store.change({ kind: 'stop' });
    expect(store.get()).toMatchObject({ basis: 'quantity', amount: '' });
  });

  test('a price of the book is meant as a limit, and listeners are called', () => {
    const store = new DraftStore();
    let calls = 0;
    const stop = store.subscribe(() => calls++);
    store.change({ kind: 'market' });
    store.pickPrice('5');
    stop();
    store.change({ amount: '1' });
    expect(store.get()).toMatchObject({ kind: 'limit', price: '5' });
    expect(calls).toBe(2);
  });
});

describe('in the book', () => {
  const ASKS: readonly Level[] = [
    ['60141.2', '0.5'],
    ['60200', '4'],
  ];
  const BIDS: readonly Level[] = [['60000', '1']];

  function faultIn(
    change: Change,
    available: string | null,
    levels: readonly Level[] | undefined = change.side === sell ? BIDS : ASKS,
  ) {
    const market = { pair, levels, rates: null, available };
    return bookFault(draftOf(change), market, estimateOrder(stateOf(change).order!, market));
  }

  test('a market buy by quantity that costs more than there is, in the asset that it costs', () => {
    const fault = faultIn({ kind: 'market', amount: '0.6' }, '20000.129');
    expect(fault).toEqual({
      isShort: true,
      field: 'quantity',
      text: 'Insufficient balance: this order costs 36,090.60 USDT; you have 20,000.12 USDT.',
      nearest: '0.332552',
    });
    expect(faultIn({ kind: 'market', amount: '0.6' }, '36090.6')).toBeNull();
    expect(faultIn({ kind: 'market', amount: '0.6' }, '0.01')?.nearest).toBeNull();
  });

  test('a market buy beyond the known levels costs at least their total', () => {
    const deep = Array.from({ length: BOOK_DEPTH }, (_, i): Level => [`${1000 + i}`, '1']);
    const fault = faultIn({ kind: 'market', amount: String(BOOK_DEPTH + 1) }, '5', deep);
    expect(fault?.text).toMatch(/costs at least [\d,.]+ USDT; you have 5.00 USDT\.$/);
  });

  test('a market order in an empty book', () => {
    const order = { kind: 'market', amount: '1' } as const;
    expect(faultIn(order, null, [])?.text).toContain('no sell orders for BTC');
    expect(faultIn({ ...order, side: sell }, '5', [])?.text).toContain('no buy orders for BTC');
  });

  test('a total below one lot, and the nearest that buys one', () => {
    const expensive: readonly Level[] = [['60000000', '1']];
    const fault = faultIn({ kind: 'market', basis: 'total', amount: '7' }, null, expensive);
    expect(fault).toMatchObject({ field: 'total', nearest: '60' });
  });

  test('a sell by total beyond the balance, and the total that the balance brings', () => {
    const bids: readonly Level[] = [
      ['60000', '0.5'],
      ['59000', '2'],
    ];
    const total = { kind: 'market', side: sell, basis: 'total', amount: '59500' } as const;
    expect(faultIn(total, '1', bids)).toBeNull();
    const fault = faultIn(total, '0.9', bids);
    expect(fault).toMatchObject({ field: 'total', nearest: '53600' });
    expect(fault!.text).toContain('1 BTC');
    expect(faultIn(total, null, bids)).toBeNull();
  });

  test('a post-only order that would execute, and the nearest price that rests', () => {
    const postOnly = { price: '60141.2', amount: '0.1', postOnly: true } as const;
    expect(faultIn(postOnly, null)).toMatchObject({ field: 'price', nearest: '60141.19' });
    expect(faultIn({ ...postOnly, price: '60141.19' }, null)).toBeNull();
    expect(faultIn({ ...postOnly, side: sell, price: '60000' }, null)).toMatchObject({
      nearest: '60000.01',
    });
    expect(faultIn({ ...postOnly, postOnly: false }, null)).toBeNull();
    const exits = { stopPrice: '61000', takeProfit: '62000' };
    expect(faultIn({ ...postOnly, ...exits, kind: 'bracket' }, null)).toBeNull();
  });

  test('a limit order of an OCO pair that would execute, and the nearest price that rests', () => {
    const oco = { kind: 'oco', price: '60141.2', amount: '0.1', stopPrice: '61000' } as const;
    const fault = faultIn(oco, null);
    expect(fault).toMatchObject({ field: 'price', nearest: '60141.19' });
    expect(fault!.text).toContain('OCO');
    expect(faultIn({ ...oco, price: '60141.19' }, null)).toBeNull();
  });

  test('no fault while the book or the balance is unknown', () => {
    const order = { kind: 'market', amount: '9' } as const;
    expect(faultIn(order, null)).toBeNull();
    const market = { pair, levels: undefined, rates: null, available: '0' };
    const estimate = estimateOrder(stateOf(order).order!, market);
    expect(bookFault(draftOf(order), market, estimate)).toBeNull();
  });
});

describe('a share of the balance', () => {
  const sold = { side: sell } as const;
  const market = { kind: 'market' } as const;
  const asks: readonly Level[] = [
    ['100', '5'],
    ['200', '5'],
  ];
  test.each<[string, Change, string, Percent, string, string | null]>([
    ['a sell is cut to the lot', sold, '1.23456', 50, '0.001', '0.617'],
    ['the whole is cut to the lot', sold, '1.23456', 100, '0.001', '1.234'],
    ['a quarter of many digits', sold, '10.123456789', 25, '0.000001', '2.530864'],
    ['the whole of many digits', sold, '10.123456789', 100, '0.00000001', '10.12345678'],
    ['less than a lot', sold, '0.1', 75, '0.1', '0'],
    ['a limit buy', { price: '100.01' }, '1000.005', 100, '0.001', '9.999'],
    ['a limit buy without a price', {}, '1000.005', 100, '0.001', null],
    ['a market buy, at the prices of the book', market, '1000.005', 100, '0.001', '7.5'],
    ['a total', { ...market, basis: 'total' }, '1000.005', 75, '0.001', '750'],
    ['the whole as a total', { ...market, basis: 'total' }, '1000.005', 100, '0.001', '1000'],
  ])('%s', (_, change, available, percent, lot, amount) => {
    const draft = draftOf(change);
    expect(withShare(draft, { ...pair, lot }, available, percent, asks)).toEqual(
      amount === null ? null : { basis: draft.basis, amount },
    );
  });

  test('a market buy in an empty book', () => {
    expect(withShare(draftOf(market), pair, '1000.005', 100, [])).toBeNull();
  });
});

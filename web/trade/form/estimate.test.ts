// The estimate of an order in the book, and which orders are risky enough to be confirmed.
import { describe, expect, test } from 'bun:test';
import { type Level, type Order, Side } from '../../../src/sdk/index.ts';
import { limitOrder, marketOrder, PAIR } from '../../../test/support/order-form.ts';
import { BOOK_DEPTH } from '../book/rows.ts';
import { type NewOrder, POST_ONLY } from './draft.ts';
import {
  affordable,
  type Estimate,
  type Execution,
  estimateOrder,
  feeOn,
  isWorse,
  type Market,
  walkQuantity,
  walkTotal,
} from './estimate.ts';
import { ownLevels } from './liquidity.ts';

const { buy, sell } = Side;
const rates = { makerFee: '0.001', takerFee: '0.002' };
const against = (
  levels: readonly Level[] | undefined,
  available: string | null = null,
): Market => ({ pair: PAIR, levels, rates, available });

describe('walking the book', () => {
  const asks: readonly Level[] = [
    ['100', '1'],
    ['101', '2'],
    ['110', '5'],
  ];
  const bids: readonly Level[] = [
    ['99', '1'],
    ['98', '1'],
  ];
  const market = { ...against(asks), pair: { ...PAIR, lot: '0.1' } };

  test('takes level by level; the average is cut, the fee is part of the received amount', () => {
    expect(walkQuantity(buy, '2', market)).toEqual({
      quantity: '2',
      quote: '201',
      rest: '0',
      average: '100.5',
      worst: '101',
      slippage: '0.01',
      fee: '0.004',
      received: '1.996',
      isBookTooThin: false,
      ownPx: null,
      isBeyondBook: false,
    });
  });

  const nothing = { quantity: '0', average: null, worst: null };
  test.each<[string, Execution, Partial<Execution>]>([
    [
      'a book that is too thin leaves a rest',
      walkQuantity(buy, '10', market),
      { quantity: '8', rest: '2', isBookTooThin: true },
    ],
    [
      'exactly the whole book leaves none',
      walkQuantity(buy, '8', market),
      { rest: '0', isBookTooThin: false },
    ],
    ['a limit stops at worse asks', walkQuantity(buy, '10', market, '101'), { quantity: '3' }],
    ['a limit below the book', walkQuantity(buy, '10', market, '99.99'), nothing],
    [
      'a limit stops at worse bids',
      walkQuantity(sell, '5', against(bids), '99'),
      { quantity: '1', rest: '4' },
    ],
    [
      'a seller receives quote, less the fee rounded up',
      walkQuantity(sell, '0.00000001', against([['3.33333333', '0.00000001']])),
      { quote: '0.0000000333333333', fee: '0.00000001' },
    ],
    [
      'an empty book trades nothing',
      walkQuantity(buy, '1', against([])),
      { ...nothing, rest: '1', isBookTooThin: true },
    ],
    // 100 for 1, then 5 lots of 10.1 each.
    [
      'a total that whole lots use up',
      walkTotal(buy, '150.5', market),
      { quantity: '1.5', quote: '150.5', rest: '0' },
    ],
    [
      'a total never spends more',
      walkTotal(buy, '150.4', market),
      { quantity: '1.4', quote: '140.4', rest: '10' },
    ],
    [
      'a total stops at a level that is too expensive for a lot',
      walkTotal(buy, '5', market),
      { quantity: '0', rest: '5' },
    ],
    [
      'a total keeps what the whole book does not cost',
      walkTotal(buy, '10000', market),
      { quantity: '8', quote: '852', rest: '9148', isBookTooThin: true },
    ],
  ])('%s', (_, walked, expected) => {
    expect(walked).toMatchObject(expected);
  });

  test('what a budget affords is cut to whole lots', () => {
    expect(affordable('1000', '60000.01', '0.000001')).toBe('0.016666');
    expect(affordable('0', '1', '1')).toBe('0');
  });

  test('fees are rounded up', () => {
    expect(feeOn('1', '0.001', 2)).toBe('0.01');
    expect(feeOn('1', '0', 8)).toBe('0');
  });
});

const asks: readonly Level[] = [
  ['100', '1'],
  ['101.99', '1'],
  ['102', '1'],
  ['120', '5'],
];
const bids: readonly Level[] = [
  ['100', '1'],
  ['98', '1'],
];
const estimated = (order: NewOrder, levels: readonly Level[] | undefined, available?: string) =>
  estimateOrder(order, against(levels, available));
const spending = (quoteOrderQty: string): NewOrder => {
  const { orderQty: _, ...order } = marketOrder(buy, '0');
  return { ...order, quoteOrderQty };
};

describe('the risk of an order', () => {
  const flat = Array.from({ length: BOOK_DEPTH }, (_, i): Level => [`${1000 + i / 100}`, '1']);
  const deep: readonly Level[] = [['100', '50']];
  const most = String(BOOK_DEPTH + 1);
  const postOnly = { ...limitOrder(sell, '10', '1'), execInst: POST_ONLY } as const;
  test.each<[string, Estimate['risk'], NewOrder, Market]>([
    [
      'a buy that moves the price by less than two percent',
      null,
      marketOrder(buy, '2'),
      against(asks),
    ],
    ['a buy that moves the price by two', 'slippage', marketOrder(buy, '2.1'), against(asks)],
    ['a sell that does not move the price', null, marketOrder(sell, '1'), against(bids)],
    ['a sell that moves the price by two', 'slippage', marketOrder(sell, '1.5'), against(bids)],
    ['a total below that', null, spending('201.99'), against(asks)],
    ['a total that moves the price by two', 'slippage', spending('500'), against(asks)],
    ['a limit that waits', null, limitOrder(buy, '10', '5'), against(asks)],
    ['a limit that crosses by five percent', null, limitOrder(buy, '105', '1'), against(asks)],
    ['a sell that crosses by five percent', null, limitOrder(sell, '95', '1'), against(bids)],
    ['a sell that waits', null, limitOrder(sell, '1000', '1'), against(bids)],
    ['a limit far above the best ask', 'limit', limitOrder(buy, '105.02', '0.001'), against(asks)],
    ['a limit far below the best bid', 'limit', limitOrder(sell, '10', '0.001'), against(bids)],
    ['a limit that moves the price by two', 'slippage', limitOrder(buy, '103', '3'), against(asks)],
    ['a post-only order, which is rejected instead', null, postOnly, against(bids)],
    ['the whole known book', null, marketOrder(buy, String(BOOK_DEPTH)), against(flat)],
    ['more than the known book', 'depth', marketOrder(buy, most), against(flat)],
    ['a limit in the known book', null, limitOrder(buy, '1010', most), against(flat)],
    ['an unknown book', 'noBook', marketOrder(buy, '1'), against(undefined)],
    ['a buy for most of the balance', 'share', marketOrder(buy, '9'), against(deep, '1000')],
    ['a buy for half of the balance', null, marketOrder(buy, '5'), against(deep, '1000')],
    ['a sell of most of the balance', 'share', marketOrder(sell, '9'), against(deep, '10')],
    ['a total that is most of the balance', 'share', spending('900'), against(deep, '1000')],
    ['most of the balance that waits', null, limitOrder(buy, '90', '10'), against(deep, '1000')],
    ['most of the balance at a limit', 'share', limitOrder(buy, '100', '9'), against(deep, '1000')],
    ['an unknown balance', null, marketOrder(buy, '9'), against(deep)],
    ['no balance', null, marketOrder(buy, '9'), against(deep, '0')],
    ['an empty book', null, marketOrder(buy, '1'), against([])],
    ['a limit in an empty book', null, limitOrder(buy, '1000', '1'), against([])],
  ])('%s: %s', (_, risk, order, market) => {
    expect(estimateOrder(order, market).risk).toBe(risk);
  });

  test('the parts that it names', () => {
    expect(estimated(limitOrder(sell, '10', '0.001'), bids).past).toBe('0.9');
    expect(estimated(marketOrder(sell, '9'), deep, '10').share).toBe('0.9');
  });
});

describe('what a limit guarantees', () => {
  test('a seller gets the limit less the higher fee, whatever the book has', () => {
    const { filled, taken } = estimated(limitOrder(sell, '50', '2'), bids);
    expect(filled).toEqual({ total: '100', maxFee: '0.2', received: '99.8' });
    expect(taken.received).toBe('197.604');
  });

  test('a buyer gets the quantity less the higher fee, for a maximum total', () => {
    const { filled } = estimated(limitOrder(buy, '200', '2'), asks);
    expect(filled).toEqual({ total: '400', maxFee: '0.004', received: '1.996' });
  });

  test('a market order guarantees nothing', () => {
    expect(estimated(marketOrder(buy, '1'), asks).filled).toBeNull();
  });
});

describe('a book that changes during the confirmation', () => {
  const order = marketOrder(buy, '2.1');
  const sold = marketOrder(sell, '1.5');
  const far = limitOrder(buy, '200', '1');
  const upTo = (last: string) => [...asks.slice(0, 2), [last, '5'] as const];
  const fallen = [bids[0]!, ['97.5', '1']] as const;
  type Book = readonly Level[] | undefined;
  test.each<[string, boolean, NewOrder, before: Book, now: Book]>([
    ['a worst price half a percent higher', false, order, asks, upTo('102.51')],
    ['a worst price that moves further', true, order, asks, upTo('102.52')],
    ['a worst price that is lower', false, order, asks, upTo('100')],
    ['a lower bid for a sell', true, sold, bids, fallen],
    ['a higher bid for a sell', false, sold, fallen, bids],
    ['a book that cannot be read', true, order, asks, undefined],
    ['an empty book', false, order, asks, []],
    ['a book that is read again and safe', false, order, undefined, [['100', '9']]],
    ['a book that is read again and risky', true, order, undefined, asks],
    ['any book for a limit, which trades at its price or better', false, far, asks, upTo('190')],
  ])('%s: worse %s', (_, worse, order, before, now) => {
    expect(isWorse(order, estimated(order, now), estimated(order, before))).toBe(worse);
  });
});

describe('own orders are no liquidity', () => {
  const bids: readonly Level[] = [
    ['0.000012', '1000000'],
    ['0.00001', '50000000'],
  ];
  const PEPE = { ...PAIR, base: 'PEPE', tick: '0.000001', lot: '1', quoteScale: 8 };
  const sale = marketOrder(sell, '900000000');
  const estimate = (own: readonly Level[], order: NewOrder = sale, pair = PEPE) =>
    estimateOrder(order, { pair, levels: bids, own, rates, available: null });
  const mine: readonly Level[] = [['0.00001', '50000000']];

  test('an order ends at the first of them', () => {
    const { taken, risk } = estimate(mine);
    const ended = { quantity: '1000000', quote: '12', rest: '899000000', ownPx: '0.00001' };
    expect(taken).toMatchObject({ ...ended, isBookTooThin: false, isBeyondBook: false });
    expect(risk).toBe('ownOrder');
  });

  test('an order of cancelOldest goes on without them', () => {
    const { taken } = estimate([['0.00001', '20000000']], {
      ...sale,
      selfTradePrevention: 'cancelOldest',
    });
    expect(taken).toMatchObject({ quantity: '31000000', quote: '312', isBookTooThin: true });
    expect(taken.ownPx).toBeNull();
  });

  test('a pair without a rule trades with them', () => {
    const pair = { ...PEPE, selfTradePrevention: 'none' } as const;
    expect(estimate(mine, sale, pair).taken).toMatchObject({ quantity: '51000000', quote: '512' });
    expect(estimate(mine, { ...sale, selfTradePrevention: 'cancelBoth' }, pair).taken.quote).toBe(
      '12',
    );
  });

  test('an order that is filled before them does not meet them', () => {
    const { taken, risk } = estimate(mine, marketOrder(sell, '1000000'));
    expect(taken).toMatchObject({ rest: '0', ownPx: null });
    expect(risk).toBeNull();
  });

  test('a limit that does not reach them does not end', () => {
    const limit = limitOrder(sell, '0.000011', '900000000');
    expect(estimate(mine, limit).taken).toMatchObject({ quantity: '1000000', ownPx: null });
  });

  test('they are those that rest on the other side, as far as they are shown', () => {
    const order = { symbol: PAIR.symbol, side: buy, price: '99', leavesQty: '5' } as Order;
    const open = [
      order,
      { ...order, displayQty: '2', price: '98' },
      { ...order, price: null },
      { ...order, workingIndicator: false },
      { ...order, side: sell },
      { ...order, symbol: 'ETH-USDT' },
    ] as Order[];
    expect(ownLevels(open, PAIR, sell)).toEqual([
      ['99', '5'],
      ['98', '2'],
    ]);
    expect(ownLevels(undefined, PAIR, sell)).toEqual([]);
  });
});

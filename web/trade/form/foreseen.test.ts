// Orders that cannot pass are known before they are sent.

import { expect, test } from 'bun:test';
import { Side } from '../../../src/sdk/codes.ts';
import type { Level } from '../../../src/sdk/index.ts';
import { BOOK_DEPTH } from '../book/grouping.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { foreseenFault } from './foreseen.ts';
import { PAIR as pair } from './pair-of-tests.ts';
import { reckon } from './reckoning.ts';
import { draftedOrder } from './request.ts';

const ASKS: readonly Level[] = [
  ['60141.2', '0.5'],
  ['60200', '4'],
];
const BIDS: readonly Level[] = [['60000', '1']];

function foreseen(
  change: Partial<Draft>,
  available: string | null,
  levels: readonly Level[] | undefined = change.side === Side.sell ? BIDS : ASKS,
) {
  const draft = { ...EMPTY_DRAFT, ...change };
  const order = draftedOrder(draft, pair);
  const market = { pair, levels, rates: null, available };
  const reckoning = order === null ? null : reckon(order, market);
  return foreseenFault({ pair, draft, levels, available, reckoning });
}

test('a market buy by quantity that costs more than there is, in the asset that it costs', () => {
  const fault = foreseen({ kind: 'market', amount: '0.6' }, '20000.129');
  expect(fault).toEqual({
    field: 'quantity',
    text: 'Insufficient balance: this order costs 36,090.60 USDT; you have 20,000.12 USDT.',
    nearest: '0.332552',
  });
  expect(foreseen({ kind: 'market', amount: '0.6' }, '36090.6')).toBeNull();
  expect(foreseen({ kind: 'market', amount: '0.6' }, '0.01')?.nearest).toBeNull();
});

test('a market buy that goes deeper than what was read costs at least that', () => {
  const deep = Array.from({ length: BOOK_DEPTH }, (_, i): Level => [`${1000 + i}`, '1']);
  const fault = foreseen({ kind: 'market', amount: String(BOOK_DEPTH + 1) }, '5', deep);
  expect(fault?.text).toMatch(/costs at least [\d,.]+ USDT; you have 5.00 USDT\.$/);
});

test('a market order that nobody is there for', () => {
  expect(foreseen({ kind: 'market', amount: '1' }, null, [])?.text).toContain('Nobody sells BTC');
  const sold = foreseen({ side: Side.sell, kind: 'market', amount: '1' }, '5', []);
  expect(sold?.text).toContain('Nobody buys BTC');
});

test('a total that does not buy the smallest step, and the one that does', () => {
  const dear: readonly Level[] = [['60000000', '1']];
  const fault = foreseen({ kind: 'market', basis: 'total', amount: '7' }, null, dear);
  expect(fault).toMatchObject({ field: 'total', nearest: '60' });
});

test('a post-only order that would execute, and the price that would not', () => {
  const buy = { price: '60141.2', amount: '0.1', postOnly: true } as const;
  expect(foreseen(buy, null)).toMatchObject({ field: 'price', nearest: '60141.19' });
  expect(foreseen({ ...buy, price: '60141.19' }, null)).toBeNull();
  const sell = { ...buy, side: Side.sell, price: '60000' } as const;
  expect(foreseen(sell, null)).toMatchObject({ nearest: '60000.01' });
  expect(foreseen({ ...buy, postOnly: false }, null)).toBeNull();
});

test('nothing is foreseen while the book or the balance is not known', () => {
  expect(foreseen({ kind: 'market', amount: '9' }, null)).toBeNull();
  const unread = foreseenFault({
    pair,
    draft: { ...EMPTY_DRAFT, kind: 'market', amount: '9' },
    levels: undefined,
    available: '0',
    reckoning: null,
  });
  expect(unread).toBeNull();
});

// The draft of an order: what another side or kind keeps, and a price from the book.
import { expect, test } from 'bun:test';
import { Side } from '../../../src/sdk/index.ts';
import { DraftStore, EMPTY_DRAFT } from './draft.ts';

const typed = {
  ...EMPTY_DRAFT,
  price: '50000',
  amount: '0.5',
  stopPrice: '49000',
  timeInForce: 'IOC',
  shown: '0.1',
} as const;

test('values of one side or kind never stay in another', () => {
  for (const change of [{ side: Side.sell }, { kind: 'stopLimit' }] as const) {
    const store = new DraftStore(typed);
    store.change(change);
    expect(store.get()).toEqual({ ...EMPTY_DRAFT, ...change });
  }
  const store = new DraftStore(typed);
  store.change({ side: Side.buy, kind: 'limit' });
  expect(store.get()).toEqual(typed);
});

test('a price of the book makes a market order a limit order of the same quantity', () => {
  const store = new DraftStore({ ...EMPTY_DRAFT, kind: 'market', amount: '0.5' });
  store.pickPrice('60000');
  expect(store.get()).toEqual({ ...EMPTY_DRAFT, price: '60000', amount: '0.5' });
  const byTotal = new DraftStore({ ...EMPTY_DRAFT, kind: 'market', basis: 'total', amount: '100' });
  byTotal.pickPrice('60000');
  expect(byTotal.get()).toMatchObject({ kind: 'limit', price: '60000', amount: '' });
});

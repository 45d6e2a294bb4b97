// The profit and the loss of a bracket, before it is placed.
import { expect, test } from 'bun:test';
import { Side } from '../../../src/sdk/index.ts';
import { PAIR as pair } from '../../../test/support/order-form.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { exitResults } from './exit-results.ts';

const bracket: Draft = {
  ...EMPTY_DRAFT,
  ...{ kind: 'bracket', amount: '0.5', price: '60000', takeProfit: '63000', stopPrice: '59000' },
};

test.each<[Partial<Draft>, object | null]>([
  [{}, { cost: '30000', takeProfit: '1500', stop: '-500' }],
  [{ stopLimit: '58900' }, { cost: '30000', takeProfit: '1500', stop: '-550' }],
  [
    { side: Side.sell, takeProfit: '57000', stopPrice: '61000' },
    { cost: '30000', takeProfit: '1500', stop: '-500' },
  ],
  [{ takeProfit: '' }, { cost: '30000', takeProfit: null, stop: '-500' }],
  [
    { basis: 'total', amount: '6000' },
    { cost: '6000', takeProfit: '300', stop: '-100' },
  ],
  [{ price: '' }, null],
  [{ amount: '' }, null],
])('%p comes to %p', (change, results) => {
  expect<object | null>(exitResults({ ...bracket, ...change }, pair)).toEqual(results);
});

// The form of the fees by volume: its rows, and the request that it makes.
import { expect, test } from 'bun:test';
import type { FeeTierTable } from '../../../src/sdk/index.ts';
import { parseFields } from '../parts/fields.ts';
import {
  emptyValues,
  finishTiers,
  type TierValues,
  tierLayout,
  tierSentences,
  tierValues,
} from './fee-tier-form.ts';

const TABLE = {
  volumeAsset: 'USDT',
  rates: [{ asset: 'BTC', rate: '60000' }],
  tiers: [
    { volume: '100000', makerFee: '0.0008', takerFee: '0.001' },
    { volume: '1000000', makerFee: '0', takerFee: '0.0005' },
  ],
} satisfies FeeTierTable;
const QUOTES = ['USDT', 'BTC', 'AED'];
const layoutOf = tierLayout(['USDT', 'BTC', 'AED'], QUOTES);
const values: TierValues = { ...emptyValues(QUOTES), ...tierValues(TABLE) };
const parse = (typed: TierValues) =>
  parseFields<TierValues, Parameters<typeof finishTiers>[0]>(layoutOf(typed), typed);

test('a table shows its tiers, one empty row, and the other quote assets', () => {
  const rows = layoutOf(values)
    .flat()
    .map(({ name }) => name);
  expect(rows).toEqual([
    'volumeAsset',
    ...['volume0', 'makerFee0', 'takerFee0'],
    ...['volume1', 'makerFee1', 'takerFee1'],
    ...['volume2', 'makerFee2', 'takerFee2'],
    ...['rate BTC', 'rate AED'],
  ]);
});

test('the request is the table; an empty row is left out, a half one rejected', () => {
  const result = parse(values);
  expect(result.ok && finishTiers(result.body)).toEqual(TABLE);
  const half = parse({ ...values, volume2: '5000000' });
  expect(half.ok ? null : Object.keys(half.faults)).toEqual(['makerFee2', 'takerFee2']);
  const without = parse({ ...values, volume1: '', makerFee1: '', takerFee1: '' });
  expect(without.ok && finishTiers(without.body).tiers).toEqual(TABLE.tiers.slice(0, 1));
});

test('the sentences have every rate', () => {
  const sentences = tierSentences(TABLE).join('\n');
  expect(sentences).toContain('From 100,000 USDT on, makers pay 0.08% and takers 0.10%.');
  expect(sentences).toContain('1 BTC counts as 60,000 USDT.');
  expect(tierSentences({ tiers: [] })).toHaveLength(1);
});

// The computation of a day: the example of docs/earn.md, and wrong figures are detected.
import { describe, expect, test } from 'bun:test';
import type { InterestExplanation } from '../../src/sdk/index.ts';
import { explanationParts, holds } from './explanation.tsx';

/** Day 3 of the first example of docs/earn.md. */
const day3: InterestExplanation = {
  applyId: '1',
  date: 1780531200000,
  coin: 'USDT',
  principalBasis: '1234.56789012',
  dayCount: '365',
  rounding: 'down',
  rate: '0.0475',
  exact: '0.1606629446046575342465753424657534246575',
  numerator: '586419747807000000',
  denominator: '3650000000000000000',
  carriedIn: '33614000000/3650000000000000000',
  earnedAmount: '0.16066295',
  carriedOut: '13921000000/3650000000000000000',
  booster: null,
};

describe('a day', () => {
  test('is a computation from principal to interest', () => {
    const [part, none] = explanationParts(day3);
    expect(none).toBeUndefined();
    expect(part!.holds).toBe(true);
    expect(part!.lines.map(({ sign, figure }) => `${sign} ${figure}`.trim())).toEqual([
      '1,234.56789012 USDT',
      '× 4.75%',
      '÷ 365',
      '= 0.16066294460465753424…',
      '+ 0.00000000920931506849…',
      '− 0.00000000381397260273…',
      '= 0.16066295 USDT',
    ]);
  });

  test('names the exact fraction in full', () => {
    const [part] = explanationParts(day3);
    expect(part!.lines[3]!.full).toStartWith('586419747807000000/3650000000000000000');
  });

  test('with a booster has two computations', () => {
    const { rate, exact, numerator, denominator, carriedIn, earnedAmount, carriedOut } = day3;
    const booster = { rate, exact, numerator, denominator, carriedIn, earnedAmount, carriedOut };
    const parts = explanationParts({ ...day3, booster });
    expect(parts.map(({ title }) => title)).toEqual([
      'Interest of the plan',
      'Interest of the booster',
    ]);
  });
});

test.each<Partial<InterestExplanation>>([
  { earnedAmount: '0.16066294' },
  { carriedOut: '13921000001/3650000000000000000' },
  { carriedIn: '33614000001/3650000000000000000' },
  { rate: '0.0476' },
  { numerator: '586419747807000001' },
  { carriedOut: '13921000000/365' },
  { principalBasis: '1234.56789013' },
])('%p does not hold', (part) => {
  const wrong = { ...day3, ...part };
  expect(holds(wrong.principalBasis, wrong)).toBe(false);
});

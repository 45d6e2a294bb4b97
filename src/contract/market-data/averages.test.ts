// Averages are exact where they fit, and have ten significant digits where they do not.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { amount } from '../../core/units.ts';
import { averageOf } from './averages.ts';

test('an average of tiny prices is not cut at the decimals of the quote asset', () => {
  const terms = {
    tick: { decimals: 8 },
    base: { scale: 0 },
    quote: { scale: 8 },
  };
  const of = (base: number, quote: number): string =>
    averageOf({ baseVolume: amount(base), quoteVolume: amount(quote) }, terms).source;
  // 1,000,000 at 0.00000001 and 1,000,000 at 0.00000002.
  expect(of(2_000_000, 3_000_000)).toBe('0.000000015');
  expect(of(3, 4)).toBe('0.00000001333333333');
  expect(of(3, 5)).toBe('0.00000001666666667');
  expect(of(1, 6_033_154_000_000)).toBe('60331.54');
});

test('it is within half of its last digit, and has ten digits unless it is exact', () => {
  const volume = fc.bigInt({ min: 1n, max: 10n ** 24n });
  const scale = fc.integer({ min: 0, max: 18 });
  fc.assert(
    fc.property(volume, volume, scale, scale, scale, (baseVolume, quoteVolume, b, q, t) => {
      const terms = {
        tick: { decimals: t },
        base: { scale: b },
        quote: { scale: q },
      };
      const volumes = { baseVolume: amount(baseVolume), quoteVolume: amount(quoteVolume) };
      const text = averageOf(volumes, terms).source;
      const [whole = '', fraction = ''] = text.split('.');
      const units = BigInt(whole + fraction);
      const one = 10n ** BigInt(fraction.length);
      const [dividend, divisor] = [quoteVolume * 10n ** BigInt(b), baseVolume * 10n ** BigInt(q)];
      const error = units * divisor - dividend * one;
      if (error === 0n) return;
      expect((error < 0n ? -error : error) * 2n <= divisor).toBe(true);
      const value = (dividend * 10n ** 80n) / divisor;
      const written = units * (10n ** 80n / one);
      const difference = value > written ? value - written : written - value;
      expect(difference * 10n ** 9n <= value).toBe(true);
    }),
    { numRuns: 500 },
  );
});

// The writer against JSON.parse and against the exact text of decimals.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Amount } from '../core/units.ts';
import { JsonNumber, jsonSteps, jsonUnits, stringify } from './json.ts';

test('JSON.parse reads back the written text, for any text and nesting', () => {
  const leaf = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger().map((n) => n + 0),
    fc.boolean(),
    fc.constant(null),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(
        fc.string({ unit: 'binary' }).filter((key) => key !== '__proto__'),
        tie('value'),
        { maxKeys: 5, noNullPrototype: true },
      ),
    ),
  }));
  fc.assert(
    fc.property(value, (sample) => {
      const text = stringify(sample as object);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(sample)));
      expect(text).toBe(JSON.stringify(sample));
    }),
    { numRuns: 5000 },
  );
});

describe('decimals', () => {
  test('are plain JSON numbers of their exact text', () => {
    const tick = { mantissa: 1, decimals: 2 };
    const answer = {
      price: jsonSteps(6425010, tick),
      tiny: jsonUnits(1 as Amount, 18),
      huge: jsonUnits((10n ** 30n) as Amount, 2),
      none: null,
      absent: undefined,
    };
    expect(stringify(answer)).toBe(
      '{"price":64250.1,"tiny":0.000000000000000001,' +
        '"huge":10000000000000000000000000000,"none":null}',
    );
  });

  test('stay exact in arrays', () => {
    expect(stringify([[new JsonNumber('0.1'), new JsonNumber('12345678901234567890.5')]])).toBe(
      '[[0.1,12345678901234567890.5]]',
    );
  });
});

test('a value without an exact JSON form stops the answer', () => {
  expect(() => stringify({ price: 0.1 })).toThrow(TypeError);
  expect(() => stringify({ n: 2 ** 53 })).toThrow(TypeError);
  expect(() => stringify({ n: Number.NaN })).toThrow(TypeError);
  expect(() => stringify({ n: 1n as never })).toThrow(TypeError);
  expect(() => stringify({ when: new Date(0) })).toThrow(TypeError);
  expect(() => stringify({ f: () => 1 })).toThrow(TypeError);
});

test('minus zero is zero', () => expect(stringify([-0])).toBe('[0]'));

// The list of indicators, as a browser remembers it.
import { expect, test } from 'bun:test';
import {
  accepts,
  indicatorsText,
  KIND_NAMES,
  kindOf,
  MAX_INDICATORS,
  newIndicator,
  parseIndicators,
} from './indicators.ts';

test('the text of a list gives the list', () => {
  const every = KIND_NAMES.map(newIndicator);
  expect(indicatorsText(every)).toBe('ma 20,ema 20,bollinger 20 2,vwap 1,rsi 14,macd 12 26 9');
  expect(parseIndicators(indicatorsText(every))).toEqual(every);
  const own = [{ kind: 'bollinger', parameters: [30, 2.5] }] as const;
  expect(parseIndicators(indicatorsText(own))).toEqual([...own]);
  expect(parseIndicators('')).toEqual([]);
});

test.each([
  'ma',
  'ma 0',
  'ma 501',
  'ma 2.5',
  'ma x',
  'ma 20 20',
  'wma 20',
  'toString 1',
  'macd 12 26',
])('leaves out %p', (text) => {
  expect(parseIndicators(`${text},rsi 9`)).toEqual([{ kind: 'rsi', parameters: [9] }]);
});

test('a list has at most as many indicators as there are colors', () => {
  const many = Array.from({ length: 20 }, (_, i) => `ma ${i + 1}`).join(',');
  expect(parseIndicators(many)).toHaveLength(MAX_INDICATORS);
});

test('every kind accepts its initial parameters, and its formula gives all its lines', () => {
  for (const name of KIND_NAMES) {
    const { parameters, lines, formula } = kindOf(name);
    for (const parameter of parameters) {
      expect(accepts(parameter, parameter.initial)).toBe(true);
      expect(accepts(parameter, parameter.maximum + 1)).toBe(false);
      expect(accepts(parameter, Number.NaN)).toBe(false);
    }
    const bar = { openTime: 0, close: 1, baseVolume: 1, quoteVolume: 1 };
    const row = formula(parameters.map(({ initial }) => initial))([bar], [], 0);
    expect(row.length).toBeGreaterThanOrEqual(lines.length);
  }
});

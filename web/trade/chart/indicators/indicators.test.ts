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
  expect(indicatorsText(KIND_NAMES.map(newIndicator))).toBe(
    'ma 20,ema 20,wma 20,vwap 1,bollinger 20 2,donchian 20,volume 20,rsi 14,macd 12 26 9,' +
      'stochastic 14 3 3,atr 14,obv',
  );
  for (const kind of KIND_NAMES) {
    const one = [newIndicator(kind)];
    expect(parseIndicators(indicatorsText(one))).toEqual(one);
  }
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
  'obv 20',
  'wma',
  'toString 1',
  'macd 12 26',
])('leaves out %p', (text) => {
  expect(parseIndicators(`${text},rsi 9`)).toEqual([{ kind: 'rsi', parameters: [9] }]);
});

test('a list has at most as many indicators as there are colors', () => {
  const many = Array.from({ length: 20 }, (_, i) => `ma ${i + 1}`).join(',');
  expect(parseIndicators(many)).toHaveLength(MAX_INDICATORS);
});

test('a list has at most three panes below the prices', () => {
  const kinds = parseIndicators('rsi 9,atr 9,obv,rsi 14,ma 20,macd 12 26 9').map(
    ({ kind }) => kind,
  );
  expect(kinds).toEqual(['rsi', 'atr', 'obv', 'ma']);
});

test('every kind accepts its initial parameters, and its formula gives all its lines', () => {
  for (const name of KIND_NAMES) {
    const { parameters, lines, formula } = kindOf(name);
    for (const parameter of parameters) {
      expect(accepts(parameter, parameter.initial)).toBe(true);
      expect(accepts(parameter, parameter.maximum + 1)).toBe(false);
      expect(accepts(parameter, Number.NaN)).toBe(false);
    }
    const bar = { openTime: 0, high: 1, low: 1, close: 1, baseVolume: 1, quoteVolume: 1 };
    const row = formula(parameters.map(({ initial }) => initial))([bar], [], 0);
    expect(row.length).toBeGreaterThanOrEqual(lines.length);
  }
});

// The formulas against published figures: the worked examples of StockCharts' ChartSchool, and
// those of the technicalindicators library.
import { describe, expect, test } from 'bun:test';
import {
  type Bar,
  balanceVolume,
  bollingerBands,
  convergence,
  exponentialAverage,
  extend,
  type Formula,
  movingAverage,
  priceChannel,
  type Row,
  relativeStrength,
  stochastic,
  trueRange,
  volumeAverage,
  volumeWeighted,
  weightedAverage,
} from './formulas.ts';

const barsOf = (closes: readonly number[]): Bar[] =>
  closes.map((close, i) => barAt(i, { close, quoteVolume: close }));

function barAt(minute: number, some: Partial<Bar>): Bar {
  const { close = 0 } = some;
  const flat = { high: close, low: close, close, baseVolume: 1, quoteVolume: 0 };
  return { openTime: minute * 60_000, ...flat, ...some };
}

function rowsOf(formula: Formula, bars: readonly Bar[]): Row[] {
  const rows: Row[] = [];
  extend(formula, bars, rows, 0);
  return rows;
}

/** The column of a line, rounded; null where it is not defined. */
const column = (rows: readonly Row[], line: number, decimals: number) =>
  rows.map((row) => (Number.isNaN(row[line]) ? null : Number(row[line]!.toFixed(decimals))));

const nulls = (count: number): null[] => Array.from({ length: count }, () => null);

const RISING = [
  127.75, 129.02, 132.75, 145.4, 148.98, 137.52, 147.38, 139.05, 137.23, 149.3, 162.45, 178.95,
  200.35, 221.9, 243.23, 243.52, 286.42, 280.27,
];

const QQQQ = [
  44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931,
  46.0328, 45.614, 46.282, 46.282, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439, 46.2122, 46.2521,
  45.7137, 46.4515, 45.7835, 45.3548, 44.0288, 44.1783, 44.2181, 44.5672, 43.4205, 42.6628, 43.1314,
];

const SPY = [
  86.1557, 89.0867, 88.7829, 90.3228, 89.0671, 91.1453, 89.4397, 89.175, 86.9302, 87.6752, 86.9596,
  89.4299, 89.3221, 88.7241, 87.4497, 87.2634, 89.4985, 87.9006, 89.126, 90.7043, 92.9001, 92.9784,
  91.8021, 92.6647,
];

/** High, low and close. */
const RANGES: readonly (readonly [number, number, number])[] = [
  [48.7, 47.79, 48.16],
  [48.72, 48.14, 48.61],
  [48.9, 48.39, 48.75],
  [48.87, 48.37, 48.63],
  [48.82, 48.24, 48.74],
  [49.05, 48.64, 49.03],
  [49.2, 48.94, 49.07],
  [49.35, 48.86, 49.32],
  [49.92, 49.5, 49.91],
  [50.19, 49.87, 50.13],
  [50.12, 49.2, 49.53],
  [49.66, 48.9, 49.5],
  [49.88, 49.43, 49.75],
  [50.19, 49.73, 50.03],
  [50.36, 49.26, 50.31],
  [50.57, 50.09, 50.52],
  [50.65, 50.3, 50.41],
  [50.43, 49.21, 49.34],
];

const SWINGS: readonly (readonly [number, number, number])[] = [
  [127.009, 125.3574, 126],
  [127.6159, 126.1633, 126],
  [126.5911, 124.9296, 126],
  [127.3472, 126.0937, 126],
  [128.173, 126.8199, 126],
  [128.4317, 126.4817, 126],
  [127.3671, 126.034, 126],
  [126.422, 124.8301, 126],
  [126.8995, 126.3921, 126],
  [126.8498, 125.7156, 126],
  [125.646, 124.5615, 126],
  [125.7156, 124.5715, 126],
  [127.1582, 125.0689, 126],
  [127.7154, 126.8597, 127.2876],
  [127.6855, 126.6309, 127.1781],
  [128.2228, 126.8001, 128.0138],
  [128.2725, 126.7105, 127.1085],
];

describe('published figures', () => {
  test('MA', () => {
    expect(column(rowsOf(movingAverage(20), barsOf(SPY)), 0, 4)).toEqual([
      ...nulls(19),
      88.7079,
      89.0452,
      89.2397,
      89.3907,
      89.5078,
    ]);
  });

  test('EMA starts with the mean', () => {
    const rows = rowsOf(exponentialAverage(3), barsOf(RISING.slice(0, 5)));
    expect(column(rows, 0, 2)).toEqual([null, null, 129.84, 137.62, 143.3]);
  });

  test('Bollinger bands', () => {
    const rows = rowsOf(bollingerBands(20, 2), barsOf(SPY));
    const upper = [91.292, 91.949, 92.613, 92.934, 93.312];
    const lower = [86.124, 86.141, 85.867, 85.847, 85.704];
    expect(column(rows, 1, 3)).toEqual([...nulls(19), ...upper]);
    expect(column(rows, 2, 3)).toEqual([...nulls(19), ...lower]);
  });

  test('ATR', () => {
    const bars = RANGES.map(([high, low, close], i) => barAt(i, { high, low, close }));
    const published = [0.55, 0.59, 0.59, 0.57, 0.61];
    expect(column(rowsOf(trueRange(14), bars), 0, 2)).toEqual([...nulls(13), ...published]);
  });

  test('stochastic oscillator', () => {
    const bars = SWINGS.map(([high, low, close], i) => barAt(i, { high, low, close }));
    const rows = rowsOf(stochastic(14, 1, 3), bars);
    expect(column(rows, 0, 2)).toEqual([...nulls(13), 70.44, 67.61, 89.2, 65.81]);
    expect(column(rows, 1, 2)).toEqual([...nulls(15), 75.75, 74.21]);
    // The slow one smooths %K by what %D was.
    expect(column(rowsOf(stochastic(14, 3, 1), bars), 0, 2)).toEqual(column(rows, 1, 2));
  });

  test('RSI', () => {
    const rows = rowsOf(relativeStrength(14), barsOf(QQQQ));
    const published = [
      70.53, 66.32, 66.55, 69.41, 66.36, 57.97, 62.93, 63.26, 56.06, 62.38, 54.71, 50.42, 39.99,
      41.46, 41.87, 45.46, 37.3, 33.08, 37.77,
    ];
    expect(column(rows, 0, 2)).toEqual([...nulls(14), ...published]);
  });

  test('MACD', () => {
    const rows = rowsOf(convergence(5, 8, 3), barsOf(RISING));
    const macd = [
      1.520602, 0.874707, 1.816116, 3.630838, 6.136188, 9.358503, 12.730555, 15.906023, 16.40656,
      20.217463, 20.012564,
    ];
    const signal = [
      1.403808, 2.517323, 4.326756, 6.842629, 9.786592, 12.846308, 14.626434, 17.421949, 18.717256,
    ];
    const histogram = [
      0.412308, 1.113515, 1.809432, 2.515874, 2.943963, 3.059715, 1.780126, 2.795515, 1.295308,
    ];
    expect(column(rows, 0, 6)).toEqual([...nulls(7), ...macd]);
    expect(column(rows, 1, 6)).toEqual([...nulls(9), ...signal]);
    expect(column(rows, 2, 6)).toEqual([...nulls(9), ...histogram]);
  });
});

describe('the edges of the formulas', () => {
  test('RSI of prices that only rise, only fall, or stay', () => {
    const last = (closes: number[]) => rowsOf(relativeStrength(3), barsOf(closes)).at(-1)![0];
    expect(last([1, 2, 3, 4, 5])).toBe(100);
    expect(last([5, 4, 3, 2, 1])).toBe(0);
    expect(last([7, 7, 7, 7, 7])).toBe(50);
  });

  test('VWAP weighs by volume and restarts with each period', () => {
    const bar = (hours: number, price: number, baseVolume: number): Bar =>
      barAt(hours * 60, { baseVolume, quoteVolume: price * baseVolume });
    const bars = [bar(0, 100, 1), bar(23, 200, 3), bar(24, 50, 2), bar(48, 90, 2), bar(49, 70, 2)];
    const day = rowsOf(volumeWeighted(1), bars);
    expect(day.map(([value]) => value)).toEqual([100, 175, 50, 90, 80]);
    const twoDays = rowsOf(volumeWeighted(2), bars);
    expect(column(twoDays, 0, 4)).toEqual([100, 175, 133.3333, 90, 80]);
    expect(rowsOf(volumeWeighted(1), [bar(0, 1, 0)])[0]![0]).toBeNaN();
  });

  test('WMA, channel, OBV and the mean volume', () => {
    const bars = [
      barAt(0, { high: 12, low: 9, close: 10, baseVolume: 5 }),
      barAt(1, { high: 14, low: 11, close: 13, baseVolume: 7 }),
      barAt(2, { high: 13, low: 8, close: 9, baseVolume: 3 }),
      barAt(3, { high: 10, low: 9, close: 9, baseVolume: 8 }),
    ];
    expect(rowsOf(weightedAverage(3), bars)).toEqual([
      [Number.NaN],
      [Number.NaN],
      [10.5],
      [29 / 3],
    ]);
    expect(rowsOf(priceChannel(3), bars).slice(2)).toEqual([
      [11, 14, 8],
      [11, 14, 8],
    ]);
    expect(rowsOf(balanceVolume, bars)).toEqual([[0], [7], [4], [4]]);
    expect(rowsOf(volumeAverage(2), bars)).toEqual([[Number.NaN], [6], [5], [5.5]]);
  });

  test('more history than candles gives no value', () => {
    for (const formula of [movingAverage(9), bollingerBands(9, 2), relativeStrength(9)]) {
      expect(column(rowsOf(formula, barsOf([1, 2, 3])), 0, 2)).toEqual([null, null, null]);
    }
    expect(rowsOf(convergence(2, 9, 3), barsOf([1, 2, 3])).at(-1)![0]).toBeNaN();
  });
});

test('a row that is computed again equals that of a full computation', () => {
  const formulas = [
    movingAverage(4),
    exponentialAverage(4),
    bollingerBands(4, 2),
    relativeStrength(4),
    convergence(3, 5, 2),
    volumeWeighted(1),
    weightedAverage(4),
    priceChannel(4),
    stochastic(4, 3, 2),
    trueRange(4),
    balanceVolume,
    volumeAverage(4),
  ];
  for (const formula of formulas) {
    const rows: Row[] = [];
    const bars: Bar[] = [];
    for (const [i, bar] of barsOf(QQQQ).entries()) {
      // Each candle has another price before its last one.
      bars[i] = { ...bar, close: bar.close + 3, high: bar.high + 4, quoteVolume: 99 };
      extend(formula, bars, rows, i);
      bars[i] = bar;
      extend(formula, bars, rows, i);
    }
    expect(rows).toEqual(rowsOf(formula, barsOf(QQQQ)));
  }
});

// The settings of the chart that a browser remembers: interval, style, scale, view, indicators.
import { type StoredText, stored } from '../../session/stored.ts';
import { INTERVALS } from './chart-data.ts';

export const STYLES = ['candles', 'bars', 'line', 'area'] as const;
export type ChartStyle = (typeof STYLES)[number];

export const VIEWS = ['price', 'depth', 'both'] as const;
export type ChartViewName = (typeof VIEWS)[number];

/** A setting with a fixed list of values. */
function choice<T extends string>(key: string, values: readonly T[], initial: T = values[0]!) {
  const text: StoredText = stored(localStorage, key);
  const choiceOf = (chosen: string | null): T =>
    values.find((value) => value === chosen) ?? initial;
  return {
    get: (): T => choiceOf(text.get()),
    use: (): T => choiceOf(text.use()),
    set: (value: T): void => text.set(value),
  };
}

export const intervalSetting = choice('agio.chartInterval', INTERVALS, '15m');
export const styleSetting = choice('agio.chartStyle', STYLES);
export const scaleSetting = choice('agio.chartScale', ['linear', 'logarithmic']);
export const viewSetting = choice('agio.chartView', VIEWS);

/** As the text of `indicators.ts`. */
export const indicatorsSetting = stored(localStorage, 'agio.chartIndicators');

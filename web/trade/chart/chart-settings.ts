// The settings of the chart that a browser remembers: interval, style, scale, view, indicators.
import { type StoredText, stored, storedChoice } from '../../session/stored.ts';
import { INTERVALS } from './chart-data.ts';

export const STYLES = ['candles', 'bars', 'line', 'area'] as const;
export type ChartStyle = (typeof STYLES)[number];

export const VIEWS = ['price', 'depth', 'both'] as const;
export type ChartViewName = (typeof VIEWS)[number];

export const intervalSetting = storedChoice('agio.chartInterval', INTERVALS, '15m');
export const styleSetting = storedChoice('agio.chartStyle', STYLES);
export const scaleSetting = storedChoice('agio.chartScale', ['linear', 'logarithmic']);
export const viewSetting = storedChoice('agio.chartView', VIEWS);

/** The text form of `indicators.ts`. */
export const indicatorsSetting = stored(localStorage, 'agio.chartIndicators');

/** The drawings of a pair, as the text of `drawings/drawings.ts`. */
export function drawingsOf(symbol: string): StoredText {
  const known = DRAWINGS.get(symbol) ?? stored(localStorage, `agio.drawings.${symbol}`);
  DRAWINGS.set(symbol, known);
  return known;
}
const DRAWINGS = new Map<string, StoredText>();

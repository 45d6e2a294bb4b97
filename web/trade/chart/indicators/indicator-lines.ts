// Draws the indicators on the chart: lines over the prices, and panes below for those that have a
// scale of their own. A new price computes and draws one row of each.
import {
  HistogramSeries,
  type IChartApi,
  type IPaneApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type PriceFormatCustom,
  type Time,
} from 'lightweight-charts';
import type { Candle } from '../../../../src/sdk/index.ts';
import type { Colors } from '../colors.ts';
import { type Bar, barOf, extend, type Formula, type Row } from './formulas.ts';
import { type Indicator, kindOf, type LineName } from './indicators.ts';

export interface IndicatorSetup {
  readonly indicators: readonly Indicator[];
  /** Called with the rows of all indicators after each change, and the panes of those with one. */
  readonly onRows: (rows: readonly (readonly Row[])[], panes: readonly PaneOf[]) => void;
}

/** The element of an indicator's own pane. */
export interface PaneOf {
  readonly indicator: number;
  readonly element: HTMLElement;
}

interface IndicatorLinesOptions {
  readonly priceFormat: PriceFormatCustom;
  readonly timeOf: (candle: Candle) => Time;
}

type LineApi = ISeriesApi<'Line'>;

interface Drawn {
  readonly formula: Formula;
  readonly lines: readonly { readonly name: LineName; readonly series: LineApi }[];
  readonly rows: Row[];
}

/** A pane has this part of the height, if the prices keep theirs; pixels. */
const [PANE_SHARE, MIN_PANE, MIN_PRICES] = [0.18, 44, 170];

export class IndicatorLines {
  readonly #chart: IChartApi;
  readonly #options: IndicatorLinesOptions;
  #setup: IndicatorSetup = { indicators: [], onRows: () => {} };
  #drawn: readonly Drawn[] = [];
  #bars: Bar[] = [];
  #times: Time[] = [];
  #colors: Colors | null = null;

  constructor(chart: IChartApi, options: IndicatorLinesOptions) {
    this.#chart = chart;
    this.#options = options;
  }

  /** Replaces all indicators. */
  set(setup: IndicatorSetup, candles: readonly Candle[], colors: Colors): void {
    for (const { lines } of this.#drawn) {
      for (const { series } of lines) this.#chart.removeSeries(series);
    }
    this.#setup = setup;
    this.#colors = colors;
    let pane = 0;
    this.#drawn = setup.indicators.map(({ kind, parameters }) => {
      const { lines, place, formula } = kindOf(kind);
      const at = place === 'pane' ? ++pane : 0;
      return {
        formula: formula(parameters),
        lines: lines.map((name) => ({ name, series: this.#addLine(name, kind, at) })),
        rows: [],
      };
    });
    this.#sizePanes(pane);
    this.recolor(colors);
    this.show(candles, 0);
    // A new pane has its element after the next drawing.
    requestAnimationFrame(() => requestAnimationFrame(() => this.#report()));
  }

  /** Panes never squeeze the prices; the user can still move their borders. */
  #sizePanes(count: number): void {
    if (count === 0) return;
    const panes = this.#chart.panes();
    const height = panes.reduce((sum, pane) => sum + pane.getHeight(), 0);
    const wanted = Math.max(MIN_PANE, PANE_SHARE * height);
    const each = Math.max(1, Math.min(wanted, (height - MIN_PRICES) / count));
    for (const [at, pane] of panes.entries()) {
      pane.setStretchFactor(at === 0 ? Math.max(1, (height - count * each) / each) : 1);
    }
  }

  #addLine(name: LineName, kind: Indicator['kind'], pane: number): LineApi {
    const { unit, place } = kindOf(kind);
    const options = {
      priceFormat:
        unit === 'price'
          ? this.#options.priceFormat
          : unit === 'percent'
            ? PERCENT_FORMAT
            : ({ type: 'volume' } as const),
      // The columns of volume have this scale.
      ...(place === 'volume' ? { priceScaleId: '' } : {}),
      lastValueVisible: false,
      priceLineVisible: false,
      crosshairMarkerVisible: false,
      lineWidth: 1,
    } as const;
    if (name === 'histogram') {
      return this.#chart.addSeries(HistogramSeries, options, pane) as unknown as LineApi;
    }
    return this.#chart.addSeries(LineSeries, options, pane);
  }

  /** Draws the candles from index `from` on. */
  show(candles: readonly Candle[], from: number): void {
    this.#bars.length = Math.min(this.#bars.length, from);
    this.#times.length = this.#bars.length;
    for (const candle of candles.slice(from)) {
      this.#bars.push(barOf(candle));
      this.#times.push(this.#options.timeOf(candle));
    }
    for (const drawn of this.#drawn) {
      extend(drawn.formula, this.#bars, drawn.rows, from);
      for (const [line, { name, series }] of drawn.lines.entries()) {
        const point = (at: number) => this.#point(drawn.rows[at]![line]!, at, name);
        if (from > 0) for (let at = from; at < candles.length; at++) series.update(point(at));
        else series.setData(candles.map((_, at) => point(at)));
      }
    }
    this.#report();
  }

  #report(): void {
    const panes = this.#setup.indicators.flatMap((_, indicator): PaneOf[] => {
      const pane: IPaneApi<Time> | undefined = this.#drawn[indicator]?.lines[0]?.series.getPane();
      const element = pane?.getHTMLElement() ?? null;
      return pane?.paneIndex() === 0 || element === null ? [] : [{ indicator, element }];
    });
    this.#setup.onRows(
      this.#drawn.map(({ rows }) => rows),
      panes,
    );
  }

  #point(value: number, at: number, name: LineName) {
    const time = this.#times[at]!;
    // The library leaves a gap for a point without a value.
    if (Number.isNaN(value)) return { time };
    if (name !== 'histogram') return { time, value };
    const { buySoft, sellSoft } = this.#colors!;
    return { time, value, color: value < 0 ? sellSoft : buySoft };
  }

  recolor(colors: Colors): void {
    this.#colors = colors;
    for (const [i, { lines }] of this.#drawn.entries()) {
      const color = colors.lines[i]!;
      for (const { name, series } of lines) {
        const isEdge = name === 'upper' || name === 'lower';
        series.applyOptions({
          color: name === 'signal' ? colors.textDim : color,
          ...(isEdge ? { lineStyle: LineStyle.Dashed } : {}),
        });
        for (const level of series.priceLines()) series.removePriceLine(level);
        if (name === 'signal') continue;
        for (const price of kindOf(this.#setup.indicators[i]!.kind).levels ?? []) {
          const style = { lineWidth: 1, lineStyle: LineStyle.Dotted, title: '' } as const;
          const levelColors = { color: colors.textDim, axisLabelColor: colors.grid };
          series.createPriceLine({ price, axisLabelVisible: false, ...style, ...levelColors });
        }
      }
    }
    // The columns of a histogram have their colors in their points.
    this.#redrawHistograms();
  }

  #redrawHistograms(): void {
    for (const { lines, rows } of this.#drawn) {
      for (const [line, { name, series }] of lines.entries()) {
        if (name !== 'histogram') continue;
        series.setData(rows.map((row, at) => this.#point(row[line]!, at, name)));
      }
    }
  }
}

const PERCENT_FORMAT = {
  type: 'custom',
  formatter: (value: number) => value.toFixed(2),
  minMove: 0.01,
} as const;

// Draws prices and volume with the chart library, and hosts the layers of indicators and own
// orders. Floats are for drawing only: the legend shows the exact figures of the candle.
import {
  AreaSeries,
  type AutoscaleInfo,
  BarSeries,
  CandlestickSeries,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesPrimitive,
  LineSeries,
  LineStyle,
  type Logical,
  PriceScaleMode,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Candle } from '../../../src/sdk/index.ts';
import { compare, toPixels } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { offsetAt } from '../../exact/zone.ts';
import { language } from '../../messages/catalog.ts';
import type { CandleInterval } from '../../messages/chart.ts';
import { axisShift, changedFrom, firstRange, type IndexRange, isDaily } from './chart-data.ts';
import type { ChartStyle } from './chart-settings.ts';
import { type Colors, colorsOfPage } from './colors.ts';
import type { IndicatorLines, IndicatorSetup } from './indicators/indicator-lines.ts';
import { OwnLayer, type OwnLayout } from './own/own-layer.ts';

/** Older candles are read when the view is this close to the oldest one, in candles. */
const NEAR_START = 30;

export interface ChartViewOptions {
  readonly symbol: string;
  readonly priceDecimals: number;
  readonly interval: CandleInterval;
  /** The index of the candle under the pointer, or null. */
  readonly onHover: (index: number | null) => void;
  readonly onNearStart: () => void;
  /** Called with every drawing. */
  readonly onLayout: (layout: OwnLayout) => void;
}

type PriceSeries = ISeriesApi<'Candlestick'>;

/** A point has the values for each of them, so they take the same points. */
const SERIES = {
  candles: CandlestickSeries,
  bars: BarSeries as unknown as typeof CandlestickSeries,
  line: LineSeries as unknown as typeof CandlestickSeries,
  area: AreaSeries as unknown as typeof CandlestickSeries,
} as const satisfies Record<ChartStyle, typeof CandlestickSeries>;

type Layer = ISeriesPrimitive<Time>;

/** Where the charts that were closed stood, by pair and interval, in candles from the newest. */
const leftAt = new Map<string, IndexRange>();

export class ChartView {
  readonly own: OwnLayer;
  readonly element: HTMLElement;
  readonly #layers = new Set<Layer>();
  readonly #key: string;
  readonly #chart: IChartApi;
  readonly #options: ChartViewOptions;
  #prices: PriceSeries;
  readonly #volume: ISeriesApi<'Histogram'>;
  readonly #shift: number;
  #shown: readonly Candle[] = [];
  #last: IPriceLine | null = null;
  #indicators: IndicatorLines | null = null;
  #style: ChartStyle = 'candles';
  #fitsAll = false;
  #colors = colorsOfPage();

  constructor(container: HTMLElement, options: ChartViewOptions) {
    this.#options = options;
    this.element = container;
    this.#key = `${options.symbol} ${options.interval}`;
    this.#shift = axisShift(options.interval, offsetAt(Date.now()));
    this.#chart = createChart(container, chartOptions(options.interval));
    this.own = new OwnLayer(this.#colors, options.onLayout);
    this.#layers.add(this.own);
    this.#volume = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: '',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
    this.#prices = this.#addPrices(this.#style);
    this.#chart.subscribeCrosshairMove(({ logical }) => {
      const index = logical === undefined ? null : Math.round(logical);
      options.onHover(index !== null && this.#shown[index] !== undefined ? index : null);
    });
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && this.#shown.length > 0 && range.from < NEAR_START) {
        options.onNearStart();
      }
    });
    this.recolor();
  }

  /** A price as on the axis. */
  readonly format = (price: number): string => grouped(price.toFixed(this.#options.priceDecimals));

  #addPrices(style: ChartStyle): PriceSeries {
    const series = this.#chart.addSeries(SERIES[style], {
      ...styleColors(style, this.#colors),
      // The library marks the last candle in view, which is not the last price.
      lastValueVisible: false,
      priceLineVisible: false,
      autoscaleInfoProvider: (original: () => AutoscaleInfo | null) =>
        this.own.scaled(original(), this.#fitsAll),
      priceFormat: this.#priceFormat(),
    });
    series.priceScale().applyOptions({ scaleMargins: { top: 0.1, bottom: 0.24 } });
    for (const layer of this.#layers) series.attachPrimitive(layer);
    return series;
  }

  /** Adds a layer to the prices. Returns a function that removes it. */
  attach(layer: Layer): () => void {
    this.#layers.add(layer);
    this.#prices.attachPrimitive(layer);
    return () => {
      this.#layers.delete(layer);
      if (!this.#isDestroyed) this.#prices.detachPrimitive(layer);
    };
  }

  #priceFormat() {
    const minMove = 10 ** -this.#options.priceDecimals;
    return { type: 'custom', formatter: this.format, minMove } as const;
  }

  setStyle(style: ChartStyle): void {
    if (style === this.#style) return;
    this.#style = style;
    const order = this.#prices.seriesOrder();
    for (const layer of this.#layers) this.#prices.detachPrimitive(layer);
    const old = this.#prices;
    this.#prices = this.#addPrices(style);
    this.#chart.removeSeries(old);
    this.#prices.setSeriesOrder(order);
    this.#last = null;
    this.#prices.setData(this.#shown.map((candle) => this.#point(candle)));
    this.#markLast();
  }

  setLogarithmic(isOn: boolean): void {
    const mode = isOn ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
    this.#prices.priceScale().applyOptions({ mode });
  }

  /** The layer of indicators is loaded only for a chart that has some. */
  async setIndicators(setup: IndicatorSetup): Promise<void> {
    if (setup.indicators.length === 0 && this.#indicators === null) return;
    const { IndicatorLines } = await import('./indicators/indicator-lines.ts');
    if (this.#isDestroyed) return;
    this.#indicators ??= new IndicatorLines(this.#chart, {
      priceFormat: this.#priceFormat(),
      timeOf: (candle) => this.#time(candle),
    });
    this.#indicators.set(setup, this.#shown, this.#colors);
  }

  /** Shows all own orders, or only those near the candles. */
  fitAll(isOn: boolean): void {
    this.#fitsAll = isOn;
    this.#prices.priceScale().setAutoScale(true);
    this.#rescale();
  }

  /** A candle makes the library fit the price axis again, even if it is the same one. */
  #rescale(): void {
    const last = this.#shown.at(-1);
    if (last !== undefined) this.#prices.update(this.#point(last));
  }

  /** Draws what has changed since the last call. */
  show(candles: readonly Candle[]): void {
    const from = changedFrom(this.#shown, candles);
    const first = this.#shown.length === 0;
    const added = candles.length - this.#shown.length;
    this.#shown = candles;
    this.#markLast();
    if (from !== null) {
      for (const candle of candles.slice(from)) {
        this.#prices.update(this.#point(candle));
        this.#volume.update(this.#column(candle));
      }
      this.#indicators?.show(candles, from);
      return;
    }
    const scale = this.#chart.timeScale();
    const range = scale.getVisibleLogicalRange();
    this.#prices.setData(candles.map((candle) => this.#point(candle)));
    this.#volume.setData(candles.map((candle) => this.#column(candle)));
    this.#indicators?.show(candles, 0);
    if (first) {
      const left = leftAt.get(this.#key);
      const kept = left && { from: left.from + candles.length, to: left.to + candles.length };
      scale.setVisibleLogicalRange(
        kept !== undefined && kept.to > 0 ? kept : firstRange(candles.length),
      );
    } else if (range !== null && added > 0) {
      // Older candles were added in front, so the view moves with the candles that it shows.
      scale.setVisibleLogicalRange({ from: range.from + added, to: range.to + added });
    }
  }

  /** Marks the price of the newest candle, wherever the view is. */
  #markLast(): void {
    const last = this.#shown.at(-1);
    if (last === undefined) return;
    const rose = compare(last.close, last.open) >= 0;
    const options = {
      price: toPixels(last.close),
      color: rose ? this.#colors.buy : this.#colors.sell,
    };
    if (this.#last !== null) this.#last.applyOptions(options);
    else {
      const style = { lineWidth: 1, lineStyle: LineStyle.Dotted, title: '' } as const;
      this.#last = this.#prices.createPriceLine({ ...style, ...options });
    }
  }

  setOwn(change: Parameters<OwnLayer['set']>[0]): void {
    this.own.set(change);
    if (change.orders !== undefined) this.#rescale();
  }

  /** The price at a height in the plot, pixels from its top. */
  priceAt(y: number): number | null {
    return this.#prices.coordinateToPrice(y);
  }

  /** Moves the crosshair to a candle, which also shows it if it is out of view. */
  pointAt(index: number): void {
    const candle = this.#shown[index];
    if (candle === undefined) return;
    const scale = this.#chart.timeScale();
    const range = scale.getVisibleLogicalRange();
    if (range !== null && (index < range.from || index > range.to)) {
      const half = (range.to - range.from) / 2;
      scale.setVisibleLogicalRange({ from: index - half, to: index + half });
    }
    this.#chart.setCrosshairPosition(toPixels(candle.close), this.#time(candle), this.#prices);
    this.#options.onHover(index);
  }

  clearPointer(): void {
    this.#chart.clearCrosshairPosition();
  }

  /** Shows fewer or more candles, around the middle of the view. */
  zoom(factor: number): void {
    const scale = this.#chart.timeScale();
    const range = scale.getVisibleLogicalRange();
    if (range === null) return;
    const [middle, half] = [(range.from + range.to) / 2, ((range.to - range.from) / 2) * factor];
    scale.setVisibleLogicalRange({
      from: (middle - half) as Logical,
      to: (middle + half) as Logical,
    });
  }

  /** Takes the current colors of the page. */
  recolor(): void {
    const colors = colorsOfPage();
    this.#colors = colors;
    this.#chart.applyOptions(chartColors(colors));
    this.#prices.applyOptions(styleColors(this.#style, colors));
    this.#volume.setData(this.#shown.map((candle) => this.#column(candle)));
    this.#indicators?.recolor(colors);
    this.#markLast();
    this.own.set({ colors });
  }

  #isDestroyed = false;

  destroy(): void {
    this.#isDestroyed = true;
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    const count = this.#shown.length;
    if (range !== null && count > 0) {
      leftAt.set(this.#key, { from: range.from - count, to: range.to - count });
    }
    this.#chart.remove();
  }

  #time({ openTime }: Candle): Time {
    return (openTime / 1000 + this.#shift) as UTCTimestamp;
  }

  #point(candle: Candle) {
    const close = toPixels(candle.close);
    return {
      time: this.#time(candle),
      open: toPixels(candle.open),
      high: toPixels(candle.high),
      low: toPixels(candle.low),
      close,
      value: close,
    };
  }

  #column(candle: Candle) {
    const rose = compare(candle.close, candle.open) >= 0;
    return {
      time: this.#time(candle),
      value: toPixels(candle.baseVolume),
      color: rose ? this.#colors.buySoft : this.#colors.sellSoft,
    };
  }
}

const chartOptions = (interval: CandleInterval) => ({
  autoSize: true,
  // The library's logo needs a style element, which the page's policy forbids. The credit stands
  // below the chart instead.
  layout: { attributionLogo: false, fontSize: 11 },
  localization: { locale: language },
  crosshair: { mode: CrosshairMode.Normal },
  // Leaves out a label that the edge would cut.
  rightPriceScale: { borderVisible: false, entireTextOnly: true },
  timeScale: { borderVisible: false, timeVisible: !isDaily(interval), rightOffset: 6 },
});

const chartColors = (colors: Colors) => ({
  layout: {
    background: { color: colors.panel },
    textColor: colors.textDim,
    fontFamily: getComputedStyle(document.body).fontFamily,
    panes: { separatorColor: colors.line, separatorHoverColor: colors.grid },
  },
  grid: { vertLines: { color: colors.grid }, horzLines: { color: colors.grid } },
  crosshair: {
    vertLine: { color: colors.textDim, labelBackgroundColor: colors.label },
    horzLine: { color: colors.textDim, labelBackgroundColor: colors.label },
  },
});

function styleColors(style: ChartStyle, colors: Colors) {
  const rising = { upColor: colors.buy, downColor: colors.sell };
  const lines = {
    candles: {
      ...rising,
      borderVisible: false,
      wickUpColor: colors.buy,
      wickDownColor: colors.sell,
    },
    bars: { ...rising, thinBars: true },
    line: { color: colors.accent, lineWidth: 2 },
    area: {
      lineColor: colors.accent,
      lineWidth: 2,
      topColor: `${colors.accent}55`,
      bottomColor: `${colors.accent}00`,
    },
  } as const;
  return lines[style] as Partial<(typeof lines)['candles']>;
}

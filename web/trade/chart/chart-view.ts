// Draws candles and volume; the only file that calls the chart library. Floats are for drawing
// only: the legend shows the exact figures of the candle.
import {
  type AutoscaleInfo,
  CandlestickSeries,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineStyle,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Candle } from '../../../src/sdk/index.ts';
import { compare, toPixels } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { language } from '../../messages/catalog.ts';
import {
  axisShift,
  type CandleInterval,
  changedFrom,
  firstRange,
  fitScale,
  type OutOfView,
  type PriceMark,
} from './chart-data.ts';

/** Older candles are read when the view is this close to the oldest one, in candles. */
const NEAR_START = 30;

export interface ChartViewOptions {
  readonly priceDecimals: number;
  readonly interval: CandleInterval;
  /** The index of the candle under the pointer, or null. */
  readonly onHover: (index: number | null) => void;
  readonly onNearStart: () => void;
  /** The price axis has no room for this many marks. */
  readonly onOutside: (outside: OutOfView) => void;
}

export class ChartView {
  readonly #chart: IChartApi;
  readonly #candles: ISeriesApi<'Candlestick'>;
  readonly #volume: ISeriesApi<'Histogram'>;
  readonly #shift: number;
  #shown: readonly Candle[] = [];
  #marks: readonly PriceMark[] = [];
  #lines: readonly IPriceLine[] = [];
  #last: IPriceLine | null = null;
  #outside = { above: 0, below: 0 };
  #colors = colorsOfPage();

  constructor(container: HTMLElement, options: ChartViewOptions) {
    this.#shift = axisShift(options.interval, new Date().getTimezoneOffset());
    this.#chart = createChart(container, {
      autoSize: true,
      // The library's logo needs a style element, which the page's policy forbids. The credit
      // stands below the chart instead.
      layout: { attributionLogo: false, fontSize: 11 },
      localization: { locale: language },
      crosshair: { mode: CrosshairMode.Normal },
      // Leaves out a label that the edge would cut.
      rightPriceScale: { borderVisible: false, entireTextOnly: true },
      timeScale: {
        borderVisible: false,
        timeVisible: options.interval !== '1d',
        rightOffset: 6,
      },
    });
    this.#candles = this.#chart.addSeries(CandlestickSeries, {
      borderVisible: false,
      // The library marks the last candle in view, which is not the last price.
      lastValueVisible: false,
      priceLineVisible: false,
      autoscaleInfoProvider: (original: () => AutoscaleInfo | null) =>
        this.#scaled(original(), options.onOutside),
      priceFormat: {
        type: 'custom',
        formatter: (price: number) => grouped(price.toFixed(options.priceDecimals)),
        minMove: 10 ** -options.priceDecimals,
      },
    });
    this.#candles.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.24 } });
    this.#volume = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: '',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
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

  /** Draws what has changed since the last call. */
  show(candles: readonly Candle[]): void {
    const from = changedFrom(this.#shown, candles);
    const first = this.#shown.length === 0;
    const added = candles.length - this.#shown.length;
    this.#shown = candles;
    this.#markLast();
    if (from !== null) {
      for (const candle of candles.slice(from)) {
        this.#candles.update(this.#bar(candle));
        this.#volume.update(this.#column(candle));
      }
      return;
    }
    const scale = this.#chart.timeScale();
    const range = scale.getVisibleLogicalRange();
    this.#candles.setData(candles.map((candle) => this.#bar(candle)));
    this.#volume.setData(candles.map((candle) => this.#column(candle)));
    if (first) {
      scale.setVisibleLogicalRange(firstRange(candles.length));
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
      this.#last = this.#candles.createPriceLine({ ...style, ...options });
    }
  }

  /** Makes room for the marks that are near the candles in view. */
  #scaled(
    found: AutoscaleInfo | null,
    onOutside: ChartViewOptions['onOutside'],
  ): AutoscaleInfo | null {
    if (found?.priceRange == null) return found;
    const { minValue: low, maxValue: high } = found.priceRange;
    const prices = this.#marks.map(({ price }) => toPixels(price));
    const { range, above, below } = fitScale({ low, high }, prices);
    if (above !== this.#outside.above || below !== this.#outside.below) {
      this.#outside = { above, below };
      onOutside(this.#outside);
    }
    return { ...found, priceRange: { minValue: range.low, maxValue: range.high } };
  }

  mark(marks: readonly PriceMark[]): void {
    for (const line of this.#lines) this.#candles.removePriceLine(line);
    this.#marks = marks;
    this.#lines = marks.map(({ price, side, title }) =>
      this.#candles.createPriceLine({
        price: toPixels(price),
        title,
        color: this.#colors[side],
        lineWidth: 1,
        lineStyle: LineStyle.Dashed,
      }),
    );
    // A candle makes the library fit the price axis again, even if it is the same one.
    const last = this.#shown.at(-1);
    if (last !== undefined) this.#candles.update(this.#bar(last));
  }

  /** Takes the current colors of the page. */
  recolor(): void {
    const colors = colorsOfPage();
    this.#colors = colors;
    this.#chart.applyOptions({
      layout: {
        background: { color: colors.panel },
        textColor: colors.textDim,
        fontFamily: getComputedStyle(document.body).fontFamily,
      },
      grid: { vertLines: { color: colors.grid }, horzLines: { color: colors.grid } },
      crosshair: {
        vertLine: { color: colors.textDim, labelBackgroundColor: colors.label },
        horzLine: { color: colors.textDim, labelBackgroundColor: colors.label },
      },
    });
    this.#candles.applyOptions({
      upColor: colors.buy,
      wickUpColor: colors.buy,
      downColor: colors.sell,
      wickDownColor: colors.sell,
    });
    this.#volume.setData(this.#shown.map((candle) => this.#column(candle)));
    this.#markLast();
    this.mark(this.#marks);
  }

  destroy(): void {
    this.#chart.remove();
  }

  #time({ openTime }: Candle): Time {
    return (openTime / 1000 + this.#shift) as UTCTimestamp;
  }

  #bar(candle: Candle) {
    return {
      time: this.#time(candle),
      open: toPixels(candle.open),
      high: toPixels(candle.high),
      low: toPixels(candle.low),
      close: toPixels(candle.close),
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

function colorsOfPage() {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  return {
    panel: of('--panel'),
    grid: of('--panel-raised'),
    label: of('--mantine-color-brand-7'),
    textDim: of('--text-dim'),
    buy: of('--buy'),
    sell: of('--sell'),
    buySoft: of('--buy-soft'),
    sellSoft: of('--sell-soft'),
  };
}

// The drawing of candles and volume: the one place that speaks to the chart library. Floats are for drawing only; whoever
// reads a figure gets it from the candle itself.

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
import { compare, type Decimal, toPixels } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { changedFrom } from './candles.ts';
import { type Fitted, firstRange, fitted } from './scale.ts';

/** How close to the oldest candle somebody may scroll before older ones are asked for. */
const NEAR_START = 30;

export interface ChartViewOptions {
  readonly priceDecimals: number;
  /** Seconds that the axis is shifted by. */
  readonly shift: number;
  /** Whether the axis shows times of day, and not only days. */
  readonly withTime: boolean;
  /** The index of the candle under the pointer, or null. */
  readonly onHover: (index: number | null) => void;
  readonly onNearStart: () => void;
  /** How many marks the price axis has no room for. */
  readonly onOutside: (outside: Omit<Fitted, 'range'>) => void;
}

/** A price that is marked by a line over the whole chart, with a word at its right. */
export interface PriceMark {
  readonly price: Decimal;
  readonly side: 'buy' | 'sell';
  readonly title: string;
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
  #colours = coloursOfPage();

  constructor(container: HTMLElement, options: ChartViewOptions) {
    this.#shift = options.shift;
    this.#chart = createChart(container, {
      autoSize: true,
      // The mark of the library comes as a style element, which the page's policy forbids; it is named below the chart.
      layout: { attributionLogo: false, fontSize: 11 },
      // The page is English, and so are the names of its months.
      localization: { locale: 'en' },
      crosshair: { mode: CrosshairMode.Normal },
      // A label that the edge would cut is left out.
      rightPriceScale: { borderVisible: false, entireTextOnly: true },
      timeScale: { borderVisible: false, timeVisible: options.withTime, rightOffset: 6 },
    });
    this.#candles = this.#chart.addSeries(CandlestickSeries, {
      borderVisible: false,
      // The library's own mark is of the last candle in sight, which is not the last price.
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
    this.recolour();
  }

  /** Draws what has changed since the last time. */
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
      // Older candles came in front: what is looked at stays where it is.
      scale.setVisibleLogicalRange({ from: range.from + added, to: range.to + added });
    }
  }

  /** The last price is that of the newest candle, wherever the chart has been moved to. */
  #markLast(): void {
    const last = this.#shown.at(-1);
    if (last === undefined) return;
    const rose = compare(last.close, last.open) >= 0;
    const options = {
      price: toPixels(last.close),
      color: rose ? this.#colours.buy : this.#colours.sell,
    };
    if (this.#last !== null) this.#last.applyOptions(options);
    else {
      const style = { lineWidth: 1, lineStyle: LineStyle.Dotted, title: '' } as const;
      this.#last = this.#candles.createPriceLine({ ...style, ...options });
    }
  }

  /** Room for the marks that are near the candles in sight. */
  #scaled(
    found: AutoscaleInfo | null,
    onOutside: ChartViewOptions['onOutside'],
  ): AutoscaleInfo | null {
    if (found?.priceRange == null) return found;
    const { minValue: low, maxValue: high } = found.priceRange;
    const prices = this.#marks.map(({ price }) => toPixels(price));
    const { range, above, below } = fitted({ low, high }, prices);
    if (above !== this.#outside.above || below !== this.#outside.below) {
      this.#outside = { above, below };
      onOutside(this.#outside);
    }
    return { ...found, priceRange: { minValue: range.low, maxValue: range.high } };
  }

  /** Draws these marks in place of those of before. */
  mark(marks: readonly PriceMark[]): void {
    for (const line of this.#lines) this.#candles.removePriceLine(line);
    this.#marks = marks;
    this.#lines = marks.map(({ price, side, title }) =>
      this.#candles.createPriceLine({
        price: toPixels(price),
        title,
        color: this.#colours[side],
        lineWidth: 1,
        lineStyle: LineStyle.Dashed,
      }),
    );
    // The price axis is fitted again when a candle comes, also the same one.
    const last = this.#shown.at(-1);
    if (last !== undefined) this.#candles.update(this.#bar(last));
  }

  /** Takes the colours of the page as it is now. */
  recolour(): void {
    const colours = coloursOfPage();
    this.#colours = colours;
    this.#chart.applyOptions({
      layout: {
        background: { color: colours.panel },
        textColor: colours.textDim,
        fontFamily: getComputedStyle(document.body).fontFamily,
      },
      grid: { vertLines: { color: colours.grid }, horzLines: { color: colours.grid } },
      crosshair: {
        vertLine: { color: colours.textDim, labelBackgroundColor: colours.label },
        horzLine: { color: colours.textDim, labelBackgroundColor: colours.label },
      },
    });
    this.#candles.applyOptions({
      upColor: colours.buy,
      wickUpColor: colours.buy,
      downColor: colours.sell,
      wickDownColor: colours.sell,
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
      color: rose ? this.#colours.buySoft : this.#colours.sellSoft,
    };
  }
}

function coloursOfPage() {
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

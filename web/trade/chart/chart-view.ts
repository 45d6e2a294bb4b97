// The drawing of candles and volume: the one place that speaks to the chart library. Floats are for drawing only; whoever
// reads a figure gets it from the candle itself.
import {
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
import type { Candle } from '../../api/market.ts';
import { compare, type Decimal, toPixels } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { changedFrom } from './candles.ts';

/** How close to the oldest candle somebody may scroll before older ones are asked for. */
const NEAR_START = 30;
/** As many are shown at first, where there are as many. */
const FIRST_SHOWN = 120;

export interface ChartViewOptions {
  readonly priceDecimals: number;
  /** Seconds that the axis is shifted by. */
  readonly shift: number;
  /** Whether the axis shows times of day, and not only days. */
  readonly withTime: boolean;
  /** The index of the candle under the pointer, or null. */
  readonly onHover: (index: number | null) => void;
  readonly onNearStart: () => void;
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
      rightPriceScale: { borderVisible: false },
      timeScale: { borderVisible: false, timeVisible: options.withTime, rightOffset: 6 },
    });
    this.#candles = this.#chart.addSeries(CandlestickSeries, {
      borderVisible: false,
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
      scale.setVisibleLogicalRange({
        from: Math.max(candles.length - FIRST_SHOWN, -FIRST_SHOWN / 2),
        to: candles.length + 5,
      });
    } else if (range !== null && added > 0) {
      // Older candles came in front: what is looked at stays where it is.
      scale.setVisibleLogicalRange({ from: range.from + added, to: range.to + added });
    }
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
    this.mark(this.#marks);
  }

  destroy(): void {
    this.#chart.remove();
  }

  #time({ openTime }: Candle): Time {
    return (Number(openTime) / 1000 + this.#shift) as UTCTimestamp;
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

// A layer over the candles: its place in the chart, and when it is drawn.
import type {
  IChartApi,
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesApi,
  ISeriesPrimitive,
  PrimitivePaneViewZOrder,
  SeriesAttachedParameter,
  SeriesType,
  Time,
} from 'lightweight-charts';

export type Context = CanvasRenderingContext2D;
type Target = Parameters<IPrimitivePaneRenderer['draw']>[0];

/** Pixels from the left and the top of the prices. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Draws a line in the present style. */
export function drawLine(context: Context, from: Place, to: Place): void {
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
}

/** `S`: what the layer shows. */
export abstract class Layer<S> implements ISeriesPrimitive<Time> {
  /** null while it is not on a chart. */
  protected chart: IChartApi | null = null;
  protected series: ISeriesApi<SeriesType> | null = null;
  protected shown: S;
  #redraw: () => void = () => {};
  readonly #views: readonly IPrimitivePaneView[];

  constructor(order: PrimitivePaneViewZOrder, shown: S) {
    this.shown = shown;
    const draw = (target: Target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) =>
        this.draw(context as Context, mediaSize.width, mediaSize.height),
      );
    this.#views = [{ zOrder: () => order, renderer: () => ({ draw }) }];
  }

  set(change: Partial<S>): void {
    this.shown = { ...this.shown, ...change };
    this.#redraw();
  }

  protected abstract draw(context: Context, width: number, height: number): void;

  attached({ chart, series, requestUpdate }: SeriesAttachedParameter<Time>): void {
    this.chart = chart;
    this.series = series;
    this.#redraw = requestUpdate;
  }

  detached(): void {
    this.chart = null;
    this.series = null;
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }
}

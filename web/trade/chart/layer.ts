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

export abstract class Layer implements ISeriesPrimitive<Time> {
  /** null while it is not on a chart. */
  protected chart: IChartApi | null = null;
  protected series: ISeriesApi<SeriesType> | null = null;
  protected redraw: () => void = () => {};
  readonly #views: readonly IPrimitivePaneView[];

  constructor(order: PrimitivePaneViewZOrder) {
    const draw = (target: Target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) =>
        this.draw(context as Context, mediaSize.width, mediaSize.height),
      );
    this.#views = [{ zOrder: () => order, renderer: () => ({ draw }) }];
  }

  protected abstract draw(context: Context, width: number, height: number): void;

  attached({ chart, series, requestUpdate }: SeriesAttachedParameter<Time>): void {
    this.chart = chart;
    this.series = series;
    this.redraw = requestUpdate;
  }

  detached(): void {
    this.chart = null;
    this.series = null;
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }
}

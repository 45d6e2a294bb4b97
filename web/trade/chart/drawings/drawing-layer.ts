// Draws the user's drawings on the prices, and says which one is under the pointer. Reports where
// the points of the selected one are, so that the page can place their handles.
import type { Logical, MouseEventParams, SeriesAttachedParameter, Time } from 'lightweight-charts';
import type { Colors } from '../colors.ts';
import { type Context, drawLine, Layer, type Place } from '../layer.ts';
import {
  type Drawing,
  distanceTo,
  FIBONACCI,
  indexAt,
  type Point,
  type TimeAxis,
  timeAt,
} from './drawings.ts';

interface Shown {
  readonly drawings: readonly Drawing[];
  /** Its index, or null. */
  readonly selected: number | null;
  readonly axis: TimeAxis;
  readonly colors: Colors;
}

interface LayerOptions {
  /** A price on the axis as text. */
  readonly format: (price: number) => string;
  /** Called with a click: the index of the drawing under it, or null. */
  readonly onSelect: (drawing: number | null) => void;
  /** Called with every drawing: the places of the points of the selected one. */
  readonly onLayout: (places: readonly Place[]) => void;
}

interface Line {
  readonly from: Place;
  readonly to: Place;
  readonly label?: string;
  readonly isWeak?: boolean;
}

/** A pointer this close to a line selects it, pixels. */
const GRAB = 5;
const ID = 'drawing ';

export class DrawingLayer extends Layer<Shown> {
  readonly #options: LayerOptions;

  constructor(shown: Shown, options: LayerOptions) {
    super('normal', shown);
    this.#options = options;
  }

  override attached(to: SeriesAttachedParameter<Time>): void {
    super.attached(to);
    to.chart.subscribeClick(this.#click);
  }

  override detached(): void {
    this.chart?.unsubscribeClick(this.#click);
    super.detached();
  }

  readonly #click = ({ hoveredObjectId }: MouseEventParams<Time>): void => {
    const id = typeof hoveredObjectId === 'string' ? hoveredObjectId : '';
    this.#options.onSelect(id.startsWith(ID) ? Number(id.slice(ID.length)) : null);
  };

  hitTest(x: number, y: number) {
    const width = this.chart?.timeScale().width() ?? 0;
    const at = this.shown.drawings.findLastIndex((drawing) =>
      this.#linesOf(drawing, width).some(({ from, to }) => distanceTo({ x, y }, from, to) <= GRAB),
    );
    if (at < 0) return null;
    return { externalId: `${ID}${at}`, zOrder: 'normal', cursorStyle: 'pointer' } as const;
  }

  /** The point at a place in the plot; null outside of the prices. */
  pointAt({ x, y }: Place): Point | null {
    const logical = this.chart?.timeScale().coordinateToLogical(x) ?? null;
    const price = this.series?.coordinateToPrice(y) ?? null;
    if (logical === null || price === null || price <= 0) return null;
    return { time: timeAt(this.shown.axis, Math.round(logical)), price };
  }

  #placeOf({ time, price }: Point): Place | null {
    const index = indexAt(this.shown.axis, time) as Logical;
    const x = this.chart?.timeScale().logicalToCoordinate(index) ?? null;
    const y = this.series?.priceToCoordinate(price) ?? null;
    return x === null || y === null ? null : { x, y };
  }

  #linesOf({ kind, points }: Drawing, width: number): readonly Line[] {
    const places = points.map((point) => this.#placeOf(point));
    const [from, to = from] = places;
    if (from == null || to == null) return [];
    const { format } = this.#options;
    if (kind === 'trend') return [{ from, to }];
    if (kind === 'horizontal') {
      const label = format(points[0]!.price);
      return [{ from: { x: 0, y: from.y }, to: { x: width, y: from.y }, label }];
    }
    const [first, last] = points as [Point, Point];
    const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)];
    const levels = FIBONACCI.flatMap((part): Line[] => {
      const price = last.price + part * (first.price - last.price);
      const y = this.series?.priceToCoordinate(price) ?? null;
      const label = `${part} ${format(price)}`;
      return y === null ? [] : [{ from: { x: left, y }, to: { x: right, y }, label }];
    });
    return [{ from, to, isWeak: true }, ...levels];
  }

  protected override draw(context: Context, width: number): void {
    const { drawings, selected, colors } = this.shown;
    context.save();
    context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    for (const [at, drawing] of drawings.entries()) {
      for (const { from, to, label, isWeak = false } of this.#linesOf(drawing, width)) {
        context.strokeStyle = isWeak ? colors.textDim : colors.accent;
        context.lineWidth = at === selected ? 2 : 1.5;
        context.setLineDash(isWeak ? [3, 4] : []);
        drawLine(context, from, to);
        if (label === undefined) continue;
        context.fillStyle = colors.textDim;
        context.fillText(label, Math.max(4, from.x + 4), from.y - 4);
      }
    }
    context.restore();
    const chosen = selected === null ? undefined : drawings[selected];
    const places = chosen?.points.map((point) => this.#placeOf(point)) ?? [];
    this.#options.onLayout(places.filter((place) => place !== null));
  }
}

// Draws the user's own orders and fills on the chart: a line for each order with its price on the
// axis, and a triangle for the fills of each candle. Reports where the orders are, so that the page
// can place their handles.
import type {
  AutoscaleInfo,
  IPriceLine,
  Logical,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import { toPixels } from '../../../exact/decimal.ts';
import { fitScale } from '../chart-data.ts';
import type { Colors } from '../colors.ts';
import { type Context, drawLine, Layer } from '../layer.ts';
import { type Edges, edgesOf, type FillMark, type OrderMark } from './marks.ts';

/** The order that is being moved, and its new price. */
interface Draft {
  readonly orderId: number;
  readonly price: number;
}

/** Where the orders are on the screen after a drawing. */
export interface OwnLayout {
  /** The size of the pane of prices without its axis, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels from the top, by orderId; an order that is being moved is at its new price. */
  readonly orders: ReadonlyMap<number, number>;
  readonly edges: Edges;
}

interface Line {
  readonly mark: OrderMark;
  readonly price: number;
  readonly y: number;
  readonly moves: boolean;
}

/** A grid of more lines would hide the candles; further orders have a short line at the axis. */
const FULL_LINES = 30;
const SHORT = 28;
/** The half width and the height of a triangle. */
const HALF = 5;
const TALL = 8;
/** A pointer this close to a line grabs it, pixels. */
const GRAB = 4;

interface Shown {
  readonly orders: readonly OrderMark[];
  readonly fills: readonly FillMark[];
  readonly draft: Draft | null;
  readonly colors: Colors;
}

export class OwnLayer extends Layer<Shown> {
  readonly #onLayout: (layout: OwnLayout) => void;
  #lines: readonly Line[] = [];
  #labels: readonly IPriceLine[] = [];

  /** `onLayout` is called with every drawing. */
  constructor(colors: Colors, onLayout: (layout: OwnLayout) => void) {
    super('top', { orders: [], fills: [], draft: null, colors });
    this.#onLayout = onLayout;
  }

  override attached(to: SeriesAttachedParameter<Time>): void {
    super.attached(to);
    this.#labels = [];
    this.#label();
  }

  override set(change: Partial<Shown>): void {
    super.set(change);
    this.#label();
  }

  /** Extends the prices of the candles in view to the orders that are near, or to all of them. */
  scaled(found: AutoscaleInfo | null, fitsAll: boolean): AutoscaleInfo | null {
    if (found?.priceRange == null) return found;
    const { minValue: low, maxValue: high } = found.priceRange;
    const prices = this.shown.orders.map(({ price }) => toPixels(price));
    const range = fitScale({ low, high }, prices, fitsAll);
    return { ...found, priceRange: { minValue: range.low, maxValue: range.high } };
  }

  updateAllViews(): void {
    const series = this.series;
    if (series === null) return;
    this.#lines = this.shown.orders.flatMap((mark) => {
      const moves = this.shown.draft?.orderId === mark.orderId;
      const price = moves ? this.shown.draft!.price : toPixels(mark.price);
      const y = series.priceToCoordinate(price);
      return y === null ? [] : { mark, price, y, moves };
    });
  }

  /** The library keeps the labels of price lines apart, but not those of a layer. */
  #label(): void {
    const series = this.series;
    if (series === null) return;
    for (const label of this.#labels) series.removePriceLine(label);
    this.#labels = this.shown.orders.slice(0, FULL_LINES).map(({ orderId, side, price }) =>
      series.createPriceLine({
        price: this.shown.draft?.orderId === orderId ? this.shown.draft.price : toPixels(price),
        lineVisible: false,
        axisLabelVisible: true,
        axisLabelColor: this.shown.colors[side === 'buy' ? 'buySolid' : 'sellSolid'],
        axisLabelTextColor: '#ffffff',
        color: this.shown.colors[side],
        title: '',
      }),
    );
  }

  hitTest(_x: number, y: number) {
    const mark = this.orderAt(y);
    if (mark === null) return null;
    const externalId = String(mark.orderId);
    return { externalId, zOrder: 'top', cursorStyle: 'ns-resize' } as const;
  }

  /** The order whose line is at this height. */
  orderAt(y: number): OrderMark | null {
    const near = this.#lines
      .filter(({ mark }) => !mark.isFixed)
      .filter((line) => Math.abs(line.y - y) <= GRAB)
      .sort((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y));
    return near[0]?.mark ?? null;
  }

  /** Pixels from the top to the line of an order; null if it has none. */
  heightOf(orderId: number): number | null {
    return this.#lines.find(({ mark }) => mark.orderId === orderId)?.y ?? null;
  }

  protected override draw(context: Context, width: number, height: number): void {
    this.updateAllViews();
    for (const [i, line] of this.#lines.entries()) {
      const isFull = i < FULL_LINES || line.moves;
      this.#drawLine(context, line, isFull ? 0 : width - SHORT, width);
    }
    const fills = this.#placedFills(width);
    for (const { mark, x, y } of fills) this.#drawFill(context, mark, x, y);
    const edges = edgesOf(this.#lines, fills, height);
    const orders = new Map(this.#lines.map(({ mark, y }) => [mark.orderId, y]));
    this.#onLayout({ width, height, orders, edges });
  }

  #drawLine(context: Context, { mark, y, moves }: Line, from: number, to: number): void {
    context.save();
    context.strokeStyle = this.shown.colors[mark.side];
    context.lineWidth = 1;
    context.globalAlpha = moves ? 1 : 0.75;
    context.setLineDash(moves ? [] : mark.isFixed ? [2, 4] : [6, 4]);
    const at = Math.round(y) + 0.5;
    drawLine(context, { x: from, y: at }, { x: to, y: at });
    context.restore();
  }

  /** The fills whose candles are in view. */
  #placedFills(width: number) {
    const [chart, series] = [this.chart, this.series];
    if (chart === null || series === null) return [];
    const scale = chart.timeScale();
    return this.shown.fills.flatMap((mark) => {
      const x = scale.logicalToCoordinate(mark.index as Logical);
      const y = series.priceToCoordinate(mark.at);
      const isIn = x !== null && y !== null && x >= 0 && x <= width;
      return isIn ? { mark, x: x as number, y: y as number, price: mark.at } : [];
    });
  }

  /** A triangle whose tip is at the price: a buy below it, a sell above. */
  #drawFill(context: Context, mark: FillMark, x: number, y: number): void {
    const down = mark.side === 'buy' ? 1 : -1;
    context.save();
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - HALF, y + down * TALL);
    context.lineTo(x + HALF, y + down * TALL);
    context.closePath();
    // The outline keeps it apart from a candle of the same color.
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.strokeStyle = this.shown.colors.panel;
    context.stroke();
    context.fillStyle = this.shown.colors[mark.side];
    context.fill();
    context.restore();
  }
}

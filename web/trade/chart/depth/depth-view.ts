// Draws the depth of a book on a canvas, at most once per frame.
import { grouped } from '../../../exact/format.ts';
import { type Colors, colorsOfPage } from '../colors.ts';
import { type Context, drawLine } from '../layer.ts';
import {
  type Book,
  type DepthPlace,
  type DepthPoint,
  type DepthRange,
  depthPoints,
  depthRange,
  levelAt,
  roundSteps,
} from './depth-data.ts';

/** Below the plot, for the prices. */
const BOTTOM = 24;
/** Pixels between the marks of the axes. */
const PRICE_GAP = 110;
const TOTAL_GAP = 48;

export interface DepthViewOptions {
  readonly format: (price: number) => string;
  /** Called after each drawing with the place of the chosen level, in pixels. */
  readonly onPlace: (place: { readonly x: number; readonly width: number }) => void;
}

interface View {
  readonly zoom: number;
  readonly chosen: DepthPlace | null;
  /** The prices of own orders. */
  readonly orders: readonly number[];
}

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly range: DepthRange;
}

export class DepthView {
  readonly #canvas: HTMLCanvasElement;
  readonly #options: DepthViewOptions;
  readonly #observer: ResizeObserver;
  #bids: readonly DepthPoint[] = [];
  #asks: readonly DepthPoint[] = [];
  #view: View = { zoom: 1, chosen: null, orders: [] };
  #colors: Colors = colorsOfPage();
  #font = '';
  #frame = 0;

  constructor(canvas: HTMLCanvasElement, options: DepthViewOptions) {
    this.#canvas = canvas;
    this.#options = options;
    this.#observer = new ResizeObserver(() => this.#schedule());
    this.#observer.observe(canvas);
    this.recolor();
  }

  show({ bids, asks }: Book): void {
    this.#bids = depthPoints(bids);
    this.#asks = depthPoints(asks);
    this.#schedule();
  }

  set(view: View): void {
    this.#view = view;
    this.#schedule();
  }

  recolor(): void {
    this.#colors = colorsOfPage();
    this.#font = `11px ${getComputedStyle(document.body).fontFamily}`;
    this.#schedule();
  }

  /** The level at a distance from the left edge, in pixels. */
  levelAt(x: number): DepthPlace | null {
    const range = depthRange(this.#bids, this.#asks, this.#view.zoom);
    if (range === null) return null;
    const { low, high } = range;
    const price = low + (x / this.#canvas.clientWidth) * (high - low);
    return levelAt(this.#bids, this.#asks, price);
  }

  destroy(): void {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  #schedule(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    const context = this.#canvas.getContext('2d');
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (context === null || width === 0 || height === 0) return;
    const scale = window.devicePixelRatio;
    const [wide, tall] = [Math.round(width * scale), Math.round(height * scale)];
    // A canvas that gets a size also loses its content and its state.
    if (this.#canvas.width !== wide) this.#canvas.width = wide;
    if (this.#canvas.height !== tall) this.#canvas.height = tall;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const range = depthRange(this.#bids, this.#asks, this.#view.zoom);
    if (range === null) return;
    const shape = { width, height: height - BOTTOM, range };
    this.#drawGrid(context, shape);
    this.#drawSide(context, shape, 'bids');
    this.#drawSide(context, shape, 'asks');
    this.#drawOrders(context, shape);
    this.#drawTotals(context, shape);
    this.#drawChosen(context, shape);
  }

  #drawGrid(context: Context, shape: Shape): void {
    const { width, height, range } = shape;
    context.font = this.#font;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = this.#colors.textDim;
    for (const price of roundSteps(range.low, range.high, width / PRICE_GAP)) {
      const text = this.#options.format(price);
      const half = context.measureText(text).width / 2;
      const x = xOf(shape, price);
      // The edge would cut this one.
      if (x - half < 2 || x + half > width - 2) continue;
      context.fillText(text, x, height + BOTTOM / 2 + 1);
    }
    line(context, this.#colors.line, [0, height], [width, height]);
    const x = xOf(shape, range.mid);
    context.setLineDash([3, 3]);
    line(context, this.#colors.textDim, [x, 0], [x, height]);
    context.setLineDash([]);
  }

  #drawSide(context: Context, shape: Shape, side: 'bids' | 'asks'): void {
    const points = side === 'bids' ? this.#bids : this.#asks;
    const { height, width } = shape;
    const first = points[0];
    if (first === undefined) return;
    const [color, soft] =
      side === 'bids'
        ? [this.#colors.buy, this.#colors.buySoft]
        : [this.#colors.sell, this.#colors.sellSoft];
    const edge = side === 'bids' ? 0 : width;
    const beyond = (x: number) => (side === 'bids' ? x < edge : x > edge);
    context.beginPath();
    context.moveTo(xOf(shape, first.price), height);
    let before = height;
    let isCut = false;
    for (const { price, total } of points) {
      const x = xOf(shape, price);
      isCut = beyond(x);
      context.lineTo(isCut ? edge : x, before);
      if (isCut) break;
      before = yOf(shape, total);
      context.lineTo(x, before);
    }
    // The last level reaches to the edge: an order further away would meet all of it.
    if (!isCut) context.lineTo(edge, before);
    context.strokeStyle = color;
    context.lineWidth = 1.5;
    context.lineJoin = 'round';
    context.stroke();
    context.lineTo(edge, height);
    context.closePath();
    context.fillStyle = soft;
    context.fill();
  }

  /** A short line at the price of each own order. */
  #drawOrders(context: Context, shape: Shape): void {
    context.lineWidth = 2;
    for (const price of this.#view.orders) {
      const x = xOf(shape, price);
      if (x < 0 || x > shape.width) continue;
      const color = price <= shape.range.mid ? this.#colors.buy : this.#colors.sell;
      line(context, color, [x, shape.height - 10], [x, shape.height]);
    }
    context.lineWidth = 1;
  }

  #drawTotals(context: Context, shape: Shape): void {
    const { width, height, range } = shape;
    context.font = this.#font;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    context.fillStyle = this.#colors.textDim;
    const totals = roundSteps(0, range.deepest, height / TOTAL_GAP);
    const decimals = Math.max(0, -Math.floor(Math.log10(totals[1] ?? 1)));
    for (const total of totals) {
      const y = yOf(shape, total);
      if (total === 0 || y < 12) continue;
      context.globalAlpha = 0.5;
      line(context, this.#colors.line, [0, y], [width, y]);
      context.globalAlpha = 1;
      context.fillText(grouped(total.toFixed(decimals)), width - 6, y - 7);
    }
  }

  #drawChosen(context: Context, shape: Shape): void {
    const chosen = this.#view.chosen;
    const points = chosen?.side === 'bids' ? this.#bids : this.#asks;
    const point = chosen === null ? undefined : points[chosen.index];
    if (point === undefined) return;
    const [x, y] = [xOf(shape, point.price), yOf(shape, point.total)];
    const isIn = x >= 0 && x <= shape.width;
    if (isIn) {
      const color = chosen?.side === 'bids' ? this.#colors.buy : this.#colors.sell;
      context.setLineDash([4, 4]);
      line(context, this.#colors.textDim, [x, 0], [x, shape.height]);
      line(context, this.#colors.textDim, [0, y], [shape.width, y]);
      context.setLineDash([]);
      context.beginPath();
      context.arc(x, y, 4.5, 0, 2 * Math.PI);
      context.fillStyle = color;
      context.fill();
      context.lineWidth = 2;
      context.strokeStyle = this.#colors.panel;
      context.stroke();
      context.lineWidth = 1;
    }
    this.#options.onPlace({ x: Math.min(shape.width, Math.max(0, x)), width: shape.width });
  }
}

const xOf = ({ width, range: { low, high } }: Shape, price: number): number =>
  ((price - low) / (high - low)) * width;

const yOf = ({ height, range: { deepest } }: Shape, total: number): number =>
  height - (total / deepest) * height;

type Point = readonly [x: number, y: number];

function line(context: Context, color: string, [x, y]: Point, [toX, toY]: Point): void {
  context.strokeStyle = color;
  drawLine(context, { x, y }, { x: toX, y: toY });
}

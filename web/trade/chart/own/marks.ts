// The marks of the user on the chart, without drawing: open orders by price, fills by candle, and
// how many of them lie above and below the view.
import { type Candle, type Order, Side } from '../../../../src/sdk/index.ts';
import { add, type Decimal, toPixels } from '../../../exact/decimal.ts';
import type { Triggers } from '../../../live/channels.ts';
import { type Role, roleOf, withExits } from '../../orders/legs.ts';
import { trails, triggerPxOf } from '../../orders/trailing.ts';
import type { OwnFill } from './reported-fills.ts';

export type MarkSide = 'buy' | 'sell';

const sideName = (side: Side): MarkSide => (side === Side.buy ? 'buy' : 'sell');

/** The price that a line shows: a stop that waits stands at its trigger. */
type PriceField = 'price' | 'stopPx';

/** An open order, or an exit that its entry will place, at its price. */
export interface OrderMark {
  readonly orderId: number;
  readonly role: Role | 'trailingStop';
  /** Cannot be moved: it is no order yet, or its trigger follows the price. */
  readonly isFixed: boolean;
  readonly field: PriceField;
  readonly side: MarkSide;
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** The open orders of a pair that have a price, newest first. */
export function orderMarks(
  orders: readonly Order[],
  symbol: string,
  present?: Triggers,
): readonly OrderMark[] {
  return withExits(orders).flatMap((order): OrderMark[] => {
    const trigger = triggerPxOf(order, present);
    const field = order.workingIndicator || trigger === null ? 'price' : 'stopPx';
    const price = field === 'stopPx' ? trigger : order.price;
    if (order.symbol !== symbol || price === null) return [];
    const { orderId, leavesQty: quantity, planned } = order;
    const isTrailing = trails(order) && field === 'stopPx';
    const what = {
      role: isTrailing ? ('trailingStop' as const) : roleOf(order),
      isFixed: planned !== undefined || (isTrailing && order.triggerPx != null),
    };
    return [{ orderId, ...what, field, side: sideName(order.side), price, quantity }];
  });
}

/** The fills of one side within one candle. */
export interface FillMark {
  /** The index of the candle. */
  readonly index: number;
  readonly side: MarkSide;
  readonly count: number;
  readonly quantity: Decimal;
  readonly total: Decimal;
  /** The average price, for drawing. */
  readonly at: number;
}

/** The fills by candle, oldest first; `fills` and `candles` are in order of time. */
export function fillMarks(
  fills: readonly OwnFill[],
  candles: readonly Candle[],
): readonly FillMark[] {
  const found = new Map<string, FillMark>();
  let index = -1;
  for (const fill of fills) {
    while (index + 1 < candles.length && candles[index + 1]!.openTime <= fill.transactTime) index++;
    if (index < 0) continue;
    const side = sideName(fill.side);
    const key = `${index} ${side}`;
    const known = found.get(key);
    const quantity = add(known?.quantity ?? '0', fill.quantity);
    const total = add(known?.total ?? '0', fill.quoteAmount);
    const at = toPixels(total) / toPixels(quantity);
    found.set(key, { index, side, count: (known?.count ?? 0) + 1, quantity, total, at });
  }
  return [...found.values()];
}

/** The marks beyond one edge of the view. */
interface Edge {
  readonly orders: number;
  readonly fills: number;
  /** The price that is nearest to the view. */
  readonly nearest: number | null;
}

export interface Edges {
  readonly above: Edge;
  readonly below: Edge;
}

const NOTHING: Edge = { orders: 0, fills: 0, nearest: null };
export const NO_EDGES: Edges = { above: NOTHING, below: NOTHING };

interface MarkPlace {
  readonly price: number;
  /** Pixels from the top of the view. */
  readonly y: number;
}

/** Counts the marks above and below a view of this height. */
export function edgesOf(
  orders: readonly MarkPlace[],
  fills: readonly MarkPlace[],
  height: number,
): Edges {
  const edge = (isOut: (mark: MarkPlace) => boolean, nearer: (a: number, b: number) => number) => {
    const [out, filled] = [orders.filter(isOut), fills.filter(isOut)];
    const prices = [...out, ...filled].map(({ price }) => price);
    const nearest = prices.length === 0 ? null : prices.reduce(nearer);
    return { orders: out.length, fills: filled.length, nearest };
  };
  return {
    above: edge(
      ({ y }) => y < 0,
      (a, b) => Math.min(a, b),
    ),
    below: edge(
      ({ y }) => y > height,
      (a, b) => Math.max(a, b),
    ),
  };
}

export const sameEdges = (a: Edges, b: Edges): boolean =>
  (['above', 'below'] as const).every(
    (name) =>
      a[name].orders === b[name].orders &&
      a[name].fills === b[name].fills &&
      a[name].nearest === b[name].nearest,
  );

// A new price for an open order, as the user drags its line or presses keys: always on the price
// grid.
import * as d from '../../../exact/decimal.ts';
import type { MarkSide, OrderMark } from './marks.ts';

export interface PriceGrid {
  readonly tick: d.Decimal;
  readonly priceDecimals: number;
}

/** The price of the grid that is nearest to a place of the chart; at least one step. */
export function nearestPrice(at: number, { tick, priceDecimals }: PriceGrid): d.Decimal {
  // One digit more, so that half a step is exact enough.
  const text = Math.max(0, at).toFixed(priceDecimals + 1);
  const price = d.floorTo(d.add(text, d.multiply(tick, '0.5')), tick);
  return d.isPositive(price) ? price : tick;
}

/** The price `steps` above, or below if they are negative; at least one step. */
export function stepPrice(price: d.Decimal, steps: number, { tick }: PriceGrid): d.Decimal {
  const next = d.add(price, d.multiply(tick, String(steps)));
  return d.isPositive(next) ? next : tick;
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowUp', 1],
  ['ArrowDown', -1],
  ['PageUp', 100],
  ['PageDown', -100],
]);

/** The steps of a key; undefined for other keys. */
export function keySteps({ key, shiftKey }: { key: string; shiftKey: boolean }) {
  const steps = STEPS.get(key);
  return steps === undefined ? undefined : steps * (shiftKey ? 10 : 1);
}

/** True if an order at this price would trade with the best price of the other side. */
export function tradesNow(
  side: MarkSide,
  price: d.Decimal,
  best: { readonly bid: d.Decimal | undefined; readonly ask: d.Decimal | undefined },
): boolean {
  if (side === 'buy') return best.ask !== undefined && d.compare(price, best.ask) >= 0;
  return best.bid !== undefined && d.compare(price, best.bid) <= 0;
}

/** An order with the price that the user chose for it. */
export interface Move {
  readonly mark: OrderMark;
  readonly price: d.Decimal;
  /** asking: the user may confirm. sent: confirmed, and the chart waits for the new order. */
  readonly phase: 'dragging' | 'asking' | 'sent';
}

/** After a drag or key; null if the price is that of the order. */
export const asked = ({ mark, price }: Omit<Move, 'phase'>): Move | null =>
  d.compare(mark.price, price) === 0 ? null : { mark, price, phase: 'asking' };

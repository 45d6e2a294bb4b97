// The part of a book that an order can trade with. Own orders are no liquidity: by its rule of
// self-trade prevention, an order ends at the first of them, or cancels them and goes on.
import type { Instrument, Level, Order } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';

/** The own orders of a pair that rest on the other side of an order of this side. */
export const ownLevels = (
  open: readonly Order[] | undefined,
  { symbol }: { readonly symbol: string },
  side: Order['side'],
): readonly Level[] =>
  (open ?? [])
    .filter((order) => order.symbol === symbol && order.side !== side && isResting(order))
    .map(({ price, leavesQty, displayQty }) => [price!, shownOf(leavesQty, displayQty)]);

const isResting = ({ price, workingIndicator }: Order): boolean =>
  price !== null && workingIndicator !== false;

const shownOf = (leaves: d.Decimal, displayQty: d.Decimal | null | undefined): d.Decimal =>
  displayQty == null ? leaves : d.min(leaves, displayQty);

export type Prevention = Instrument['selfTradePrevention'];

export interface Liquidity {
  /** Best first. */
  readonly levels: readonly Level[];
  /** The price of the own order that ends the match; null without one. */
  readonly ownPx: d.Decimal | null;
}

/** The price of the first order that an order would meet and not cancel. */
export const firstPrice = (
  levels: readonly Level[],
  own: readonly Level[],
  prevention: Prevention,
): d.Decimal | null =>
  (prevention === 'cancelOldest' ? liquidityOf(levels, own, prevention).levels : levels)[0]?.[0] ??
  null;

/**
 * `own`: the shown quantities of own orders on this side of the book. Where the match ends at an
 * own order, its whole level is left out: orders behind it do not trade.
 */
export function liquidityOf(
  levels: readonly Level[],
  own: readonly Level[],
  prevention: Prevention,
): Liquidity {
  if (prevention === 'none' || own.length === 0) return { levels, ownPx: null };
  const ownAt = (price: d.Decimal) =>
    d.sum(own.filter(([at]) => d.compare(at, price) === 0).map(([, quantity]) => quantity));
  if (prevention === 'cancelOldest') {
    const rest = levels.map(([price, quantity]): Level => {
      return [price, d.max(d.subtract(quantity, ownAt(price)), '0')];
    });
    return { levels: rest.filter(([, quantity]) => d.isPositive(quantity)), ownPx: null };
  }
  const end = levels.findIndex(([price]) => d.isPositive(ownAt(price)));
  return end === -1
    ? { levels, ownPx: null }
    : { levels: levels.slice(0, end), ownPx: levels[end]![0] };
}

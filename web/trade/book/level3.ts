// The level-3 book as rows: every order in its place in the queue of its price.
import type { Level3Level } from '../../../src/sdk/index.ts';
import type { Decimal } from '../../exact/decimal.ts';

export interface OrderRow {
  readonly orderId: string;
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** 1 is filled first. */
  readonly place: number;
  /** How many orders the level has. */
  readonly of: number;
  readonly own: boolean;
}

/** The orders of a side, best price first and oldest first within a price; at most `most`. */
export function orderRows(
  levels: readonly Level3Level[],
  own: ReadonlySet<string>,
  most: number,
): readonly OrderRow[] {
  const rows: OrderRow[] = [];
  for (const [price, , orders] of levels) {
    for (const [i, [orderId, , , quantity]] of orders.entries()) {
      if (rows.length >= most) return rows;
      rows.push({
        orderId,
        price,
        quantity,
        place: i + 1,
        of: orders.length,
        own: own.has(orderId),
      });
    }
  }
  return rows;
}

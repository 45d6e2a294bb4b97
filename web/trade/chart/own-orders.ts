// A person's open orders of a pair as lines of the chart: one for each price and side.
import { Side } from '../../../src/sdk/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import { add, type Decimal } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import type { PriceMark } from './chart-view.ts';

/** More lines than that would hide what they are drawn over. */
export const MAX_MARKS = 30;

/** The newest orders first; orders at one price are one mark with their quantities together. */
export function marksOf(orders: readonly Order[], symbol: string): PriceMark[] {
  const found = new Map<string, { price: Decimal; side: 'buy' | 'sell'; quantity: Decimal }>();
  for (const order of orders) {
    if (order.symbol !== symbol || order.price === null) continue;
    const side = order.side === Side.buy ? 'buy' : 'sell';
    const key = `${side} ${order.price}`;
    const known = found.get(key);
    if (known !== undefined) known.quantity = add(known.quantity, order.leavesQty);
    else found.set(key, { price: order.price, side, quantity: order.leavesQty });
  }
  return [...found.values()].slice(0, MAX_MARKS).map(({ price, side, quantity }) => ({
    price,
    side,
    title: `${side === 'buy' ? 'Buy' : 'Sell'} ${grouped(quantity)}`,
  }));
}

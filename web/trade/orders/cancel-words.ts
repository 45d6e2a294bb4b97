// What canceling all open orders has come to: what is read of them afterwards decides.
import type { Order } from '../../../src/sdk/index.ts';
import { newOrderWords } from './words.ts';

type Known = Pick<Order, 'orderId'>;

/** As many open orders as one reading has; there may be more. */
export const MOST_SHOWN = 100;

/** order, 3 orders, 100+ orders: what is counted may be one page of more. */
export function countWords(count: number): string {
  if (count === 1) return 'order';
  return `${count}${count >= MOST_SHOWN ? '+' : ''} orders`;
}

/** `before` and `after` are the open orders at the click and after the answer. */
export function canceledWords(before: readonly Known[], after: readonly Known[]): string {
  const open = new Set(after.map(({ orderId }) => orderId));
  const stay = before.filter(({ orderId }) => open.has(orderId)).length;
  const gone = before.length - stay;
  const most = before.length >= MOST_SHOWN ? 'At least ' : '';
  return [
    gone === 0 ? 'No order canceled' : `${most}${gone} canceled`,
    ...(stay === 0 ? [] : [`${stay} ${stay === 1 ? 'is' : 'are'} still open`]),
  ].join('; ');
}

/** Canceled: Buy 0.05 BTC at 59,000 USDT. */
export function canceledOrderWords(order: Order): string {
  const { symbol, side, ordType, orderQty, quoteOrderQty, price } = order;
  return `Canceled: ${newOrderWords({
    symbol,
    side,
    ordType,
    ...(orderQty === null ? {} : { orderQty }),
    ...(quoteOrderQty === null ? {} : { quoteOrderQty }),
    ...(price === null ? {} : { price }),
  })}`;
}

// What canceling all open orders has come to: what is read of them afterwards decides, since orders in a halted pair stay.
import type { Order } from '../../api/trading.ts';
import { newOrderWords } from './words.ts';

type Known = Pick<Order, 'orderId' | 'symbol'>;

/** As many open orders as one reading has; there may be more. */
export const MOST_SHOWN = 100;

/** `before` and `after` are the open orders at the click and after the answer; `halted` the pairs that take no cancels. */
export function canceledWords(
  before: readonly Known[],
  after: readonly Known[],
  halted: ReadonlySet<string>,
): string {
  const open = new Set(after.map(({ orderId }) => orderId));
  const stay = before.filter(({ orderId }) => open.has(orderId));
  const gone = before.length - stay.length;
  const inHalted = stay.filter(({ symbol }) => halted.has(symbol)).length;
  const others = stay.length - inHalted;
  const most = before.length >= MOST_SHOWN ? 'At least ' : '';
  return [
    gone === 0 ? 'No order canceled' : `${most}${gone} canceled`,
    ...(inHalted === 0
      ? []
      : [`${inHalted} in a halted pair ${inHalted === 1 ? 'stays' : 'stay'}`]),
    ...(others === 0 ? [] : [`${others} ${others === 1 ? 'is' : 'are'} still open`]),
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

// Orders in words: what state one is in, why, how much of it is done, and what placing it has come to.
import { OrdStatus, OrdType, Side } from '../../../src/sdk/codes.ts';
import type { Fill, Order } from '../../../src/sdk/index.ts';
import { compare, type Decimal, isPositive, isZero, sum, toPixels } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { averageDecimals, feeText, totalDecimals } from '../figures.ts';
import type { NewOrder } from '../form/submission.ts';

export type Tone = 'good' | 'open' | 'bad' | 'plain';

export interface OrderState {
  readonly label: string;
  readonly tone: Tone;
  /** Why, where there is more to say. */
  readonly reason: string | null;
}

const STATES: Readonly<Record<OrdStatus, readonly [label: string, tone: Tone]>> = {
  [OrdStatus.new]: ['Open', 'open'],
  [OrdStatus.partiallyFilled]: ['Partly filled', 'open'],
  [OrdStatus.filled]: ['Filled', 'good'],
  [OrdStatus.canceled]: ['Canceled', 'plain'],
  [OrdStatus.pendingCancel]: ['Canceling', 'plain'],
  [OrdStatus.rejected]: ['Rejected', 'bad'],
};

/** The states that history can be filtered by. */
export const FILTER_STATES: readonly (readonly [OrdStatus, string])[] = [
  [OrdStatus.new, 'Open'],
  [OrdStatus.partiallyFilled, 'Partly filled'],
  [OrdStatus.filled, 'Filled'],
  [OrdStatus.canceled, 'Canceled'],
  [OrdStatus.rejected, 'Rejected'],
];

type StateFields = Pick<Order, 'ordStatus' | 'cumQty' | 'ordRejText' | 'ordCxlText'>;

export function stateOf(order: StateFields): OrderState {
  const [label, tone] = STATES[order.ordStatus] ?? [`Status ${order.ordStatus}`, 'plain'];
  const partly = order.ordStatus === OrdStatus.canceled && isPositive(order.cumQty);
  return {
    label: partly ? 'Partly filled, rest canceled' : label,
    tone,
    reason: order.ordRejText ?? order.ordCxlText ?? null,
  };
}

/** Of 100, cut down, so that only what is filled shows as full; an order by quote is done when it is filled. */
export function filledPercent({
  orderQty,
  cumQty,
  ordStatus,
}: Pick<Order, 'orderQty' | 'cumQty' | 'ordStatus'>): number {
  if (ordStatus === OrdStatus.filled) return 100;
  if (orderQty === null || isZero(orderQty)) return 0;
  return Math.min(99, Math.floor((toPixels(cumQty) / toPixels(orderQty)) * 100));
}

export const sideWord = (side: Order['side']): string => (side === Side.buy ? 'Buy' : 'Sell');
export const typeWord = ({ ordType, execInst }: Pick<Order, 'ordType' | 'execInst'>): string =>
  ordType === OrdType.market ? 'Market' : execInst === '6' ? 'Post-only' : 'Limit';

/** Buy 0.01 BTC at 40,000 USDT. */
export function newOrderWords(order: NewOrder): string {
  const [base = '', quote = ''] = order.symbol.split('-');
  const { side, orderQty, quoteOrderQty, price } = order;
  const size =
    orderQty === undefined
      ? `${base} for ${grouped(quoteOrderQty ?? '0')} ${quote}`
      : `${grouped(orderQty)} ${base}`;
  const where = price === undefined ? 'at the market' : `at ${grouped(price)} ${quote}`;
  return `${sideWord(side)} ${size} ${where}.`;
}

export interface PlacedWords {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly detail: string;
}

/** What placing an order has come to, for who has just placed it. `fills` are the order's, if they could be read. */
export function placedWords(
  order: Order,
  fills: readonly Fill[],
  priceDecimals: number,
): PlacedWords {
  const [base = '', quote = ''] = order.symbol.split('-');
  const traded = tradedWords(order, fills, priceDecimals);
  const reason = stateOf(order).reason;
  switch (order.ordStatus) {
    case OrdStatus.filled:
      return { tone: 'good', title: 'Filled', detail: traded };
    case OrdStatus.partiallyFilled:
      return {
        tone: 'good',
        title: 'Partly filled',
        detail: `${traded} ${grouped(order.leavesQty)} ${base} ${waits(order.price, quote)}`,
      };
    case OrdStatus.new:
      return {
        tone: 'good',
        title: 'In the book',
        detail: `${sideWord(order.side)} ${grouped(order.leavesQty)} ${base} ${waits(order.price, quote)}`,
      };
    case OrdStatus.rejected:
      return {
        tone: 'bad',
        title: 'Rejected',
        detail: sentence(reason ?? 'The order was rejected'),
      };
    default: {
      const nothing = isZero(order.cumQty);
      const why = sentence(reason ?? 'The rest was canceled');
      return {
        tone: 'warn',
        title: nothing ? 'Nothing was traded' : 'Partly filled, rest canceled',
        detail: nothing ? why : `${traded} ${why}`,
      };
    }
  }
}

/**
 * Bought 0.1 BTC for 6,009.69 USDT, at 60,096.9000 on average. Fee 0.0002 BTC.
 * Total and fee are the sums of the fills; where some of them are missing nothing is said of either.
 */
function tradedWords(order: Order, fills: readonly Fill[], priceDecimals: number): string {
  const [base = '', quote = ''] = order.symbol.split('-');
  const did = `${order.side === Side.buy ? 'Bought' : 'Sold'} ${grouped(order.cumQty)} ${base}`;
  const average = grouped(order.avgPx, averageDecimals({ priceDecimals }));
  const filled = sum(fills.map(({ quantity }) => quantity));
  if (isZero(filled) || compare(filled, order.cumQty) !== 0) {
    return `${did} at an average of ${average} ${quote}.`;
  }
  const total = sum(fills.map(({ quoteAmount }) => quoteAmount));
  const fee = sum(fills.map((fill) => fill.fee));
  const { feeAsset } = fills[0]!;
  const taken = isZero(fee)
    ? ''
    : ` Fee ${feeText(fee, feeAsset, { base, priceDecimals })} ${feeAsset}.`;
  const paid = grouped(total, totalDecimals(total, { priceDecimals }));
  return `${did} for ${paid} ${quote}, at ${average} on average.${taken}`;
}

const waits = (price: Decimal | null, quote: string): string =>
  price === null ? 'is open.' : `waits at ${grouped(price)} ${quote}.`;

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

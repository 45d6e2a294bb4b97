// The orders of a user that traded, newest first, as this browser remembers them, with the brackets
// whose exits were rejected. An order is news only if more of it is filled than was known, so no
// report counts twice.
import { type Order, OrdStatus } from '../../src/sdk/index.ts';
import { compare, isPositive } from '../exact/decimal.ts';
import { isRejectedExit } from '../live/channels.ts';

/** The state of an order after its last known fill. */
export type FilledOrder = Pick<
  Order,
  'orderId' | 'symbol' | 'side' | 'cumQty' | 'orderQty' | 'avgPx' | 'transactTime' | 'ordStatus'
> & {
  readonly isUnread: boolean;
  /** Why the exits of a bracket were rejected; absent of an order that traded. */
  readonly exitReason?: string;
};

export interface FillHistory {
  readonly orders: readonly FilledOrder[];
  /** Fills up to this business time are known, ms; 0 if the user is new to this browser. */
  readonly seenAt: number;
}

const MAX_ORDERS = 100;
const EMPTY: FillHistory = { orders: [], seenAt: 0 };

/** Reads the stored text; a text of another form is an empty history. */
export function parseHistory(text: string | null): FillHistory {
  if (text === null) return EMPTY;
  try {
    const { orders, seenAt } = JSON.parse(text) as Partial<FillHistory>;
    return Array.isArray(orders) && typeof seenAt === 'number' ? { orders, seenAt } : EMPTY;
  } catch {
    return EMPTY;
  }
}

/** The history after a report or a read of an order; the same one if nothing of it is news. */
export function withOrder(history: FillHistory, order: Order): FillHistory {
  const { orderId, symbol, side, cumQty, orderQty, avgPx, transactTime, ordStatus } = order;
  const known = history.orders.find((one) => one.orderId === orderId);
  const exitReason = isRejectedExit(order) ? order.ordRejText : undefined;
  if (!isPositive(cumQty) && (exitReason === undefined || known !== undefined)) return history;
  const more = known === undefined ? 1 : compare(cumQty, known.cumQty);
  // The last report of an order by quote amount may have no fill of its own.
  const isDone = more === 0 && isFilled(order) && !isFilled(known!);
  if (more < 0 || (more === 0 && !isDone)) return history;
  const state = {
    ...{ orderId, symbol, side, cumQty, orderQty, avgPx, transactTime, ordStatus },
    ...(exitReason === undefined ? {} : { exitReason }),
  };
  const others = history.orders.filter((one) => one !== known);
  return {
    orders: [{ ...state, isUnread: more > 0 || known!.isUnread }, ...others].slice(0, MAX_ORDERS),
    seenAt: Math.max(history.seenAt, transactTime),
  };
}

export const seenUntil = (history: FillHistory, time: number): FillHistory =>
  time <= history.seenAt ? history : { ...history, seenAt: time };

export const allRead = ({ orders, seenAt }: FillHistory): FillHistory => ({
  orders: orders.map((order) => ({ ...order, isUnread: false })),
  seenAt,
});

/** Without its orders, the fills of the last known moment would be news again. */
export const cleared = ({ seenAt }: FillHistory): FillHistory => ({
  orders: [],
  seenAt: seenAt + 1,
});

export const isFilled = ({ ordStatus }: Pick<FilledOrder, 'ordStatus'>): boolean =>
  ordStatus === OrdStatus.filled;

/** The reports that followed the one with `execId`; all if it is not among them. */
export function reportsAfter(reports: readonly Order[], execId: number | null): readonly Order[] {
  return reports.slice(reports.findLastIndex((report) => report.execId === execId) + 1);
}

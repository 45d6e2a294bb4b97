// The exits of a bracket: planned ones, which are no orders yet, and what an order is to its pair
// or its bracket.
import { type Order, OrdStatus, OrdType, Side } from '../../../src/sdk/index.ts';

/** An open order, or an exit that its entry will place. */
export type OpenRow = Order & { readonly planned?: 'takeProfit' | 'stop' };

/** Negative, so that no order has it: two for each entry. */
const plannedId = (entry: Order, isStop: boolean): number => -2 * entry.orderId - (isStop ? 1 : 0);

/** The planned exits of an open order; none without a bracket. */
export function exitsOf(entry: Order): readonly OpenRow[] {
  const { bracket } = entry;
  if (bracket == null) return [];
  const { takeProfitPx, stopPx, stopLimitPx, trailingDelta, trailingAmount } = bracket;
  const side = entry.side === Side.buy ? Side.sell : Side.buy;
  const exit = {
    ...entry,
    side,
    bracket: undefined,
    parentOrderId: entry.orderId,
    displayQty: null,
    execInst: undefined,
    timeInForce: '1',
    expireTime: null,
    cumQty: '0',
    cumQuoteQty: '0',
    leavesQty: entry.orderQty ?? '0',
    avgPx: '0',
    ordStatus: OrdStatus.new,
    workingIndicator: false,
  } as const;
  const hasStop = stopPx !== null || trailingDelta !== null || trailingAmount !== null;
  const rows: readonly OpenRow[] = [
    {
      ...exit,
      orderId: plannedId(entry, false),
      planned: 'takeProfit',
      ordType: OrdType.limit,
      price: takeProfitPx,
      stopPx: null,
      triggerPriceDirection: null,
    },
    {
      ...exit,
      orderId: plannedId(entry, true),
      planned: 'stop',
      ordType: stopLimitPx === null ? OrdType.stop : OrdType.stopLimit,
      price: stopLimitPx,
      stopPx,
      trailingDelta,
      trailingAmount,
      triggerPriceDirection: side === Side.buy ? 'U' : 'D',
    },
  ];
  return rows.filter(({ planned }) => (planned === 'stop' ? hasStop : takeProfitPx !== null));
}

/** Each order with its planned exits below it. */
export const withExits = (orders: readonly Order[]): readonly OpenRow[] =>
  orders.flatMap((order) => [order, ...exitsOf(order)]);

export type Role = 'order' | 'stop' | 'takeProfit';

type RoleFields = Pick<Order, 'ordType' | 'side' | 'triggerPriceDirection' | 'parentOrderId'>;

/** The limit order of a bracket takes its profit. */
export function roleOf({ ordType, side, triggerPriceDirection, parentOrderId }: RoleFields): Role {
  if (ordType === OrdType.stop || ordType === OrdType.stopLimit) {
    const isUp = triggerPriceDirection === 'U';
    return isUp === (side === Side.buy) ? 'stop' : 'takeProfit';
  }
  return parentOrderId == null ? 'order' : 'takeProfit';
}

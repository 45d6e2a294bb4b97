// The exits of a bracket: planned ones, which are no orders yet, and what an order is to its pair
// or its bracket.
import {
  type AmendOrderRequest,
  type Order,
  OrdStatus,
  OrdType,
  Side,
} from '../../../src/sdk/index.ts';
import { type Decimal, fromInput } from '../../exact/decimal.ts';
import { type ExitResult, exitResult } from '../form/exit-results.ts';

interface Planned {
  readonly exit: 'takeProfit' | 'stop';
  /** The open order that will place it. */
  readonly entry: Order;
}

/** An open order, or an exit that its entry will place. */
export type OpenRow = Order & { readonly planned?: Planned };

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
    stopPx: null,
    triggerPx: null,
    triggerPriceDirection: null,
    trailingDelta: null,
    trailingAmount: null,
    workingIndicator: false,
  } as const;
  const hasStop = stopPx !== null || trailingDelta !== null || trailingAmount !== null;
  const rows: readonly OpenRow[] = [
    {
      ...exit,
      orderId: plannedId(entry, false),
      planned: { exit: 'takeProfit', entry },
      ordType: OrdType.limit,
      price: takeProfitPx,
    },
    {
      ...exit,
      orderId: plannedId(entry, true),
      planned: { exit: 'stop', entry },
      ordType: stopLimitPx === null ? OrdType.stop : OrdType.stopLimit,
      price: stopLimitPx,
      stopPx,
      trailingDelta,
      trailingAmount,
      triggerPriceDirection: side === Side.buy ? 'U' : 'D',
    },
  ];
  return rows.filter(({ planned }) => (planned?.exit === 'stop' ? hasStop : takeProfitPx !== null));
}

/** Each order with its planned exits below it. */
export const withExits = (orders: readonly Order[]): readonly OpenRow[] =>
  orders.flatMap((order) => [order, ...exitsOf(order)]);

export type EditField = 'price' | 'orderQty' | 'stopPx';
export type ExitField = 'takeProfitPx' | 'stopPx' | 'stopLimitPx';

/** The field of a bracket that a value of a planned exit is; null: it is that of the entry. */
export function exitFieldOf({ exit }: Planned, field: EditField): ExitField | null {
  if (field === 'orderQty') return null;
  if (field === 'stopPx') return 'stopPx';
  return exit === 'stop' ? 'stopLimitPx' : 'takeProfitPx';
}

/** The amendment that changes one value of a row. A bracket is sent as a whole. */
export function amendmentOf(row: OpenRow, field: EditField, value: Decimal): AmendOrderRequest {
  const { orderId, symbol, planned } = row;
  const exitField = planned === undefined ? null : exitFieldOf(planned, field);
  if (planned === undefined || exitField === null) return { orderId, symbol, [field]: value };
  const { entry } = planned;
  const terms = Object.entries(entry.bracket ?? {}).filter(([, term]) => term !== null);
  const bracket = { ...Object.fromEntries(terms), [exitField]: value };
  return { orderId: entry.orderId, symbol, bracket };
}

/** The profit or the loss at a planned exit while a value of it is typed; null: not known. */
export function resultOf(row: OpenRow, field: EditField, typed: string): ExitResult | null {
  const { planned, price } = row;
  if (planned === undefined || planned.entry.price === null || row.orderQty === null) return null;
  // A stop with a limit trades at that price or better.
  const exit = field === 'price' || price === null ? fromInput(typed) : price;
  const { side, price: entryPrice } = planned.entry;
  return exit === null ? null : exitResult(side, entryPrice, exit, row.orderQty);
}

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

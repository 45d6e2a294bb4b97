// Orders and fills as CSV (RFC 4180), with every digit, and times in UTC. An order comes before its
// fills.
import type { Fill, Order } from '../../../src/sdk/index.ts';
import { trade as t } from '../../messages/trade.ts';
import { sideText, stateOf, typeText } from './words.ts';

const HEAD = [
  ...['record', 'orderId', 'clOrdId', 'tradeId', 'time', 'symbol', 'side', 'type'],
  ...['price', 'quantity', 'quoteAmount', 'filled', 'averagePrice', 'fee', 'feeAsset'],
  ...['role', 'status', 'reason'],
] as const;
type Row = Partial<Record<(typeof HEAD)[number], string | number | null>>;

const orderRow = (order: Order): Row => {
  const { label, reason } = stateOf(order);
  return {
    record: 'order',
    orderId: order.orderId,
    clOrdId: order.clOrdId,
    time: isoTime(order.transactTime),
    symbol: order.symbol,
    side: sideText(order.side),
    type: typeText(order),
    price: order.price,
    quantity: order.orderQty,
    quoteAmount: order.quoteOrderQty,
    filled: order.cumQty,
    averagePrice: order.avgPx,
    status: label,
    reason,
  };
};

const fillRow = (fill: Fill): Row => ({
  record: 'fill',
  orderId: fill.orderId,
  tradeId: fill.tradeId,
  time: isoTime(fill.transactTime),
  symbol: fill.symbol,
  side: sideText(fill.side),
  price: fill.price,
  quantity: fill.quantity,
  quoteAmount: fill.quoteAmount,
  fee: fill.fee,
  feeAsset: fill.feeAsset,
  role: fill.maker ? t.orders.maker : t.orders.taker,
});

const isoTime = (time: number): string => new Date(time).toISOString();

/** Each order with its fills below it, oldest first. */
export function ordersCsv(orders: readonly Order[], fills: readonly Fill[]): string {
  const byOrder = Map.groupBy(fills, ({ orderId }) => orderId);
  return csvOf(
    orders.flatMap((order) => [
      orderRow(order),
      ...(byOrder.get(order.orderId) ?? []).toReversed().map(fillRow),
    ]),
  );
}

export const fillsCsv = (fills: readonly Fill[]): string => csvOf(fills.map(fillRow));

const csvOf = (rows: readonly Row[]): string =>
  [HEAD.join(','), ...rows.map((row) => HEAD.map((name) => cellOf(row[name])).join(','))]
    .map((line) => `${line}\r\n`)
    .join('');

function cellOf(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

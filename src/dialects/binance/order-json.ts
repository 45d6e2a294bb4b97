// Orders, fills and order lists in Binance's form, from agio's execution reports and trades.
import { formatSteps, formatUnits } from '../../contract/decimal.ts';
import type { ExecutionReport, Trade } from '../../core/event.ts';
import { CloseReason, isLimit, Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { State } from '../../core/state.ts';
import type { Symbols } from './symbols.ts';
import {
  isOpen,
  type PreventionName,
  preventionOf,
  sideName,
  statusName,
  timeName,
  typeName,
} from './words.ts';

export interface Venue {
  readonly state: State;
  readonly symbols: Symbols;
}

/** The order list of a report: its pair, named by the limit order, which is the older one. */
export function orderListId({
  orderId,
  ocoOrderId,
}: Pick<ExecutionReport, 'orderId' | 'ocoOrderId'>) {
  return ocoOrderId === 0 ? -1 : Math.min(orderId, ocoOrderId);
}

/** The client's name of an order list follows from its id, since agio keeps none. */
export const listName = (id: number): string => `list_${id}`;
export const listIdOf = (name: string): number | null =>
  /^list_\d{1,15}$/.test(name) ? Number(name.slice('list_'.length)) : null;

/** The amounts of an order. */
export function amountsOf(report: ExecutionReport, { tick, lot, quote }: Instrument) {
  const { quoteOrderQty, cumQuote } = report;
  const isByQuote = quoteOrderQty !== 0;
  const executedQty = formatSteps(report.cumQty, lot);
  return {
    price: isLimit(report.ordType) ? formatSteps(report.price, tick) : '0',
    origQty: isByQuote ? executedQty : formatSteps(report.orderQty, lot),
    executedQty,
    origQuoteOrderQty: isByQuote ? formatUnits(quoteOrderQty, quote.scale) : '0',
    cummulativeQuoteQty: formatUnits(cumQuote, quote.scale),
  };
}

const termsOf = (report: ExecutionReport) => ({
  status: statusName(report),
  timeInForce: timeName(report.timeInForce),
  type: typeName(report),
  side: sideName(report.side),
});

/** The terms that only some orders have; undefined is left out. */
const conditionalOf = ({ stopPx, displayQty }: ExecutionReport, { tick, lot }: Instrument) => ({
  stopPrice: stopPx === 0 ? undefined : formatSteps(stopPx, tick),
  icebergQty: displayQty === 0 ? undefined : formatSteps(displayQty, lot),
});

/** An order as the queries have it. */
export function writeOrder({ state, symbols }: Venue, report: ExecutionReport) {
  const instrument = state.instruments[report.securityId]!;
  const { createTime, workingIndicator: isWorking } = report;
  return {
    symbol: symbols.nameOf(instrument),
    orderId: report.orderId,
    orderListId: orderListId(report),
    clientOrderId: report.clOrdId,
    ...amountsOf(report, instrument),
    ...termsOf(report),
    ...conditionalOf(report, instrument),
    time: createTime,
    updateTime: report.transactTime,
    isWorking,
    workingTime: isWorking ? createTime : -1,
    selfTradePreventionMode: preventionOf(state, instrument, report.orderId),
  };
}

/** The answer RESULT to a new order, and with its fills the answer FULL. */
export function writeResult(
  { symbols }: Venue,
  instrument: Instrument,
  report: ExecutionReport,
  prevention: PreventionName,
) {
  return {
    symbol: symbols.nameOf(instrument),
    orderId: report.orderId,
    orderListId: orderListId(report),
    clientOrderId: report.clOrdId,
    transactTime: report.transactTime,
    ...amountsOf(report, instrument),
    ...termsOf(report),
    ...conditionalOf(report, instrument),
    workingTime: report.workingIndicator ? report.createTime : -1,
    selfTradePreventionMode: prevention,
  };
}

/** A fill of the incoming order. */
export const writeFill = (trade: Trade, { tick, lot, base, quote }: Instrument) => {
  const received = trade.takerSide === Side.buy ? base : quote;
  return {
    price: formatSteps(trade.price, tick),
    qty: formatSteps(trade.quantity, lot),
    commission: formatUnits(trade.takerFee, received.scale),
    commissionAsset: received.name,
    tradeId: trade.tradeId,
  };
};

/** A canceled order; `requestName` is the client's name of the cancel. */
export function writeCanceled(
  { state, symbols }: Venue,
  report: ExecutionReport,
  requestName: string,
) {
  const instrument = state.instruments[report.securityId]!;
  return {
    symbol: symbols.nameOf(instrument),
    origClientOrderId: report.clOrdId,
    orderId: report.orderId,
    orderListId: orderListId(report),
    clientOrderId: requestName,
    transactTime: report.transactTime,
    ...amountsOf(report, instrument),
    ...termsOf(report),
    // Both orders of a pair end with it.
    status: report.reason === CloseReason.selfTrade ? 'EXPIRED_IN_MATCH' : 'CANCELED',
    ...conditionalOf(report, instrument),
    selfTradePreventionMode: preventionOf(state, instrument, report.orderId),
  };
}

/** An order list: the two orders of a pair, the limit order first. */
export function writeList(
  { state, symbols }: Venue,
  pair: readonly ExecutionReport[],
  transactionTime: number,
) {
  const [first] = pair;
  const symbol = symbols.nameOf(state.instruments[first!.securityId]!);
  const id = orderListId(first!);
  const isDone = !pair.some(isOpen);
  return {
    orderListId: id,
    contingencyType: 'OCO',
    listStatusType: isDone ? 'ALL_DONE' : 'EXEC_STARTED',
    listOrderStatus: isDone ? 'ALL_DONE' : 'EXECUTING',
    listClientOrderId: listName(id),
    transactionTime,
    symbol,
    orders: pair.map(({ orderId, clOrdId }) => ({ symbol, orderId, clientOrderId: clOrdId })),
  };
}

// Orders and order lists in Binance's form, from agio's execution reports. One table has the fields
// of all answers and of the user data stream.
import { formatSteps, formatUnits } from '../../contract/decimal.ts';
import type { JsonOut } from '../../contract/json.ts';
import type { ExecutionReport, Trade } from '../../core/event.ts';
import { CLOSE_TEXT, isLimit, OrdStatus, Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { Amount } from '../../core/units.ts';
import { always, type Columns, writer } from './columns.ts';
import type { Venue } from './endpoint.ts';
import {
  executionName,
  isOpen,
  type PreventionName,
  preventionOf,
  sideName,
  statusName,
  timeName,
  typeName,
} from './words.ts';

/** An order list is an OCO pair, named by its older order, the limit, or an order with exits. */
export function orderListId(report: ExecutionReport): number {
  const { orderId, ocoOrderId, extras } = report;
  // Exits become orders once the order has traded.
  if (ocoOrderId === 0) return extras.bracket === null ? -1 : orderId;
  return Math.min(orderId, ocoOrderId);
}

/** The client's name of an order list follows from its id, since agio keeps none. */
export const listName = (id: number): string => `list_${id}`;
export const listIdOf = (name: string): number | null =>
  /^list_\d{1,15}$/.test(name) ? Number(name.slice('list_'.length)) : null;

/** An order, and what an answer adds to its report. */
interface Order {
  readonly venue: Venue;
  readonly report: ExecutionReport;
  /** The mode that the order was sent with. */
  readonly prevention?: PreventionName | undefined;
  /** The client's name of a cancel. */
  readonly requestName?: string;
  readonly fills?: JsonOut;
  /** The trade that the report is about. */
  readonly trade?: Trade | null;
}

interface Row extends Order {
  readonly instrument: Instrument;
}

const price =
  (of: (report: ExecutionReport) => number) =>
  ({ report, instrument }: Row) =>
    formatSteps(of(report), instrument.tick);
const quantity =
  (of: (report: ExecutionReport) => number) =>
  ({ report, instrument }: Row) =>
    formatSteps(of(report), instrument.lot);
const quoteAmount = (of: (row: Row) => Amount | number | undefined) => (row: Row) =>
  formatUnits((of(row) ?? 0) as Amount, row.instrument.quote.scale);

const isMaker = ({ report, trade }: Row): boolean => trade?.makerOrderId === report.orderId;
/** The fee of the trade, with the asset that it is in. */
function feeOf(row: Row) {
  const { trade, report } = row;
  if (trade === null || trade === undefined) return null;
  const { base, quote } = row.instrument;
  const { name, scale } = report.side === Side.buy ? base : quote;
  return { name, text: formatUnits(isMaker(row) ? trade.makerFee : trade.takerFee, scale) };
}

const stopPx = price(({ extras }) => extras.stopPx);
const displayQty = quantity(({ extras }) => extras.displayQty);

const COLUMNS: Columns<Row> = {
  symbol: ({ venue, instrument }) => venue.symbols.nameOf(instrument),
  orderId: ({ report }) => report.orderId,
  orderListId: ({ report }) => orderListId(report),
  clientOrderId: ({ report }) => report.clOrdId,
  requestName: ({ requestName }) => requestName,
  price: price(({ ordType, price: own }) => (isLimit(ordType) ? own : 0)),
  origQty: quantity(({ quoteOrderQty, cumQty, orderQty }) =>
    quoteOrderQty === 0 ? orderQty : cumQty,
  ),
  executedQty: quantity(({ cumQty }) => cumQty),
  origQuoteOrderQty: quoteAmount(({ report }) => report.quoteOrderQty),
  cummulativeQuoteQty: quoteAmount(({ report }) => report.cumQuote),
  status: ({ report }) => statusName(report),
  timeInForce: ({ report }) => timeName(report.extras.timeInForce),
  type: ({ report }) => typeName(report),
  side: ({ report }) => sideName(report.side),
  stopPrice: (row) => (row.report.extras.stopPx === 0 ? undefined : stopPx(row)),
  icebergQty: (row) => (row.report.extras.displayQty === 0 ? undefined : displayQty(row)),
  trailingDelta: ({ report: { extras } }) => (extras.trail > 0 ? extras.trail : undefined),
  trailingTime: ({ report: { trailingTime } }) => (trailingTime === 0 ? undefined : trailingTime),
  createTime: ({ report }) => report.createTime,
  transactTime: ({ report }) => report.transactTime,
  isWorking: ({ report }) => report.workingIndicator,
  workingTime: ({ report }) => (report.workingIndicator ? report.createTime : -1),
  selfTradePreventionMode: ({ prevention, venue, instrument, report }) =>
    prevention ?? preventionOf(venue.state, instrument, report.orderId),
  fills: ({ fills }) => fills,
  zero: always('0'),
  // The user data stream has these too.
  executionReport: always('executionReport'),
  stopPx,
  displayQty,
  empty: always(''),
  execution: ({ report }) => executionName(report),
  reason: ({ report: { ordStatus, reason } }) =>
    ordStatus === OrdStatus.rejected ? CLOSE_TEXT[reason] : 'NONE',
  lastQty: quantity(({ lastQty }) => lastQty),
  lastPx: price(({ lastPx }) => lastPx),
  fee: (row) => feeOf(row)?.text ?? '0',
  feeAsset: (row) => feeOf(row)?.name ?? null,
  tradeId: ({ trade }) => trade?.tradeId ?? -1,
  execId: ({ report }) => report.execId,
  isOnBook: ({ report }) => report.workingIndicator && isOpen(report),
  isMaker,
  false: always(false),
  lastQuote: quoteAmount(({ trade }) => trade?.quoteAmount),
};

const AMOUNTS = 'price origQty executedQty origQuoteOrderQty cummulativeQuoteQty';
const TERMS = 'status timeInForce type side stopPrice icebergQty trailingDelta trailingTime';
const MODE = 'selfTradePreventionMode';

function orderWriter(list: string): (order: Order) => JsonOut {
  const write = writer(COLUMNS, list);
  return (order) => {
    const { venue, report } = order;
    return write({ ...order, instrument: venue.state.instruments[report.securityId]! });
  };
}

/** An order as the queries have it. */
export const writeOrder = orderWriter(
  `symbol orderId orderListId clientOrderId ${AMOUNTS} ${TERMS} time:createTime ` +
    `updateTime:transactTime isWorking workingTime ${MODE}`,
);
/** A new order as RESULT and FULL have it. */
export const writeResult = orderWriter(
  `symbol orderId orderListId clientOrderId transactTime ${AMOUNTS} ${TERMS} workingTime ${MODE} ` +
    'fills',
);
export const writeCanceled = orderWriter(
  'symbol origClientOrderId:clientOrderId orderId orderListId clientOrderId:requestName ' +
    `transactTime ${AMOUNTS} ${TERMS} ${MODE}`,
);
export const writeAmended = orderWriter(
  'symbol orderId orderListId origClientOrderId:clientOrderId clientOrderId price qty:origQty ' +
    'executedQty preventedQty:zero quoteOrderQty:origQuoteOrderQty ' +
    `cumulativeQuoteQty:cummulativeQuoteQty status timeInForce type side workingTime ${MODE}`,
);
export const writeExecution = orderWriter(
  'e:executionReport E:transactTime s:symbol c:clientOrderId S:side o:type f:timeInForce ' +
    'q:origQty p:price P:stopPx F:displayQty g:orderListId C:empty x:execution X:status r:reason ' +
    'i:orderId l:lastQty z:executedQty L:lastPx n:fee N:feeAsset T:transactTime t:tradeId ' +
    'I:execId w:isOnBook m:isMaker M:false O:createTime Z:cummulativeQuoteQty Y:lastQuote ' +
    `Q:origQuoteOrderQty W:createTime V:${MODE} d:trailingDelta D:trailingTime`,
);

/** An order of a list. */
interface OrderName {
  readonly orderId: number;
  readonly clOrdId: string;
}

/** An order list without its reports. */
export const writeList = (
  symbol: string,
  orders: readonly OrderName[],
  transactionTime: number,
  { isDone = false, name = listName(orders[0]!.orderId) } = {},
) => ({
  orderListId: orders[0]!.orderId,
  contingencyType: orders.length === 1 ? 'OTO' : 'OCO',
  listStatusType: isDone ? 'ALL_DONE' : 'EXEC_STARTED',
  listOrderStatus: isDone ? 'ALL_DONE' : 'EXECUTING',
  listClientOrderId: name,
  transactionTime,
  symbol,
  orders: orders.map(({ orderId, clOrdId }) => ({ symbol, orderId, clientOrderId: clOrdId })),
});

// New orders, cancels, replacements and amendments: the command of the parameters, and the answer
// from what the command did.
import {
  boolean,
  decimal,
  type Infer,
  missingField,
  oneOf,
  optional,
} from '../../contract/fields.ts';
import type { JsonOut } from '../../contract/json.ts';
import { object } from '../../contract/object.ts';
import { Problem } from '../../contract/problem.ts';
import { orderCalls } from '../../contract/trading/calls.ts';
import { toAmendOrder } from '../../contract/trading/order-changes.ts';
import { toCancelOrder, toMassCancel } from '../../contract/trading/orders.ts';
import { clOrdIdOf } from '../../core/cl-ord-id.ts';
import type { CancelOrder, PlaceOrder } from '../../core/command.ts';
import type { ExecutionReport } from '../../core/event.ts';
import { CLOSE_TEXT, CloseReason, OrdStatus } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { NONE } from '../../core/matching/order-store.ts';
import type { Results } from '../../core/outcome.ts';
import { unitsOf, Work } from '../../core/work.ts';
import { commissionOf } from './account.ts';
import { BinanceProblem, failureOf, throwReject } from './binance-problem.ts';
import type { Done } from './captures.ts';
import { type Context, endpoint } from './endpoint.ts';
import {
  clientId,
  type NewOrder,
  newOrderFields,
  newOrderQuery,
  orderIdField,
  responseType,
  symbolField,
  toPlace,
} from './order-commands.ts';
import { amountsOf, writeCanceled, writeFill, writeList, writeResult } from './order-json.ts';
import { preventionOf, sideName, statusName, timeName, typeName } from './words.ts';

/** Named order of a query. */
export const namedOrder = {
  symbol: symbolField,
  orderId: optional(orderIdField),
  origClientOrderId: optional(clientId),
} as const;

const newOrder = endpoint(orderCalls.createOrderV2, newOrderQuery, async (context, sent) => {
  const instrument = context.instrument(sent.symbol);
  const command = toPlace(context.state, instrument, sent, context.takeCaller());
  return placed(context, instrument, sent, await context.submit(command));
});

/** The answer to a new order. Throws Problem for a rejection. */
export function placed(
  context: Context,
  instrument: Instrument,
  sent: Pick<NewOrder, 'newOrderRespType' | 'type' | 'selfTradePreventionMode'>,
  { outcome, reports, trades }: Done<PlaceOrder>,
): JsonOut {
  const { state, symbols } = context;
  if (!outcome.ok) return throwReject(state, outcome.reject);
  const { orderId, clOrdId, transactTime } = outcome.result;
  const report = lastOf(reports, orderId);
  if (report !== undefined) requireRested(report);
  const wanted = responseType(sent);
  if (wanted === 'ACK' || report === undefined) {
    const symbol = symbols.nameOf(instrument);
    const clientOrderId = clOrdIdOf(context.uid, orderId, clOrdId);
    return { symbol, orderId, orderListId: -1, clientOrderId, transactTime };
  }
  const mode = sent.selfTradePreventionMode ?? preventionOf(state, instrument, orderId);
  const result = writeResult(context, instrument, report, mode);
  if (wanted === 'RESULT') return result;
  const own = trades.filter(({ takerOrderId }) => takerOrderId === orderId);
  return { ...result, fills: own.map((trade) => writeFill(trade, instrument)) };
}

export function lastOf(
  reports: readonly ExecutionReport[],
  orderId: number,
): ExecutionReport | undefined {
  return reports.findLast((report) => report.orderId === orderId);
}

/** agio accepts a post-only order that would trade, and rejects it in its report. */
function requireRested({ ordStatus, reason }: ExecutionReport): void {
  if (ordStatus !== OrdStatus.rejected) return;
  if (reason === CloseReason.postOnlyWouldMatch) throw wouldMatch();
  throw new BinanceProblem(-2010, 'Order was rejected.', { userMsg: CLOSE_TEXT[reason] });
}

const wouldMatch = (): BinanceProblem =>
  new BinanceProblem(-2010, 'Order would immediately match and take.', {
    userMsg: 'LIMIT_MAKER has to rest. Send a price that does not cross the book.',
  });

const testOrder = endpoint(
  orderCalls.testOrderV2,
  object({ ...newOrderFields, computeCommissionRates: optional(boolean(), false) }),
  (context, sent) => {
    const instrument = context.instrument(sent.symbol);
    const { services, state } = context;
    const command = toPlace(state, instrument, sent, context.takeCaller());
    const work = new Work();
    const reject = services.engine.exchange.checkOrder(command, work);
    services.limits.chargeWork(command, unitsOf(work.done), 'user');
    if (reject !== null) return throwReject(state, reject);
    return sent.computeCommissionRates ? commissionOf(context, instrument, 'ForOrder') : {};
  },
);

const RESTRICTIONS = ['ONLY_NEW', 'ONLY_PARTIALLY_FILLED'] as const;

const cancelFields = {
  ...namedOrder,
  newClientOrderId: optional(clientId),
  cancelRestrictions: optional(oneOf(RESTRICTIONS)),
} as const;
const cancelQuery = object(cancelFields);

const unknownOrder = (userMsg: string): BinanceProblem =>
  new BinanceProblem(-2011, 'Unknown order sent.', { userMsg });

/** The command that cancels a named order of this pair. Throws Problem. */
function toCancel(context: Context, sent: Infer<typeof cancelQuery>): CancelOrder {
  const { orderId, origClientOrderId = '' } = sent;
  const instrument = context.instrument(sent.symbol);
  if (orderId === undefined && origClientOrderId === '') {
    throw missingField('orderId', 'sent, or origClientOrderId in its place');
  }
  requireNamed(context, instrument, sent);
  return toCancelOrder(
    {
      account: 1,
      orderId,
      origClOrdId: origClientOrderId,
      clOrdId: sent.newClientOrderId ?? '',
    },
    context.takeCaller(),
  );
}

/** The slot of the caller's open order; NONE for none. */
function slotOf(
  context: Context,
  sent: Pick<Infer<typeof cancelQuery>, 'orderId' | 'origClientOrderId'>,
): number {
  const { orders } = context.state;
  const { orderId, origClientOrderId = '' } = sent;
  const slot =
    orderId === undefined
      ? orders.findByClOrdId(context.uid, origClientOrderId)
      : orders.find(orderId);
  return slot !== NONE && orders.uid(slot) === context.uid ? slot : NONE;
}

/** Throws Problem where the open order is of another pair, or not as the restrictions say. */
function requireNamed(
  context: Context,
  { securityId }: Instrument,
  sent: Infer<typeof cancelQuery>,
): void {
  const slot = slotOf(context, sent);
  if (slot === NONE) return;
  const { orders } = context.state;
  if (orders.securityId(slot) !== securityId) throw unknownOrder('The order is of another pair.');
  const isNew = orders.cumQty(slot) === 0;
  const { cancelRestrictions: restriction } = sent;
  if (restriction === undefined || isNew === (restriction === 'ONLY_NEW')) return;
  throw new BinanceProblem(-2011, 'Order was not canceled due to cancel restrictions.');
}

const cancelOrder = endpoint(orderCalls.cancelOrder, cancelQuery, async (context, sent) => {
  const command = toCancel(context, sent);
  return canceled(context, await context.submit(command));
});

/** The answer to a cancel. Throws Problem for a rejection. */
function canceled(context: Context, { outcome, reports, time }: Done<CancelOrder>): JsonOut {
  if (!outcome.ok) return throwReject(context.state, outcome.reject);
  const { orderId, clOrdId, requestId, origClOrdId } = outcome.result;
  const name = clOrdIdOf(context.uid, requestId, clOrdId);
  const report = lastOf(reports, orderId);
  if (report !== undefined) return writeCanceled(context, report, name);
  const origClientOrderId = clOrdIdOf(context.uid, orderId, origClOrdId);
  return {
    orderId,
    origClientOrderId,
    clientOrderId: name,
    transactTime: time,
    status: 'CANCELED',
  };
}

const cancelAll = endpoint(
  orderCalls.massCancel,
  object({ symbol: symbolField }),
  async (context, { symbol }) => {
    const instrument = context.instrument(symbol);
    const command = toMassCancel(instrument, '', context.takeCaller());
    const { outcome, reports, time } = await context.submit(command);
    if (!outcome.ok) return throwReject(context.state, outcome.reject);
    if (outcome.result.canceled === 0) throw unknownOrder('No order of this pair is open.');
    const { requestId } = outcome.result;
    const name = clOrdIdOf(context.uid, requestId, '');
    const ended = reports.filter(({ ordStatus }) => ordStatus === OrdStatus.canceled);
    return writeEnded(context, ended, name, time);
  },
);

/** Canceled orders; the two of a pair are one order list. */
export function writeEnded(
  context: Context,
  ended: readonly ExecutionReport[],
  name: string,
  time: number,
): JsonOut[] {
  return ended.flatMap((report): JsonOut[] => {
    const { orderId, ocoOrderId } = report;
    const partner = ocoOrderId === 0 ? undefined : lastOf(ended, ocoOrderId);
    if (partner === undefined) return [writeCanceled(context, report, name)];
    if (orderId > ocoOrderId) return [];
    const pair = [report, partner];
    const orderReports = pair.map((one) => writeCanceled(context, one, name));
    return [{ ...writeList(context, pair, time), orderReports }];
  });
}

const replaceQuery = object({
  ...newOrderFields,
  cancelReplaceMode: oneOf(['STOP_ON_FAILURE', 'ALLOW_FAILURE']),
  cancelNewClientOrderId: optional(clientId),
  cancelOrigClientOrderId: optional(clientId),
  cancelOrderId: optional(orderIdField),
  cancelRestrictions: optional(oneOf(RESTRICTIONS)),
  orderRateLimitExceededMode: optional(oneOf(['DO_NOTHING', 'CANCEL_ONLY'])),
});

/** A part of a replacement: its answer, or its error. */
interface Part {
  readonly status: 'SUCCESS' | 'FAILURE' | 'NOT_ATTEMPTED';
  readonly response: JsonOut;
}

async function part(work: () => Promise<JsonOut>): Promise<Part> {
  try {
    return { status: 'SUCCESS', response: await work() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, msg, agio } = failureOf(error);
    return { status: 'FAILURE', response: { code, msg, agio } };
  }
}

/** A replacement is two writes, of which the request has passed the limits as one. */
function chargeSecond({ services, key, uid }: Context): void {
  if (services.load.level > 0) services.load.admit('order');
  services.limits.privateCall({ key, uid }, true);
}

/** Both parts are read before the first is carried out, so a bad order cancels nothing. */
const cancelReplace = endpoint(orderCalls.createOrders, replaceQuery, async (context, sent) => {
  const instrument = context.instrument(sent.symbol);
  const cancel = toCancel(context, {
    symbol: sent.symbol,
    orderId: sent.cancelOrderId,
    origClientOrderId: sent.cancelOrigClientOrderId,
    newClientOrderId: sent.cancelNewClientOrderId,
    cancelRestrictions: sent.cancelRestrictions,
  });
  const place = toPlace(context.state, instrument, sent, context.takeCaller());
  chargeSecond(context);
  const first = await part(async () => canceled(context, await context.submit(cancel)));
  const goesOn = first.status === 'SUCCESS' || sent.cancelReplaceMode === 'ALLOW_FAILURE';
  const second: Part = goesOn
    ? await part(async () => placed(context, instrument, sent, await context.submit(place)))
    : { status: 'NOT_ATTEMPTED', response: null };
  const data = {
    cancelResult: first.status,
    newOrderResult: second.status,
    cancelResponse: first.response,
    newOrderResponse: second.response,
  };
  if (first.status === 'SUCCESS' && second.status === 'SUCCESS') return data;
  const isPartly = first.status === 'SUCCESS' || second.status === 'SUCCESS';
  throw isPartly
    ? new BinanceProblem(-2021, 'Order cancel-replace partially failed.', { data, status: 409 })
    : new BinanceProblem(-2022, 'Order cancel-replace failed.', { data });
});

const amendQuery = object({
  ...namedOrder,
  newClientOrderId: optional(clientId),
  newQty: decimal({ sign: 'positive' }),
});

const amendKeepPriority = endpoint(orderCalls.amendOrder, amendQuery, async (context, sent) => {
  const instrument = context.instrument(sent.symbol);
  const { orderId, origClientOrderId = '' } = sent;
  const command = toAmendOrder(
    context.state,
    {
      account: 1,
      orderId,
      origClOrdId: origClientOrderId,
      clOrdId: sent.newClientOrderId ?? '',
      symbol: instrument.symbol,
      securityId: undefined,
      orderQty: sent.newQty,
      price: undefined,
      stopPx: undefined,
      displayQty: undefined,
      expireTime: undefined,
    },
    context.takeCaller(),
  );
  const slot = slotOf(context, sent);
  if (slot !== NONE && command.orderQty! >= context.state.orders.orderQty(slot)) {
    throw new BinanceProblem(-2038, 'The requested action would change no state; rejecting.', {
      userMsg: 'newQty must be below the quantity of the order.',
    });
  }
  const { outcome, reports } = await context.submit(command);
  if (!outcome.ok) return throwReject(context.state, outcome.reject);
  return writeAmended(context, instrument, outcome.result, reports);
});

function writeAmended(
  context: Context,
  instrument: Instrument,
  { orderId, transactTime }: Results['amendOrder'],
  reports: readonly ExecutionReport[],
): JsonOut {
  const report = lastOf(reports, orderId);
  if (report === undefined) return { transactTime, orderId };
  const amounts = amountsOf(report, instrument);
  return {
    transactTime,
    executionId: report.execId,
    amendedOrder: {
      symbol: context.symbols.nameOf(instrument),
      orderId,
      orderListId: -1,
      origClientOrderId: report.clOrdId,
      clientOrderId: report.clOrdId,
      price: amounts.price,
      qty: amounts.origQty,
      executedQty: amounts.executedQty,
      preventedQty: '0',
      quoteOrderQty: amounts.origQuoteOrderQty,
      cumulativeQuoteQty: amounts.cummulativeQuoteQty,
      status: statusName(report),
      timeInForce: timeName(report.timeInForce),
      type: typeName(report),
      side: sideName(report.side),
      workingTime: report.createTime,
      selfTradePreventionMode: preventionOf(context.state, instrument, orderId),
    },
  };
}

export const orderEntryEndpoints = {
  newOrder,
  testOrder,
  cancelOrder,
  cancelAll,
  cancelReplace,
  amendKeepPriority,
};

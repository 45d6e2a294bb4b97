// New orders, cancels, replacements and amendments: the command of the parameters, and the answer
// from what the command did.
import { neededField } from '../../contract/absent.ts';
import type { JsonOut } from '../../contract/json.ts';
import { orderCalls as calls } from '../../contract/trading/calls.ts';
import { toAmendOrder } from '../../contract/trading/order-changes.ts';
import { toCancelOrder, toMassCancel } from '../../contract/trading/orders.ts';
import { clOrdIdOf } from '../../core/cl-ord-id.ts';
import type { CancelOrder, PlaceOrder } from '../../core/command.ts';
import type { ExecutionReport } from '../../core/event.ts';
import { CLOSE_TEXT, CloseReason, OrdStatus } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { NONE } from '../../core/matching/order-store.ts';
import { unitsOf, Work } from '../../core/work.ts';
import { problemOf } from '../../gateway/http/problem-of.ts';
import { commissionOf } from './account.ts';
import { BinanceProblem, failureOf, throwReject } from './binance-problem.ts';
import type { Done } from './captures.ts';
import { type Context, endpoint } from './endpoint.ts';
import { NEW_ORDER, type NewOrder, toPlace } from './order-commands.ts';
import { writeAmended, writeCanceled, writeList, writeResult } from './order-json.ts';
import type { Values } from './parameters.ts';
import { writeFill } from './trades.ts';

/** A named order of the query. */
export const NAMED_ORDER = 'symbol orderId? origClientOrderId?';

export const newOrder = endpoint(calls.createOrderV2, NEW_ORDER, async (context, sent) => {
  const instrument = context.venue.instrument(sent.symbol);
  const command = toPlace(context.venue.state, instrument, sent, context.takeCaller());
  // Only the report of a LIMIT_MAKER may be a rejection.
  const reports = responseType(sent) !== 'ACK' || sent.type === 'LIMIT_MAKER';
  return placed(context, instrument, sent, await context.submit(command, reports));
});

/** The websocket API answers an order by SOR as a list. */
export const sorOrder = endpoint(calls.createOrderV2, NEW_ORDER, async (context, sent) => [
  await newOrder.handle(context, sent),
]);

type ResponseTerms = Pick<NewOrder, 'newOrderRespType' | 'type' | 'selfTradePreventionMode'>;

/** FULL for orders that usually trade immediately, as at Binance. */
const responseType = ({ newOrderRespType, type }: ResponseTerms) =>
  newOrderRespType ?? (type === 'MARKET' || type === 'LIMIT' ? 'FULL' : 'ACK');

/** The answer to a new order. Throws Problem for a rejection. */
export function placed(
  { venue, uid }: Context,
  instrument: Instrument,
  sent: ResponseTerms,
  { outcome, reports, trades }: Done<PlaceOrder>,
): JsonOut {
  if (!outcome.ok) return throwReject(venue.state, outcome.reject);
  const { orderId, clOrdId, transactTime } = outcome.result;
  const report = reports.get(orderId);
  if (report?.ordStatus === OrdStatus.rejected) throw rejection(report);
  const wanted = responseType(sent);
  if (wanted === 'ACK' || report === undefined) {
    const clientOrderId = clOrdIdOf(uid, orderId, clOrdId);
    const symbol = venue.symbols.nameOf(instrument);
    return { symbol, orderId, orderListId: -1, clientOrderId, transactTime };
  }
  const prevention = sent.selfTradePreventionMode;
  if (wanted === 'RESULT') return writeResult({ venue, report, prevention });
  const own = trades.filter(({ takerOrderId }) => takerOrderId === orderId);
  const fills = own.map((trade) => writeFill({ venue, instrument, trade }));
  return writeResult({ venue, report, prevention, fills });
}

/** agio accepts a post-only order that would trade, and rejects it in its report. */
const rejection = ({ reason }: ExecutionReport): BinanceProblem =>
  reason === CloseReason.postOnlyWouldMatch
    ? new BinanceProblem(-2010, 'Order would immediately match and take.', {
        userMsg: 'LIMIT_MAKER has to rest. Send a price that does not cross the book.',
      })
    : new BinanceProblem(-2010, 'Order was rejected.', { userMsg: CLOSE_TEXT[reason] });

export const testOrder = endpoint(
  calls.testOrderV2,
  `${NEW_ORDER} computeCommissionRates?`,
  (context, sent) => {
    const { services, venue } = context;
    const instrument = venue.instrument(sent.symbol);
    const command = toPlace(venue.state, instrument, sent, context.takeCaller());
    const work = new Work();
    const reject = services.engine.exchange.checkOrder(command, work);
    services.limits.chargeWork(command, unitsOf(work.done), 'user');
    if (reject !== null) return throwReject(venue.state, reject);
    return sent.computeCommissionRates ? commissionOf(context, instrument, 'ForOrder') : {};
  },
);

const CANCEL = `${NAMED_ORDER} newClientOrderId? cancelRestrictions?` as const;
type Cancel = Values<typeof CANCEL>;

const unknownOrder = (userMsg: string): BinanceProblem =>
  new BinanceProblem(-2011, 'Unknown order sent.', { userMsg });

/** The slot of the caller's open order; NONE for none. */
function slotOf(
  { venue: { state }, uid }: Context,
  { orderId, origClientOrderId = '' }: Pick<Cancel, 'orderId' | 'origClientOrderId'>,
): number {
  const { orders } = state;
  const slot =
    orderId === undefined ? orders.findByClOrdId(uid, origClientOrderId) : orders.find(orderId);
  return slot !== NONE && orders.uid(slot) === uid ? slot : NONE;
}

/** The command that cancels a named order of this pair. Throws Problem. */
function toCancel(context: Context, sent: Cancel): CancelOrder {
  const { orderId, origClientOrderId = '', newClientOrderId: clOrdId = '' } = sent;
  const { securityId } = context.venue.instrument(sent.symbol);
  if (orderId === undefined && origClientOrderId === '') {
    throw neededField(sent, 'orderId', 'sent, or origClientOrderId in its place');
  }
  const { orders } = context.venue.state;
  const slot = slotOf(context, sent);
  if (slot !== NONE && orders.securityId(slot) !== securityId) {
    throw unknownOrder('The order is of another pair.');
  }
  const { cancelRestrictions: only } = sent;
  const isOnlyNew = only === 'ONLY_NEW';
  if (slot !== NONE && only !== undefined && (orders.cumQty(slot) === 0) !== isOnlyNew) {
    throw new BinanceProblem(-2011, 'Order was not canceled due to cancel restrictions.');
  }
  const body = { account: 1, orderId, origClOrdId: origClientOrderId, clOrdId } as const;
  return toCancelOrder(body, context.takeCaller());
}

export const cancelOrder = endpoint(calls.cancelOrder, CANCEL, async (context, sent) => {
  const command = toCancel(context, sent);
  return canceled(context, await context.submit(command));
});

/** The answer to a cancel. Throws Problem for a rejection. */
function canceled({ venue, uid }: Context, done: Done<CancelOrder>): JsonOut {
  const { outcome, reports, time: transactTime } = done;
  if (!outcome.ok) return throwReject(venue.state, outcome.reject);
  const { orderId, clOrdId, requestId, origClOrdId } = outcome.result;
  const requestName = clOrdIdOf(uid, requestId, clOrdId);
  const report = reports.get(orderId);
  if (report !== undefined) return writeCanceled({ venue, report, requestName });
  const origClientOrderId = clOrdIdOf(uid, orderId, origClOrdId);
  const status = 'CANCELED';
  return { orderId, origClientOrderId, clientOrderId: requestName, transactTime, status };
}

export const cancelAll = endpoint(calls.massCancel, 'symbol', async (context, { symbol }) => {
  const instrument = context.venue.instrument(symbol);
  const command = toMassCancel(instrument, '', context.takeCaller());
  const done = await context.submit(command);
  const { outcome } = done;
  if (!outcome.ok) return throwReject(context.venue.state, outcome.reject);
  if (outcome.result.canceled === 0) throw unknownOrder('No order of this pair is open.');
  return writeEnded(context, done, clOrdIdOf(context.uid, outcome.result.requestId, ''));
});

/** Canceled orders; the two of a pair are one order list. */
export function writeEnded(
  { venue }: Context,
  { reports, time }: Pick<Done, 'reports' | 'time'>,
  requestName: string,
): JsonOut[] {
  const isEnded = (report: ExecutionReport) => report.ordStatus === OrdStatus.canceled;
  const ended = [...reports.values()].filter(isEnded);
  const write = (report: ExecutionReport) => writeCanceled({ venue, report, requestName });
  return ended.flatMap((report): JsonOut[] => {
    const { orderId, ocoOrderId } = report;
    const partner = ocoOrderId === 0 ? undefined : reports.get(ocoOrderId);
    if (partner === undefined || !isEnded(partner)) return [write(report)];
    if (orderId > ocoOrderId) return [];
    const pair = [report, partner];
    const symbol = venue.symbols.nameOf(venue.state.instruments[report.securityId]!);
    return [{ ...writeList(symbol, pair, time, { isDone: true }), orderReports: pair.map(write) }];
  });
}

const OLD_ORDER = 'cancelOrderId? cancelOrigClientOrderId? cancelNewClientOrderId?';
const MODES = 'cancelReplaceMode cancelRestrictions? orderRateLimitExceededMode?';

/** A part of a replacement: its answer, or its error. */
interface Part {
  readonly status: 'SUCCESS' | 'FAILURE' | 'NOT_ATTEMPTED';
  readonly response: JsonOut;
}

function failed({ services }: Context, error: unknown): Part {
  const log = (err: unknown) => services.log.error({ err }, 'a part of a replacement failed');
  const { code, msg, agio } = failureOf(problemOf(error, log));
  return { status: 'FAILURE', response: { code, msg, agio } };
}

async function secondPart(
  context: Context,
  instrument: Instrument,
  sent: NewOrder,
  place: PlaceOrder,
): Promise<Part> {
  try {
    const done = await context.submit(place);
    return { status: 'SUCCESS', response: placed(context, instrument, sent, done) };
  } catch (error) {
    return failed(context, error);
  }
}

/** Signatures that were used, or are too old. */
const REPEATED: ReadonlySet<number> = new Set([-1022, -1021]);

/**
 * The cancel of a replacement. Throws unless it was executed or the core rejected it: the new order
 * has no signature of its own, so a repeated request ends here.
 */
async function firstPart(context: Context, cancel: CancelOrder): Promise<Part> {
  const done = await context.submit(cancel);
  try {
    return { status: 'SUCCESS', response: canceled(context, done) };
  } catch (error) {
    if (error instanceof BinanceProblem && REPEATED.has(error.number)) throw error;
    return failed(context, error);
  }
}

/** A replacement is two writes, of which the request has passed the limits as one. */
function chargeSecond({ services, key, uid }: Context): void {
  if (services.load.level > 0) services.load.admit('order');
  services.limits.privateCall({ key, uid }, true);
}

/** Both parts are read before the first is executed, so a bad order cancels nothing. */
export const cancelReplace = endpoint(
  calls.createOrders,
  `${NEW_ORDER} ${OLD_ORDER} ${MODES}`,
  async (context, sent) => {
    const instrument = context.venue.instrument(sent.symbol);
    const cancel = toCancel(context, {
      symbol: sent.symbol,
      orderId: sent.cancelOrderId,
      origClientOrderId: sent.cancelOrigClientOrderId,
      newClientOrderId: sent.cancelNewClientOrderId,
      cancelRestrictions: sent.cancelRestrictions,
    });
    const place = toPlace(context.venue.state, instrument, sent, context.takeCaller());
    chargeSecond(context);
    const first = await firstPart(context, cancel);
    const goesOn = first.status === 'SUCCESS' || sent.cancelReplaceMode === 'ALLOW_FAILURE';
    const second: Part = goesOn
      ? await secondPart(context, instrument, sent, place)
      : { status: 'NOT_ATTEMPTED', response: null };
    const data = {
      cancelResult: first.status,
      newOrderResult: second.status,
      cancelResponse: first.response,
      newOrderResponse: second.response,
    };
    const done = [first, second].filter(({ status }) => status === 'SUCCESS').length;
    if (done === 2) return data;
    throw done === 1
      ? new BinanceProblem(-2021, 'Order cancel-replace partially failed.', { data, status: 409 })
      : new BinanceProblem(-2022, 'Order cancel-replace failed.', { data });
  },
);

export const amendKeepPriority = endpoint(
  calls.amendOrder,
  `${NAMED_ORDER} newClientOrderId? newQty`,
  async (context, sent) => {
    const { venue } = context;
    const { symbol } = venue.instrument(sent.symbol);
    const { orderId, origClientOrderId: origClOrdId = '', newClientOrderId: clOrdId = '' } = sent;
    const unchanged = { price: undefined, stopPx: undefined, displayQty: undefined };
    const kept = { expireTime: undefined, bracket: undefined };
    const command = toAmendOrder(
      venue.state,
      {
        ...{ ...unchanged, ...kept, account: 1, symbol, securityId: undefined },
        ...{ orderId, origClOrdId, clOrdId, orderQty: sent.newQty },
      },
      context.takeCaller(),
    );
    const slot = slotOf(context, sent);
    if (slot !== NONE && command.orderQty! >= venue.state.orders.orderQty(slot)) {
      throw new BinanceProblem(-2038, 'The requested action would change no state; rejecting.', {
        userMsg: 'newQty must be below the quantity of the order.',
      });
    }
    const { outcome, reports } = await context.submit(command);
    if (!outcome.ok) return throwReject(venue.state, outcome.reject);
    const { orderId: amended, transactTime } = outcome.result;
    const report = reports.get(amended);
    if (report === undefined) return { transactTime, orderId: amended };
    const amendedOrder = writeAmended({ venue, report });
    return { transactTime, executionId: report.execId, amendedOrder };
  },
);

// Queries of orders and order lists, and order lists that are placed and canceled. The views have
// the reports, at the position of the core.

import { missingField, neededField } from '../../contract/absent.ts';
import type { JsonOut } from '../../contract/json.ts';
import { MAX_PAGE_ROWS } from '../../contract/paging.ts';
import { readWindow } from '../../contract/time-window.ts';
import { orderCalls as calls } from '../../contract/trading/calls.ts';
import type { OrderTerms } from '../../contract/trading/order-query.ts';
import { toCancelOrder } from '../../contract/trading/orders.ts';
import { clOrdIdOf } from '../../core/cl-ord-id.ts';
import type { ExecutionReport } from '../../core/event.ts';
import { findOrders } from '../../gateway/routes/trading/order-queries.ts';
import { BinanceProblem, throwReject } from './binance-problem.ts';
import { type Context, endpoint } from './endpoint.ts';
import { writeInTurns } from './long-answer.ts';
import {
  OCO,
  OLD_OCO,
  OPO,
  OPOCO,
  OTO,
  OTOCO,
  pairOfOco,
  pairOfOldOco,
  toBracket,
  toOco,
} from './order-commands.ts';
import { NAMED_ORDER, placed, writeEnded } from './order-entry.ts';
import { listIdOf, orderListId, writeList, writeOrder, writeResult } from './order-json.ts';
import { defined, listBound, type Values } from './parameters.ts';
import { isOpen } from './words.ts';

/** The caller's orders, newest first unless `fromRowId` is given. */
const find = ({ services, uid }: Context, terms: Partial<OrderTerms>, open = false) =>
  findOrders(services, uid, {
    terms: { filter: {}, size: MAX_PAGE_ROWS, ...terms },
    open,
    impossible: false,
  });

/**
 * All open orders in pages, newest first. The limit of open orders bounds them. The request has
 * paid for the first page.
 */
async function* openPages(context: Context, filter: OrderTerms['filter'] = {}) {
  let page = await find(context, { filter }, true);
  yield page;
  if (page.length < MAX_PAGE_ROWS) return;
  const end = context.services.limits.beginLongRead(context.uid);
  try {
    while (page.length === MAX_PAGE_ROWS) {
      page = await find(context, { filter, lastRowId: page.at(-1)!.orderId }, true);
      context.chargeRead(Math.min(1, page.length));
      yield page;
    }
  } finally {
    end();
  }
}

/** All open orders, of an account with the usual limit. */
const ALL_OPEN = { maxRows: 10_000 };
/** Lists whose other orders are looked up, at the price of one call. */
const LOOKUPS_OF_CALL = 50;

export const orderStatus = endpoint(calls.orders, NAMED_ORDER, async (context, sent) => {
  const { venue } = context;
  const { securityId } = venue.instrument(sent.symbol);
  const { orderId, origClientOrderId: clOrdId } = sent;
  if (orderId === undefined && clOrdId === undefined) {
    throw neededField(sent, 'orderId', 'sent, or origClientOrderId in its place');
  }
  const filter = { securityId, ...defined({ clOrdId }) };
  const [report] = await find(context, { size: 1, filter, ...defined({ orderId }) });
  if (report === undefined) throw new BinanceProblem(-2013, 'Order does not exist.');
  return writeOrder({ venue, report });
});

export const openOrders = endpoint(
  calls.orders,
  'symbol?',
  async (context, { symbol }) => {
    const { venue } = context;
    const filter = symbol === undefined ? {} : { securityId: venue.instrument(symbol).securityId };
    const reports = (await Array.fromAsync(openPages(context, filter))).flat().reverse();
    return writeInTurns(reports, (report) => writeOrder({ venue, report }));
  },
  ALL_OPEN,
);

export const allOrders = endpoint(
  calls.orders,
  'symbol orderId? startTime? endTime? limit?',
  async (context, { symbol, orderId, startTime, endTime, limit: size = 500 }) => {
    const { venue } = context;
    const { securityId } = venue.instrument(symbol);
    const window = readWindow({ startTime, endTime });
    // From an id or a time on, the oldest come first; else the newest ones.
    const isUpward = orderId !== undefined || startTime !== undefined;
    const from = isUpward ? { fromRowId: orderId ?? 0 } : {};
    const found = await find(context, { filter: { securityId }, size, ...window, ...from });
    const written = found.map((report) => writeOrder({ venue, report }));
    return isUpward ? written : written.reverse();
  },
  { others: { orderId: listBound } },
);

const noSuchList = (userMsg = ''): BinanceProblem =>
  new BinanceProblem(-2018, 'Order list does not exist.', { userMsg });

/** The orders of a list: a pair, the limit order first, or an order with exits. Throws Problem. */
async function findList(context: Context, id: number): Promise<readonly ExecutionReport[]> {
  const [limit] = await find(context, { orderId: id, size: 1 });
  if (limit === undefined || orderListId(limit) !== id) throw noSuchList();
  if (limit.ocoOrderId === 0) return [limit];
  const [stop] = await find(context, { orderId: limit.ocoOrderId, size: 1 });
  return stop === undefined ? [limit] : [limit, stop];
}

/** The id of a named list. Throws Problem. */
function namedList(id: number | undefined, name: string | undefined): number {
  const found = id ?? (name === undefined ? null : listIdOf(name));
  if (found !== null) return found;
  if (name === undefined) throw missingField('orderListId', 'sent');
  throw noSuchList('agio names a list itself: list_ and its orderListId.');
}

/** A list that is read. */
function written({ venue }: Context, pair: readonly ExecutionReport[]): JsonOut {
  const { securityId, createTime } = pair[0]!;
  const symbol = venue.symbols.nameOf(venue.state.instruments[securityId]!);
  return writeList(symbol, pair, createTime, { isDone: !pair.some(isOpen) });
}

export const listStatus = endpoint(
  calls.orders,
  'orderListId? origClientOrderId?',
  async (context, { orderListId: id, origClientOrderId }) =>
    written(context, await findList(context, namedList(id, origClientOrderId))),
);

/** Order lists that are read from reports, newest first. */
class ReportedLists {
  readonly ids: readonly number[];
  readonly #context: Context;
  readonly #byId: ReadonlyMap<number, ExecutionReport>;
  #lookups = 0;

  constructor(context: Context, reports: readonly ExecutionReport[]) {
    this.#context = context;
    this.#byId = new Map(reports.map((report) => [report.orderId, report]));
    this.ids = [...new Set(reports.map(orderListId))].filter((id) => id !== -1);
  }

  /** A promise where an order of the list is not among the reports. */
  write(id: number): JsonOut | Promise<JsonOut> {
    const limit = this.#byId.get(id);
    if (limit?.ocoOrderId === 0) return written(this.#context, [limit]);
    const stop = limit === undefined ? undefined : this.#byId.get(limit.ocoOrderId);
    if (limit === undefined || stop === undefined) return this.#lookUp(id);
    return written(this.#context, [limit, stop]);
  }

  async #lookUp(id: number): Promise<JsonOut> {
    if (++this.#lookups % LOOKUPS_OF_CALL === 0) this.#context.chargeRead(1);
    return written(this.#context, await findList(this.#context, id));
  }
}

export const openLists = endpoint(
  calls.orders,
  '',
  async (context) => {
    const reports = (await Array.fromAsync(openPages(context))).flat();
    const lists = new ReportedLists(context, reports);
    return writeInTurns(lists.ids, (id) => lists.write(id));
  },
  ALL_OPEN,
);

export const allLists = endpoint(
  calls.orders,
  'fromId? startTime? endTime? limit?',
  async (context, { fromId: fromRowId, startTime, endTime, limit = 500 }) => {
    const window = readWindow({ startTime, endTime });
    // An order that belongs to no list counts, so that no question reads without bound.
    const found = await find(context, { ...window, ...defined({ fromRowId }) });
    const lists = new ReportedLists(context, found);
    return writeInTurns(lists.ids.slice(0, limit), (id) => lists.write(id));
  },
);

export const cancelList = endpoint(
  calls.cancelOrder,
  'symbol orderListId? listClientOrderId? newClientOrderId?',
  async (context, sent) => {
    const { venue, uid } = context;
    const instrument = venue.instrument(sent.symbol);
    const pair = await findList(context, namedList(sent.orderListId, sent.listClientOrderId));
    if (pair[0]!.securityId !== instrument.securityId) {
      throw new BinanceProblem(-2011, 'Unknown order list sent.');
    }
    // Either order ends the other, and one of them may be done.
    const { orderId } = pair.find(isOpen) ?? pair[0]!;
    const names = { orderId, origClOrdId: '', clOrdId: sent.newClientOrderId ?? '' };
    const command = toCancelOrder({ account: 1, ...names }, context.takeCaller());
    const done = await context.submit(command);
    if (!done.outcome.ok) return throwReject(venue.state, done.outcome.reject);
    const { clOrdId, requestId } = done.outcome.result;
    const [ended] = writeEnded(context, done, clOrdIdOf(uid, requestId, clOrdId));
    if (pair.length > 1) return ended;
    const list = writeList(venue.symbols.nameOf(instrument), pair, done.time, { isDone: true });
    return { ...list, orderReports: [ended] };
  },
);

export const placeOco = endpoint(calls.createOco, OCO, (context, sent) =>
  placePair(context, sent, pairOfOco(sent)),
);
export const placeOldOco = endpoint(calls.createOco, OLD_OCO, (context, sent) =>
  placePair(context, sent, pairOfOldOco(sent)),
);

type PairSent = Parameters<typeof toOco>[2] & Values<'symbol newOrderRespType? listClientOrderId?'>;

async function placePair(
  context: Context,
  sent: PairSent,
  pair: ReturnType<typeof pairOfOco>,
): Promise<JsonOut> {
  const { venue, uid } = context;
  const instrument = venue.instrument(sent.symbol);
  const command = toOco(venue.state, instrument, sent, pair, context.takeCaller());
  const { outcome, reports } = await context.submit(command);
  if (!outcome.ok) return throwReject(venue.state, outcome.reject);
  const { orderId, stopOrderId, transactTime, clOrdId, stopClOrdId } = outcome.result;
  const orders = [
    { orderId, clOrdId: clOrdIdOf(uid, orderId, clOrdId) },
    { orderId: stopOrderId, clOrdId: clOrdIdOf(uid, stopOrderId, stopClOrdId) },
  ];
  const prevention = sent.selfTradePreventionMode;
  const orderReports = orders.flatMap((named) => {
    const report = reports.get(named.orderId);
    return report === undefined ? [] : [writeResult({ venue, report, prevention })];
  });
  const list = writeList(venue.symbols.nameOf(instrument), orders, transactTime, namedBy(sent));
  return sent.newOrderRespType === 'ACK' ? list : { ...list, orderReports };
}

const namedBy = ({ listClientOrderId: name }: { listClientOrderId: string | undefined }) =>
  defined({ name });

/** An order with a bracket: its exits are orders of their own once it has traded. */
async function placeWithExits(
  context: Context,
  sent: Parameters<typeof toBracket>[2],
): Promise<JsonOut> {
  const { venue, uid } = context;
  const instrument = venue.instrument(sent.symbol);
  const command = toBracket(venue.state, instrument, sent, context.takeCaller());
  const done = await context.submit(command);
  const terms = { ...sent, newOrderRespType: 'RESULT', type: sent.workingType } as const;
  const working = placed(context, instrument, terms, done);
  if (!done.outcome.ok) return working;
  const { orderId, clOrdId, transactTime } = done.outcome.result;
  const list = writeList(
    venue.symbols.nameOf(instrument),
    [{ orderId, clOrdId: clOrdIdOf(uid, orderId, clOrdId) }],
    transactTime,
    namedBy(sent),
  );
  return sent.newOrderRespType === 'ACK' ? list : { ...list, orderReports: [working] };
}

export const placeOto = endpoint(calls.createOrderV2, OTO, placeWithExits);
export const placeOtoco = endpoint(calls.createOrderV2, OTOCO, placeWithExits);
export const placeOpo = endpoint(calls.createOrderV2, OPO, placeWithExits);
export const placeOpoco = endpoint(calls.createOrderV2, OPOCO, placeWithExits);

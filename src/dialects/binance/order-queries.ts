// Queries of orders and order lists, and order lists that are placed and canceled. The views have
// the reports, at the position of the core.
import { type Infer, integer, missingField, optional } from '../../contract/fields.ts';
import type { JsonOut } from '../../contract/json.ts';
import { type ObjectField, object } from '../../contract/object.ts';
import { readWindow, type Window } from '../../contract/time-window.ts';
import { orderCalls } from '../../contract/trading/calls.ts';
import { toCancelOrder } from '../../contract/trading/orders.ts';
import { clOrdIdOf } from '../../core/cl-ord-id.ts';
import type { PlaceOco } from '../../core/command.ts';
import type { ExecutionReport } from '../../core/event.ts';
import { OrdStatus } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { findOrders } from '../../gateway/routes/trading/order-queries.ts';
import { BinanceProblem, throwReject } from './binance-problem.ts';
import { type Context, endpoint, NO_PARAMETERS } from './endpoint.ts';
import {
  clientId,
  ocoQuery,
  ocoTerms,
  oldOcoQuery,
  oldOcoTerms,
  orderIdField,
  otocoQuery,
  symbolField,
  toBracket,
  toOco,
} from './order-commands.ts';
import { lastOf, namedOrder, placed, writeEnded } from './order-entry.ts';
import {
  listIdOf,
  listName,
  orderListId,
  writeList,
  writeOrder,
  writeResult,
} from './order-json.ts';
import { isOpen, preventionOf } from './words.ts';

const MAX_PAGE = 1000;
const pageLimit = optional(integer({ min: 1, max: MAX_PAGE }), 500);
const time = optional(integer({ min: 0 }));

const noSuchOrder = (): BinanceProblem => new BinanceProblem(-2013, 'Order does not exist.');

interface Search extends Window {
  readonly orderId?: number;
  readonly clOrdId?: string;
  readonly securityId?: number;
  readonly fromRowId?: number;
  readonly lastRowId?: number;
  readonly size: number;
  readonly open?: boolean;
}

/** The caller's orders; newest first unless `fromRowId` is given. */
function find(
  context: Context,
  { open = false, ...search }: Search,
): Promise<readonly ExecutionReport[]> {
  const { clOrdId, securityId, ...terms } = search;
  const filter = {
    ...(clOrdId === undefined ? {} : { clOrdId }),
    ...(securityId === undefined ? {} : { securityId }),
  };
  return findOrders(context.services, context.uid, {
    terms: { ...terms, filter },
    open,
    impossible: false,
  });
}

/** All open orders, newest first. The limit of open orders bounds them. */
async function findOpen(
  context: Context,
  only: Pick<Search, 'securityId'> = {},
): Promise<readonly ExecutionReport[]> {
  const found: ExecutionReport[] = [];
  for (let below: Pick<Search, 'lastRowId'> = {}; ; ) {
    const page = await find(context, { ...only, ...below, open: true, size: MAX_PAGE });
    found.push(...page);
    if (page.length < MAX_PAGE) return found;
    below = { lastRowId: page.at(-1)!.orderId };
  }
}

const orderStatus = endpoint(orderCalls.orders, object(namedOrder), async (context, sent) => {
  const { securityId } = context.instrument(sent.symbol);
  const { orderId, origClientOrderId } = sent;
  if (orderId === undefined && origClientOrderId === undefined) {
    throw missingField('orderId', 'sent, or origClientOrderId in its place');
  }
  const [found] = await find(context, {
    securityId,
    size: 1,
    ...(orderId === undefined ? {} : { orderId }),
    ...(origClientOrderId === undefined ? {} : { clOrdId: origClientOrderId }),
  });
  if (found === undefined) throw noSuchOrder();
  return writeOrder(context, found);
});

const openOrders = endpoint(
  orderCalls.orders,
  object({ symbol: optional(symbolField) }),
  async (context, { symbol }) => {
    const only = symbol === undefined ? {} : { securityId: context.instrument(symbol).securityId };
    const found = await findOpen(context, only);
    return found.map((report) => writeOrder(context, report)).reverse();
  },
);

const allOrders = endpoint(
  orderCalls.orders,
  object({
    symbol: symbolField,
    orderId: optional(integer({ min: 0 })),
    startTime: time,
    endTime: time,
    limit: pageLimit,
  }),
  async (context, { symbol, orderId, startTime, endTime, limit: size }) => {
    const { securityId } = context.instrument(symbol);
    const window = readWindow({ startTime, endTime });
    // From an id or a time on, the oldest come first; else the newest ones.
    const isUpward = orderId !== undefined || startTime !== undefined;
    const from = isUpward ? { fromRowId: orderId ?? 0 } : {};
    const found = await find(context, { securityId, size, ...window, ...from });
    const written = found.map((report) => writeOrder(context, report));
    return isUpward ? written : written.reverse();
  },
);

/** The two orders of a pair, the limit order first. Throws Problem where there is none. */
async function findPair(context: Context, id: number): Promise<readonly ExecutionReport[]> {
  const [limit] = await find(context, { orderId: id, size: 1 });
  if (limit === undefined || limit.ocoOrderId === 0 || orderListId(limit) !== id) {
    throw new BinanceProblem(-2018, 'Order list does not exist.');
  }
  const [stop] = await find(context, { orderId: limit.ocoOrderId, size: 1 });
  return stop === undefined ? [limit] : [limit, stop];
}

const listFields = {
  orderListId: optional(orderIdField),
  listClientOrderId: optional(clientId),
  origClientOrderId: optional(clientId),
} as const;

/** The id of a named list. Throws Problem. */
function namedList(
  sent: Partial<Infer<ObjectField<Record<keyof typeof listFields, unknown>>>>,
): number {
  const name = (sent.listClientOrderId ?? sent.origClientOrderId) as string | undefined;
  const id =
    (sent.orderListId as number | undefined) ?? (name === undefined ? null : listIdOf(name));
  if (id !== null && id !== undefined) return id;
  if (name === undefined) throw missingField('orderListId', 'sent');
  throw new BinanceProblem(-2018, 'Order list does not exist.', {
    userMsg: 'agio names a list itself: list_ and its orderListId.',
  });
}

const listStatus = endpoint(
  orderCalls.orders,
  object({ orderListId: listFields.orderListId, origClientOrderId: listFields.origClientOrderId }),
  async (context, sent) => {
    const pair = await findPair(context, namedList({ ...sent, listClientOrderId: undefined }));
    return writeList(context, pair, pair[0]!.createTime);
  },
);

/** The lists among reports, newest first; their other orders are looked up. */
async function listsOf(context: Context, reports: readonly ExecutionReport[]): Promise<JsonOut[]> {
  const lists: JsonOut[] = [];
  for (const id of new Set(reports.map(orderListId))) {
    if (id === -1) continue;
    const limit = lastOf(reports, id);
    const stop = limit === undefined ? undefined : lastOf(reports, limit.ocoOrderId);
    const pair =
      limit === undefined || stop === undefined ? await findPair(context, id) : [limit, stop];
    lists.push(writeList(context, pair, pair[0]!.createTime));
  }
  return lists;
}

const openLists = endpoint(orderCalls.orders, NO_PARAMETERS, async (context) => {
  const found = await findOpen(context);
  return listsOf(context, found);
});

const allLists = endpoint(
  orderCalls.orders,
  object({
    fromId: optional(integer({ min: 0 })),
    startTime: time,
    endTime: time,
    limit: pageLimit,
  }),
  async (context, { fromId, startTime, endTime, limit }) => {
    const window = readWindow({ startTime, endTime });
    const from = fromId === undefined ? {} : { fromRowId: fromId };
    // An order that belongs to no list counts, so that no question reads without bound.
    const found = await find(context, { ...window, ...from, size: MAX_PAGE });
    return (await listsOf(context, found)).slice(0, limit);
  },
);

const cancelList = endpoint(
  orderCalls.cancelOrder,
  object({
    symbol: symbolField,
    orderListId: listFields.orderListId,
    listClientOrderId: listFields.listClientOrderId,
    newClientOrderId: optional(clientId),
  }),
  async (context, sent) => {
    const { securityId } = context.instrument(sent.symbol);
    const id = namedList({ ...sent, origClientOrderId: undefined });
    const pair = await findPair(context, id);
    if (pair[0]!.securityId !== securityId)
      throw new BinanceProblem(-2011, 'Unknown order list sent.');
    // Either order ends the other, and one of them may be done.
    const open = pair.find(isOpen) ?? pair[0]!;
    const names = { orderId: open.orderId, origClOrdId: '', clOrdId: sent.newClientOrderId ?? '' };
    const command = toCancelOrder({ account: 1, ...names }, context.takeCaller());
    const { outcome, reports, time: at } = await context.submit(command);
    if (!outcome.ok) return throwReject(context.state, outcome.reject);
    const { clOrdId, requestId } = outcome.result;
    const name = clOrdIdOf(context.uid, requestId, clOrdId);
    const ended = reports.filter(({ ordStatus }) => ordStatus === OrdStatus.canceled);
    return writeEnded(
      context,
      [...ended].sort((a, b) => a.orderId - b.orderId),
      name,
      at,
    )[0];
  },
);

type OcoSent = Pick<
  Infer<typeof ocoQuery>,
  'symbol' | 'newOrderRespType' | 'listClientOrderId' | 'selfTradePreventionMode'
>;

const placeOco = endpoint(orderCalls.createOco, ocoQuery, (context, sent) =>
  placePair(context, sent, ocoTerms(sent)),
);
const placeOldOco = endpoint(orderCalls.createOco, oldOcoQuery, (context, sent) =>
  placePair(context, sent, oldOcoTerms(sent)),
);

async function placePair(
  context: Context,
  sent: OcoSent,
  terms: ReturnType<typeof ocoTerms>,
): Promise<JsonOut> {
  const instrument = context.instrument(sent.symbol);
  const command: PlaceOco = toOco(context.state, instrument, terms, context.takeCaller());
  const { outcome, reports } = await context.submit(command);
  if (!outcome.ok) return throwReject(context.state, outcome.reject);
  const { orderId, stopOrderId, transactTime, clOrdId, stopClOrdId } = outcome.result;
  const pair = [lastOf(reports, orderId), lastOf(reports, stopOrderId)].filter(
    (report) => report !== undefined,
  );
  const symbol = context.symbols.nameOf(instrument);
  const named = (id: number, name: string) => ({
    symbol,
    orderId: id,
    clientOrderId: clOrdIdOf(context.uid, id, name),
  });
  return {
    ...startedList('OCO', { orderId, symbol, transactTime }, sent),
    orders: [named(orderId, clOrdId), named(stopOrderId, stopClOrdId)],
    orderReports: reportsOf(context, instrument, sent, pair),
  };
}

/** An order as its RESULT answer names it. */
interface WorkingOrder {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly transactTime: number;
}

/** A list that was just placed, without its orders. */
const startedList = (
  contingencyType: 'OCO' | 'OTO',
  { orderId, symbol, transactTime }: Omit<WorkingOrder, 'clientOrderId'>,
  { listClientOrderId }: { readonly listClientOrderId?: string | undefined },
) => ({
  orderListId: orderId,
  contingencyType,
  listStatusType: 'EXEC_STARTED',
  listOrderStatus: 'EXECUTING',
  listClientOrderId: listClientOrderId ?? listName(orderId),
  transactionTime: transactTime,
  symbol,
});

/** The reports of placed orders; ACK has none. */
function reportsOf(
  context: Context,
  instrument: Instrument,
  { newOrderRespType, selfTradePreventionMode: sentMode }: OcoSent,
  reports: readonly ExecutionReport[],
): JsonOut {
  if (newOrderRespType === 'ACK') return undefined;
  return reports.map((report) => {
    const mode = sentMode ?? preventionOf(context.state, instrument, report.orderId);
    return writeResult(context, instrument, report, mode);
  });
}

/** An order with a bracket: its exits are orders of their own once it has traded. */
const placeOtoco = endpoint(orderCalls.createOrderV2, otocoQuery, async (context, sent) => {
  const instrument = context.instrument(sent.symbol);
  const command = toBracket(context.state, instrument, sent, context.takeCaller());
  const done = await context.submit(command);
  const type = sent.workingType;
  const terms = { ...sent, newOrderRespType: 'RESULT' as const, type };
  const working = placed(context, instrument, terms, done) as unknown as WorkingOrder;
  const { orderId, clientOrderId, symbol } = working;
  return {
    ...startedList('OTO', working, sent),
    orders: [{ symbol, orderId, clientOrderId }],
    orderReports: sent.newOrderRespType === 'ACK' ? undefined : [working as unknown as JsonOut],
  };
});

export const orderQueryEndpoints = {
  orderStatus,
  openOrders,
  allOrders,
  listStatus,
  openLists,
  allLists,
  cancelList,
  placeOco,
  placeOldOco,
  placeOtoco,
};

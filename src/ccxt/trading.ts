// Orders: places, cancels and reads them.
import type { Dict, Int, Market, Order, OrderRequest, OrderSide, OrderType, Str } from 'ccxt';
import { BaseError, OrderNotFound } from 'ccxt';
import { SIDES } from './market-data.ts';
import { AgioOrderRequests, POST_ONLY, STOP_LOSS } from './order-requests.ts';
import type { EditTerms, ListTerms, OrderTerms } from './terms.ts';

/** ordType of a market order that does not wait as a stop. */
const MARKET = '1';
/** ccxt's types; a stop has its triggerPrice beside it. */
const TYPES: Readonly<Record<string, string>> = {
  '1': 'market',
  '2': 'limit',
  '3': 'market',
  '4': 'limit',
};
const TIMES_IN_FORCE: Readonly<Record<string, string>> = {
  '1': 'GTC',
  '3': 'IOC',
  '4': 'FOK',
  '6': 'GTD',
};
const STATUSES: Readonly<Record<string, string>> = {
  '0': 'open',
  '1': 'open',
  '2': 'closed',
  '4': 'canceled',
  '6': 'canceling',
  '8': 'rejected',
};
/** execType of a trade. */
const FILLS = ['1', '2'];

/** Orders in one request. */
const MAX_BATCH = 50;

/** Sends the fields of a call; resolves to its answer. */
type Send = (fields: Dict) => Promise<Dict>;

/** True if an entry of the answer to a batch is a rejection. */
const isRejected = ({ code }: Dict): boolean => code !== undefined;

const WINDOW = { start: 'startDate', end: 'endDate', size: 'size' };
const OLDER = { parameter: 'lastRowId', id: 'rowId' };

export class AgioTrading extends AgioOrderRequests {
  /**
   * A limit or market order. A market order has an amount, or `params.cost` in the quote currency.
   * `params`: clientOrderId, timeInForce (GTC, IOC, FOK, GTD with expireTime, PO), postOnly,
   * triggerPrice, stopLossPrice or takeProfitPrice, trailingPercent or trailingAmount (from
   * trailingTriggerPrice on), icebergQty, selfTradePrevention, takeProfit
   * with stopLoss, test (all checks, no order). The answer says that the order was accepted;
   * fetchOrder and watchOrders have its state, `rejected` for a post-only order that would trade.
   */
  override async createOrder(
    ...[symbol, type, side, amount, price, params = {}]: OrderTerms
  ): Promise<Order> {
    await this.loadMarkets();
    const order = await this.orderRequest(symbol, type, side, amount, price, params);
    const test = this.safeBool(params, 'test', false) === true;
    const path = `${this.needsVersion2(order) ? 'V2' : 'V1'}${test ? 'Testorder' : 'Order'}`;
    const answer: Dict = await (this as Dict)[`spotPrivatePost${path}`](order);
    return this.createdOrder(answer, order);
  }

  /**
   * Up to 50 orders in one request, carried out in order. A rejected one has the status `rejected`,
   * and why in `info`.
   */
  override createOrders(orders: OrderRequest[], params: Dict = {}): Promise<Order[]> {
    return this.placeBatch((batch) => this.spotPrivatePostV2Orders(batch), orders, params);
  }

  /** `send` sends the batch, over HTTP or the websocket. */
  protected async placeBatch(send: Send, orders: OrderRequest[], params: Dict): Promise<Order[]> {
    await this.loadMarkets();
    const requests = await this.orderRequests(orders);
    const entries = requests.map((request) => ({ op: 'place', ...request }));
    const answer = await send({ orders: entries, ...params });
    return answer.orders.map((entry: Dict, i: number) => this.createdOrder(entry, requests[i]!));
  }

  /**
   * Changes an open order, which keeps its id. `amount` is the new total amount, with what is
   * filled. A smaller amount alone keeps the place in the book. `params`: clientOrderId,
   * triggerPrice, icebergQty, expireTime. Returns the whole order as it is afterwards.
   */
  override async editOrder(
    ...[id, symbol, type, side, amount, price, params = {}]: EditTerms
  ): Promise<Order> {
    await this.loadMarkets();
    const request = this.amendRequest(id, symbol, amount, price, params);
    const answer: Dict = await this.spotPrivatePostV2OrderAmend(request);
    return this.amendedOrder(answer, request, type, side);
  }

  /** The order; only what the answer to its amendment says if it cannot be read. */
  protected async amendedOrder(
    answer: Dict,
    request: Dict,
    type: OrderType,
    side: OrderSide,
  ): Promise<Order> {
    const market = this.safeMarket(request.symbol);
    const id = this.safeString(answer, 'orderId')!;
    try {
      return await this.fetchOrder(id, market.symbol);
    } catch (error) {
      // The amendment was made, so it must not look as if it had failed.
      if (!(error instanceof BaseError)) throw error;
    }
    return this.safeOrder(
      {
        info: answer,
        id,
        clientOrderId: this.safeString(answer, 'origClOrdId'),
        lastUpdateTimestamp: this.safeInteger(answer, 'transactTime'),
        symbol: market.symbol,
        type,
        side,
        price: request.price,
        amount: request.orderQty,
        triggerPrice: request.stopPx,
      },
      market,
    );
  }

  /** The order of a request by its answer, or by its rejection in a batch. */
  protected createdOrder(answer: Dict, request: Dict): Order {
    const market = this.safeMarket(request.symbol);
    const type = TYPES[request.ordType]!;
    const timestamp = this.safeInteger(answer, 'transactTime');
    return this.safeOrder(
      {
        info: answer,
        id: this.safeString(answer, 'orderId'),
        clientOrderId: this.safeString({ ...request, ...answer }, 'clOrdId'),
        timestamp,
        datetime: this.iso8601(timestamp),
        symbol: market.symbol,
        type,
        side: SIDES[request.side] ?? request.side,
        price: request.price,
        amount: request.orderQty,
        timeInForce: this.#timeInForceOf({ timeInForce: '1', ...request }),
        postOnly: request.execInst === POST_ONLY,
        ...this.#triggerOf(request),
        status: isRejected(answer) ? 'rejected' : undefined,
      },
      market,
    );
  }

  /** A market buy that spends at most `cost` of the quote currency. */
  override async createMarketBuyOrderWithCost(
    symbol: string,
    cost: number,
    params: Dict = {},
  ): Promise<Order> {
    return this.createOrder(symbol, 'market', 'buy', undefined, undefined, { ...params, cost });
  }

  /** A market order that trades at most `cost` of the quote currency. */
  override async createMarketOrderWithCost(
    symbol: string,
    side: OrderSide,
    cost: number,
    params: Dict = {},
  ): Promise<Order> {
    return this.createOrder(symbol, 'market', side, undefined, undefined, { ...params, cost });
  }

  /** A market sell that brings at most `cost` of the quote currency, before fees. */
  override async createMarketSellOrderWithCost(
    symbol: string,
    cost: number,
    params: Dict = {},
  ): Promise<Order> {
    return this.createOrder(symbol, 'market', 'sell', undefined, undefined, { ...params, cost });
  }

  /**
   * By id, or the newest open order with `params.clientOrderId`. It has left the book on return.
   */
  override async cancelOrder(id: string, symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets();
    const answer: Dict = await this.spotPrivatePostV1OrderCancel(this.cancelRequest(id, params));
    return this.canceledOrder(answer, symbol);
  }

  /**
   * Up to 50 cancels in one request, by `ids` or `params.clientOrderIds`. One that is rejected has
   * no status, and why in `info`.
   */
  override cancelOrders(ids: string[], symbol?: Str, params: Dict = {}): Promise<Order[]> {
    return this.cancelBatch((batch) => this.spotPrivatePostV2Orders(batch), ids, symbol, params);
  }

  /** See placeBatch. */
  protected async cancelBatch(
    send: Send,
    ids: string[],
    symbol: Str,
    params: Dict,
  ): Promise<Order[]> {
    await this.loadMarkets();
    const orders = this.cancelRequests(ids, params).map((named) => ({ op: 'cancel', ...named }));
    const others = this.omit(params, 'clientOrderIds');
    const answer = await send({ orders, ...others });
    return answer.orders.map((entry: Dict, i: number) => this.canceledOrder(entry, symbol, ids[i]));
  }

  protected canceledOrder(answer: Dict, symbol: Str, id?: Str): Order {
    return this.safeOrder({
      info: answer,
      id: this.safeString(answer, 'orderId', id),
      clientOrderId: this.safeString(answer, 'origClOrdId'),
      symbol: symbol === undefined ? undefined : this.market(symbol).symbol,
      status: isRejected(answer) ? undefined : 'canceled',
    });
  }

  /**
   * Cancels all open orders, or those of a pair; the answer does not list them. With
   * `params.trigger` only the stops that wait, which it lists.
   */
  override async cancelAllOrders(symbol?: Str, params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const [isTrigger, others] = this.handleTriggerAndParams(params);
    if (isTrigger === true) return this.#cancelStops(symbol, others);
    const pair = symbol === undefined ? {} : { symbol: this.market(symbol).id };
    const answer: Dict = await this.spotPrivatePostV1OrderMasscancel({ ...pair, ...params });
    return [this.safeOrder({ info: answer })];
  }

  async #cancelStops(symbol: Str, params: Dict): Promise<Order[]> {
    const open = await this.fetchOpenOrders(symbol, undefined, undefined, { paginate: true });
    const waiting = open.filter(({ info }) => info.workingIndicator === false);
    const ids = waiting.map(({ id }) => id!);
    const canceled: Order[] = [];
    while (ids.length > 0) {
      canceled.push(...(await this.cancelOrders(ids.splice(0, MAX_BATCH), symbol, params)));
    }
    return canceled;
  }

  /** Cancels all open orders in `timeout` ms unless it is called again before; 0 disarms. */
  override async cancelAllOrdersAfter(timeout: Int, params: Dict = {}): Promise<Dict> {
    return this.spotPrivatePostV1OrderCancelallafter({ timeout, ...params });
  }

  override async fetchOrder(id: string, symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets();
    const clOrdId = this.safeString(params, 'clientOrderId');
    const answer: Dict = await this.spotPrivateGetV1Orders({
      type: 'SINGLE',
      ...(id === '' || id === undefined ? {} : { orderId: id }),
      ...(clOrdId === undefined ? {} : { clOrdId }),
      ...(symbol === undefined ? {} : { symbol: this.market(symbol).id }),
      ...this.omit(params, 'clientOrderId'),
    });
    const [order] = answer.data as Dict[];
    if (order === undefined) {
      throw new OrderNotFound(`${this.id} has no order ${id || clOrdId} of this account`);
    }
    return this.parseOrder(order);
  }

  /** All orders of the last 30 days, including open ones. */
  override async fetchOrders(...terms: ListTerms): Promise<Order[]> {
    return this.#listOrders({ type: 'COMPLETED' }, ...terms);
  }

  /** Open orders of any age. */
  override async fetchOpenOrders(...terms: ListTerms): Promise<Order[]> {
    return this.#listOrders({ type: 'OPEN' }, ...terms);
  }

  /** Filled orders of the last 30 days. */
  override async fetchClosedOrders(...terms: ListTerms): Promise<Order[]> {
    return this.#listOrders({ type: 'COMPLETED', filter: 'ordStatus,2' }, ...terms);
  }

  /** Canceled orders of the last 30 days, partly filled or not. */
  override async fetchCanceledOrders(...terms: ListTerms): Promise<Order[]> {
    return this.#listOrders({ type: 'COMPLETED', filter: 'ordStatus,4' }, ...terms);
  }

  /** Closed orders of the last 30 days. */
  override async fetchCanceledAndClosedOrders(
    ...[symbol, since, limit, params = {}]: ListTerms
  ): Promise<Order[]> {
    const orders = await this.fetchOrders(symbol, since, undefined, params);
    const ended = orders.filter(({ status }) => status !== 'open');
    return this.filterBySinceLimit(ended, since, limit);
  }

  async #listOrders(
    asked: Dict,
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const pair = market === undefined ? {} : { symbol: market.id };
    const page = this.pageRequest(WINDOW, since, limit, {
      ...asked,
      ...pair,
      ...this.withoutChoices(params),
    });
    const rows = await this.readPages(page, OLDER, async (request) => {
      const answer: Dict = await this.spotPrivateGetV1Orders(request);
      return answer.data as Dict[];
    });
    // Orders of one batch share a time; their places have the order.
    return this.parseOrders(rows.toReversed(), market, since, limit);
  }

  /** An execution report of the order list or the orders channel. */
  override parseOrder(report: Dict, market?: Market): Order {
    const known = this.safeMarket(this.safeString(report, 'symbol'), market, '-');
    const type = TYPES[this.safeString(report, 'ordType')!];
    const postOnly = this.safeString(report, 'execInst') === POST_ONLY;
    const created = this.safeInteger(report, 'createTime');
    const updated = this.safeInteger(report, 'transactTime');
    const traded = FILLS.includes(this.safeString(report, 'execType')!);
    const orderQty = this.safeString(report, 'orderQty');
    return this.safeOrder(
      {
        info: report,
        id: this.safeString(report, 'orderId'),
        clientOrderId: this.safeString(report, 'clOrdId'),
        timestamp: created,
        datetime: this.iso8601(created),
        lastUpdateTimestamp: updated,
        lastTradeTimestamp: traded ? updated : undefined,
        symbol: known.symbol,
        type,
        side: SIDES[this.safeString(report, 'side')!],
        timeInForce: this.#timeInForceOf(report),
        postOnly,
        ...this.#triggerOf(report),
        price: this.safeString(report, 'price'),
        average: this.safeString(report, 'avgPx'),
        cost: this.safeString(report, 'cumQuoteQty'),
        amount: orderQty,
        filled: this.safeString(report, 'cumQty'),
        // leavesQty is 0 once an order is closed; ccxt means the quantity that was not filled.
        remaining: orderQty === undefined ? this.safeString(report, 'leavesQty') : undefined,
        status: this.parseOrderStatus(this.safeString(report, 'ordStatus')),
      },
      known,
    );
  }

  #timeInForceOf(report: Dict): Str {
    if (this.safeString(report, 'execInst') === POST_ONLY) return 'PO';
    const known = TIMES_IN_FORCE[this.safeString(report, 'timeInForce')!];
    // A market order never rests, but a stop waits.
    return this.safeString(report, 'ordType') === MARKET && known === 'GTC' ? 'IOC' : known;
  }

  #triggerOf(report: Dict): Dict {
    const trailing = this.safeString(report, 'triggerPx');
    const triggerPrice = trailing ?? this.safeString(report, 'stopPx');
    if (triggerPrice === undefined) return {};
    if (trailing !== undefined) return { triggerPrice, stopLossPrice: triggerPrice };
    const side = SIDES[this.safeString(report, 'side')!]!;
    const stopLoss = STOP_LOSS[side];
    const isStop = this.safeString(report, 'triggerPriceDirection', stopLoss) === stopLoss;
    return { triggerPrice, [isStop ? 'stopLossPrice' : 'takeProfitPrice']: triggerPrice };
  }

  parseOrderStatus(ordStatus: Str): Str {
    return this.safeString(STATUSES, ordStatus!, ordStatus);
  }
}

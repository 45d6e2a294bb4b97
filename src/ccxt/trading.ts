// Orders: places, cancels and reads them.
import type { Dict, Int, Market, Num, Order, OrderSide, OrderType, Str } from 'ccxt';
import { InvalidOrder, NotSupported, OrderNotFound } from 'ccxt';
import { AgioMarketData, SIDES } from './market-data.ts';

const SIDE = { buy: '1', sell: '2' } as const;
const TYPE = { market: '1', limit: '2' } as const;
/** execInst of a post-only order. */
const POST_ONLY = '6';

const TYPES: Readonly<Record<string, string>> = { '1': 'market', '2': 'limit' };
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

const WINDOW = { start: 'startDate', end: 'endDate', size: 'size' };
const OLDER = { parameter: 'lastRowId', id: 'rowId' };

export class AgioTrading extends AgioMarketData {
  /**
   * A limit or market order. A market buy has an amount, or `params.cost` in the quote currency.
   * `params`: clientOrderId, postOnly or timeInForce PO, test (all checks, no order). The answer
   * says that the order was accepted; fetchOrder and watchOrders have its state, `rejected` for a
   * post-only order that would trade.
   */
  override async createOrder(
    symbol: string,
    type: OrderType,
    side: OrderSide,
    amount?: Num,
    price?: Num,
    params: Dict = {},
  ): Promise<Order> {
    await this.loadMarkets();
    const order = this.orderRequest(symbol, type, side, amount, price, params);
    const test = this.safeBool(params, 'test', false) === true;
    const answer: Dict = test
      ? await this.spotPrivatePostV1Testorder(order)
      : await this.spotPrivatePostV1Order(order);
    return this.createdOrder(answer, order);
  }

  /** The order of an answer to its request. */
  protected createdOrder(answer: Dict, request: Dict): Order {
    const market = this.safeMarket(request.symbol);
    const type = TYPES[request.ordType]!;
    const timestamp = this.safeInteger(answer, 'transactTime');
    return this.safeOrder(
      {
        info: answer,
        id: this.safeString(answer, 'orderId'),
        clientOrderId: this.safeString(answer, 'clOrdId'),
        timestamp,
        datetime: this.iso8601(timestamp),
        symbol: market.symbol,
        type,
        side: SIDES[request.side] ?? request.side,
        price: request.price,
        amount: request.orderQty,
        timeInForce: type === 'market' ? undefined : request.execInst === POST_ONLY ? 'PO' : 'GTC',
        postOnly: request.execInst === POST_ONLY,
      },
      market,
    );
  }

  /** The fields of an order. */
  protected orderRequest(
    pair: string,
    type: OrderType,
    side: OrderSide,
    amount: Num,
    price: Num,
    params: Dict,
  ): Dict {
    const market = this.market(pair);
    const ordType = TYPE[type as keyof typeof TYPE];
    if (ordType === undefined) throw new InvalidOrder(`${this.id} has no orders of type ${type}`);
    const [postOnly, others] = this.handlePostOnly(type === 'market', false, params);
    const timeInForce = this.safeStringUpper(others, 'timeInForce', 'GTC');
    if (timeInForce !== 'GTC' && !(timeInForce === 'IOC' && type === 'market')) {
      throw new NotSupported(`${this.id} has no timeInForce ${timeInForce}: GTC and PO only`);
    }
    const cost = this.safeString(others, 'cost');
    const clOrdId = this.safeString(others, 'clientOrderId');
    const symbol = market!.symbol;
    const known = ['timeInForce', 'cost', 'clientOrderId', 'test'];
    return {
      symbol: market!.id,
      side: SIDE[side as keyof typeof SIDE] ?? side,
      ordType,
      ...(cost === undefined
        ? { orderQty: this.amountToPrecision(symbol, amount) }
        : { quoteOrderQty: this.costToPrecision(symbol, cost) }),
      ...(type === 'limit' ? { price: this.priceToPrecision(symbol, price) } : {}),
      ...(postOnly ? { execInst: POST_ONLY } : {}),
      ...(clOrdId === undefined ? {} : { clOrdId }),
      ...this.omit(others, known),
    };
  }

  /** A market buy that spends at most `cost` of the quote currency. */
  override async createMarketBuyOrderWithCost(
    symbol: string,
    cost: number,
    params: Dict = {},
  ): Promise<Order> {
    return this.createOrder(symbol, 'market', 'buy', undefined, undefined, { ...params, cost });
  }

  /**
   * By id, or the newest open order with `params.clientOrderId`. It has left the book on return.
   */
  override async cancelOrder(id: string, symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets();
    const answer: Dict = await this.spotPrivatePostV1OrderCancel(this.cancelRequest(id, params));
    return this.canceledOrder(answer, symbol);
  }

  protected cancelRequest(id: string, params: Dict): Dict {
    const clientOrderId = this.safeString(params, 'clientOrderId');
    return {
      ...(id === '' || id === undefined ? {} : { orderId: id }),
      ...(clientOrderId === undefined ? {} : { origClOrdId: clientOrderId }),
      ...this.omit(params, 'clientOrderId'),
    };
  }

  protected canceledOrder(answer: Dict, symbol: Str): Order {
    return this.safeOrder({
      info: answer,
      id: this.safeString(answer, 'orderId'),
      clientOrderId: this.safeString(answer, 'origClOrdId'),
      symbol: symbol === undefined ? undefined : this.market(symbol).symbol,
      status: 'canceled',
    });
  }

  /** Cancels all open orders, or those of a pair. The answer does not list them. */
  override async cancelAllOrders(symbol?: Str, params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const pair = symbol === undefined ? {} : { symbol: this.market(symbol).id };
    const answer: Dict = await this.spotPrivatePostV1OrderMasscancel({ ...pair, ...params });
    return [this.safeOrder({ info: answer })];
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
  override async fetchOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.#listOrders({ type: 'COMPLETED' }, symbol, since, limit, params);
  }

  /** Open orders of any age. */
  override async fetchOpenOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    return this.#listOrders({ type: 'OPEN' }, symbol, since, limit, params);
  }

  /** Filled orders of the last 30 days. */
  override async fetchClosedOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    const asked = { type: 'COMPLETED', filter: 'ordStatus,2' };
    return this.#listOrders(asked, symbol, since, limit, params);
  }

  /** Canceled orders of the last 30 days, partly filled or not. */
  override async fetchCanceledOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    const asked = { type: 'COMPLETED', filter: 'ordStatus,4' };
    return this.#listOrders(asked, symbol, since, limit, params);
  }

  /** Closed orders of the last 30 days. */
  override async fetchCanceledAndClosedOrders(
    symbol?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Order[]> {
    const orders = await this.fetchOrders(symbol, since, undefined, params);
    const ended = orders.filter(({ status }) => status !== 'open');
    return this.filterBySinceLimit(ended, since, limit);
  }

  async #listOrders(
    asked: Dict,
    symbol: Str,
    since: Int,
    limit: Int,
    params: Dict,
  ): Promise<Order[]> {
    await this.loadMarkets();
    const market = symbol === undefined ? undefined : this.market(symbol);
    const pair = market === undefined ? {} : { symbol: market.id };
    const page = this.pageRequest(WINDOW, since, limit, { ...asked, ...pair, ...params });
    const rows = await this.readPages(page, OLDER, async (request) => {
      const answer: Dict = await this.spotPrivateGetV1Orders(request);
      return answer.data as Dict[];
    });
    return this.parseOrders(rows, market, since, limit);
  }

  /** An execution report of the order list or the orders channel. */
  override parseOrder(report: Dict, market?: Market): Order {
    const known = this.safeMarket(this.safeString(report, 'symbol'), market, '-');
    const type = TYPES[this.safeString(report, 'ordType')!];
    const postOnly = this.safeString(report, 'execInst') === POST_ONLY;
    const updated = this.safeInteger(report, 'transactTime');
    const traded = FILLS.includes(this.safeString(report, 'execType')!);
    const orderQty = this.safeString(report, 'orderQty');
    return this.safeOrder(
      {
        info: report,
        id: this.safeString(report, 'orderId'),
        clientOrderId: this.safeString(report, 'clOrdId'),
        timestamp: updated,
        datetime: this.iso8601(updated),
        lastUpdateTimestamp: updated,
        lastTradeTimestamp: traded ? updated : undefined,
        symbol: known.symbol,
        type,
        side: SIDES[this.safeString(report, 'side')!],
        timeInForce: type === 'market' ? 'IOC' : postOnly ? 'PO' : 'GTC',
        postOnly,
        price: this.safeString(report, 'price'),
        average: this.safeString(report, 'avgPx'),
        amount: orderQty,
        filled: this.safeString(report, 'cumQty'),
        // leavesQty is 0 once an order is closed; ccxt means the quantity that was not filled.
        remaining: orderQty === undefined ? this.safeString(report, 'leavesQty') : undefined,
        status: this.parseOrderStatus(this.safeString(report, 'ordStatus')),
      },
      known,
    );
  }

  parseOrderStatus(ordStatus: Str): Str {
    return this.safeString(STATUSES, ordStatus!, ordStatus);
  }
}

// Orders over the websocket. A lost connection rejects the calls that wait; none is sent again.
import type { Dict, Order, OrderRequest, Str } from 'ccxt';
import { type Client, ORDERS } from './connection.ts';
import { AgioPrivateStreams } from './private-streams.ts';
import type { EditTerms, OrderTerms } from './terms.ts';

/** The status of a rejection without an answer of the calls. */
const BAD_REQUEST = 400;

export class AgioOrderEntry extends AgioPrivateStreams {
  #lastRequest = 0;

  /** Like createOrder, without `params.test`; `params.idempotencyKey` names the order. */
  override async createOrderWs(...terms: OrderTerms): Promise<Order> {
    await this.loadMarkets();
    const request = await this.orderRequest(...terms);
    const { data } = await this.#ask('order.place', request);
    return this.createdOrder(data, request);
  }

  /**
   * Up to 50 orders in one message. A rejected one has the status `rejected`, and why in `info`.
   */
  override createOrdersWs(orders: OrderRequest[], params: Dict = {}): Promise<Order[]> {
    return this.placeBatch((batch) => this.#askBatch(batch), orders, params);
  }

  /** See editOrder. */
  override async editOrderWs(
    ...[id, symbol, type, side, amount, price, params = {}]: EditTerms
  ): Promise<Order> {
    await this.loadMarkets();
    const request = this.amendRequest(id, symbol, amount, price, params);
    const { data } = await this.#ask('order.amend', request);
    return this.amendedOrder(data, request, type, side);
  }

  /** See cancelOrder. */
  override async cancelOrderWs(id: string, symbol?: Str, params: Dict = {}): Promise<Order> {
    await this.loadMarkets();
    const { data } = await this.#ask('order.cancel', this.cancelRequest(id, params));
    return this.canceledOrder(data, symbol);
  }

  /** Up to 50 cancels in one message. One that is rejected has no status, and why in `info`. */
  override cancelOrdersWs(ids: string[], symbol?: Str, params: Dict = {}): Promise<Order[]> {
    return this.cancelBatch((batch) => this.#askBatch(batch), ids, symbol, params);
  }

  /** See cancelAllOrders. */
  override async cancelAllOrdersWs(symbol?: Str, params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    if (this.handleTriggerAndParams(params)[0] === true)
      return this.cancelAllOrders(symbol, params);
    const pair = symbol === undefined ? {} : { symbol: this.market(symbol).id };
    const { data } = await this.#ask('order.cancelAll', { ...pair, ...params });
    return [this.safeOrder({ info: data })];
  }

  async #askBatch(batch: Dict): Promise<Dict> {
    const { data } = await this.#ask('order.batch', batch);
    return data;
  }

  /** Sends a message once and waits for its answer. */
  async #ask(op: string, fields: Dict): Promise<Dict> {
    await this.logIn(ORDERS);
    const url = this.streamUrl(ORDERS);
    const id = `${op}:${++this.#lastRequest}`;
    const difference = this.safeInteger(this.options, 'timeDifference', 0)!;
    const timestamp = this.milliseconds() - difference;
    const own = this.exactNumbers(this.withoutChoices(fields));
    try {
      return await this.watch(url, id, { op, id, timestamp, ...own }, id);
    } finally {
      delete this.connected(url)?.subscriptions[id];
    }
  }

  override handleMessage(client: Client, message: Dict): void {
    const { op, id, error } = message;
    if (typeof op !== 'string' || !op.startsWith('order.') || id === undefined) {
      super.handleMessage(client, message);
      return;
    }
    this.noteSeq(message.seq);
    if (error === undefined) {
      client.resolve(message, id);
      return;
    }
    try {
      const status = this.safeInteger(message, 'status', BAD_REQUEST)!;
      this.handleErrors(status, '', client.url, 'POST', {}, this.json(error), error);
    } catch (rejection) {
      client.reject(rejection, id);
    }
  }
}

// The private calls of trading and of the account: orders, balances, fills, fees and the statement.
import type {
  ArmedSwitch,
  Balance,
  CanceledOrder,
  CreatedOrder,
  Done,
  Fees,
  Fill,
  LedgerEntry,
  MassCanceled,
  Order,
  OrderPage,
  Statement,
} from './answers.ts';
import { calls } from './calls.ts';
import { byLastRow } from './pages.ts';
import { PublicClient } from './public-client.ts';
import type {
  CancelAllAfterRequest,
  CancelOrderRequest,
  CreateOrderRequest,
  FillsRequest,
  LedgerRequest,
  MassCancelRequest,
  OrdersRequest,
} from './requests.ts';
import type { CallOptions, WriteOptions } from './transport.ts';

const ROWS_PER_PAGE = 1000;

/**
 * Every method throws, besides what PublicClient's throw, Unauthorized and Forbidden; a write throws OutcomeUnknown where nobody
 * knows what came of it.
 */
export class TradingClient extends PublicClient {
  /**
   * Creates an order; the answer means that it is durable and in the book or traded. What became of it is in `orders`: a post-only
   * order that would have traded is answered here and rejected there. A lost answer never makes two orders: the order is
   * sent again under its Idempotency-Key. Throws InvalidRequest (also off an increment: `nearest`), InvalidOrder (too small, outside the
   * price band), InsufficientBalance, MarketClosed, LimitReached, Conflict (strict clOrdId).
   */
  createOrder(order: CreateOrderRequest, options?: WriteOptions): Promise<CreatedOrder> {
    return this.send(calls.createOrder, order, options);
  }

  /** Makes every check of a real order, and creates none. Throws what `createOrder` would. */
  testOrder(order: CreateOrderRequest, options?: CallOptions): Promise<Done> {
    return this.send(calls.testOrder, order, options);
  }

  /**
   * Cancels one order, by `orderId` or by `origClOrdId`, the newest open one of that name; one only, though the answer is lost. When
   * it is answered, the money is free. Throws OrderNotFound (code 100203: never was; 100205: is closed already) and MarketClosed.
   */
  cancelOrder(request: CancelOrderRequest, options?: WriteOptions): Promise<CanceledOrder> {
    return this.send(calls.cancelOrder, request, options);
  }

  /** Cancels all open orders of a pair, or of all pairs. */
  massCancel(request: MassCancelRequest = {}, options?: WriteOptions): Promise<MassCanceled> {
    return this.send(calls.massCancel, request, options);
  }

  /** Cancels all open orders after `timeout` ms of business time unless it is called again before; 0 disarms. */
  cancelAllAfter(request: CancelAllAfterRequest, options?: WriteOptions): Promise<ArmedSwitch> {
    return this.send(calls.cancelAllAfter, request, options);
  }

  /** One order by its ids, the open ones, or all of a window within the last 30 days; newest first: one page. */
  orders(request: OrdersRequest, options?: CallOptions): Promise<OrderPage> {
    return this.send(calls.orders, request, options);
  }

  /** All orders that `orders` would find, newest first, for `for await`; `size` is that of a page. */
  allOrders(request: OrdersRequest, options?: CallOptions): AsyncGenerator<Order, void> {
    const size = request.size ?? ROWS_PER_PAGE;
    return byLastRow<Order>(size, async (last) => {
      const after = last === undefined ? {} : { lastRowId: last.rowId };
      return (await this.orders({ ...request, size, ...after }, options)).data;
    });
  }

  /** What the account owns of every asset. */
  balances(options?: CallOptions): Promise<Balance[]> {
    return this.send(calls.balances, {}, options);
  }

  /** The account's own trades, newest first: one page. A trade with itself is two rows. */
  fills(request: FillsRequest = {}, options?: CallOptions): Promise<Fill[]> {
    return this.send(calls.fills, request, options);
  }

  /** All own trades that `fills` would find, newest first, for `for await`; `size` is that of a page. */
  allFills(request: FillsRequest = {}, options?: CallOptions): AsyncGenerator<Fill, void> {
    const size = request.size ?? ROWS_PER_PAGE;
    return byLastRow<Fill>(size, (last) => {
      const after = last === undefined ? {} : { lastTradeId: last.tradeId };
      return this.fills({ ...request, size, ...after }, options);
    });
  }

  /** The rates of the account's next fill, by pair. */
  fees(options?: CallOptions): Promise<Fees[]> {
    return this.send(calls.fees, {}, options);
  }

  /** The statement, newest first: one page, with the balances before and after the whole window. */
  ledger(request: StatementRequest = {}, options?: CallOptions): Promise<Statement> {
    return this.send(calls.ledger, { ...request, format: 'json' }, options);
  }

  /** All entries of the statement, newest first, for `for await`; `size` is that of a page. */
  allLedgerEntries(
    request: StatementRequest = {},
    options?: CallOptions,
  ): AsyncGenerator<LedgerEntry, void> {
    const size = request.size ?? ROWS_PER_PAGE;
    return byLastRow<LedgerEntry>(size, async (last) => {
      const after = last === undefined ? {} : { lastEntryId: last.entryId };
      return (await this.ledger({ ...request, size, ...after }, options)).data;
    });
  }

  /** The statement of a whole window as one CSV text (RFC 4180), oldest first, between opening and closing balances. */
  ledgerCsv(
    request: Omit<StatementRequest, 'size' | 'lastEntryId'> = {},
    options?: CallOptions,
  ): Promise<string> {
    return this.sendForText(calls.ledger, { ...request, format: 'csv' }, options);
  }
}

/** The form of the answer is that of the method. */
export type StatementRequest = Omit<LedgerRequest, 'format'>;

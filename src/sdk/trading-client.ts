// The client of trading and of the account, without earn.

import { calls } from './generated/calls.ts';
import { TradingMethods } from './generated/methods-trading.ts';
import type {
  Fill,
  FillsRequest,
  LedgerEntry,
  LedgerRequest,
  Order,
  OrdersRequest,
  Statement,
} from './generated/types.ts';
import { byLastRow } from './pages.ts';
import type { CallOptions } from './transport.ts';

const ROWS_PER_PAGE = 1000;

/**
 * Methods also throw Unauthorized and Forbidden. A write whose answer is lost throws OutcomeUnknown
 * if nothing shows its result.
 */
export class TradingClient extends TradingMethods {
  /** All orders that `orders` finds, newest first, for `for await`; `size` is the page size. */
  allOrders(request: OrdersRequest, options?: CallOptions) {
    const size = request.size ?? ROWS_PER_PAGE;
    return byLastRow<Order>(size, async (last) => {
      const after = last === undefined ? {} : { lastRowId: last.rowId };
      return (await this.orders({ ...request, size, ...after }, options)).data;
    });
  }

  /** All trades that `fills` finds, newest first, for `for await`; `size` is the page size. */
  allFills(request: FillsRequest = {}, options?: CallOptions) {
    const size = request.size ?? ROWS_PER_PAGE;
    return byLastRow<Fill>(size, (last) => {
      const after = last === undefined ? {} : { lastTradeId: last.tradeId };
      return this.fills({ ...request, size, ...after }, options);
    });
  }

  /** The statement, newest first: one page, with the balances before and after the window. */
  override ledger(request: StatementRequest = {}, options?: CallOptions): Promise<Statement> {
    return super.ledger({ ...request, format: 'json' }, options);
  }

  /** All entries of the statement, newest first, for `for await`; `size` is the page size. */
  allLedgerEntries(request: StatementRequest = {}, options?: CallOptions) {
    const size = request.size ?? ROWS_PER_PAGE;
    return byLastRow<LedgerEntry>(size, async (last) => {
      const after = last === undefined ? {} : { lastEntryId: last.entryId };
      return (await this.ledger({ ...request, size, ...after }, options)).data;
    });
  }

  /** The statement of a whole window as CSV (RFC 4180), oldest first, with its balances. */
  ledgerCsv(
    request: Omit<StatementRequest, 'size' | 'lastEntryId'> = {},
    options?: CallOptions,
  ): Promise<string> {
    return this.sendForText(calls.ledger, { ...request, format: 'csv' }, options);
  }
}

/** The method decides the format. */
type StatementRequest = Omit<LedgerRequest, 'format'>;

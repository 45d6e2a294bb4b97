// The account's money over time: the statement, and the faucet of a sandbox.
import type { Decimal } from '../exact/decimal.ts';
import { call, callText } from './transport.ts';

const LEDGER = '/spot-api/api/private/v1/ledger';

/** A change of what is in spot, available or held in orders. `type` is a kind such as `trade`. */
export interface Entry {
  readonly entryId: string;
  readonly time: string;
  readonly type: string;
  readonly asset: string;
  /** Positive: received. Negative: given. */
  readonly amount: Decimal;
  /** What is in spot after it. */
  readonly balance: Decimal;
  readonly tradeId: string | null;
  readonly orderId: string | null;
  readonly transferId: string | null;
  readonly reference: string | null;
  readonly applyId: string | null;
}

export interface WindowBalance {
  readonly asset: string;
  readonly openingBalance: Decimal;
  readonly closingBalance: Decimal;
}

export interface StatementPage {
  /** Newest first. */
  readonly data: readonly Entry[];
  /** Of the whole window, not of the page. */
  readonly balances: readonly WindowBalance[];
  readonly pagination: { readonly size: string; readonly lastEntryId: string | null };
}

/** Times are business time, epoch ms; both ends are included, an open end is left out. */
export interface StatementQuery {
  readonly asset?: string;
  readonly startTime?: number;
  readonly endTime?: number;
}

export const statement = (
  query: StatementQuery & { readonly size: number; readonly lastEntryId?: string },
  signal?: AbortSignal,
) => call<StatementPage>('GET', LEDGER, { query: { ...query }, signal });

/** The whole window as a file, oldest first. */
export const statementCsv = (query: StatementQuery) =>
  callText(LEDGER, { ...query, format: 'csv' });

/** Sandbox only: play money, each asset once a day (UTC). */
export const drawFaucet = (asset: string) =>
  call<{ readonly asset: string; readonly amount: Decimal }>('POST', '/user-center/v1/faucet', {
    body: { asset },
  });

// The account's money over time: the statement, and the faucet of a sandbox.
import type * as sdk from '../../src/sdk/answers.ts';
import { type CallOptions, client, userCenter } from './clients.ts';
import { inTexts, type Texts } from './texts.ts';

/** A change of what is in spot, available or held in orders. `type` is a kind such as `trade`. */
export type Entry = Texts<sdk.LedgerEntry>;
export type WindowBalance = Texts<sdk.StatementBalance>;
/** Newest first; the balances are those of the whole window, not of the page. */
export type StatementPage = Texts<sdk.Statement>;

/** Times are business time, epoch ms; both ends are included, an open end is left out. */
export interface StatementQuery {
  readonly asset?: string;
  readonly startTime?: number;
  readonly endTime?: number;
}

export function statement(
  query: StatementQuery & { readonly size: number; readonly lastEntryId?: string },
  options?: CallOptions,
) {
  const { lastEntryId, ...rest } = query;
  const below = lastEntryId === undefined ? {} : { lastEntryId: Number(lastEntryId) };
  return inTexts(client.ledger({ ...rest, ...below }, options));
}

/** The whole window as a file, oldest first. */
export const statementCsv = (query: StatementQuery) => client.ledgerCsv(query);

/** Sandbox only: play money, each asset once a day (UTC). */
export const drawFaucet = (asset: string) => userCenter.faucet({ asset });

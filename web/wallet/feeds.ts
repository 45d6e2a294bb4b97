// What the wallet reads besides balances and prices.
import { type StatementPage, type StatementQuery, statement } from '../api/account.ts';
import type { Feed } from '../live/live.ts';

export const STATEMENT_PAGE_SIZE = 25;

/** A page of the statement: the newest, or what lies below `lastEntryId`, which never changes. */
export const statementFeed = (
  query: StatementQuery,
  lastEntryId: string | null,
): Feed<StatementPage> => ({
  key: [
    'statement',
    query.asset ?? null,
    query.startTime ?? null,
    query.endTime ?? null,
    lastEntryId,
  ],
  every: lastEntryId === null ? 5_000 : null,
  read: (signal) =>
    statement(
      { ...query, size: STATEMENT_PAGE_SIZE, ...(lastEntryId === null ? {} : { lastEntryId }) },
      signal,
    ),
});

// The feeds of the wallet besides balances and prices.
import type { LedgerRequest, Statement } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { rereadOn } from '../live/channel.ts';
import * as channels from '../live/channels.ts';
import type { Feed } from '../live/live.ts';

/** Business time, epoch ms; includes both ends, and an open end is absent. */
export type StatementQuery = Pick<LedgerRequest, 'asset' | 'startTime' | 'endTime'>;

export const STATEMENT_PAGE_SIZE = 25;
/** One more entry than a page: it may pair with the last one, and shows that more follow. */
const READ_SIZE = STATEMENT_PAGE_SIZE + 1;

/** A page of the statement. Entries below `lastEntryId` never change. */
export const statementFeed = (
  query: StatementQuery,
  lastEntryId: number | null,
): Feed<Statement> => ({
  key: [
    'statement',
    query.asset ?? null,
    query.startTime ?? null,
    query.endTime ?? null,
    lastEntryId,
  ],
  every: lastEntryId === null ? 5_000 : null,
  ...(lastEntryId === null ? { updates: rereadOn(channels.balances) } : {}),
  read: (options) =>
    client.ledger(
      { ...query, size: READ_SIZE, ...(lastEntryId === null ? {} : { lastEntryId }) },
      options,
    ),
});

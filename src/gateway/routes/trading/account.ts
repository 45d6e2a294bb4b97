// The account's own calls: balances, fills, fee rates and tier, and the statement as pages or CSV.
// Balances and rates come from the core, fills and entries from the views at the core's position.

import type { Infer } from '../../../contract/fields.ts';
import { MAX_PAGE_ROWS } from '../../../contract/paging.ts';
import { invalidField } from '../../../contract/problem.ts';
import { readWindow } from '../../../contract/time-window.ts';
import {
  CSV_HEADER,
  csvBalance,
  csvEntry,
  type ledgerQuery,
  namedAsset,
  writeBalances,
  writeFees,
  writeFill,
  writeStatementPage,
} from '../../../contract/trading/account.ts';
import { accountCalls } from '../../../contract/trading/calls.ts';
import { writeTierOf } from '../../../contract/trading/fee-tier.ts';
import { DEFAULT_PAGE_SIZE } from '../../../contract/trading/order-query.ts';
import { findInstrument } from '../../../contract/trading/orders.ts';
import type { Amount } from '../../../core/units.ts';
import type { StatementBalance, StatementEntry } from '../../../views/statement.ts';
import { ok, type Reply } from '../../http/reply.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { reads } from '../kinds.ts';

/** A statement in progress cannot become a 503, so its pages may take longer. */
const CSV_PAGE_MS = 30_000;

type LedgerCall = Call<Infer<typeof ledgerQuery>, unknown>;

/** `format` decides; without it, the Accept header. */
function wantsCsv({ query, headers }: LedgerCall): boolean {
  if (query.format !== undefined) return query.format === 'csv';
  return /\btext\/csv\b/i.test(headers.get('accept') ?? '');
}

/**
 * The window of a statement. An open end is closed now, so that it does not grow while it is read.
 */
function statementOf({ engine }: Services, { uid, query }: LedgerCall) {
  const { asset } = query;
  const { start, end } = readWindow(query);
  const now = engine.now + 1;
  return {
    uid,
    assetId: asset === undefined ? undefined : namedAsset(engine.exchange.state, asset).assetId,
    start,
    end: end === undefined || end > now ? now : end,
  };
}

async function statementPage(services: Services, call: LedgerCall) {
  const { engine, views } = services;
  const { lastEntryId, size = DEFAULT_PAGE_SIZE } = call.query;
  const about = statementOf(services, call);
  const seq = engine.seq;
  const [balances, entries] = await Promise.all([
    views.query({ type: 'statementBalances', ...about }, seq),
    views.query({ type: 'statement', ...about, order: 'newestFirst', size, lastEntryId }, seq),
  ]);
  const closed = lastEntryId === undefined ? closeWith(balances, entries) : balances;
  return ok(writeStatementPage(engine.exchange.state, entries, closed, size), seq);
}

/**
 * The closing balances after the newest entries: the views may have added an entry between their
 * two answers, and opening + entries = closing must hold.
 */
function closeWith(
  balances: readonly StatementBalance[],
  newestFirst: readonly StatementEntry[],
): StatementBalance[] {
  return balances.map((balance) => {
    const newest = newestFirst.find(({ assetId }) => assetId === balance.assetId);
    return newest === undefined ? balance : { ...balance, closing: newest.balance };
  });
}

/**
 * The whole window, oldest entry first, between the opening and the closing balance of each asset.
 */
async function csvStatement(services: Services, call: LedgerCall): Promise<Reply<never>> {
  for (const field of ['size', 'lastEntryId'] as const) {
    if (call.query[field] === undefined) continue;
    const must = 'be left out for CSV, which has no pages';
    throw invalidField(field, must, { rule: 'absent' });
  }
  const { engine, views } = services;
  const about = statementOf(services, call);
  const seq = engine.seq;
  const done = services.limits.beginLongRead(call.uid);
  let balances: readonly StatementBalance[];
  try {
    balances = await views.query({ type: 'statementBalances', ...about }, seq);
  } catch (error) {
    done();
    throw error;
  }
  const lines = statementLines(services, about, balances, seq, () =>
    services.limits.chargeRead(call, 1),
  );
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': 'attachment; filename="statement.csv"',
  };
  return { status: 200, body: streamOf(lines, done), seq, headers };
}

async function* statementLines(
  { engine, views }: Services,
  about: ReturnType<typeof statementOf>,
  balances: readonly StatementBalance[],
  seq: number,
  chargePage: () => void,
): AsyncGenerator<string> {
  const { state } = engine.exchange;
  const closing = new Map<number, Amount>();
  let text = CSV_HEADER;
  for (const { assetId, opening } of balances) {
    text += csvBalance(state, 'opening', assetId, opening);
    closing.set(assetId, opening);
  }
  yield text;
  for (let lastEntryId = 0; ; ) {
    const page = await views.query(
      { type: 'statement', ...about, order: 'oldestFirst', size: MAX_PAGE_ROWS, lastEntryId },
      seq,
      CSV_PAGE_MS,
    );
    for (const { assetId, balance } of page) closing.set(assetId, balance);
    yield page.map((entry) => csvEntry(state, entry)).join('');
    if (page.length < MAX_PAGE_ROWS) break;
    lastEntryId = page.at(-1)!.entryId;
    chargePage();
  }
  const assets = [...closing].sort(([a], [b]) => a - b);
  yield assets.map(([assetId, owned]) => csvBalance(state, 'closing', assetId, owned)).join('');
}

/**
 * Texts as bytes, read only as fast as the caller takes them; `done` is called when nothing more is
 * read.
 */
function streamOf(texts: AsyncGenerator<string>, done: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        let next = await texts.next();
        while (next.done !== true && next.value === '') next = await texts.next();
        if (next.done !== true) {
          controller.enqueue(encoder.encode(next.value));
          return;
        }
      } catch (error) {
        done();
        throw error;
      }
      done();
      controller.close();
    },
    async cancel() {
      done();
      await texts.return(undefined);
    },
  });
}

export const accountRoutes: readonly Route[] = [
  reads(accountCalls.balances, (state, { uid }) => writeBalances(state, uid)),
  reads(accountCalls.fees, (state, { uid }, { engine }) =>
    state.instruments
      .filter((instrument) => instrument !== undefined)
      .map((instrument) => writeFees(state, instrument, uid, engine.now)),
  ),
  reads(accountCalls.feeTier, (state, { uid }, { engine }) => writeTierOf(state, uid, engine.now)),
  reads(accountCalls.fills, async (state, { uid, query }, { views }) => {
    const { symbol, orderId, lastTradeId, size } = query;
    const securityId = findInstrument(state, { symbol, securityId: undefined })?.securityId;
    const page = { type: 'fills', uid, size, securityId, orderId, lastTradeId } as const;
    const found = await views.query({ ...page, ...readWindow(query) }, state.seq);
    return found.map((fill) => writeFill(fill, state));
  }),
  route(accountCalls.ledger, {
    handle: (services, call) =>
      wantsCsv(call) ? csvStatement(services, call) : statementPage(services, call),
  }),
];

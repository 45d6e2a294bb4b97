// Rounds of history: a process writes the views of a long journal and is killed again and again
// meanwhile. In the end the views equal those that one process builds from the journal, and a page
// of the customer with all the fills takes milliseconds.
import { join } from 'node:path';
import { OrdStatus, Side } from '../../src/core/fix.ts';
import { verifyViews } from '../../src/engine/verify-views.ts';
import { openJournalReader } from '../../src/journal/open-journal.ts';
import { ViewStore, viewsPath } from '../../src/views/view-store.ts';
import { runQuery, type ViewQuery } from '../../src/views/views.ts';
import { viewsOf } from '../harness/views.ts';
import { Prng } from '../support/prng.ts';
import { TWO_PAIRS } from '../support/view-files.ts';
import { REUSED, TRADER, writeFillHistory } from './fill-history.ts';

export interface FillOptions {
  readonly fills: number;
  readonly kills: number;
  readonly seed: number;
  readonly directory: string;
  readonly progress: (line: string) => void;
}

export interface FillReport {
  readonly commands: number;
  /** Rows that were compared. */
  readonly rows: number;
  /** Median of each page, ms. */
  readonly pages: Readonly<Record<string, number>>;
}

const REPEATS = 21;
/** Between two looks at how far the views are. */
const LOOK_MS = 5;

export async function runFillRounds(options: FillOptions): Promise<FillReport> {
  const { directory, fills, kills, seed, progress } = options;
  const { last, middle } = await writeFillHistory(directory, fills, seed);
  progress(`${last.seq} commands are in the journal`);
  const random = new Prng(seed);
  const seqs = Array.from({ length: kills }, () => random.below(last.seq)).sort((a, b) => a - b);
  for (const [i, seq] of seqs.entries()) {
    const child = follow(directory);
    while (viewsOf(directory).seq < seq && child.exitCode === null) await Bun.sleep(LOOK_MS);
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}, seed ${seed}`);
    child.kill('SIGKILL');
    await child.exited;
    progress(`kill ${i + 1}/${kills} at ${viewsOf(directory).seq}`);
  }
  const exitCode = await follow(directory).exited;
  if (exitCode !== 0) throw new Error(`it ended with ${exitCode}, seed ${seed}`);
  const pages = pageTimes(directory, middle);
  progress(`pages: ${JSON.stringify(pages)}`);
  await using journal = openJournalReader(directory);
  const { rows, differences, appliedSeq } = await verifyViews({
    viewsPath: viewsPath(directory),
    journal,
  });
  if (differences.length > 0) {
    throw new Error(`seed ${seed}: the views differ: ${JSON.stringify(differences[0])}`);
  }
  if (appliedSeq !== last.seq) throw new Error(`seed ${seed}: the views end at ${appliedSeq}`);
  return { commands: last.seq, rows, pages };
}

const follow = (directory: string) =>
  Bun.spawn([process.execPath, join(import.meta.dir, 'follow-process.ts'), directory], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });

function pageTimes(directory: string, time: number): Record<string, number> {
  const store = ViewStore.open(viewsPath(directory), TWO_PAIRS);
  try {
    const middle = { lastRowId: half(store, { type: 'orders', uid: TRADER, size: 1 }) };
    const of = { uid: TRADER, size: 100 };
    const orders = { type: 'orders', ...of } as const;
    const fills = { type: 'fills', ...of } as const;
    const statement = { type: 'statement', order: 'newestFirst', ...of } as const;
    const [{ orderId, clOrdId }] = store.orders.find({ ...orders, ...middle, size: 1 });
    const canceled = { side: Side.sell, ordStatus: OrdStatus.canceled };
    const queries: Record<string, ViewQuery> = {
      orders,
      'orders from the middle': { ...orders, ...middle },
      'orders by time': { ...orders, end: time },
      'orders by filter': { ...orders, ...middle, filter: canceled },
      'orders by clOrdId': { ...orders, filter: { clOrdId } },
      'orders by a reused clOrdId': { ...orders, filter: { clOrdId: REUSED, ...canceled } },
      fills,
      'fills from the middle': { ...fills, lastTradeId: half(store, fills) },
      'fills by time': { ...fills, end: time },
      'fills of an order': { ...fills, orderId },
      statement,
      'statement from the middle': { ...statement, lastEntryId: half(store, statement) },
      'statement by time': { ...statement, assetId: 1, end: time },
    };
    return Object.fromEntries(
      Object.entries(queries).map(([name, query]) => [name, medianTime(store, query)]),
    );
  } finally {
    store.close();
  }
}

/** Half of the id of the first row of a page. */
function half(store: ViewStore, query: ViewQuery): number {
  const [row] = runQuery(store, query) as readonly Readonly<Record<string, number>>[];
  return Math.ceil((row!.entryId ?? row!.tradeId ?? row!.orderId!) / 2);
}

function medianTime(store: ViewStore, query: ViewQuery): number {
  const times = Array.from({ length: REPEATS }, () => {
    const start = performance.now();
    const page = runQuery(store, query);
    if ((page as readonly unknown[]).length === 0) throw new Error('a page is empty');
    return performance.now() - start;
  });
  const median = times.sort((a, b) => a - b)[REPEATS >> 1]!;
  return Math.round(median * 100) / 100;
}

// Part `archive`: the start time of a node with fifty million archived commands, and the time of
// archiving them. The history is signed orders and their cancels in an ordinary journal, two
// snapshots, and views without rows at its end, since a start opens them and reads none.
import { Database } from 'bun:sqlite';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../src/core/exchange.ts';
import { Side } from '../src/core/fix.ts';
import { snapshotsOf, writeSnapshot } from '../src/engine/snapshot-store.ts';
import { openFileJournal } from '../src/journal/open-journal.ts';
import { ViewStore, viewsPath } from '../src/views/view-store.ts';
import { createKeys, HistoryWriter, snapshotKeysOf } from './support/data-directory.ts';
import { startSeconds } from './support/load.ts';
import { type Context, type Findings, figure } from './support/part.ts';
import { job, runAgio } from './support/processes.ts';
import { cancelCommand, orderCommand, venueCommands } from './support/venue.ts';

const FULL = { commands: 50_000_000, snapshotEvery: 250_000 };
const QUICK = { commands: 1_500_000, snapshotEvery: 250_000 };

const USERS = 200;
/** A hundred commands a second: so many signatures are remembered as at that pace. */
const COMMANDS_A_RECORD = 64;
const MS_A_RECORD = 640;

/** Sends orders, each canceled right after, until the exchange stands at `seq`. */
async function trade(history: HistoryWriter, seq: number): Promise<void> {
  const { exchange } = history;
  while (exchange.state.seq < seq) {
    const number = exchange.state.seq;
    const uid = 1 + (number % USERS);
    const signature = (n: number) => ({
      keyId: uid,
      timestamp: history.time,
      digestHigh: Math.imul(n, 0x9e3779b1) >>> 0,
      digestLow: Math.imul(n, 0x85ebca6b) >>> 0,
    });
    const terms = { uid, side: Side.buy, quantity: 10, price: 5_000_000, clOrdId: '' };
    const { orderId } = history.send(orderCommand({ ...terms, signature: signature(number) }));
    history.send(cancelCommand(uid, orderId, signature(number + 1)));
    if (exchange.state.seq % COMMANDS_A_RECORD < 2) await history.advance(MS_A_RECORD);
  }
}

/** Closes the history and takes a snapshot of it. */
async function snapshotOf(dataDir: string, history: HistoryWriter): Promise<Uint8Array> {
  await history.close();
  const journal = await openFileJournal(dataDir);
  const { chainHash } = journal.head;
  await journal.close();
  const snapshots = snapshotsOf(dataDir, snapshotKeysOf(dataDir));
  writeSnapshot(snapshots, history.exchange.state, chainHash);
  return chainHash;
}

/** Views that say that they have seen everything. */
function placeViews(dataDir: string, { state }: Exchange, chainHash: Uint8Array): void {
  const path = viewsPath(dataDir);
  ViewStore.open(path, () => []).close();
  const db = new Database(path);
  db.query('UPDATE meta SET appliedSeq = ?, chainHash = ?, stateHash = ?').run(
    state.seq,
    chainHash,
    state.stateHash(),
  );
  db.run('INSERT INTO instruments VALUES (1, 0, 1)');
  db.close();
}

/** Returns the last seq. */
const writeHistory = job(
  import.meta,
  async (plan: { dataDir: string; commands: number; snapshotEvery: number }): Promise<number> => {
    const { dataDir, commands, snapshotEvery } = plan;
    const first = await HistoryWriter.open(dataDir);
    const { exchange } = first;
    await first.sendAll(venueCommands(USERS));
    await trade(first, commands - snapshotEvery);
    await snapshotOf(dataDir, first);
    const second = await HistoryWriter.open(dataDir, exchange);
    await trade(second, commands);
    const chainHash = await snapshotOf(dataDir, second);
    placeViews(dataDir, exchange, chainHash);
    createKeys(dataDir, USERS);
    return exchange.state.seq;
  },
);

export async function archive(context: Context): Promise<Findings> {
  const size = context.quick ? QUICK : FULL;
  const dataDir = join(context.directory, 'data');
  const target = join(context.directory, 'archive');
  context.step(`writing ${size.commands.toLocaleString('en')} commands`);
  const commands = await writeHistory({ dataDir, ...size });
  const before = bytesOf(join(dataDir, 'journal'));
  context.step('starting with the whole journal');
  const whole = await startSeconds(dataDir);
  context.step('archiving');
  const start = performance.now();
  const text = await runAgio(['journal', 'archive', '--to', target, '--data', dataDir]);
  const seconds = (performance.now() - start) / 1000;
  if (!text.includes('The journal begins at command')) throw new Error(`not archived: ${text}`);
  const after = bytesOf(join(dataDir, 'journal'));
  const starts: number[] = [];
  for (let run = 0; run < context.runs; run++) {
    context.step(`start ${run + 1}`);
    starts.push(await startSeconds(dataDir));
  }
  const limit = { atMost: 2 };
  const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(2);
  return {
    figures: [
      figure('start with an archived journal, process start to listening', 's', starts, limit),
      figure('the same before it was archived', 's', [whole]),
      figure('commands archived, verified and removed', '/s', [commands / seconds]),
    ],
    notes: [
      `${commands.toLocaleString('en')} signed orders and cancels in records of 64: ` +
        `${gigabytes(before)} GB of journal before, ${gigabytes(after)} GB after, which is ` +
        `what two snapshots ${size.snapshotEvery.toLocaleString('en')} commands apart need.`,
    ],
  };
}

function bytesOf(directory: string): number {
  const names = readdirSync(directory);
  return names.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

// Writes a data directory with a long history for part `archive`: signed orders and their cancels
// in an ordinary journal, two snapshots, and views at the end of the journal. The views have no
// rows, since a start opens them and reads none.
import { Database } from 'bun:sqlite';
import type { Exchange } from '../../src/core/exchange.ts';
import { Side } from '../../src/core/fix.ts';
import { snapshotsOf, writeSnapshot } from '../../src/engine/snapshot-store.ts';
import { openFileJournal } from '../../src/journal/open-journal.ts';
import { ViewStore, viewsPath } from '../../src/views/view-store.ts';
import { createKeys, HistoryWriter, snapshotKeysOf } from './data-directory.ts';
import { argumentOf, report } from './processes.ts';
import { cancelCommand, orderCommand, venueCommands } from './venue.ts';

export interface ArchivedPlan {
  readonly dataDir: string;
  readonly commands: number;
  /** Commands from one snapshot to the next. */
  readonly snapshotEvery: number;
}

export interface ArchivedHistory {
  /** The last seq. */
  readonly commands: number;
}

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
  ViewStore.open(path, () => ({ base: 0, quote: 1 })).close();
  const db = new Database(path);
  db.query('UPDATE meta SET appliedSeq = ?, chainHash = ?, stateHash = ?').run(
    state.seq,
    chainHash,
    state.stateHash(),
  );
  db.run('INSERT INTO instruments VALUES (1, 0, 1)');
  db.close();
}

async function write({ dataDir, commands, snapshotEvery }: ArchivedPlan): Promise<ArchivedHistory> {
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
  return { commands: exchange.state.seq };
}

report(await write(argumentOf<ArchivedPlan>()));

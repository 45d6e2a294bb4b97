// The memory of one large command at one stage, in a process of its own: it writes the history of
// the command, or brings a stage to the point before it and then through it.
import { mkdirSync } from 'node:fs';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import type { Command } from '../../src/core/command.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { Side } from '../../src/core/fix.ts';
import { RecordRun } from '../../src/engine/recovery.ts';
import { emptyState, snapshotsOf, writeSnapshot } from '../../src/engine/snapshot-store.ts';
import { openJournalReader } from '../../src/journal/open-journal.ts';
import { createKeys, HistoryWriter, openFollower, snapshotKeysOf } from './data-directory.ts';
import {
  accounts,
  accountsOf,
  ICEBERGS,
  largeCases,
  order,
  type Pair,
  pairOf,
  setUpCommands,
  TAKER,
} from './large-cases.ts';
import { peakOf, resetPeak } from './peak-memory.ts';
import { job } from './processes.ts';

export type Stage = 'replay' | 'subscribers' | 'follower' | 'snapshot';

interface Write {
  readonly dataDir: string;
  readonly icebergs: number;
  /** `plain`: as many plain orders, each of which another one takes. */
  readonly attack: 'none' | 'large' | 'plain';
}

interface Measured {
  readonly do: Stage;
  readonly dataDir: string;
  readonly from: number;
  readonly to: number;
}

interface Written {
  readonly keys: readonly ApiKey[];
  /** The last command before the attack, and the last one of it. */
  readonly from: number;
  readonly to: number;
}

/** Bytes of the process: before the command, and at most from there on. */
export interface Growth {
  readonly before: number;
  readonly peak: number;
}

/** Writes two equal attacks: the first one warms a stage up. */
async function write({ dataDir, icebergs, attack }: Write): Promise<Written> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const history = await HistoryWriter.open(dataDir);
  await history.sendAll(accounts());
  const one = largeCases(icebergs)[ICEBERGS]!;
  const pairs = [0, 1].map((run) => pairOf(1, 0, run));
  const plainOrders = (pair: Pair, terms: { uid: number; side: Side }): Command[] =>
    Array.from({ length: icebergs }, () => order(pair, terms));
  const plain = {
    ...one,
    setUp: (pair: Pair) => plainOrders(pair, { uid: pair.holder, side: Side.sell }),
  };
  for (const pair of pairs) {
    await history.sendAll(setUpCommands(attack === 'plain' ? plain : one, pair));
  }
  let from = 0;
  for (const pair of pairs) {
    // Ends the record.
    await history.advance(1);
    from = history.exchange.state.seq;
    if (attack === 'plain') {
      await history.sendAll(plainOrders(pair, { uid: TAKER, side: Side.buy }));
    } else if (attack === 'large') await writeSlices(history, one.attack(pair));
  }
  await history.close();
  const keys = createKeys(dataDir, accountsOf(1, pairs.length));
  return { keys, from, to: history.exchange.state.seq };
}

/** A command and the timers that complete it, each with the work of a record. */
async function writeSlices(history: HistoryWriter, command: Command): Promise<void> {
  history.send(command);
  await history.advance(1);
  while (history.exchange.isBusy) {
    history.send({ type: 'runTimers' });
    await history.advance(1);
  }
}

/** The resident memory before, and its peak while `task` runs. */
async function growthOf(task: () => unknown): Promise<Growth> {
  for (let i = 0; i < 3; i++) {
    Bun.gc(true);
    await Bun.sleep(100);
  }
  const before = resetPeak(process.pid);
  await task();
  return { before, peak: peakOf(process.pid) };
}

/** Applies the commands up to `to`; returns the chain hash there. */
async function apply(exchange: Exchange, dataDir: string, to: number): Promise<Uint8Array> {
  const journal = openJournalReader(dataDir);
  let chainHash = new Uint8Array();
  const first = exchange.state.seq + 1;
  for await (const records of journal.read(first, to)) {
    for (const record of records) {
      const run = new RecordRun(exchange, record);
      while (run.next() !== null);
      chainHash = new Uint8Array(record.chainHash);
    }
  }
  await journal.close();
  return chainHash;
}

async function measureCore({ do: stage, dataDir, from, to }: Measured): Promise<Growth> {
  const filter = stage === 'subscribers' ? EventFilter.all() : EventFilter.none();
  const exchange = new Exchange(emptyState(), filter);
  await apply(exchange, dataDir, from);
  if (stage !== 'snapshot') return growthOf(() => apply(exchange, dataDir, to));
  // In the middle of the match.
  const chainHash = await apply(exchange, dataDir, from + Math.ceil((to - from) / 2));
  const snapshots = snapshotsOf(dataDir, snapshotKeysOf(dataDir));
  return growthOf(() => writeSnapshot(snapshots, exchange.state, chainHash));
}

async function measureFollower({ dataDir, from, to }: Measured): Promise<Growth> {
  const follower = await openFollower(dataDir);
  const reach = async (seq: number): Promise<void> => {
    follower.notifyDurable(seq);
    while (follower.appliedSeq < seq) await Bun.sleep(5);
  };
  await reach(from);
  const growth = await growthOf(() => reach(to));
  await follower.abandon();
  return growth;
}

export const writeAttacks = job(import.meta, write, 'write');
/** The growth of one stage. */
export const measureStage = job(
  import.meta,
  (question: Measured) =>
    question.do === 'follower' ? measureFollower(question) : measureCore(question),
  'measure',
);

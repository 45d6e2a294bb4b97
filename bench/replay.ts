// Part `replay`: the recovery of a million commands from a file journal without a snapshot. Also
// the time from the start of a process to "listening", with a snapshot and 100,000 commands after
// it. The commands are those of part `core`, signed, in an ordinary journal.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WriteSignature } from '../src/core/command.ts';
import type { Side } from '../src/core/fix.ts';
import { recover } from '../src/engine/recovery.ts';
import { snapshotsOf } from '../src/engine/snapshot-store.ts';
import { openFileJournal } from '../src/journal/open-journal.ts';
import { createKeys, followHistory, HistoryWriter } from './support/data-directory.ts';
import { startSeconds } from './support/load.ts';
import { Kind, makeStream, OPERATION_WORDS, RESTING, SHAPES } from './support/order-stream.ts';
import {
  alternate,
  type Context,
  type Findings,
  figure,
  figuresOf,
  sizeOf,
} from './support/part.ts';
import { job } from './support/processes.ts';
import { cancelCommand, orderCommand, venueCommands } from './support/venue.ts';

const SEED = 20_260_102;

const FULL = {
  replayed: 1_000_000,
  /** Commands before the snapshot: as many as a node applies before it takes one. */
  history: 250_000,
  behind: 100_000,
};
type Size = typeof FULL;

const USERS = 1000;

class StreamWriter {
  readonly #words: Int32Array;
  #next = 0;

  constructor(stream: string) {
    const bytes = readFileSync(stream);
    this.#words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  }

  async write(history: HistoryWriter, operations: number): Promise<void> {
    const end = this.#next + operations;
    for (; this.#next < end; this.#next++) {
      this.#send(history, this.#next);
      await history.flushFull();
    }
  }

  #send(history: HistoryWriter, operation: number): void {
    const at = operation * OPERATION_WORDS;
    const words = this.#words;
    const order = words[at + 3];
    const uid = 1 + (order % USERS);
    const signature = signatureOf(uid, operation, history.time);
    if (words[at] >> 2 === Kind.cancel) {
      history.send(cancelCommand(uid, order, signature));
      return;
    }
    const [price, quantity] = [words[at + 1], words[at + 2]];
    const side = (words[at] & 3) as Side;
    const { orderId } = history.send(
      orderCommand({ uid, side, quantity, price, clOrdId: '', signature }),
    );
    if (orderId !== order) throw new Error(`order ${order} was given the orderId ${orderId}`);
  }
}

/** Like a real signature: unique to its key, with the time of its request. */
const signatureOf = (keyId: number, number: number, timestamp: number): WriteSignature => ({
  keyId,
  timestamp,
  digestHigh: Math.imul(number + 1, 0x9e3779b1) >>> 0,
  digestLow: Math.imul(number + 1, 0x85ebca6b) >>> 0,
});

interface HistoryPlan {
  readonly dataDir: string;
  /** The file of a stream's operations. */
  readonly stream: string;
  /** Operations before the snapshot, or all of them. */
  readonly operations: number;
  /** Operations after it; null for no snapshot. */
  readonly behindSnapshot: number | null;
}

const writeHistory = job(
  import.meta,
  async ({ dataDir, stream, operations, behindSnapshot }: HistoryPlan) => {
    const operationsOf = new StreamWriter(stream);
    const history = await HistoryWriter.open(dataDir);
    const { exchange } = history;
    await history.sendAll(venueCommands(USERS));
    await operationsOf.write(history, operations);
    await history.close();
    if (behindSnapshot === null) return null;
    await followHistory(dataDir, exchange);
    const more = await HistoryWriter.open(dataDir, exchange);
    await operationsOf.write(more, behindSnapshot);
    await more.close();
    createKeys(dataDir, 1);
    return null;
  },
  'write',
);

/** Recovers the state from a file journal as a starting node does. */
const recoverAll = job(
  import.meta,
  async (dataDir: string) => {
    const start = performance.now();
    const journal = await openFileJournal(dataDir);
    const opened = performance.now();
    const { exchange, replayed } = await recover(journal, snapshotsOf(dataDir, []), (sentence) => {
      throw new Error(sentence);
    });
    const end = performance.now();
    if (replayed !== exchange.state.seq) throw new Error('not everything was replayed');
    await journal.close();
    const [verifySeconds, applySeconds] = [(opened - start) / 1000, (end - opened) / 1000];
    return { commands: replayed, verifySeconds, applySeconds };
  },
  'recover',
);
type ReplayTime = Awaited<ReturnType<typeof recoverAll>>;

export async function replay(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const { journal, snapshot } = await prepare(context, size);
  const startTimes: number[] = [];
  const { recovery } = await alternate(context, {
    recovery: () => recoverAll(journal),
    start: async () => {
      startTimes.push(await startOfCopy(context, snapshot));
      return null;
    },
  });
  const times = recovery as readonly ReplayTime[];
  const rate = (time: ReplayTime): number =>
    time.commands / (time.verifySeconds + time.applySeconds);
  return {
    figures: [
      ...figuresOf(times, [
        ['commands recovered', '/s', rate, { atLeast: 300_000 }],
        ['of which: the journal verified', '/s', (time) => time.commands / time.verifySeconds],
        [
          'of which: read again, decoded, applied',
          '/s',
          (time) => time.commands / time.applySeconds,
        ],
      ]),
      figure('start with a snapshot, process start to listening', 's', startTimes, { atMost: 2 }),
    ],
    notes: [
      `Recovery: ${times[0]!.commands.toLocaleString('en')} signed commands in records of ` +
        '64, no snapshot, 10,000 orders resting. Start: a snapshot after ' +
        `${size.history.toLocaleString('en')} commands and ${size.behind.toLocaleString('en')} ` +
        'commands behind it.',
      'A start verifies every record that the journal still has, also those before the ' +
        'snapshot; each further million of them adds a million ÷ “the journal verified”.',
    ],
  };
}

interface Prepared {
  /** Data directories: with a journal only, and with a snapshot and more behind it. */
  readonly journal: string;
  readonly snapshot: string;
}

async function prepare(context: Context, size: Size): Promise<Prepared> {
  context.step('writing the histories');
  const most = Math.max(size.replayed, size.history + size.behind);
  const stream = makeStream(SEED, most - RESTING, SHAPES.wide);
  const file = join(context.directory, 'stream');
  writeFileSync(file, stream.operations);
  const journal = join(context.directory, 'journal-only');
  const snapshot = join(context.directory, 'with-snapshot');
  const plans: HistoryPlan[] = [
    { stream: file, dataDir: journal, operations: size.replayed, behindSnapshot: null },
    { stream: file, dataDir: snapshot, operations: size.history, behindSnapshot: size.behind },
  ];
  for (const plan of plans) await writeHistory(plan);
  return { journal, snapshot };
}

/** On a copy, since a started node writes. */
async function startOfCopy(context: Context, prepared: string): Promise<number> {
  const dataDir = join(context.directory, 'started');
  cpSync(prepared, dataDir, { recursive: true });
  try {
    return await startSeconds(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

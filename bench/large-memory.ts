// Part `large-memory`: the memory of an order that meets very many icebergs, at each stage in a
// process of its own and in a whole node; its fills, its history, and a start after a crash.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey } from '../src/cli/bench/order-script.ts';
import { EventFilter } from '../src/core/event-filter.ts';
import { Exchange } from '../src/core/exchange.ts';
import { Side } from '../src/core/fix.ts';
import { RecordRun } from '../src/engine/recovery.ts';
import { emptyState, writeSnapshot } from '../src/engine/snapshot-store.ts';
import { openJournalReader } from '../src/journal/open-journal.ts';
import { AgioClient } from '../src/sdk/client.ts';
import { peakOf, resetPeak } from './support/accounts.ts';
import { createKeys, openFollower, snapshotsIn, Writer } from './support/history.ts';
import {
  accounts,
  accountsWith,
  attackNode,
  icebergs,
  order,
  PARTS,
  pairOf,
  setUpCommands,
  TAKER,
  watch,
} from './support/large.ts';
import { caughtUp, metricOf, startNode } from './support/load.ts';
import { type Context, many, part, type Row } from './support/part.ts';
import { program } from './support/processes.ts';

/** The stages of a command. */
const STAGES = {
  replay: 'leader without subscribers, and replay',
  subscribers: 'leader with subscribers of all events',
  follower: 'follower',
  snapshot: 'snapshot in the middle of the match',
} as const;
type Stage = keyof typeof STAGES;

/** 32 MB a command at a stage, and 2 GB a node. */
const OF_COMMAND = { atMost: 32 * 2 ** 20 };
const OF_NODE = { atMost: 2 ** 31 };

/** A first attack warms a stage up, and a second one is measured. */
const PAIRS = [pairOf(1, 0, 0), pairOf(1, 0, 1)];

/** Bytes by which the peak of the resident memory exceeds what there was before. */
async function growthOf(task: () => unknown): Promise<number> {
  for (let i = 0; i < 3; i++) {
    Bun.gc(true);
    await Bun.sleep(100);
  }
  const before = resetPeak(process.pid);
  await task();
  return peakOf(process.pid) - before;
}

/** Applies the commands up to `to`; returns the chain hash there. */
async function apply(exchange: Exchange, dataDir: string, to: number): Promise<Uint8Array> {
  const journal = openJournalReader(dataDir);
  let chainHash = new Uint8Array();
  for await (const records of journal.read(exchange.state.seq + 1, to)) {
    for (const record of records) {
      const run = new RecordRun(exchange, record);
      while (run.next() !== null);
      chainHash = new Uint8Array(record.chainHash);
    }
  }
  await journal.close();
  return chainHash;
}

const { once } = program(import.meta, {
  /** Writes the orders that wait, and both attacks if `isAttacked`. */
  async write(dataDir: string, count: number, isAttacked: boolean) {
    const writer = await new Writer().open(dataDir);
    await writer.sendAll(accounts());
    for (const pair of PAIRS) await writer.sendAll(setUpCommands(icebergs(count).setUp, pair));
    let from = 0;
    for (const pair of isAttacked ? PAIRS : []) {
      // Each command with its own record: the attack, and the timers that complete it.
      await writer.advance(1);
      from = writer.exchange.state.seq;
      writer.send(order(pair, { uid: TAKER, side: Side.buy, quantity: count * PARTS }));
      await writer.advance(1);
      while (writer.exchange.isBusy) {
        writer.send({ type: 'runTimers' });
        await writer.advance(1);
      }
    }
    await writer.close();
    const keys = createKeys(dataDir, accountsWith(PAIRS.length));
    return { keys, from, to: writer.exchange.state.seq };
  },

  /** The growth of a stage by the commands after `from`. */
  async stage(stage: Stage, dataDir: string, from: number, to: number): Promise<number> {
    if (stage === 'follower') return followerGrowth(dataDir, from, to);
    const filter = stage === 'subscribers' ? EventFilter.all() : EventFilter.none();
    const exchange = new Exchange(emptyState(), filter);
    await apply(exchange, dataDir, from);
    if (stage !== 'snapshot') return growthOf(() => apply(exchange, dataDir, to));
    const chainHash = await apply(exchange, dataDir, from + Math.ceil((to - from) / 2));
    return growthOf(() => writeSnapshot(snapshotsIn(dataDir), exchange.state, chainHash));
  },
});

async function followerGrowth(dataDir: string, from: number, to: number): Promise<number> {
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

/** The peak of a node, the time until the history has the second attack, the peak of a start. */
async function runNode({ directory }: Context, count: number) {
  const dataDir = join(directory, 'node');
  rmSync(dataDir, { recursive: true, force: true });
  const { keys } = await once.write(dataDir, count, false);
  const { peak, historyMs } = await attackTwice(dataDir, keys, count);
  await using node = await startNode(dataDir);
  await caughtUp(node.url);
  const open = await metricOf(node.url, 'agio_open_orders');
  if (open !== 0) throw new Error(`${open} orders are open`);
  return { peak, historyMs, startPeak: peakOf(node.pid) };
}

/** Ends with a kill. */
async function attackTwice(dataDir: string, keys: readonly ApiKey[], count: number) {
  await using node = await startNode(dataDir);
  let historyMs = 0;
  for (const pair of PAIRS) {
    await caughtUp(node.url);
    await using _watchers = await watch(node.url, pair, keys);
    ({ historyMs } = await attackNode(node.url, icebergs(count), pair, keys));
  }
  const peak = peakOf(node.pid);
  await checkFills(node.url, keys[TAKER - 1], count);
  return { peak, historyMs };
}

/** Throws unless the order has one fill of each iceberg, whole, at its price. */
async function checkFills(url: string, key: ApiKey, count: number): Promise<void> {
  const expected = [PARTS / 1e6, 100, PARTS / 1e4].join();
  let fills = 0;
  for await (const fill of new AgioClient({ url, ...key }).allFills({ symbol: PAIRS[1].symbol })) {
    const found = [fill.quantity, fill.price, fill.quoteAmount].map(Number).join();
    if (found !== expected) throw new Error(`a fill is ${found}`);
    fills++;
  }
  if (fills !== count) throw new Error(`${fills} fills of ${count} icebergs`);
}

/** The subjects for one number of icebergs. */
async function subjectsOf(context: Context, count: number): Promise<Record<string, Measure>> {
  const dataDir = join(context.directory, `attacks-${count}`);
  const copy = `${dataDir}-copy`;
  const { from, to } = await once.write(dataDir, count, true);
  const growthAt = async (stage: Stage) => {
    cpSync(dataDir, copy, { recursive: true });
    const growth = await once.stage(stage, copy, from, to);
    rmSync(copy, { recursive: true });
    return { growth };
  };
  const stages = (Object.keys(STAGES) as Stage[]).map((stage): [string, Measure] => [
    `${count} ${stage}`,
    () => growthAt(stage),
  ]);
  return { ...Object.fromEntries(stages), [`${count} node`]: () => runNode(context, count) };
}

type Run = Readonly<Record<string, Readonly<Record<string, number>>>>;
type Measure = () => Promise<Run[string]>;

function rowsOf(count: number): Row<Run>[] {
  const name = `${many(count)} icebergs`;
  const node = (run: Run) => run[`${count} node`];
  return [
    ...Object.entries(STAGES).map(([stage, text]): Row<Run> => {
      const growth = (run: Run) => run[`${count} ${stage}`].growth;
      return [`${name}: growth, ${text}`, 'bytes', growth, OF_COMMAND];
    }),
    [`${name}: peak of a node`, 'bytes', (run) => node(run).peak, OF_NODE],
    [`${name}: history complete after`, 'ms', (run) => node(run).historyMs, { atMost: 5000 }],
    [`${name}: peak of the start`, 'bytes', (run) => node(run).startPeak, OF_NODE],
  ];
}

export const largeMemory = part({
  name: 'large-memory',
  question: 'How much memory does an order take that meets 10,000 or 20,000 icebergs?',
  against: 'the targets only',
  size: { fewer: 10_000, more: 20_000 },
  subjects: async ({ fewer, more }, context) => ({
    ...(await subjectsOf(context, fewer)),
    ...(await subjectsOf(context, more)),
  }),
  rows: ({ fewer, more }) => [...rowsOf(fewer), ...rowsOf(more)],
  notes: () => [
    'An order takes icebergs of 100 parts at one price. Each stage and the node have done the ' +
      'same in another pair before, so that compiled code and caches are not counted. Growth: ' +
      'the peak of the resident memory during the command, with garbage, over that before.',
    'The node is watched: the owners of the orders listen to them, others to the trades and the ' +
      'books. Each fill of the taker is read and compared. The start follows a kill.',
  ],
});

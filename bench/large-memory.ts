// Part `large-memory`: the memory of an order that meets very many icebergs, at each stage in a
// process of its own and in a whole node; its fills, its history, and a start after a crash.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey } from '../src/cli/bench/order-script.ts';
import { attackNode, watch } from './support/attack.ts';
import { ICEBERGS, largeCases, PARTS, pairOf, TAKER } from './support/large-cases.ts';
import {
  type Growth,
  measureStage,
  type Stage,
  writeAttacks,
} from './support/large-memory-stages.ts';
import { followerCaughtUp, metricsOf, startAgio } from './support/load.ts';
import { type Context, type Figure, type Findings, figure, figuresOf } from './support/part.ts';
import { peakOf, resetPeak } from './support/peak-memory.ts';
import { signedHeaders } from './support/requests.ts';

const SIZES = [10_000, 20_000];
const SIZES_QUICK = [1_000];
const STAGES: readonly Stage[] = ['replay', 'subscribers', 'follower', 'snapshot'];
const STAGE_NAMES: Readonly<Record<Stage, string>> = {
  replay: 'leader without subscribers, and replay',
  subscribers: 'leader with subscribers of all events',
  follower: 'follower',
  snapshot: 'snapshot in the middle of the match',
};
const MIB = 2 ** 20;
/** 32 MB a command at a stage, and 2 GB a node. */
const OF_COMMAND = { atMost: 32 * MIB };
const OF_NODE = { atMost: 2048 * MIB };
const TRADES = '/spot-api/api/private/v1/trades';
const PAGE = 1000;

interface NodeRun {
  readonly growth: number;
  readonly peak: number;
  readonly answeredMs: number;
  readonly historyMs: number;
  readonly startSeconds: number;
  readonly startPeak: number;
  readonly plainStartSeconds: number;
}

export async function largeMemory(context: Context): Promise<Findings> {
  const figures: Figure[] = [];
  for (const icebergs of context.quick ? SIZES_QUICK : SIZES) {
    figures.push(...(await measure(context, icebergs)));
  }
  return {
    figures,
    notes: [
      'An order takes icebergs of 100 parts at one price. Each stage and the node have done the ' +
        'same in another pair before, so that compiled code and caches are not counted. Growth: ' +
        'the peak of the resident memory during the command, with garbage, over that before.',
      'Plain orders: as many of them are taken one by one, with as many fills.',
      'The node is watched: the owners of the orders listen to them, others to the trades and ' +
        'the books. Each fill of the taker is read and compared. The start follows a kill.',
    ],
  };
}

async function measure(context: Context, icebergs: number): Promise<Figure[]> {
  const stages: [string, Growth][] = [];
  for (const attack of ['large', 'plain'] as const) {
    const dataDir = join(context.directory, `${attack}-${icebergs}`);
    const { from, to } = await writeAttacks({ dataDir, icebergs, attack });
    for (const stage of STAGES) {
      if (attack === 'plain' && stage === 'snapshot') continue;
      context.step(`${icebergs} icebergs, ${attack}: ${stage}`);
      const copy = `${dataDir}-copy`;
      cpSync(dataDir, copy, { recursive: true });
      const growth = await measureStage({ do: stage, dataDir: copy, from, to });
      rmSync(copy, { recursive: true });
      stages.push([`${STAGE_NAMES[stage]}${attack === 'plain' ? ', plain orders' : ''}`, growth]);
    }
  }
  const runs: NodeRun[] = [];
  for (let run = 0; run < context.runs; run++) {
    context.step(`${icebergs} icebergs, a node: run ${run + 1} of ${context.runs}`);
    runs.push(await runNode(context, icebergs));
  }
  const many = `${icebergs.toLocaleString('en')} icebergs`;
  return [
    ...stages.map(([name, { before, peak }]) =>
      figure(
        `${many}: growth, ${name}`,
        'bytes',
        [peak - before],
        name.endsWith('plain orders') ? null : OF_COMMAND,
      ),
    ),
    ...figuresOf(runs, [
      [`${many}: growth of a whole node`, 'bytes', ({ growth }) => growth],
      [`${many}: peak of a node`, 'bytes', ({ peak }) => peak, OF_NODE],
      [`${many}: answered after`, 'ms', ({ answeredMs }) => answeredMs],
      [`${many}: history complete after`, 'ms', ({ historyMs }) => historyMs, { atMost: 5000 }],
      [`${many}: start after a kill`, 's', ({ startSeconds }) => startSeconds],
      [`${many}: start, plain orders`, 's', ({ plainStartSeconds }) => plainStartSeconds],
      [`${many}: peak of the start`, 'bytes', ({ startPeak }) => startPeak, OF_NODE],
    ]),
  ];
}

async function runNode(context: Context, icebergs: number): Promise<NodeRun> {
  const dataDir = join(context.directory, 'node');
  rmSync(dataDir, { recursive: true, force: true });
  const { keys } = await writeAttacks({ dataDir, icebergs, attack: 'none' });
  const node = await startAgio(dataDir);
  const one = { ...largeCases(icebergs)[ICEBERGS]!, isWatched: true };
  let growth = 0;
  let times = { answeredMs: 0, historyMs: 0 };
  let pair = pairOf(1, 0, 0);
  for (const attack of [0, 1]) {
    pair = pairOf(1, 0, attack);
    await followerCaughtUp(node.ready);
    await using _watchers = await watch(node.ready, pair, keys);
    const before = resetPeak(node.pid);
    times = await attackNode(node.ready, one, pair, keys);
    growth = peakOf(node.pid) - before;
  }
  const peak = peakOf(node.pid);
  await checkFills(node.ready, keys[TAKER - 1]!, pair.symbol, icebergs);
  await node.kill();
  const started = await restart(dataDir);
  const plainDir = join(context.directory, `plain-${icebergs}`);
  await restart(plainDir);
  const plain = await restart(plainDir);
  return {
    growth,
    peak,
    ...times,
    startSeconds: started.seconds,
    startPeak: started.peak,
    plainStartSeconds: plain.seconds,
  };
}

async function restart(dataDir: string): Promise<{ seconds: number; peak: number }> {
  const start = performance.now();
  await using node = await startAgio(dataDir);
  const seconds = (performance.now() - start) / 1000;
  await followerCaughtUp(node.ready);
  const open = (await metricsOf(node.ready)).get('agio_open_orders');
  if (open !== 0) throw new Error(`${open} orders are open`);
  return { seconds, peak: peakOf(node.pid) };
}

/** Throws unless the order has one fill of each iceberg, whole, at its price. */
async function checkFills(
  url: string,
  key: ApiKey,
  symbol: string,
  icebergs: number,
): Promise<void> {
  const expected = JSON.stringify([PARTS / 1e6, 100, PARTS / 1e4]);
  let count = 0;
  let last = '';
  for (;;) {
    const query = `symbol=${symbol}&size=${PAGE}${last}`;
    const headers = signedHeaders(key, `GET${TRADES}${query}`);
    const answer = await fetch(`${url}${TRADES}?${query}`, { headers });
    const rows = (await answer.json()) as Record<string, number>[];
    for (const { quantity, price, quoteAmount } of rows) {
      if (JSON.stringify([quantity, price, quoteAmount]) !== expected) {
        throw new Error(`a fill is ${quantity} at ${price} for ${quoteAmount}`);
      }
    }
    count += rows.length;
    if (rows.length < PAGE) break;
    last = `&lastTradeId=${rows.at(-1)!.tradeId}`;
  }
  if (count !== icebergs) throw new Error(`${count} fills of ${icebergs} icebergs`);
}

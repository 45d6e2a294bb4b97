// Part `large`: the latency of honest customers while another account sends commands that meet ten
// thousand orders, over HTTP and websockets, in the same pair and in another one, on a single node
// without and with gateway threads and on a cluster.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey } from '../src/cli/bench/order-script.ts';
import { NO_POSTGRES } from '../test/support/postgres.ts';
import { type AttackTimes, attackNode, watch } from './support/attack.ts';
import { createKeys, HistoryWriter } from './support/data-directory.ts';
import { GROUPS, type HonestAnswer, type HonestQuestion } from './support/honest-process.ts';
import {
  accounts,
  accountsOf,
  FIRST_HONEST,
  HONEST,
  largeCases,
  pairOf,
  setUpCommands,
} from './support/large-cases.ts';
import { followerCaughtUp } from './support/load.ts';
import {
  type Context,
  type Figure,
  type Findings,
  figure,
  figuresOf,
  sizeOf,
} from './support/part.ts';
import { job, startWorker } from './support/processes.ts';
import { type Stage, startCluster, startSingle } from './support/stages.ts';

const FULL = {
  /** The orders that a command meets. */
  orders: 10_000,
  phaseSeconds: 2,
};
type Size = typeof FULL;

/** Requests of each group of honest customers, far below the capacity of a node. */
const PER_SECOND = 200;
/** The time from the start of a phase of load to the attack. */
const ATTACK_AFTER = 0.25;
/** At most three times as long as in calm. */
const TARGET = { atMost: 3 };

type StageName = 'one node' | 'cluster';

interface Run extends AttackTimes {
  readonly name: string;
  readonly calm: HonestAnswer;
  readonly during: HonestAnswer;
}

/** The accounts, and a pair for each run of each case. Returns the keys, by uid less one. */
const writeCases = job(
  import.meta,
  async ({ dataDir, size, runs }: { dataDir: string; size: number; runs: number }) => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const history = await HistoryWriter.open(dataDir);
    await history.sendAll(accounts());
    const cases = largeCases(size);
    for (let run = 0; run < runs; run++) {
      for (const [index, one] of cases.entries()) {
        await history.sendAll(setUpCommands(one, pairOf(cases.length, index, run)));
      }
    }
    await history.close();
    return createKeys(dataDir, accountsOf(cases.length, runs));
  },
);

export async function large(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  context.step('writing the orders');
  const source = join(context.directory, 'data');
  const keys = await writeCases({ dataDir: source, size: size.orders, runs: context.runs });
  const stages: [StageName, () => Promise<Stage>][] = [
    ['one node', () => startSingle(context.directory, source)],
  ];
  if (!NO_POSTGRES) stages.push(['cluster', () => startCluster(context.directory, source)]);
  const figures: Figure[] = [];
  for (const [name, start] of stages) {
    context.step(`starting: ${name}`);
    await using stage = await start();
    figures.push(...figuresOfStage(name, await attackStage(context, size, stage, keys)));
  }
  return {
    figures,
    notes: [
      `Each case has ${size.orders.toLocaleString('en')} orders of its own, unless its name has ` +
        'a number; an iceberg has 100 parts. Rejected commands come 200 together. Rate limits ' +
        'are off.',
      `${HONEST} honest customers, four for each way and place, send ${PER_SECOND} orders and ` +
        'cancels a second for each, open loop: requests are timed from when they were due.',
      'A pair belongs to the order that is being matched: who trades in it waits for all of it. ' +
        'The operator also cancels the orders of honest customers in the pair, whose own cancels ' +
        'then wait for the history.',
      'Watched: the owners of the orders listen to their orders, and others to the trades, the ' +
        'book by price and by order, and the best prices.',
    ],
  };
}

async function attackStage(
  context: Context,
  size: Size,
  { urls }: Stage,
  keys: readonly ApiKey[],
): Promise<Run[]> {
  await using honest = startWorker<HonestQuestion, unknown>('honest-process.ts');
  const ports = urls.map((url) => Number(new URL(url).port));
  const ofHonest = keys.slice(FIRST_HONEST - 1, FIRST_HONEST - 1 + HONEST);
  await honest.ask({ type: 'connect', ports, keys: ofHonest });
  const load = (symbol: string) =>
    honest.ask({
      type: 'run',
      symbol,
      perSecond: PER_SECOND,
      seconds: size.phaseSeconds,
    }) as Promise<HonestAnswer>;
  await load('BTC-USDT');
  const cases = largeCases(size.orders);
  const runs: Run[] = [];
  for (let run = 0; run < context.runs; run++) {
    for (const [index, one] of cases.entries()) {
      context.step(`run ${run + 1} of ${context.runs}: ${one.name}`);
      const pair = pairOf(cases.length, index, run);
      await using _watchers = one.isWatched ? await watch(urls[0]!, pair, keys) : null;
      const calm = await load(pair.symbol);
      const [during, times] = await Promise.all([
        load(pair.symbol),
        Bun.sleep(size.phaseSeconds * ATTACK_AFTER * 1000).then(() =>
          attackNode(urls[0]!, one, pair, keys),
        ),
      ]);
      runs.push({ name: one.name, calm, during, ...times });
      await Promise.all(urls.map(followerCaughtUp));
    }
  }
  return runs;
}

function figuresOfStage(stage: StageName, runs: readonly Run[]): Figure[] {
  const worst = (answer: HonestAnswer, by: Partial<(typeof GROUPS)[number]>): number => {
    const groups = answer.filter((_, at) => {
      const { transport, where } = GROUPS[at]!;
      return transport === (by.transport ?? transport) && where === (by.where ?? where);
    });
    return Math.max(...groups.map(({ max }) => max));
  };
  const ofRuns = (own: readonly Run[], name: string, by: Parameters<typeof worst>[1]): Figure =>
    figure(
      `${name} ÷ calm`,
      '×',
      own.map(({ calm, during }) => worst(during, by) / worst(calm, by)),
      TARGET,
    );
  const byName = Map.groupBy(runs, ({ name }) => name);
  return [
    ...figuresOf(runs, [[`${stage}, calm: longest wait`, 'ms', ({ calm }) => worst(calm, {})]]),
    ...(['http', 'websocket'] as const).map((transport) =>
      ofRuns(runs, `${stage}, all cases: longest wait over ${transport}`, { transport }),
    ),
    ...[...byName].flatMap(([name, own]) =>
      (['another pair', 'the same pair'] as const).map((where) =>
        ofRuns(own, `${stage}, ${name}: longest wait in ${where}`, { where }),
      ),
    ),
  ];
}

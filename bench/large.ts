// The latency of honest customers while another account sends a command that meets very many
// orders, over HTTP and websockets, in the same pair and in another one. Part `large`: ten thousand
// orders in many ways, on a single node and on a cluster. Parts `burst` and `cascade`: a hundred
// thousand.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey } from '../src/cli/bench/order-script.ts';
import { NO_POSTGRES } from '../test/support/postgres.ts';
import { type AttackTimes, attackNode, watch } from './support/attack.ts';
import { createKeys, HistoryWriter } from './support/data-directory.ts';
import { GROUPS, type HonestAnswer, type HonestQuestion } from './support/honest-process.ts';
import {
  type AttackPart,
  accounts,
  accountsOf,
  casesOf,
  FIRST_HONEST,
  HONEST,
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
  type Target,
} from './support/part.ts';
import { job, startWorker } from './support/processes.ts';
import { type Stage, startCluster, startSingle } from './support/stages.ts';

const FULL = {
  /** The orders that a command meets. */
  orders: 10_000,
  phaseSeconds: 2,
};
/** The orders of parts `burst` and `cascade`. */
const VERY_MANY = 100_000;
/** Part `burst` has so many pairs, and so a million orders. */
const BURST_PAIRS = 10;

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

interface Venue {
  readonly part: AttackPart;
  readonly dataDir: string;
  /** The orders that a command meets. */
  readonly orders: number;
  /** Pairs of each case; each run of it has its own. */
  readonly pairs: number;
}

/** The accounts, and the pairs of each case. Returns the keys, by uid less one. */
const writeVenue = job(import.meta, async ({ part, dataDir, orders, pairs }: Venue) => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const history = await HistoryWriter.open(dataDir);
  await history.sendAll(accounts());
  const cases = casesOf(part, orders);
  for (let run = 0; run < pairs; run++) {
    for (const [index, one] of cases.entries()) {
      await history.sendAll(setUpCommands(one, pairOf(cases.length, index, run)));
    }
  }
  await history.close();
  return createKeys(dataDir, accountsOf(cases.length, pairs));
});

interface Attack {
  readonly part: AttackPart;
  readonly orders: number;
  readonly phaseSeconds: number;
  readonly keys: readonly ApiKey[];
}

const HONEST_NOTE =
  `${HONEST} honest customers, four for each way and place, send ${PER_SECOND} orders and ` +
  'cancels a second for each, open loop: requests are timed from when they were due.';

export async function large(context: Context): Promise<Findings> {
  const { orders, phaseSeconds } = sizeOf(context, FULL);
  context.step('writing the orders');
  const source = join(context.directory, 'data');
  const part = 'large';
  const keys = await writeVenue({ part, dataDir: source, orders, pairs: context.runs });
  const stages: [StageName, () => Promise<Stage>][] = [
    ['one node', () => startSingle(context.directory, source)],
  ];
  if (!NO_POSTGRES) stages.push(['cluster', () => startCluster(context.directory, source)]);
  const figures: Figure[] = [];
  for (const [name, start] of stages) {
    context.step(`starting: ${name}`);
    await using stage = await start();
    const runs = await attackStage(context, stage, { part, orders, phaseSeconds, keys });
    figures.push(...figuresOfStage(name, runs));
  }
  return {
    figures,
    notes: [
      `Each case has ${orders.toLocaleString('en')} orders of its own, unless its name has a ` +
        'number; an iceberg has 100 parts. Rejected commands come 200 together. Rate limits ' +
        'are off.',
      HONEST_NOTE,
      'A pair belongs to the order that is being matched: who trades in it waits for all of it. ' +
        'The operator also cancels the orders of honest customers in the pair, whose own cancels ' +
        'then wait for the history.',
      'Watched: the owners of the orders listen to their orders, and others to the trades, the ' +
        'book by price and by order, and the best prices.',
    ],
  };
}

/** One case with very many orders, on a single node. */
async function attackAlone(
  context: Context,
  part: AttackPart,
  pairs: number,
  note: string,
): Promise<Findings> {
  const orders = context.quick ? VERY_MANY / 5 : VERY_MANY;
  context.step('writing the orders');
  const dataDir = join(context.directory, 'data');
  const keys = await writeVenue({ part, dataDir, orders, pairs });
  await using stage = await startSingle(context.directory, dataDir);
  const { phaseSeconds } = FULL;
  const runs = await attackStage(context, stage, { part, orders, phaseSeconds, keys });
  const waits = (when: 'calm' | 'during', target?: Target): Figure[] => {
    const name = when === 'calm' ? ', in calm' : '';
    return figuresOf(runs, [
      [`longest wait of another customer${name}`, 'ms', (run) => worst(run[when]), target],
      [`p99 of another customer${name}`, 'ms', (run) => worst(run[when], {}, 'p99')],
    ]);
  };
  return {
    figures: [
      ...waits('during', { atMost: 50 }),
      ...waits('calm'),
      ...figuresOf(runs, [
        ['answered after', 'ms', ({ answeredMs }) => answeredMs],
        ['history complete after', 'ms', ({ historyMs }) => historyMs],
      ]),
    ],
    notes: [`${orders.toLocaleString('en')} ${note}`, HONEST_NOTE],
  };
}

export const burst = (context: Context): Promise<Findings> =>
  attackAlone(
    context,
    'burst',
    Math.max(context.runs, BURST_PAIRS),
    'orders of each of ten accounts or more are open; one of these cancels all of its orders ' +
      'with one request.',
  );

export const cascade = (context: Context): Promise<Findings> =>
  attackAlone(
    context,
    'cascade',
    context.runs,
    'stops wait at one price. One sale triggers all of them; each becomes a market order and ' +
      'trades.',
  );

async function attackStage(
  context: Context,
  { urls }: Stage,
  { part, orders, phaseSeconds, keys }: Attack,
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
      seconds: phaseSeconds,
    }) as Promise<HonestAnswer>;
  await load('BTC-USDT');
  const cases = casesOf(part, orders);
  const runs: Run[] = [];
  for (let run = 0; run < context.runs; run++) {
    for (const [index, one] of cases.entries()) {
      context.step(`run ${run + 1} of ${context.runs}: ${one.name}`);
      const pair = pairOf(cases.length, index, run);
      await using _watchers = one.isWatched ? await watch(urls[0]!, pair, keys) : null;
      const calm = await load(pair.symbol);
      const [during, times] = await Promise.all([
        load(pair.symbol),
        Bun.sleep(phaseSeconds * ATTACK_AFTER * 1000).then(() =>
          attackNode(urls[0]!, one, pair, keys),
        ),
      ]);
      runs.push({ name: one.name, calm, during, ...times });
      await Promise.all(urls.map(followerCaughtUp));
    }
  }
  return runs;
}

/** The longest time, or another one, of all groups with this transport or place. */
function worst(
  answer: HonestAnswer,
  by: Partial<(typeof GROUPS)[number]> = {},
  which: 'max' | 'p99' = 'max',
): number {
  const groups = answer.filter((_, at) => {
    const { transport, where } = GROUPS[at]!;
    return transport === (by.transport ?? transport) && where === (by.where ?? where);
  });
  return Math.max(...groups.map((latencies) => latencies[which]));
}

function figuresOfStage(stage: StageName, runs: readonly Run[]): Figure[] {
  const ofRuns = (own: readonly Run[], name: string, by: Parameters<typeof worst>[1]): Figure =>
    figure(
      `${name} ÷ calm`,
      '×',
      own.map(({ calm, during }) => worst(during, by) / worst(calm, by)),
      TARGET,
    );
  const byName = Map.groupBy(runs, ({ name }) => name);
  return [
    ...figuresOf(runs, [[`${stage}, calm: longest wait`, 'ms', ({ calm }) => worst(calm)]]),
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

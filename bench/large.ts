// The latency of honest customers while another account sends a command that meets very many
// orders, over HTTP and websockets, in the same pair and in another one. Parts `large` and
// `large-cluster`: ten thousand orders in many ways. Parts `burst` and `cascade`: a hundred
// thousand.
import { join } from 'node:path';
import type { ApiKey } from '../src/cli/bench/order-script.ts';
import { createKeys, Writer } from './support/history.ts';
import {
  type AttackTimes,
  accounts,
  accountsWith,
  attackNode,
  CASES,
  FIRST_HONEST,
  HONEST,
  pairOf,
  setUpCommands,
  watch,
} from './support/large.ts';
import { caughtUp } from './support/load.ts';
import { type Line, type LoadAnswer, startClient } from './support/load-client.ts';
import { many, median, type Part, part, type Row } from './support/part.ts';
import { program } from './support/processes.ts';
import { startCluster, startSingle } from './support/stages.ts';

/** Requests of each group of honest customers, far below the capacity of a node. */
const PER_SECOND = 200;
/** The share of a phase of load that passes before the attack. */
const ATTACK_AFTER = 0.25;

/** The honest customers: each places an order far from the market and cancels it. */
const GROUPS = [
  { form: 'http', where: 'another pair' },
  { form: 'websocket', where: 'another pair' },
  { form: 'http', where: 'the same pair' },
  { form: 'websocket', where: 'the same pair' },
] as const;
type Group = (typeof GROUPS)[number];

/** The operator may have canceled the order that a cancel names; history may not have it yet. */
const IS_GONE = '"code":"10020[35]"|"rule":"behind"';

const { once } = program(import.meta, {
  /** The accounts, and the pairs of each case: each run has its own. Returns the keys by uid. */
  async write(dataDir: string, set: keyof typeof CASES, orders: number, pairs: number) {
    const writer = await new Writer().open(dataDir);
    await writer.sendAll(accounts());
    const cases = CASES[set](orders);
    for (let run = 0; run < pairs; run++) {
      for (const [index, { setUp }] of cases.entries()) {
        await writer.sendAll(setUpCommands(setUp, pairOf(cases.length, index, run)));
      }
    }
    await writer.close();
    return createKeys(dataDir, accountsWith(cases.length * pairs));
  },
});

/** Starts the honest customers. All groups have customers at each node. */
async function startHonest(urls: readonly string[], keys: readonly ApiKey[], seconds: number) {
  const lines = Array.from({ length: HONEST }, (_, index): Line => {
    const group = index % GROUPS.length;
    const url = urls[Math.floor(index / GROUPS.length) % urls.length];
    const key = keys[FIRST_HONEST - 1 + index];
    return { port: Number(new URL(url).port), key, group, form: GROUPS[group].form };
  });
  const client = await startClient(lines);
  const load = (symbol: string): Promise<LoadAnswer> => {
    const symbols = GROUPS.map(({ where }) => (where === 'the same pair' ? symbol : 'BTC-USDT'));
    return client.run({ mix: 'far', symbols, perSecond: PER_SECOND, seconds, accepts: IS_GONE });
  };
  return { load, [Symbol.asyncDispose]: client[Symbol.asyncDispose] };
}

interface Attacked extends AttackTimes {
  readonly calm: LoadAnswer;
  readonly during: LoadAnswer;
}
/** By case. */
type Run = Readonly<Record<string, Attacked>>;

interface Definition extends Omit<Part, 'run'> {
  readonly cases: keyof typeof CASES;
  /** The orders that a command meets. */
  readonly orders: number;
  /** Pairs that each case has at least. */
  readonly pairs?: number;
  readonly start?: typeof startSingle;
  rows(runs: readonly Run[]): readonly Row<Run>[];
  notes(orders: string): readonly string[];
}

/** A part whose subjects are the cases, one after the other on the same nodes. */
const attackPart = ({
  cases: set,
  orders: full,
  pairs = 1,
  start = startSingle,
  rows,
  notes,
  ...about
}: Definition): Part =>
  part({
    ...about,
    size: { orders: full, seconds: 2 },
    async subjects({ orders, seconds }, context) {
      context.step('writing the orders');
      const dataDir = join(context.directory, 'data');
      const keys = await once.write(dataDir, set, orders, Math.max(context.runs, pairs));
      context.step('starting');
      const { urls } = context.resources.use(await start(context.directory, dataDir));
      const honest = context.resources.use(await startHonest(urls, keys, seconds));
      await honest.load('BTC-USDT');
      const cases = CASES[set](orders);
      const attack = async (index: number, run: number): Promise<Attacked> => {
        const pair = pairOf(cases.length, index, run);
        await using _watchers = cases[index].isWatched ? await watch(urls[0], pair, keys) : null;
        const calm = await honest.load(pair.symbol);
        const [during, times] = await Promise.all([
          honest.load(pair.symbol),
          Bun.sleep(seconds * ATTACK_AFTER * 1000).then(() =>
            attackNode(urls[0], cases[index], pair, keys),
          ),
        ]);
        await Promise.all(urls.map(caughtUp));
        return { calm, during, ...times };
      };
      const subjects = cases.map(({ name }, index): [string, () => Promise<Attacked>] => {
        let run = 0;
        return [name, () => attack(index, run++)];
      });
      return Object.fromEntries(subjects);
    },
    rows: (_, runs) => rows(runs),
    notes: ({ orders }) => [...notes(many(orders)), HONEST_NOTE],
  });

/** The longest time, or another one, of all groups that `by` describes. */
function worst({ groups }: LoadAnswer, by: Partial<Group> = {}, which: 'max' | 'p99' = 'max') {
  const own = groups.filter((_, at) => {
    const { form, where } = GROUPS[at];
    return form === (by.form ?? form) && where === (by.where ?? where);
  });
  return Math.max(...own.map((latencies) => latencies[which]));
}

const HONEST_NOTE =
  `${HONEST} honest customers, four for each way and place, send ${PER_SECOND} orders and ` +
  'cancels a second for each, open loop: requests are timed from when they were due.';

/** The longest waits on a stage, as a multiple of those in calm. */
const ratioRows = (stage: string) => (runs: readonly Run[]) => {
  const ratio = ({ calm, during }: Attacked, by: Partial<Group>): number =>
    worst(during, by) / worst(calm, by);
  const target = { atMost: 3 };
  return [
    ...(['http', 'websocket'] as const).map((form): Row<Run> => {
      const name = `${stage}, all cases: longest wait over ${form} ÷ calm`;
      const all = (run: Run) => median(Object.values(run).map((one) => ratio(one, { form })));
      return [name, '×', all, target];
    }),
    ...Object.keys(runs[0]).flatMap((one) =>
      (['another pair', 'the same pair'] as const).map((where): Row<Run> => {
        const name = `${stage}, ${one}: longest wait in ${where} ÷ calm`;
        return [name, '×', (run) => ratio(run[one], { where }), target];
      }),
    ),
  ];
};

const LARGE = {
  cases: 'large',
  orders: 10_000,
  against: 'the same customers without the command',
  notes: (orders: string) => [
    `Each case has ${orders} orders of its own, unless its name has a number; an iceberg has 100 ` +
      'parts. Rejected commands come 200 together. Rate limits are off.',
    'A pair belongs to the order that is being matched: who trades in it waits for all of it. ' +
      'The operator also cancels the orders of honest customers in the pair, whose own cancels ' +
      'then wait for the history.',
    'Watched: the owners of the orders listen to their orders, and others to the trades, the ' +
      'book by price and by order, and the best prices.',
  ],
} as const;

export const large = attackPart({
  ...LARGE,
  name: 'large',
  question: 'How long do honest customers wait while a command meets 10,000 orders?',
  rows: ratioRows('one node'),
});

export const largeCluster = attackPart({
  ...LARGE,
  name: 'large-cluster',
  question: 'How long do honest customers wait on a cluster while a command meets 10,000 orders?',
  start: startCluster,
  rows: ratioRows('cluster'),
});

/** The waits of the only case. */
function waitRows([run]: readonly Run[]): Row<Run>[] {
  const [name] = Object.keys(run);
  const [wait, p99] = ['longest wait of another customer', 'p99 of another customer'];
  return [
    [wait, 'ms', (run) => worst(run[name].during), { atMost: 50 }],
    [p99, 'ms', (run) => worst(run[name].during, {}, 'p99')],
    [`${wait}, in calm`, 'ms', (run) => worst(run[name].calm)],
    [`${p99}, in calm`, 'ms', (run) => worst(run[name].calm, {}, 'p99')],
    ['answered after', 'ms', (run) => run[name].answeredMs],
    ['history complete after', 'ms', (run) => run[name].historyMs],
  ];
}

export const burst = attackPart({
  name: 'burst',
  question: 'How long do customers wait while another one cancels 100,000 of a million orders?',
  against: 'the same customers without the mass cancel',
  cases: 'burst',
  orders: 100_000,
  pairs: 10,
  rows: waitRows,
  notes: (orders) => [
    `${orders} orders of each of ten accounts or more are open; one of these cancels all of its ` +
      'orders with one request.',
  ],
});

export const cascade = attackPart({
  name: 'cascade',
  question: 'How long do customers wait while one trade triggers 100,000 stops?',
  against: 'the same customers without the stops',
  cases: 'cascade',
  orders: 100_000,
  rows: waitRows,
  notes: (orders) => [
    `${orders} stops wait at one price. One sale triggers all of them; each becomes a market ` +
      'order and trades.',
  ],
});

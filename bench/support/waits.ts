// The set-up of the parts that measure how long honest customers wait while somebody attacks: their
// orders over HTTP and websockets, in the pair of the attack and in another one, once in calm and
// once during the attack. Each run of a case has a pair of its own.
import { join } from 'node:path';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import type { Command } from '../../src/core/command.ts';
import { floodCases } from './floods.ts';
import { createKeys, Writer } from './history.ts';
import {
  accounts,
  accountsWith,
  FIRST_HONEST,
  HONEST,
  KEYS_OF_ONE,
  largeCases,
  type Pair,
  pairOf,
  setUpCommands,
  watch,
} from './large.ts';
import { caughtUp } from './load.ts';
import { type Line, type LoadAnswer, startClient } from './load-client.ts';
import { many, type Part, part, type Row } from './part.ts';
import { program } from './processes.ts';
import { startSingle } from './stages.ts';

/** The place of an attack. */
export interface Target {
  readonly url: string;
  readonly pair: Pair;
  /** By uid; at the end the other keys of the last user. */
  readonly keys: readonly ApiKey[];
  /** An attack that lasts ends after this time. */
  readonly seconds: number;
}

export interface Case {
  readonly name: string;
  /** True: the owners listen to their orders, and a stranger to the public streams of the pair. */
  readonly isWatched?: boolean;
  /** The orders that wait in the pair. */
  setUp(pair: Pair): readonly Command[];
  /** Returns a note about what it did, or null. */
  attack(target: Target): Promise<string | null>;
}

const CASES = { large: largeCases, flood: floodCases } satisfies Record<
  string,
  (orders: number) => readonly Case[]
>;

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
export type Group = (typeof GROUPS)[number];

const { once } = program(import.meta, {
  /** The accounts, and the pairs of each case. Returns the keys. */
  async write(dataDir: string, set: keyof typeof CASES, orders: number, runs: number) {
    const writer = await new Writer().open(dataDir);
    await writer.sendAll(accounts());
    const cases = CASES[set](orders);
    for (let run = 0; run < runs; run++) {
      for (const [index, { setUp }] of cases.entries()) {
        await writer.sendAll(setUpCommands(setUp, pairOf(cases.length, index, run)));
      }
    }
    await writer.close();
    return createKeys(dataDir, accountsWith(cases.length * runs), KEYS_OF_ONE);
  },
});

/** Starts the honest customers. All groups have customers at each node. */
async function startHonest(
  urls: readonly string[],
  keys: readonly ApiKey[],
  phase: { readonly seconds: number; readonly accepts: string },
) {
  const lines = Array.from({ length: HONEST }, (_, index): Line => {
    const group = index % GROUPS.length;
    const url = urls[Math.floor(index / GROUPS.length) % urls.length];
    const key = keys[FIRST_HONEST - 1 + index];
    return { port: Number(new URL(url).port), key, group, form: GROUPS[group].form };
  });
  const client = await startClient(lines);
  const load = (symbol: string): Promise<LoadAnswer> => {
    const symbols = GROUPS.map(({ where }) => (where === 'the same pair' ? symbol : 'BTC-USDT'));
    return client.run({ mix: 'far', symbols, perSecond: PER_SECOND, ...phase });
  };
  return { load, [Symbol.asyncDispose]: client[Symbol.asyncDispose] };
}

export interface Comparison {
  readonly calm: LoadAnswer;
  readonly during: LoadAnswer;
  readonly note: string | null;
}
/** By case. */
export type Waits = Readonly<Record<string, Comparison>>;

interface Definition extends Omit<Part, 'run'> {
  readonly cases: keyof typeof CASES;
  readonly size: { readonly orders: number; readonly seconds: number };
  /** Rejections of honest customers that count as answers. */
  readonly accepts: string;
  readonly start?: typeof startSingle;
  rows(runs: readonly Waits[]): readonly Row<Waits>[];
  notes(orders: string, runs: readonly Waits[]): readonly string[];
}

/** A part whose subjects are the cases, one after the other on the same nodes. */
export const waitsPart = ({
  cases: set,
  accepts,
  start = startSingle,
  rows,
  notes,
  ...about
}: Definition): Part =>
  part({
    ...about,
    async subjects({ orders, seconds }, context) {
      context.step('writing the orders');
      const dataDir = join(context.directory, 'data');
      const keys = await once.write(dataDir, set, orders, context.runs);
      context.step('starting');
      const { urls } = context.resources.use(await start(context.directory, dataDir));
      const honest = context.resources.use(await startHonest(urls, keys, { seconds, accepts }));
      await honest.load('BTC-USDT');
      const cases = CASES[set](orders);
      const attack = async (index: number, run: number): Promise<Comparison> => {
        const pair = pairOf(cases.length, index, run);
        const target = { url: urls[0], pair, keys, seconds };
        await using _watchers = cases[index].isWatched ? await watch(target) : null;
        const calm = await honest.load(pair.symbol);
        const [during, note] = await Promise.all([
          honest.load(pair.symbol),
          Bun.sleep(seconds * ATTACK_AFTER * 1000).then(() => cases[index].attack(target)),
        ]);
        await Promise.all(urls.map(caughtUp));
        return { calm, during, note };
      };
      const subjects = cases.map(({ name }, index): [string, () => Promise<Comparison>] => {
        let run = 0;
        return [name, () => attack(index, run++)];
      });
      return Object.fromEntries(subjects);
    },
    rows: (_, runs) => rows(runs),
    notes: ({ orders }, runs) => [
      ...notes(many(orders), runs),
      `${HONEST} honest customers, four for each way and place, send ${PER_SECOND} orders and ` +
        'cancels a second for each, open loop: requests are timed from when they were due.',
    ],
  });

/** The longest time, or another one, of all groups that `by` describes. */
export function worst(
  { groups }: LoadAnswer,
  by: Partial<Group> = {},
  which: 'max' | 'p99' = 'max',
): number {
  const own = groups.filter((_, at) => {
    const { form, where } = GROUPS[at];
    return form === (by.form ?? form) && where === (by.where ?? where);
  });
  return Math.max(...own.map((latencies) => latencies[which]));
}

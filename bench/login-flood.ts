// Part `login-flood`: the latency of signed orders at a steady pace, in calm and during hundreds of
// logins a second, on the same node.
import { join } from 'node:path';
import { makeVenue } from './support/agio-load.ts';
import { followerCaughtUp, journalSeq, LoadClient, startAgio } from './support/load.ts';
import type { LoadAnswer } from './support/load-client.ts';
import type { Flood, FloodPlan } from './support/login-flood-process.ts';
import {
  alternate,
  type Context,
  type Figure,
  type Findings,
  figuresOf,
  ratio,
} from './support/part.ts';
import { runScript } from './support/processes.ts';

interface Size {
  readonly warmUp: number;
  readonly phaseSeconds: number;
}

const FULL: Size = { warmUp: 50_000, phaseSeconds: 5 };
const QUICK: Size = { warmUp: 10_000, phaseSeconds: 2 };

const CONNECTIONS = 16;
/** A busy bot or a few dozen of them, far below the node's capacity. */
const ORDERS_PER_SECOND = 2_000;
/** About 25 times as many as the node can hash. */
const LOGINS_PER_SECOND = 200;
const LOGINS_AT_ONCE = 64;
/** The flood fills the queue of passwords before the orders begin, and ends after them. */
const LEAD_SECONDS = 1;

interface Turn {
  readonly orders: LoadAnswer;
  readonly flood: Flood | null;
}

export async function loginFlood(context: Context): Promise<Findings> {
  const size = context.quick ? QUICK : FULL;
  const dataDir = join(context.directory, 'data');
  const keys = await makeVenue(dataDir, CONNECTIONS);
  // Logins come from many networks, since the lockout would end those from one.
  await using node = await startAgio(dataDir, ['--trusted-proxies', '127.0.0.1']);
  const url = node.ready;
  await using client = new LoadClient();
  await client.connect(url, keys);
  const before = await journalSeq(url);
  await client.closed({ mix: 'orders', requests: size.warmUp, connections: CONNECTIONS });
  // Starts the process that hashes, and warms it up.
  await floodOf(url, 1);
  const load = { mix: 'orders', perSecond: ORDERS_PER_SECOND, seconds: size.phaseSeconds } as const;
  const turns = await alternate<Turn, 'calm' | 'flood'>(context, {
    calm: async () => {
      await followerCaughtUp(url);
      return { orders: await client.open(load), flood: null };
    },
    flood: async () => {
      await followerCaughtUp(url);
      const flooding = floodOf(url, size.phaseSeconds + 2 * LEAD_SECONDS);
      await Bun.sleep(LEAD_SECONDS * 1000);
      const orders = await client.open(load);
      return { orders, flood: await flooding };
    },
  });
  const gained = (await journalSeq(url)) - before;
  const writes = size.warmUp + 2 * context.runs * ORDERS_PER_SECOND * size.phaseSeconds;
  if (gained !== writes) throw new Error(`${writes} writes, but the journal gained ${gained}`);
  return findings(turns.calm, turns.flood);
}

function floodOf(url: string, seconds: number): Promise<Flood> {
  const plan: FloodPlan = { url, seconds, perSecond: LOGINS_PER_SECOND, maximum: LOGINS_AT_ONCE };
  return runScript<Flood>('login-flood-process.ts', plan);
}

function findings(calm: readonly Turn[], flood: readonly Turn[]): Findings {
  const p99 = (turns: readonly Turn[]) => turns.map(({ orders }) => orders.p99);
  const latencies = (turns: readonly Turn[], when: string): Figure[] =>
    figuresOf(turns, [
      [`p99 of orders ${when}`, 'ms', ({ orders }) => orders.p99],
      [`p50 of orders ${when}`, 'ms', ({ orders }) => orders.p50],
      [`longest order ${when}`, 'ms', ({ orders }) => orders.max],
    ]);
  const sum = (pick: (flood: Flood) => number): string =>
    flood.reduce((total, turn) => total + pick(turn.flood!), 0).toLocaleString('en');
  return {
    figures: [
      ...latencies(flood, 'during a login flood'),
      ...latencies(calm, 'in calm'),
      ratio('p99 during a login flood ÷ p99 in calm', p99(flood), p99(calm), { atMost: 1.5 }),
    ],
    notes: [
      `${ORDERS_PER_SECOND.toLocaleString('en')} signed orders and cancels a second over ` +
        `${CONNECTIONS} connections, open loop. The flood: ${LOGINS_PER_SECOND} logins a ` +
        `second, each as another user from another network, at most ${LOGINS_AT_ONCE} in ` +
        'flight, from a process of its own on the same two cores.',
      `Of ${sum(({ sent }) => sent)} logins, ${sum(({ looked }) => looked)} ran argon2id ` +
        `with 64 MiB, and ${sum(({ turnedAway }) => turnedAway)} got 503 because the queue ` +
        'was full.',
    ],
  };
}

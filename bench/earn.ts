// Part `earn`: the time to close a day for a million subscriptions, their memory, and the latency
// of orders meanwhile; previews and applies over HTTP against the bare server; pages of a long
// interest history.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey } from '../src/cli/bench/order-script.ts';
import { CONNECTIONS } from './support/agio-load.ts';
import {
  followerCaughtUp,
  journalSeq,
  LoadClient,
  SUSTAINED_REQUESTS,
  startAgio,
  startBare,
} from './support/load.ts';
import type { LoadAnswer } from './support/load-client.ts';
import {
  alternate,
  type Context,
  type Figure,
  type Findings,
  figure,
  figuresOf,
  ratio,
  sizeOf,
} from './support/part.ts';
import { closeDays, type DayClose, writeSavers } from './support/savings.ts';

const DAY_MS = 86_400_000;

const FULL = {
  subscriptions: 1_000_000,
  warmUp: 50_000,
  requests: 100_000,
  applies: SUSTAINED_REQUESTS,
  openSeconds: 6,
  /** Subscriptions with a long history, and its days. */
  longRunning: 1_010,
  days: 1_001,
  pages: 3_000,
};
type Size = typeof FULL;

/** Orders a second while a day is closed: about a third of a node's capacity. */
const ORDERS_PER_SECOND = 10_000;
/** The time from the start of a phase of load to the end of the day. */
const CLOSE_AFTER = 0.2;

interface NodeRun {
  readonly calm: LoadAnswer;
  readonly closing: LoadAnswer;
  readonly closedMs: number;
  readonly previews: LoadAnswer;
  readonly applies: LoadAnswer;
}

export async function earn(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  context.step('writing the subscriptions');
  const dataDir = join(context.directory, 'data');
  const plan = { dataDir, subscriptions: size.subscriptions, days: 0, keys: CONNECTIONS };
  const keys = await writeSavers(plan);
  const keysFile = join(context.directory, 'keys.json');
  writeFileSync(keysFile, JSON.stringify(keys));
  context.step('starting the node');
  await using node = await startAgio(dataDir);
  const token = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')).operatorToken;
  await using client = new LoadClient();
  await client.connect(node.ready, keys);
  await client.closed({ mix: 'quiet', requests: size.warmUp, connections: CONNECTIONS });
  const runs = await alternate<unknown, 'close' | 'node' | 'bare'>(context, {
    close: () => closeDays({ subscriptions: size.subscriptions, days: 3 }),
    node: () => runNode(node.ready, token, client, size),
    bare: () => runBare(keysFile, keys, size),
  });
  const pages = await readPages(context, size);
  return {
    figures: [
      ...closeFigures(runs.close as DayClose[]),
      ...nodeFigures(runs.node as NodeRun[], runs.bare as number[]),
      figure('p50 of an interest page, 1,000 days', 'ms', [pages.p50], { atMost: 5 }),
      figure('p99 of an interest page, 1,000 days', 'ms', [pages.p99]),
    ],
    notes: [
      `${size.subscriptions.toLocaleString('en')} subscriptions of ` +
        `${(size.subscriptions / 10).toLocaleString('en')} customers in ten plans: four tenths ` +
        'compound every day, three are paid every day, three every 30 days. Memory: growth of ' +
        'a process in which only the core grows, by live objects and by resident size.',
      `While a day is closed, ${ORDERS_PER_SECOND.toLocaleString('en')} signed orders and ` +
        `cancels a second come over ${CONNECTIONS} connections, open loop: the clock of each ` +
        'starts at its due time. The node closes the day through its journal, slice by slice, ' +
        'and its follower writes an interest entry for each subscription.',
      'Applies: the clock stops when the follower has written the history of the last one.',
      'Interest pages: one subscription with 1,000 days among ' +
        `${(size.longRunning * (size.days - 1)).toLocaleString('en')} entries, one connection, ` +
        'signed requests, pages of 10 from the newest on.',
    ],
  };
}

async function runNode(
  url: string,
  token: string,
  client: LoadClient,
  size: Size,
): Promise<NodeRun> {
  const load = { mix: 'quiet', perSecond: ORDERS_PER_SECOND, seconds: size.openSeconds } as const;
  await followerCaughtUp(url);
  const calm = await client.open(load);
  await followerCaughtUp(url);
  const [closing, closedMs] = await Promise.all([
    client.open(load),
    closeADay(url, token, size.openSeconds * CLOSE_AFTER),
  ]);
  await followerCaughtUp(url);
  const phase = { requests: size.requests, connections: CONNECTIONS };
  const previews = await client.closed({ mix: 'previews', ...phase });
  const before = await journalSeq(url);
  const applying = { mix: 'applies', requests: size.applies, connections: CONNECTIONS } as const;
  const applies = await client.sustained(url, applying);
  const gained = (await journalSeq(url)) - before;
  if (gained < size.applies) throw new Error(`${gained} of ${size.applies} applies are durable`);
  return { calm, closing, closedMs, previews, applies };
}

/** Moves the sandbox's clock by a day. Returns the milliseconds until the day is closed. */
async function closeADay(url: string, token: string, after: number): Promise<number> {
  await Bun.sleep(after * 1000);
  const start = performance.now();
  const answer = await fetch(`${url}/operator/v1/clock/advance`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ms: DAY_MS }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return performance.now() - start;
}

async function runBare(keysFile: string, keys: readonly ApiKey[], size: Size): Promise<number> {
  await using service = await startBare(keysFile);
  await using client = new LoadClient();
  await client.connect(service.ready, keys);
  const phase = { mix: 'quiet', connections: CONNECTIONS } as const;
  await client.closed({ ...phase, requests: size.warmUp });
  const { perSecond } = await client.closed({ ...phase, requests: size.requests });
  return perSecond;
}

/** A node of its own, whose subscriptions are few and old. */
async function readPages(context: Context, size: Size): Promise<LoadAnswer> {
  context.step('writing a long history');
  const dataDir = join(context.directory, 'long');
  const plan = { dataDir, subscriptions: size.longRunning, days: size.days, keys: 1 };
  const keys = await writeSavers(plan);
  await using node = await startAgio(dataDir);
  await using client = new LoadClient();
  await client.connect(node.ready, keys);
  context.step('reading interest pages');
  await client.closed({ mix: 'interest', requests: size.pages, connections: 1 });
  return await client.closed({ mix: 'interest', requests: size.pages, connections: 1 });
}

const closeFigures = (runs: readonly DayClose[]): Figure[] =>
  figuresOf(runs, [
    ['closing a day, core', 's', ({ seconds }) => seconds, { atMost: 5 }],
    ['longest slice, core', 'ms', ({ longestSliceMs }) => longestSliceMs],
    ['live memory a subscription', 'bytes', ({ live }) => live, { atMost: 400 }],
    ['resident memory a subscription', 'bytes', ({ resident }) => resident],
  ]);

function nodeFigures(runs: readonly NodeRun[], bare: readonly number[]): Figure[] {
  const of = (pick: (run: NodeRun) => number): number[] => runs.map(pick);
  const calm = of(({ calm: { p99 } }) => p99);
  const closing = of(({ closing: { p99 } }) => p99);
  const previews = of(({ previews: { perSecond } }) => perSecond);
  const applies = of(({ applies: { perSecond } }) => perSecond);
  return [
    ...figuresOf(runs, [
      ['closing a day, node under load', 's', ({ closedMs }) => closedMs / 1000],
    ]),
    figure('p99 of orders, in calm', 'ms', calm),
    figure('p99 of orders, while a day is closed', 'ms', closing),
    ratio('p99 while a day is closed ÷ p99 in calm', closing, calm, { atMost: 2 }),
    figure('bare Bun.serve, orders', '/s', bare),
    figure('previews', '/s', previews),
    figure('applies', '/s', applies),
    ratio('previews ÷ bare Bun.serve', previews, bare, { atLeast: 0.5 }),
    ratio('applies ÷ bare Bun.serve', applies, bare, { atLeast: 0.5 }),
  ];
}

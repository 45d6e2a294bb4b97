// Part `http`: signed orders over HTTP, each durable before its answer, against a server that only
// checks the same signature and parses the same JSON. The clock stops when the follower has written
// the history of the last order. Then the latency at half of that rate, and of a single client.
import { CONNECTIONS, onBareServer, startAgioUnderLoad } from './support/agio-load.ts';
import {
  type BareCheck,
  followerCaughtUp,
  metricsOf,
  SUSTAINED_REQUESTS,
  type SustainedAnswer,
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
import { startBusyProcess } from './support/processes.ts';
import { perRequest, THREADS, type ThreadTimes, threadTimes } from './support/threads.ts';

const FULL = {
  /** Requests before the clock starts, for the compiler. */
  warmUp: 100_000,
  requests: SUSTAINED_REQUESTS,
  /** The bare server defers nothing. */
  bareRequests: 300_000,
  creates: SUSTAINED_REQUESTS,
  alone: 2000,
  openSeconds: 6,
  /** While another process uses one core. */
  shared: 200_000,
};
type Size = typeof FULL;

interface BareRun {
  readonly orders: LoadAnswer;
  /** While another process uses one core. */
  readonly shared: LoadAnswer;
  readonly alone: LoadAnswer;
}

interface AgioRun extends BareRun {
  readonly orders: SustainedAnswer;
  readonly creates: SustainedAnswer;
  readonly open: LoadAnswer;
  readonly syncsPerSecond: number;
  readonly writesPerSync: number;
  /** Microseconds for each order of the sustained phase. */
  readonly cpu: ThreadTimes | null;
}

export async function http(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const runs = await alternate<AgioRun | BareRun, 'agio' | 'bare' | 'prepared'>(context, {
    agio: () => runAgio(context, size),
    bare: () => runBare(context, size, 'usual'),
    prepared: () => runBare(context, size, 'prepared'),
  });
  const agio = runs.agio as readonly AgioRun[];
  const clients = agio.map(({ orders }) => orders.clientShare * 100);
  return {
    figures: [
      ...rateFigures(agio, runs.bare, runs.prepared),
      ...latencyFigures(agio, runs.bare),
      figure('core of the client used at full load', '%', clients),
    ],
    notes: notesOf(size),
  };
}

function rateFigures(
  agio: readonly AgioRun[],
  bare: readonly BareRun[],
  prepared: readonly BareRun[],
): Figure[] {
  const [rates, bareRates, preparedRates] = [agio, bare, prepared].map((runs) =>
    runs.map(({ orders }) => orders.perSecond),
  );
  const target = { atLeast: 0.7 };
  return [
    figure('agio, half new orders and half cancels', '/s', rates),
    ...figuresOf(agio, [
      ['agio until the last answer, history not yet written', '/s', ({ orders }) => orders.burst],
    ]),
    figure('bare Bun.serve, same requests', '/s', bareRates),
    ratio('agio ÷ bare Bun.serve', rates, bareRates, target),
    figure('bare Bun.serve, the quickest check that was found', '/s', preparedRates),
    ratio('agio ÷ bare Bun.serve, the quickest check', rates, preparedRates, target),
    ratio(
      'agio ÷ bare Bun.serve, while another process uses one core',
      agio.map(({ shared }) => shared.perSecond),
      bare.map(({ shared }) => shared.perSecond),
      { atLeast: 0.5 },
    ),
    ...figuresOf(agio, [['agio, new orders only', '/s', ({ creates }) => creates.perSecond]]),
    ...cpuFigures(agio),
    ...figuresOf(agio, [
      ['journal syncs', '/s', ({ syncsPerSecond }) => syncsPerSecond],
      ['commands a sync', 'per sync', ({ writesPerSync }) => writesPerSync],
    ]),
  ];
}

function latencyFigures(agio: readonly AgioRun[], bare: readonly BareRun[]): Figure[] {
  return [
    ...figuresOf(agio, [
      ['p50, 64 busy connections', 'ms', ({ orders }) => orders.p50],
      ['p99, 64 busy connections', 'ms', ({ orders }) => orders.p99],
      ['p50 at half of the rate, open loop', 'ms', ({ open }) => open.p50],
      ['p99 at half of the rate, open loop', 'ms', ({ open }) => open.p99, { atMost: 10 }],
      ['p99.9 at half of the rate, open loop', 'ms', ({ open }) => open.p999],
      ['longest at half of the rate, open loop', 'ms', ({ open }) => open.max],
      ['p50 of one client alone', 'ms', ({ alone }) => alone.p50],
      ['p99 of one client alone', 'ms', ({ alone }) => alone.p99],
    ]),
    ...figuresOf(bare, [['p50 of one client alone, bare', 'ms', ({ alone }) => alone.p50]]),
  ];
}

const notesOf = (size: Size): string[] => [
  `${CONNECTIONS} keep-alive connections from a second process, one customer and key ` +
    'each; every request is signed and different, every answer 200. ' +
    `${size.requests.toLocaleString('en')} requests, many times what the follower may ` +
    'defer; the clock stops when it has caught up. The journal has gained exactly as many ' +
    'commands as there were requests.',
  'The other process runs an endless loop at the usual priority.',
  'Open loop: requests are due at fixed times and timed from then, so that a stall ' +
    'counts for every request that was due in it. The client looks at its clock once a ' +
    'millisecond, which is part of the times.',
  'The bare server looks up the key, checks the HMAC, parses the JSON and answers a ' +
    'small one: no state, no disk. It checks as one writes it with node:crypto ' +
    '(createHmac, timingSafeEqual); in the row of the quickest check the key schedule was ' +
    'done beforehand, and hexadecimal texts are compared.',
];

function cpuFigures(runs: readonly AgioRun[]): Figure[] {
  if (runs.some(({ cpu }) => cpu === null)) return [];
  return THREADS.flatMap((name) =>
    figuresOf(runs, [[`processor time of an order, ${name}`, 'µs', ({ cpu }) => cpu![name]]]),
  );
}

async function runAgio(context: Context, size: Size): Promise<AgioRun> {
  await using agio = await startAgioUnderLoad(context.directory);
  const { client, url, pid } = agio;
  const connections = CONNECTIONS;
  await client.closed({ mix: 'orders', requests: size.warmUp, connections });
  await followerCaughtUp(url);
  const before = await metricsOf(url);
  const cpuBefore = threadTimes(pid);
  const { requests } = size;
  const orders = await client.sustained(url, { mix: 'orders', requests, connections });
  const cpu = perRequest(cpuBefore, threadTimes(pid), orders.requests);
  const after = await metricsOf(url);
  const alone = await client.closed({ mix: 'orders', requests: size.alone, connections: 1 });
  const perSecond = orders.perSecond / 2;
  const open = await client.open({ mix: 'orders', perSecond, seconds: size.openSeconds });
  await followerCaughtUp(url);
  const shared = await besideBusyProcess(() =>
    client.sustained(url, { mix: 'orders', requests: size.shared, connections }),
  );
  const creating = { mix: 'creates', requests: size.creates, connections } as const;
  const creates = await client.sustained(url, creating);
  const closed = [size.warmUp, requests, size.creates, size.shared].map((n) =>
    roundedUp(n, connections),
  );
  const writes = closed.reduce((sum, n) => sum + n, 0) + size.alone;
  await agio.checkSequenced(writes + Math.round(perSecond * size.openSeconds));
  const gained = (name: string): number => after.get(name)! - before.get(name)!;
  const writesPerSync = gained('agio_journal_seq') / gained('agio_journal_syncs_total');
  const syncsPerSecond = orders.burst / writesPerSync;
  return { orders, alone, creates, open, shared, syncsPerSecond, writesPerSync, cpu };
}

async function besideBusyProcess<T>(run: () => Promise<T>): Promise<T> {
  await using _process = startBusyProcess();
  return await run();
}

/** Every connection sends the same number. */
const roundedUp = (requests: number, connections: number): number =>
  Math.ceil(requests / connections) * connections;

const runBare = (context: Context, size: Size, check: BareCheck): Promise<BareRun> =>
  onBareServer(context.directory, check, size.warmUp, async (client) => {
    const load = { mix: 'orders', requests: size.bareRequests, connections: CONNECTIONS } as const;
    const orders = await client.closed(load);
    const alone = await client.closed({ ...load, requests: size.alone, connections: 1 });
    const shared = await besideBusyProcess(() => client.closed({ ...load, requests: size.shared }));
    return { orders, alone, shared };
  });

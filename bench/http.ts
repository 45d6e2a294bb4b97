// Part `http`: signed orders over HTTP, each durable before its answer, against a server that only
// checks the same signature and parses the same JSON, and one that also writes the bodies to the
// disk. The clock stops when the follower has written the history of the last order. Then the
// latency at half of the rate of stream market, and of a single client.
import {
  CONNECTIONS,
  cpuFigures,
  type PerStream,
  requestsOf,
  runBareStreams,
  STREAM_NOTE,
  type StreamRun,
  type SustainedRun,
  startAgioUnderLoad,
  sustainStreams,
} from './support/agio-load.ts';
import { followerCaughtUp, type LoadClient, metricsOf } from './support/load.ts';
import type { LoadAnswer } from './support/load-client.ts';
import { STREAMS, type Stream } from './support/order-flow.ts';
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

const FULL = {
  warmUp: 60_000,
  /** Many times what the follower may defer. */
  requests: 400_000,
  /** The bare servers defer nothing. */
  bareRequests: 200_000,
  alone: 2000,
  openSeconds: 6,
  /** While another process uses one core. */
  shared: 100_000,
};
type Size = typeof FULL;

interface Run {
  readonly streams: PerStream<StreamRun>;
  readonly alone: LoadAnswer;
  /** While another process uses one core. */
  readonly shared: LoadAnswer;
}

interface AgioRun extends Run {
  readonly streams: PerStream<SustainedRun>;
  readonly open: LoadAnswer;
  readonly commandsPerSync: number;
}

export async function http(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const { agio, bare, durable } = await alternate<AgioRun | Run, 'agio' | 'bare' | 'durable'>(
    context,
    {
      agio: () => runAgio(context, size),
      bare: () => runBare(context, size, 'bare'),
      durable: () => runBare(context, size, 'durable'),
    },
  );
  const runs = agio as readonly AgioRun[];
  return {
    figures: [...rateFigures(runs, bare, durable), ...timeFigures(runs, bare)],
    notes: notesOf(size),
  };
}

function rateFigures(agio: readonly AgioRun[], bare: readonly Run[], durable: readonly Run[]) {
  const rates = (runs: readonly Run[], mix: Stream) =>
    runs.map(({ streams }) => streams[mix].perSecond);
  return [
    ...STREAMS.flatMap((mix): Figure[] => [
      figure(`agio, ${mix}`, '/s', rates(agio, mix)),
      ...figuresOf(agio, [
        [`agio until the last answer, ${mix}`, '/s', ({ streams }) => streams[mix].burst],
      ]),
      figure(`bare Bun.serve, ${mix}`, '/s', rates(bare, mix)),
      figure(`bare durable, ${mix}`, '/s', rates(durable, mix)),
      ratio(`agio ÷ bare Bun.serve, ${mix}`, rates(agio, mix), rates(bare, mix)),
      ratio(
        `agio ÷ bare durable, ${mix}`,
        rates(agio, mix),
        rates(durable, mix),
        mix === 'busy' ? { atLeast: 0.75 } : null,
      ),
    ]),
    ratio(
      'agio ÷ bare Bun.serve, market, while another process uses one core',
      agio.map(({ shared }) => shared.perSecond),
      bare.map(({ shared }) => shared.perSecond),
      { atLeast: 0.5 },
    ),
    ...figuresOf(agio, [['commands a sync', 'per sync', (run) => run.commandsPerSync]]),
  ];
}

function timeFigures(agio: readonly AgioRun[], bare: readonly Run[]): Figure[] {
  const main = (runs: readonly Run[]) => runs.map(({ streams }) => streams.market.cpu?.main ?? 0);
  return [
    ...cpuFigures(
      agio.map(({ streams }) => streams),
      '',
      { 'market, follower': { atMost: 5 }, 'busy, follower': { atMost: 8 } },
    ),
    ...cpuFigures(
      bare.map(({ streams }) => streams),
      ' of bare',
    ).filter(({ name }) => name.endsWith('main')),
    ratio('main ÷ main of bare, market', main(agio), main(bare), { atMost: 1.4 }),
    ...figuresOf(agio, [
      ['p50, 64 busy connections, market', 'ms', ({ streams }) => streams.market.p50],
      ['p99, 64 busy connections, market', 'ms', ({ streams }) => streams.market.p99],
      ['p50 at half of the rate, market', 'ms', ({ open }) => open.p50],
      ['p99 at half of the rate, market', 'ms', ({ open }) => open.p99, { atMost: 5 }],
      ['p99.9 at half of the rate, market', 'ms', ({ open }) => open.p999],
      ['longest at half of the rate, market', 'ms', ({ open }) => open.max],
      ['p50 of one client alone', 'ms', ({ alone }) => alone.p50],
      ['p99 of one client alone', 'ms', ({ alone }) => alone.p99],
      ['core of the client at full load', '%', (run) => run.streams.market.clientShare * 100],
    ]),
    ...figuresOf(bare, [['p50 of one client alone, bare', 'ms', ({ alone }) => alone.p50]]),
  ];
}

const notesOf = (size: Size): string[] => [
  `${CONNECTIONS} keep-alive connections from a second process, one customer and key ` +
    'each; every request is signed and different, every answer 200. ' +
    `${size.requests.toLocaleString('en')} requests of each stream, many times what the ` +
    'follower may defer; the clock stops when it has caught up. The journal has gained exactly ' +
    'as many commands as there were requests.',
  STREAM_NOTE,
  'The other process runs an endless loop at the usual priority.',
  'Open loop at half of the rate: requests are due at fixed times and timed from then, so that a ' +
    'stall counts for every request that was due in it. The client looks at its clock once a ' +
    'millisecond, which is part of the times.',
  'The bare server looks up the key, checks the HMAC as one writes it with node:crypto, parses ' +
    'the JSON and answers a small one: no state, no disk. Bare durable also makes one O_DSYNC ' +
    'write of the bodies of a batch before it answers them, while the next batch gathers: the ' +
    'limit for the same promise.',
  'Tried for the history, and left: inserts of 4 or 20 rows each (1.4 times as slow), rows in ' +
    'order of their users, pages of 8 and 16 KiB, checkpoints of 64 MiB, transactions of three ' +
    'times as many commands (no difference beyond the noise), many orders of a user in one ' +
    'row with indexes by class and clOrdId (18 to 26 % fewer bytes, and no less processor time), ' +
    'and an index by a hash of the clOrdId in place of its text (twice as slow: a page of the ' +
    'file for each). Won: one value for the fields of an order, ids by class many to a row, and ' +
    'hashes of clOrdIds in sorted runs (a sixth of the follower in the busy stream, two fifths ' +
    'with random clOrdIds).',
  'Tried for the thread of orders, and left: the headers of an answer as an object or an array ' +
    '(2 to 2.3 times the time of one shared Headers), an HMAC of two plain hashes instead of a ' +
    'prepared one (1.2 times), a scan of strings by character (1.4 times that by indexOf), and ' +
    'answers written by hand (0.4 % of an order).',
];

async function runAgio(context: Context, size: Size): Promise<AgioRun> {
  await using agio = await startAgioUnderLoad(context.directory);
  const { client, url } = agio;
  const { warmUp, requests } = size;
  const before = await metricsOf(url);
  const streams = await sustainStreams(agio, { warmUp, orders: requests });
  const after = await metricsOf(url);
  const alone = await runAlone(client, size);
  const perSecond = streams.market.perSecond / 2;
  const open = await client.open({ mix: 'market', perSecond, seconds: size.openSeconds });
  await followerCaughtUp(url);
  const shared = await runShared(() => client.sustained(url, sharedPhase(size)));
  const closed = requestsOf(warmUp) + requestsOf(requests);
  const others = requestsOf(size.shared) + size.alone + Math.round(perSecond * size.openSeconds);
  await agio.checkSequenced(closed * STREAMS.length + others);
  const gained = (name: string): number => after.get(name)! - before.get(name)!;
  const commandsPerSync = gained('agio_journal_seq') / gained('agio_journal_syncs_total');
  return { streams, alone, open, shared, commandsPerSync };
}

async function runBare(context: Context, size: Size, kind: 'bare' | 'durable'): Promise<Run> {
  const orders = { warmUp: size.warmUp, orders: size.bareRequests };
  const [streams, more] = await runBareStreams(context, kind, orders, async (client) => ({
    alone: await runAlone(client, size),
    shared: await runShared(() => client.closed(sharedPhase(size))),
  }));
  return { streams, ...more };
}

const runAlone = (client: LoadClient, { alone }: Size): Promise<LoadAnswer> =>
  client.closed({ mix: 'market', requests: alone, connections: 1 });

const sharedPhase = ({ shared }: Size) =>
  ({ mix: 'market', requests: shared, connections: CONNECTIONS }) as const;

async function runShared<T>(run: () => Promise<T>): Promise<T> {
  await using _process = startBusyProcess();
  return await run();
}

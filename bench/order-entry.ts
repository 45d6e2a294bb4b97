// Parts `order-entry` and `batches`: orders over websockets and over HTTP, one for each message or
// request and in batches of 50, each durable before its answer. The clock stops when the last one
// is answered, and again when the follower has written the history.
import {
  CONNECTIONS,
  cpuFigures,
  type PerStream,
  runBareStreams,
  runStreams,
  STREAM_NOTE,
  type StreamRun,
  type SustainedRun,
} from './support/agio-load.ts';
import { STREAMS } from './support/order-flow.ts';
import {
  alternate,
  type Context,
  type Figure,
  type Findings,
  figuresOf,
  ratio,
  sizeOf,
} from './support/part.ts';
import { BATCH } from './support/requests.ts';

const FULL = { warmUp: 60_000, orders: 400_000, bareRequests: 200_000 };
const SOCKET_PATH = '/ws/v1/private/orders';

type Runs = readonly PerStream<SustainedRun>[];

export async function orderEntry(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const { warmUp, bareRequests } = size;
  const runs = await alternate<PerStream<StreamRun>, 'single' | 'bare' | 'batches'>(context, {
    single: () => runStreams(context, size, SOCKET_PATH),
    bare: async () => {
      const orders = { warmUp, orders: bareRequests };
      const [streams] = await runBareStreams(context, 'bare', orders, async () => null);
      return streams;
    },
    batches: () => runStreams(context, { ...size, size: BATCH }, SOCKET_PATH),
  });
  const [single, batched] = [runs.single, runs.batches] as unknown as [Runs, Runs];
  return {
    figures: [
      ...rowsOf(single, 1, 'one a message'),
      ...STREAMS.map((mix) =>
        ratio(
          `orders over websockets ÷ bare Bun.serve over HTTP, ${mix}`,
          single.map((run) => run[mix].perSecond),
          runs.bare.map((run) => run[mix].perSecond),
          mix === 'busy' ? { atLeast: 1 } : null,
        ),
      ),
      ...rowsOf(batched, BATCH, `batches of ${BATCH}`),
    ],
    notes: [
      `${CONNECTIONS} websockets from a second process, one customer and key each; each ` +
        'sends its next message when the last one is answered. Messages have no signature: a ' +
        'connection logs in once.',
      STREAM_NOTE,
      'The clock stops when the follower has caught up. The journal has gained exactly as many ' +
        'commands as there were orders and cancels.',
      'The bare server is that of part http.',
    ],
  };
}

export async function batches(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const runs = await alternate<PerStream<SustainedRun>, 'single' | 'batches'>(context, {
    single: () => runStreams(context, size),
    batches: () => runStreams(context, { ...size, size: BATCH }),
  });
  const ratios = (name: string, of: (run: SustainedRun) => number): Figure[] =>
    STREAMS.map((mix) =>
      ratio(
        `requests of ${BATCH} ÷ requests of one, ${name}, ${mix}`,
        runs.batches.map((run) => of(run[mix]) * BATCH),
        runs.single.map((run) => of(run[mix])),
      ),
    );
  return {
    figures: [
      ...rowsOf(runs.single, 1, 'one a request'),
      ...rowsOf(runs.batches, BATCH, `${BATCH} a request`),
      ...ratios('until the last answer', ({ burst }) => burst),
      ...ratios('until the history is written', ({ perSecond }) => perSecond),
    ],
    notes: [
      `${CONNECTIONS} keep-alive connections from a second process, one customer and key each; ` +
        'every request is signed, and every entry is accepted.',
      STREAM_NOTE,
      'The journal has gained exactly one command for each request.',
    ],
  };
}

const rowsOf = (runs: Runs, batch: number, how: string): Figure[] => [
  ...STREAMS.flatMap((mix) =>
    figuresOf(runs, [
      [
        `orders, ${how}, ${mix}`,
        '/s',
        (run) => run[mix].perSecond * batch,
        batch > 1 && mix === 'busy' ? { atLeast: 100_000 } : undefined,
      ],
      [`orders until the last answer, ${how}, ${mix}`, '/s', (run) => run[mix].burst * batch],
      [`p99 of an answer, ${how}, ${mix}`, 'ms', (run) => run[mix].p99],
    ]),
  ),
  ...cpuFigures(runs, `, ${how}`),
];

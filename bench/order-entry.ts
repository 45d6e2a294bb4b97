// Part `order-entry`: orders over websockets, one for each message and in batches, each durable
// before its answer, against the bare server of part `http`. The clock stops when the follower has
// written the history of the last order.
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
  figure,
  figuresOf,
  ratio,
  sizeOf,
} from './support/part.ts';
import { BATCH } from './support/requests.ts';

const FULL = { warmUp: 60_000, orders: 400_000, bareRequests: 200_000 };
const SOCKET_PATH = '/ws/v1/private/orders';

type Runs = PerStream<SustainedRun>[];

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
  const single = runs.single as Runs;
  const ratioOf = (mix: (typeof STREAMS)[number]): Figure =>
    ratio(
      `orders over websockets ÷ bare Bun.serve over HTTP, ${mix}`,
      single.map((run) => run[mix].perSecond),
      runs.bare.map((run) => run[mix].perSecond),
      mix === 'busy' ? { atLeast: 1 } : null,
    );
  return {
    figures: [
      ...rowsOf(single, 1, 'one a message'),
      ...STREAMS.map(ratioOf),
      ...rowsOf(runs.batches as Runs, BATCH, `batches of ${BATCH}`),
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

const rowsOf = (runs: Runs, batch: number, how: string): Figure[] => [
  ...STREAMS.flatMap((mix): Figure[] => [
    figure(
      `orders, ${how}, ${mix}`,
      '/s',
      runs.map((run) => run[mix].perSecond * batch),
      batch > 1 && mix === 'busy' ? { atLeast: 100_000 } : null,
    ),
    ...figuresOf(runs, [
      [`orders until the last answer, ${how}, ${mix}`, '/s', (run) => run[mix].burst * batch],
      [`p99 of a message, ${how}, ${mix}`, 'ms', (run) => run[mix].p99],
    ]),
  ]),
  ...cpuFigures(runs, `, ${how}`),
];

// Part `batches`: orders in signed requests of 50 (`v2/orders`) against the same orders, one in
// each request, over the same connections. The clock stops when the last request is answered, and
// again when the follower has written the history.
import {
  CONNECTIONS,
  cpuFigures,
  type PerStream,
  runStreams,
  STREAM_NOTE,
  type SustainedRun,
} from './support/agio-load.ts';
import { STREAMS, type Stream } from './support/order-flow.ts';
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

const FULL = { warmUp: 60_000, orders: 400_000 };

type Runs = readonly PerStream<SustainedRun>[];

export async function batches(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const runs = await alternate<PerStream<SustainedRun>, 'single' | 'batches'>(context, {
    single: () => runStreams(context, size),
    batches: () => runStreams(context, { ...size, size: BATCH }),
  });
  const ratioOf = (mix: Stream, name: string, of: (run: SustainedRun) => number): Figure =>
    ratio(
      `requests of ${BATCH} ÷ requests of one, ${name}, ${mix}`,
      runs.batches.map((run) => of(run[mix]) * BATCH),
      runs.single.map((run) => of(run[mix])),
    );
  return {
    figures: [
      ...rowsOf(runs.single, 1, 'one a request'),
      ...rowsOf(runs.batches, BATCH, `${BATCH} a request`),
      ...STREAMS.flatMap((mix) => [
        ratioOf(mix, 'until the last answer', ({ burst }) => burst),
        ratioOf(mix, 'until the history is written', ({ perSecond }) => perSecond),
      ]),
      ...cpuFigures(runs.batches, `, ${BATCH} a request`),
    ],
    notes: [
      `${CONNECTIONS} keep-alive connections from a second process, one customer and key each; ` +
        'every request is signed, and every entry is accepted.',
      STREAM_NOTE,
      'The journal has gained exactly one command for each request.',
    ],
  };
}

const rowsOf = (runs: Runs, batch: number, how: string): Figure[] =>
  STREAMS.flatMap((mix) =>
    figuresOf(runs, [
      [`orders until the last answer, ${how}, ${mix}`, '/s', (run) => run[mix].burst * batch],
      [
        `orders until the history is written, ${how}, ${mix}`,
        '/s',
        (run) => run[mix].perSecond * batch,
        batch > 1 && mix === 'busy' ? { atLeast: 100_000 } : undefined,
      ],
      [`p99 of a request, ${how}, ${mix}`, 'ms', (run) => run[mix].p99],
    ]),
  );

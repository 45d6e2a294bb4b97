// Part `batches`: orders in signed requests of 50 (`v2/orders`) against the same orders, one in
// each request, over the same connections. The clock stops when the last request is answered, and
// again when the follower has written the history.
import { CONNECTIONS, runOrders } from './support/agio-load.ts';
import type { SustainedAnswer } from './support/load.ts';
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

const FULL = { warmUp: 100_000, orders: 750_000 };

export async function batches(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const runs = await alternate<SustainedAnswer, 'single' | 'batches'>(context, {
    single: () => runOrders(context, size, false),
    batches: () => runOrders(context, size, true),
  });
  const { single } = runs;
  const ratios = (name: string, of: (answer: SustainedAnswer) => number, atLeast?: number) =>
    ratio(
      `requests of ${BATCH} ÷ requests of one, ${name}`,
      runs.batches.map((answer) => of(answer) * BATCH),
      single.map(of),
      atLeast === undefined ? null : { atLeast },
    );
  return {
    figures: [
      ...rowsOf(single, 1, 'one a request'),
      ...rowsOf(runs.batches, BATCH, `${BATCH} a request`),
      ratios('until the last answer', ({ burst }) => burst, 4),
      ratios('until the history is written', ({ perSecond }) => perSecond),
    ],
    notes: [
      `${CONNECTIONS} keep-alive connections from a second process, one customer and key each, ` +
        'half new orders and half cancels; every request is signed, and every entry is accepted.',
      'The journal has gained exactly one command for each request.',
    ],
  };
}

const rowsOf = (runs: readonly SustainedAnswer[], batch: number, how: string): Figure[] => [
  figure(
    `orders until the last answer, ${how}`,
    '/s',
    runs.map(({ burst }) => burst * batch),
  ),
  figure(
    `orders until the history is written, ${how}`,
    '/s',
    runs.map(({ perSecond }) => perSecond * batch),
  ),
  ...figuresOf(runs, [
    [`p50 of a request, ${how}`, 'ms', ({ p50 }) => p50],
    [`p99 of a request, ${how}`, 'ms', ({ p99 }) => p99],
    [`core of the client, ${how}`, '%', ({ clientShare }) => clientShare * 100],
  ]),
];

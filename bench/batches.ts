// Part `batches`: orders in signed requests of 50 (`v2/orders`) against the same orders, one in
// each request, over the same connections. The clock stops when the last request is answered, and
// again when the follower has written the history.
import { CONNECTIONS, startAgioUnderLoad } from './support/agio-load.ts';
import { followerCaughtUp, type SustainedAnswer } from './support/load.ts';
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
type Size = typeof FULL;

export async function batches(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const runs = await alternate<SustainedAnswer, 'single' | 'batches'>(context, {
    single: () => run(context, size, 1),
    batches: () => run(context, size, BATCH),
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

async function run(context: Context, size: Size, batch: number): Promise<SustainedAnswer> {
  await using agio = await startAgioUnderLoad(context.directory);
  const { client, url } = agio;
  const mix = batch === 1 ? 'orders' : 'batches';
  const phase = (orders: number) =>
    ({ mix, requests: orders / batch, connections: CONNECTIONS }) as const;
  const warmUp = await client.closed(phase(size.warmUp));
  await followerCaughtUp(url);
  const answer = await client.sustained(url, phase(size.orders));
  await agio.checkSequenced(warmUp.requests + answer.requests);
  return answer;
}

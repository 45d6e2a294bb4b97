// Parts `order-entry` and `batches`: orders over websockets and over HTTP, one for each message or
// request and in batches of 50, each durable before its answer. The clock stops when the last one
// is answered, and again when the follower has written the history.
import {
  CONNECTIONS,
  cpuRows,
  type PerStream,
  runStreams,
  type SustainedAnswer,
} from './support/load.ts';
import { STREAM_NOTE, STREAMS } from './support/order-flow.ts';
import { part, type Row } from './support/part.ts';
import { BATCH } from './support/requests.ts';

const SIZE = { warmUp: 60_000, orders: 400_000 };
const COMMANDS_NOTE = 'The journal has gained exactly one command for each request.';
/** The bare server defers nothing. */
const BARE_SHARE = 1 / 2;

type Run = Readonly<Record<'single' | 'batches', PerStream>>;

function rowsOf(kind: keyof Run, how: string): Row<Run>[] {
  const size = kind === 'batches' ? BATCH : 1;
  const rates = STREAMS.flatMap((mix): Row<Run>[] => {
    const of = (run: Run) => run[kind][mix];
    const target = size > 1 && mix === 'busy' ? { atLeast: 100_000 } : null;
    return [
      [`orders, ${how}, ${mix}`, '/s', (run) => of(run).perSecond * size, target],
      [`orders until the last answer, ${how}, ${mix}`, '/s', (run) => of(run).burst * size],
    ];
  });
  return [...rates, ...cpuRows((run: Run) => run[kind], `, ${how}`)];
}

export const orderEntry = part({
  name: 'order-entry',
  question: 'How many orders per second become durable and are answered over websockets?',
  against: 'the bare Bun.serve of part http',
  size: SIZE,
  subjects: ({ warmUp, orders }, context) => ({
    single: () => runStreams(context, { warmUp, orders }, { form: 'websocket' }),
    bare: () => runStreams(context, { warmUp, orders: orders * BARE_SHARE }, { kind: 'bare' }),
    batches: () => runStreams(context, { warmUp, orders }, { form: 'websocket', size: BATCH }),
  }),
  rows: (): Row<Run & { readonly bare: PerStream }>[] => [
    ...rowsOf('single', 'one a message'),
    [
      'orders over websockets ÷ bare Bun.serve over HTTP, busy',
      '×',
      ({ single, bare }) => single.busy.perSecond / bare.busy.perSecond,
      { atLeast: 1 },
    ],
    ...rowsOf('batches', `batches of ${BATCH}`),
  ],
  notes: () => [
    `${CONNECTIONS} websockets from a second process, one customer and key each; each sends its ` +
      'next message when the last one is answered. Messages have no signature: a connection logs ' +
      'in once.',
    STREAM_NOTE,
    `The clock stops when the follower has caught up. ${COMMANDS_NOTE}`,
    'The bare server is that of part http.',
  ],
});

const ratiosOf = (name: string, of: (answer: SustainedAnswer) => number): Row<Run>[] =>
  STREAMS.map((mix) => [
    `requests of ${BATCH} ÷ requests of one, ${name}, ${mix}`,
    '×',
    ({ single, batches }) => (of(batches[mix]) * BATCH) / of(single[mix]),
  ]);

export const batches = part({
  name: 'batches',
  question: `How many orders per second get their answers in requests of ${BATCH}?`,
  against: 'the same orders, one in each request',
  size: SIZE,
  subjects: (size, context) => ({
    single: () => runStreams(context, size),
    batches: () => runStreams(context, size, { size: BATCH }),
  }),
  rows: () => [
    ...rowsOf('single', 'one a request'),
    ...rowsOf('batches', `${BATCH} a request`),
    ...ratiosOf('until the last answer', ({ burst }) => burst),
    ...ratiosOf('until the history is written', ({ perSecond }) => perSecond),
  ],
  notes: () => [
    `${CONNECTIONS} keep-alive connections from a second process, one customer and key each; ` +
      'every request is signed, and every entry is accepted.',
    STREAM_NOTE,
    COMMANDS_NOTE,
  ],
});

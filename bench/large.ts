// Parts `large`, `large-cluster` and `flood`: the latency of honest customers while another account
// sends a command that meets ten thousand orders, or while somebody floods the server.
import { FLOOD_FLAGS } from './support/floods.ts';
import { median, type Row } from './support/part.ts';
import { startCluster, startSingle } from './support/stages.ts';
import { type Comparison, type Group, type Waits, waitsPart, worst } from './support/waits.ts';

const SIZE = { orders: 10_000 };

/** The longest waits on a stage, as a multiple of those in calm. */
const ratioRows = (stage: string) => (runs: readonly Waits[]) => {
  const ratio = ({ calm, during }: Comparison, by: Partial<Group>): number =>
    worst(during, by) / worst(calm, by);
  const target = { atMost: 3 };
  return [
    ...(['http', 'websocket'] as const).map((form): Row<Waits> => {
      const name = `${stage}, all cases: longest wait over ${form} ÷ calm`;
      const all = (run: Waits) => median(Object.values(run).map((one) => ratio(one, { form })));
      return [name, '×', all, target];
    }),
    ...Object.keys(runs[0]).flatMap((one) =>
      (['another pair', 'the same pair'] as const).map((where): Row<Waits> => {
        const name = `${stage}, ${one}: longest wait in ${where} ÷ calm`;
        return [name, '×', (run) => ratio(run[one], { where }), target];
      }),
    ),
  ];
};

const LARGE = {
  cases: 'large',
  size: { ...SIZE, seconds: 2 },
  against: 'the same customers without the command',
  // The operator may have canceled the order that a cancel names; history may not have it yet.
  accepts: '"code":"10020[35]"|"rule":"behind"',
  notes: (orders: string) => [
    `Each case has ${orders} orders of its own, unless its name has a number; an iceberg has 100 ` +
      'parts. Rejected commands come 200 together. Rate limits are off.',
    'A pair belongs to the order that is being matched: who trades in it waits for all of it. ' +
      'The operator also cancels the orders of honest customers in the pair, whose own cancels ' +
      'then wait for the history.',
    'Watched: the owners of the orders listen to their orders, and others to the trades, the ' +
      'book by price and by order, and the best prices.',
  ],
} as const;

export const large = waitsPart({
  ...LARGE,
  name: 'large',
  question: 'How long do honest customers wait while a command meets 10,000 orders?',
  rows: ratioRows('one node'),
});

export const largeCluster = waitsPart({
  ...LARGE,
  name: 'large-cluster',
  question: 'How long do honest customers wait on a cluster while a command meets 10,000 orders?',
  start: startCluster,
  rows: ratioRows('cluster'),
});

export const flood = waitsPart({
  name: 'flood',
  question: 'How much do floods by unknown callers, or by one customer, delay other orders?',
  against: 'the same orders without the flood',
  cases: 'flood',
  size: { ...SIZE, seconds: 6 },
  accepts: '^(429|503):|"code":"100(429|503)"',
  start: (directory, source) => startSingle(directory, source, FLOOD_FLAGS),
  rows: ([run]) =>
    Object.keys(run).flatMap((kind): Row<Waits>[] => {
      const p99 = (one: Comparison, phase: 'calm' | 'during') => worst(one[phase], {}, 'p99');
      const ratio = (run: Waits) => p99(run[kind], 'during') / p99(run[kind], 'calm');
      const target = { atMost: kind === 'logins' ? 1.5 : 3 };
      return [
        [`${kind}: p99 of orders ÷ calm`, '×', ratio, target],
        [`${kind}: p99 of orders`, 'ms', (run) => p99(run[kind], 'during'), { atMost: 250 }],
      ];
    }),
  notes: (orders, runs) => [
    `A customer has ${orders} open orders in the pair that is watched. The limits are those of a ` +
      'sandbox, a hundred times those of production, and 2,000 connections at most. Each flood ' +
      'comes from a process of its own.',
    `The floods of one turn. ${Object.entries(runs.at(-1)!)
      .map(([kind, { note }]) => `${kind}: ${note}`)
      .join('; ')}.`,
    `${runs
      .flatMap((run) => Object.values(run))
      .reduce((sum, { during }) => sum + during.rejected, 0)} orders were rejected with 429 or ` +
      '503 during floods.',
  ],
});

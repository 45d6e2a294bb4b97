// Part `core`: operations a second of the core, and of the faster of the correct order books on
// npm, on the same streams. Three streams have different numbers of orders at a price, since that
// decides which book is fast: as in real books, nearly one, and many.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINES, type EngineName, feed } from './support/engines.ts';
import {
  makeStream,
  type OrderStream,
  RESTING,
  SHAPES,
  type ShapeName,
  TRADE_WORDS,
  wordsOf,
} from './support/order-stream.ts';
import { type Context, many, part, type Row } from './support/part.ts';
import { program } from './support/processes.ts';

const SEED = 20_260_101;
const SIZE = { warmUp: 200_000, operations: 1_000_000 };
const NPM = 'orderbook-match-engine';
/** The book from npm is slow, so a part of the operations suffices to measure it. */
const NPM_SHARE = 2;

/** Measured on every stream; the first also measures signatures and reports. */
const COMPARED = ['core', NPM] as const;
const ON_THE_FIRST = ['signedCore', 'reportingCore'] as const;

interface EngineRun {
  readonly engine: EngineName;
  /** The file of the stream's operations. */
  readonly stream: string;
  /** Operations after the book was filled that are not timed. */
  readonly warmUp: number;
  readonly operations: number;
}

const { once } = program(import.meta, {
  /** The trades of all operations. */
  trades({ engine, stream, warmUp, operations }: EngineRun): Int32Array {
    const trades: number[] = [];
    const listening = ENGINES[engine]((...trade) => trades.push(...trade));
    feed(listening, wordsOf(readFileSync(stream)), 0, RESTING + warmUp + operations);
    return Int32Array.from(trades);
  },

  /** Operations a second. */
  speed({ engine: name, stream, warmUp, operations }: EngineRun): number {
    const words = wordsOf(readFileSync(stream));
    const engine = ENGINES[name](null);
    const start = RESTING + warmUp;
    feed(engine, words, 0, start);
    const began = performance.now();
    feed(engine, words, start, start + operations);
    return (operations * 1000) / (performance.now() - began);
  },
});

function runOf(size: typeof SIZE, stream: string, engine: EngineName): EngineRun {
  const { warmUp, operations } = size;
  const share = engine === NPM ? NPM_SHARE : 1;
  return { engine, stream, warmUp: warmUp / share, operations: operations / share };
}

/** Throws if an engine's trades differ from those of the stream's own book. Returns a note. */
async function compareTrades(
  context: Context,
  shape: ShapeName,
  stream: OrderStream,
  run: (engine: EngineName) => EngineRun,
): Promise<string> {
  const counts: string[] = [];
  for (const engine of COMPARED) {
    context.step(`comparing trades, ${shape} book: ${engine}`);
    const trades = await once.trades(run(engine));
    const differs = trades.findIndex((word, i) => word !== stream.trades[i]);
    const isWhole = engine === NPM || trades.length === stream.trades.length;
    if (differs >= 0 || trades.length === 0 || !isWhole) {
      const at = Math.floor(differs / TRADE_WORDS);
      throw new Error(`${engine} differs from the textbook book at trade ${at}`);
    }
    counts.push(`${engine} ${many(trades.length / TRADE_WORDS)}`);
  }
  const sum = stream.mix.reduce((a, b) => a + b, 0);
  const shares = stream.mix.map((count) => `${((count / sum) * 100).toFixed(1)} %`);
  return (
    `${shape.charAt(0).toUpperCase()}${shape.slice(1)} book: one instrument, 10,000 orders ` +
    `resting at ${many(stream.prices)} prices. ${shares[0]} resting limits, ${shares[1]} ` +
    `cancels, ${shares[2]} marketable limits, ${shares[3]} market orders. Trades compared one by ` +
    "one with the stream's textbook book (maker, price, quantity), all equal: " +
    `${counts.join(', ')}.`
  );
}

/** By shape and engine. */
type Run = Readonly<Record<string, number>>;

const against = (shape: ShapeName): Row<Run>[] => {
  const of = (engine: EngineName) => (run: Run) => run[`${shape} ${engine}`];
  return [
    [`${shape} book: ${NPM} 2.0.0`, '/s', of(NPM)],
    [`${shape} book: core ÷ ${NPM}`, '×', (run) => of('core')(run) / of(NPM)(run), { atLeast: 3 }],
  ];
};

export const core = part({
  name: 'core',
  question: 'How many operations per second does the core apply, with its ledger?',
  against: 'the faster of the two correct order books on npm, with the same stream',
  size: SIZE,
  async subjects(size, context) {
    const subjects: Record<string, () => Promise<number>> = {};
    for (const shape of ['clustered', 'wide', 'narrow'] as const) {
      context.step(`making the stream of a ${shape} book`);
      const stream = makeStream(SEED, size.warmUp + size.operations, SHAPES[shape]);
      const file = join(context.directory, `stream-${shape}`);
      writeFileSync(file, stream.operations);
      context.notes.push(
        await compareTrades(context, shape, stream, (engine) => runOf(size, file, engine)),
      );
      for (const engine of [...(shape === 'clustered' ? ON_THE_FIRST : []), ...COMPARED]) {
        subjects[`${shape} ${engine}`] = () => once.speed(runOf(size, file, engine));
      }
    }
    return subjects;
  },
  rows: (): Row<Run>[] => [
    ['core with ledger', '/s', (run) => run['clustered core'], { atLeast: 1_000_000 }],
    ['core with ledger, every command signed', '/s', (run) => run['clustered signedCore']],
    [
      'core with ledger, making reports as the follower does',
      '/s',
      (run) => run['clustered reportingCore'],
    ],
    ...against('clustered'),
    ...(['wide', 'narrow'] as const).flatMap((shape): Row<Run>[] => [
      [`${shape} book: core with ledger`, '/s', (run) => run[`${shape} core`]],
      ...against(shape),
    ]),
  ],
  notes: () => [
    'The book from npm has no accounts, holds or ledger; the core has all of them. The other ' +
      'correct one, nodejs-order-book 10.1.1, was slower on each stream, by 2.1 to 5 times.',
    'The cost depends on the shape of the book: orderbook-match-engine slows down with each ' +
      'price.',
  ],
});

// Part `core`: operations a second of the core, of its book alone, and of the two correct order
// books from npm, on the same streams. Every trade is compared with that of a textbook book. Three
// streams have different numbers of orders at a price, since that decides which book is fast: as in
// real books, nearly one, and many.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINES, type EngineName, feed, type TradeListener } from './support/engines.ts';
import {
  makeStream,
  type OrderStream,
  RESTING,
  SHAPES,
  TRADE_WORDS,
} from './support/order-stream.ts';
import {
  alternate,
  type Context,
  type Figure,
  type Findings,
  figure,
  ratio,
  sizeOf,
} from './support/part.ts';
import { job } from './support/processes.ts';

const SEED = 20_260_101;

const FULL = { warmUp: 200_000, operations: 1_000_000 };
type Size = typeof FULL;
/** The books from npm are slow, so fewer operations suffice to measure them. */
const SLOWER: Readonly<Partial<Record<EngineName, number>>> = {
  'orderbook-match-engine': 2,
  'nodejs-order-book': 10,
};

type ShapeName = keyof typeof SHAPES;

/** Measured on every stream; the first also measures signatures and reports. */
const COMPARED = ['core', 'book', 'orderbook-match-engine', 'nodejs-order-book'] as const;
const ON_THE_FIRST = ['signedCore', 'tellingCore'] as const;

interface EngineRun {
  readonly engine: EngineName;
  /** The file of the stream's operations. */
  readonly stream: string;
  /** Operations after the book was filled that are not timed. */
  readonly warmUp: number;
  readonly operations: number;
  /** Where to write the trades of all operations, instead of timing them; null to time. */
  readonly record: string | null;
}

/** Feeds the stream to one engine; returns the seconds. */
const time = job(
  import.meta,
  ({ engine: name, stream, warmUp, operations, record }: EngineRun): number => {
    const bytes = readFileSync(stream);
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    const trades: number[] = [];
    const listener: TradeListener = (maker, price, quantity) => trades.push(maker, price, quantity);
    const engine = ENGINES[name](record === null ? null : listener);
    const start = RESTING + warmUp;
    feed(engine, words, 0, start);
    const began = performance.now();
    feed(engine, words, start, start + operations);
    const seconds = (performance.now() - began) / 1000;
    if (record !== null) writeFileSync(record, Int32Array.from(trades));
    return seconds;
  },
);

export async function core(context: Context): Promise<Findings> {
  const [clustered, ...others] = (Object.keys(SHAPES) as ShapeName[]).map(
    (shape) => new Comparison(context, shape),
  );
  const comparisons = [clustered, ...others];
  const notes: string[] = [];
  for (const comparison of comparisons) notes.push(await comparison.checkTrades());
  const rates = await alternate<number, string>(context, {
    ...clustered.subjects(ON_THE_FIRST),
    ...Object.assign({}, ...comparisons.map((comparison) => comparison.subjects(COMPARED))),
  });
  const of = ({ shape }: Comparison, engine: EngineName): number[] => rates[`${shape} ${engine}`];
  return {
    figures: [
      figure('core with ledger', '/s', of(clustered, 'core'), { atLeast: 1_000_000 }),
      figure('core with ledger, every command signed', '/s', of(clustered, 'signedCore')),
      figure(
        'core with ledger, making reports as the follower does',
        '/s',
        of(clustered, 'tellingCore'),
      ),
      figure('book alone', '/s', of(clustered, 'book'), { atLeast: 3_000_000 }),
      ...against('clustered', (engine) => of(clustered, engine)),
      ...others.flatMap((other) => [
        figure(`${other.shape} book: core with ledger`, '/s', of(other, 'core')),
        figure(`${other.shape} book: book alone`, '/s', of(other, 'book')),
        ...against(other.shape, (engine) => of(other, engine)),
      ]),
    ],
    notes: [
      ...notes,
      'The books from npm have no accounts, holds or ledger; the core has all of them.',
      'The cost depends on the shape of the book: orderbook-match-engine slows down with each ' +
        'price, nodejs-order-book with each order at a price. A clustered book, as in real ' +
        'markets, slows both; each other shape suits one of them.',
    ],
  };
}

/** The speed of each book from npm, and how many times that the core has. */
function against(shape: ShapeName, of: (engine: EngineName) => number[]): Figure[] {
  const [ours, engine, nodejs] = [
    of('core'),
    of('orderbook-match-engine'),
    of('nodejs-order-book'),
  ];
  return [
    figure(`${shape} book: orderbook-match-engine 2.0.0`, '/s', engine),
    figure(`${shape} book: nodejs-order-book 10.1.1`, '/s', nodejs),
    ratio(`${shape} book: core ÷ orderbook-match-engine`, ours, engine, { atLeast: 3 }),
    ratio(`${shape} book: core ÷ nodejs-order-book`, ours, nodejs, { atLeast: 10 }),
  ];
}

/** All engines on one stream. */
class Comparison {
  readonly shape: ShapeName;
  readonly #context: Context;
  readonly #size: Size;
  readonly #stream: OrderStream;
  readonly #file: string;

  constructor(context: Context, shape: ShapeName) {
    this.#context = context;
    this.shape = shape;
    this.#size = sizeOf(context, FULL);
    context.step(`making the stream of a ${shape} book`);
    const operations = this.#size.warmUp + this.#size.operations;
    this.#stream = makeStream(SEED, operations, SHAPES[shape]);
    this.#file = join(context.directory, `stream-${shape}`);
    writeFileSync(this.#file, this.#stream.operations);
  }

  /** The measurements of these engines, by shape and engine. */
  subjects(engines: readonly EngineName[]): Record<string, () => Promise<number>> {
    return Object.fromEntries(
      engines.map((engine) => [`${this.shape} ${engine}`, () => this.#speed(engine)]),
    );
  }

  /** Operations a second. */
  async #speed(engine: EngineName): Promise<number> {
    const run = this.#runOf(engine, null);
    return run.operations / (await time(run));
  }

  #runOf(engine: EngineName, record: string | null): EngineRun {
    const share = SLOWER[engine] ?? 1;
    return {
      engine,
      stream: this.#file,
      warmUp: this.#size.warmUp / share,
      operations: this.#size.operations / share,
      record,
    };
  }

  /** Throws when an engine's trades differ from those of the textbook book. Returns a note. */
  async checkTrades(): Promise<string> {
    const counts: string[] = [];
    for (const engine of COMPARED) {
      this.#context.step(`comparing trades, ${this.shape} book: ${engine}`);
      counts.push(`${engine} ${(await this.#checkTradesOf(engine)).toLocaleString('en')}`);
    }
    const { prices } = this.#stream;
    return (
      `${capital(this.shape)} book: one instrument, 10,000 orders resting at ` +
      `${prices.toLocaleString('en')} prices. ${mixOf(this.#stream)} Trades compared one by ` +
      `one with the stream's textbook book (maker, price, quantity), all equal: ` +
      `${counts.join(', ')}.`
    );
  }

  /** How many trades it made. */
  async #checkTradesOf(engine: EngineName): Promise<number> {
    const record = join(this.#context.directory, 'trades');
    await time(this.#runOf(engine, record));
    const bytes = readFileSync(record);
    const trades = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    const expected = this.#stream.trades;
    const differs = trades.findIndex((word, i) => word !== expected[i]);
    if (differs >= 0 || trades.length === 0) {
      const at = Math.floor(differs / TRADE_WORDS);
      throw new Error(`${engine} differs from the textbook book at trade ${at}`);
    }
    if (engine === 'core' && trades.length !== expected.length) {
      throw new Error('the core has not made all trades');
    }
    return trades.length / TRADE_WORDS;
  }
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function mixOf({ mix }: OrderStream): string {
  const sum = mix.reduce((a, b) => a + b, 0);
  const [resting, cancels, marketable, market] = mix.map(
    (n) => `${((n / sum) * 100).toFixed(1)} %`,
  );
  return (
    `${resting} resting limits, ${cancels} cancels, ${marketable} marketable limits, ${market} ` +
    'market orders.'
  );
}

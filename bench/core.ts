// Part `core`: operations a second of the core and of its book alone, and of the two order books from npm that keep
// correct books, on the same streams. Trades of each are compared, one by one, with those of the stream's own textbook
// book. How many orders share a price decides which structure of a book is fast, so there are two streams: a wide book and
// a narrow one.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineRun, EngineTime } from './support/engine-process.ts';
import type { EngineName } from './support/engines.ts';
import { DEPTHS, makeStream, type OrderStream, TRADE_WORDS } from './support/order-stream.ts';
import {
  alternate,
  type Context,
  type Figure,
  type Findings,
  figure,
  ratio,
} from './support/part.ts';
import { runScript } from './support/processes.ts';

const SEED = 20_260_101;

interface Size {
  readonly warmUp: number;
  readonly operations: number;
}

const FULL: Size = { warmUp: 200_000, operations: 1_000_000 };
const QUICK: Size = { warmUp: 50_000, operations: 200_000 };
/** The books from npm are slow enough that fewer operations tell their speed; a process takes seconds as it is. */
const SLOWER: Readonly<Partial<Record<EngineName, number>>> = {
  'orderbook-match-engine': 2,
  'nodejs-order-book': 10,
};

export async function core(context: Context): Promise<Findings> {
  const wide = new Comparison(context, 'wide');
  const narrow = new Comparison(context, 'narrow');
  const notes = [await wide.checkTrades(), await narrow.checkTrades()];
  const inTurns = await alternate(context, {
    core: () => wide.speed('core'),
    signedCore: () => wide.speed('signedCore'),
    tellingCore: () => wide.speed('tellingCore'),
    book: () => wide.speed('book'),
    engine: () => wide.speed('orderbook-match-engine'),
    nodejs: () => wide.speed('nodejs-order-book'),
    narrowCore: () => narrow.speed('core'),
    narrowBook: () => narrow.speed('book'),
    narrowEngine: () => narrow.speed('orderbook-match-engine'),
    narrowNodejs: () => narrow.speed('nodejs-order-book'),
  });
  const { narrowCore, narrowBook, narrowEngine, narrowNodejs, ...rates } = inTurns;
  return {
    figures: [
      figure('core with ledger', '/s', rates.core, { atLeast: 1_000_000 }),
      figure('core with ledger, every command signed', '/s', rates.signedCore),
      figure('core with ledger, making reports as the follower does', '/s', rates.tellingCore),
      figure('book alone', '/s', rates.book, { atLeast: 3_000_000 }),
      ...against('wide book', rates),
      figure('narrow book: core with ledger', '/s', narrowCore),
      figure('narrow book: book alone', '/s', narrowBook),
      ...against('narrow book', { core: narrowCore, engine: narrowEngine, nodejs: narrowNodejs }),
    ],
    notes: [
      ...notes,
      'The books from npm have no accounts, holds or ledger; the core has all of them.',
      'Which shape of book is the hard one differs: orderbook-match-engine pays for each price, nodejs-order-book for each order at a price.',
    ],
  };
}

/** The speed of each book from npm, and how many times that the core has. */
function against(
  shape: string,
  { core: ours, engine, nodejs }: Record<'core' | 'engine' | 'nodejs', number[]>,
): Figure[] {
  return [
    figure(`${shape}: orderbook-match-engine 2.0.0`, '/s', engine),
    figure(`${shape}: nodejs-order-book 10.1.1`, '/s', nodejs),
    ratio(`${shape}: core ÷ orderbook-match-engine`, ours, engine, { atLeast: 3 }),
    ratio(`${shape}: core ÷ nodejs-order-book`, ours, nodejs, { atLeast: 10 }),
  ];
}

/** All engines on one stream. */
class Comparison {
  readonly #context: Context;
  readonly #shape: keyof typeof DEPTHS;
  readonly #size: Size;
  readonly #stream: OrderStream;
  readonly #file: string;

  constructor(context: Context, shape: keyof typeof DEPTHS) {
    this.#context = context;
    this.#shape = shape;
    this.#size = context.quick ? QUICK : FULL;
    context.step(`making the stream of a ${shape} book`);
    const operations = this.#size.warmUp + this.#size.operations;
    this.#stream = makeStream(SEED, operations, DEPTHS[shape]);
    this.#file = join(context.directory, `stream-${shape}`);
    writeFileSync(this.#file, this.#stream.operations);
  }

  /** Operations a second. */
  async speed(engine: EngineName): Promise<number> {
    const run = this.#runOf(engine, null);
    const { seconds } = await runScript<EngineTime>('engine-process.ts', run);
    return run.operations / seconds;
  }

  #runOf(engine: EngineName, record: string | null): EngineRun {
    const share = SLOWER[engine] ?? 1;
    return {
      engine,
      stream: this.#file,
      orders: this.#stream.orders,
      warmUp: this.#size.warmUp / share,
      operations: this.#size.operations / share,
      record,
    };
  }

  /** Throws when an engine trades otherwise than the textbook book; returns what was compared. */
  async checkTrades(): Promise<string> {
    const counts: string[] = [];
    for (const engine of ['core', 'book', 'orderbook-match-engine', 'nodejs-order-book'] as const) {
      this.#context.step(`comparing trades, ${this.#shape} book: ${engine}`);
      counts.push(`${engine} ${(await this.#checkTradesOf(engine)).toLocaleString('en')}`);
    }
    const { prices } = this.#stream;
    return `${capital(this.#shape)} book: one instrument, 10,000 orders resting at ${prices.toLocaleString('en')} prices. ${mixOf(this.#stream)} Trades compared one by one with the stream's textbook book (maker, price, quantity), all equal: ${counts.join(', ')}.`;
  }

  /** How many trades it made. */
  async #checkTradesOf(engine: EngineName): Promise<number> {
    const record = join(this.#context.directory, 'trades');
    await runScript<EngineTime>('engine-process.ts', this.#runOf(engine, record));
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
  return `${resting} resting limits, ${cancels} cancels, ${marketable} marketable limits, ${market} market orders.`;
}

// Part `core`: operations a second of the core and of its book alone, and of the two order books from npm that keep
// correct books, on one stream. Trades of each are compared, one by one, with those of the stream's own textbook book.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineRun, EngineTime } from './support/engine-process.ts';
import type { EngineName } from './support/engines.ts';
import { makeStream, type OrderStream, TRADE_WORDS } from './support/order-stream.ts';
import { alternate, type Context, type Findings, figure, ratio } from './support/part.ts';
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
  const full = context.quick ? QUICK : FULL;
  context.step('making the stream');
  const stream = makeStream(SEED, full.warmUp + full.operations);
  const file = join(context.directory, 'stream');
  writeFileSync(file, stream.operations);

  const runOf = (engine: EngineName, record: string | null): EngineRun => {
    const share = SLOWER[engine] ?? 1;
    const { warmUp, operations } = full;
    return {
      engine,
      stream: file,
      orders: stream.orders,
      warmUp: warmUp / share,
      operations: operations / share,
      record,
    };
  };
  const speed = async (engine: EngineName): Promise<number> => {
    const run = runOf(engine, null);
    const { seconds } = await runScript<EngineTime>('engine-process.ts', run);
    return run.operations / seconds;
  };

  const trades = await checkTrades(context, stream, runOf);
  const rates = await alternate(context, {
    core: () => speed('core'),
    signedCore: () => speed('signedCore'),
    tellingCore: () => speed('tellingCore'),
    book: () => speed('book'),
    'orderbook-match-engine': () => speed('orderbook-match-engine'),
    'nodejs-order-book': () => speed('nodejs-order-book'),
  });
  const { core: ours, signedCore, tellingCore, book } = rates;
  const engine = rates['orderbook-match-engine'];
  const nodejs = rates['nodejs-order-book'];
  return {
    figures: [
      figure('core with ledger', '/s', ours, { atLeast: 1_000_000 }),
      figure('core with ledger, every command signed', '/s', signedCore),
      figure('core with ledger, making reports as the follower does', '/s', tellingCore),
      figure('book alone', '/s', book, { atLeast: 3_000_000 }),
      figure('orderbook-match-engine 2.0.0', '/s', engine),
      figure('nodejs-order-book 10.1.1', '/s', nodejs),
      ratio('core ÷ orderbook-match-engine', ours, engine, { atLeast: 3 }),
      ratio('core ÷ nodejs-order-book', ours, nodejs, { atLeast: 10 }),
      ratio('book alone ÷ orderbook-match-engine', book, engine),
      ratio('book alone ÷ nodejs-order-book', book, nodejs),
    ],
    notes: [
      `${mixOf(stream)} One instrument, 10,000 orders resting at ${stream.prices.toLocaleString('en')} prices.`,
      ...trades,
    ],
  };
}

/** Throws when an engine trades otherwise than the textbook book; returns what was compared. */
async function checkTrades(
  context: Context,
  stream: OrderStream,
  runOf: (engine: EngineName, record: string | null) => EngineRun,
): Promise<string[]> {
  const counts: string[] = [];
  for (const engine of ['core', 'book', 'orderbook-match-engine', 'nodejs-order-book'] as const) {
    context.step(`comparing trades: ${engine}`);
    const record = join(context.directory, 'trades');
    await runScript<EngineTime>('engine-process.ts', runOf(engine, record));
    const bytes = readFileSync(record);
    const trades = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    const differs = trades.findIndex((word, i) => word !== stream.trades[i]);
    if (differs >= 0 || trades.length === 0) {
      const at = Math.floor(differs / TRADE_WORDS);
      throw new Error(`${engine} differs from the textbook book at trade ${at}`);
    }
    if (engine === 'core' && trades.length !== stream.trades.length) {
      throw new Error('the core has not made all trades');
    }
    counts.push(`${engine} ${(trades.length / TRADE_WORDS).toLocaleString('en')}`);
  }
  return [
    `Trades compared one by one with the stream's textbook book (maker, price, quantity), all equal: ${counts.join(', ')}.`,
    'The books from npm have no accounts, holds or ledger; the core has all of them, and reports every change.',
  ];
}

function mixOf({ mix }: OrderStream): string {
  const sum = mix.reduce((a, b) => a + b, 0);
  const [resting, cancels, marketable, market] = mix.map(
    (n) => `${((n / sum) * 100).toFixed(1)} %`,
  );
  return `${resting} resting limits, ${cancels} cancels, ${marketable} marketable limits, ${market} market orders.`;
}

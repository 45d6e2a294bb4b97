// The demo market of a sandbox: a maker and a taker around one seeded walk. They are customers with
// API keys, so what works for them works for everyone. A failure of theirs ends nothing else.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { toUnits } from '../contract/decimal.ts';
import { MAX_L3_ORDERS } from '../contract/market-data/market-data.ts';
import { Side } from '../core/fix.ts';
import { lots, ticks } from '../core/units.ts';
import { AgioClient } from '../sdk/client.ts';
import { AgioError, Rejection } from '../sdk/errors.ts';
import type { Level3Level } from '../sdk/generated/types.ts';
import { Account, type Credentials, ONE_ATTEMPT } from './account.ts';
import { type Book, type BookOrder, Maker } from './maker.ts';
import { DEMO_PAIRS, type DemoPair, FairPrices, STEP_MS } from './pairs.ts';
import { Prng } from './prng.ts';
import { Taker } from './taker.ts';

export interface DemoMarketOptions {
  /** Where the exchange listens, such as http://127.0.0.1:8080. */
  readonly url: string;
  /** The maker, and the taker as the last one. Sandboxes of release 0.1 have a second maker. */
  readonly users: readonly Credentials[];
  readonly log: Pick<Logger, 'warn'>;
  /** Determines the prices and all choices. */
  readonly seed?: number;
  /** How long a busy server may be before it is logged: it fills its history at a first start. */
  readonly patienceMs?: number;
}

export interface DemoMarket {
  /** Ends it and leaves its orders open. No request is sent after it has resolved. */
  stop(): Promise<void>;
}

const DEFAULT_SEED = 20_090_103;
const ROUND_MS = 1_000;
/** A book with many orders is expensive to read, so it is read less often. */
const ORDERS_PER_EXTRA_MS = 2;
/** How long requests under way may take when it is stopped. */
const GRACE_MS = 2_000;
/** After a failure: the first pause, which doubles with every further one, and the longest. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
const PATIENCE_MS = 60_000;
/** A repeated warning is logged once in this time. */
const WARN_EVERY_MS = 60_000;

/** Starts it and returns immediately. Throws RangeError without a maker and a taker. */
export function startDemoMarket(options: DemoMarketOptions): DemoMarket {
  if (options.users.length < 2) throw new RangeError('The demo market needs a maker and a taker.');
  return new RunningMarket(options);
}

class RunningMarket implements DemoMarket {
  /** Ends the loops. */
  readonly #stopping = new AbortController();
  /** Gives up requests that are under way. */
  readonly #cut = new AbortController();
  readonly #log: Pick<Logger, 'warn'>;
  readonly #patienceMs: number;
  readonly #warnedAt = new Map<string, number>();
  readonly #reader: AgioClient;
  readonly #fair: FairPrices;
  readonly #accounts: readonly Account[];
  readonly #maker: Maker;
  readonly #taker: Taker;
  readonly #ended: Promise<unknown>;

  constructor(options: DemoMarketOptions) {
    const { url, users, log, seed = DEFAULT_SEED, patienceMs = PATIENCE_MS } = options;
    this.#patienceMs = patienceMs;
    this.#log = log;
    this.#reader = new AgioClient({ ...ONE_ATTEMPT, url });
    this.#fair = new FairPrices(seed);
    const connection = { url, signal: this.#cut.signal };
    this.#accounts = users.map((user) => new Account(connection, user));
    this.#maker = new Maker(this.#accounts[0]!, new Prng(seed + 1));
    this.#taker = new Taker(this.#accounts.at(-1)!, new Prng(seed + 2));
    this.#ended = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const cut = setTimeout(() => this.#cut.abort(), GRACE_MS);
    cut.unref();
    await this.#ended;
    clearTimeout(cut);
    this.#cut.abort();
  }

  async #run(): Promise<void> {
    await this.#repeat('opening', FIRST_PAUSE_MS, async () => {
      await this.#open();
      return 'done';
    });
    await Promise.all([
      this.#repeat('the walk', STEP_MS, async () => this.#fair.step()),
      ...DEMO_PAIRS.map((pair, index) => this.#keepPair(pair, index)),
      this.#keepTrading(),
    ]);
  }

  /** Continues at the prices of the last run, without its orders. */
  async #open(): Promise<void> {
    const tickers = await this.#reader.tickers({}, { signal: this.#cut.signal });
    for (const { symbol, bestBid, bestAsk, lastPrice } of tickers) {
      const pair = DEMO_PAIRS.find((each) => each.symbol === symbol);
      if (pair === undefined) continue;
      const prices = bestBid === null || bestAsk === null ? [lastPrice] : [bestBid, bestAsk];
      const known = prices.flatMap((price) =>
        price === null ? [] : unitsOf(price, pair.tickDecimals),
      );
      const sum = known.reduce((total, price) => total + price, 0);
      if (known.length > 0) this.#fair.resume(pair, sum / known.length);
    }
    await Promise.all(this.#accounts.map((account) => account.cancelAll()));
  }

  /** The pairs take turns, so the requests are spread over a second. */
  async #keepPair(pair: DemoPair, index: number): Promise<void> {
    const { signal } = this.#stopping;
    await pause((ROUND_MS * index) / DEMO_PAIRS.length, signal);
    let isKnown = false;
    let orders = 0;
    const nextPause = () => ROUND_MS + orders / ORDERS_PER_EXTRA_MS;
    await this.#repeat(`quotes of ${pair.symbol}`, nextPause, async () => {
      // A lost answer may have left an order that the maker does not know.
      if (!isKnown) await this.#maker.clear(pair);
      isKnown = false;
      orders = await this.#round(pair);
      isKnown = true;
    });
  }

  /** Reads a book and brings the quotes in it up to date. Returns how many orders it has. */
  async #round(pair: DemoPair): Promise<number> {
    const { signal } = this.#cut;
    const { bids, asks } = await this.#reader.level3Orderbook({ symbol: pair.symbol }, { signal });
    const book: Book = { [Side.buy]: ordersOf(pair, bids), [Side.sell]: ordersOf(pair, asks) };
    const sizes = [book[Side.buy].length, book[Side.sell].length];
    // The maker cannot find its orders in a book that is listed in part.
    if (!this.#stopping.signal.aborted && Math.max(...sizes) < MAX_L3_ORDERS) {
      const fair = this.#fair.of(pair);
      const customers = await this.#maker.withdraw(pair, book, fair);
      await this.#taker.takePassed(pair, customers, fair);
      await this.#maker.refill(pair, book, fair, this.#stopping.signal);
    }
    return sizes[0]! + sizes[1]!;
  }

  async #keepTrading(): Promise<void> {
    const nextPause = () => this.#taker.nextPause();
    // The books come first.
    await pause(ROUND_MS, this.#stopping.signal);
    await this.#repeat('a trade', nextPause, () =>
      this.#taker.trade((pair) => this.#fair.of(pair)),
    );
  }

  /** Works and pauses in turn, longer after failures, until it is stopped or the work is done. */
  async #repeat(
    what: string,
    usualPause: number | (() => number),
    work: () => Promise<unknown>,
  ): Promise<void> {
    const { signal } = this.#stopping;
    let penalty = 0;
    let busySince: number | null = null;
    while (!signal.aborted) {
      try {
        if ((await work()) === 'done') return;
        penalty = 0;
        busySince = null;
      } catch (error) {
        if (signal.aborted) return;
        const now = performance.now();
        busySince = isBusy(error) ? (busySince ?? now) : Number.NEGATIVE_INFINITY;
        const asked = error instanceof Rejection ? (error.retryAfterMs ?? 0) : 0;
        penalty = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, penalty * 2, asked));
        if (now - busySince >= this.#patienceMs) this.#warn(what, error);
      }
      const usual = typeof usualPause === 'number' ? usualPause : usualPause();
      await pause(Math.max(penalty, usual), signal);
    }
  }

  #warn(what: string, error: unknown): void {
    const now = performance.now();
    if (now - (this.#warnedAt.get(what) ?? Number.NEGATIVE_INFINITY) < WARN_EVERY_MS) return;
    this.#warnedAt.set(what, now);
    this.#log.warn({ reason: String(error) }, `demo market: ${what} failed`);
  }
}

/** True if the server wants the same call later, or has not answered in time. */
const isBusy = (error: unknown): boolean =>
  error instanceof Rejection ? error.retryAfterMs !== null : error instanceof AgioError;

const ordersOf = (pair: DemoPair, levels: readonly Level3Level[]): BookOrder[] =>
  levels.flatMap(([price, , orders]) =>
    orders.map(([orderId, , , quantity]) => ({
      orderId: Number(orderId),
      price: ticks(unitsOf(price, pair.tickDecimals)),
      quantity: lots(unitsOf(quantity, pair.lotDecimals)),
    })),
  );

/** Throws RangeError for what the server never sends. */
function unitsOf(text: string, decimals: number): number {
  const units = toUnits(text, decimals);
  if (typeof units === 'string') throw new RangeError(`${text} has more than ${decimals} decimals`);
  return Number(units);
}

/** Resolves after `ms`, or when `signal` aborts. Its timer does not keep the process alive. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

// The demo market of a sandbox: two makers and a taker that make its four pairs look and feel like
// a live exchange. They are customers like any other: signed requests to the public API and nothing
// else, so what works for them works for everyone. Gentle on the machine, seeded, and never the
// reason for a failure of anything else.
import type { Logger } from 'pino';
import { DEMO_PAIRS, FairPrices } from './demo-pairs.ts';
import { MarketView, middleOf } from './market-view.ts';
import { pause, RareWarnings } from './pacing.ts';
import { PairMaker } from './pair-maker.ts';
import { Prng } from './prng.ts';
import { STEP_MS, SUBTICKS } from './random-walk.ts';
import type { SandboxUser } from './seed.ts';
import { PublicClient, SignedClient } from './signed-client.ts';
import { Taker } from './taker.ts';
import { Trader } from './trader.ts';

export interface DemoMarketOptions {
  /** Where the exchange listens, such as http://127.0.0.1:8080. */
  readonly url: string;
  /** The makers, and the taker as the last one; at least two. */
  readonly users: readonly Pick<SandboxUser, 'email' | 'apiKey' | 'secretKey'>[];
  readonly log: Pick<Logger, 'warn'>;
  /**
   * Of the prices and of everyone's choices. The same seed gives the same market, as far as timing
   * allows.
   */
  readonly seed?: number;
}

export interface DemoMarket {
  /** Ends it; the orders stay where they are. After it has resolved no request is sent. */
  stop(): Promise<void>;
}

const DEFAULT_SEED = 20_090_103;
/** Between two looks at a book. */
const LOOK_MS = 1000;
/** Between two attempts to begin. */
const RETRY_MS = 250;
/**
 * Reading a book costs the server more the more orders it has; a crowded one is looked at less
 * often.
 */
const ORDERS_PER_EXTRA_MS = 2;
const STATUSES_MS = 3000;
const BALANCES_MS = 10_000;
/** How long requests under way may take when it is stopped. */
const GRACE_MS = 2000;
/** Streams of randomness beside those of the prices. */
const TAKER_STREAM = 100;
const MAKER_STREAM = 200;

/** Starts it and returns at once. Throws RangeError without a maker and a taker. */
export function startDemoMarket(options: DemoMarketOptions): DemoMarket {
  if (options.users.length < 2) throw new RangeError('The demo market needs a maker and a taker.');
  const running = new RunningMarket(options);
  return { stop: () => running.stop() };
}

class RunningMarket implements DemoMarket {
  /** Ends the loops. */
  readonly #stopping = new AbortController();
  /** Gives up the requests that are still under way. */
  readonly #cut = new AbortController();
  readonly #warnings: RareWarnings;
  readonly #view: MarketView;
  readonly #fair: FairPrices;
  readonly #makers: readonly Trader[];
  readonly #taker: Taker;
  readonly #pairs: readonly PairMaker[];
  readonly #ended: Promise<unknown>;

  constructor({ url, users, log, seed = DEFAULT_SEED }: DemoMarketOptions) {
    this.#warnings = new RareWarnings(log);
    const way = { url, signal: this.#cut.signal };
    this.#view = new MarketView(new PublicClient(way), this.#warnings);
    this.#fair = new FairPrices(seed);
    const traders = users.map(
      (user) => new Trader(user.email, new SignedClient(way, user), this.#warnings),
    );
    this.#makers = traders.slice(0, -1);
    this.#taker = new Taker(traders.at(-1)!, this.#view, new Prng(seed, TAKER_STREAM));
    this.#pairs = DEMO_PAIRS.map(
      (pair, index) =>
        new PairMaker({
          pair,
          view: this.#view,
          makers: this.#makers,
          taker: this.#taker,
          prng: new Prng(seed, MAKER_STREAM + index),
          fair: () => this.#fair.of(pair),
          signal: this.#stopping.signal,
        }),
    );
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
    await this.#guarded(() => this.#open());
    await Promise.all([
      this.#loop(STEP_MS, async () => this.#fair.step()),
      this.#loop(STATUSES_MS, async () => {
        if (this.#view.patience.calm) await this.#view.refreshStatuses();
      }),
      this.#loop(BALANCES_MS, () => this.#refreshBalances()),
      ...this.#pairs.map((maker, index) => this.#keepPair(maker, index)),
      this.#keepTrading(),
    ]);
  }

  get #traders(): readonly Trader[] {
    return [...this.#makers, this.#taker.trader];
  }

  /**
   * Goes on from the prices of the last time, clears away the orders of the last time, and opens
   * every book.
   */
  async #open(): Promise<void> {
    const { signal } = this.#stopping;
    const { patience } = this.#view;
    while (!signal.aborted && !(await this.#resumePrices())) {
      do await pause(RETRY_MS, signal);
      while (!patience.calm && !signal.aborted);
    }
    if (signal.aborted) return;
    const clearings = this.#traders.map((trader) => trader.clear(null));
    await Promise.all([...clearings, this.#refreshBalances()]);
    await Promise.all(this.#pairs.map((maker) => this.#round(maker)));
    // So that no chart begins empty; the taker knows the books from one more look.
    await Promise.all(this.#pairs.map((maker) => this.#round(maker)));
    for (const pair of DEMO_PAIRS) await this.#guarded(() => this.#taker.trade(pair));
  }

  /** False when the exchange could not be asked. */
  async #resumePrices(): Promise<boolean> {
    if (!(await this.#view.refreshStatuses())) return false;
    const listed = DEMO_PAIRS.filter((pair) => this.#view.lists(pair));
    const books = await Promise.all(listed.map((pair) => this.#view.look(pair)));
    for (const [index, pair] of listed.entries()) {
      const book = books[index];
      if (!book && !this.#view.patience.calm) return false;
      const middle = book ? middleOf(book, SUBTICKS) : null;
      if (middle !== null) this.#fair.resume(pair, middle);
    }
    return true;
  }

  async #refreshBalances(): Promise<void> {
    const calm = this.#traders.filter(({ patience }) => patience.calm);
    await Promise.all(calm.map((trader) => trader.refreshBalances()));
  }

  /** One look at a pair's book, with what follows from it; a fault in it concerns no other pair. */
  async #round(maker: PairMaker): Promise<void> {
    if (this.#view.patience.calm) await this.#guarded(() => maker.round());
  }

  /** The pairs take turns, so that the requests are spread over the second. */
  async #keepPair(maker: PairMaker, index: number): Promise<void> {
    await pause((LOOK_MS * index) / DEMO_PAIRS.length, this.#stopping.signal);
    await this.#loop(
      () => LOOK_MS + this.#ordersIn(index) / ORDERS_PER_EXTRA_MS,
      () => this.#round(maker),
    );
  }

  #ordersIn(index: number): number {
    const book = this.#view.bookOf(DEMO_PAIRS[index]!);
    return book === null ? 0 : book.bids.orders.length + book.asks.orders.length;
  }

  async #keepTrading(): Promise<void> {
    await this.#loop(
      () => this.#taker.nextPause(),
      () => this.#taker.trade(),
    );
  }

  /** Waits and works, in turn, until it is stopped. */
  async #loop(ms: number | (() => number), work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await pause(typeof ms === 'number' ? ms : ms(), signal);
      if (!signal.aborted) await this.#guarded(work);
    }
  }

  /**
   * A fault of the demo market must not end the sandbox that it is part of, nor the rest of the
   * demo.
   */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#warnings.warn('a step failed', String(error));
    }
  }
}

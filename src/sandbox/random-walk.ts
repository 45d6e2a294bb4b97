// The fair price of an asset in the demo market: a seeded random walk in integers. It trembles at
// every step, is livelier at some times than at others, now and then runs in one direction for a
// minute, and is drawn back to its anchor so slowly that a chart does not show it. It never leaves
// half to twice the anchor, however long it runs.
import { truncated } from './integers.ts';
import { NORMAL_ONE, type Prng } from './prng.ts';

/**
 * Fair prices are finer than the price grid, so that a pair with coarse ticks drifts smoothly
 * through them.
 */
export const SUBTICKS = 1000;
/** Time between two steps: about what a person can follow. */
export const STEP_MS = 500;

export interface WalkTerms {
  /** Where it starts and what it is drawn back to, in sub-ticks. */
  readonly anchor: number;
  /** One standard deviation of a step in calm times, in parts per billion of the price. */
  readonly volatility: number;
  /**
   * How much of a step is the whole market's and how much its own, in percent of a standard
   * deviation.
   */
  readonly common: number;
  readonly own: number;
}

const BILLION = 1_000_000_000;
/** The mood scales the volatility, in percent; it wanders between these in some ten minutes. */
const CALM = 60;
const WILD = 200;
const MOOD_STEP = 3;
/**
 * A run starts once in this many steps (a quarter of an hour) and moves the price by some basis
 * points.
 */
const STEPS_PER_RUN = 1800;
const RUN_STEPS = { low: 20, high: 120 };
const RUN_PPB = { low: 500_000, high: 2_000_000 };
/**
 * The draw to the anchor: 6 in 10,000 of the distance every 1024 steps halves it in about a week.
 */
const STEPS_PER_DRAW = 1024;
const DRAW = { share: 6, of: 10_000 };

export class RandomWalk {
  readonly #terms: WalkTerms;
  readonly #prng: Prng;
  #price: number;
  #steps = 0;
  #mood = 100;
  #run = { steps: 0, ppb: 0 };

  constructor(terms: WalkTerms, prng: Prng) {
    this.#terms = terms;
    this.#prng = prng;
    this.#price = terms.anchor;
  }

  /** In sub-ticks: a positive integer. */
  get price(): number {
    return this.#price;
  }

  /** Goes on from here, as far as the bounds admit it. */
  moveTo(price: number): void {
    const { anchor } = this.#terms;
    const low = truncated(anchor, 2);
    const high = anchor * 2;
    this.#price = price < low ? low : price > high ? high : price;
  }

  /** `market` is what moves all prices at this step: a draw of `Prng.normal`. */
  step(market: number): void {
    const { anchor, volatility, common, own } = this.#terms;
    const noise = truncated(market * common + this.#prng.normal() * own, 100);
    this.#changeMood();
    const deviation = truncated(this.#price * truncated(volatility * this.#mood, 100), BILLION);
    let price = this.#price + truncated(deviation * noise, NORMAL_ONE) + this.#runOn();
    this.#steps++;
    if (this.#steps % STEPS_PER_DRAW === 0) {
      price += truncated((anchor - price) * DRAW.share, DRAW.of);
    }
    this.moveTo(price);
  }

  #changeMood(): void {
    const mood = this.#mood + this.#prng.between(-MOOD_STEP, MOOD_STEP);
    if (mood >= CALM && mood <= WILD) this.#mood = mood;
  }

  /** What the run under way, if any, adds at this step. */
  #runOn(): number {
    if (this.#run.steps === 0) {
      if (!this.#prng.oneIn(STEPS_PER_RUN)) return 0;
      const steps = this.#prng.between(RUN_STEPS.low, RUN_STEPS.high);
      const size = this.#prng.between(RUN_PPB.low, RUN_PPB.high);
      this.#run = { steps, ppb: truncated(this.#prng.oneIn(2) ? size : -size, steps) };
    }
    this.#run.steps--;
    return truncated(this.#price * this.#run.ppb, BILLION);
  }
}

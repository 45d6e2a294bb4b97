// The pairs of the sandbox, and the fair prices that the demo market quotes around: one seeded
// random walk for all pairs.
import { byFeeRole, type FeeRole } from '../core/fee-rates.ts';
import { Prng } from './prng.ts';

export interface DemoPair {
  readonly symbol: string;
  /** Decimals of the price increment and of the lot. */
  readonly tickDecimals: number;
  readonly lotDecimals: number;
  /** In the smallest unit of the quote asset. */
  readonly minNotional: number;
  /** In hundred millionths. */
  readonly fees: Readonly<Record<FeeRole, number>>;
  /** The price that the walk starts at and returns to, in ticks. */
  readonly anchor: number;
  /** From the fair price to the best quote, and from one level of quotes to the next, in ticks. */
  readonly touch: number;
  readonly step: number;
  /** The usual quote at the best price, and the usual trade, in lots. */
  readonly quoteLots: number;
  readonly tradeLots: number;
  /** Share of the trades. */
  readonly weight: number;
}

/** Every asset of the sandbox has this many decimals. */
export const ASSET_SCALE = 8;
/** No pair of the sandbox accepts smaller orders. */
export const MIN_LOTS = 10;
const NO_FEES = byFeeRole(() => 0);

export const DEMO_PAIRS: readonly [DemoPair, ...DemoPair[]] = [
  {
    symbol: 'BTC-USDT',
    tickDecimals: 2,
    lotDecimals: 6,
    minNotional: 10_000_000,
    fees: NO_FEES,
    anchor: 6_000_000,
    touch: 250,
    step: 500,
    quoteLots: 120_000,
    tradeLots: 8_000,
    weight: 42,
  },
  {
    symbol: 'ETH-USDT',
    tickDecimals: 2,
    lotDecimals: 5,
    minNotional: 10_000_000,
    // Bots meet commissions here.
    fees: { makerFee: 80_000, takerFee: 100_000 },
    anchor: 300_000,
    touch: 15,
    step: 30,
    quoteLots: 200_000,
    tradeLots: 15_000,
    weight: 30,
  },
  {
    symbol: 'MMX-USDT',
    tickDecimals: 4,
    lotDecimals: 1,
    minNotional: 10_000_000,
    fees: NO_FEES,
    anchor: 2_500,
    // One tick is four basis points, so the spread is one or two ticks.
    touch: 0.6,
    step: 1,
    quoteLots: 120_000,
    tradeLots: 9_000,
    weight: 14,
  },
  {
    symbol: 'BTC-AED',
    tickDecimals: 2,
    lotDecimals: 6,
    minNotional: 50_000_000,
    fees: NO_FEES,
    anchor: 22_035_000,
    touch: 1_500,
    step: 2_000,
    quoteLots: 60_000,
    tradeLots: 5_000,
    weight: 14,
  },
];

/** The time that one step of the walk stands for. */
export const STEP_MS = 500;

/**
 * How a price walks: the deviation of a step, and the weights of the market and of its own noise.
 */
interface Walk {
  readonly volatility: number;
  readonly market: number;
  readonly own: number;
}

/** BTC moves about 0.1 % in a usual minute. */
const WALKS: Readonly<Record<string, Walk>> = {
  'BTC-USDT': { volatility: 40e-6, market: 0.9, own: 0.44 },
  'ETH-USDT': { volatility: 50e-6, market: 0.75, own: 0.66 },
  'MMX-USDT': { volatility: 80e-6, market: 0.3, own: 0.95 },
};
/** The dirham is pegged to the dollar, so BTC-AED follows BTC-USDT. */
const AED_PER_USDT = 3.6725;
/** The part of the distance to the anchor that a step takes back: half of it in about a week. */
const PULL = 6e-7;

/**
 * The fair price of every pair in ticks. They are opinions and not money, so they may have
 * fractions. The same seed and the same steps give the same prices.
 */
export class FairPrices {
  readonly #random: Prng;
  readonly #prices = new Map(DEMO_PAIRS.map(({ symbol, anchor }) => [symbol, anchor]));

  constructor(seed: number) {
    this.#random = new Prng(seed);
  }

  /** Walks for so much time; one long step deviates as much as many short ones. */
  step(milliseconds = STEP_MS): void {
    const steps = milliseconds / STEP_MS;
    const market = this.#random.normal();
    for (const pair of DEMO_PAIRS) {
      const walk = WALKS[pair.symbol];
      if (walk === undefined) continue;
      const noise = market * walk.market + this.#random.normal() * walk.own;
      const price = this.of(pair);
      const change = price * walk.volatility * noise * Math.sqrt(steps);
      this.resume(pair, price + change + (pair.anchor - price) * PULL * steps);
    }
  }

  of({ symbol }: DemoPair): number {
    if (symbol === 'BTC-AED') return this.#prices.get('BTC-USDT')! * AED_PER_USDT;
    return this.#prices.get(symbol)!;
  }

  /** Continues at `price`, at half to twice the anchor. BTC-AED has no walk to continue. */
  resume({ symbol, anchor }: DemoPair, price: number): void {
    this.#prices.set(symbol, Math.min(Math.max(price, anchor / 2), anchor * 2));
  }
}

/** A natural number cut to its two leading digits, as people prefer round figures. */
export function twoDigits(n: number): number {
  let step = 1;
  while (n / step >= 100) step *= 10;
  return n - (n % step);
}

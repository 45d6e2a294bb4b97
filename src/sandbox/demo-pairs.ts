// What the demo market trades: the four pairs of the sandbox with their grids, their usual prices,
// spreads and sizes, and the fair prices that move all of them. Only figures and how they hang
// together; no requests.
import { type Amount, amount, type Lots, multiply, powerOfTen, type Ticks } from '../core/units.ts';
import { truncated } from './integers.ts';
import { Prng } from './prng.ts';
import { RandomWalk, SUBTICKS, type WalkTerms } from './random-walk.ts';

/**
 * How one side of the book is built. Distances from the fair price are in sub-ticks, sizes in lots.
 */
export interface LadderShape {
  /** Of the best level. */
  readonly touch: number;
  /** From the best level to the next; each further step is wider by `growth`. */
  readonly spacing: number;
  readonly growth: number;
  /** The usual size of an order at the best level; what stands further out is larger. */
  readonly size: number;
  /** Prices that people like for large orders, in ticks. */
  readonly round: number;
}

export interface DemoPair {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Decimals of price increment and lot, as the sandbox lists the pair. */
  readonly tickDecimals: number;
  readonly lotDecimals: number;
  readonly shape: LadderShape;
  /** A usual trade, in lots. */
  readonly trade: number;
  /** Share of the trades. */
  readonly weight: number;
}

/** Every asset of the sandbox has this many decimals. */
export const ASSET_SCALE = 8;

const sub = (ticks: number): number => ticks * SUBTICKS;

export const DEMO_PAIRS: readonly [DemoPair, ...DemoPair[]] = [
  {
    symbol: 'BTC-USDT',
    base: 'BTC',
    quote: 'USDT',
    tickDecimals: 2,
    lotDecimals: 6,
    shape: {
      touch: sub(250),
      spacing: sub(300),
      growth: sub(45),
      size: 120_000,
      round: 5_000,
    },
    trade: 8_000,
    weight: 42,
  },
  {
    symbol: 'ETH-USDT',
    base: 'ETH',
    quote: 'USDT',
    tickDecimals: 2,
    lotDecimals: 5,
    shape: { touch: sub(15), spacing: sub(20), growth: sub(3), size: 200_000, round: 500 },
    trade: 15_000,
    weight: 30,
  },
  {
    symbol: 'MMX-USDT',
    base: 'MMX',
    quote: 'USDT',
    tickDecimals: 4,
    lotDecimals: 1,
    // Its tick is coarse: four basis points. Half a tick and a little more, so that the spread is
    // one or two ticks.
    shape: { touch: 600, spacing: sub(1), growth: 80, size: 120_000, round: 10 },
    trade: 9_000,
    weight: 14,
  },
  {
    symbol: 'BTC-AED',
    base: 'BTC',
    quote: 'AED',
    tickDecimals: 2,
    lotDecimals: 6,
    shape: {
      touch: sub(1_500),
      spacing: sub(1_400),
      growth: sub(170),
      size: 60_000,
      round: 50_000,
    },
    trade: 5_000,
    weight: 14,
  },
];

/** No pair of the sandbox takes orders of fewer lots. */
export const MIN_LOTS = 10;

/** What `lots` at `price` cost a buyer, in the smallest unit of the quote asset. */
export function costToBuy(pair: DemoPair, price: Ticks, lots: Lots): Amount {
  const unit = powerOfTen(ASSET_SCALE - pair.tickDecimals - pair.lotDecimals);
  return multiply(multiply(price, lots), unit);
}

/** What `lots` cost a seller, in the smallest unit of the base asset. */
export function costToSell(pair: DemoPair, lots: Lots): Amount {
  return multiply(amount(lots), powerOfTen(ASSET_SCALE - pair.lotDecimals));
}

/** Per step of half a second. BTC moves some 0.1 % in a usual minute. */
const WALKS = {
  'BTC-USDT': { anchor: sub(6_000_000), volatility: 40_000, common: 90, own: 44 },
  'ETH-USDT': { anchor: sub(300_000), volatility: 50_000, common: 75, own: 66 },
  'MMX-USDT': { anchor: sub(2_500), volatility: 80_000, common: 30, own: 95 },
} as const satisfies Record<string, WalkTerms>;
type Walking = keyof typeof WALKS;

/** AED for one USDT, in 10^-4: the dirham is pegged to the dollar. */
const AED_PER_USDT = { rate: 36_725, of: 10_000 };

/**
 * The fair prices of all pairs, in sub-ticks. Reproducible: the same seed, the same prices after
 * the same steps.
 */
export class FairPrices {
  readonly #market: Prng;
  readonly #walks: Readonly<Record<Walking, RandomWalk>>;

  constructor(seed: number) {
    this.#market = new Prng(seed, 1);
    const walk = (symbol: Walking, stream: number) =>
      new RandomWalk(WALKS[symbol], new Prng(seed, stream));
    this.#walks = {
      'BTC-USDT': walk('BTC-USDT', 2),
      'ETH-USDT': walk('ETH-USDT', 3),
      'MMX-USDT': walk('MMX-USDT', 4),
    };
  }

  step(): void {
    const market = this.#market.normal();
    for (const walk of Object.values(this.#walks)) walk.step(market);
  }

  of({ symbol }: DemoPair): number {
    const bitcoin = this.#walks['BTC-USDT'].price;
    if (symbol === 'BTC-AED') return truncated(bitcoin * AED_PER_USDT.rate, AED_PER_USDT.of);
    return isWalking(symbol) ? this.#walks[symbol].price : 0;
  }

  /** Goes on from the price that a pair has; BTC-AED follows BTC-USDT and has none of its own. */
  resume({ symbol }: DemoPair, price: number): void {
    if (isWalking(symbol)) this.#walks[symbol].moveTo(price);
  }
}

const isWalking = (symbol: string): symbol is Walking => symbol in WALKS;

// The days before a sandbox was made: trades at times that have passed, so charts, tickers and
// volumes look like those of an open venue. They are commands to the engine like any others; only
// its clock is set back.
import type { PlaceOrder } from '../core/command.ts';
import { OrdType, opposite, Side } from '../core/fix.ts';
import { lots, type Ticks, ticks, ZERO } from '../core/units.ts';
import type { Services } from '../gateway/services.ts';
import { DEMO_PAIRS, type DemoPair, FairPrices, MIN_LOTS, twoDigits } from './pairs.ts';
import { Prng } from './prng.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How far back it goes, ms. */
export const HISTORY_MS = 72 * HOUR;

/**
 * How often each pair trades. Every moment costs a sync of the journal and every trade two
 * commands, so both are rarer further back, where a moment fills one candle of 15 minutes.
 */
const PERIODS = [
  { until: HOUR, every: MINUTE, trades: 2 },
  { until: 6 * HOUR, every: 5 * MINUTE, trades: 2 },
  { until: HISTORY_MS, every: 15 * MINUTE, trades: 3 },
] as const;

const SEED = 20_081_031;
/** The usual time between two trades of a pair on the demo market; a rarer trade is larger. */
const USUAL_PAUSE = 6_000;

interface Moment {
  /** Before now, ms. */
  readonly ago: number;
  /** How many usual trades one of these stands for. */
  readonly weight: number;
  /** The fair price of each pair at each trade, oldest first. */
  readonly prices: readonly (readonly number[])[];
}

/** The moments, oldest first. They are made backwards, so that they end where the market begins. */
function moments(): Moment[] {
  const fair = new FairPrices(SEED);
  const backwards: Moment[] = [];
  let ago = 0;
  for (const { until, every, trades } of PERIODS) {
    const pause = every / trades;
    for (; ago < until; ago += every) {
      const prices = Array.from({ length: trades }, () => {
        const now = DEMO_PAIRS.map((pair) => fair.of(pair));
        fair.step(pause);
        return now;
      });
      backwards.push({ ago, weight: pause / USUAL_PAUSE, prices: prices.reverse() });
    }
  }
  return backwards.reverse();
}

export interface HistoryOptions {
  readonly engine: Services['engine'];
  /** Two accounts with funds. */
  readonly uids: readonly [number, number];
  /** In the order of DEMO_PAIRS. */
  readonly securityIds: readonly number[];
  /** Receives the part that is done, from 0 to 1. */
  readonly onProgress: (done: number) => void;
}

/**
 * Trades from HISTORY_MS ago until now. Leaves no order open and sets the clock to the present.
 * Throws EngineError.
 */
export async function tradeHistory(options: HistoryOptions): Promise<void> {
  const { engine, uids, securityIds, onProgress } = options;
  const random = new Prng(SEED + 1);
  const all = moments();
  for (const [index, { ago, weight, prices }] of all.entries()) {
    engine.backdate(ago);
    const usual = (weight * random.between(30, 200)) / 100;
    const orders = prices.flatMap((fair) =>
      DEMO_PAIRS.flatMap((pair, at) =>
        bothSides(tradeOf(pair, fair[at]!, usual, random), uids, securityIds[at]!),
      ),
    );
    // Submitted together, they share a sync of the journal.
    await Promise.all(orders.map((order) => engine.submit(order)));
    onProgress((index + 1) / all.length);
  }
  engine.backdate(0);
}

interface Trade {
  readonly side: Side;
  readonly price: Ticks;
  readonly size: number;
  readonly swapped: boolean;
}

function tradeOf(pair: DemoPair, fair: number, weight: number, random: Prng): Trade {
  const price = Math.round(fair) + random.between(-Math.round(pair.step), Math.round(pair.step));
  const size = pair.tradeLots * Math.max(1, weight) * (random.between(50, 150) / 100);
  return {
    side: random.oneIn(2) ? Side.buy : Side.sell,
    price: ticks(Math.max(1, price)),
    size: Math.max(MIN_LOTS, twoDigits(Math.round(size))),
    swapped: random.oneIn(2),
  };
}

/** The order that rests for a moment, and the order that takes it. */
function bothSides(
  { side, price, size, swapped }: Trade,
  [first, second]: readonly [number, number],
  securityId: number,
): PlaceOrder[] {
  const order = (uid: number, orderSide: Side): PlaceOrder => ({
    type: 'placeOrder',
    uid,
    signature: null,
    idempotency: null,
    securityId,
    side: orderSide,
    ordType: OrdType.limit,
    price,
    orderQty: lots(size),
    quoteOrderQty: ZERO,
    postOnly: false,
    clOrdId: '',
    strictClOrdId: false,
    extras: null,
  });
  const [resting, taking] = swapped ? [second, first] : [first, second];
  return [order(resting, opposite(side)), order(taking, side)];
}

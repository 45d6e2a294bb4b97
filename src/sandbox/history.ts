// The days before a sandbox was made: trades between the demo market's accounts at times that have passed, so that charts,
// tickers and volumes look like those of a venue that has been open for a while. They go through the engine like everything
// else; only its clock stands in the past while they do.
import type { PlaceOrder } from '../core/command.ts';
import { OrdType, opposite, Side } from '../core/fix.ts';
import { lots, type Ticks, ticks, ZERO } from '../core/units.ts';
import type { Services } from '../gateway/services.ts';
import { DEMO_PAIRS, type DemoPair, FairPrices, MIN_LOTS } from './demo-pairs.ts';
import { truncated, twoDigits } from './integers.ts';
import { Prng } from './prng.ts';
import { STEP_MS, SUBTICKS } from './random-walk.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * How often there is trading, the longer ago the rarer: each moment costs a sync of the journal. It stands for all the time since
 * the one before, so that a candle has its open, high, low and close.
 */
const PERIODS = [
  { until: HOUR, every: 20 * SECOND, trades: 2 },
  { until: 6 * HOUR, every: 2 * MINUTE, trades: 4 },
  { until: 72 * HOUR, every: 15 * MINUTE, trades: 6 },
] as const;

/** How far back it goes, ms. */
export const HISTORY_MS = 72 * HOUR;

const SEED = 20_081_031;
const SIZES_STREAM = 300;
/** Between two trades of a pair, on average, on the demo market. */
const PACE = 6 * SECOND;
/** How far trades are from the fair price, in steps of the ladder. */
const REACH_STEPS = 1;

interface Moment {
  /** Before now, ms. */
  readonly ago: number;
  /** How many usual trades one of these stands for. */
  readonly weight: number;
  /** For each trade in order of time, the fair price of each pair, in sub-ticks. */
  readonly prices: readonly (readonly number[])[];
}

/** The moments, oldest first. Prices end where the demo market begins, so the walk is made backwards. */
function moments(): Moment[] {
  const fair = new FairPrices(SEED);
  const backwards: Moment[] = [];
  let ago = 0;
  for (const { until, every, trades } of PERIODS) {
    const steps = truncated(every, STEP_MS * trades);
    for (; ago < until; ago += every) {
      const prices = Array.from({ length: trades }, () => {
        const now = DEMO_PAIRS.map((pair) => fair.of(pair));
        for (let step = 0; step < steps; step++) fair.step();
        return now;
      });
      backwards.push({ ago, weight: truncated(every, PACE * trades), prices: prices.reverse() });
    }
  }
  return backwards.reverse();
}

export interface HistoryOptions {
  readonly engine: Services['engine'];
  /** Two accounts with means; who buys and who sells changes. */
  readonly uids: readonly [number, number];
  /** In the order of DEMO_PAIRS. */
  readonly securityIds: readonly number[];
}

/** Trades from HISTORY_MS ago until now. Leaves no order behind, and the clock at the present. Throws EngineError. */
export async function tradeHistory({ engine, uids, securityIds }: HistoryOptions): Promise<void> {
  const prng = new Prng(SEED, SIZES_STREAM);
  for (const { ago, weight, prices } of moments()) {
    engine.backdate(ago);
    // Some moments are busier than others.
    const usual = truncated(weight * prng.between(30, 200), 100);
    const orders = prices.flatMap((fair) =>
      DEMO_PAIRS.flatMap((pair, index) =>
        bothSides(tradeOf(pair, fair[index]!, usual, prng), uids, securityIds[index]!),
      ),
    );
    // All at once, so that they share their time and one sync.
    await Promise.all(orders.map((order) => engine.submit(order)));
  }
  engine.backdate(0);
}

interface Trade {
  readonly side: Side;
  readonly price: Ticks;
  readonly size: number;
  readonly swapped: boolean;
}

function tradeOf(pair: DemoPair, fair: number, weight: number, prng: Prng): Trade {
  const reach = truncated(pair.shape.spacing * REACH_STEPS, SUBTICKS);
  const price = truncated(fair, SUBTICKS) + prng.between(-reach, reach);
  const size = truncated(pair.trade * Math.max(1, weight) * prng.between(50, 150), 100);
  return {
    side: prng.oneIn(2) ? Side.buy : Side.sell,
    price: ticks(Math.max(1, price)),
    size: Math.max(MIN_LOTS, twoDigits(size)),
    swapped: prng.oneIn(2),
  };
}

/** The order that rests for a moment, and the one that takes it. */
function bothSides(
  { side, price, size, swapped }: Trade,
  [first, second]: readonly [number, number],
  securityId: number,
): PlaceOrder[] {
  const order = (uid: number, of: Side): PlaceOrder => ({
    type: 'placeOrder',
    uid,
    signature: null,
    idempotency: null,
    securityId,
    side: of,
    ordType: OrdType.limit,
    price,
    orderQty: lots(size),
    quoteOrderQty: ZERO,
    postOnly: false,
    clOrdId: '',
    strictClOrdId: false,
  });
  const [resting, taking] = swapped ? [second, first] : [first, second];
  return [order(resting, opposite(side)), order(taking, side)];
}

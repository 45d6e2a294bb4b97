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

/** How often there is trading, the longer ago the rarer: each moment costs a sync of the journal. */
const PERIODS = [
  { until: HOUR, every: 20 * SECOND },
  { until: 6 * HOUR, every: 2 * MINUTE },
  { until: 72 * HOUR, every: 15 * MINUTE },
] as const;

/** How far back it goes, ms. */
export const HISTORY_MS = 72 * HOUR;

const SEED = 20_081_031;
const SIZES_STREAM = 300;
/** Trades of a pair at one moment. */
const TRADES = { low: 1, high: 3 };
/** How far prices of one moment are apart, in steps of the ladder. */
const SPREAD_STEPS = 2;

interface Moment {
  /** Before now, ms. */
  readonly ago: number;
  /** The fair price of each pair, in sub-ticks. */
  readonly prices: readonly number[];
}

/** The moments, oldest first. Prices end where the demo market begins, so the walk is made backwards. */
function moments(): Moment[] {
  const fair = new FairPrices(SEED);
  const backwards: Moment[] = [];
  let ago = 0;
  for (const { until, every } of PERIODS) {
    for (; ago < until; ago += every) {
      for (let passed = 0; passed < every; passed += STEP_MS) fair.step();
      backwards.push({ ago: ago + every, prices: DEMO_PAIRS.map((pair) => fair.of(pair)) });
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
  for (const { ago, prices } of moments()) {
    engine.backdate(ago);
    const orders = DEMO_PAIRS.flatMap((pair, index) =>
      tradesOf(pair, prices[index]!, prng).flatMap((trade) =>
        bothSides(trade, uids, securityIds[index]!),
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

function tradesOf(pair: DemoPair, fair: number, prng: Prng): Trade[] {
  const reach = truncated(pair.shape.spacing * SPREAD_STEPS, SUBTICKS);
  return Array.from({ length: prng.between(TRADES.low, TRADES.high) }, () => {
    const price = truncated(fair, SUBTICKS) + prng.between(-reach, reach);
    // A moment stands for many trades.
    const size = truncated(pair.trade * prng.between(50, 400), 100);
    return {
      side: prng.oneIn(2) ? Side.buy : Side.sell,
      price: ticks(Math.max(1, price)),
      size: Math.max(MIN_LOTS, twoDigits(size)),
      swapped: prng.oneIn(2),
    };
  });
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

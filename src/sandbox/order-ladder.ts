// Where a maker's orders should stand on one side of a book, and which few to move so that they do.
// A side is measured in ranks: rank 0 is the best level, rank 39 the outermost, and the ladder says
// how far from the fair price each is. When the price moves, orders come too close or drift apart;
// the plan mends the worst of it, a few orders at a time, as the quotes of a real book move. Pure:
// it sends nothing and knows nothing of accounts.
import { Side } from '../core/fix.ts';
import { type Lots, lots, type Ticks, ticks } from '../core/units.ts';
import type { LadderShape } from './demo-pairs.ts';
import { truncated, twoDigits } from './integers.ts';
import type { Prng } from './prng.ts';
import { SUBTICKS } from './random-walk.ts';

/** Levels on each side. */
export const LEVELS = 40;
/** Ranks are counted in thousandths, so that positions between two levels can be compared. */
export const RANK = 1000;

/**
 * A gap wider than this is worth moving an order into; narrower ones are the unevenness of a living
 * book.
 */
const WIDE = 2500;
/** New orders stand this far off the even spacing, either way. */
const JITTER = 400;
/**
 * An order that the price has carried this far from where it was placed has a size that does not
 * fit any more.
 */
const CARRIED = 14 * RANK;
/** One order in so many is a large one that stands alone, at a round price where one is near. */
const ONE_LARGE_IN = 24;
const LARGE = { low: 5, high: 12 };
const NEAR = 4 * RANK;

/** An order of ours, as far as the plan needs it. */
export interface Standing {
  readonly price: Ticks;
  /** The rank that it was placed at. */
  readonly placedAt: number;
}

export interface NewQuote {
  readonly price: Ticks;
  readonly rank: number;
  readonly orderQty: Lots;
}

export interface SidePlan<Order extends Standing> {
  readonly cancels: readonly Order[];
  /** Best first, all on the grid. */
  readonly quotes: readonly NewQuote[];
}

export interface SideSituation<Order extends Standing> {
  readonly side: Side;
  /** In sub-ticks. */
  readonly fair: number;
  /**
   * The best price of the other side that will stay, or null: nothing may be placed at or beyond
   * it.
   */
  readonly opposite: Ticks | null;
  readonly standing: readonly Order[];
  /** How many missing orders may be placed, and how many standing ones moved. */
  readonly refills: number;
  readonly moves: number;
}

/** Distances from the fair price by rank, and back. */
export class Ladder {
  readonly #shape: LadderShape;
  /**
   * By whole rank; twice the ladder's length, so that orders which were left behind have a rank
   * too.
   */
  readonly #distances: readonly number[];

  constructor(shape: LadderShape) {
    this.#shape = shape;
    const distances = [shape.touch];
    for (let level = 0; level < 2 * LEVELS; level++) {
      distances.push(distances[level]! + shape.spacing + level * shape.growth);
    }
    this.#distances = distances;
  }

  get shape(): LadderShape {
    return this.#shape;
  }

  /** In sub-ticks; `rank` is a natural number of thousandths within twice the ladder. */
  distanceOf(rank: number): number {
    const level = truncated(rank, RANK);
    const near = this.#distances[level]!;
    const far = this.#distances[level + 1] ?? near;
    return near + truncated((far - near) * (rank % RANK), RANK);
  }

  /** In thousandths; below 0 for what is nearer than the best level should be. */
  rankOf(distance: number): number {
    const { touch, spacing } = this.#shape;
    if (distance < touch) return truncated((distance - touch) * RANK, spacing);
    let level = 0;
    let beyond = this.#distances.length - 1;
    if (distance >= this.#distances[beyond]!) return beyond * RANK;
    while (beyond - level > 1) {
      const middle = (level + beyond) >>> 1;
      if (this.#distances[middle]! <= distance) level = middle;
      else beyond = middle;
    }
    const near = this.#distances[level]!;
    const width = this.#distances[beyond]! - near;
    return level * RANK + truncated((distance - near) * RANK, width);
  }
}

/** The few changes that bring one side nearer to its ladder. */
export function planSide<Order extends Standing>(
  ladder: Ladder,
  situation: SideSituation<Order>,
  prng: Prng,
): SidePlan<Order> {
  const { side, standing, refills, moves } = situation;
  const fair = besideOpposite(ladder, situation);
  const cancels: Order[] = [];
  const kept: Ranked<Order>[] = [];
  const tooClose = truncated(ladder.shape.touch, 2);
  for (const order of standing) {
    const distance = outwards(side) * (order.price * SUBTICKS - fair);
    if (distance < tooClose) cancels.push(order);
    else kept.push({ order, rank: ladder.rankOf(distance) });
  }
  kept.sort((a, b) => a.rank - b.rank);
  while (kept.length > LEVELS) cancels.push(takeLeastUseful(kept).order);

  const occupied = kept.map(({ rank }) => rank);
  const ranks: number[] = [];
  const fill = () => {
    const { from, width } = widestGap(occupied);
    const rank = from + (width >= 2 * RANK ? RANK : truncated(width, 2));
    occupied.push(rank);
    occupied.sort((a, b) => a - b);
    ranks.push(rank);
  };
  while (occupied.length < LEVELS && ranks.length < refills) fill();
  for (let moved = 0; moved < moves && occupied.length === LEVELS; moved++) {
    if (widestGap(occupied).width <= WIDE && !kept.some(isMisplaced)) break;
    if (kept.length === 0) break;
    const { order, rank } = takeLeastUseful(kept);
    cancels.push(order);
    occupied.splice(occupied.indexOf(rank), 1);
    fill();
  }
  const quotes = ranks.map((rank) => newQuote(ladder, side, fair, rank, prng));
  return {
    cancels,
    quotes: quotes.filter(({ price }) => price >= 1).sort((a, b) => a.rank - b.rank),
  };
}

/** 1 where prices grow away from the fair price, −1 where they fall. */
export const outwards = (side: Side): 1 | -1 => (side === Side.sell ? 1 : -1);

interface Ranked<Order> {
  readonly order: Order;
  readonly rank: number;
}

/**
 * The price that this side is quoted around, in sub-ticks: the fair one, unless a customer's order
 * on the other side stands so far beyond it that the best level would cross it. Then the best level
 * is one tick beside that order.
 */
function besideOpposite<Order extends Standing>(
  ladder: Ladder,
  { side, fair, opposite }: SideSituation<Order>,
): number {
  if (opposite === null) return fair;
  const out = outwards(side);
  const beside = (opposite + out) * SUBTICKS - out * ladder.shape.touch;
  return out * (beside - fair) > 0 ? beside : fair;
}

/** The widest gap between neighbours, also before the best level and after the outermost. */
function widestGap(ranks: readonly number[]): { from: number; width: number } {
  let widest = { from: 0, width: 0 };
  let from = -RANK;
  for (const to of [...ranks, LEVELS * RANK]) {
    if (to - from > widest.width) widest = { from, width: to - from };
    from = to;
  }
  return widest;
}

const isMisplaced = ({ order, rank }: Ranked<Standing>): boolean =>
  rank > (LEVELS + 1) * RANK || Math.abs(rank - order.placedAt) > CARRIED;

/**
 * Removes one order: a misplaced one if there is any, else the one whose neighbours are nearest to
 * each other.
 */
function takeLeastUseful<Order extends Standing>(kept: Ranked<Order>[]): Ranked<Order> {
  let index = kept.findIndex(isMisplaced);
  if (index < 0) {
    let narrowest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < kept.length; i++) {
      const before = kept[i - 1]?.rank ?? -RANK;
      const after = kept[i + 1]?.rank ?? LEVELS * RANK;
      if (after - before < narrowest) {
        narrowest = after - before;
        index = i;
      }
    }
  }
  return kept.splice(index, 1)[0]!;
}

function newQuote(
  ladder: Ladder,
  side: Side,
  fair: number,
  evenRank: number,
  prng: Prng,
): NewQuote {
  const rank = Math.max(0, evenRank + prng.between(-JITTER, JITTER));
  const price = priceAt(side, fair, ladder.distanceOf(rank));
  const usual = usualSize(ladder.shape, rank);
  if (prng.oneIn(ONE_LARGE_IN)) {
    const orderQty = lots(twoDigits(usual * prng.between(LARGE.low, LARGE.high)));
    const round = roundPrice(ladder.shape, side, price);
    const roundRank = ladder.rankOf(outwards(side) * (round * SUBTICKS - fair));
    const near = roundRank < LEVELS * RANK && roundRank - rank <= NEAR;
    return near ? { price: round, rank: roundRank, orderQty } : { price, rank, orderQty };
  }
  const size = truncated(usual * prng.between(10, 100) * prng.between(20, 200), 5_500);
  return { price, rank, orderQty: lots(prng.percent(40) ? twoDigits(size) : size) };
}

/** The price on the grid at that distance from the fair one, or just beyond it. */
function priceAt(side: Side, fair: number, distance: number): Ticks {
  const exact = fair + outwards(side) * distance;
  const below = truncated(exact, SUBTICKS);
  return ticks(side === Side.sell && exact % SUBTICKS !== 0 ? below + 1 : below);
}

/**
 * The size that orders of a rank have on average, in lots: at the outermost level six times that of
 * the best one.
 */
const usualSize = (shape: LadderShape, rank: number): number =>
  shape.size + truncated(shape.size * rank, 8 * RANK);

/** The lots of a whole side: what a maker needs to be able to build it anew. */
export function lotsOfSide(shape: LadderShape): Lots {
  let sum = 0;
  for (let level = 0; level < LEVELS; level++) sum += usualSize(shape, level * RANK);
  return lots(sum);
}

/** The next round price outwards; a bid low enough to have none keeps its own. */
function roundPrice({ round }: LadderShape, side: Side, price: Ticks): Ticks {
  const below = price - (price % round);
  if (side === Side.buy) return below > 0 ? ticks(below) : price;
  return ticks(below === price ? price : below + round);
}

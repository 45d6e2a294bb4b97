// The hidden parts of the icebergs of one price level, by the round in which they would be shown:
// round 0 is what the level shows now, round 1 the next part of each iceberg, and so on. The level
// keeps the sums, so that the effect of many rounds is computed and not walked.
import { type Amount, add, type Lots, lots, multiply, subtract, ZERO } from '../units.ts';

/** An iceberg's quantities: what it may show, what it shows, and what is left in all. */
export interface IcebergParts {
  readonly displayQty: Lots;
  readonly shownQty: Lots;
  readonly leavesQty: Lots;
}

/** How an order divides a level: `rounds` full ones, and `rest` of the round after them. */
export interface Division {
  readonly rounds: number;
  readonly rest: Lots;
}

/** In place of the rounds of an order that takes the whole level. */
export const ALL_ROUNDS = Number.MAX_SAFE_INTEGER;

export class HiddenRounds {
  /** The sum of all rounds after the first. */
  total = ZERO;
  /** By round: how its quantity differs from that of the round before. */
  readonly #steps = new Map<number, Amount>();

  /** How many sums it keeps. */
  get sums(): number {
    return this.#steps.size;
  }

  add(iceberg: IcebergParts): void {
    this.#change(iceberg, add);
  }

  remove(iceberg: IcebergParts): void {
    this.#change(iceberg, subtract);
  }

  #change({ displayQty, shownQty, leavesQty }: IcebergParts, to: typeof add): void {
    const hidden = leavesQty - shownQty;
    if (hidden <= 0) return;
    const last = Math.ceil(hidden / displayQty);
    const lastPart = hidden - (last - 1) * displayQty;
    this.total = to(this.total, hidden as Amount);
    this.#step(1, to, displayQty as number as Amount);
    this.#step(last, to, (lastPart - displayQty) as Amount);
    this.#step(last + 1, to, -lastPart as Amount);
  }

  #step(round: number, to: typeof add, difference: Amount): void {
    const step = to(this.#steps.get(round) ?? ZERO, difference);
    if (step === 0) this.#steps.delete(round);
    else this.#steps.set(round, step);
  }

  /** Divides a level that shows `shown`, without `own`, for an order of `wanted`. */
  divide(shown: Amount, wanted: Lots, own: HiddenRounds | null): Division {
    const hidden = subtract(this.total, own === null ? ZERO : own.total);
    const all = add(shown, hidden);
    // An order that takes just what the level shows does not meet an own one behind it.
    if (all < wanted || (all === (wanted as number) && hidden > 0)) {
      return { rounds: ALL_ROUNDS, rest: lots(0) };
    }
    let rounds = 0;
    let rest = wanted as number as Amount;
    let size = shown;
    while (rest > size || (rest === size && rounds > 0)) {
      rest = subtract(rest, size);
      rounds++;
      const step = this.#steps.get(rounds) ?? ZERO;
      const ownStep = own === null ? ZERO : (own.#steps.get(rounds) ?? ZERO);
      size = rounds === 1 ? subtract(step, ownStep) : add(size, subtract(step, ownStep));
    }
    return { rounds, rest: lots(rest as number) };
  }
}

/** The lots that the first `rounds` rounds take of an iceberg. */
export function takenIn(rounds: number, iceberg: IcebergParts): Lots {
  const { displayQty, shownQty, leavesQty } = iceberg;
  if (rounds === 0) return lots(0);
  if (rounds === ALL_ROUNDS) return leavesQty;
  // Beyond 2^53 the product is not exact, and larger than any quantity all the same.
  const later = multiply(displayQty, rounds - 1);
  return later >= leavesQty - shownQty ? leavesQty : lots(shownQty + (later as number));
}

/** The part of an iceberg that the round after `rounds` rounds shows; 0: it is used up. */
export function partAfter(rounds: number, iceberg: IcebergParts): Lots {
  if (rounds === 0) return iceberg.shownQty;
  const left = lots(iceberg.leavesQty - takenIn(rounds, iceberg));
  return left < iceberg.displayQty ? left : iceberg.displayQty;
}

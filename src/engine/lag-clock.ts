// The lag of the views: the age of the oldest durable command that they lack, from the times at
// which positions of the journal became durable.

/** Positions closer together than this are joined; it doubles when there are too many. */
const GRAIN_MS = 100;
const MAX_POSITIONS = 1000;

interface Position {
  readonly seq: number;
  readonly at: number;
}

export class LagClock {
  readonly #clock: () => number;
  #appliedSeq = 0;
  #durableSeq = 0;
  /** Ascending; each stands for the commands between the one before it and itself. */
  #positions: Position[] = [];
  #grainMs = GRAIN_MS;

  /** `clock`: monotonic, ms. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  durable(seq: number): void {
    if (seq <= this.#durableSeq) return;
    this.#durableSeq = seq;
    const at = this.#clock();
    const last = this.#positions.at(-1);
    // The older time of the two, so the lag is never too short.
    if (last !== undefined && at - last.at < this.#grainMs) {
      this.#positions[this.#positions.length - 1] = { seq, at: last.at };
      return;
    }
    this.#positions.push({ seq, at });
    if (this.#positions.length <= MAX_POSITIONS) return;
    this.#positions = joined(this.#positions);
    this.#grainMs *= 2;
  }

  applied(seq: number): void {
    this.#appliedSeq = seq;
    const next = this.#positions.findIndex((position) => position.seq > seq);
    this.#positions = next < 0 ? [] : this.#positions.slice(next);
    if (next < 0) this.#grainMs = GRAIN_MS;
  }

  get lagMs(): number {
    const [oldest] = this.#positions;
    if (this.#durableSeq <= this.#appliedSeq || oldest === undefined) return 0;
    return this.#clock() - oldest.at;
  }
}

/** Joins each two positions, with the age of the older. */
const joined = (positions: readonly Position[]): Position[] =>
  positions.flatMap((position, index) => {
    if (index % 2 === 1) return { ...position, at: positions[index - 1]!.at };
    return index === positions.length - 1 ? position : [];
  });

// The work that the commands of one record may do. Work beyond it continues as part of the state in
// later commands of the engine, so that no other customer waits for it.

/** A fill, or a stop that is triggered or begins to trail: the unit of work, in parts. */
export const UNIT = 100;
/** A canceled order, in parts. */
export const CANCEL = 20;
/** The same where no caller waits for all of them: it takes as long as a fill. */
export const SWEPT = 100;
/** A subscription whose auto-renew is switched, in parts. */
export const SWITCH = 20;
/** A day of a subscription that is closed, in parts. */
export const DAY = 100;
/** An order or a price level that is only looked at, in parts. */
export const LOOK = 1;
/** A queue of stops that becomes due, or two segments of trailing stops that join, in parts. */
export const MOVE = 50;

/** Units of one record: some milliseconds of the core, of a follower and of the streams. */
const RECORD_UNITS = 2_000;
/** Units that runTimers may do, whatever the commands before it in its record have done. */
const TIMER_UNITS = 1_000;
/** Units of a match, or of a pending command, before the next one has its turn. */
const TURN_UNITS = 250;
/** The looks of one check, in parts. */
export const LOOKS_OF_A_CHECK = 100_000 * LOOK;

export class Work {
  readonly #ofRecord: number;
  readonly #ofTimers: number;
  readonly #ofTurn: number;
  /** The parts that the commands of this record may still do; negative after the last piece. */
  left = 0;
  /** Parts that the command did for others: it canceled expired orders, or closed days. */
  exempt = 0;
  #leftAtStart = 0;
  /** The price levels and orders that one check looks at, in parts. */
  readonly looksOfACheck: number;

  /** `scale`: of all limits; below 1 in tests, which suspend small orders with it. */
  constructor(scale = 1, looksOfACheck = LOOKS_OF_A_CHECK) {
    this.looksOfACheck = looksOfACheck;
    const partsOf = (units: number): number => Math.ceil(units * scale * UNIT);
    this.#ofRecord = partsOf(RECORD_UNITS);
    this.#ofTimers = partsOf(TIMER_UNITS);
    this.#ofTurn = partsOf(TURN_UNITS);
    this.beginRecord();
    this.beginCommand();
  }

  beginRecord(): void {
    this.left = this.#ofRecord;
  }

  beginCommand(): void {
    this.#leftAtStart = this.left;
    this.exempt = 0;
  }

  /** Counts canceled orders that take so many parts of the record, and cost CANCEL each. */
  cancel(count: number, parts: number): void {
    this.left -= parts * count;
    this.exempt += (parts - CANCEL) * count;
  }

  /** Gives runTimers its share, so that suspended orders go on beside any load. */
  beginTimers(): void {
    this.left = Math.max(this.left, this.#ofTimers);
  }

  /** Lets `task` do a share of what is left. */
  share(share: number, task: () => void): void {
    this.#limit(this.left * share, task);
  }

  /** Lets `task` do at most one turn: then others have theirs. */
  turn(task: () => void): void {
    this.#limit(this.#ofTurn, task);
  }

  /** Lets `task` do all of its work, which is small or nobody waits for, and does not count it. */
  unbounded(task: () => void): void {
    const { left, exempt } = this;
    this.left = Number.POSITIVE_INFINITY;
    task();
    this.left = left;
    this.exempt = exempt;
  }

  #limit(parts: number, task: () => void): void {
    const kept = Math.max(0, this.left - Math.floor(parts));
    this.left -= kept;
    task();
    this.left += kept;
  }

  /** The parts that the command has done so far, for which its account is charged. */
  get done(): number {
    return this.#leftAtStart - this.left - this.exempt;
  }
}

/** Whole units of work that a command is charged for: at least one. */
export const unitsOf = (parts: number): number => Math.max(1, Math.ceil(parts / UNIT));

// The wall clock of a cluster: the store's, so that a node with a wrong clock judges signatures and
// stamps commands like all others. Between two answers of the store, the monotonic clock of this
// machine measures the time.
import type { LeaseAnswer } from './store.ts';

/** An answer that took longer says less than what is known already. */
const MAX_TRIP_MS = 1000;
/** A share of each difference, since half of the trip is only a guess. */
const WEIGHT = 0.1;
/** A difference beyond this is a step of the store's clock, such as another machine's. */
const STEP_MS = 500;

export class ClusterClock {
  readonly #monotonic: () => number;
  /** The store's time at monotonic 0, ms; null before the first answer. */
  #origin: number | null = null;

  constructor(monotonic = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Milliseconds since 1970. Throws before the first answer of the store. */
  readonly now = (): number => {
    if (this.#origin === null) throw new TypeError('The store has not told its time yet.');
    return Math.floor(this.#origin + this.#monotonic());
  };

  /** Asks the store, and learns its time from the answer. */
  async ask(question: () => Promise<LeaseAnswer>): Promise<LeaseAnswer> {
    const asked = this.#monotonic();
    const answer = await question();
    const trip = this.#monotonic() - asked;
    const origin = answer.storeTime - asked - trip / 2;
    if (this.#origin === null) this.#origin = origin;
    else if (trip <= MAX_TRIP_MS) this.#learn(origin);
    return answer;
  }

  #learn(origin: number): void {
    const difference = origin - this.#origin!;
    this.#origin! += Math.abs(difference) > STEP_MS ? difference : WEIGHT * difference;
  }
}

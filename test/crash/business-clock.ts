// Business time as a client of the sandbox knows it. Server and tests read the same wall clock; the
// offset between the two clocks is what the advances come to, of which one may be under way. So
// every moment has an earliest and a latest business time.
import type { OperatorClient } from './operator-client.ts';

/** How far the wall clock may step back in a run; business time never goes back and stays ahead. */
const WALL_STEP_MS = 50;

export class BusinessClock {
  /** The sum of all answered advances, ms. */
  #offset = 0;
  /** The advance without an answer yet, ms. */
  #underWay = 0;
  #sent = 0;
  #answered = 0;

  /** Advances so far. */
  get sent(): number {
    return this.#sent;
  }
  get answered(): number {
    return this.#answered;
  }

  earliest(): number {
    return Date.now() + this.#offset;
  }
  latest(): number {
    return Date.now() + this.#offset + this.#underWay + WALL_STEP_MS;
  }

  /** Returns business time when all that became due is done. */
  async advance(operator: OperatorClient, ms: number): Promise<number> {
    this.#sent++;
    this.#underWay = ms;
    const { now } = (await operator.post('clock/advance', { ms })) as { now: number };
    this.#underWay = 0;
    this.#offset += ms;
    this.#answered++;
    return now;
  }

  /** After a restart each answered advance counts once, and the unanswered one at most once. */
  async recover(operator: OperatorClient): Promise<void> {
    const { offset } = (await operator.get('clock')) as { offset: number };
    if (offset !== this.#offset && offset !== this.#offset + this.#underWay) {
      throw new Error(`the clock is ${offset} ms ahead, and ${this.#offset} ms were acknowledged`);
    }
    this.#offset = offset;
    this.#underWay = 0;
    this.#answered = this.#sent;
  }
}

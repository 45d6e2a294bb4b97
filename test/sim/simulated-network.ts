// The network between callers and a simulated venue: it takes its time, delivers some requests
// twice, and loses some on the way there and some answers on the way back. A caller never learns
// which it was.
import type { Answer } from '../harness/sender.ts';
import type { Prng } from '../support/prng.ts';
import type { SimulatedTime } from './simulated-time.ts';
import type { SimulatedVenue } from './simulated-venue.ts';

/** How long a caller waits for an answer, ms. */
const PATIENCE_MS = 3000;

export class SimulatedNetwork {
  readonly #time: SimulatedTime;
  readonly #random: Prng;
  readonly #venue: SimulatedVenue;
  /** True if anything goes wrong. */
  faulty = true;
  readonly troubles = { doubled: 0, lost: 0, unanswered: 0 };

  constructor(time: SimulatedTime, random: Prng, venue: SimulatedVenue) {
    this.#time = time;
    this.#random = random;
    this.#venue = venue;
  }

  /** The first answer that comes; null when none comes in time. */
  send(target: string, init: RequestInit): Promise<Answer | null> {
    const copies = this.#wrong(20) ? 2 : 1;
    if (copies === 2) this.troubles.doubled++;
    return new Promise((resolve) => {
      void this.#time.sleep(PATIENCE_MS).then(() => resolve(null));
      for (let copy = 0; copy < copies; copy++) {
        void this.#deliver(target, init).then((answer) => {
          if (answer !== null) resolve(answer);
        });
      }
    });
  }

  async #deliver(target: string, init: RequestInit): Promise<Answer | null> {
    await this.#pass();
    if (this.#wrong(25)) {
      this.troubles.lost++;
      return null;
    }
    const answer = await this.#venue.serve(requestOf(target, init));
    if (answer === null) return null;
    if (this.#wrong(25)) {
      this.troubles.unanswered++;
      return null;
    }
    await this.#pass();
    return answer;
  }

  /** Mostly a millisecond or two; now and then long enough for all others to overtake. */
  #pass(): Promise<void> {
    const random = this.#random;
    return this.#time.sleep(random.oneIn(20) ? random.below(400) : random.below(2000) / 1000);
  }

  #wrong(times: number): boolean {
    return this.faulty && this.#random.oneIn(times);
  }
}

/** A request with the length of its body, as every client sends it. */
export function requestOf(target: string, init: RequestInit): Request {
  const request = new Request(`http://simulated${target}`, init);
  if (typeof init.body === 'string') {
    request.headers.set('Content-Length', String(Buffer.byteLength(init.body)));
  }
  return request;
}

// Part `retention`: whether a process grows with the number of its writes while its open orders do
// not. Every write is signed and has an Idempotency-Key; one in ten is rejected.
import type { Command, IdempotencyTag, WriteSignature } from '../src/core/command.ts';
import { EventFilter } from '../src/core/event-filter.ts';
import { Exchange } from '../src/core/exchange.ts';
import type { Results } from '../src/core/outcome.ts';
import {
  alternate,
  type Context,
  type Findings,
  figure,
  figuresOf,
  ratio,
  sizeOf,
} from './support/part.ts';
import { job } from './support/processes.ts';
import { settledMemory } from './support/settled-memory.ts';
import { cancelCommand, orderCommand, placeOf, START, venueCommands } from './support/venue.ts';

const FULL = { writes: 10_000_000 };
const DAYS = 10;
const USERS = 200;
const RESTING = 20_000;
const DAY_MS = 86_400_000;
const PRICES = 5_000;
/** One in so many asks for more than the account has. */
const REJECTED = 10;
const TOO_MUCH = 2 ** 50;
/** Instead of an orderId. */
const GONE = 0;

/** By place in the ring. */
const ownerOf = (at: number): number => 1 + (at % USERS);

class Load {
  readonly #exchange = new Exchange(undefined, EventFilter.none());
  /** Orders that rest, oldest first, as a ring. */
  readonly #resting: number[] = [];
  #oldest = 0;
  #time = START;
  #writes = 0;
  #places = 0;

  constructor() {
    for (const command of venueCommands(USERS)) this.#apply(command);
    for (let i = 0; i < RESTING; i++) this.#resting.push(this.#place(i, 1));
  }

  get answers(): number {
    return this.#exchange.state.outcomes.count;
  }

  /** Writes one after the other, so many milliseconds apart. */
  run(writes: number, apart: number): void {
    for (let i = 0; i < writes; i++) {
      this.#time += apart;
      if (i % REJECTED === 0) this.#place(this.#oldest, TOO_MUCH);
      else if (this.#resting[this.#oldest] === GONE) this.#replaceOldest();
      else this.#cancelOldest();
    }
  }

  #replaceOldest(): void {
    this.#resting[this.#oldest] = this.#place(this.#oldest, 1);
    this.#oldest = (this.#oldest + 1) % RESTING;
  }

  #cancelOldest(): void {
    const uid = ownerOf(this.#oldest);
    const command = cancelCommand(uid, this.#resting[this.#oldest], this.#signature(uid));
    if (this.#apply({ ...command, idempotency: this.#tag() }) === null)
      throw new Error('no cancel');
    this.#resting[this.#oldest] = GONE;
  }

  /** The orderId, or GONE when it was rejected. */
  #place(at: number, quantity: number): number {
    const number = this.#places++;
    const uid = ownerOf(at);
    const command = orderCommand({
      ...placeOf(number, PRICES),
      uid,
      quantity,
      clOrdId: `strategy-a-${String(number).padStart(9, '0')}`,
      signature: this.#signature(uid),
    });
    const outcome = this.#apply({ ...command, idempotency: this.#tag() });
    return outcome === null ? GONE : (outcome as Results['placeOrder']).orderId;
  }

  #signature(keyId: number): WriteSignature {
    const digestHigh = Math.imul(this.#writes + 1, 0x9e3779b1) >>> 0;
    const timestamp = Math.floor(this.#time);
    return { keyId, timestamp, digestHigh, digestLow: this.#writes >>> 0 };
  }

  #tag(): IdempotencyTag {
    const number = String(this.#writes++).padStart(12, '0');
    return { key: `3f2504e0-4f89-41d3-9a0c-${number}`, digest: `0123456789abcdef0123${number}` };
  }

  #apply(command: Command): object | null {
    const { state } = this.#exchange;
    const outcome = this.#exchange.apply(state.seq + 1, Math.floor(this.#time), command);
    return outcome.ok ? outcome.result : null;
  }
}

/** Measures after `early` writes and after all. Live memory is that of an answer that is kept. */
const measure = job(import.meta, async (run: { early: number; writes: number }) => {
  const apart = (DAYS * DAY_MS) / run.writes;
  const load = new Load();
  const before = await settledMemory();
  const began = performance.now();
  load.run(run.early, apart);
  const paused = performance.now();
  const early = await settledMemory();
  const { answers } = load;
  const resumed = performance.now();
  load.run(run.writes - run.early, apart);
  const seconds = (performance.now() - resumed + paused - began) / 1000;
  const late = await settledMemory();
  return {
    resident: [early.resident, late.resident] as const,
    perAnswer: (early.live - before.live) / answers,
    rate: run.writes / seconds,
  };
});

export async function retention(context: Context): Promise<Findings> {
  const { writes } = sizeOf(context, FULL);
  const run = { early: writes / 10, writes };
  const { core } = await alternate(context, { core: () => measure(run) });
  const resident = (at: 0 | 1): number[] => core.map((each) => each.resident[at]);
  const [early, late] = [run.early, writes].map((count) => count.toLocaleString('en'));
  return {
    figures: [
      figure(`resident memory after ${early} writes`, 'bytes', resident(0)),
      figure(`resident memory after ${late} writes`, 'bytes', resident(1)),
      ratio('resident memory, late ÷ early', resident(1), resident(0), { atMost: 1.2 }),
      ...figuresOf(core, [
        ['live memory a write that is remembered', 'bytes', ({ perAnswer }) => perAnswer],
        ['writes', '/s', ({ rate }) => rate],
      ]),
    ],
    notes: [
      `200 accounts with 20,000 resting orders, which stay as many, over ${DAYS} simulated ` +
        'days: places and cancels, each signed and with an Idempotency-Key of 36 characters, ' +
        'one in ten rejected. Memory after full garbage collections.',
    ],
  };
}

// One core that takes writes for days. The number of resting orders stays the same, so only the
// memory of past writes can grow.

import type { Command, IdempotencyTag, WriteSignature } from '../../src/core/command.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import type { Results } from '../../src/core/outcome.ts';
import { argumentOf, report } from './processes.ts';
import { settledMemory } from './settled-memory.ts';
import { cancelCommand, orderCommand, placeOf, START, venueCommands } from './venue.ts';

export interface RetentionRun {
  /** How many before the first look at memory, and in all. */
  readonly early: number;
  readonly writes: number;
  readonly days: number;
}

export interface Retention {
  /** Bytes of the process at each measurement. */
  readonly resident: readonly [number, number];
  /**
   * Growth of live memory for each answer that is kept at the first look, with what signatures
   * take.
   */
  readonly perAnswer: number;
  /** Writes a second. */
  readonly rate: number;
}

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
    return this.#exchange.state.answers.count;
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

const { early: first, writes, days } = argumentOf<RetentionRun>();
const apart = (days * DAY_MS) / writes;
const load = new Load();
const before = await settledMemory();
const began = performance.now();
load.run(first, apart);
const paused = performance.now();
const early = await settledMemory();
const answers = load.answers;
const resumed = performance.now();
load.run(writes - first, apart);
const seconds = (performance.now() - resumed + paused - began) / 1000;
const late = await settledMemory();
report({
  resident: [early.resident, late.resident],
  perAnswer: (early.live - before.live) / answers,
  rate: writes / seconds,
} satisfies Retention);

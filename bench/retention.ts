// Part `retention`: whether a process grows with the number of its writes while its open orders do
// not. Every write is signed and has an Idempotency-Key; one in ten is rejected.
import { DAY_MS } from '../src/core/calendar.ts';
import type { CancelOrder, PlaceOrder } from '../src/core/command.ts';
import type { Outcome } from '../src/core/outcome.ts';
import { settledMemory } from './support/accounts.ts';
import { Writer } from './support/history.ts';
import { many, part } from './support/part.ts';
import { program } from './support/processes.ts';
import {
  cancelCommand,
  orderCommand,
  placeOf,
  signatureOf,
  venueCommands,
} from './support/venue.ts';

const DAYS = 10;
const USERS = 200;
const RESTING = 20_000;
const PRICES = 5_000;
/** One in so many asks for more than the account has. */
const REJECTED = 10;
const TOO_MUCH = 2 ** 50;
/** Instead of an orderId. */
const GONE = 0;

class Load {
  readonly #exchange;
  /** The orderIds of the orders that rest, by slot; each slot has an owner. */
  readonly #resting: number[] = [];
  #oldest = 0;
  #time: number;
  #writes = 0;
  #places = 0;

  constructor({ exchange, time }: Writer) {
    this.#exchange = exchange;
    this.#time = time;
    for (let slot = 0; slot < RESTING; slot++) this.#resting.push(this.#place(slot, 1));
  }

  /** Writes one after the other, so many milliseconds apart. */
  run(writes: number, apart: number): void {
    for (let i = 0; i < writes; i++) {
      const slot = this.#oldest;
      const orderId = this.#resting[slot];
      this.#time += apart;
      if (i % REJECTED === 0) this.#place(slot, TOO_MUCH);
      else if (orderId === GONE) {
        this.#resting[slot] = this.#place(slot, 1);
        this.#oldest = (slot + 1) % RESTING;
      } else {
        const uid = 1 + (slot % USERS);
        const { ok } = this.#apply(cancelCommand(uid, orderId, this.#signature(uid)));
        if (!ok) throw new Error('an order was not canceled');
        this.#resting[slot] = GONE;
      }
    }
  }

  /** The orderId, or GONE when it was rejected. */
  #place(slot: number, quantity: number): number {
    const number = this.#places++;
    const uid = 1 + (slot % USERS);
    const clOrdId = `strategy-a-${String(number).padStart(9, '0')}`;
    const terms = { uid, quantity, clOrdId, signature: this.#signature(uid) };
    const outcome = this.#apply(orderCommand({ ...placeOf(number, PRICES), ...terms }));
    return outcome.ok ? (outcome.result as { orderId: number }).orderId : GONE;
  }

  #signature(uid: number) {
    return signatureOf(uid, this.#writes, Math.floor(this.#time));
  }

  #apply(command: PlaceOrder | CancelOrder): Outcome {
    const number = String(this.#writes++).padStart(12, '0');
    const key = `3f2504e0-4f89-41d3-9a0c-${number}`;
    const idempotency = { key, digest: `0123456789abcdef0123${number}` };
    const seq = this.#exchange.state.seq + 1;
    return this.#exchange.apply(seq, Math.floor(this.#time), { ...command, idempotency });
  }
}

const { once } = program(import.meta, {
  /** Measures after a tenth of the writes and after all. */
  async memory(writes: number) {
    const apart = (DAYS * DAY_MS) / writes;
    const writer = new Writer();
    await writer.sendAll(venueCommands(USERS));
    const load = new Load(writer);
    let milliseconds = 0;
    const memoryAfter = async (more: number) => {
      const start = performance.now();
      load.run(more, apart);
      milliseconds += performance.now() - start;
      return await settledMemory();
    };
    const before = await settledMemory();
    const early = await memoryAfter(writes / 10);
    const answers = writer.exchange.state.outcomes.count;
    const late = await memoryAfter((writes / 10) * 9);
    const perAnswer = (early.live - before.live) / answers;
    const rate = (writes * 1000) / milliseconds;
    return { early: early.resident, late: late.resident, perAnswer, rate };
  },
});

export const retention = part({
  name: 'retention',
  question: 'Does a process grow with the writes of several days?',
  against: 'itself after a tenth of them',
  size: { writes: 10_000_000 },
  subjects: ({ writes }) => ({ core: () => once.memory(writes) }),
  rows: ({ writes }) => [
    [`resident memory after ${many(writes / 10)} writes`, 'bytes', ({ core }) => core.early],
    [`resident memory after ${many(writes)} writes`, 'bytes', ({ core }) => core.late],
    ['resident memory, late ÷ early', '×', ({ core }) => core.late / core.early, { atMost: 1.2 }],
    ['live memory a write that is remembered', 'bytes', ({ core }) => core.perAnswer],
    ['writes', '/s', ({ core }) => core.rate],
  ],
  notes: () => [
    `${USERS} accounts with ${many(RESTING)} resting orders, which stay as many, over ${DAYS} ` +
      'simulated days: places and cancels, each signed and with an Idempotency-Key of 36 ' +
      'characters, one in ten rejected. Memory after full garbage collections.',
  ],
});

// The due queue of the venue: stops whose trigger was reached, and brackets whose entry order is
// done. run-due.ts does it in slices. Each instrument has a queue of its own, so one
// that is not LIVE waits without holding up the others; seq puts all entries into one order.
import { code, integer, nullable, price, quantity, record, type ValueOf } from '../codec.ts';
import { Counts } from '../counts.ts';
import {
  InstrumentStatus,
  type SelfTradePrevention,
  type Side,
  type TriggerPriceDirection,
} from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { BRACKET } from '../order-extras.ts';
import type { PendingCommands } from '../pending.ts';
import { Fact, type StateHash } from '../state-hash.ts';

/** The exits that are to be placed for an order that is done. */
export type DueBracket = ValueOf<typeof DUE_BRACKET>;

export const DUE_BRACKET = record({
  /** The next execId when the order was done. */
  seq: integer,
  securityId: integer,
  uid: integer,
  parentOrderId: integer,
  /** The side of the exits. */
  side: code<Side>(),
  orderQty: quantity,
  selfTradePrevention: nullable(code<SelfTradePrevention>()),
  bracket: BRACKET,
});

export const DUE_RUN = record({
  /** The next execId at the trade. */
  seq: integer,
  direction: code<TriggerPriceDirection>(),
  /** The price of the trade. */
  price,
  /** Later stops at these prices belong to later runs, or wait. */
  upToPriority: integer,
});

/** The stops that one trade reached in one direction. */
export interface DueRun extends ValueOf<typeof DUE_RUN> {
  /** The queues, the nearest first, of which those before `next` are done. */
  levels: readonly number[];
  next: number;
}

type DueEntry = DueRun | DueBracket;

/** The next one to execute. */
export interface DueTurn {
  readonly instrument: Instrument;
  readonly entry: DueEntry;
}

/** The entries of one instrument in order; those before `head` are done. */
interface InstrumentQueue {
  readonly instrument: Instrument;
  entries: DueEntry[];
  head: number;
}

/** True if due entries may be executed: the instrument is LIVE, and no command goes on in it. */
const isReady = ({ status, matching, securityId }: Instrument, pending: PendingCommands): boolean =>
  status === InstrumentStatus.LIVE && matching === null && !pending.hasBegunIn(securityId);

export const isBracket = (entry: DueEntry): entry is DueBracket => 'bracket' in entry;

export class DueQueue {
  readonly #hash: StateHash;
  /** Only instruments with entries. */
  #queues: InstrumentQueue[] = [];
  /** Brackets by account. */
  readonly #brackets = new Counts();

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  get isEmpty(): boolean {
    return this.#queues.length === 0;
  }

  /** True if a runnable instrument has entries, though all their stops may be gone. */
  isRunnable(pending: PendingCommands): boolean {
    return this.#queues.some(({ instrument }) => isReady(instrument, pending));
  }

  add(instrument: Instrument, entry: DueEntry): void {
    let queue = this.#queues.find((other) => other.instrument === instrument);
    if (queue === undefined) {
      queue = { instrument, entries: [], head: 0 };
      this.#queues.push(queue);
    }
    queue.entries.push(entry);
    this.#count(entry, 1);
    this.#mix(instrument, entry);
    this.#hash.add();
  }

  /** The earliest entry of the runnable instruments. A command forgets what is done here. */
  next(pending: PendingCommands): DueTurn | undefined {
    let earliest: DueTurn | undefined;
    for (const queue of this.#queues) {
      this.#skipDone(queue);
      const { instrument } = queue;
      const entry = queue.entries[queue.head];
      if (entry === undefined || !isReady(instrument, pending)) continue;
      if (earliest === undefined || entry.seq < earliest.entry.seq) {
        earliest = { instrument, entry };
      }
    }
    if (this.#queues.some(isExhausted)) {
      this.#queues = this.#queues.filter((queue) => !isExhausted(queue));
    }
    return earliest;
  }

  /** A run is done when its queues are empty: by their turns, by cancels or by expiry. */
  #skipDone(queue: InstrumentQueue): void {
    const { instrument, entries } = queue;
    const { triggers } = instrument;
    for (; queue.head < entries.length; this.#drop(queue)) {
      const entry = entries[queue.head];
      if (isBracket(entry)) return;
      for (; entry.next < entry.levels.length; entry.next++) {
        const level = entry.levels[entry.next];
        if (triggers.queue(level).count > 0) return;
        triggers.release(level);
      }
    }
  }

  /** Forgets a bracket whose exits are placed. */
  removeBracket(instrument: Instrument): void {
    this.#drop(this.#queues.find((queue) => queue.instrument === instrument)!);
  }

  /** The brackets of an account, which count as open orders: so they are bounded. */
  bracketsOf(uid: number): number {
    return this.#brackets.of(uid);
  }

  #count(entry: DueEntry, change: number): void {
    if (isBracket(entry)) this.#brackets.add(entry.uid, change);
  }

  /** Forgets the bracket of an order, wherever it waits. */
  removeBracketOf(orderId: number): void {
    for (const queue of this.#queues) {
      const { entries, head, instrument } = queue;
      const at = entries.findIndex(
        (entry, i) => i >= head && isBracket(entry) && entry.parentOrderId === orderId,
      );
      if (at < 0) continue;
      const [entry] = entries.splice(at, 1);
      this.#count(entry, -1);
      this.#mix(instrument, entry);
      this.#hash.remove();
    }
  }

  #drop(queue: InstrumentQueue): void {
    this.#count(queue.entries[queue.head], -1);
    this.#mix(queue.instrument, queue.entries[queue.head++]);
    this.#hash.remove();
    if (queue.head < MAX_DONE) return;
    queue.entries.splice(0, queue.head);
    queue.head = 0;
  }

  /** The entries of an instrument, in order. */
  entriesOf(instrument: Instrument): readonly DueEntry[] {
    const queue = this.#queues.find((other) => other.instrument === instrument);
    return queue === undefined ? [] : queue.entries.slice(queue.head);
  }

  #mix({ securityId }: Instrument, entry: DueEntry): void {
    this.#hash.begin(isBracket(entry) ? Fact.dueBracket : Fact.dueRun);
    if (isBracket(entry)) DUE_BRACKET.mix(this.#hash, entry);
    else {
      this.#hash.number(securityId);
      DUE_RUN.mix(this.#hash, entry);
    }
  }
}

/** Entries that are done and may still be in the list. */
const MAX_DONE = 1_024;

const isExhausted = ({ head, entries }: InstrumentQueue): boolean => head === entries.length;

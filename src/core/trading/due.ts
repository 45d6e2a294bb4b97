// The due queue of the venue: stops whose trigger was reached, and brackets whose entry order is
// done. run-due.ts does it in slices. Each instrument has a queue of its own, so one
// that is not LIVE waits without holding up the others; seq puts all entries into one order.
import {
  code,
  integer,
  type Mutable,
  mixFact,
  nullable,
  price,
  quantity,
  record,
  type ValueOf,
} from '../codec.ts';
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
import { MAX_INTEGER } from '../units.ts';
import { LOOK, type Work } from '../work.ts';

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
  /** Later stops at the prices of its queues belong to later runs, or wait. */
  upToPriority: integer,
});

/** A queue of stops that is due. */
export const DUE_STOPS = record({
  direction: code<TriggerPriceDirection>(),
  /** The price that triggers them. */
  stopPx: price,
});

/** The stops that one trade reached: first those that wait for a rise, then those for a fall. */
export interface DueRun extends Mutable<ValueOf<typeof DUE_RUN>> {
  /** The queues, the nearest first, of which those before `next` are done. */
  readonly levels: number[];
  next: number;
}

/** A run whose queues are to come, and all stops of their prices with them. */
export const newRun = (seq: number): DueRun => ({
  seq,
  upToPriority: MAX_INTEGER,
  levels: [],
  next: 0,
});

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

  /** The entry goes ahead of so many of the newest ones of the instrument, with the same seq. */
  add(instrument: Instrument, newest: DueEntry, ahead = 0): void {
    let queue = this.#queues.find((other) => other.instrument === instrument);
    if (queue === undefined) {
      queue = { instrument, entries: [], head: 0 };
      this.#queues.push(queue);
    }
    const { entries } = queue;
    const at = entries.length - ahead;
    const entry = ahead === 0 ? newest : { ...newest, seq: entries[at].seq };
    entries.splice(at, 0, entry);
    if (isBracket(entry)) this.#brackets.add(entry.uid);
    this.#mix(instrument, entry).add();
  }

  /** Another queue of stops joins a run, after the others. */
  addLevel(instrument: Instrument, run: DueRun, level: number): void {
    run.levels.push(level);
    this.#mixStops(instrument, run, level).add();
  }

  /** All queues of a run have joined it; stops from now on are none of it. */
  close(instrument: Instrument, run: DueRun, upToPriority: number): void {
    this.#mix(instrument, run).remove();
    run.upToPriority = upToPriority;
    this.#mix(instrument, run).add();
  }

  /** The run of this seq, which is among the newest entries of the instrument. */
  runOf(instrument: Instrument, seq: number): DueRun | undefined {
    const entries = this.#queues.find((other) => other.instrument === instrument)?.entries ?? [];
    for (let i = entries.length - 1; i >= 0 && entries[i].seq >= seq; i--) {
      const entry = entries[i];
      if (!isBracket(entry) && entry.seq === seq) return entry;
    }
    return undefined;
  }

  /**
   * The earliest entry of the runnable instruments; none where the work of the command ends before
   * it is found. A command forgets what is done here.
   */
  next(pending: PendingCommands, work: Work): DueTurn | undefined {
    let earliest: DueTurn | undefined;
    for (const queue of this.#queues) {
      const { instrument } = queue;
      if (!isReady(instrument, pending)) continue;
      this.#skipDone(queue, work);
      const entry = queue.entries[queue.head];
      if (entry !== undefined && (earliest === undefined || entry.seq < earliest.entry.seq)) {
        earliest = { instrument, entry };
      }
    }
    if (this.#queues.some(isExhausted)) {
      this.#queues = this.#queues.filter((queue) => !isExhausted(queue));
    }
    return work.left > 0 ? earliest : undefined;
  }

  /** A run is done when its queues are empty: by their turns, by cancels or by expiry. */
  #skipDone(queue: InstrumentQueue, work: Work): void {
    const { instrument, entries } = queue;
    const { triggers } = instrument;
    for (; queue.head < entries.length; this.#drop(queue)) {
      const entry = entries[queue.head];
      if (isBracket(entry)) return;
      for (; entry.next < entry.levels.length; entry.next++) {
        const level = entry.levels[entry.next];
        if (work.left <= 0 || triggers.queue(level).count > 0) return;
        this.#mixStops(instrument, entry, level).remove();
        triggers.release(level);
        work.left -= LOOK;
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

  /** Forgets the bracket of an order, wherever it waits. */
  removeBracketOf(orderId: number): void {
    for (const queue of this.#queues) {
      const { entries, head } = queue;
      const at = entries.findIndex(
        (entry, i) => i >= head && isBracket(entry) && entry.parentOrderId === orderId,
      );
      if (at < 0) continue;
      const [entry] = entries.splice(at, 1);
      this.#forget(queue.instrument, entry);
    }
  }

  #drop(queue: InstrumentQueue): void {
    const { instrument, entries } = queue;
    this.#forget(instrument, entries[queue.head++]);
    if (queue.head < MAX_DONE || 2 * queue.head < entries.length) return;
    entries.splice(0, queue.head);
    queue.head = 0;
  }

  #forget(instrument: Instrument, entry: DueEntry): void {
    if (isBracket(entry)) this.#brackets.remove(entry.uid);
    this.#mix(instrument, entry).remove();
  }

  /** The entries of an instrument, in order. */
  entriesOf(instrument: Instrument): readonly DueEntry[] {
    const queue = this.#queues.find((other) => other.instrument === instrument);
    return queue === undefined ? [] : queue.entries.slice(queue.head);
  }

  #mix({ securityId }: Instrument, entry: DueEntry): StateHash {
    const hash = this.#hash;
    if (isBracket(entry)) return mixFact(hash, Fact.dueBracket, DUE_BRACKET, entry);
    hash.begin(Fact.dueRun);
    hash.number(securityId);
    DUE_RUN.mix(hash, entry);
    return hash;
  }

  #mixStops({ securityId, triggers }: Instrument, { seq }: DueRun, level: number): StateHash {
    const hash = this.#hash;
    hash.begin(Fact.dueStops);
    hash.number(securityId);
    hash.number(seq);
    DUE_STOPS.mix(hash, triggers.queue(level));
    return hash;
  }
}

/** The entries that are done may be so many, or half of the list. */
const MAX_DONE = 1_024;

const isExhausted = ({ head, entries }: InstrumentQueue): boolean => head === entries.length;

// The due queue of the venue: stops whose trigger was reached, and brackets whose entry order is
// done. carry-out-due.ts carries it out in slices. Each instrument has a queue of its own, so one
// that is not LIVE waits without holding up the others; seq puts all entries into one order.
import { integer, nullable, record } from '../codec.ts';
import { InstrumentStatus, type SelfTradePrevention, type Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { BRACKET, type Bracket } from '../order-extras.ts';
import { Fact, type StateHash } from '../state-hash.ts';
import type { Lots } from '../units.ts';
import type { StopQueue } from './trigger-book.ts';

/** The exits that are to be placed for an order that is done. */
export interface DueBracket {
  /** The next execId when the order was done. */
  readonly seq: number;
  readonly securityId: number;
  readonly uid: number;
  readonly parentOrderId: number;
  /** The side of the exits. */
  readonly side: Side;
  readonly orderQty: Lots;
  readonly selfTradePrevention: SelfTradePrevention | null;
  readonly bracket: Bracket;
}

export const DUE_BRACKET = record<DueBracket>({
  seq: integer,
  securityId: integer,
  uid: integer,
  parentOrderId: integer,
  side: integer,
  orderQty: integer,
  selfTradePrevention: nullable(integer),
  bracket: BRACKET,
});

type DueEntry = StopQueue | DueBracket;

/** The entries of one instrument in order; those before `head` are done. */
interface InstrumentQueue {
  readonly instrument: Instrument;
  entries: DueEntry[];
  head: number;
}

export const isBracket = (entry: DueEntry): entry is DueBracket => 'bracket' in entry;

/** Stops may all have been canceled while their queue was due. */
const isDone = (entry: DueEntry): boolean => !isBracket(entry) && entry.count === 0;

export class DueQueue {
  readonly #hash: StateHash;
  /** Only instruments with entries. */
  readonly #queues: InstrumentQueue[] = [];

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  get isEmpty(): boolean {
    return this.#queues.length === 0;
  }

  /** Whether there is an entry that may be carried out now. */
  get isRunnable(): boolean {
    return this.#queues.some(
      (queue) => queue.instrument.status === InstrumentStatus.LIVE && first(queue) !== undefined,
    );
  }

  addRun(instrument: Instrument, run: StopQueue, seq: number, upToPriority: number): void {
    run.seq = seq;
    run.upToPriority = upToPriority;
    this.#add(instrument, run);
    this.#mixRun(instrument, run);
    this.#hash.add();
  }

  addBracket(instrument: Instrument, bracket: DueBracket): void {
    this.#add(instrument, bracket);
    this.#mixBracket(bracket);
    this.#hash.add();
  }

  #add(instrument: Instrument, entry: DueEntry): void {
    let queue = this.#queues.find((other) => other.instrument === instrument);
    if (queue === undefined) {
      queue = { instrument, entries: [], head: 0 };
      this.#queues.push(queue);
    }
    queue.entries.push(entry);
  }

  /** The earliest entry of the instruments that are LIVE. */
  next(): { readonly instrument: Instrument; readonly entry: DueEntry } | undefined {
    let earliest: { readonly instrument: Instrument; readonly entry: DueEntry } | undefined;
    for (let i = this.#queues.length - 1; i >= 0; i--) {
      const queue = this.#queues[i];
      const entry = first(queue);
      if (entry === undefined) {
        this.#queues.splice(i, 1);
      } else if (queue.instrument.status === InstrumentStatus.LIVE) {
        if (earliest === undefined || entry.seq < earliest.entry.seq) {
          earliest = { instrument: queue.instrument, entry };
        }
      }
    }
    return earliest;
  }

  /** A stop left a run: by its turn, a cancel or its expiry. */
  noteRemoval(instrument: Instrument, run: StopQueue): void {
    if (run.seq === 0 || run.count > 0) return;
    this.#mixRun(instrument, run);
    this.#hash.remove();
  }

  removeBracket(instrument: Instrument, bracket: DueBracket): void {
    const queue = this.#queues.find((other) => other.instrument === instrument)!;
    queue.head++;
    this.#mixBracket(bracket);
    this.#hash.remove();
  }

  /** The entries of an instrument, in order. */
  entriesOf(instrument: Instrument): readonly DueEntry[] {
    const queue = this.#queues.find((other) => other.instrument === instrument);
    return queue === undefined
      ? []
      : queue.entries.slice(queue.head).filter((entry) => !isDone(entry));
  }

  #mixRun({ securityId }: Instrument, { direction, stopPx, seq, upToPriority }: StopQueue): void {
    const hash = this.#hash;
    hash.begin(Fact.dueRun);
    for (const n of [securityId, direction, stopPx, seq, upToPriority]) hash.number(n);
  }

  #mixBracket(bracket: DueBracket): void {
    this.#hash.begin(Fact.dueBracket);
    DUE_BRACKET.mix(this.#hash, bracket);
  }
}

/** The first entry that is not done; forgets those before it. */
function first(queue: InstrumentQueue): DueEntry | undefined {
  const { entries } = queue;
  while (queue.head < entries.length && isDone(entries[queue.head])) queue.head++;
  if (queue.head === entries.length) {
    queue.entries = [];
    queue.head = 0;
    return undefined;
  }
  return entries[queue.head];
}

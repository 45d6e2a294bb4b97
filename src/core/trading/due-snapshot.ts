// The due queue in a snapshot, and how the restored orders find their queues again.
import type { BinaryReader, BinaryWriter } from '../binary.ts';
import { type Side, TriggerPriceDirection } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import type { OrderDetails } from '../matching/order-details.ts';
import { isReached } from '../order-rules.ts';
import type { State } from '../state.ts';
import type { Ticks } from '../units.ts';
import { DUE_BRACKET, DUE_RUN, type DueRun, isBracket } from './due.ts';
import { triggerOf } from './trailing.ts';

/** By instrument, in order. */
export function writeDue(out: BinaryWriter, { due, instruments }: State): void {
  for (const instrument of instruments) {
    if (instrument === undefined) continue;
    const entries = due.entriesOf(instrument);
    out.integer(entries.length);
    for (const entry of entries) {
      out.boolean(isBracket(entry));
      if (isBracket(entry)) DUE_BRACKET.write(out, entry);
      else DUE_RUN.write(out, entry);
    }
  }
}

/** A run that is restored, and the levels of its stops by stopPx. */
interface RestoredRun {
  readonly run: DueRun;
  readonly levels: Map<Ticks, number>;
}

type RestoredRuns = Map<Instrument, RestoredRun[]>;

/** Restores the queue without its stops, which queueOrders puts into it. */
export function readDue(input: BinaryReader, { due, instruments }: State): RestoredRuns {
  const restored: RestoredRuns = new Map();
  for (const instrument of instruments) {
    if (instrument === undefined) continue;
    const runs: RestoredRun[] = [];
    for (let rest = input.integer(); rest > 0; rest--) {
      if (input.boolean()) {
        due.add(instrument, DUE_BRACKET.read(input));
        continue;
      }
      const run = { ...DUE_RUN.read(input), levels: [], next: 0 };
      due.add(instrument, run);
      runs.push({ run, levels: new Map() });
    }
    restored.set(instrument, runs);
  }
  return restored;
}

/** Puts the orders, which come in order of priority, into their queues. */
export function queueOrders(state: State, slots: readonly number[], due: RestoredRuns): void {
  const { orders, instruments } = state;
  for (const slot of slots) {
    const instrument = instruments[orders.securityId(slot)]!;
    const details = orders.details(slot);
    const { expireTime } = orders.extras(slot);
    if (expireTime !== 0) instrument.expiries.add(orders.orderId(slot), expireTime);
    if (slot === instrument.matching?.slot) continue;
    if (details === null || details.working) instrument.book.add(slot);
    else queueStop(instrument, slot, orders.side(slot), details, due.get(instrument));
  }
  for (const instrument of instruments) instrument?.triggers.noteNearest();
  for (const runs of due.values()) runs.forEach(sortLevels);
}

/** A stop is of the first run that reached it after it came; of none if it waits. */
function queueStop(
  { triggers }: Instrument,
  slot: number,
  side: Side,
  details: OrderDetails,
  runs: readonly RestoredRun[] | undefined,
): void {
  const { extras, trailingTime, triggerPx, priority } = details;
  if (extras.trail !== 0 && triggerPx === 0) {
    if (trailingTime === 0) triggers.add(slot);
    else triggers.trailingOf(side).add(slot);
    return;
  }
  const { stopPx, direction } = triggerOf(details, side);
  const isUp = direction === TriggerPriceDirection.up;
  const due = runs?.find(({ run }) => {
    const isCovered = isReached(run.price, stopPx, isUp) && priority <= run.upToPriority;
    return run.direction === direction && isCovered;
  });
  if (due === undefined) {
    triggers.add(slot);
    return;
  }
  const level = due.levels.get(stopPx) ?? triggers.open(stopPx, direction);
  due.levels.set(stopPx, level);
  triggers.append(level, slot);
}

/** The nearest stopPx first. */
function sortLevels({ run, levels }: RestoredRun): void {
  const sign = run.direction === TriggerPriceDirection.up ? 1 : -1;
  const sorted = [...levels].sort(([a], [b]) => sign * (a - b));
  run.levels = sorted.map(([, level]) => level);
}

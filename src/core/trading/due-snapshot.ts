// The due queue in a snapshot, and how the restored orders find their queues again.
import type { BinaryReader, BinaryWriter } from '../binary.ts';
import type { Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import type { OrderDetails } from '../matching/order-details.ts';
import type { State } from '../state.ts';
import { DUE_BRACKET, DUE_RUN, DUE_STOPS, type DueRun, isBracket, newRun } from './due.ts';
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
      else writeRun(out, instrument, entry);
    }
  }
}

function writeRun(out: BinaryWriter, { triggers }: Instrument, run: DueRun): void {
  const { levels, next } = run;
  DUE_RUN.write(out, run);
  out.integer(levels.length - next);
  for (let i = next; i < levels.length; i++) DUE_STOPS.write(out, triggers.queue(levels[i]));
}

/** A restored queue of due stops. */
interface RestoredQueue {
  readonly level: number;
  readonly upToPriority: number;
}

/** The due queues of one price and direction in the order of their runs, the next one last. */
type RestoredQueues = Map<string, RestoredQueue[]>;

/** By securityId. */
type RestoredDue = RestoredQueues[];

const keyOf = (stopPx: number, direction: number): string => `${stopPx}/${direction}`;

/** Restores the queue without its stops, which queueOrders puts into it. */
export function readDue(input: BinaryReader, { due, instruments }: State): RestoredDue {
  const restored: RestoredDue = [];
  for (const instrument of instruments) {
    if (instrument === undefined) continue;
    const queues: RestoredQueues = new Map();
    for (let rest = input.integer(); rest > 0; rest--) {
      if (input.boolean()) due.add(instrument, DUE_BRACKET.read(input));
      else {
        const run = { ...newRun(0), ...DUE_RUN.read(input) };
        due.add(instrument, run);
        for (let levels = input.integer(); levels > 0; levels--) {
          const { stopPx, direction } = DUE_STOPS.read(input);
          const level = instrument.triggers.open(stopPx, direction);
          due.addLevel(instrument, run, level);
          const key = keyOf(stopPx, direction);
          const queue = { level, upToPriority: run.upToPriority };
          const others = queues.get(key);
          if (others === undefined) queues.set(key, [queue]);
          else others.push(queue);
        }
      }
    }
    for (const all of queues.values()) all.reverse();
    restored[instrument.securityId] = queues;
  }
  return restored;
}

/** Puts the orders, which come in order of priority, into their queues. */
export function queueOrders(state: State, slots: readonly number[], due: RestoredDue): void {
  const { orders, instruments } = state;
  for (const slot of slots) {
    const instrument = instruments[orders.securityId(slot)]!;
    const details = orders.details(slot);
    const { expireTime } = orders.extras(slot);
    if (expireTime !== 0) instrument.expiries.add(orders.orderId(slot), expireTime);
    if (slot === instrument.matching?.slot) continue;
    if (details === null || details.working) instrument.book.add(slot);
    else {
      queueStop(instrument, slot, orders.side(slot), details, due[instrument.securityId]);
    }
  }
  for (const instrument of instruments) instrument?.triggers.noteNearest();
}

/** A stop is of the first run that reached it after it came; of none if it waits. */
function queueStop(
  { triggers }: Instrument,
  slot: number,
  side: Side,
  details: OrderDetails,
  due: RestoredQueues,
): void {
  const { extras, trailingTime, triggerPx, priority } = details;
  if (extras.trail !== 0 && triggerPx === 0) {
    if (trailingTime === 0) triggers.add(slot);
    else triggers.trailingOf(side).add(slot);
    return;
  }
  const { stopPx, direction } = triggerOf(details, side);
  const queues = due.get(keyOf(stopPx, direction)) ?? [];
  // Later stops have higher priorities, so a run that is past has all of its stops.
  while (queues.length > 0 && queues[queues.length - 1].upToPriority < priority) queues.pop();
  const queue = queues.at(-1);
  if (queue === undefined) triggers.add(slot);
  else triggers.append(queue.level, slot);
}

// The due queue in a snapshot, and how the restored orders find their queues again.
import type { BinaryReader, BinaryWriter } from '../binary.ts';
import { byte, integer, record } from '../codec.ts';
import type { TriggerPriceDirection } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import type { State } from '../state.ts';
import type { Ticks } from '../units.ts';
import { DUE_BRACKET, isBracket } from './due.ts';

/** A run; its stops are those of its price and direction up to its last priority. */
interface DueRun {
  readonly stopPx: Ticks;
  readonly direction: TriggerPriceDirection;
  readonly seq: number;
  readonly upToPriority: number;
}

const DUE_RUN = record<DueRun>({
  stopPx: integer,
  direction: byte,
  seq: integer,
  upToPriority: integer,
});

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

/** The levels of an instrument's due runs by the price of their stops, the earliest run first. */
type RunsByPrice = Map<Ticks, number[]>;

/** Opens the runs without their stops, which queueOrders puts into them. */
export function readDue(input: BinaryReader, state: State): Map<Instrument, RunsByPrice> {
  const all = new Map<Instrument, RunsByPrice>();
  for (const instrument of state.instruments) {
    if (instrument !== undefined) all.set(instrument, readRuns(input, state, instrument));
  }
  return all;
}

function readRuns(input: BinaryReader, { due }: State, instrument: Instrument): RunsByPrice {
  const { triggers } = instrument;
  const runs: RunsByPrice = new Map();
  for (let rest = input.integer(); rest > 0; rest--) {
    if (input.boolean()) {
      due.addBracket(instrument, DUE_BRACKET.read(input));
      continue;
    }
    const { stopPx, direction, seq, upToPriority } = DUE_RUN.read(input);
    const level = triggers.open(stopPx, direction);
    due.addRun(instrument, triggers.queue(level), seq, upToPriority);
    runs.set(stopPx, [...(runs.get(stopPx) ?? []), level]);
  }
  return runs;
}

/** Puts the orders, which come in order of priority, into their queues. */
export function queueOrders(
  { orders, expiries, instruments }: State,
  slots: readonly number[],
  due: Map<Instrument, RunsByPrice>,
): void {
  for (const slot of slots) {
    const instrument = instruments[orders.securityId(slot)]!;
    const details = orders.details(slot);
    if (details !== null && details.expireTime !== 0) expiries.add(slot);
    if (details === null || details.working) {
      instrument.book.add(slot);
      continue;
    }
    const { triggers } = instrument;
    const run = due
      .get(instrument)
      ?.get(details.stopPx)
      ?.find((level) => {
        const { direction, upToPriority } = triggers.queue(level);
        return direction === details.triggerPriceDirection && details.priority <= upToPriority;
      });
    if (run === undefined) triggers.add(slot);
    else triggers.append(run, slot);
  }
}

// The last price has moved: the stops that it reaches go into the due queue, triggers follow a new
// best price, and trailing stops whose stopPx it reaches begin to trail. Stops may be millions, so
// this goes in steps: where the work of a command ends, the order that traded is suspended, and the
// next command goes on. Meanwhile nothing else uses the stops of the instrument.
import { ExecType, type TriggerPriceDirection } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import type { State } from '../state.ts';
import { ticks } from '../units.ts';
import { MOVE, UNIT } from '../work.ts';
import { type DueRun, newRun } from './due.ts';
import { reportResting } from './report.ts';
import { DIRECTIONS } from './trigger-book.ts';

/** The order that matches has traded at a price that reaches stops, or moves triggers. */
export function reachStops(state: State, instrument: Instrument): void {
  const { due, incoming, next } = state;
  const { triggers, lastPrice } = instrument;
  const seq = next.execId;
  incoming.reachedSeq = seq;
  if (DIRECTIONS.some((direction) => triggers.reaches(direction, lastPrice))) {
    due.add(instrument, newRun(seq));
  }
  moveStops(state, instrument);
}

/** The last price has reached a stop that enters: no other one, so it moves in one piece. */
export const reachOwnStop = (state: State, instrument: Instrument): void =>
  state.work.unbounded(() => reachStops(state, instrument));

/** Goes on with the stops that the last trade reached. True: all is done. */
export function moveStops(state: State, instrument: Instrument): boolean {
  const { due, work, incoming, next } = state;
  const run = due.runOf(instrument, incoming.reachedSeq);
  let isDone = false;
  while (work.left > 0 && !isDone) isDone = !moveNext(state, instrument, run);
  instrument.triggers.noteNearest();
  if (!isDone) return false;
  incoming.reachedSeq = 0;
  if (run !== undefined) due.close(instrument, run, next.orderId - 1);
  return true;
}

/** Upward before downward, the nearest trigger first, then in order of priority. */
function moveNext(state: State, instrument: Instrument, run: DueRun | undefined): boolean {
  const { triggers, lastPrice } = instrument;
  for (const direction of DIRECTIONS) {
    if (run !== undefined && queueNext(state, instrument, direction, run)) return true;
  }
  for (const direction of DIRECTIONS) {
    if (!triggers.of(direction).trailing.follow(lastPrice)) continue;
    count(state, MOVE);
    return true;
  }
  return DIRECTIONS.some((direction) => beginNext(state, instrument, direction));
}

/** Stops that do not trail come before trailing ones of the same trigger. */
function queueNext(
  state: State,
  instrument: Instrument,
  direction: TriggerPriceDirection,
  run: DueRun,
): boolean {
  const { triggers, lastPrice } = instrument;
  const level = triggers.takeReached(direction, lastPrice);
  if (level === NONE) return queueTrailing(state, instrument, direction, run);
  state.due.addLevel(instrument, run, level);
  count(state, MOVE);
  return true;
}

/** The trailing stop joins the queue of its trigger with a new priority, which is behind it. */
function queueTrailing(
  state: State,
  instrument: Instrument,
  direction: TriggerPriceDirection,
  run: DueRun,
): boolean {
  const { orders, due, next } = state;
  const { triggers, lastPrice } = instrument;
  const { trailing } = triggers.of(direction);
  const triggerPx = ticks(trailing.nearest);
  const slot = trailing.takeReached(lastPrice);
  if (slot === NONE) return false;
  orders.changeDetails(slot, { triggerPx, priority: next.orderId++ });
  const last = run.levels.at(-1);
  const queue = last === undefined ? null : triggers.queue(last);
  if (queue?.stopPx !== triggerPx || queue.direction !== direction) {
    due.addLevel(instrument, run, triggers.open(triggerPx, direction));
  }
  triggers.append(run.levels.at(-1)!, slot);
  count(state, UNIT);
  return true;
}

function beginNext(
  state: State,
  instrument: Instrument,
  direction: TriggerPriceDirection,
): boolean {
  const { orders, next } = state;
  const { triggers, lastPrice } = instrument;
  const slot = triggers.takeBeginning(direction, lastPrice);
  if (slot === NONE) return false;
  orders.changeDetails(slot, { trailingTime: state.time, priority: next.orderId++ });
  triggers.trailingOf(orders.side(slot)).begin(slot, lastPrice);
  reportResting(state, slot, ExecType.triggered);
  count(state, UNIT);
  return true;
}

/** The owner of the order that trades is not charged for stops of others. */
function count({ work }: State, parts: number): void {
  work.left -= parts;
  work.exempt += parts;
}

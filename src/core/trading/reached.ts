// The last price has moved: all stops that it reaches go into the due queue, triggers follow a new
// best price, and trailing stops whose stopPx it reaches begin to trail.
import { ExecType, type TriggerPriceDirection } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import type { State } from '../state.ts';
import { MOVE } from '../work.ts';
import { reportResting } from './report.ts';
import { DIRECTIONS } from './trigger-book.ts';

/** Upward before downward, the nearest trigger first, then in order of priority. */
export function queueReached(state: State, instrument: Instrument): void {
  const { due, next } = state;
  const { triggers, lastPrice: price } = instrument;
  for (const direction of DIRECTIONS) {
    const levels = triggers.takeReached(direction, price, (slot, triggerPx) => {
      state.orders.changeDetails(slot, { triggerPx, priority: next.orderId++ });
      countMove(state);
    });
    if (levels.length === 0) continue;
    const facts = { seq: next.execId, direction, price, upToPriority: next.orderId - 1 };
    due.add(instrument, { ...facts, levels, next: 0 });
  }
  for (const direction of DIRECTIONS) triggers.of(direction).trailing.noteBest(price);
  for (const direction of DIRECTIONS) beginToTrail(state, instrument, direction);
  triggers.noteNearest();
}

function beginToTrail(
  state: State,
  instrument: Instrument,
  direction: TriggerPriceDirection,
): void {
  const { orders, next } = state;
  const { triggers, lastPrice } = instrument;
  for (const slot of triggers.takeBeginning(direction, lastPrice)) {
    orders.changeDetails(slot, { trailingTime: state.time, priority: next.orderId++ });
    triggers.trail(slot, lastPrice);
    reportResting(state, slot, ExecType.triggered);
    countMove(state);
  }
}

/** The owner of the order that trades is not charged for stops of others. */
function countMove({ work }: State): void {
  work.left -= MOVE;
  work.exempt += MOVE;
}

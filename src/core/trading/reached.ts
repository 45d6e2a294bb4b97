// The last price has moved: all stops that it reaches go into the due queue.
import { TriggerPriceDirection } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import type { State } from '../state.ts';

/** Upward before downward, the nearest stopPx first, then in order of priority. */
export function queueReached({ due, next }: State, instrument: Instrument): void {
  const { triggers, lastPrice: price } = instrument;
  for (const direction of [TriggerPriceDirection.up, TriggerPriceDirection.down]) {
    const levels = triggers.takeReached(direction, price);
    if (levels.length === 0) continue;
    const facts = { seq: next.execId, direction, price, upToPriority: next.orderId - 1 };
    due.addRun(instrument, { ...facts, levels, next: 0 });
  }
}

// The last price has moved: all stops that it reaches go into the due queue.
import type { Instrument } from '../instrument.ts';
import type { State } from '../state.ts';

/** Upward before downward, the nearest stopPx first, then in order of priority. */
export function queueReached(state: State, instrument: Instrument): void {
  const { due, next } = state;
  instrument.triggers.takeReached(instrument.lastPrice, (run) =>
    due.addRun(instrument, run, next.execId, next.orderId - 1),
  );
}

// Orders good till a date: they trade up to it and never after it, whenever their timer comes.
import { CloseReason } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import type { State } from '../state.ts';
import { SWEPT } from '../work.ts';
import { closePair } from './close-order.ts';

/** True if an open order may no longer trade. */
export function hasExpired({ orders, time }: State, slot: number): boolean {
  const { expireTime } = orders.extras(slot);
  return expireTime !== 0 && expireTime <= time;
}

/** True if orders of the instrument are open that may no longer trade. */
export const hasExpiredOrders = ({ time }: State, { expiries }: Instrument): boolean =>
  expiries.firstKey <= time;

/**
 * Cancels the expired orders of an instrument, as far as the work of this command goes. Nothing
 * expires while the match of an order goes on. Returns how many.
 */
export function expireOrders(state: State, instrument: Instrument): number {
  const { expiries, matching } = instrument;
  if (matching !== null) return 0;
  let canceled = 0;
  while (hasExpiredOrders(state, instrument) && state.work.left > 0) {
    const slot = state.orders.find(expiries.first);
    const count = closePair(state, instrument, slot, CloseReason.expired);
    state.work.left -= SWEPT * count;
    state.work.exempt += SWEPT * count;
    canceled += count;
  }
  return canceled;
}

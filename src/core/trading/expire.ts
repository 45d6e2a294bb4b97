// Orders good till a date: they trade up to it and never after it, whenever their timer comes.
import { CloseReason } from '../fix.ts';
import type { State } from '../state.ts';
import { closePair } from './close-order.ts';

/** Whether an open order may no longer trade. */
export function hasExpired({ orders, time }: State, slot: number): boolean {
  const { expireTime } = orders.details(slot) ?? { expireTime: 0 };
  return expireTime !== 0 && expireTime <= time;
}

/** Cancels at most `budget` of the orders that have expired. Returns how many. */
export function expireOrders(state: State, budget: number): number {
  const { expiries, orders, instruments, time } = state;
  let canceled = 0;
  while (canceled < budget && expiries.earliest <= time) {
    const slot = expiries.first;
    const instrument = instruments[orders.securityId(slot)]!;
    canceled += closePair(state, instrument, slot, CloseReason.expired);
  }
  return canceled;
}

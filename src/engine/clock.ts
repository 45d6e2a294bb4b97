// The two clocks. The wall clock judges signatures and sessions; the business clock stamps commands and never goes
// back. They differ by an offset that only the sandbox may move, and that is part of the journaled state.
import type { State } from '../core/state.ts';

/** Milliseconds since the epoch. */
export type WallClock = () => number;

export const systemClock: WallClock = () => Date.now();

/** What the business clock shows now, which is never before the last command. */
export function businessTime(state: State, wall: WallClock): number {
  return Math.max(state.time, wall() + state.clockOffset);
}

// The two clocks. The wall clock judges signatures and sessions; the business clock stamps commands and never goes
// back. They differ by an offset that only the sandbox may move, and that is part of the journaled state.
import { DAY_MS } from '../core/earn/plan.ts';
import type { State } from '../core/state.ts';

/** Milliseconds since the epoch. */
export type WallClock = () => number;

export const systemClock: WallClock = () => Date.now();

/** What the business clock shows now, which is never before the last command. */
export function businessTime(state: State, wall: WallClock): number {
  return Math.max(state.time, wall() + state.clockOffset);
}

/** Business time is ahead of the clock by so many ms and stands still until the clock has reached it; 0 as it should be. */
export const standstill = (state: State, wall: WallClock): number =>
  Math.max(0, state.time - (wall() + state.clockOffset));

/** The clock cannot be believed: what falls due by it would be done for good. */
export class ClockError extends Error {
  override readonly name = 'ClockError';
}

/**
 * Throws ClockError when the clock shows a time more than `maxPauseDays` after the last command of this state: a service that was
 * really stopped for so long is started by saying so.
 */
export function requirePlausibleClock(state: State, wall: WallClock, maxPauseDays: number): void {
  const now = wall() + state.clockOffset;
  if (state.seq > 0 && now - state.time > maxPauseDays * DAY_MS) throw implausible(state, now);
}

/** The days that it names are enough for a start: they are counted from the last command, as a start counts them. */
function implausible(state: State, now: number): ClockError {
  const days = Math.floor((now - state.time) / DAY_MS);
  return new ClockError(
    `The clock shows ${timeText(now)}, which is ${days} days after the last command (${timeText(state.time)}). Is it right? ` +
      `Interest for these days would be paid for good. If the service was really stopped for so long, start it with --max-pause-days ${days + 1}.`,
  );
}

/**
 * The clock of a running node, which is read many times a second: when it leaps by more than `maxPauseDays` from one reading to the
 * next, it stands still, so that nothing falls due by it, and `onLeap` is told once.
 */
export function watchedClock(
  wall: WallClock,
  state: State,
  maxPauseDays: number,
  onLeap: (error: ClockError) => void,
): WallClock {
  let last = wall();
  let leapt = false;
  return () => {
    if (leapt) return last;
    const now = wall();
    if (now - last <= maxPauseDays * DAY_MS) {
      last = now;
      return now;
    }
    leapt = true;
    onLeap(implausible(state, now));
    return last;
  };
}

/** Epoch ms as a date that sorts. */
export const timeText = (ms: number): string => new Date(ms).toISOString();

// The clocks. The wall clock judges signatures and sessions. The business clock stamps commands
// and fires timers: it follows the wall clock plus an offset that only the sandbox may move, and it
// never goes back. The offset is part of the journaled state.
import { DAY_MS } from '../core/calendar.ts';
import type { State } from '../core/state.ts';

/** Milliseconds since the epoch. */
export type WallClock = () => number;

export const systemClock: WallClock = () => Date.now();

/** A clock that never goes back and is the same in all threads of the process, ms. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

/** The rate of the business clock while it is ahead of the wall clock. */
const SLEW = 0.9;

/**
 * Business time. It jumps forward with the wall clock. When the wall clock steps back, it runs at
 * nine tenths of real time until the wall clock has caught up: a timer is late by at most a ninth.
 */
export class BusinessClock {
  readonly #state: State;
  readonly #wall: WallClock;
  #time: number;
  #monotonic: number;

  constructor(state: State, wall: WallClock) {
    this.#state = state;
    this.#wall = wall;
    this.#time = state.time;
    this.#monotonic = performance.now();
  }

  /** Business time now, ms; never before the last command. */
  now(): number {
    const monotonic = performance.now();
    const slewed = this.#time + (monotonic - this.#monotonic) * SLEW;
    this.#monotonic = monotonic;
    this.#time = Math.max(this.#state.time, this.#target(), slewed);
    return Math.floor(this.#time);
  }

  /** How far it is ahead of the wall clock, ms; 0 while it follows it. */
  get ahead(): number {
    return Math.max(0, this.now() - this.#target());
  }

  /** Follows the wall clock again from the last command on, after it was set back on purpose. */
  restart(): void {
    this.#time = this.#state.time;
  }

  #target(): number {
    return this.#wall() + this.#state.clockOffset;
  }
}

/** The wall clock is not plausible, and interest that it makes due cannot be undone. */
export class ClockError extends Error {
  override readonly name = 'ClockError';
}

/**
 * Throws ClockError when the clock is more than `maxPauseDays` after the last command. The operator
 * of a service that really was stopped that long raises the number.
 */
export function requirePlausibleClock(state: State, wall: WallClock, maxPauseDays: number): void {
  const now = wall() + state.clockOffset;
  if (state.seq > 0 && now - state.time > maxPauseDays * DAY_MS) throw implausible(state, now);
}

/** Counts the days from the last command, as a start does, so the named number is enough. */
function implausible(state: State, now: number): ClockError {
  const days = Math.floor((now - state.time) / DAY_MS);
  return new ClockError(
    `The clock shows ${timeText(now)}, which is ${days} days after the last command ` +
      `(${timeText(state.time)}). Is it right? Interest paid for these days cannot be undone. ` +
      'If the service was stopped for that long, start it with ' +
      `--max-pause-days ${days + 1}.`,
  );
}

/**
 * The wall clock of a running node. When it jumps forward by more than `maxPauseDays` between two
 * readings, it stops, so that nothing falls due by it, and `onJump` is called once.
 */
export function watchedClock(
  wall: WallClock,
  state: State,
  maxPauseDays: number,
  onJump: (error: ClockError) => void,
): WallClock {
  let last = wall();
  let jumped = false;
  return () => {
    if (jumped) return last;
    const now = wall();
    if (now - last <= maxPauseDays * DAY_MS) {
      last = now;
      return now;
    }
    jumped = true;
    onJump(implausible(state, now));
    return last;
  };
}

/** Epoch ms as a date that sorts. */
export const timeText = (ms: number): string => new Date(ms).toISOString();

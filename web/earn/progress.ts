// The progress of a term, and the next payout. Interest days are UTC days; a payout is due every
// `rewardFrequency` days from the first interest day, and at the end of a term.
import type { CurrentSubscription } from '../../src/sdk/index.ts';
import { DAY_MS, type Instant } from '../exact/format.ts';
import { earnText } from '../messages/earn.ts';

const t = earnText.subscription;

export type Schedule = Pick<CurrentSubscription, 'startDate' | 'endDate' | 'rewardFrequency'>;

export interface Progress {
  /** Days that ended and earned. */
  readonly daysDone: number;
  /** null without a term. */
  readonly daysTotal: number | null;
  /** From 0 to 100; null without a term. */
  readonly percent: number | null;
}

/** `now` is business time. */
export function progressOf({ startDate, endDate }: Schedule, now: Instant): Progress {
  const start = Number(startDate);
  const passed = Math.max(0, Math.floor((Number(now) - start) / DAY_MS));
  if (endDate === null) return { daysDone: passed, daysTotal: null, percent: null };
  const daysTotal = Math.round((Number(endDate) - start) / DAY_MS);
  const daysDone = Math.min(passed, daysTotal);
  return { daysDone, daysTotal, percent: Math.floor((daysDone * 100) / daysTotal) };
}

/** The next midnight with a payout after `now`, epoch ms; null after the end of the term. */
export function nextPayout(schedule: Schedule, now: Instant): number | null {
  const start = Number(schedule.startDate);
  const period = schedule.rewardFrequency * DAY_MS;
  const periods = Math.max(0, Math.floor((Number(now) - start) / period)) + 1;
  const due = start + periods * period;
  if (schedule.endDate === null) return due;
  const end = Number(schedule.endDate);
  if (end <= Number(now)) return null;
  return Math.min(due, end);
}

/** The time until an instant, rounded: in 3 h, in 12 days. */
export function until(instant: Instant, now: Instant): string {
  const minutes = Math.max(0, Math.ceil((Number(instant) - Number(now)) / 60_000));
  if (minutes < 60) return t.inMinutes(minutes);
  if (minutes < 48 * 60) return t.inHours(Math.floor(minutes / 60));
  return t.inDays(Math.floor(minutes / 1440));
}

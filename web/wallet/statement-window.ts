// The time window of a statement: presets up to now, or days from the calendar.
import { dayStart } from '../exact/zone.ts';

type WindowChoice = 'day' | 'week' | 'month' | 'all' | 'custom';

/** Local days such as 2026-11-21; '' for an open end. */
export interface WindowDraft {
  readonly choice: WindowChoice;
  readonly from: string;
  readonly to: string;
}

/** Epoch ms; includes both ends, and an open end is absent. */
interface TimeWindow {
  readonly startTime?: number;
  readonly endTime?: number;
}

const HOUR_MS = 3_600_000;
const HOURS: Readonly<Partial<Record<WindowChoice, number>>> = { day: 24, week: 168, month: 720 };
const MINUTE_MS = 60_000;

/**
 * The window of a draft; null if it ends before it begins. `now`: business time. Presets start at a
 * full minute, so that a repeated choice is the same window.
 */
export function windowOf({ choice, from, to }: WindowDraft, now: number): TimeWindow | null {
  const hours = HOURS[choice];
  if (hours !== undefined) {
    return { startTime: Math.floor(now / MINUTE_MS) * MINUTE_MS - hours * HOUR_MS };
  }
  if (choice === 'all') return {};
  const startTime = dayStart(from, 0);
  const next = dayStart(to, 1);
  if (startTime !== null && next !== null && next <= startTime) return null;
  return {
    ...(startTime === null ? {} : { startTime: Math.max(0, startTime) }),
    ...(next === null ? {} : { endTime: Math.max(0, next - 1) }),
  };
}

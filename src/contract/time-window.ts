// Windows of business time in queries: from the first to the last millisecond, both included. A
// window of getOrders lies within the last 30 days, as the contract says.
import { integer, optional } from './fields.ts';
import { Problem } from './problem.ts';

/** How far back the orders of getOrders may lie. */
export const ORDER_WINDOW_MS = 30 * 24 * 60 * 60 * 1000;
/**
 * The tolerated error of a caller's clock, as for signatures: a window counted back from the
 * caller's own "now" is not rejected for the time that the request took.
 */
const TOLERANCE_MS = 10 * 60 * 1000;

/** The largest time that JavaScript knows: beyond it there are no dates. */
const MAX_TIME = 8_640_000_000_000_000;

export const epochMs = (about: string) => integer({ min: 0, max: MAX_TIME, about });

/** The two query parameters of a window of any length. */
export const timeWindow = (what: string) => ({
  startTime: optional(epochMs(`${what}: from this one on, epoch ms.`)),
  endTime: optional(epochMs(`${what}: up to this one, epoch ms.`)),
});

/** A window as the views understand it: from `start` on, before `end`. An open end is left out. */
export interface Window {
  readonly start?: number;
  readonly end?: number;
}

/** Throws dateWindow for a window that ends before it begins. */
export function readWindow(
  { startTime, endTime }: { startTime: number | undefined; endTime: number | undefined },
  names: { readonly start: string; readonly end: string } = { start: 'startTime', end: 'endTime' },
): Window {
  if (startTime !== undefined && endTime !== undefined && startTime > endTime) {
    throw new Problem('dateWindow', {
      userMsg:
        `Invalid field: ${names.start}. ` +
        `It must not be after ${names.end}, which is ${endTime}.`,
      details: {
        field: names.start,
        rule: 'maximum',
        limit: endTime,
        value: startTime,
        nearest: endTime,
      },
    });
  }
  return {
    ...(startTime === undefined ? {} : { start: startTime }),
    ...(endTime === undefined ? {} : { end: endTime + 1 }),
  };
}

/**
 * The same for the window of getOrders, whose ends must lie within the last 30 days. `now` is
 * business time, ms.
 */
export function readOrderWindow(
  { startDate, endDate }: { startDate: number | undefined; endDate: number | undefined },
  now: number,
): Window {
  requireRecent('startDate', startDate, now);
  requireRecent('endDate', endDate, now);
  return readWindow(
    { startTime: startDate, endTime: endDate },
    { start: 'startDate', end: 'endDate' },
  );
}

function requireRecent(field: string, time: number | undefined, now: number): void {
  if (time === undefined) return;
  const earliest = now - ORDER_WINDOW_MS;
  if (time >= earliest - TOLERANCE_MS && time <= now + TOLERANCE_MS) return;
  const early = time < earliest;
  throw new Problem('dateWindow', {
    userMsg:
      `Invalid field: ${field}. It must lie within the last 30 days, ` +
      `from ${earliest} to ${now}; ${time} was sent.`,
    details: {
      field,
      rule: early ? 'minimum' : 'maximum',
      limit: early ? earliest : now,
      value: time,
      nearest: early ? earliest : now,
    },
  });
}

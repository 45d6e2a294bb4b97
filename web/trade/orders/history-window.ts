// The time windows of the order history and of fills: presets up to now, or days of the calendar.
import type { AgioClient, CallOptions } from '../../../src/sdk/index.ts';
import { DAY_MS } from '../../exact/format.ts';
import { windowOf } from '../../wallet/statement-window.ts';

export const WINDOWS = ['24h', '7d', '30d', 'all', 'custom'] as const;
type Within = (typeof WINDOWS)[number];

export interface HistoryWindow {
  readonly within: Within;
  /** For `custom`: local days such as 2026-11-21, or '' for an open end. */
  readonly from: string;
  readonly to: string;
}

export const LAST_30_DAYS: HistoryWindow = { within: '30d', from: '', to: '' };
export const ALL_TIME: HistoryWindow = { within: 'all', from: '', to: '' };

/** The exchange finds closed orders of this time. */
export const ORDERS_DAYS = 30;
/** The window moves while a call is on its way. */
const MARGIN_MS = 60_000;

const SPANS: Readonly<Partial<Record<Within, number>>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
};

/** Business time, ms; includes both ends, and an open end is absent. */
export interface Bounds {
  readonly start?: number;
  readonly end?: number;
}

/** null: the window ends before it begins. `now`: business time, ms. */
export function boundsOf({ within, from, to }: HistoryWindow, now: number): Bounds | null {
  const span = SPANS[within];
  if (span !== undefined) return { start: now - span };
  if (within === 'all') return {};
  const window = windowOf({ choice: 'custom', from, to }, now);
  if (window === null) return null;
  const { startTime, endTime } = window;
  return {
    ...(startTime === undefined ? {} : { start: startTime }),
    ...(endTime === undefined || endTime > now ? {} : { end: endTime }),
  };
}

/** The bounds within the days that the exchange finds orders of; null if none are. */
export function orderBounds(window: HistoryWindow, now: number): Bounds | null {
  const bounds = boundsOf(window, now);
  const first = now - ORDERS_DAYS * DAY_MS + MARGIN_MS;
  if (bounds === null || (bounds.end !== undefined && bounds.end < first)) return null;
  if (bounds.start !== undefined && bounds.start > now) return null;
  return bounds.start === undefined ? bounds : { ...bounds, start: Math.max(bounds.start, first) };
}

/** The business time of the exchange. */
export const businessNow = async (
  reads: Pick<AgioClient, 'time'>,
  options?: CallOptions,
): Promise<number> => (await reads.time(options)).businessTime;

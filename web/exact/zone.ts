// The time zone that the pages show and read times in: that of the browser, or the user's choice.
// It is read once, when the page loads.

export const ZONE_KEY = 'agio.timeZone';

type Format = Intl.DateTimeFormat;

/** Swedish writes 2026-11-21 14:05:09. Unknown zones are that of the browser. */
export function formatIn(timeZone: string | undefined): Format {
  const options = { dateStyle: 'short', timeStyle: 'medium' } as const;
  try {
    return new Intl.DateTimeFormat('sv-SE', { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat('sv-SE', options);
  }
}

const USERS = formatIn(globalThis.localStorage?.getItem(ZONE_KEY) ?? undefined);

/** The zone of the times on the pages, such as Europe/Paris. */
export const ZONE = USERS.resolvedOptions().timeZone;

/** Date and time to the second: 2026-11-21 14:05:09. */
export const wallTime = (instant: number, format: Format = USERS): string => format.format(instant);

/** How far the zone is ahead of UTC at an instant, ms. */
export const offsetAt = (instant: number, format: Format = USERS): number =>
  Date.parse(`${wallTime(instant, format).replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000;

/** The instant of a time of the zone such as 2026-11-21T14:05; NaN if it is not one. */
export function instantOf(wall: string, format: Format = USERS): number {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return asUtc;
  // The offset may change between the two, so the second guess is the answer.
  const near = asUtc - offsetAt(asUtc, format);
  return asUtc - offsetAt(near, format);
}

const DAY_MS = 86_400_000;

/** The start of that day plus `days`, such as 2026-11-21 and 1; null if it is not a date. */
export function dayStart(day: string, days: number): number | null {
  const at = Date.parse(`${day}T00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(at)) return null;
  return instantOf(new Date(at + days * DAY_MS).toISOString().slice(0, 16));
}

// Days and hours of business time. A day is a UTC day, counted from 1970-01-01.

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

// Numbers and times as text. Amounts keep every digit unless the caller asks for fewer.
import { common } from '../messages/common.ts';
import * as d from './decimal.ts';
import { SEPARATORS } from './locale.ts';
import { wallTime } from './zone.ts';

/** 1234567.5 → 1,234,567.5, or 1.234.567,5 in a locale that writes it so. */
export function grouped(value: d.Decimal, decimals?: number, { sign, group } = SEPARATORS): string {
  const text = decimals === undefined ? value : d.fixedDown(value, decimals);
  const [whole = '', fraction] = text.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return fraction === undefined ? separated : `${separated}${sign}${fraction}`;
}

/** A count or a number of the journal, never money: 1234567 → 1,234,567. */
export const count = (value: number): string => grouped(String(value));

/** A rate such as 0.0365 as 3.65 %. At least two digits, more where the rate has them. */
export function percent(rate: d.Decimal, decimals = 2): string {
  const value = d.toPercent(rate);
  return `${grouped(value, Math.max(decimals, Math.min(d.decimalsOf(value), 6)))}%`;
}

/** A change with its sign: +1.25%. Cut after two digits; what is cut to zero has no sign. */
export function signedPercent(rate: d.Decimal): string {
  const value = d.fixedDown(d.toPercent(rate), 2);
  const sign = d.isPositive(value) ? '+' : d.isNegative(value) ? '−' : '';
  return `${sign}${grouped(value.replace('-', ''))}%`;
}

const STEPS = [
  ['T', 12],
  ['B', 9],
  ['M', 6],
  ['K', 3],
] as const;

const wholeDigits = (value: d.Decimal): number => value.replace('-', '').split('.')[0]!.length;

/** The zeros after the point of a value below 1; null for other values. */
const leadingZeros = (value: d.Decimal): number | null =>
  /^-?0\.(0*)/.exec(value)?.[1]?.length ?? null;

/** For overviews only: 1234567 → 1.23M, 76.989126 → 76.98, 0.00123456 → 0.001234; cut. */
export function compact(value: d.Decimal): string {
  const [digits, zeros] = [wholeDigits(value), leadingZeros(value)];
  const step = STEPS.find(([, power]) => digits > power);
  if (step === undefined) {
    const decimals = zeros === null ? 3 : zeros + 4;
    return grouped(value, digits > 1 ? 2 : Math.min(d.decimalsOf(value), decimals));
  }
  const [letter, power] = step;
  const whole = value.split('.')[0]!;
  const cut = `${whole.slice(0, -power)}.${whole.slice(-power).slice(0, 2)}`;
  return `${grouped(cut)}${letter}`;
}

/** A UTC day has no leap seconds here, as everywhere in computing. */
export const DAY_MS = 86_400_000;

/** Epoch milliseconds, as a number or as text. */
export type Instant = string | number;

/** Date and time of the user's zone, to the second: 2026-11-21 14:05:09. */
export const dateTime = (instant: Instant): string => wallTime(Number(instant));

/** Time of the user's zone, to the second. */
export const time = (instant: Instant): string => dateTime(instant).slice(11);

/** 14:05:09 on the day of `now`, Nov 21 14:05 in its year, else 2025-11-21 14:05. */
export function shortTime(instant: Instant, now: number): string {
  const [then, today] = [dateTime(instant), dateTime(now)];
  const clock = then.slice(11, 16);
  if (then.slice(0, 10) === today.slice(0, 10)) return then.slice(11);
  if (then.slice(0, 4) !== today.slice(0, 4)) return `${then.slice(0, 10)} ${clock}`;
  return `${common.months[Number(then.slice(5, 7)) - 1]} ${Number(then.slice(8, 10))} ${clock}`;
}

/** The UTC day of an instant: 2026-11-21. Interest days are UTC days. */
export const utcDay = (instant: Instant): string =>
  new Date(Number(instant)).toISOString().slice(0, 10);

/** The instant in UTC to the millisecond, for a tooltip. */
export const utcFull = (instant: Instant): string =>
  `${new Date(Number(instant)).toISOString().replace('T', ' ').slice(0, 23)} UTC`;

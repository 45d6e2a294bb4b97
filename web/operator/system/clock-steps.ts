// Moves of a sandbox's clock: their steps, so that a page can show progress, and what became due.
import type { TrialBalance } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { DAY_MS } from '../../exact/format.ts';
import { systemText as text } from '../../messages/operator-system.ts';

export const HOUR_MS = 3_600_000;
/** The server's maximum for one move. */
const MAX_DAYS = 400;
/** Each step is one entry of the audit log. */
const MAX_STEPS = 30;

/** The steps of a move, ms each: whole days, and the rest. */
export function stepsOf(ms: number): number[] {
  if (ms <= DAY_MS) return [ms];
  const days = Math.ceil(ms / DAY_MS / MAX_STEPS);
  const step = days * DAY_MS;
  const full = Math.floor(ms / step);
  const rest = ms - full * step;
  return [...Array<number>(full).fill(step), ...(rest > 0 ? [rest] : [])];
}

export type Unit = keyof typeof text.units;

/** 1.5 days or 36 hours, as milliseconds. */
export function parseSpan(
  typed: string,
  unit: Unit,
): { readonly value: number } | { readonly fault: string } {
  const value = d.fromInput(typed);
  if (value === null || d.isZero(value)) return { fault: text.spanNeeded(text.units[unit]) };
  const ms = d.multiply(value, String(unit === 'hours' ? HOUR_MS : DAY_MS));
  if (d.compare(ms, String(MAX_DAYS * DAY_MS)) > 0) {
    return { fault: text.spanMaximum(MAX_DAYS) };
  }
  if (d.decimalsOf(ms) > 0) return { fault: text.spanTooFine };
  return { value: Number(ms) };
}

/** How many UTC days end during a move: each closes an interest day. */
export const daysClosed = (from: number, ms: number): number =>
  Math.floor((from + ms) / DAY_MS) - Math.floor(from / DAY_MS);

export interface Due {
  readonly asset: string;
  readonly item: string;
  /** Signed. */
  readonly change: d.Decimal;
}

/** How the Earn accounts differ between two trial balances; trading moves the other accounts. */
export function dueBetween(before: TrialBalance, after: TrialBalance): Due[] {
  const balanceOf = (from: TrialBalance, asset: string, code: string): d.Decimal =>
    from.assets
      .find((one) => one.asset === asset)
      ?.accounts.find((account) => account.code === code)?.balance ?? '0';
  return after.assets.flatMap(({ asset }) =>
    Object.entries(text.dueAccounts)
      .map(([code, item]) => ({
        asset,
        item,
        change: d.subtract(balanceOf(after, asset, code), balanceOf(before, asset, code)),
      }))
      .filter(({ change }) => !d.isZero(change)),
  );
}

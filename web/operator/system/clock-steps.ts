// Moving the clock of a sandbox: the way in steps, so that one sees where it is, and what became due on it.

import type { TrialBalance } from '../../api/operator.ts';
import * as d from '../../exact/decimal.ts';
import { DAY_MS } from '../../exact/format.ts';
import type { Read } from '../parts/check.ts';

export const HOUR_MS = 3_600_000;
/** More than this the server does not take at once. */
const MOST_DAYS = 400;
/** So many steps at most: each is one entry of the audit log. */
const MOST_STEPS = 30;

/** What is sent one after the other; whole days each, except where less than a day is asked for. */
export function stepsOf(ms: number): number[] {
  if (ms <= DAY_MS) return [ms];
  const days = Math.ceil(ms / DAY_MS / MOST_STEPS);
  const step = days * DAY_MS;
  const full = Math.floor(ms / step);
  const rest = ms - full * step;
  return [...Array<number>(full).fill(step), ...(rest > 0 ? [rest] : [])];
}

/** 1.5 days or 36 hours, as milliseconds. */
export function spanOf(typed: string, unit: 'hours' | 'days'): Read<number> {
  const value = d.fromInput(typed);
  if (value === null || d.isZero(value)) return { fault: `A number of ${unit} above 0.` };
  const ms = d.multiply(value, String(unit === 'hours' ? HOUR_MS : DAY_MS));
  if (d.compare(ms, String(MOST_DAYS * DAY_MS)) > 0) {
    return { fault: `At most ${MOST_DAYS} days at once.` };
  }
  if (d.decimalsOf(ms) > 0) return { fault: 'That is finer than a millisecond.' };
  return { value: Number(ms) };
}

/** How many UTC days end on the way: each closes an interest day. */
export const daysClosed = (from: number, ms: number): number =>
  Math.floor((from + ms) / DAY_MS) - Math.floor(from / DAY_MS);

/** What interest and redemptions moved; trading moves the other accounts all the time. */
const DUE_ACCOUNTS: Readonly<Record<string, string>> = {
  interestReserve: 'in the reserves of plans',
  interestPayable: 'interest earned and not paid yet',
  enterpriseMargin: 'margins paid to enterprises',
  customerEarn: 'principal in plans',
  customerRedeeming: 'principal on its way back',
  customerBooster: 'booster coins locked',
};

export interface Due {
  readonly asset: string;
  readonly what: string;
  /** With a sign. */
  readonly change: d.Decimal;
}

/** How the accounts of earn differ between two trial balances. */
export function dueBetween(before: TrialBalance, after: TrialBalance): Due[] {
  const balanceOf = (from: TrialBalance, asset: string, code: string): d.Decimal =>
    from.assets
      .find((one) => one.asset === asset)
      ?.accounts.find((account) => account.code === code)?.balance ?? '0';
  return after.assets.flatMap(({ asset }) =>
    Object.entries(DUE_ACCOUNTS)
      .map(([code, what]) => ({
        asset,
        what,
        change: d.subtract(balanceOf(after, asset, code), balanceOf(before, asset, code)),
      }))
      .filter(({ change }) => !d.isZero(change)),
  );
}

// How long the reserve of a plan lasts, in words and as money.
import type { OfferedPlan, PlanReserve } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { count, grouped } from '../../exact/format.ts';
import { plansText as text } from '../../messages/operator-plans.ts';

/** "12 days", "3 years"; rounded down. */
export function lasting(daysOfCover: string): string {
  const days = Number(daysOfCover);
  if (days < 1) return text.lessThanDay;
  if (days === 1) return text.days(1);
  return days < 730 ? text.dayCount(count(days)) : text.years(count(Math.floor(days / 365)));
}

/** How long a reserve lasts, for a column. */
export function coverText({ daysOfCover, overdue, alarm }: PlanReserve): string {
  if (overdue) return text.overdue;
  if (alarm && daysOfCover === null) return text.empty;
  return daysOfCover === null ? text.nothingEarned : lasting(daysOfCover);
}

/** The state of the reserve as a sentence. */
export function reserveSentence({ coin, reserve }: OfferedPlan): string {
  const { balance, payable, dailyCost, daysOfCover, overdue, alarm } = reserve;
  const amount = (value: string) => `${grouped(value)} ${coin}`;
  if (overdue) return text.overdueSentence(amount(payable), amount(balance));
  if (daysOfCover === null) return alarm ? text.emptySentence : text.unusedSentence;
  return text.coverSentence(amount(dailyCost), lasting(daysOfCover));
}

/**
 * The amount to add so that the reserve covers `days` of interest beyond the payable interest; '0'
 * if it does. Uses the yearly cost, which is rounded less, and rounds up to the coin's unit.
 */
export function toFund(reserve: PlanReserve, days: number, decimals: number): d.Decimal {
  const cost = d.divideDown(d.multiply(reserve.yearlyCost, String(days)), '365', decimals);
  const unit = decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`;
  // The server rounds both costs down, by less than a unit each.
  const wanted = d.add(d.add(reserve.payable, cost), d.multiply(unit, '2'));
  const missing = d.subtract(wanted, reserve.balance);
  return d.isPositive(missing) && d.isPositive(reserve.yearlyCost) ? missing : '0';
}

/** The days that the reserve covers with `added` more; null if no interest accrues. */
export function daysWith(reserve: PlanReserve, added: d.Decimal): string | null {
  if (d.isZero(reserve.yearlyCost)) return null;
  const free = d.subtract(d.add(reserve.balance, added), reserve.payable);
  if (!d.isPositive(free)) return '0';
  return d.divideDown(d.multiply(free, '365'), reserve.yearlyCost, 0);
}

/** The subscribed part of the capacity in percent, for a bar; null if it is unlimited. */
export function filledPercent({ pool, poolCapacity }: OfferedPlan): number | null {
  if (poolCapacity === null || d.isZero(poolCapacity)) return null;
  return Math.min(100, d.toPixels(d.divideDown(d.multiply(pool, '100'), poolCapacity, 2)));
}

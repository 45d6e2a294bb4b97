// How long the reserve of a plan lasts, in words and as money: what the figures mean, and what to put in.
import type { Plan, PlanReserve } from '../../api/operator.ts';
import * as d from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';

/** "12 days", "3 years"; whole ones, cut. */
export function lasting(daysOfCover: string): string {
  const days = Number(daysOfCover);
  if (days < 1) return 'less than a day';
  if (days < 730) return days === 1 ? '1 day' : `${grouped(String(days))} days`;
  return `${grouped(String(Math.floor(days / 365)))} years`;
}

/** For a column: how long it lasts. */
export function coverWords({ daysOfCover, overdue }: PlanReserve): string {
  if (overdue) return 'interest overdue';
  return daysOfCover === null ? 'nothing is earned' : lasting(daysOfCover);
}

/** The state of the reserve as a sentence. */
export function reserveSentence({ coin, reserve }: Plan): string {
  const { balance, payable, dailyCost, daysOfCover, overdue } = reserve;
  if (overdue) {
    return `Interest fell due that the reserve could not pay. ${grouped(payable)} ${coin} is earned and not paid, ${grouped(balance)} ${coin} is there. What is overdue is paid as soon as the reserve is funded.`;
  }
  if (daysOfCover === null) return 'Nobody earns in this plan now, so the reserve is not used.';
  return `A day of interest costs ${grouped(dailyCost)} ${coin} as things stand; after what is earned and not paid yet the reserve lasts for ${lasting(daysOfCover)}.`;
}

/**
 * What has to be added so that the reserve covers that many days of interest beyond what is payable; '0' where it does.
 * From the yearly cost, which is cut less than the daily one; rounded up to the coin's unit, so that it is never too little.
 */
export function toFund(reserve: PlanReserve, days: number, decimals: number): d.Decimal {
  const cost = d.divideDown(d.multiply(reserve.yearlyCost, String(days)), '365', decimals);
  const unit = decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`;
  // Costs are cut on the way here, by less than a unit each.
  const wanted = d.add(d.add(reserve.payable, cost), d.multiply(unit, '2'));
  const missing = d.subtract(wanted, reserve.balance);
  return d.isPositive(missing) && d.isPositive(reserve.yearlyCost) ? missing : '0';
}

/** How many days the reserve would cover with that much more; null where nothing is earned. */
export function daysWith(reserve: PlanReserve, added: d.Decimal): string | null {
  if (d.isZero(reserve.yearlyCost)) return null;
  const free = d.subtract(d.add(reserve.balance, added), reserve.payable);
  if (!d.isPositive(free)) return '0';
  return d.divideDown(d.multiply(free, '365'), reserve.yearlyCost, 0);
}

/** The part of the capacity that is subscribed, in percent; null without a bound. For a bar. */
export function filledPercent({ pool, poolCapacity }: Plan): number | null {
  if (poolCapacity === null || d.isZero(poolCapacity)) return null;
  return Math.min(100, d.toPixels(d.divideDown(d.multiply(pool, '100'), poolCapacity, 2)));
}

// How long the reserve of a plan lasts, and when the operator must act. The operator's lists, the
// metrics and the alarm share these figures, so they always agree.
import { DAY_DENOMINATOR } from '../../core/earn/interest.ts';
import {
  currentTerms,
  type Plan,
  payableOf,
  reserveOf,
  yearlyCostOf,
} from '../../core/earn/plan.ts';
import type { State } from '../../core/state.ts';
import { type Amount, divideDown, multiply, RATE_ONE, subtract, ZERO } from '../../core/units.ts';

/** Amounts are in units of the plan's coin; the costs are truncated to them. */
export interface PlanReserve {
  readonly plan: Plan;
  /** The money that can pay interest. */
  readonly balance: Amount;
  /** Interest that is earned and not paid yet, including the margins of enterprises. */
  readonly payable: Amount;
  /** The cost of a year and of a day of interest under the current subscriptions. */
  readonly yearlyCost: Amount;
  readonly dailyCost: Amount;
  /** Whole days that the balance covers beyond `payable`; null if nothing accrues. */
  readonly daysOfCover: Amount | null;
  /** True if due interest could not be paid. */
  readonly overdue: boolean;
  /** True if the operator has to act. */
  readonly alarm: boolean;
}

/** `alarmDays`: fewer days of cover are an alarm. */
export function planReserve({ ledger }: State, plan: Plan, alarmDays: number): PlanReserve {
  const balance = reserveOf(ledger, plan);
  const payable = payableOf(ledger, plan);
  const exactYearly = yearlyCostOf(plan);
  const daysOfCover = coverOf(subtract(balance, payable), exactYearly);
  const overdue = plan.overdue.size > 0;
  return {
    plan,
    balance,
    payable,
    yearlyCost: divideDown(exactYearly, RATE_ONE as Amount),
    dailyCost: divideDown(exactYearly, DAY_DENOMINATOR as Amount),
    daysOfCover,
    overdue,
    alarm: overdue || coverDays(plan, balance, payable, daysOfCover) < alarmDays,
  };
}

/**
 * The days of cover that decide on the alarm. Where nothing accrues, an open plan that pays
 * interest needs money before its first subscription; any other plan needs none.
 */
function coverDays(plan: Plan, balance: Amount, payable: Amount, daysOfCover: Amount | null) {
  if (daysOfCover !== null) return daysOfCover;
  const { open, maxRate, booster } = currentTerms(plan);
  const pays = maxRate > 0 || (booster !== null && booster.rate > 0);
  return open && pays && balance <= payable ? 0 : Number.POSITIVE_INFINITY;
}

/** By the exact cost: a truncated one may be zero, which would make a small reserve look long. */
function coverOf(free: Amount, exactYearly: Amount): Amount | null {
  if (exactYearly === 0) return null;
  return free <= 0 ? ZERO : divideDown(multiply(free, DAY_DENOMINATOR), exactYearly);
}

/** The reserves of all plans, in order of planId. */
export const planReserves = (state: State, alarmDays: number): PlanReserve[] =>
  state.earn.plans
    .filter((plan) => plan !== undefined)
    .map((plan) => planReserve(state, plan, alarmDays));

// How long the reserve of a plan lasts, and when somebody has to be told: the figures behind the operator's lists, the metrics
// and the alarm, which therefore always agree.
import { payableOf, reserveOf } from '../../core/earn/accounts.ts';
import { DAY_DENOMINATOR } from '../../core/earn/interest.ts';
import { type Plan, yearlyCostOf } from '../../core/earn/plan.ts';
import type { State } from '../../core/state.ts';
import { type Amount, divideDown, multiply, RATE_ONE, subtract, ZERO } from '../../core/units.ts';

/** Amounts are in units of the plan's coin; the costs are truncated to them. */
export interface PlanReserve {
  readonly plan: Plan;
  /** What interest can be paid from. */
  readonly balance: Amount;
  /** What is earned and not paid yet, with the margins of enterprises. */
  readonly payable: Amount;
  /** What a year and a day of interest cost as things stand. */
  readonly yearlyCost: Amount;
  readonly dailyCost: Amount;
  /** Whole days that the balance covers beyond what is payable; null where nothing is earned. */
  readonly daysOfCover: Amount | null;
  /** Whether interest fell due that could not be paid. */
  readonly overdue: boolean;
  /** Whether the operator has to act. */
  readonly alarm: boolean;
}

/** `alarmDays`: fewer days of cover are an alarm. */
export function planReserve({ earn, ledger }: State, plan: Plan, alarmDays: number): PlanReserve {
  const balance = reserveOf(ledger, plan);
  const payable = payableOf(ledger, plan);
  const exactYearly = yearlyCostOf(plan);
  const daysOfCover = coverOf(subtract(balance, payable), exactYearly);
  const overdue = plan.overdue.hasAny((id) => earn.subscriptions.find(id));
  return {
    plan,
    balance,
    payable,
    yearlyCost: divideDown(exactYearly, RATE_ONE as Amount),
    dailyCost: divideDown(exactYearly, DAY_DENOMINATOR as Amount),
    daysOfCover,
    overdue,
    alarm: overdue || (daysOfCover !== null && daysOfCover < alarmDays),
  };
}

/** By the exact cost: one that is truncated may be zero, and makes a small reserve look long. */
function coverOf(free: Amount, exactYearly: Amount): Amount | null {
  if (exactYearly === 0) return null;
  return free <= 0 ? ZERO : divideDown(multiply(free, DAY_DENOMINATOR), exactYearly);
}

/** The reserves of all plans, in order of planId. */
export const planReserves = (state: State, alarmDays: number): PlanReserve[] =>
  state.earn.plans
    .filter((plan) => plan !== undefined)
    .map((plan) => planReserve(state, plan, alarmDays));

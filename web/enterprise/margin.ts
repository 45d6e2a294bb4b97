// The effect of a margin for members and for the enterprise. Rates are simple and annual, so a
// year's interest is exactly the principal times the rate.
import { type Margin, type MemberSubscription, PlanType } from '../../src/sdk/index.ts';
import { type Decimal, isNegative, multiply, subtract, sum } from '../exact/decimal.ts';

export const TYPE_OF: Readonly<Record<Margin['planType'], PlanType>> = {
  FLEXIBLE: PlanType.flexible,
  FIXED: PlanType.fixed,
  CUSTOMIZED: PlanType.customized,
};

export interface Effect {
  /** The member's rate, before and after. */
  readonly before: Decimal;
  readonly after: Decimal;
  /** The yearly interest of a member on the example, before and after. */
  readonly yearBefore: Decimal;
  readonly yearAfter: Decimal;
  /** The yearly income of the enterprise on the example, before and after. */
  readonly keptBefore: Decimal;
  readonly keptAfter: Decimal;
}

/** Members earn nothing, not less, if an edit set the plan's rate below the margin. */
const ownRate = (rate: Decimal, margin: Decimal): Decimal => {
  const own = subtract(rate, margin);
  return isNegative(own) ? '0' : own;
};

/** `rate`: the plan's; `now` and `next`: the margins; all annual rates. */
export function effectOf(rate: Decimal, now: Decimal, next: Decimal, example: Decimal): Effect {
  const [before, after] = [ownRate(rate, now), ownRate(rate, next)];
  return {
    before,
    after,
    yearBefore: multiply(example, before),
    yearAfter: multiply(example, after),
    keptBefore: multiply(example, subtract(rate, before)),
    keptAfter: multiply(example, subtract(rate, after)),
  };
}

/** The members' principal in a plan, including principal in redemption. */
export const principalIn = (
  subscriptions: readonly MemberSubscription[],
  planId: string,
): Decimal =>
  sum(
    subscriptions
      .filter((one) => one.planId === planId && one.redemptionStatus !== 'REDEEMED')
      .map(({ principal }) => principal),
  );

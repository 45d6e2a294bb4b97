// The effect of a margin for members and for the enterprise. Rates are simple and annual, so a
// year's interest is exactly the principal times the rate.
import type { MemberSubscription } from '../../src/sdk/index.ts';
import {
  compare,
  type Decimal,
  decimalsOf,
  fromInput,
  fromPercent,
  isNegative,
  multiply,
  subtract,
  sum,
} from '../exact/decimal.ts';
import { percent } from '../exact/format.ts';

/** Rates have eight decimals, so percentages have six. */
const PERCENT_DECIMALS = 6;

export interface TypedMargin {
  /** null for an invalid margin; `fault` then says why. */
  readonly margin: Decimal | null;
  readonly fault: string | null;
  /** The nearest valid percentage. */
  readonly use?: Decimal;
}

/** Parses a percentage into a rate between 0 and the plan's. */
export function readMargin(typed: string, rate: Decimal): TypedMargin {
  const value = fromInput(typed);
  if (value === null) {
    return { margin: null, fault: typed === '' ? null : 'Type a percentage such as 0.5.' };
  }
  if (decimalsOf(value) > PERCENT_DECIMALS) {
    return { margin: null, fault: `A percentage has at most ${PERCENT_DECIMALS} decimals.` };
  }
  const margin = fromPercent(value);
  if (compare(margin, rate) > 0) {
    return {
      margin: null,
      fault: `A margin is at most the plan’s own rate, ${percent(rate)}.`,
      use: multiply(rate, '100'),
    };
  }
  return { margin, fault: null };
}

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

// What a margin means: for the member, and for the enterprise that keeps it. Rates are annual and simple, so a year's figures
// are the principal times the rate, exactly.
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
  /** null where what was typed is no margin of this plan; then `fault` says why. */
  readonly margin: Decimal | null;
  readonly fault: string | null;
  /** The nearest percentage that would do. */
  readonly use?: Decimal;
}

/** What was typed as a percentage, as a rate between 0 and the plan's. */
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
  /** What a member earns in a year on the example, before and after. */
  readonly yearBefore: Decimal;
  readonly yearAfter: Decimal;
  /** What the enterprise keeps of the example in a year. */
  readonly keptBefore: Decimal;
  readonly keptAfter: Decimal;
}

/** Where an edit took the plan's rate below the margin, members earn nothing, not less. */
const ownRate = (rate: Decimal, margin: Decimal): Decimal => {
  const own = subtract(rate, margin);
  return isNegative(own) ? '0' : own;
};

/** `rate` of the plan; `margin` of now and as it is to be; all annual rates. */
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

/** What members have in a plan now. What is on its way back is not told apart from what earns, so it counts. */
export const principalIn = (
  subscriptions: readonly MemberSubscription[],
  planId: string,
): Decimal =>
  sum(
    subscriptions
      .filter((one) => one.planId === planId && one.redemptionStatus !== 'REDEEMED')
      .map(({ principal }) => principal),
  );

// The effect of a margin for members and for the enterprise. Rates are simple and annual, so a
// year's interest is exactly the principal times the rate.
import { type Margin, type MemberSubscription, PlanType } from '../../src/sdk/index.ts';
import { compare, type Decimal, isNegative, multiply, subtract, sum } from '../exact/decimal.ts';
import { percent } from '../exact/format.ts';
import { enterprise as text } from '../messages/enterprise.ts';

export const TYPE_OF: Readonly<Record<Margin['planType'], PlanType>> = {
  FLEXIBLE: PlanType.flexible,
  FIXED: PlanType.fixed,
  CUSTOMIZED: PlanType.customized,
};

/** Why the server would reject a margin; null if it would not. `rate`: the plan's lowest. */
export const marginFault = (margin: Decimal | null, rate: Decimal): string | null =>
  margin === null || compare(margin, rate) <= 0 ? null : text.aboveRate(percent(rate));

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

export interface Total {
  readonly asset: string;
  readonly principal: Decimal;
  /** The margin of the enterprise so far. */
  readonly margin: Decimal;
}

/** The members with subscriptions, and the totals by coin. */
export function totalsOf(subscriptions: readonly MemberSubscription[]): {
  readonly members: number;
  readonly running: number;
  readonly coins: readonly Total[];
} {
  const running = subscriptions.filter(isRunning);
  const coins = [...Map.groupBy(subscriptions, ({ asset }) => asset)].map(([asset, own]) => ({
    asset,
    principal: sum(own.filter(isRunning).map(({ principal }) => principal)),
    margin: sum(own.map(({ marginAllocation }) => marginAllocation)),
  }));
  return {
    members: new Set(running.map(({ uid }) => uid)).size,
    running: running.length,
    coins: coins.toSorted((a, b) => a.asset.localeCompare(b.asset)),
  };
}

const isRunning = ({ redemptionStatus }: MemberSubscription): boolean =>
  redemptionStatus !== 'REDEEMED';

/** The members' principal in a plan, including principal in redemption. */
export const principalIn = (
  subscriptions: readonly MemberSubscription[],
  planId: string,
): Decimal =>
  sum(
    subscriptions
      .filter((one) => one.planId === planId && isRunning(one))
      .map(({ principal }) => principal),
  );

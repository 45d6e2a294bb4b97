// The subscription form: hints about typed values, and the request.
import {
  type ApplyPlanRequest,
  type ApplyPreview,
  type Plan,
  PlanType,
} from '../../src/sdk/index.ts';
import * as d from '../exact/decimal.ts';
import { formFault } from '../exact/typed.ts';
import { earnText } from '../messages/earn.ts';
import { amountIn } from './words.ts';

const t = earnText.form.faults;

export interface Draft {
  readonly amount: string;
  readonly day: string;
  readonly autoRenew: boolean;
  readonly withBooster: boolean;
}

export interface Application extends ApplyPlanRequest {
  readonly amount: d.Decimal;
}

export interface Bounds {
  readonly coin: string;
  /** Limits on a customer's total principal in the plan. */
  readonly userAmountMin: d.Decimal;
  readonly userAmountMax: d.Decimal;
  /** The customer's current principal in the plan. */
  readonly applied: d.Decimal;
  /** Spot balance; null while it is unknown. */
  readonly available: d.Decimal | null;
  /** Decimals of the coin; null while they are unknown. */
  readonly scale: number | null;
}

/** Why the server would reject a value, and the nearest value that it would accept. */
export interface Hint {
  readonly text: string;
  readonly use?: d.Decimal;
}

/** A hint about a typed amount alone, without its limits. */
export function figureHint(typed: string, coin: string, scale: number | null): Hint | null {
  if (typed === '') return null;
  const amount = d.fromInput(typed);
  if (amount === null) return { text: formFault(typed) ?? t.amountMissing };
  if (d.isZero(amount)) return { text: t.amountZero };
  if (scale === null || d.decimalsOf(amount) <= scale) return null;
  const cut = d.divideDown(amount, '1', scale);
  const text = t.tooManyDecimals(coin, scale);
  return d.isPositive(cut) ? { text, use: cut } : { text };
}

/** null if the amount is valid or empty. */
export function amountHint(typed: string, bounds: Bounds): Hint | null {
  const wrong = figureHint(typed, bounds.coin, bounds.scale);
  const amount = d.fromInput(typed);
  if (wrong !== null || amount === null) return wrong;
  const { coin, userAmountMin, userAmountMax, applied, available } = bounds;
  const total = d.add(applied, amount);
  const minimum = d.subtract(userAmountMin, applied);
  if (d.compare(total, userAmountMin) < 0) {
    const text = t.belowMinimum(amountIn(coin, minimum));
    if (available === null || d.compare(minimum, available) <= 0) return { text, use: minimum };
    return { text: `${text} ${t.youHave(amountIn(coin, available))}` };
  }
  if (d.compare(total, userAmountMax) > 0) {
    const held = d.isZero(applied) ? null : amountIn(coin, applied);
    return withMaximum(t.aboveMaximum(amountIn(coin, userAmountMax), held), bounds);
  }
  if (available !== null && d.compare(amount, available) > 0) {
    const text = t.insufficient(amountIn(coin, amount), amountIn(coin, available));
    return withMaximum(text, bounds);
  }
  return null;
}

/** Offers the maximum, unless it is below the plan's minimum. */
function withMaximum(text: string, bounds: Bounds): Hint {
  const use = maximumOf(bounds);
  const isEnough = d.compare(d.add(bounds.applied, use), bounds.userAmountMin) >= 0;
  return d.isPositive(use) && isEnough ? { text, use } : { text };
}

/** The amount of the button Max: the available balance, as far as the plan accepts it. */
export function maximumOf({ userAmountMax, applied, available }: Bounds): d.Decimal {
  const room = d.subtract(userAmountMax, applied);
  const maximum = available === null || d.compare(room, available) < 0 ? room : available;
  return d.isPositive(maximum) ? maximum : '0';
}

/** A typed number of days; null if it is not a whole number. */
function dayOf(typed: string): number | null {
  const day = d.fromInput(typed);
  return day === null || !/^\d{1,9}$/.test(day) ? null : Number(day);
}

export function dayHint(typed: string, minimum: number, maximum: number): Hint | null {
  if (typed.trim() === '') return { text: t.daysMissing(minimum, maximum) };
  const day = dayOf(typed);
  if (day === null) return { text: t.daysNotWhole(minimum, maximum) };
  if (day < minimum) return { text: t.tooShort(minimum), use: String(minimum) };
  if (day > maximum) return { text: t.tooLong(maximum), use: String(maximum) };
  return null;
}

/** The nearest term of the plan, for the slider and the preview. */
export const nearestDay = (typed: string, minimum: number, maximum: number): number =>
  Math.max(minimum, Math.min(dayOf(typed) ?? minimum, maximum));

/** The request; null while the draft is incomplete. */
export function toApplication(
  { amount: typed, day, autoRenew, withBooster }: Draft,
  { planId, planType }: Pick<Plan, 'planId' | 'planType'>,
  preview: ApplyPreview | undefined,
): Application | null {
  const amount = d.fromInput(typed);
  if (amount === null || !d.isPositive(amount)) return null;
  const lockDay = planType === PlanType.customized ? dayOf(day) : undefined;
  if (lockDay === null) return null;
  const booster = withBooster ? preview?.boosterInfo : null;
  return {
    planId,
    amount,
    ...(lockDay === undefined ? {} : { lockDay }),
    ...(planType !== PlanType.flexible && autoRenew ? { autoRenew } : {}),
    ...(booster ? { boosterAmount: booster.boosterAmount } : {}),
  };
}

/** True if the preview belongs to this request, and not to an earlier state of the form. */
export const isPreviewOf = (preview: ApplyPreview, application: Application): boolean =>
  d.compare(preview.amount, application.amount) === 0 &&
  (application.lockDay === undefined || application.lockDay === preview.lockDay);

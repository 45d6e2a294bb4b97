// The subscription form: hints about typed values, and the request.
import { type ApplyPreview, PlanType } from '../../src/sdk/index.ts';
import {
  add,
  compare,
  type Decimal,
  decimalsOf,
  divideDown,
  fromInput,
  isPositive,
  isZero,
  subtract,
} from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';
import { formFault } from '../exact/typed.ts';

export interface Form {
  readonly amount: string;
  readonly day: string;
  readonly autoRenew: boolean;
  readonly withBooster: boolean;
}

/** A subscription request, with decimal texts. */
export interface Application {
  readonly planId: string;
  readonly amount: Decimal;
  /** Of customized plans only. */
  readonly lockDay?: number;
  readonly autoRenew?: boolean;
  readonly boosterAmount?: Decimal;
}

export interface Bounds {
  readonly coin: string;
  /** Limits on a customer's total principal in the plan. */
  readonly userAmountMin: Decimal;
  readonly userAmountMax: Decimal;
  /** The customer's current principal in the plan. */
  readonly applied: Decimal;
  /** Spot balance; null while it is unknown. */
  readonly available: Decimal | null;
  /** Decimals of the coin; null while they are unknown. */
  readonly scale: number | null;
}

/** Why the server would refuse a value, and the nearest value that it would accept. */
export interface Hint {
  readonly text: string;
  readonly use?: Decimal;
}

/** A hint about a typed amount alone, without its limits. */
export function figureHint(typed: string, coin: string, scale: number | null): Hint | null {
  if (typed === '') return null;
  const amount = fromInput(typed);
  if (amount === null) return { text: formFault(typed) ?? 'Enter an amount.' };
  if (isZero(amount)) return { text: 'Enter an amount above 0.' };
  if (scale === null || decimalsOf(amount) <= scale) return null;
  const cut = divideDown(amount, '1', scale);
  const text = `${coin} has at most ${scale} decimals.`;
  return isPositive(cut) ? { text, use: cut } : { text };
}

/** null if the amount is valid or empty. */
export function amountHint(typed: string, bounds: Bounds): Hint | null {
  const wrong = figureHint(typed, bounds.coin, bounds.scale);
  const amount = fromInput(typed);
  if (wrong !== null || amount === null) return wrong;
  const { coin, userAmountMin, userAmountMax, applied, available } = bounds;
  const total = add(applied, amount);
  const least = subtract(userAmountMin, applied);
  if (compare(total, userAmountMin) < 0) {
    const text = `The minimum for this plan is ${grouped(least)} ${coin}.`;
    if (available === null || compare(least, available) <= 0) return { text, use: least };
    return { text: `${text} You have ${grouped(available)} ${coin}.` };
  }
  if (compare(total, userAmountMax) > 0) {
    const most = `The maximum for one customer in this plan is ${grouped(userAmountMax)} ${coin}`;
    const held = isZero(applied) ? '' : `; you have ${grouped(applied)} ${coin}`;
    return withMost(`${most}${held}.`, bounds);
  }
  if (available !== null && compare(amount, available) > 0) {
    const [takes, has] = [grouped(amount), grouped(available)];
    const text = `Insufficient balance: this takes ${takes} ${coin}; you have ${has} ${coin}.`;
    return withMost(text, bounds);
  }
  return null;
}

/** Offers the maximum, unless it is below the plan's minimum. */
function withMost(text: string, bounds: Bounds): Hint {
  const use = mostOf(bounds);
  const enough = compare(add(bounds.applied, use), bounds.userAmountMin) >= 0;
  return isPositive(use) && enough ? { text, use } : { text };
}

/** The amount of the button Max: the available balance, as far as the plan accepts it. */
export function mostOf({ userAmountMax, applied, available }: Bounds): Decimal {
  const room = subtract(userAmountMax, applied);
  const most = available === null || compare(room, available) < 0 ? room : available;
  return isPositive(most) ? most : '0';
}

/** A typed number of days; null if it is not a whole number. */
function dayOf(typed: string): number | null {
  const day = fromInput(typed);
  return day === null || !/^\d{1,9}$/.test(day) ? null : Number(day);
}

export function dayHint(typed: string, least: number, most: number): Hint | null {
  if (typed.trim() === '') return { text: `Enter ${least} to ${most} days.` };
  const day = dayOf(typed);
  if (day === null) return { text: `Enter whole days, from ${least} to ${most}.` };
  if (day < least) return { text: `The shortest term is ${least} days.`, use: String(least) };
  if (day > most) return { text: `The longest term is ${most} days.`, use: String(most) };
  return null;
}

/** The nearest term of the plan, for the slider and the preview. */
export const nearestDay = (typed: string, least: number, most: number): number =>
  Math.max(least, Math.min(dayOf(typed) ?? least, most));

/** The request; null while the form is incomplete. */
export function toApplication(
  { amount: typed, day, autoRenew, withBooster }: Form,
  { planId, planType }: { readonly planId: string; readonly planType: PlanType },
  preview: ApplyPreview | undefined,
): Application | null {
  const amount = fromInput(typed);
  if (amount === null || !isPositive(amount)) return null;
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

/** Whether the preview belongs to this request, and not to an earlier state of the form. */
export const isPreviewOf = (preview: ApplyPreview, application: Application): boolean =>
  compare(preview.amount, application.amount) === 0 &&
  (application.lockDay === undefined || application.lockDay === preview.lockDay);

// A plan on paper: the form of an offer and of an edit as requests. Which field belongs to which type of plan is decided
// here as the server decides it, so that only those are asked for.
import type { Asset, Booster, NewPlan, Plan, PlanTerms, PlanType } from '../../api/operator.ts';
import * as d from '../../exact/decimal.ts';
import {
  amountOf,
  type Checked,
  percentOf,
  Reading,
  rateOf,
  textOf,
  wholeOf,
} from '../parts/check.ts';

export interface EditValues {
  readonly planName: string;
  /** Annual, in percent: of a flexible or fixed plan. */
  readonly apr: string;
  /** Of a customized plan. */
  readonly minApr: string;
  readonly maxApr: string;
  readonly userAmountMin: string;
  readonly userAmountMax: string;
  /** '' for no bound. */
  readonly poolCapacity: string;
  readonly redeemLockHours: string;
  readonly supportEarlyRedemption: boolean;
  readonly supportAutoRenew: boolean;
  readonly requiresKyc: boolean;
  readonly label: string;
  readonly boosted: boolean;
  readonly boosterCoin: string;
  readonly boosterRatio: string;
  /** In percent. */
  readonly boosterApr: string;
}

export interface OfferValues extends EditValues {
  readonly planType: PlanType;
  readonly coin: string;
  readonly lockDay: string;
  readonly minLockDay: string;
  readonly maxLockDay: string;
  readonly rewardFrequency: string;
  readonly autoCompound: boolean;
  readonly status: Plan['status'];
}

export type EditField =
  | 'planName'
  | 'apr'
  | 'minApr'
  | 'maxApr'
  | 'userAmountMin'
  | 'userAmountMax'
  | 'poolCapacity'
  | 'redeemLockHours'
  | 'label'
  | 'boosterCoin'
  | 'boosterRatio'
  | 'boosterApr';
export type OfferField =
  | EditField
  | 'coin'
  | 'lockDay'
  | 'minLockDay'
  | 'maxLockDay'
  | 'rewardFrequency';

export const EMPTY_OFFER: OfferValues = {
  planName: '',
  planType: '1',
  coin: '',
  apr: '',
  minApr: '',
  maxApr: '',
  lockDay: '30',
  minLockDay: '7',
  maxLockDay: '365',
  userAmountMin: '',
  userAmountMax: '',
  poolCapacity: '',
  rewardFrequency: '1',
  redeemLockHours: '0',
  supportEarlyRedemption: false,
  supportAutoRenew: false,
  autoCompound: false,
  requiresKyc: false,
  label: '',
  boosted: false,
  boosterCoin: '',
  boosterRatio: '',
  boosterApr: '',
  status: 'closed',
};

export const isFlexible = (type: PlanType): boolean => type === '1';
export const isCustomized = (type: PlanType): boolean => type === '3';

const DAYS = { least: 1, most: 36_500, unit: 'days' } as const;
const HOURS = { least: 0, most: 8_760, unit: 'hours' } as const;
const ANNUAL = { most: '1000' } as const;
const RATIO_DECIMALS = 8;

type Kind = Pick<Plan, 'planType'> & { readonly coin: Asset | undefined };

/** The terms that an edit may change, all of them. */
function readTerms<F extends string>(
  reading: Reading<F | EditField>,
  values: EditValues,
  { planType, coin }: Kind,
  assets: readonly Asset[],
): Required<Omit<PlanTerms, 'status' | 'apr' | 'minApr' | 'maxApr'>> & PlanTerms {
  const inCoin = {
    decimals: coin === undefined ? undefined : Number(coin.scale),
    asset: coin?.asset,
  };
  const amount = (field: 'userAmountMin' | 'userAmountMax' | 'poolCapacity') =>
    reading.take(field, amountOf(values[field], inCoin));
  const rate = (field: 'apr' | 'minApr' | 'maxApr') =>
    reading.take(field, rateOf(values[field], ANNUAL));
  const userAmountMin = amount('userAmountMin');
  const userAmountMax = amount('userAmountMax');
  if (reading.isFine('userAmountMin', 'userAmountMax')) {
    if (d.compare(userAmountMax, userAmountMin) < 0) {
      reading.fault('userAmountMax', `Not below the least amount, ${userAmountMin}.`);
    }
  }
  if (values.label.length > 64) reading.fault('label', 'At most 64 characters.');
  const flexible = isFlexible(planType);
  return {
    planName: reading.take('planName', textOf(values.planName, 'the plan a name', 64)),
    ...(isCustomized(planType)
      ? { minApr: rate('minApr'), maxApr: rate('maxApr') }
      : { apr: rate('apr') }),
    userAmountMin,
    userAmountMax,
    poolCapacity: values.poolCapacity.trim() === '' ? null : amount('poolCapacity'),
    redeemLockHours: reading.take('redeemLockHours', wholeOf(values.redeemLockHours, HOURS)),
    supportEarlyRedemption: flexible || values.supportEarlyRedemption,
    supportAutoRenew: !flexible && values.supportAutoRenew,
    requiresKyc: values.requiresKyc,
    label: values.label.trim(),
    booster: flexible || !values.boosted ? null : readBooster(reading, values, assets),
  };
}

function readBooster<F extends string>(
  reading: Reading<F | EditField>,
  values: EditValues,
  assets: readonly Asset[],
): Booster {
  if (!assets.some(({ asset }) => asset === values.boosterCoin)) {
    reading.fault('boosterCoin', 'Choose the coin.');
  }
  const ratio = amountOf(values.boosterRatio, { decimals: RATIO_DECIMALS });
  return {
    coin: values.boosterCoin,
    ratio: reading.take('boosterRatio', ratio),
    apr: reading.take('boosterApr', rateOf(values.boosterApr, { ...ANNUAL, zero: false })),
  };
}

export function toOffer(
  values: OfferValues,
  assets: readonly Asset[],
): Checked<NewPlan, OfferField> {
  const reading = new Reading<OfferField>();
  const { planType } = values;
  const coin = assets.find(({ asset }) => asset === values.coin);
  if (coin === undefined) reading.fault('coin', 'Choose the coin.');
  const days = (field: 'lockDay' | 'minLockDay' | 'maxLockDay' | 'rewardFrequency') =>
    reading.take(field, wholeOf(values[field], DAYS));
  const terms = readTerms(reading, values, { planType, coin }, assets);
  const kind = isFlexible(planType)
    ? { autoCompound: values.autoCompound }
    : isCustomized(planType)
      ? { minLockDay: days('minLockDay'), maxLockDay: days('maxLockDay') }
      : { lockDay: days('lockDay') };
  if (isCustomized(planType) && reading.isFine('minLockDay', 'maxLockDay')) {
    const { minLockDay = 0, maxLockDay = 0 } = kind as NewPlan;
    if (maxLockDay < minLockDay) {
      reading.fault('maxLockDay', `Not below the shortest term, ${minLockDay} days.`);
    }
    const onlyOne = maxLockDay === minLockDay && reading.isFine('minApr', 'maxApr');
    if (onlyOne && terms.minApr !== terms.maxApr) {
      reading.fault('maxApr', 'The same as the other: there is one term only.');
    }
  }
  const { poolCapacity, booster, label, ...always } = terms;
  return reading.finish({
    planType,
    coin: values.coin,
    ...always,
    ...kind,
    rewardFrequency: days('rewardFrequency'),
    ...(poolCapacity === null ? {} : { poolCapacity }),
    ...(booster === null ? {} : { booster }),
    ...(label === '' ? {} : { label }),
    status: values.status,
  });
}

const percentOrNothing = (rate: string | null): string => (rate === null ? '' : percentOf(rate));

export const editOf = (plan: Plan): EditValues => ({
  planName: plan.planName,
  apr: percentOrNothing(plan.apr),
  minApr: percentOrNothing(plan.minApr),
  maxApr: percentOrNothing(plan.maxApr),
  userAmountMin: plan.userAmountMin,
  userAmountMax: plan.userAmountMax,
  poolCapacity: plan.poolCapacity ?? '',
  redeemLockHours: plan.redeemLockHours,
  supportEarlyRedemption: plan.supportEarlyRedemption,
  supportAutoRenew: plan.supportAutoRenew,
  requiresKyc: plan.requiresKyc,
  label: plan.label,
  boosted: plan.booster !== null,
  boosterCoin: plan.booster?.coin ?? '',
  boosterRatio: plan.booster?.ratio ?? '',
  boosterApr: percentOrNothing(plan.booster?.apr ?? null),
});

/** Only what differs from now; an empty body where nothing does. */
export function toEdit(
  values: EditValues,
  now: Plan,
  assets: readonly Asset[],
): Checked<PlanTerms, EditField> {
  const reading = new Reading<EditField>();
  const coin = assets.find(({ asset }) => asset === now.coin);
  const next = readTerms(reading, values, { planType: now.planType, coin }, assets);
  if (isCustomized(now.planType) && now.minLockDay === now.maxLockDay) {
    if (reading.isFine('minApr', 'maxApr') && next.minApr !== next.maxApr) {
      reading.fault('maxApr', 'The same as the other: there is one term only.');
    }
  }
  const changed = Object.entries(next).filter(([field, value]) => {
    const before = now[field as keyof Plan];
    if (field === 'redeemLockHours') return String(value) !== before;
    return JSON.stringify(value) !== JSON.stringify(before);
  });
  return reading.finish(Object.fromEntries(changed) as PlanTerms);
}

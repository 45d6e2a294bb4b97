// The forms of a plan as requests: an offer and an edit. The form shows and sends the fields of the
// plan's type; the server checks what fits together and offers the nearest value.
import {
  type ListedAsset,
  type OfferedBooster,
  type OfferedPlan,
  type OperatorCreatePlanRequest,
  PlanType,
} from '../../../src/sdk/index.ts';
import type * as d from '../../exact/decimal.ts';
import { plansText as text } from '../../messages/operator-plans.ts';
import {
  amountRule,
  changesIn,
  FormReader,
  type FormResult,
  parseAmount,
  parseInteger,
  parseRate,
  parseText,
  percentOf,
} from '../parts/parse.ts';

export interface EditValues {
  readonly planName: string;
  /** APR in percent, of a flexible or fixed plan. */
  readonly apr: string;
  /** APR in percent, of a customized plan. */
  readonly minApr: string;
  readonly maxApr: string;
  readonly userAmountMin: string;
  readonly userAmountMax: string;
  /** '' for unlimited. */
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
  /** Whether it opens immediately. */
  readonly open: boolean;
}

/** The terms that an edit can change; those of other plan types are absent. */
export type Terms = Partial<
  Pick<
    OfferedPlan,
    | 'planName'
    | 'apr'
    | 'minApr'
    | 'maxApr'
    | 'userAmountMin'
    | 'userAmountMax'
    | 'poolCapacity'
    | 'redeemLockHours'
    | 'supportEarlyRedemption'
    | 'supportAutoRenew'
    | 'requiresKyc'
    | 'label'
    | 'booster'
  >
>;

/** A new plan with decimal texts. */
export interface Offer extends OperatorCreatePlanRequest {
  readonly apr?: d.Decimal;
  readonly minApr?: d.Decimal;
  readonly maxApr?: d.Decimal;
  readonly userAmountMin: d.Decimal;
  readonly userAmountMax: d.Decimal;
  readonly poolCapacity?: d.Decimal;
  readonly booster?: OfferedBooster;
}

export const EMPTY_OFFER: OfferValues = {
  planName: '',
  planType: PlanType.flexible,
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
  open: false,
};

const DAYS = { minimum: 1, maximum: 36_500, unit: text.daysUnit } as const;
const HOURS = { minimum: 0, maximum: 8_760, unit: text.hoursUnit } as const;
const APR = { maximum: '1000' } as const;
const RATIO_DECIMALS = 8;

type EditReader = FormReader<keyof OfferValues>;

interface Kind {
  readonly planType: PlanType;
  readonly coin: string;
}

/** All terms of a plan of this type. */
function readTerms(
  reader: EditReader,
  values: EditValues,
  { planType, coin }: Kind,
  assets: readonly ListedAsset[],
) {
  const amount = (field: 'userAmountMin' | 'userAmountMax' | 'poolCapacity') =>
    reader.read(field, parseAmount(values[field], amountRule(assets, coin)));
  const rate = (field: 'apr' | 'minApr' | 'maxApr') =>
    reader.read(field, parseRate(values[field], APR));
  const userAmountMin = amount('userAmountMin');
  const userAmountMax = amount('userAmountMax');
  return {
    planName: reader.read('planName', parseText(values.planName, text.planNameName, 64)),
    ...(planType === PlanType.customized
      ? { minApr: rate('minApr'), maxApr: rate('maxApr') }
      : { apr: rate('apr') }),
    userAmountMin,
    userAmountMax,
    poolCapacity: values.poolCapacity.trim() === '' ? null : amount('poolCapacity'),
    redeemLockHours: reader.read('redeemLockHours', parseInteger(values.redeemLockHours, HOURS)),
    ...(planType === PlanType.flexible
      ? {}
      : {
          supportEarlyRedemption: values.supportEarlyRedemption,
          supportAutoRenew: values.supportAutoRenew,
          booster: values.boosted ? readBooster(reader, values, assets) : null,
        }),
    requiresKyc: values.requiresKyc,
    label: values.label.trim(),
  };
}

function readBooster(
  reader: EditReader,
  values: EditValues,
  assets: readonly ListedAsset[],
): OfferedBooster {
  const { boosterCoin: coin, boosterRatio, boosterApr } = values;
  if (assets.every(({ asset }) => asset !== coin)) reader.reject('boosterCoin', text.chooseCoin);
  const ratio = parseAmount(boosterRatio, { decimals: RATIO_DECIMALS });
  return {
    coin,
    ratio: reader.read('boosterRatio', ratio),
    apr: reader.read('boosterApr', parseRate(boosterApr, { ...APR, zero: false })),
  };
}

/** The fields that only an offer of this type has. */
function readKind(reader: EditReader, values: OfferValues) {
  const days = (field: 'lockDay' | 'minLockDay' | 'maxLockDay') =>
    reader.read(field, parseInteger(values[field], DAYS));
  switch (values.planType) {
    case PlanType.flexible:
      return { autoCompound: values.autoCompound };
    case PlanType.fixed:
      return { lockDay: days('lockDay') };
    case PlanType.customized:
      return { minLockDay: days('minLockDay'), maxLockDay: days('maxLockDay') };
  }
}

export function parseOffer(
  values: OfferValues,
  assets: readonly ListedAsset[],
): FormResult<Offer, keyof OfferValues> {
  const reader = new FormReader<keyof OfferValues>();
  const { planType, coin, open } = values;
  if (assets.every(({ asset }) => asset !== coin)) reader.reject('coin', text.chooseCoin);
  const terms = readTerms(reader, values, { planType, coin }, assets);
  const { poolCapacity, booster, label, ...always } = terms;
  return reader.finish({
    planType,
    coin,
    ...always,
    ...readKind(reader, values),
    rewardFrequency: reader.read('rewardFrequency', parseInteger(values.rewardFrequency, DAYS)),
    ...(poolCapacity === null ? {} : { poolCapacity }),
    ...(booster === undefined || booster === null ? {} : { booster }),
    ...(label === '' ? {} : { label }),
    status: open ? 'open' : 'closed',
  });
}

const percentOrEmpty = (rate: string | undefined | null): string =>
  rate === undefined || rate === null ? '' : percentOf(rate);

export const editOf = (plan: OfferedPlan): EditValues => ({
  planName: plan.planName,
  apr: percentOrEmpty(plan.apr),
  minApr: percentOrEmpty(plan.minApr),
  maxApr: percentOrEmpty(plan.maxApr),
  userAmountMin: plan.userAmountMin,
  userAmountMax: plan.userAmountMax,
  poolCapacity: plan.poolCapacity ?? '',
  redeemLockHours: String(plan.redeemLockHours),
  supportEarlyRedemption: plan.supportEarlyRedemption,
  supportAutoRenew: plan.supportAutoRenew,
  requiresKyc: plan.requiresKyc,
  label: plan.label,
  boosted: plan.booster !== null,
  boosterCoin: plan.booster?.coin ?? '',
  boosterRatio: plan.booster?.ratio ?? '',
  boosterApr: percentOrEmpty(plan.booster?.apr),
});

/** The terms that differ from the plan's; an empty body if none does. */
export function parseEdit(
  values: EditValues,
  plan: OfferedPlan,
  assets: readonly ListedAsset[],
): FormResult<Terms, keyof OfferValues> {
  const reader = new FormReader<keyof OfferValues>();
  return reader.finish(changesIn<Terms>(readTerms(reader, values, plan, assets), plan));
}

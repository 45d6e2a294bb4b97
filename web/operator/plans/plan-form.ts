// The fields of a plan, for an offer and for an edit. A form shows and sends only the fields of the
// plan's type.
import {
  type ListedAsset,
  type OfferedBooster,
  type OfferedPlan,
  type OperatorCreatePlanRequest,
  PlanType,
} from '../../../src/sdk/index.ts';
import { TYPE_CHOICES } from '../../earn/words.ts';
import type { Decimal } from '../../exact/decimal.ts';
import { plansText as text } from '../../messages/operator-plans.ts';
import { describer, type Field, type Layout, optionsOf } from '../parts/fields.ts';

/** A new plan with decimal texts. */
export interface Offer extends OperatorCreatePlanRequest {
  readonly apr?: Decimal;
  readonly minApr?: Decimal;
  readonly maxApr?: Decimal;
  readonly userAmountMin: Decimal;
  readonly userAmountMax: Decimal;
  readonly poolCapacity?: Decimal;
  readonly booster?: OfferedBooster;
}

export const EMPTY_PLAN = {
  planName: '',
  planType: String(PlanType.flexible),
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
export type PlanValues = typeof EMPTY_PLAN;

const field = describer<PlanValues>(text.fields);
const days = (name: keyof PlanValues) => field('integer', name, { unit: text.daysUnit });

const TYPES = TYPE_CHOICES.map((choice) => ({
  ...choice,
  description: text.typeMeanings[choice.value],
}));

const typeOf = ({ planType }: PlanValues): PlanType => Number(planType) as PlanType;

/** The fields that are immutable, except the coin. */
const KIND_FIELDS: Readonly<Record<PlanType, readonly Field<PlanValues>[]>> = {
  [PlanType.flexible]: [field('checkbox', 'autoCompound')],
  [PlanType.fixed]: [days('lockDay')],
  [PlanType.customized]: [days('minLockDay'), days('maxLockDay')],
};

/** The fields that only plans with terms have. */
function termFields(values: PlanValues, assets: readonly string[]): readonly Field<PlanValues>[] {
  const { boosted, boosterCoin, coin } = values;
  const ratio = field('decimal', 'boosterRatio', { unit: boosterCoin });
  return [
    field('checkbox', 'supportEarlyRedemption'),
    field('checkbox', 'supportAutoRenew'),
    field('checkbox', 'boosted'),
    ...(boosted
      ? [
          field('select', 'boosterCoin', { options: optionsOf(assets) }),
          { ...ratio, label: text.boosterRatio(coin) },
          field('percent', 'boosterApr'),
        ]
      : []),
  ];
}

/** The terms that a plan of this type has. */
function termsFields(values: PlanValues, assets: readonly string[]): readonly Field<PlanValues>[] {
  const unit = values.coin;
  const type = typeOf(values);
  return [
    ...(type === PlanType.customized
      ? [field('percent', 'minApr'), field('percent', 'maxApr')]
      : [field('percent', 'apr')]),
    field('text', 'planName'),
    field('text', 'label', { empty: text.none }),
    field('decimal', 'userAmountMin', { unit }),
    field('decimal', 'userAmountMax', { unit }),
    field('decimal', 'poolCapacity', { unit, empty: text.unlimited }),
    field('integer', 'redeemLockHours', { unit: text.hoursUnit }),
    field('checkbox', 'requiresKyc'),
    ...(type === PlanType.flexible ? [] : termFields(values, assets)),
  ];
}

const namesOf = (assets: readonly ListedAsset[]) => assets.map(({ asset }) => asset);

export const offerLayout =
  (assets: readonly ListedAsset[]) =>
  (values: PlanValues): Layout<PlanValues> => [
    field('radio', 'planType', { options: TYPES }),
    [
      field('select', 'coin', { options: optionsOf(namesOf(assets)) }),
      days('rewardFrequency'),
      ...KIND_FIELDS[typeOf(values)],
      ...termsFields(values, namesOf(assets)),
    ],
    field('checkbox', 'open'),
  ];

export const termsLayout =
  (assets: readonly ListedAsset[]) =>
  (values: PlanValues): Layout<PlanValues> => [termsFields(values, namesOf(assets))];

interface BoosterFields {
  /** Absent if plans of this type have no booster. */
  readonly boosted?: boolean;
  readonly boosterCoin?: string;
  readonly boosterRatio?: Decimal;
  readonly boosterApr?: Decimal;
}

/** Joins the fields of the booster; without one it is null. */
export function finishTerms<F extends object>({
  boosted,
  boosterCoin: coin = '',
  boosterRatio: ratio = '',
  boosterApr: apr = '',
  ...terms
}: F & BoosterFields) {
  return boosted === undefined
    ? terms
    : { ...terms, booster: boosted ? { coin, ratio, apr } : null };
}

type OfferFields = Omit<Offer, 'booster' | 'status'> & BoosterFields & { readonly open: boolean };

export function finishOffer({ open, boosted, ...fields }: OfferFields): Offer {
  const plan = finishTerms({ ...fields, ...(boosted ? { boosted } : {}) });
  return { ...plan, status: open ? 'open' : 'closed' };
}

/** The fields of the terms as a plan has them. */
export const termsOf = (plan: OfferedPlan) => ({
  ...plan,
  boosted: plan.booster !== null,
  boosterCoin: plan.booster?.coin,
  boosterRatio: plan.booster?.ratio,
  boosterApr: plan.booster?.apr,
});

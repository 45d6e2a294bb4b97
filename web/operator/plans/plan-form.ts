// The fields of a plan, for an offer and for an edit. A form shows and sends only the fields of the
// plan's type, in the order of their labels.
import { PLAN } from '../../../src/contract/generated/operator-fields.ts';
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
import { describer, emptyValues, type Field, type Layout, optionsOf } from '../parts/fields.ts';

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

/** With the choices that the console makes of other fields. */
const FIELDS = {
  ...PLAN,
  boosted: { ...PLAN.booster, kind: 'checkbox' },
  open: { kind: 'checkbox', only: 'create' },
} as const;

export const EMPTY_PLAN = emptyValues(FIELDS, {
  planType: String(PlanType.flexible),
  lockDay: '30',
  minLockDay: '7',
  maxLockDay: '365',
  redeemLockHours: '0',
});
export type PlanValues = typeof EMPTY_PLAN;

const { field, fields } = describer(FIELDS, text.fields);

const TYPES = TYPE_CHOICES.map((choice) => ({
  ...choice,
  description: text.typeMeanings[choice.value],
}));

/** The fields that a plan of this type has, beside those that stand alone. */
function typedFields(
  form: 'create' | 'edit',
  values: PlanValues,
  assets: readonly ListedAsset[],
): readonly Field<PlanValues>[] {
  const options = optionsOf(assets.map(({ asset }) => asset));
  const chosen = {
    coin: { options },
    boosterCoin: { options },
    boosterRatio: { label: text.boosterRatio(values.coin) },
  };
  return fields(form, values, chosen, (name) => {
    if (name === 'planType' || name === 'open') return false;
    if (name.startsWith('booster') && !values.boosted) return false;
    const { types } = FIELDS[name] as { readonly types?: readonly number[] };
    return types === undefined || types.includes(Number(values.planType));
  });
}

export const offerLayout =
  (assets: readonly ListedAsset[]) =>
  (values: PlanValues): Layout<PlanValues> => [
    field('planType', values, { kind: 'radio', options: TYPES }),
    typedFields('create', values, assets),
    field('open'),
  ];

export const termsLayout =
  (assets: readonly ListedAsset[]) =>
  (values: PlanValues): Layout<PlanValues> => [typedFields('edit', values, assets)];

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

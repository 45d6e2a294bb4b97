// The fields of a plan: those that are immutable, for an offer, and the terms, for an edit as well.
import { Radio } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ListedAsset, PlanType } from '../../../src/sdk/index.ts';
import { TYPE_CHOICES } from '../../earn/words.ts';
import { forms } from '../../messages/operator-forms.ts';
import { plansText as text } from '../../messages/operator-plans.ts';
import type { Field } from '../parts/request-form.tsx';
import type { EditValues, OfferValues } from './plan-form.ts';
import styles from './plans.module.css';

const MEANINGS = {
  [PlanType.flexible]: text.typeMeanings.flexible,
  [PlanType.fixed]: text.typeMeanings.fixed,
  [PlanType.customized]: text.typeMeanings.customized,
} as const;

export function TypeChoice({ form }: { readonly form: UseFormReturnType<OfferValues> }) {
  return (
    <Radio.Group
      label={text.type}
      description={text.typeUse}
      value={String(form.values.planType)}
      onChange={(value) => form.setFieldValue('planType', Number(value) as PlanType)}
    >
      <div className={styles.types}>
        {TYPE_CHOICES.map(({ value, label }) => (
          <Radio
            key={value}
            value={String(value)}
            label={label}
            description={MEANINGS[value]}
            className={styles.type}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

const coinOptions = (assets: readonly ListedAsset[]) => [
  { value: '', label: forms.choose },
  ...assets.map(({ asset }) => asset),
];

const days = (
  name: 'lockDay' | 'minLockDay' | 'maxLockDay' | 'rewardFrequency',
  description: string,
): Field<OfferValues> => ({
  kind: 'integer',
  name,
  label: text[name],
  description,
  unit: text.daysUnit,
});

const KIND_FIELDS: Readonly<Record<PlanType, readonly Field<OfferValues>[]>> = {
  [PlanType.flexible]: [
    {
      kind: 'checkbox',
      name: 'autoCompound',
      label: text.autoCompound,
      description: text.autoCompoundUse,
    },
  ],
  [PlanType.fixed]: [days('lockDay', text.immutable)],
  [PlanType.customized]: [days('minLockDay', text.immutable), days('maxLockDay', text.immutable)],
};

export const immutableFields = (
  planType: PlanType,
  assets: readonly ListedAsset[],
): Field<OfferValues>[] => [
  {
    kind: 'select',
    name: 'coin',
    label: text.coin,
    description: text.coinUse,
    options: coinOptions(assets),
  },
  days('rewardFrequency', text.rewardFrequencyUse),
  ...KIND_FIELDS[planType],
];

const rateFields = (planType: PlanType): Field<EditValues>[] =>
  planType === PlanType.customized
    ? [
        { kind: 'percent', name: 'minApr', label: text.minApr, description: text.minAprUse },
        { kind: 'percent', name: 'maxApr', label: text.maxApr },
      ]
    : [{ kind: 'percent', name: 'apr', label: text.apr, description: text.aprUse }];

function boosterFields(
  { boosted, boosterCoin }: EditValues,
  coin: string,
  assets: readonly ListedAsset[],
): Field<EditValues>[] {
  const offered: Field<EditValues> = {
    kind: 'checkbox',
    name: 'boosted',
    label: text.booster,
    description: text.boosterUse,
  };
  if (!boosted) return [offered];
  return [
    offered,
    {
      kind: 'select',
      name: 'boosterCoin',
      label: text.boosterCoin,
      description: text.boosterCoinUse,
      options: coinOptions(assets),
    },
    {
      kind: 'decimal',
      name: 'boosterRatio',
      label: text.boosterRatio(coin),
      description: text.boosterRatioUse,
      unit: boosterCoin,
    },
    {
      kind: 'percent',
      name: 'boosterApr',
      label: text.boosterApr,
      description: text.boosterAprUse,
    },
  ];
}

export interface TermsContext {
  readonly planType: PlanType;
  readonly coin: string;
  readonly assets: readonly ListedAsset[];
}

/** The terms that a plan of this type has. */
export const termsFields = (
  values: EditValues,
  { planType, coin, assets }: TermsContext,
): Field<EditValues>[] => [
  ...rateFields(planType),
  { kind: 'text', name: 'planName', label: text.planName, description: text.planNameUse },
  { kind: 'text', name: 'label', label: text.label, description: text.labelUse },
  {
    kind: 'decimal',
    name: 'userAmountMin',
    label: text.userMin,
    description: text.userMinUse,
    unit: coin,
  },
  {
    kind: 'decimal',
    name: 'userAmountMax',
    label: text.userMax,
    description: text.userMaxUse,
    unit: coin,
  },
  {
    kind: 'decimal',
    name: 'poolCapacity',
    label: text.pool,
    description: text.poolUse,
    unit: coin,
  },
  {
    kind: 'integer',
    name: 'redeemLockHours',
    label: text.lockHours,
    description: text.lockHoursUse,
    unit: text.hoursUnit,
  },
  ...(planType === PlanType.flexible
    ? []
    : ([
        {
          kind: 'checkbox',
          name: 'supportEarlyRedemption',
          label: text.early,
          description: text.earlyUse,
        },
        {
          kind: 'checkbox',
          name: 'supportAutoRenew',
          label: text.autoRenew,
          description: text.autoRenewUse,
        },
      ] as const)),
  { kind: 'checkbox', name: 'requiresKyc', label: text.kyc },
  ...(planType === PlanType.flexible ? [] : boosterFields(values, coin, assets)),
];

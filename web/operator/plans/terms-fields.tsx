// The fields of a plan's terms, for an offer and for an edit: those that its type has, each with what it is for.
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { Asset, PlanType } from '../../api/operator.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import type { Checked } from '../parts/check.ts';
import { type Form, fieldOf, textFieldOf } from '../parts/form.ts';
import parts from '../parts/parts.module.css';
import { type EditField, type EditValues, isCustomized, isFlexible } from './plan-form.ts';
import styles from './plans.module.css';

export interface TermsFieldsProps<S extends EditValues> {
  readonly form: Form<S>;
  readonly checked: Checked<unknown, EditField>;
  readonly planType: PlanType;
  readonly coin: string;
  readonly assets: readonly Asset[];
}

interface PartProps {
  readonly form: Form<EditValues>;
  readonly checked: Checked<unknown, EditField>;
  readonly coin: string;
}

export function TermsFields<S extends EditValues>(props: TermsFieldsProps<S>) {
  const { checked, planType, coin, assets } = props;
  // A wider form holds these fields too.
  const form = props.form as unknown as Form<EditValues>;
  return (
    <>
      <Rates form={form} checked={checked} coin={coin} planType={planType} />
      <Amounts form={form} checked={checked} coin={coin} />
      <div className={`${parts.whole} ${styles.checks}`}>
        <Switches form={form} planType={planType} />
      </div>
      {isFlexible(planType) ? null : (
        <BoosterFields form={form} checked={checked} coin={coin} assets={assets} />
      )}
    </>
  );
}

function Rates({ form, checked, planType }: PartProps & { readonly planType: PlanType }) {
  if (!isCustomized(planType)) {
    return (
      <DecimalInput
        label="Annual rate"
        description="Simple annual interest. 4 % is the rate 0.04."
        unit="%"
        {...fieldOf(form, 'apr', checked)}
      />
    );
  }
  return (
    <>
      <DecimalInput
        label="Rate of the shortest term"
        description="Annual; terms between have a rate between."
        unit="%"
        {...fieldOf(form, 'minApr', checked)}
      />
      <DecimalInput
        label="Rate of the longest term"
        description="Annual."
        unit="%"
        {...fieldOf(form, 'maxApr', checked)}
      />
    </>
  );
}

function Amounts({ form, checked, coin }: PartProps) {
  return (
    <>
      <TextInput
        label="Name"
        description="As savers read it."
        autoComplete="off"
        {...textFieldOf(form, 'planName', checked)}
      />
      <TextInput
        label="Label (optional)"
        description="A word beside the name, such as Popular."
        autoComplete="off"
        {...textFieldOf(form, 'label', checked)}
      />
      <DecimalInput
        label="Least of one saver"
        description="What one saver must have in it."
        unit={coin}
        {...fieldOf(form, 'userAmountMin', checked)}
      />
      <DecimalInput
        label="Most of one saver"
        description="What one saver may have in it."
        unit={coin}
        {...fieldOf(form, 'userAmountMax', checked)}
      />
      <DecimalInput
        label="Most of all savers (optional)"
        description="The capacity. It bounds what the plan can cost; empty: no bound."
        unit={coin}
        {...fieldOf(form, 'poolCapacity', checked)}
      />
      <DecimalInput
        label="Lock time"
        description="From a redemption to its credit; 0: at once."
        unit="hours"
        whole
        {...fieldOf(form, 'redeemLockHours', checked)}
      />
    </>
  );
}

function Switches({ form, planType }: Pick<PartProps, 'form'> & { readonly planType: PlanType }) {
  return (
    <>
      {isFlexible(planType) ? null : (
        <>
          <Checkbox
            label="A term may be ended early"
            description="The saver then gives up the interest of that term."
            checked={form.values.supportEarlyRedemption}
            onChange={(event) => form.set('supportEarlyRedemption', event.currentTarget.checked)}
          />
          <Checkbox
            label="Savers may let it renew"
            description="At its end the principal begins a new term, at the terms of that day."
            checked={form.values.supportAutoRenew}
            onChange={(event) => form.set('supportAutoRenew', event.currentTarget.checked)}
          />
        </>
      )}
      <Checkbox
        label="Only for savers whose identity is verified (KYC)"
        checked={form.values.requiresKyc}
        onChange={(event) => form.set('requiresKyc', event.currentTarget.checked)}
      />
    </>
  );
}

function BoosterFields(props: PartProps & { readonly assets: readonly Asset[] }) {
  const { form, checked, coin, assets } = props;
  const { boosted, boosterCoin } = form.values;
  return (
    <>
      <Checkbox
        className={parts.whole}
        label="Booster"
        description="Savers may lock coins of another asset for the term, and get a higher rate."
        checked={boosted}
        onChange={(event) => form.set('boosted', event.currentTarget.checked)}
      />
      {!boosted ? null : (
        <>
          <NativeSelect
            label="Booster coin"
            description="What is locked."
            data={[{ value: '', label: 'Choose…' }, ...assets.map(({ asset }) => asset)]}
            {...fieldOf(form, 'boosterCoin', checked)}
            onChange={(event) => form.set('boosterCoin', event.currentTarget.value)}
          />
          <DecimalInput
            label={`Coins for each ${coin === '' ? 'coin' : coin}`}
            description="That must be locked for the whole boost."
            unit={boosterCoin}
            {...fieldOf(form, 'boosterRatio', checked)}
          />
          <DecimalInput
            label="Rate that it adds"
            description="Annual, paid from the same reserve."
            unit="%"
            {...fieldOf(form, 'boosterApr', checked)}
          />
        </>
      )}
    </>
  );
}

// The fields of a pair's terms, for a listing and for a change, each with what it is for.
import { NativeSelect } from '@mantine/core';
import { DecimalInput } from '../../components/decimal-input.tsx';
import type { Checked } from '../parts/check.ts';
import { FIELD, type Form, fieldOf } from '../parts/form.ts';
import { SELF_TRADE, type TermsField, type TermsValues } from './instrument.ts';

export interface TermsFieldsProps<S extends TermsValues> {
  readonly form: Form<S>;
  readonly checked: Checked<unknown, TermsField>;
  readonly base: string;
  readonly quote: string;
}

export function TermsFields<S extends TermsValues>(props: TermsFieldsProps<S>) {
  const { checked, base, quote } = props;
  // A wider form holds these fields too.
  const form = props.form as unknown as Form<TermsValues>;
  const { selfTradePrevention } = form.values;
  return (
    <>
      <DecimalInput
        label="Least quantity"
        description="Of one order; a multiple of the quantity step."
        unit={base}
        {...fieldOf(form, 'baseAssetMinOrderSize', checked)}
      />
      <DecimalInput
        label="Least value"
        description="Price × quantity of one order; 0: none."
        unit={quote}
        {...fieldOf(form, 'quoteAssetMinOrderSize', checked)}
      />
      <DecimalInput
        label="Fee of the maker"
        description="Of what is received, by an order that rested. 0.1 % is the rate 0.001."
        unit="%"
        {...fieldOf(form, 'makerFee', checked)}
      />
      <DecimalInput
        label="Fee of the taker"
        description="Of what is received, by an order that traded on arrival."
        unit="%"
        {...fieldOf(form, 'takerFee', checked)}
      />
      <DecimalInput
        label="Price band"
        description="How far from the last price orders may trade, to stop mistyped prices; 0: no band."
        unit="%"
        {...fieldOf(form, 'priceBand', checked)}
      />
      <NativeSelect
        {...FIELD}
        label="Self-trade prevention"
        description={`Where an order meets one of the same account: ${
          SELF_TRADE.find(({ value }) => value === selfTradePrevention)!.what
        }.`}
        value={selfTradePrevention}
        onChange={(event) =>
          form.set(
            'selfTradePrevention',
            event.currentTarget.value as TermsValues['selfTradePrevention'],
          )
        }
        data={SELF_TRADE.map(({ value, label }) => ({ value, label }))}
      />
    </>
  );
}

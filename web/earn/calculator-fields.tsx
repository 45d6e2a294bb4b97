// The fields of the subscription form.
import { Slider, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ApplyPreview, Plan } from '../../src/sdk/index.ts';
import { DecimalInput } from '../components/decimal-input.tsx';
import { Fine, PlainButton } from '../components/texts.tsx';
import { type Decimal, isPositive } from '../exact/decimal.ts';
import { grouped, percent } from '../exact/format.ts';
import { earnText } from '../messages/earn.ts';
import { type Bounds, type Draft, type Hint, maximumOf, nearestDay } from './application.ts';
import styles from './calculator.module.css';
import { HintLine } from './parts.tsx';
import { amountIn } from './words.ts';

const t = earnText.form;

interface FieldProps {
  readonly form: UseFormReturnType<Draft>;
  readonly hint: Hint | null;
}

export function AmountField({ form, bounds, hint }: FieldProps & { readonly bounds: Bounds }) {
  const { coin, available, applied, userAmountMin } = bounds;
  const change = (amount: string) => form.setFieldValue('amount', amount);
  return (
    <div>
      <div className={styles.labelRow}>
        <label htmlFor="earn-amount">{t.amount}</label>
        <span className="dim figures">
          {available === null ? '…' : t.available(amountIn(coin, available))}
        </span>
      </div>
      <div className={styles.inputRow}>
        <DecimalInput
          id="earn-amount"
          size="md"
          value={form.values.amount}
          onChange={change}
          unit={coin}
          placeholder={t.from(grouped(userAmountMin))}
          aria-describedby="earn-amount-hint"
          error={hint !== null}
          errorElsewhere
        />
        <PlainButton size="md" onClick={() => change(maximumOf(bounds))} aria-label={t.maxHint}>
          {t.max}
        </PlainButton>
      </div>
      <HintLine id="earn-amount-hint" hint={hint} unit={coin} onUse={change} />
      {isPositive(applied) ? <Fine mt={4}>{t.inPlan(amountIn(coin, applied))}</Fine> : null}
    </div>
  );
}

export function DayField({ form, plan, hint }: FieldProps & { readonly plan: Plan }) {
  const [minimum, maximum] = [plan.minLockDay!, plan.maxLockDay!];
  const change = (day: string) => form.setFieldValue('day', day);
  return (
    <div>
      <div className={styles.labelRow}>
        <label htmlFor="earn-days">{t.term}</label>
        <span className="dim figures">{earnText.facts.termRange(minimum, maximum)}</span>
      </div>
      <DecimalInput
        id="earn-days"
        size="md"
        whole
        value={form.values.day}
        onChange={change}
        unit={t.daysUnit}
        aria-describedby="earn-days-hint"
        error={hint !== null}
        errorElsewhere
      />
      <Slider
        mt="sm"
        min={minimum}
        max={maximum}
        value={nearestDay(form.values.day, minimum, maximum)}
        onChange={(day) => change(String(day))}
        label={earnText.days}
        thumbLabel={t.termSlider}
      />
      <HintLine id="earn-days-hint" hint={hint} unit={t.daysUnit} onUse={change} />
    </div>
  );
}

interface BoosterFieldProps extends FieldProps {
  readonly booster: NonNullable<ApplyPreview['boosterInfo']>;
  readonly available: Decimal | null;
}

export function BoosterField({ form, booster, available, hint }: BoosterFieldProps) {
  const { coin, apy, boosterAmount } = booster;
  const needed = form.values.amount === '' ? null : amountIn(coin, boosterAmount);
  return (
    <div>
      <Switch
        {...form.getInputProps('withBooster', { type: 'checkbox' })}
        label={t.booster(percent(apy))}
        description={t.boosterHint(coin, needed, available === null ? null : grouped(available))}
      />
      <HintLine hint={hint} />
    </div>
  );
}

export const RenewField = ({ form }: Pick<FieldProps, 'form'>) => (
  <Switch
    {...form.getInputProps('autoRenew', { type: 'checkbox' })}
    label={t.autoRenew}
    description={t.autoRenewHint}
  />
);

// The subscription form: amount, days, booster, auto renew, and a preview of the interest.
import { Alert, Anchor, Button, Slider, Stack, Switch, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { type ApplyPreview, type Plan, PlanType } from '../../src/sdk/index.ts';
import { DecimalInput } from '../components/decimal-input.tsx';
import { Panel } from '../components/panel.tsx';
import { RefusalNote } from '../components/states.tsx';
import { compare, type Decimal, fromInput } from '../exact/decimal.ts';
import { grouped, percent } from '../exact/format.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import {
  amountHint,
  type Bounds,
  dayHint,
  type Form,
  figureHint,
  type Hint,
  isPreviewOf,
  mostOf,
  nearestDay,
  toApplication,
} from './application.ts';
import styles from './calculator.module.css';
import { Confirmation } from './confirmation.tsx';
import { Estimate } from './estimate.tsx';
import { earnFeeds, useScale } from './feeds.ts';
import { HintLine } from './hint-line.tsx';
import type { Offer } from './offers.ts';
import { NEEDS_VERIFICATION, useIsBarred } from './verified.ts';
import type { Compounds } from './words.ts';

/** A pause in typing or sliding. */
const PAUSE_MS = 180;

export interface CalculatorProps {
  readonly offer: Offer;
  readonly terms: ApplyPreview;
  readonly compounds: Compounds;
  /** Receives the shown preview, for the other parts of the page. */
  readonly onShown: (shown: { readonly preview: ApplyPreview; readonly form: Form }) => void;
}

function useAvailable(coin: string | null): Decimal | null {
  const { data } = useLive(coin === null ? null : feeds.balances);
  return data?.find(({ asset }) => asset === coin)?.available ?? null;
}

export function Calculator({ offer, terms, compounds, onShown }: CalculatorProps) {
  const { plan } = offer;
  const [form, setForm] = useState<Form>({
    amount: '',
    day: String(plan.minLockDay ?? ''),
    autoRenew: false,
    withBooster: false,
  });
  const [confirming, setConfirming] = useState(false);
  const bounds = useBounds(offer, terms);
  const change = (part: Partial<Form>) => setForm({ ...form, ...part });
  const { preview, live } = usePreview(offer, form, terms);
  useEffect(() => onShown({ preview, form }), [preview, form, onShown]);
  const isBarred = useIsBarred(terms);
  const boosterAvailable = useAvailable(terms.boosterInfo?.coin ?? null);
  const hints = {
    amount: amountHint(form.amount, bounds),
    day:
      plan.planType === PlanType.customized
        ? dayHint(form.day, plan.minLockDay!, plan.maxLockDay!)
        : null,
    booster: form.withBooster ? boosterHint(preview, boosterAvailable) : null,
  };
  const application = toApplication(form, plan, preview);
  const isCurrent = application !== null && isPreviewOf(preview, application);
  const isGood =
    !isBarred && application !== null && Object.values(hints).every((hint) => hint === null);
  return (
    <Panel title={terms.appliedAmount === null ? 'Subscribe' : 'Add to your subscription'}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isGood && isCurrent) setConfirming(true);
        }}
      >
        <Stack gap="md">
          <AmountField bounds={bounds} value={form.amount} hint={hints.amount} onChange={change} />
          {plan.planType === PlanType.customized ? (
            <DayField offer={offer} value={form.day} hint={hints.day} onChange={change} />
          ) : null}
          {terms.boosterInfo === null ? null : (
            <BoosterField
              preview={preview}
              available={boosterAvailable}
              form={form}
              hint={hints.booster}
              onChange={change}
            />
          )}
          <RenewField plan={plan} value={form.autoRenew} onChange={change} />
          <RefusalNote error={live.error} />
          <Estimate
            preview={preview}
            form={form}
            compounds={compounds}
            // A request that the server would refuse earns nothing.
            isPossible={hints.amount === null && hints.day === null}
          />
          {isBarred ? <Barred /> : null}
          <Button
            type="submit"
            size="md"
            disabled={!isGood}
            loading={isGood && !isCurrent && live.error === null}
          >
            {terms.appliedAmount === null ? 'Subscribe' : 'Add'}
          </Button>
        </Stack>
      </form>
      {confirming && application !== null ? (
        <Confirmation
          plan={plan}
          application={application}
          preview={preview}
          compounds={compounds}
          onClose={() => setConfirming(false)}
          onUse={change}
        />
      ) : null}
    </Panel>
  );
}

const Barred = () => (
  <Alert color="yellow" variant="light" p="xs">
    <Text size="sm">
      {NEEDS_VERIFICATION} Your{' '}
      <Anchor component={Link} href="/security" inherit c="inherit" underline="always">
        security page
      </Anchor>{' '}
      shows the result.
    </Text>
  </Alert>
);

interface RenewFieldProps {
  readonly plan: Plan;
  readonly value: boolean;
  readonly onChange: (part: Partial<Form>) => void;
}

function RenewField({ plan, value, onChange }: RenewFieldProps) {
  if (!plan.supportAutoRenew || plan.planType === PlanType.flexible) return null;
  return (
    <Switch
      checked={value}
      onChange={(event) => onChange({ autoRenew: event.currentTarget.checked })}
      label="Auto renew"
      description="Starts another term of the same length at the end, at the rate of that day."
    />
  );
}

function useBounds({ plan }: Offer, terms: ApplyPreview): Bounds {
  const available = useAvailable(plan.coin);
  const scale = useScale(plan.coin);
  const { userAmountMin, userAmountMax, appliedAmount } = terms;
  return {
    coin: plan.coin,
    userAmountMin,
    userAmountMax,
    applied: appliedAmount ?? '0',
    available,
    scale,
  };
}

/** The preview of the form. The last one stays until the next one arrives. */
function usePreview({ plan }: Offer, form: Form, terms: ApplyPreview) {
  const { planId, planType, minLockDay, maxLockDay, coin } = plan;
  const isFigure = figureHint(form.amount, coin, useScale(coin)) === null;
  const amount = isFigure ? (fromInput(form.amount) ?? undefined) : undefined;
  const day =
    planType === PlanType.customized ? nearestDay(form.day, minLockDay!, maxLockDay!) : undefined;
  const [query] = useDebouncedValue({ planId, amount, day }, PAUSE_MS);
  const live = useLive(earnFeeds.preview(query));
  const [last, setLast] = useState(terms);
  if (live.data !== undefined && live.data !== last) setLast(live.data);
  return { preview: live.data ?? last, live };
}

function boosterHint({ boosterInfo }: ApplyPreview, available: Decimal | null): Hint | null {
  if (boosterInfo === null || available === null) return null;
  const { boosterAmount, coin } = boosterInfo;
  return compare(boosterAmount, available) <= 0
    ? null
    : { text: `You have ${grouped(available)} ${coin} available.` };
}

interface FieldProps {
  readonly hint: Hint | null;
  readonly onChange: (part: Partial<Form>) => void;
}

function AmountField({
  bounds,
  value,
  hint,
  onChange,
}: FieldProps & { readonly bounds: Bounds; readonly value: string }) {
  const { coin, available, applied } = bounds;
  return (
    <div>
      <div className={styles.labelRow}>
        <label htmlFor="earn-amount">Amount</label>
        <span className="dim figures">
          {available === null ? '…' : `${grouped(available)} ${coin} available`}
        </span>
      </div>
      <div className={styles.inputRow}>
        <DecimalInput
          id="earn-amount"
          size="md"
          value={value}
          onChange={(amount) => onChange({ amount })}
          unit={coin}
          placeholder={`from ${grouped(bounds.userAmountMin)}`}
          aria-describedby="earn-amount-hint"
          error={hint !== null}
          errorElsewhere
        />
        <Button
          variant="default"
          size="md"
          onClick={() => onChange({ amount: mostOf(bounds) })}
          aria-label="Max: the most that is possible"
        >
          Max
        </Button>
      </div>
      <HintLine
        id="earn-amount-hint"
        hint={hint}
        unit={coin}
        onUse={(amount) => onChange({ amount })}
      />
      {compare(applied, '0') > 0 ? (
        <Text size="xs" className="dim" mt={4}>
          You have {grouped(applied)} {coin} in this plan.
        </Text>
      ) : null}
    </div>
  );
}

function DayField({
  offer: { plan },
  value,
  hint,
  onChange,
}: FieldProps & { readonly offer: Offer; readonly value: string }) {
  const [least, most] = [plan.minLockDay!, plan.maxLockDay!];
  return (
    <div>
      <div className={styles.labelRow}>
        <label htmlFor="earn-days">Term</label>
        <span className="dim figures">
          {least} to {most} days
        </span>
      </div>
      <DecimalInput
        id="earn-days"
        size="md"
        whole
        value={value}
        onChange={(day) => onChange({ day })}
        unit="days"
        aria-describedby="earn-days-hint"
        error={hint !== null}
        errorElsewhere
      />
      <Slider
        mt="sm"
        min={least}
        max={most}
        value={nearestDay(value, least, most)}
        onChange={(day) => onChange({ day: String(day) })}
        label={(day) => `${day} days`}
        thumbLabel="Days of the term"
      />
      <HintLine id="earn-days-hint" hint={hint} unit="days" onUse={(day) => onChange({ day })} />
    </div>
  );
}

interface BoosterFieldProps extends FieldProps {
  readonly preview: ApplyPreview;
  readonly available: Decimal | null;
  readonly form: Form;
}

function BoosterField({ preview, available, form, hint, onChange }: BoosterFieldProps) {
  const { boosterInfo } = preview;
  if (boosterInfo === null) return null;
  const { coin, apy, boosterAmount } = boosterInfo;
  const needs = form.amount === '' ? '' : ` It needs ${grouped(boosterAmount)} ${coin}.`;
  const has = available === null ? '' : ` You have ${grouped(available)}.`;
  return (
    <div>
      <Switch
        checked={form.withBooster}
        onChange={(event) => onChange({ withBooster: event.currentTarget.checked })}
        label={`Booster: +${percent(apy)} APR`}
        description={`Locks ${coin} for the term; all of it comes back with the amount.${needs}${has}`}
      />
      <HintLine hint={hint} />
    </div>
  );
}

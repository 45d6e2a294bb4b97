// The subscription form: amount, days, booster, auto renew, and a preview of the interest.
import { Button, Stack, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { type ApplyPreview, type Plan, PlanType } from '../../src/sdk/index.ts';
import { Panel, RejectionNote } from '../components/layout.tsx';
import { Caution } from '../components/texts.tsx';
import { compare, type Decimal, fromInput } from '../exact/decimal.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { earnText } from '../messages/earn.ts';
import { useSession } from '../session/session.ts';
import {
  amountHint,
  type Bounds,
  type Draft,
  dayHint,
  figureHint,
  type Hint,
  isPreviewOf,
  nearestDay,
  toApplication,
} from './application.ts';
import { AmountField, BoosterField, DayField, RenewField } from './calculator-fields.tsx';
import { earnFeeds, useScale } from './feeds.ts';
import { NeedsVerification } from './parts.tsx';
import { Confirmation, Estimate } from './preview.tsx';
import { amountIn, type Compounds } from './words.ts';

const t = earnText.form;

export interface CalculatorProps {
  readonly plan: Plan;
  readonly terms: ApplyPreview;
  readonly compounds: Compounds;
  /** Receives the shown preview, for the other parts of the page. */
  readonly onShown: (shown: { readonly preview: ApplyPreview; readonly draft: Draft }) => void;
}

export function Calculator({ plan, terms, compounds, onShown }: CalculatorProps) {
  const form = useForm<Draft>({
    initialValues: {
      amount: '',
      day: String(plan.minLockDay ?? ''),
      autoRenew: false,
      withBooster: false,
    },
  });
  const draft = form.values;
  const [isConfirming, setConfirming] = useState(false);
  const { preview, error } = usePreview(plan, draft, terms);
  useEffect(() => onShown({ preview, draft }), [preview, draft, onShown]);
  const isBarred = useIsBarred(terms);
  const application = toApplication(draft, plan, preview);
  const isCurrent = application !== null && isPreviewOf(preview, application);
  const inputs = useInputs(plan, terms, preview, draft);
  const { hints } = inputs;
  const isGood =
    !isBarred && application !== null && Object.values(hints).every((hint) => hint === null);
  const adds = terms.appliedAmount !== null;
  return (
    <Panel title={adds ? t.addTitle : t.subscribe}>
      <form noValidate onSubmit={form.onSubmit(() => setConfirming(isGood && isCurrent))}>
        <Stack gap="md">
          <Fields plan={plan} form={form} preview={preview} inputs={inputs} />
          <RejectionNote error={error} />
          <Estimate
            preview={preview}
            withBooster={draft.withBooster && preview.boosterInfo !== null}
            compounds={compounds}
            // A request that the server would reject earns nothing.
            isPossible={hints.amount === null && hints.day === null}
          />
          {isBarred ? (
            <Caution>
              <Text size="sm">
                <NeedsVerification />
              </Text>
            </Caution>
          ) : null}
          <Button
            type="submit"
            size="md"
            disabled={!isGood}
            loading={isGood && !isCurrent && error === null}
          >
            {adds ? t.add : t.subscribe}
          </Button>
        </Stack>
      </form>
      {isConfirming && application !== null ? (
        <Confirmation
          plan={plan}
          application={application}
          preview={preview}
          compounds={compounds}
          onClose={() => setConfirming(false)}
          onUse={form.setValues}
        />
      ) : null}
    </Panel>
  );
}

interface FieldsProps {
  readonly plan: Plan;
  readonly form: UseFormReturnType<Draft>;
  readonly preview: ApplyPreview;
  readonly inputs: ReturnType<typeof useInputs>;
}

function Fields({ plan, form, preview, inputs }: FieldsProps) {
  const { bounds, boosterAvailable, hints } = inputs;
  return (
    <>
      <AmountField form={form} bounds={bounds} hint={hints.amount} />
      {plan.planType === PlanType.customized ? (
        <DayField form={form} plan={plan} hint={hints.day} />
      ) : null}
      {preview.boosterInfo === null ? null : (
        <BoosterField
          form={form}
          booster={preview.boosterInfo}
          available={boosterAvailable}
          hint={hints.booster}
        />
      )}
      {plan.planType !== PlanType.flexible && plan.supportAutoRenew ? (
        <RenewField form={form} />
      ) : null}
    </>
  );
}

function useAvailable(coin: string | null): Decimal | null {
  const { data } = useLive(coin === null ? null : feeds.balances);
  return data?.find(({ asset }) => asset === coin)?.available ?? null;
}

/** The bounds of the inputs, and a hint for each input that the server would reject. */
function useInputs(plan: Plan, terms: ApplyPreview, preview: ApplyPreview, draft: Draft) {
  const { coin, planType, minLockDay, maxLockDay } = plan;
  const { userAmountMin, userAmountMax, appliedAmount } = terms;
  const bounds: Bounds = {
    ...{ coin, userAmountMin, userAmountMax, applied: appliedAmount ?? '0' },
    ...{ available: useAvailable(coin), scale: useScale(coin) },
  };
  const boosterAvailable = useAvailable(terms.boosterInfo?.coin ?? null);
  const isCustomized = planType === PlanType.customized;
  const hints = {
    amount: amountHint(draft.amount, bounds),
    day: isCustomized ? dayHint(draft.day, minLockDay!, maxLockDay!) : null,
    booster: draft.withBooster ? boosterHint(preview, boosterAvailable) : null,
  };
  return { bounds, boosterAvailable, hints };
}

function boosterHint({ boosterInfo }: ApplyPreview, available: Decimal | null): Hint | null {
  if (boosterInfo === null || available === null) return null;
  const { boosterAmount, coin } = boosterInfo;
  return compare(boosterAmount, available) <= 0
    ? null
    : { text: t.faults.boosterMissing(amountIn(coin, available)) };
}

/** A pause in typing or sliding. */
const PAUSE_MS = 180;

/** The preview of the draft. The last one stays until the next one arrives. */
function usePreview(plan: Plan, draft: Draft, terms: ApplyPreview) {
  const { planId, planType, minLockDay, maxLockDay, coin } = plan;
  const isFigure = figureHint(draft.amount, coin, useScale(coin)) === null;
  const amount = isFigure ? (fromInput(draft.amount) ?? undefined) : undefined;
  const day =
    planType === PlanType.customized ? nearestDay(draft.day, minLockDay!, maxLockDay!) : undefined;
  const [query] = useDebouncedValue({ planId, amount, day }, PAUSE_MS);
  const { data, error } = useLive(earnFeeds.preview(query));
  const [last, setLast] = useState(terms);
  if (data !== undefined && data !== last) setLast(data);
  return { preview: data ?? last, error };
}

/** The interval of checks whether the operator verified the customer, ms. */
const WAITING_MS = 10_000;

/** True if the plan rejects this customer as not verified. */
function useIsBarred({ requiresKyc }: { readonly requiresKyc: boolean }): boolean {
  const { me } = useSession();
  const isBarred = requiresKyc && me !== null && !me.kyc;
  useLive(isBarred ? { ...feeds.me, every: WAITING_MS } : null);
  return isBarred;
}

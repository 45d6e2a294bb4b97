// Redeeming: the form with the amount and its result in words, and the claim of owed interest.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { PlanType, SubscriptionStatus } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { isNotReached } from '../api/rejection.ts';
import { useAction } from '../components/action.ts';
import { DecimalInput } from '../components/decimal-input.tsx';
import { Form, Loaded, RejectionNote } from '../components/layout.tsx';
import { PlainButton } from '../components/texts.tsx';
import { type Decimal, fromInput, isPositive, isZero } from '../exact/decimal.ts';
import { latest, useLive } from '../live/live.ts';
import { common } from '../messages/common.ts';
import { earnText } from '../messages/earn.ts';
import type { Hint } from './application.ts';
import calculator from './calculator.module.css';
import { AFFECTED, earnFeeds, useScale } from './feeds.ts';
import { once } from './once.ts';
import { Facts, HintLine } from './parts.tsx';
import { outcomeOf, partHint, type Subscription } from './redemption.ts';
import styles from './subscription.module.css';
import { amountIn, arrivalFact, redeemedText } from './words.ts';

const t = earnText.redeem;

interface Of {
  readonly subscription: Subscription;
}

export function Redeem({ subscription }: Of) {
  const [isOpen, setOpen] = useState(false);
  const { planType, status } = subscription;
  if (status === SubscriptionStatus.redeeming) {
    return <p className={`dim ${styles.note}`}>{t.onItsWay}</p>;
  }
  const name = planType === PlanType.flexible ? t.redeem : t.redeemEarly;
  return (
    <>
      <PlainButton onClick={() => setOpen(true)}>{name}</PlainButton>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t.title(name, subscription.planName)}
      >
        <RedeemForm subscription={subscription} onDone={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function RedeemForm({ subscription, onDone }: Of & { readonly onDone: () => void }) {
  const { applyId, amount: all, coin, planType } = subscription;
  const isFlexible = planType === PlanType.flexible;
  const [typed, setTyped] = useState(isFlexible ? '' : all);
  const amount = isFlexible ? fromInput(typed) : all;
  const hint = partHint(typed, all, coin, useScale(coin));
  const isGood = amount !== null && isPositive(amount) && hint === null;
  const redeem = useAction(
    // Another amount is another redemption; the same amount repeats the unanswered one.
    async (part: Decimal) => {
      const previewed = latest(earnFeeds.redeemPreview(applyId, part));
      await once(['redeem', applyId, part], (idempotencyKey) =>
        client.redeem({ applyId, amount: part }, { idempotencyKey }),
      );
      return redeemedText({ planType, amount: part, coin }, previewed?.timeToRedeem ?? null);
    },
    { refreshes: AFFECTED, done: (text) => text, onDone },
  );
  const change = (value: string) => {
    setTyped(value);
    redeem.clear();
  };
  return (
    <Form
      onSubmit={() => {
        if (isGood) redeem.run(amount);
      }}
    >
      <Stack gap="md">
        {isFlexible ? (
          <PartField all={all} coin={coin} value={typed} hint={hint} onChange={change} />
        ) : null}
        <div aria-live="polite">
          {isGood ? <Outcome subscription={subscription} amount={amount} /> : null}
        </div>
        <RejectionNote error={redeem.error} onUse={change} />
        {isNotReached(redeem.error) ? <Text size="sm">{earnText.sendAgain}</Text> : null}
        <Group justify="flex-end" gap="xs">
          <PlainButton onClick={onDone}>{common.cancel}</PlainButton>
          <Button
            type="submit"
            color={isFlexible ? undefined : 'var(--sell-solid)'}
            disabled={!isGood}
            loading={redeem.pending}
          >
            {!isFlexible
              ? t.redeemEarly
              : isGood
                ? t.redeemAmount(amountIn(coin, amount))
                : t.redeem}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

interface PartFieldProps {
  readonly all: Decimal;
  readonly coin: string;
  readonly value: string;
  readonly hint: Hint | null;
  readonly onChange: (value: string) => void;
}

const PartField = ({ all, coin, value, hint, onChange }: PartFieldProps) => (
  <div>
    <div className={calculator.labelRow}>
      <label htmlFor="redeem-amount">{t.amount}</label>
      <span className="dim figures">{t.inPlan(amountIn(coin, all))}</span>
    </div>
    <div className={calculator.inputRow}>
      <DecimalInput
        id="redeem-amount"
        size="md"
        value={value}
        onChange={onChange}
        unit={coin}
        error={hint !== null}
        errorElsewhere
        aria-describedby="redeem-hint"
        data-autofocus
      />
      <PlainButton size="md" onClick={() => onChange(all)} aria-label={t.allHint}>
        {t.all}
      </PlainButton>
    </div>
    <HintLine id="redeem-hint" hint={hint} unit={coin} onUse={onChange} />
  </div>
);

function Outcome({ subscription, amount }: Of & { readonly amount: Decimal }) {
  const { applyId, planType, coin } = subscription;
  const [settled] = useDebouncedValue(amount, 200);
  const preview = useLive(earnFeeds.redeemPreview(applyId, settled));
  const isTerm = planType !== PlanType.flexible;
  const paid = useLive(isTerm ? earnFeeds.paidOfTerm(subscription) : null);
  if (isTerm && paid.isPending) return null;
  if (preview.error !== null && preview.data === undefined) {
    return <RejectionNote error={preview.error} />;
  }
  return (
    <Loaded live={preview} rows={2}>
      {({ forfeitedEarningAmount: forfeited, timeToRedeem, boosterAmount, boosterCoin }) => (
        <>
          <div className={calculator.estimate}>
            <Facts
              facts={[
                ...outcomeOf({ coin, amount, forfeited, paid: paid.data ?? null }),
                boosterAmount === null
                  ? null
                  : { name: t.boosterBack, value: amountIn(boosterCoin ?? '', boosterAmount) },
                arrivalFact(timeToRedeem),
              ]}
            />
          </div>
          <p className={`${isTerm ? 'warn' : 'dim'} ${calculator.warning}`}>
            {forfeited === null ? t.keeps : isZero(forfeited) ? t.nothingLost : t.endsTerm}{' '}
            {timeToRedeem === 0 ? (isTerm ? t.noUndo : '') : t.untilThen}
          </p>
        </>
      )}
    </Loaded>
  );
}

/** The server ignores the amount. */
const ANY_AMOUNT = '1';

/** True if only interest is left, because the plan's reserve could not pay it. */
export const owesOnlyInterest = ({ status, amount }: Subscription): boolean =>
  status === SubscriptionStatus.redeeming && isZero(amount);

export function ClaimInterest({ applyId }: { readonly applyId: string }) {
  const claim = useAction(
    () =>
      once(['claim', applyId], (idempotencyKey) =>
        client.redeem({ applyId, amount: ANY_AMOUNT }, { idempotencyKey }),
      ),
    { refreshes: AFFECTED, done: earnText.subscription.claimed },
  );
  return (
    <>
      <p className={`dim ${styles.note}`}>{earnText.subscription.owedInterest}</p>
      <PlainButton onClick={() => claim.run()} loading={claim.pending}>
        {earnText.subscription.claim}
      </PlainButton>
      <RejectionNote error={claim.error} />
    </>
  );
}

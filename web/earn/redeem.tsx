// The redemption form: the amount, and the result in plain words.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { PlanType, SubscriptionStatus } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { isNotReached } from '../api/refusal.ts';
import { useAction } from '../components/action.ts';
import { DecimalInput } from '../components/decimal-input.tsx';
import { Loaded, RefusalNote } from '../components/states.tsx';
import { type Decimal, fromInput, isPositive } from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';
import { latest, useLive } from '../live/live.ts';
import type { Hint } from './application.ts';
import calculator from './calculator.module.css';
import { AFFECTED, earnFeeds, useScale } from './feeds.ts';
import { HintLine } from './hint-line.tsx';
import { once } from './once.ts';
import { outcomeOf, partHint, type Subscription } from './redemption.ts';
import styles from './subscription.module.css';
import { arrivalWord, redeemedWords } from './words.ts';

interface Of {
  readonly subscription: Subscription;
}

export function Redeem({ subscription }: Of) {
  const [open, setOpen] = useState(false);
  const { planType, status } = subscription;
  if (status === SubscriptionStatus.redeeming) {
    return (
      <p className={`dim ${styles.note}`}>The whole amount is on its way to your spot balance.</p>
    );
  }
  const name = planType === PlanType.flexible ? 'Redeem' : 'Redeem early';
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {name}
      </Button>
      <Modal opened={open} onClose={() => setOpen(false)} title={name}>
        <RedeemForm subscription={subscription} onDone={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function RedeemForm({ subscription, onDone }: Of & { readonly onDone: () => void }) {
  const { applyId, amount: all, coin, planType } = subscription;
  const [typed, setTyped] = useState(planType === PlanType.flexible ? '' : all);
  const amount = planType === PlanType.flexible ? fromInput(typed) : all;
  const hint = partHint(typed, all, coin, useScale(coin));
  const isGood = amount !== null && isPositive(amount) && hint === null;
  const redeem = useAction(
    // Another amount is another redemption; the same amount repeats the unanswered one.
    async (part: Decimal) => {
      const previewed = latest(earnFeeds.redeemPreview(applyId, part));
      await once(['redeem', applyId, part], (idempotencyKey) =>
        client.redeem({ applyId, amount: part }, { idempotencyKey }),
      );
      return redeemedWords({ planType, amount: part, coin }, previewed?.timeToRedeem ?? null);
    },
    { refreshes: AFFECTED, done: (words) => words, onDone },
  );
  const change = (value: string) => {
    setTyped(value);
    redeem.clear();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isGood) redeem.run(amount);
      }}
    >
      <Stack gap="md">
        {planType === PlanType.flexible ? (
          <PartField all={all} coin={coin} value={typed} hint={hint} onChange={change} />
        ) : null}
        <div aria-live="polite">
          {isGood ? <Outcome subscription={subscription} amount={amount} /> : null}
        </div>
        <RefusalNote error={redeem.error} onUse={change} />
        {isNotReached(redeem.error) ? (
          <Text size="sm">Send it again: the exchange executes it only once.</Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            Back
          </Button>
          <Button type="submit" disabled={!isGood} loading={redeem.pending}>
            {planType !== PlanType.flexible
              ? 'Redeem early'
              : isGood
                ? `Redeem ${grouped(amount)} ${coin}`
                : 'Redeem'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface PartFieldProps {
  readonly all: Decimal;
  readonly coin: string;
  readonly value: string;
  readonly hint: Hint | null;
  readonly onChange: (value: string) => void;
}

function PartField({ all, coin, value, hint, onChange }: PartFieldProps) {
  return (
    <div>
      <div className={calculator.labelRow}>
        <label htmlFor="redeem-amount">Amount</label>
        <span className="dim figures">
          {grouped(all)} {coin} in the plan
        </span>
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
        <Button variant="default" size="md" onClick={() => onChange(all)} aria-label="All of it">
          All
        </Button>
      </div>
      <HintLine id="redeem-hint" hint={hint} unit={coin} onUse={onChange} />
    </div>
  );
}

function Outcome({ subscription, amount }: Of & { readonly amount: Decimal }) {
  const [settled] = useDebouncedValue(amount, 200);
  const preview = useLive(earnFeeds.redeemPreview(subscription.applyId, settled));
  const isTerm = subscription.planType !== PlanType.flexible;
  const paid = useLive(isTerm ? earnFeeds.paidOfTerm(subscription) : null);
  if (isTerm && paid.isPending) return null;
  if (preview.error !== null && preview.data === undefined) {
    return <RefusalNote error={preview.error} />;
  }
  return (
    <Loaded live={preview} rows={2}>
      {({ forfeitedEarningAmount, timeToRedeem, boosterAmount, boosterCoin }) => {
        const { planType, coin } = subscription;
        const forfeited = forfeitedEarningAmount;
        const { sentence } = outcomeOf({
          planType,
          coin,
          amount,
          forfeited,
          paid: paid.data ?? null,
        });
        const booster =
          boosterAmount === null
            ? ''
            : ` The booster, ${grouped(boosterAmount)} ${boosterCoin}, comes back as well.`;
        return (
          <p className={styles.sentence}>
            {sentence}
            {booster} It arrives in your spot balance {arrivalWord(timeToRedeem)}.
            {timeToRedeem === 0 ? '' : ' Until then it does not earn, and you cannot undo it.'}
          </p>
        );
      }}
    </Loaded>
  );
}

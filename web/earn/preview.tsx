// The preview of a subscription: its estimated interest in the form, and the confirmation before
// money moves.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useLocation } from 'wouter';
import { type ApplyPreview, type Plan, PlanType } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { Code, hasCode, isNotReached, Rejection } from '../api/rejection.ts';
import { useAction } from '../components/action.ts';
import { AssetAmount } from '../components/figures.tsx';
import { RejectionNote } from '../components/layout.tsx';
import { PlainButton } from '../components/texts.tsx';
import { isZero } from '../exact/decimal.ts';
import { common } from '../messages/common.ts';
import { earnText as t } from '../messages/earn.ts';
import type { Application, Draft } from './application.ts';
import styles from './calculator.module.css';
import { AFFECTED, useScale } from './feeds.ts';
import { once } from './once.ts';
import { Facts, NeedsVerification } from './parts.tsx';
import {
  amountIn,
  aprWord,
  arrivalFact,
  type Compounds,
  type Fact,
  interestFact,
  interestOfDays,
  midnightFact,
  rhythmWord,
  waitSentence,
} from './words.ts';

export interface EstimateProps {
  readonly preview: ApplyPreview;
  readonly withBooster: boolean;
  readonly compounds: Compounds;
  /** True if the server would accept the request; otherwise no interest is shown. */
  readonly isPossible: boolean;
}

export function Estimate({ preview, withBooster, compounds, isPossible }: EstimateProps) {
  const { coin, amount, lockDay } = preview;
  return (
    <section className={styles.estimate} aria-live="polite" aria-label={t.form.estimate}>
      {isZero(amount) || !isPossible ? null : (
        <>
          {lockDay === null ? null : (
            <>
              <div className={`figures ${styles.interest}`}>{interestOf(preview, withBooster)}</div>
              <div className={styles.caption}>{t.form.onTerm(amountIn(coin, amount), lockDay)}</div>
            </>
          )}
          <Spans preview={preview} withBooster={withBooster} />
        </>
      )}
      <Facts facts={factsOf(preview, withBooster, compounds)} />
    </section>
  );
}

const SPANS = Object.entries(t.form.spans).map(([days, name]) => [Number(days), name] as const);

/** The interest of a day, of 30 days and of a year, at the rate of the preview. */
function Spans({ preview, withBooster }: Pick<EstimateProps, 'preview' | 'withBooster'>) {
  const { coin, amount, apy, totalApy, lockDay } = preview;
  const scale = useScale(coin);
  if (scale === null) return null;
  const rate = withBooster ? totalApy : apy;
  return (
    <>
      <dl className={styles.spans}>
        {SPANS.map(([days, name]) => (
          <div key={days}>
            <dt className="dim">{name}</dt>
            <dd>
              <AssetAmount value={interestOfDays(amount, rate, days, scale)} asset={coin} signed />
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.caption}>
        {(lockDay === null ? t.form.atTodaysRate : t.form.atTermRate)(coin)}
      </div>
    </>
  );
}

/** Without a booster, both amounts of a preview are the same. */
const interestOf = (preview: ApplyPreview, withBooster: boolean): string =>
  `+${amountIn(preview.coin, withBooster ? preview.totalInterestAmount : preview.interestAmount)}`;

function factsOf(
  preview: ApplyPreview,
  withBooster: boolean,
  compounds: Compounds,
): readonly (Fact | null)[] {
  const { apy, totalApy, lockDay, rewardFrequency, startDate, endDate } = preview;
  const booster = withBooster ? preview.boosterInfo : null;
  return [
    {
      name: t.facts.apr,
      value:
        booster === null
          ? aprWord(apy)
          : t.facts.aprWithBooster(aprWord(totalApy), aprWord(apy), aprWord(booster.apy)),
    },
    lockDay === null ? null : { name: t.facts.term, value: t.days(lockDay) },
    interestFact(rhythmWord(rewardFrequency, lockDay), compounds),
    booster === null
      ? null
      : { name: t.facts.boosterLocked, value: amountIn(booster.coin, booster.boosterAmount) },
    midnightFact(t.facts.firstDay, startDate),
    endDate === null ? null : midnightFact(t.facts.ends, endDate),
  ];
}

export interface ConfirmationProps {
  readonly plan: Plan;
  readonly application: Application;
  readonly preview: ApplyPreview;
  readonly compounds: Compounds;
  readonly onClose: () => void;
  /** Takes the nearest accepted value. */
  readonly onUse: (part: Partial<Draft>) => void;
}

export function Confirmation(props: ConfirmationProps) {
  const { plan, application, preview, onClose, onUse } = props;
  const [, navigate] = useLocation();
  const { coin, planName } = plan;
  const adds = preview.appliedAmount !== null;
  const amount = amountIn(coin, application.amount);
  const apply = useAction(
    () =>
      once(['apply', application], (idempotencyKey) =>
        client.applyPlan(application, { idempotencyKey }),
      ),
    {
      refreshes: AFFECTED,
      done: adds
        ? t.confirmation.added(amount, planName)
        : t.confirmation.subscribed(amount, planName),
      onDone: ({ applyId }) => navigate(`/earn/subscriptions/${applyId}`),
    },
  );
  const use = (nearest: string, field: string | undefined) => {
    onUse(field === 'lockDay' ? { day: nearest } : { amount: nearest });
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={adds ? t.confirmation.add(planName) : t.confirmation.subscribe(planName)}
    >
      <Stack gap="md">
        <Facts facts={confirmedFacts(props)} />
        <Consequence plan={plan} redeemLockHours={preview.redeemLockHours} />
        <RejectionNote error={apply.error} {...(namesInput(apply.error) ? { onUse: use } : {})} />
        {isNotReached(apply.error) ? <Text size="sm">{t.sendAgain}</Text> : null}
        {hasCode(apply.error, Code.kycRequired) ? (
          <Text size="sm">
            <NeedsVerification />
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <PlainButton onClick={onClose}>{common.cancel}</PlainButton>
          <Button onClick={() => apply.run()} loading={apply.pending} data-autofocus>
            {adds ? t.confirmation.addAmount(amount) : t.confirmation.subscribeAmount(amount)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** True if a rejection concerns a field of the form. */
const namesInput = (error: unknown): boolean =>
  error instanceof Rejection && ['amount', 'lockDay'].includes(error.details.field ?? '');

function confirmedFacts(props: ConfirmationProps): readonly (Fact | null)[] {
  const { plan, application, preview, compounds } = props;
  const withBooster = application.boosterAmount !== undefined;
  const isFlexible = plan.planType === PlanType.flexible;
  return [
    { name: t.facts.amount, value: amountIn(plan.coin, application.amount) },
    preview.lockDay === null
      ? null
      : { name: t.facts.interestOfTerm, value: interestOf(preview, withBooster) },
    ...factsOf(preview, withBooster, compounds),
    isFlexible || !plan.supportAutoRenew
      ? null
      : { name: t.facts.autoRenew, value: application.autoRenew ? t.yes : t.no },
    isFlexible || plan.supportEarlyRedemption ? arrivalFact(preview.redeemLockHours) : null,
  ];
}

interface ConsequenceProps {
  readonly plan: Plan;
  readonly redeemLockHours: number;
}

function Consequence({ plan, redeemLockHours }: ConsequenceProps) {
  const wait = waitSentence(redeemLockHours);
  const isFlexible = plan.planType === PlanType.flexible;
  if (!isFlexible && !plan.supportEarlyRedemption) {
    return <p className={`warn ${styles.warning}`}>{t.confirmation.locked}</p>;
  }
  // A lock time also binds money, for a shorter time.
  return (
    <p className={`${wait === '' ? 'dim' : 'warn'} ${styles.warning}`}>
      {isFlexible ? t.confirmation.flexible : t.confirmation.early} {wait}
    </p>
  );
}

// One subscription: its state, its daily interest, and its redemption.
import { Progress } from '@mantine/core';
import { PlanType, SubscriptionStatus } from '../../src/sdk/index.ts';
import { Loaded, Panel } from '../components/layout.tsx';
import { LinkButton, TextLink } from '../components/texts.tsx';
import { Tile, Tiles } from '../components/tiles.tsx';
import { isPositive, subtract } from '../exact/decimal.ts';
import { percent, utcDay } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { earnText } from '../messages/earn.ts';
import { useSession } from '../session/session.ts';
import { LoginNeeded, NotFound } from '../shell/notices.tsx';
import { AutoRenew } from './auto-renew.tsx';
import { earnFeeds, useNow } from './feeds.ts';
import { InterestChart, InterestTable } from './interest.tsx';
import { Back, Facts, StatusBadge } from './parts.tsx';
import page from './plan-page.module.css';
import { nextPayout, progressOf, until } from './progress.ts';
import { ClaimInterest, owesOnlyInterest, Redeem } from './redeem.tsx';
import { endedEarly, forfeitedFrom, type Subscription } from './redemption.ts';
import { Redemptions } from './redemptions.tsx';
import styles from './subscription.module.css';
import {
  amountIn,
  aprWord,
  type Fact,
  interestFact,
  midnightFact,
  rateParts,
  redeemFact,
  rhythmWord,
  typeWord,
} from './words.ts';

const t = earnText.subscription;
const f = earnText.facts;

export function SubscriptionPage({ applyId }: { readonly applyId: string }) {
  const { state } = useSession();
  const live = useLive(state === 'loggedIn' ? earnFeeds.subscription(applyId) : null);
  if (!/^\d{1,15}$/.test(applyId)) return <NotFound />;
  if (state === 'loggedOut') return <LoginNeeded title={t.title} />;
  return (
    <div className={page.page}>
      <Back />
      <Loaded live={live} rows={8}>
        {(subscription) => <Details subscription={subscription} />}
      </Loaded>
    </div>
  );
}

interface Of {
  readonly subscription: Subscription;
}

function Details({ subscription }: Of) {
  const now = useNow();
  const { planName, planType, planId, coin, applyId, amount, status, totalEarnedAmount } =
    subscription;
  // Only the plan says whether an ended subscription compounded.
  const { data: plan } = useLive(earnFeeds.plan(planId));
  const forfeited = forfeitedFrom(subscription);
  return (
    <>
      <header className={page.head}>
        <div>
          <h1>{planName}</h1>
          <p className="dim">{t.head(typeWord(planType), coin, applyId)}</p>
        </div>
        <StatusBadge subscription={subscription} now={now} />
      </header>
      <Tiles label={t.title}>
        <Tile name={AMOUNT_NAMES[status]} value={amountIn(coin, amount)} />
        <Tile
          name={t.earnedSoFar}
          value={`${isPositive(totalEarnedAmount) ? '+' : ''}${amountIn(coin, totalEarnedAmount)}`}
          note={forfeited === null ? null : t.forfeited}
          good={isPositive(totalEarnedAmount)}
        />
        <Tile name={f.apr} value={aprWord(subscription.totalApy)} note={rateParts(subscription)} />
        <NextPayoutTile subscription={subscription} now={now} />
      </Tiles>
      <div className={page.columns}>
        <div className={page.side}>
          <Panel title={t.termAndPayout}>
            <TermBar subscription={subscription} now={now} />
            <Facts
              facts={[
                ...factsOf(subscription, plan?.autoCompound ?? false),
                useBoosterFact(subscription),
              ]}
            />
            <Actions subscription={subscription} />
          </Panel>
        </div>
        <div className={page.main}>
          <Panel title={t.dailyInterest}>
            <InterestChart applyId={applyId} coin={coin} forfeitedFrom={forfeited} />
          </Panel>
          <InterestTable applyId={applyId} coin={coin} forfeitedFrom={forfeited} />
          <Redemptions subscription={subscription} />
        </div>
      </div>
    </>
  );
}

const AMOUNT_NAMES = {
  [SubscriptionStatus.processing]: t.earningPrincipal,
  [SubscriptionStatus.redeeming]: t.inRedemption,
  [SubscriptionStatus.partiallyRedeeming]: t.earningPrincipal,
  [SubscriptionStatus.redeemed]: t.lastPrincipal,
} as const;

interface OfNow extends Of {
  readonly now: number | null;
}

function NextPayoutTile({ subscription, now }: OfNow) {
  const isEarning =
    subscription.status === SubscriptionStatus.processing ||
    subscription.status === SubscriptionStatus.partiallyRedeeming;
  const at = now === null || !isEarning ? null : nextPayout(subscription, now);
  if (at === null || now === null) return <Tile name={t.nextPayout} value={earnText.nothing} />;
  return <Tile name={t.nextPayout} value={utcDay(at)} note={t.payoutAt(until(at, now))} />;
}

function TermBar({ subscription, now }: OfNow) {
  const { status } = subscription;
  if (
    now === null ||
    status === SubscriptionStatus.redeeming ||
    status === SubscriptionStatus.redeemed
  )
    return null;
  const { daysDone, daysTotal, percent: done } = progressOf(subscription, now);
  if (daysTotal === null || done === null) return null;
  const label = t.daysDone(daysDone, daysTotal);
  return (
    <div className={styles.term}>
      <Progress value={done} aria-label={label} />
      <span className="dim figures">{label}</span>
    </div>
  );
}

/** The booster of a subscription, with its amount while it is locked and can be redeemed. */
function useBoosterFact(subscription: Subscription): Fact | null {
  const { applyId, amount, apy, totalApy, status, supportEarlyRedemption } = subscription;
  const rate = subtract(totalApy, apy);
  const isLocked = isPositive(rate) && status === SubscriptionStatus.processing;
  const { data } = useLive(
    isLocked && supportEarlyRedemption ? earnFeeds.redeemPreview(applyId, amount) : null,
  );
  if (!isPositive(rate)) return null;
  const { boosterAmount = null, boosterCoin = null } = data ?? {};
  const locked = boosterAmount === null || boosterCoin === null ? null : boosterCoin;
  return {
    name: f.booster,
    value:
      locked === null
        ? f.boosterRate(percent(rate))
        : f.boosterValue(percent(rate), amountIn(locked, boosterAmount!)),
    meaning: f.boosterMeaning(locked ?? f.anotherCoin),
  };
}

function factsOf(subscription: Subscription, compounds: boolean): readonly (Fact | null)[] {
  const { startDate, endDate, lockDay, rewardFrequency, planType } = subscription;
  const isOver = subscription.status === SubscriptionStatus.redeemed;
  const isEarly = endedEarly(subscription);
  return [
    {
      name: f.firstDay,
      value: utcDay(startDate),
      meaning: f.firstDayMeaning,
    },
    endDate === null || isEarly ? null : midnightFact(isOver ? f.ended : f.ends, endDate),
    lockDay === null ? null : { name: f.term, value: earnText.days(lockDay) },
    interestFact(rhythmWord(rewardFrequency, lockDay), compounds),
    isOver || isEarly ? null : redeemFact(planType, subscription.supportEarlyRedemption),
  ];
}

/** Controls to add, renew, redeem, or claim interest. */
function Actions({ subscription }: Of) {
  const { applyId, planType, planId, status, supportEarlyRedemption, autoRenew } = subscription;
  const planPath = `/earn/plans/${planId}`;
  if (status === SubscriptionStatus.redeemed) {
    return (
      <p className={`dim ${styles.note}`}>
        {endedEarly(subscription) ? t.endedEarly : t.ended}{' '}
        <TextLink href={planPath} underline="always">
          {t.thePlan}
        </TextLink>
      </p>
    );
  }
  const isFlexible = planType === PlanType.flexible;
  return (
    <div className={styles.ways}>
      {owesOnlyInterest(subscription) ? (
        <ClaimInterest applyId={applyId} />
      ) : (
        <>
          {isFlexible ? null : <AutoRenew subscription={subscription} label={f.autoRenew} />}
          {isFlexible && status !== SubscriptionStatus.redeeming ? (
            <LinkButton href={planPath}>{t.add}</LinkButton>
          ) : null}
          {isFlexible || supportEarlyRedemption ? (
            <Redeem subscription={subscription} />
          ) : (
            <p className={`dim ${styles.note}`}>{t.noEarlyEnd(autoRenew)}</p>
          )}
        </>
      )}
    </div>
  );
}

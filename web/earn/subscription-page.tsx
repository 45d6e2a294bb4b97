// One subscription: its state, its daily interest, and its redemption.
import { Anchor, Button, Progress } from '@mantine/core';
import { Link } from 'wouter';
import { PlanType, SubscriptionStatus } from '../../src/sdk/index.ts';
import { Panel } from '../components/panel.tsx';
import { Loaded } from '../components/states.tsx';
import { isPositive } from '../exact/decimal.ts';
import { grouped, percent, utcDay } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { useSession } from '../session/session.ts';
import { LoginNeeded, NotFound } from '../shell/notices.tsx';
import { AutoRenew } from './auto-renew.tsx';
import { Back } from './back.tsx';
import { type Fact, Facts } from './facts.tsx';
import { earnFeeds, useNow } from './feeds.ts';
import { InterestChart } from './interest-chart.tsx';
import { InterestTable } from './interest-table.tsx';
import { OwedInterest, onlyInterestIsLeft } from './owed-interest.tsx';
import page from './plan-page.module.css';
import { nextPayout, progressOf, until } from './progress.ts';
import { Redeem } from './redeem.tsx';
import { endedEarly, givenUpFrom, type Subscription } from './redemption.ts';
import { Redemptions } from './redemptions.tsx';
import { StatusBadge } from './status-badge.tsx';
import styles from './subscription.module.css';
import { days, interestFact, rateParts, rhythmWord, typeWord } from './words.ts';

export function SubscriptionPage({ applyId }: { readonly applyId: string }) {
  const { state } = useSession();
  const live = useLive(state === 'loggedIn' ? earnFeeds.subscription(applyId) : null);
  if (!/^\d{1,15}$/.test(applyId)) return <NotFound />;
  if (state === 'loggedOut') return <LoginNeeded title="My subscription" />;
  return (
    <div className={page.page}>
      <Back />
      <Loaded live={live} rows={8}>
        {(subscription) => <Shown subscription={subscription} />}
      </Loaded>
    </div>
  );
}

interface Of {
  readonly subscription: Subscription;
}

function Shown({ subscription }: Of) {
  const now = useNow();
  const { planName, planType, planId, coin, applyId, amount, status, totalEarnedAmount } =
    subscription;
  const parts = rateParts(subscription);
  // Only the plan says whether an ended subscription compounded.
  const { data: plan } = useLive(earnFeeds.plan(planId));
  const lost = givenUpFrom(subscription);
  return (
    <>
      <header className={page.head}>
        <div>
          <h1>{planName}</h1>
          <p className="dim">
            {typeWord(planType)} · {coin} · subscription {applyId}
          </p>
        </div>
        <StatusBadge subscription={subscription} now={now} />
      </header>
      <div className={styles.tiles}>
        <Tile name={AMOUNT_NAMES[status]} value={`${grouped(amount)} ${coin}`} />
        <Tile
          name="Earned so far"
          value={`${isPositive(totalEarnedAmount) ? '+' : ''}${grouped(totalEarnedAmount)} ${coin}`}
          {...(lost === null ? {} : { note: 'the interest of the term was forfeited' })}
          good={isPositive(totalEarnedAmount)}
        />
        <Tile
          name="APR"
          value={percent(subscription.totalApy)}
          {...(parts === null ? {} : { note: parts })}
        />
        <NextPayoutTile subscription={subscription} now={now} />
      </div>
      <div className={page.columns}>
        <div className={page.side}>
          <Panel title="Term and payout">
            <TermBar subscription={subscription} now={now} />
            <Facts facts={factsOf(subscription, plan?.autoCompound ?? false)} />
            <Ways subscription={subscription} />
          </Panel>
        </div>
        <div className={page.main}>
          <Panel title="Daily interest">
            <InterestChart applyId={applyId} coin={coin} givenUpFrom={lost} />
          </Panel>
          <Panel title="Days" flush>
            <InterestTable applyId={applyId} coin={coin} givenUpFrom={lost} />
          </Panel>
          <Redemptions subscription={subscription} />
        </div>
      </div>
    </>
  );
}

const AMOUNT_NAMES = {
  [SubscriptionStatus.processing]: 'Earning principal',
  [SubscriptionStatus.redeeming]: 'In redemption',
  [SubscriptionStatus.partiallyRedeeming]: 'Earning principal',
  [SubscriptionStatus.redeemed]: 'Principal of the last term',
} as const;

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  readonly good?: boolean;
}

function Tile({ name, value, note, good = false }: TileProps) {
  return (
    <div className={styles.tile}>
      <span className="dim">{name}</span>
      <span className={`figures ${styles.tileValue} ${good ? 'buy' : ''}`}>{value}</span>
      {note === undefined ? null : <span className="dim">{note}</span>}
    </div>
  );
}

interface OfNow extends Of {
  readonly now: number | null;
}

function NextPayoutTile({ subscription, now }: OfNow) {
  const isEarning =
    subscription.status === SubscriptionStatus.processing ||
    subscription.status === SubscriptionStatus.partiallyRedeeming;
  const at = now === null || !isEarning ? null : nextPayout(subscription, now);
  if (at === null || now === null) return <Tile name="Next payout" value="–" />;
  return <Tile name="Next payout" value={utcDay(at)} note={`00:00 UTC, ${until(at, now)}`} />;
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
  const label = `${daysDone} of ${daysTotal} days done`;
  return (
    <div className={styles.term}>
      <Progress value={done} aria-label={label} />
      <span className="dim figures">{label}</span>
    </div>
  );
}

function factsOf(subscription: Subscription, compounds: boolean): readonly Fact[] {
  const { startDate, endDate, lockDay, rewardFrequency, planType, supportEarlyRedemption } =
    subscription;
  const isOver = subscription.status === SubscriptionStatus.redeemed;
  const isEarly = endedEarly(subscription);
  return [
    {
      name: 'First interest day',
      value: utcDay(startDate),
      meaning: 'The UTC day after the subscription or renewal.',
    },
    ...(endDate === null || isEarly
      ? []
      : [{ name: isOver ? 'Ended' : 'Ends', value: `${utcDay(endDate)}, 00:00 UTC` }]),
    ...(lockDay === null ? [] : [{ name: 'Term', value: days(lockDay) }]),
    interestFact(rhythmWord(rewardFrequency, lockDay), compounds),
    ...(isOver || isEarly
      ? []
      : [
          {
            name: planType === PlanType.flexible ? 'Redeem' : 'Redeem early',
            value:
              planType === PlanType.flexible
                ? 'any amount, any time'
                : supportEarlyRedemption
                  ? 'in full, without interest'
                  : 'not possible',
          },
        ]),
  ];
}

function Ways({ subscription }: Of) {
  const { applyId, planType, planId, status, supportEarlyRedemption, autoRenew } = subscription;
  if (status === SubscriptionStatus.redeemed) {
    return (
      <p className={`dim ${styles.note}`}>
        {endedEarly(subscription)
          ? 'You redeemed early: the principal, less the paid interest, is in your spot balance.'
          : 'It ended, and everything is in your spot balance.'}{' '}
        <Anchor component={Link} href={`/earn/plans/${planId}`} size="sm" underline="always">
          The plan
        </Anchor>
      </p>
    );
  }
  if (onlyInterestIsLeft(subscription)) {
    return (
      <div className={styles.ways}>
        <OwedInterest applyId={applyId} />
      </div>
    );
  }
  const isFlexible = planType === PlanType.flexible;
  return (
    <div className={styles.ways}>
      {isFlexible ? null : <AutoRenew subscription={subscription} label="Auto renew" />}
      {isFlexible && status !== SubscriptionStatus.redeeming ? (
        <Button component={Link} href={`/earn/plans/${planId}`}>
          Add
        </Button>
      ) : null}
      {isFlexible || supportEarlyRedemption ? <Redeem subscription={subscription} /> : null}
      {isFlexible || supportEarlyRedemption ? null : (
        <p className={`dim ${styles.note}`}>
          The plan does not allow ending the term early.{' '}
          {autoRenew
            ? 'At its end the last interest is paid, and another term starts.'
            : 'At its end, principal and interest go to your spot balance automatically.'}
        </p>
      )}
    </div>
  );
}

// One plan: its terms, what happens when, and the way into it.
import { Badge } from '@mantine/core';
import { useState } from 'react';
import { type ApplyPreview, PlanType } from '../../src/sdk/index.ts';
import { Panel } from '../components/panel.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { grouped, percent } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { useSession } from '../session/session.ts';
import type { Form } from './application.ts';
import { Back } from './back.tsx';
import { Calculator } from './calculator.tsx';
import { type Fact, Facts } from './facts.tsx';
import { earnFeeds } from './feeds.ts';
import { rateWord } from './offer-list.tsx';
import { type Offer, rhythmOf } from './offers.ts';
import { Invitation } from './overview.tsx';
import styles from './plan-page.module.css';
import { momentsOf } from './timeline.ts';
import {
  arrivalFact,
  type Compounds,
  compoundsOf,
  interestFact,
  termWord,
  typeWord,
} from './words.ts';

export function PlanPage({ planId }: { readonly planId: string }) {
  const { state } = useSession();
  const loggedIn = state === 'loggedIn';
  const offers = useLive(state === 'unknown' ? null : earnFeeds.offers(loggedIn));
  return (
    <div className={styles.page}>
      <Back />
      <Loaded live={offers} rows={8}>
        {(list) => {
          const offer = list.find(({ plan }) => plan.planId === planId);
          return offer === undefined ? <NotOpen /> : <Opened offer={offer} loggedIn={loggedIn} />;
        }}
      </Loaded>
    </div>
  );
}

const NotOpen = () => (
  <Empty title="This plan is not open">
    It may have been closed, or never have been there. Who is in a closed plan stays, earns, and can
    redeem under “My subscriptions”.
  </Empty>
);

function Opened({ offer, loggedIn }: { readonly offer: Offer; readonly loggedIn: boolean }) {
  const { plan, rate, terms } = offer;
  const compounds = compoundsOf(offer);
  const [shown, setShown] = useState<{ preview: ApplyPreview; form: Form } | null>(null);
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>{plan.planName}</h1>
          <p className="dim">
            {typeWord(plan.planType)} · {plan.coin}
            {plan.label === '' ? null : (
              <Badge size="sm" radius="sm" variant="light" ml={8}>
                {plan.label}
              </Badge>
            )}
          </p>
        </div>
        <div className={styles.headRate}>
          <span className="figures">{rateWord(rate)}</span>
          <span className="dim">{compounds === false ? 'a year, simple interest' : 'a year'}</span>
        </div>
      </header>
      <div className={styles.columns}>
        <div className={styles.side}>
          {loggedIn && terms !== null ? (
            <Calculator offer={offer} terms={terms} compounds={compounds} onShown={setShown} />
          ) : (
            <Invitation next={`/earn/plans/${plan.planId}`} />
          )}
        </div>
        <div className={styles.main}>
          <Panel title="Terms">
            <Facts facts={factsOf(offer, compounds)} />
          </Panel>
          {terms === null ? null : (
            <Panel title="What happens when">
              <Timeline
                preview={shown?.preview ?? terms}
                form={shown?.form ?? null}
                compounds={compounds}
              />
            </Panel>
          )}
          <HowItWorks offer={offer} compounds={compounds} />
        </div>
      </div>
    </>
  );
}

interface TimelineProps {
  readonly preview: ApplyPreview;
  readonly form: Form | null;
  readonly compounds: Compounds;
}

function Timeline({ preview, form, compounds }: TimelineProps) {
  const moments = momentsOf(preview, {
    autoRenew: form?.autoRenew ?? false,
    withBooster: form?.withBooster ?? false,
    compounds,
  });
  return (
    <>
      <ol className={styles.timeline}>
        {moments.map(({ when, what }) => (
          <li key={what}>
            <span className={`figures ${styles.when}`}>{when}</span>
            <span>{what}</span>
          </li>
        ))}
      </ol>
      <p className={`dim ${styles.note}`}>Days are UTC days; each begins at 00:00 UTC.</p>
    </>
  );
}

const FLEXIBLE: Readonly<Record<'paid' | 'added' | 'either', string>> = {
  paid: 'The interest of this plan comes to your spot balance.',
  added:
    'This plan compounds: its interest is added to the amount and earns from that midnight on.',
  either:
    'Where a flexible plan compounds, its interest is added to the amount and earns from that midnight on as well; where it does not, it comes to your spot balance.',
};

interface HowItWorksProps {
  readonly offer: Offer;
  readonly compounds: Compounds;
}

function HowItWorks({ offer: { plan }, compounds }: HowItWorksProps) {
  return (
    <Panel title="How interest is computed">
      <div className={styles.prose}>
        <p>
          A day earns the amount × the annual rate ÷ 365. That is cut to the smallest unit of{' '}
          {plan.coin}; the fraction that is cut off is carried to the next day, so nothing is lost
          on the way. The page of a subscription shows the computation of each day.
        </p>
        {plan.planType === PlanType.flexible ? (
          <p>
            {FLEXIBLE[compounds === null ? 'either' : compounds ? 'added' : 'paid']} What counts for
            a day is the least that you had in the plan on it.
          </p>
        ) : (
          <p>
            The rate of the first day holds for the whole term
            {plan.supportAutoRenew
              ? '; a term that renews begins with the rate of its new first day'
              : ''}
            . Interest that is paid goes to your spot balance and does not earn by itself.
          </p>
        )}
        {plan.planType !== PlanType.flexible && plan.supportEarlyRedemption ? (
          <p>
            Ending the term early gives up all the interest of this term: what was not paid yet is
            dropped, and what was paid is taken back from the amount. It is shown to the last digit
            before you decide.
          </p>
        ) : null}
      </div>
    </Panel>
  );
}

function factsOf(offer: Offer, compounds: Compounds): readonly Fact[] {
  const { plan, terms } = offer;
  const isFlexible = plan.planType === PlanType.flexible;
  const rhythm = rhythmOf(offer);
  const booster = terms?.boosterInfo ?? null;
  const redeems = isFlexible || plan.supportEarlyRedemption;
  return [
    { name: 'Term', value: termWord(plan) },
    { name: 'Least', value: `${grouped(plan.userAmountMin)} ${plan.coin}` },
    {
      name: 'Most',
      value: `${grouped(plan.userAmountMax)} ${plan.coin}`,
      meaning: 'What one customer may have in this plan altogether.',
    },
    ...(rhythm === null ? [] : [interestFact(rhythm, compounds)]),
    {
      name: isFlexible ? 'Redeem' : 'Redeem early',
      value: isFlexible
        ? 'any part, any time'
        : plan.supportEarlyRedemption
          ? 'the whole, without its interest'
          : 'not before the end',
    },
    ...(terms === null || !redeems ? [] : [arrivalFact(terms.redeemLockHours)]),
    ...(isFlexible
      ? []
      : [
          {
            name: 'Auto renew',
            value: plan.supportAutoRenew ? 'if you switch it on' : 'no',
            meaning: 'At its end a term begins anew with the same amount and as many days.',
          },
        ]),
    ...(booster === null
      ? []
      : [
          {
            name: 'Booster',
            value: `+${percent(booster.apy)} with ${booster.coin}`,
            meaning: `An amount of ${booster.coin} that is locked for the term and raises the rate. It comes back with the amount.`,
          },
        ]),
    ...(terms?.requiresKyc ? [{ name: 'Open to', value: 'verified customers' }] : []),
  ];
}

// One plan: its terms, a timeline, and the subscription form.
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
    It is closed or does not exist. Subscriptions in a closed plan still earn; redeem them under “My
    subscriptions”.
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
          <span className="dim">{compounds === false ? 'APR, simple interest' : 'APR'}</span>
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
            <Panel title="Timeline">
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
  paid: 'Interest goes to your spot balance.',
  added: 'This plan compounds: interest joins the principal and earns from that midnight.',
  either:
    'If a flexible plan compounds, interest joins the principal and earns from that midnight. Otherwise it goes to your spot balance.',
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
          A day earns principal × APR ÷ 365, rounded down to the smallest unit of {plan.coin}. The
          fraction is carried to the next day, so nothing is lost. A subscription’s page shows the
          computation of each day.
        </p>
        {plan.planType === PlanType.flexible ? (
          <p>
            {FLEXIBLE[compounds === null ? 'either' : compounds ? 'added' : 'paid']} A day’s
            interest uses the lowest principal of that day.
          </p>
        ) : (
          <p>
            The rate of the first day applies to the whole term
            {plan.supportAutoRenew ? '; a renewed term takes the rate of its own first day' : ''}.
            Interest goes to your spot balance and does not earn.
          </p>
        )}
        {plan.planType !== PlanType.flexible && plan.supportEarlyRedemption ? (
          <p>
            An early redemption forfeits all interest of the term: unpaid interest is dropped, and
            paid interest is taken back from the amount. You see the exact amounts before you
            confirm.
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
    { name: 'Minimum', value: `${grouped(plan.userAmountMin)} ${plan.coin}` },
    {
      name: 'Maximum',
      value: `${grouped(plan.userAmountMax)} ${plan.coin}`,
      meaning: 'The maximum of one customer in this plan.',
    },
    ...(rhythm === null ? [] : [interestFact(rhythm, compounds)]),
    {
      name: isFlexible ? 'Redeem' : 'Redeem early',
      value: isFlexible
        ? 'any amount, any time'
        : plan.supportEarlyRedemption
          ? 'in full, without interest'
          : 'not possible',
    },
    ...(terms === null || !redeems ? [] : [arrivalFact(terms.redeemLockHours)]),
    ...(isFlexible
      ? []
      : [
          {
            name: 'Auto renew',
            value: plan.supportAutoRenew ? 'optional' : 'no',
            meaning: 'At its end a new term starts with the same amount and length.',
          },
        ]),
    ...(booster === null
      ? []
      : [
          {
            name: 'Booster',
            value: `+${percent(booster.apy)} with ${booster.coin}`,
            meaning: `An amount of ${booster.coin} that is locked for the term and raises the rate. It is returned with the principal.`,
          },
        ]),
    ...(terms?.requiresKyc ? [{ name: 'Open to', value: 'verified customers' }] : []),
  ];
}

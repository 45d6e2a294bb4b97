// One plan: its terms, a timeline, and the subscription form.
import { Badge } from '@mantine/core';
import { useState } from 'react';
import { type ApplyPreview, PlanType } from '../../src/sdk/index.ts';
import { Empty, Loaded, Panel } from '../components/layout.tsx';
import { useLive } from '../live/live.ts';
import { earnText } from '../messages/earn.ts';
import { useSession } from '../session/session.ts';
import type { Draft } from './application.ts';
import { Calculator } from './calculator.tsx';
import { earnFeeds } from './feeds.ts';
import { factsOf, type Offer, rateWord } from './offers.ts';
import { Back, Facts, Invitation } from './parts.tsx';
import styles from './plan-page.module.css';
import { momentsOf } from './timeline.ts';
import { type Compounds, compoundsOf, typeWord } from './words.ts';

const t = earnText.plan;

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
          return offer === undefined ? (
            <Empty title={t.notOpen} hint={t.notOpenWhy} />
          ) : (
            <OpenPlan offer={offer} loggedIn={loggedIn} />
          );
        }}
      </Loaded>
    </div>
  );
}

function OpenPlan({ offer, loggedIn }: { readonly offer: Offer; readonly loggedIn: boolean }) {
  const { plan, rate, terms } = offer;
  const compounds = compoundsOf(offer);
  const [shown, setShown] = useState<{ preview: ApplyPreview; draft: Draft } | null>(null);
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
          <span className="dim">{compounds === false ? t.aprSimple : earnText.facts.apr}</span>
        </div>
      </header>
      <div className={styles.columns}>
        <div className={styles.side}>
          {loggedIn && terms !== null ? (
            <Calculator plan={plan} terms={terms} compounds={compounds} onShown={setShown} />
          ) : (
            <Invitation next={`/earn/plans/${plan.planId}`} />
          )}
        </div>
        <div className={styles.main}>
          <Panel title={t.terms}>
            <Facts facts={factsOf(offer)} />
          </Panel>
          {terms === null ? null : (
            <Panel title={t.timeline}>
              <Timeline
                preview={shown?.preview ?? terms}
                draft={shown?.draft ?? null}
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
  readonly draft: Draft | null;
  readonly compounds: Compounds;
}

function Timeline({ preview, draft, compounds }: TimelineProps) {
  const { autoRenew = false, withBooster = false } = draft ?? {};
  return (
    <>
      <ol className={styles.timeline}>
        {momentsOf(preview, { autoRenew, withBooster, compounds }).map(({ when, what }) => (
          <li key={what}>
            <span className={`figures ${styles.when}`}>{when}</span>
            <span>{what}</span>
          </li>
        ))}
      </ol>
      <p className={`dim ${styles.note}`}>{t.timelineNote}</p>
    </>
  );
}

interface HowItWorksProps {
  readonly offer: Offer;
  readonly compounds: Compounds;
}

function HowItWorks({ offer: { plan }, compounds }: HowItWorksProps) {
  const isFlexible = plan.planType === PlanType.flexible;
  const how = compounds === null ? t.howEither : compounds ? t.howAdded : t.howPaid;
  return (
    <Panel title={t.how}>
      <div className={styles.prose}>
        <p>{t.howDay(plan.coin)}</p>
        <p>{isFlexible ? `${how} ${t.howLowest}` : t.howTerm(plan.supportAutoRenew)}</p>
        {!isFlexible && plan.supportEarlyRedemption ? <p>{t.howEarly}</p> : null}
      </div>
    </Panel>
  );
}

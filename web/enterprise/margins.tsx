// The plans with the enterprise's margins.
import { useState } from 'react';
import type { Margin } from '../../src/sdk/index.ts';
import { type Column, column, PagedPanel } from '../components/data-table.tsx';
import { Rate } from '../components/figures.tsx';
import { Empty } from '../components/layout.tsx';
import { PlainButton } from '../components/texts.tsx';
import { typeWord } from '../earn/words.ts';
import { useLive } from '../live/live.ts';
import { earnText } from '../messages/earn.ts';
import { enterprise as text } from '../messages/enterprise.ts';
import { CoinChoice } from './coin-choice.tsx';
import styles from './enterprise.module.css';
import { enterpriseFeeds } from './feeds.ts';
import { effectOf, TYPE_OF } from './margin.ts';
import { MarginDialog } from './margin-dialog.tsx';

export function Margins() {
  const [coin, setCoin] = useState<string | undefined>(undefined);
  const [edited, setEdited] = useState<Margin | null>(null);
  const plans = useLive(enterpriseFeeds.plans);
  const openPlan = (planId: string) => plans.data?.find((plan) => plan.planId === planId);
  const nameOf = ({ planId }: Margin) => openPlan(planId)?.planName ?? text.planName(planId);
  return (
    <>
      <PagedPanel
        title={text.margins}
        feed={(page) => enterpriseFeeds.margins(coin, page)}
        filter={coin ?? ''}
        counts
        columns={columns(nameOf, setEdited)}
        keyOf={({ planId }) => planId}
        empty={<Empty title={text.noPlans} />}
        actions={<CoinChoice value={coin} onChange={setCoin} />}
      />
      <p className={`dim ${styles.note}`}>{text.marginsNote}</p>
      {edited === null ? null : (
        <MarginDialog
          key={edited.planId}
          plan={edited}
          name={nameOf(edited)}
          highest={openPlan(edited.planId)?.maxApr ?? null}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

const columns = (
  nameOf: (plan: Margin) => string,
  edit: (plan: Margin) => void,
): readonly Column<Margin>[] => [
  column.of(text.plan, (plan) => (
    <div className={styles.plan}>
      <span className="clamped" title={nameOf(plan)}>
        {nameOf(plan)}
      </span>
      <span className="dim">
        {typeWord(TYPE_OF[plan.planType])} · {plan.asset}
      </span>
    </div>
  )),
  column.of(
    text.term,
    ({ planType, planDuration }) =>
      planType === 'FLEXIBLE' ? (
        <span className="dim">{text.noTerm}</span>
      ) : (
        (planType === 'CUSTOMIZED' ? text.fromTerm : String)(earnText.days(planDuration))
      ),
    'sm',
  ),
  column.rate(text.planPays, ({ apy }) => apy, 'sm'),
  column.figure(text.yourMargin, ({ enterpriseMargin }) => <Rate rate={enterpriseMargin} />),
  column.figure(
    text.membersEarn,
    ({ apy, enterpriseMargin }) => (
      <Rate rate={effectOf(apy, enterpriseMargin, enterpriseMargin, '0').before} />
    ),
    'sm',
  ),
  column.figure(text.change, (plan) => (
    <PlainButton
      size="compact-sm"
      onClick={() => edit(plan)}
      aria-label={text.changeName(nameOf(plan))}
    >
      {text.change}
    </PlainButton>
  )),
];

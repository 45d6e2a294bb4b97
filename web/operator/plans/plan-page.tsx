// One plan: what it offers, whether it is open, its reserve, its terms.
import { Group } from '@mantine/core';
import type { OfferedPlan, OperatorAmendPlanRequest } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import { ConfirmButton } from '../../components/confirm.tsx';
import { Amount } from '../../components/figures.tsx';
import { Empty, Loaded, PageFrame, Panel } from '../../components/layout.tsx';
import { typeWord } from '../../earn/words.ts';
import { isZero } from '../../exact/decimal.ts';
import { useLive } from '../../live/live.ts';
import { forms } from '../../messages/operator-forms.ts';
import { plansText as text } from '../../messages/operator-plans.ts';
import { feedKey, feeds, operator } from '../data.ts';
import { AsOf, BackLink, Facts, Mark } from '../parts/marks.tsx';
import { RequestPanel, useEditForm } from '../parts/request-form.tsx';
import { EMPTY_PLAN, finishTerms, termsLayout, termsOf } from './plan-form.ts';
import { boosterText, editSentences, rateText, termText } from './plan-texts.ts';
import { Pool, Reserve } from './reserve.tsx';

const AFTER_CHANGE = [feedKey('plans'), ['plans']];

export function PlanPage({ planId }: { readonly planId: string }) {
  const plans = useLive(feeds.plans);
  const plan = plans.data?.find((one) => one.planId === planId);
  return (
    <PageFrame
      title={plan?.planName ?? text.planTitle(planId)}
      lead={<BackLink href="/operator/plans" label={text.allPlans} />}
      actions={<AsOf live={[plans]} />}
    >
      <Loaded live={plans} rows={8}>
        {() => (plan === undefined ? <Empty title={text.noSuchPlan} /> : <Parts plan={plan} />)}
      </Loaded>
    </PageFrame>
  );
}

interface PlanProps {
  readonly plan: OfferedPlan;
}

function Parts({ plan }: PlanProps) {
  return (
    <>
      <Panel title={text.details} actions={<OpenOrClose plan={plan} />}>
        <PlanFacts plan={plan} />
      </Panel>
      <Reserve plan={plan} />
      <TermsPanel key={JSON.stringify({ ...plan, status: null, reserve: null })} plan={plan} />
    </>
  );
}

function PlanFacts({ plan }: PlanProps) {
  const { planId, planType, coin, poolCapacity, booster } = plan;
  const isOpen = plan.status === 'open';
  return (
    <Facts
      facts={[
        [text.number, planId],
        [text.type, typeWord(planType)],
        [
          text.status,
          <Mark key="status" tone={isOpen ? 'good' : 'none'}>
            {isOpen ? text.open : text.closedNote}
          </Mark>,
        ],
        [text.coin, coin],
        [text.rate, rateText(plan)],
        [text.term, termText(plan)],
        [text.interestPaid, text.payout(plan.rewardFrequency, plan.autoCompound)],
        [text.booster, booster === null ? text.none : boosterText(booster, coin)],
        [
          text.subscribed,
          <Group key="pool" justify="flex-start">
            <Pool plan={plan} />
          </Group>,
        ],
        [
          text.capacity,
          poolCapacity === null ? (
            text.unlimited
          ) : (
            <Amount key="capacity" value={poolCapacity} asset={coin} />
          ),
        ],
      ]}
    />
  );
}

function OpenOrClose({ plan }: PlanProps) {
  const { planId, planName, coin, reserve } = plan;
  const isOpen = plan.status === 'open';
  const amend = useAction(
    () => operator.amendPlan(planId, { status: isOpen ? 'closed' : 'open' }),
    {
      done: isOpen ? text.closedNow(planName) : text.opened(planName),
      refreshes: AFTER_CHANGE,
    },
  );
  const balance = isZero(reserve.balance) ? null : `${reserve.balance} ${coin}`;
  return (
    <ConfirmButton
      label={isOpen ? text.closePlan : text.openPlan}
      look={isOpen ? 'default' : 'filled'}
      action={amend}
      question={{
        title: isOpen ? text.closeQuestion(planName) : text.openQuestion(planName),
        consequences: isOpen ? text.closing : text.opening(rateText(plan), balance),
        confirm: isOpen ? text.closeConfirm : text.openConfirm,
        danger: isOpen,
      }}
    />
  );
}

function TermsPanel({ plan }: PlanProps) {
  const { planId, planType, coin, booster } = plan;
  const assets = useLive(feeds.assets).data ?? [];
  const request = useEditForm(termsOf(plan), {
    initial: { ...EMPTY_PLAN, planType: String(planType), coin, boosted: booster !== null },
    layout: termsLayout(assets),
    finish: finishTerms,
    send: (body: OperatorAmendPlanRequest) => operator.amendPlan(planId, body),
    done: text.termsChanged,
    refreshes: AFTER_CHANGE,
  });
  return (
    <RequestPanel
      title={text.terms}
      lead={text.termsNote}
      request={request}
      submit={forms.save}
      call={`PATCH /plans/${planId}`}
      sentences={(body) => editSentences(request.changes ?? [], body, plan)}
    />
  );
}

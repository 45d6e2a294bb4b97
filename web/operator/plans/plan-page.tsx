// One plan: what it offers, whether it is open, its reserve, its terms.
import { Group } from '@mantine/core';
import type { OfferedPlan } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import { Amount } from '../../components/figures.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { typeWord } from '../../earn/words.ts';
import { isZero } from '../../exact/decimal.ts';
import { useLive } from '../../live/live.ts';
import { forms } from '../../messages/operator-forms.ts';
import { plansText as text } from '../../messages/operator-plans.ts';
import { feeds, keys, operator } from '../data.ts';
import { ConfirmButton } from '../parts/confirm.tsx';
import { AsOf, BackLink, Facts, Mark } from '../parts/marks.tsx';
import { RequestPanel, useRequestForm } from '../parts/request-form.tsx';
import { termsFields } from './plan-fields.tsx';
import { editOf, parseEdit, type Terms } from './plan-form.ts';
import { Pool } from './plan-parts.tsx';
import { boosterText, editSentences, rateText, termText } from './plan-texts.ts';
import { Reserve } from './reserve.tsx';

const AFTER_CHANGE = [keys.plans, ['plans']];

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
      <TermsPanel key={JSON.stringify(editOf(plan))} plan={plan} />
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
  const { planId } = plan;
  const assets = useLive(feeds.assets).data ?? [];
  const request = useRequestForm(editOf(plan), (values) => parseEdit(values, plan, assets));
  const amend = useAction((body: Terms) => operator.amendPlan(planId, body), {
    done: text.termsChanged,
    refreshes: AFTER_CHANGE,
  });
  return (
    <RequestPanel
      title={text.terms}
      lead={text.termsNote}
      request={request}
      layout={[termsFields(request.values, { ...plan, assets })]}
      action={amend}
      submit={forms.save}
      isEdit
      preview={{
        method: 'PATCH',
        path: `/plans/${planId}`,
        sentences: (body) => editSentences(body, plan),
      }}
    />
  );
}

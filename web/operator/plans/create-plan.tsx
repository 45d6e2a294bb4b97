// The form for a new plan: its type, what is immutable, and its terms.
import { useLocation } from 'wouter';
import { useAction } from '../../components/action.ts';
import { PageFrame } from '../../components/page-frame.tsx';
import { useLive } from '../../live/live.ts';
import { plansText as text } from '../../messages/operator-plans.ts';
import { feeds, keys, operator } from '../data.ts';
import { BackLink } from '../parts/marks.tsx';
import { type Field, type Layout, RequestPanel, useRequestForm } from '../parts/request-form.tsx';
import { immutableFields, TypeChoice, termsFields } from './plan-fields.tsx';
import { EMPTY_OFFER, type Offer, type OfferValues, parseOffer } from './plan-form.ts';
import { offerSentences } from './plan-texts.ts';

export function CreatePlan() {
  const [, navigate] = useLocation();
  const assets = useLive(feeds.assets).data ?? [];
  const request = useRequestForm(EMPTY_OFFER, (values) => parseOffer(values, assets));
  const create = useAction((body: Offer) => operator.createPlan(body), {
    done: ({ planId }) => text.planCreated(planId),
    refreshes: [keys.plans, ['plans']],
    onDone: ({ planId }) => navigate(`/operator/plans/${planId}`),
  });
  const { values, form } = request;
  const { planType, coin } = values;
  const layout: Layout<OfferValues> = [
    <TypeChoice key="type" form={form} />,
    [
      ...immutableFields(planType, assets),
      ...(termsFields(values, { planType, coin, assets }) as Field<OfferValues>[]),
    ],
    { kind: 'checkbox', name: 'open', label: text.openNow, description: text.openNowUse },
  ];
  return (
    <PageFrame
      title={text.newPlan}
      lead={<BackLink href="/operator/plans" label={text.allPlans} />}
    >
      <RequestPanel
        request={request}
        layout={layout}
        action={create}
        submit={text.createPlan}
        preview={{ method: 'POST', path: '/plans', sentences: offerSentences }}
      />
    </PageFrame>
  );
}

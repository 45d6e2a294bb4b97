// The area Plans: the list with subscriptions and reserves, a new plan, and one plan.
import { Badge, Group } from '@mantine/core';
import { IconPigMoney } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import type { OfferedPlan } from '../../../src/sdk/index.ts';
import { type Column, column, ListPanel } from '../../components/data-table.tsx';
import { Empty, PageFrame } from '../../components/layout.tsx';
import { LinkButton } from '../../components/texts.tsx';
import { typeWord } from '../../earn/words.ts';
import { useLive } from '../../live/live.ts';
import { plansText as text } from '../../messages/operator-plans.ts';
import { NotFound } from '../../shell/notices.tsx';
import { feedKey, feeds, operator } from '../data.ts';
import { CreatePage } from '../parts/create-page.tsx';
import { AsOf, BackLink, Cut, Mark } from '../parts/marks.tsx';
import parts from '../parts/parts.module.css';
import { EMPTY_PLAN, finishOffer, offerLayout } from './plan-form.ts';
import { PlanPage } from './plan-page.tsx';
import { offerSentences, rateText, termText } from './plan-texts.ts';
import { Cover, Pool } from './reserve.tsx';

export function Plans({ rest }: { readonly rest: string }) {
  if (rest === '') return <PlanList />;
  if (rest === 'new') return <CreatePlan />;
  return /^[1-9]\d{0,8}$/.test(rest) ? <PlanPage planId={rest} /> : <NotFound />;
}

const columns: readonly Column<OfferedPlan>[] = [
  column.of(text.plan, ({ planId, planName, planType, label }) => (
    <>
      <Group gap={6} wrap="nowrap">
        <Link href={`/operator/plans/${planId}`}>
          <Cut text={planName} />
        </Link>
        {label === '' ? null : (
          <Badge size="xs" variant="default" visibleFrom="md" flex="none">
            {label}
          </Badge>
        )}
      </Group>
      <span className={`dim ${parts.below}`}>
        {planId} · {typeWord(planType)}
      </span>
    </>
  )),
  column.of(text.term, (plan) => <span className="nowrap">{termText(plan)}</span>, 'md'),
  column.figure(text.rate, (plan) => <span className="nowrap">{rateText(plan)}</span>),
  column.figure(text.subscribed, (plan) => <Pool plan={plan} />, 'sm'),
  column.amount(
    text.reserve,
    ({ reserve, coin }) => ({ value: reserve.balance, asset: coin }),
    'lg',
  ),
  column.of(text.cover, ({ reserve }) => <Cover reserve={reserve} />),
  column.of(text.status, ({ status }) => (
    <Mark tone={status === 'open' ? 'good' : 'none'}>{text[status]}</Mark>
  )),
];

function PlanList() {
  const [, navigate] = useLocation();
  const plans = useLive(feeds.plans);
  return (
    <PageFrame
      title={text.plans}
      lead={text.lead}
      actions={
        <Group gap="sm">
          <AsOf live={[plans]} />
          <LinkButton href="/operator/plans/new">{text.newPlan}</LinkButton>
        </Group>
      }
    >
      <ListPanel
        label={text.plans}
        live={plans}
        loadingRows={8}
        columns={columns}
        keyOf={({ planId }) => planId}
        onRow={({ planId }) => navigate(`/operator/plans/${planId}`)}
        empty={<Empty icon={IconPigMoney} title={text.noPlans} hint={text.noPlansHint} />}
      />
    </PageFrame>
  );
}

function CreatePlan() {
  const assets = useLive(feeds.assets).data ?? [];
  return (
    <CreatePage
      title={text.newPlan}
      lead={<BackLink href="/operator/plans" label={text.allPlans} />}
      form={{ initial: EMPTY_PLAN, layout: offerLayout(assets), finish: finishOffer }}
      submit={text.createPlan}
      send={(body) => operator.createPlan(body)}
      call="POST /plans"
      sentences={offerSentences}
      done={({ planId }) => text.planCreated(planId)}
      refreshes={[feedKey('plans'), ['plans']]}
      next={({ planId }) => `/operator/plans/${planId}`}
    />
  );
}

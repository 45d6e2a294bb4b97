// One plan: what it offers and holds, whether it is open, its reserve, its terms.
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { Amount } from '../../components/figures.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded, RefusalNote } from '../../components/states.tsx';
import { typeWord } from '../../earn/words.ts';
import { isZero } from '../../exact/decimal.ts';
import { useLive } from '../../live/live.ts';
import { feeds, keys } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Facts, Mark } from '../parts/facts.tsx';
import { nearestInto, useForm } from '../parts/form.ts';
import { FormFrame, SaveButtons } from '../parts/form-frame.tsx';
import parts from '../parts/parts.module.css';
import { Preview } from '../parts/preview.tsx';
import { type EditValues, editOf, toEdit } from './plan-form.ts';
import { boosterWords, editSentences, rateWords, termWords } from './plan-words.ts';
import { Pool } from './plans.tsx';
import { Reserve } from './reserve.tsx';
import { TermsFields } from './terms-fields.tsx';

const AFTER_A_CHANGE = [keys.plans, ['plans']];

export function PlanPage({ planId }: { readonly planId: string }) {
  const plans = useLive(feeds.plans);
  const plan = plans.data?.find((one) => one.planId === planId);
  return (
    <PageFrame
      title={plan === undefined ? `Plan ${planId}` : plan.planName}
      lead={
        <Anchor component={Link} href="/operator/plans" size="sm">
          All plans
        </Anchor>
      }
      actions={<AsOf live={[plans]} />}
    >
      <Loaded live={plans} rows={8}>
        {() =>
          plan === undefined ? <Empty title="There is no such plan" /> : <Parts plan={plan} />
        }
      </Loaded>
    </PageFrame>
  );
}

function Parts({ plan }: { readonly plan: operator.Plan }) {
  return (
    <>
      <Panel title="What it is" actions={<OpenOrClose plan={plan} />}>
        <PlanFacts plan={plan} />
      </Panel>
      <Reserve plan={plan} />
      <Terms key={JSON.stringify(editOf(plan))} plan={plan} />
    </>
  );
}

function PlanFacts({ plan }: { readonly plan: operator.Plan }) {
  const { planId, planType, coin, poolCapacity, booster, rewardFrequency, autoCompound } = plan;
  const paid = rewardFrequency === '1' ? 'every day' : `every ${rewardFrequency} days`;
  return (
    <Facts
      facts={[
        ['Number', planId],
        ['Type', typeWord(planType)],
        [
          'Status',
          <Mark key="status" tone={plan.status === 'open' ? 'good' : 'none'}>
            {plan.status === 'open' ? 'Open' : 'Closed: nothing new; what runs goes on to its end'}
          </Mark>,
        ],
        ['Coin', coin],
        ['Annual rate', rateWords(plan)],
        ['Term', termWords(plan)],
        [
          'Interest is paid',
          `${paid}, ${autoCompound ? 'into the principal' : 'to the spot balance'}`,
        ],
        ['Booster', booster === null ? 'none' : boosterWords(booster, coin)],
        [
          'Subscribed',
          <Group key="pool" justify="flex-start">
            <Pool plan={plan} />
          </Group>,
        ],
        [
          'Capacity',
          poolCapacity === null ? (
            'no bound'
          ) : (
            <Amount key="capacity" value={poolCapacity} asset={coin} />
          ),
        ],
      ]}
    />
  );
}

function OpenOrClose({ plan }: { readonly plan: operator.Plan }) {
  const { planId, planName, status, coin, reserve } = plan;
  const [asking, setAsking] = useState(false);
  const isOpen = status === 'open';
  const amend = useAction(operator.amendPlan, {
    done: isOpen ? `${planName} is closed.` : `${planName} is open.`,
    refreshes: AFTER_A_CHANGE,
    onDone: () => setAsking(false),
  });
  return (
    <>
      <Button size="xs" variant={isOpen ? 'default' : 'filled'} onClick={() => setAsking(true)}>
        {isOpen ? 'Close…' : 'Open…'}
      </Button>
      <Confirm
        opened={asking}
        title={isOpen ? `Close ${planName}` : `Open ${planName}`}
        consequences={
          isOpen
            ? [
                'Nobody can subscribe any more, from now on.',
                'What is subscribed goes on to its end and earns as before; terms do not renew.',
                'It can be opened again at any time.',
              ]
            : [
                `Everybody who may can subscribe, from now on, at ${rateWords(plan)} a year.`,
                isZero(reserve.balance)
                  ? 'Its reserve is empty: interest that falls due is owed until you fund it.'
                  : `Its reserve has ${reserve.balance} ${coin}.`,
              ]
        }
        confirm={isOpen ? 'Close the plan' : 'Open the plan'}
        danger={isOpen}
        pending={amend.pending}
        error={amend.error}
        onConfirm={() => amend.run(planId, { status: isOpen ? 'closed' : 'open' })}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

const PERCENTS: readonly string[] = ['apr', 'minApr', 'maxApr'];

function Terms({ plan }: { readonly plan: operator.Plan }) {
  const { planId, planType, coin } = plan;
  const assets = useLive(feeds.assets).data ?? [];
  const form = useForm<EditValues>(editOf(plan));
  const checked = toEdit(form.values, plan, assets);
  const isChanged = !checked.ok || Object.keys(checked.body).length > 0;
  const amend = useAction(operator.amendPlan, {
    done: 'The terms are changed.',
    refreshes: AFTER_A_CHANGE,
  });
  const submit = () => {
    form.tryIt();
    if (checked.ok) amend.run(planId, checked.body);
  };
  return (
    <div className={isChanged ? parts.split : undefined}>
      <Panel title="Terms">
        <FormFrame onSubmit={submit} gap="lg">
          <Text size="sm" className="dim">
            Type, coin, days, payout and compounding never change: close the plan and make another
            one.
          </Text>
          <div className={parts.fields}>
            <TermsFields
              form={form}
              checked={checked}
              planType={planType}
              coin={coin}
              assets={assets}
            />
          </div>
          <RefusalNote
            error={amend.error}
            onUse={nearestInto(form, PERCENTS)}
            percents={PERCENTS}
          />
          <SaveButtons isChanged={isChanged} pending={amend.pending} onUndo={() => form.reset()} />
        </FormFrame>
      </Panel>
      {isChanged ? (
        <Preview
          method="PATCH"
          path={`/plans/${planId}`}
          checked={checked}
          sentences={(body) => editSentences(body, plan)}
        />
      ) : null}
    </div>
  );
}

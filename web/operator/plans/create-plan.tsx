// A new plan: its type, what it is for good, its terms.
import { Anchor, Button, Checkbox, Group, NativeSelect, Radio } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { RefusalNote } from '../../components/states.tsx';
import { useLive } from '../../live/live.ts';
import { feeds, keys } from '../feeds.ts';
import { type Form, fieldOf, nearestInto, useForm } from '../parts/form.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import parts from '../parts/parts.module.css';
import { Preview } from '../parts/preview.tsx';
import { EMPTY_OFFER, isCustomized, isFlexible, type OfferValues, toOffer } from './plan-form.ts';
import { offerSentences, TYPES } from './plan-words.ts';
import styles from './plans.module.css';
import { TermsFields } from './terms-fields.tsx';

const PERCENTS: readonly string[] = ['apr', 'minApr', 'maxApr'];

export function CreatePlan() {
  const [, navigate] = useLocation();
  const assets = useLive(feeds.assets).data ?? [];
  const form = useForm<OfferValues>(EMPTY_OFFER);
  const checked = toOffer(form.values, assets);
  const { planType, coin } = form.values;
  const create = useAction(operator.createPlan, {
    done: ({ planId }) => `Plan ${planId} is made.`,
    refreshes: [keys.plans, ['plans']],
    onDone: ({ planId }) => navigate(`/operator/plans/${planId}`),
  });
  const submit = () => {
    form.tryIt();
    if (checked.ok) create.run(checked.body);
  };
  return (
    <PageFrame
      title="New plan"
      lead={
        <Anchor component={Link} href="/operator/plans" size="sm">
          All plans
        </Anchor>
      }
    >
      <div className={parts.split}>
        <Panel>
          <FormFrame onSubmit={submit} gap="lg">
            <TypeChoice form={form} />
            <div className={parts.fields}>
              <ForGood form={form} checked={checked} assets={assets} />
              <TermsFields
                form={form}
                checked={checked}
                planType={planType}
                coin={coin}
                assets={assets}
              />
            </div>
            <Checkbox
              label="Open at once"
              description="Otherwise it begins closed, so that its reserve can be funded first."
              checked={form.values.status === 'open'}
              onChange={(event) =>
                form.set('status', event.currentTarget.checked ? 'open' : 'closed')
              }
            />
            <RefusalNote
              error={create.error}
              onUse={nearestInto(form, PERCENTS)}
              percents={PERCENTS}
            />
            <Group>
              <Button type="submit" loading={create.pending}>
                Make the plan
              </Button>
            </Group>
          </FormFrame>
        </Panel>
        <Preview method="POST" path="/plans" checked={checked} sentences={offerSentences} />
      </div>
    </PageFrame>
  );
}

interface PartProps {
  readonly form: Form<OfferValues>;
}

function TypeChoice({ form }: PartProps) {
  return (
    <Radio.Group
      label="Type"
      description="It never changes."
      value={form.values.planType}
      onChange={(type) => form.set('planType', type as OfferValues['planType'])}
    >
      <div className={styles.types}>
        {TYPES.map(({ value, label, what }) => (
          <Radio
            key={value}
            value={value}
            label={label}
            description={what}
            className={styles.type}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

interface ForGoodProps extends PartProps {
  readonly checked: ReturnType<typeof toOffer>;
  readonly assets: readonly operator.Asset[];
}

/** What a plan is for good. */
function ForGood({ form, checked, assets }: ForGoodProps) {
  const { planType } = form.values;
  return (
    <>
      <NativeSelect
        label="Coin"
        description="What is saved and what interest is paid in. It never changes."
        data={[{ value: '', label: 'Choose…' }, ...assets.map(({ asset }) => asset)]}
        {...fieldOf(form, 'coin', checked)}
        onChange={(event) => form.set('coin', event.currentTarget.value)}
      />
      <DecimalInput
        label="Interest is paid every"
        description="It is computed every day. Never changes."
        unit="days"
        whole
        {...fieldOf(form, 'rewardFrequency', checked)}
      />
      {isFlexible(planType) ? (
        <Checkbox
          className={parts.whole}
          label="Interest joins the principal"
          description="Compounding: it earns too from then on. Otherwise it is paid to the spot balance. Never changes."
          checked={form.values.autoCompound}
          onChange={(event) => form.set('autoCompound', event.currentTarget.checked)}
        />
      ) : isCustomized(planType) ? (
        <>
          <DecimalInput
            label="Shortest term"
            description="Never changes."
            unit="days"
            whole
            {...fieldOf(form, 'minLockDay', checked)}
          />
          <DecimalInput
            label="Longest term"
            description="Never changes."
            unit="days"
            whole
            {...fieldOf(form, 'maxLockDay', checked)}
          />
        </>
      ) : (
        <DecimalInput
          label="Term"
          description="Never changes."
          unit="days"
          whole
          {...fieldOf(form, 'lockDay', checked)}
        />
      )}
    </>
  );
}

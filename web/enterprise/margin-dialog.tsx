// The dialog to change the margin of a plan, with the effect of the change.
import { Anchor, Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Margin } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { DecimalInput } from '../components/decimal-input.tsx';
import { RefusalNote } from '../components/states.tsx';
import { useStepUpAction } from '../components/step-up.tsx';
import { compare, type Decimal, isZero, multiply, subtract, toPercent } from '../exact/decimal.ts';
import { grouped, percent } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import styles from './enterprise.module.css';
import { enterpriseFeeds } from './feeds.ts';
import { effectOf, readMargin } from './margin.ts';
import { TYPE_OF } from './words.ts';

const EXAMPLE = '10000';

export interface MarginDialogProps {
  readonly plan: Margin;
  readonly name: string;
  /** The rate of the longest term of a customized plan. */
  readonly highest: Decimal | null;
  readonly onClose: () => void;
}

export function MarginDialog({ plan, name, highest, onClose }: MarginDialogProps) {
  const { planId, apy, enterpriseMargin: now } = plan;
  const [typed, setTyped] = useState(toPercent(now));
  const { margin, fault, use } = readMargin(typed, apy);
  const save = useStepUpAction((next: Decimal) => client.setMargin({ planId, margin: next }), {
    refreshes: [['enterprise'], ['earn']],
    done: `Changed the margin of ${name}.`,
    onDone: onClose,
  });
  const isChanged = margin !== null && compare(margin, now) !== 0;
  return (
    <Modal opened onClose={onClose} title={`Margin of ${name}`} size="lg">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) save.run(margin);
        }}
      >
        <Stack gap="md">
          <div>
            <DecimalInput
              label="Margin (APR)"
              description={`From 0% to ${percent(apy)}, which is what the plan pays${plan.planType === 'CUSTOMIZED' ? ' for its shortest term' : ''}.`}
              size="md"
              value={typed}
              onChange={setTyped}
              unit="%"
              error={fault}
              data-autofocus
            />
            {use === undefined ? null : (
              <Anchor component="button" type="button" size="xs" onClick={() => setTyped(use)}>
                Use {grouped(use)}
              </Anchor>
            )}
          </div>
          <div aria-live="polite">
            {margin === null ? null : <EffectTable plan={plan} next={margin} highest={highest} />}
          </div>
          <p className={`dim ${styles.note}`}>
            Applies to new subscriptions and renewals. Current subscriptions keep the margin that
            they or their running term started with.
          </p>
          <RefusalNote error={save.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Back
            </Button>
            <Button type="submit" disabled={!isChanged} loading={save.pending}>
              Save margin
            </Button>
          </Group>
        </Stack>
      </form>
      {save.dialog}
    </Modal>
  );
}

interface EffectTableProps {
  readonly plan: Margin;
  readonly next: Decimal;
  readonly highest: Decimal | null;
}

function EffectTable({ plan, next, highest }: EffectTableProps) {
  const { apy, asset, planId, planType, enterpriseMargin: now } = plan;
  const principal = useLive(enterpriseFeeds.principal(planId, asset, TYPE_OF[planType]));
  const effect = effectOf(apy, now, next, EXAMPLE);
  const long = highest === null ? null : effectOf(highest, now, next, EXAMPLE);
  const suffix = long === null ? '' : ', shortest term';
  const rows: readonly (readonly [string, string, string])[] = [
    [`Members earn${suffix}`, percent(effect.before), percent(effect.after)],
    ...(long === null
      ? []
      : [['Members earn, longest term', percent(long.before), percent(long.after)] as const]),
    [
      `A member’s year on ${grouped(EXAMPLE)} ${asset}${suffix}`,
      grouped(effect.yearBefore),
      grouped(effect.yearAfter),
    ],
    [
      `Your year on ${grouped(EXAMPLE)} ${asset}`,
      grouped(effect.keptBefore),
      grouped(effect.keptAfter),
    ],
  ];
  return (
    <>
      <div className={styles.effect}>
        <table aria-label="Effect of the change">
          <thead>
            <tr>
              <td />
              <th scope="col">Now</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, before, after]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td className="figures dim">{before}</td>
                <td className="figures">{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {principal.data === undefined ? null : (
        <p className={styles.sentence}>
          {sentenceOf(principal.data.amount, asset, effect.before, effect.after, apy)}
          {principal.data.complete ? '' : ' Only the newest subscriptions are counted here.'}
        </p>
      )}
    </>
  );
}

/** The yearly income of the enterprise on the current principal. */
function sentenceOf(
  principal: Decimal,
  asset: string,
  before: Decimal,
  after: Decimal,
  rate: Decimal,
): string {
  if (isZero(principal)) return 'No member has a subscription in this plan.';
  const [was, will] = [before, after].map((own) => multiply(principal, subtract(rate, own)));
  return (
    `Members have ${grouped(principal)} ${asset} in this plan. In a year, your enterprise would ` +
    `earn ${grouped(was!)} ${asset} with the current margin and ${grouped(will!)} ${asset} with ` +
    'the new one.'
  );
}

// The confirmation before money moves into a plan.
import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { type ApplyPreview, type Plan, PlanType } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { Code, hasCode, isNotReached } from '../api/refusal.ts';
import { useAction } from '../components/action.ts';
import { RefusalNote } from '../components/states.tsx';
import { grouped } from '../exact/format.ts';
import type { Application, Form } from './application.ts';
import styles from './calculator.module.css';
import { factsOf } from './estimate.tsx';
import { Facts } from './facts.tsx';
import { AFFECTED } from './feeds.ts';
import { once } from './once.ts';
import { NEEDS_VERIFICATION } from './verified.ts';
import { arrivalFact, type Compounds, waitSentence } from './words.ts';

export interface ConfirmationProps {
  readonly plan: Plan;
  readonly application: Application;
  readonly preview: ApplyPreview;
  readonly compounds: Compounds;
  readonly onClose: () => void;
  /** Takes over the nearest accepted value. */
  readonly onUse: (part: Partial<Form>) => void;
}

export function Confirmation(props: ConfirmationProps) {
  const { plan, application, preview, compounds, onClose, onUse } = props;
  const [, navigate] = useLocation();
  const { planType, coin, planName } = plan;
  const adds = preview.appliedAmount !== null;
  const amount = `${grouped(application.amount)} ${coin}`;
  const apply = useAction(
    () =>
      once(['apply', application], (idempotencyKey) =>
        client.applyPlan(application, { idempotencyKey }),
      ),
    {
      refreshes: AFFECTED,
      done: adds ? `Added ${amount} to ${planName}.` : `Subscribed ${amount} to ${planName}.`,
      onDone: ({ applyId }) => navigate(`/earn/subscriptions/${applyId}`),
    },
  );
  const use = (nearest: string, field: string | undefined) => {
    onUse(field === 'lockDay' ? { day: nearest } : { amount: nearest });
    onClose();
  };
  const boosted = application.boosterAmount !== undefined;
  const interest = boosted ? preview.totalInterestAmount : preview.interestAmount;
  const usable = (field: unknown) => field === 'amount' || field === 'lockDay';
  return (
    <Modal
      opened
      onClose={onClose}
      title={adds ? `Add to ${planName}` : `Subscribe to ${planName}`}
    >
      <Stack gap="md">
        <Facts
          facts={[
            { name: 'Amount', value: amount },
            ...(preview.lockDay === null
              ? []
              : [{ name: 'Interest of the term', value: `+${grouped(interest)} ${coin}` }]),
            ...factsOf(preview, boosted, compounds),
            ...(planType === PlanType.flexible || !plan.supportAutoRenew
              ? []
              : [{ name: 'Auto renew', value: application.autoRenew ? 'yes' : 'no' }]),
            ...(planType === PlanType.flexible || plan.supportEarlyRedemption
              ? [arrivalFact(preview.redeemLockHours)]
              : []),
          ]}
        />
        <Consequence plan={plan} redeemLockHours={preview.redeemLockHours} />
        <RefusalNote
          error={apply.error}
          {...(usable((apply.error as { details?: { field?: string } } | null)?.details?.field)
            ? { onUse: use }
            : {})}
        />
        {isNotReached(apply.error) ? (
          <Text size="sm">Send it again: the exchange executes it only once.</Text>
        ) : null}
        {hasCode(apply.error, Code.kycRequired) ? (
          <Text size="sm">
            {NEEDS_VERIFICATION} Your{' '}
            <Anchor component={Link} href="/security">
              security page
            </Anchor>{' '}
            shows your status.
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button onClick={() => apply.run()} loading={apply.pending} data-autofocus>
            {adds ? 'Add' : 'Subscribe'} {amount}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ConsequenceProps {
  readonly plan: Plan;
  readonly redeemLockHours: number;
}

function Consequence({ plan, redeemLockHours }: ConsequenceProps) {
  const wait = waitSentence(redeemLockHours);
  // A lock time also binds money, for a shorter time.
  const tone = wait === '' ? 'dim' : 'warn';
  if (plan.planType === PlanType.flexible) {
    return (
      <p className={`${tone} ${styles.warning}`}>You can redeem any amount at any time. {wait}</p>
    );
  }
  if (plan.supportEarlyRedemption) {
    return (
      <p className={`${tone} ${styles.warning}`}>
        You can redeem early, but then the term earns nothing: paid interest is taken back. {wait}
      </p>
    );
  }
  return (
    <p className={`warn ${styles.warning}`}>
      You cannot redeem this term early. The amount is locked until its end.
    </p>
  );
}

// The last look before money moves into a plan.
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
  /** Takes over what the exchange would have accepted. */
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
              : [{ name: 'Renews at the end', value: application.autoRenew ? 'yes' : 'no' }]),
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
          <Text size="sm">Send it again: it is carried out once, however often it is sent.</Text>
        ) : null}
        {hasCode(apply.error, Code.kycRequired) ? (
          <Text size="sm">
            {NEEDS_VERIFICATION} Your{' '}
            <Anchor component={Link} href="/security">
              security page
            </Anchor>{' '}
            shows whether you are one.
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
  // Money that is away for hours is bound as well, only for less long.
  const tone = wait === '' ? 'dim' : 'warn';
  if (plan.planType === PlanType.flexible) {
    return (
      <p className={`${tone} ${styles.warning}`}>
        You can redeem any part of it at any time. {wait}
      </p>
    );
  }
  if (plan.supportEarlyRedemption) {
    return (
      <p className={`${tone} ${styles.warning}`}>
        You can end the term early, but then it earns nothing: interest that was paid is taken back.{' '}
        {wait}
      </p>
    );
  }
  return (
    <p className={`warn ${styles.warning}`}>
      This term cannot be ended early. The amount is bound until its end.
    </p>
  );
}

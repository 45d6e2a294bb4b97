// The switch for auto renew, which starts a new term when the current one ends.
import { Button, Group, Switch, Text } from '@mantine/core';
import { SubscriptionStatus } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { RefusalNote } from '../components/states.tsx';
import { percent } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { AFFECTED, earnFeeds } from './feeds.ts';
import type { Subscription } from './redemption.ts';

/** Whether the plan renews terms at present; undefined while that is unknown. */
export function useRenewable(planId: string): boolean | undefined {
  return useLive(earnFeeds.plan(planId)).data?.supportAutoRenew;
}

async function switchTo(applyId: string, on: boolean): Promise<boolean> {
  await client.setAutoRenew({ applyId, autoRenew: on });
  return on;
}

export interface AutoRenewProps {
  readonly subscription: Subscription;
  /** Shown beside the switch if no column title names it. */
  readonly label?: string;
}

export function AutoRenew({ subscription, label }: AutoRenewProps) {
  const { applyId, autoRenew, planName, planId, status, renewal } = subscription;
  const renewable = useRenewable(planId);
  const change = useAction(switchTo, {
    refreshes: AFFECTED,
    done: (on) => (on ? 'Auto renew is on.' : 'Auto renew is off.'),
  });
  // Auto renew can be turned off even if the plan no longer offers it.
  if (renewable === false && !autoRenew) {
    return label === undefined ? <span className="dim">not offered</span> : null;
  }
  return (
    <>
      <Switch
        size="sm"
        checked={autoRenew}
        disabled={
          change.pending ||
          status === SubscriptionStatus.redeeming ||
          status === SubscriptionStatus.redeemed
        }
        onChange={(event) => change.run(applyId, event.currentTarget.checked)}
        label={label}
        aria-label={label === undefined ? `Auto renew of ${planName}` : undefined}
      />
      {renewal?.consentNeeded ? (
        <Group gap="xs">
          <Text size="sm" className="warn">
            Your enterprise keeps more now. The term ends unless you agree to {percent(renewal.apr)}{' '}
            for the next one.
          </Text>
          <Button
            size="compact-xs"
            loading={change.pending}
            onClick={() => change.run(applyId, true)}
          >
            Renew at {percent(renewal.apr)}
          </Button>
        </Group>
      ) : null}
      <RefusalNote error={change.error} />
    </>
  );
}

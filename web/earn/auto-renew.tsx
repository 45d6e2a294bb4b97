// The switch for auto renew, which starts a new term when the current one ends.
import { Button, Group, Switch, Text } from '@mantine/core';
import { SubscriptionStatus } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { RejectionNote } from '../components/layout.tsx';
import { useLive } from '../live/live.ts';
import { earnText } from '../messages/earn.ts';
import { AFFECTED, earnFeeds } from './feeds.ts';
import type { Subscription } from './redemption.ts';
import { aprWord } from './words.ts';

const t = earnText.autoRenew;

export interface AutoRenewProps {
  readonly subscription: Subscription;
  /** Shown beside the switch if no column title names it. */
  readonly label?: string;
}

export function AutoRenew({ subscription, label }: AutoRenewProps) {
  const { applyId, autoRenew, planName, planId, status, renewal } = subscription;
  const isOffered = useLive(earnFeeds.plan(planId)).data?.supportAutoRenew ?? true;
  const change = useAction(
    async (on: boolean) => {
      await client.setAutoRenew({ applyId, autoRenew: on });
      return on ? t.isOn : t.isOff;
    },
    { refreshes: AFFECTED, done: (text) => text },
  );
  // Auto renew can be turned off even if the plan no longer offers it.
  if (!isOffered && !autoRenew) {
    return label === undefined ? <span className="dim nowrap">{t.notOffered}</span> : null;
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
        onChange={(event) => change.run(event.currentTarget.checked)}
        label={label}
        aria-label={label === undefined ? t.of(planName) : undefined}
      />
      {renewal?.consentNeeded ? (
        <Group gap="xs">
          <Text size="sm" className="warn">
            {t.consent(aprWord(renewal.apr))}
          </Text>
          <Button size="compact-xs" loading={change.pending} onClick={() => change.run(true)}>
            {t.renewAt(aprWord(renewal.apr))}
          </Button>
        </Group>
      ) : null}
      <RejectionNote error={change.error} />
    </>
  );
}

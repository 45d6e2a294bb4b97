// The switch for a new term at the end of the running one.
import { Switch } from '@mantine/core';
import * as earn from '../api/earn.ts';
import { useAction } from '../components/action.ts';
import { RefusalNote } from '../components/states.tsx';
import { useLive } from '../live/live.ts';
import { AFFECTED, earnFeeds } from './feeds.ts';

/** Whether the plan, as it is now, would renew a term; undefined while that is not known. */
export function useRenewable(planId: string): boolean | undefined {
  return useLive(earnFeeds.plan(planId)).data?.supportAutoRenew;
}

export interface AutoRenewProps {
  readonly subscription: earn.Subscription;
  /** With words beside the switch, where no column says what it is. */
  readonly label?: string;
}

export function AutoRenew({ subscription, label }: AutoRenewProps) {
  const { applyId, autoRenew, planName, planId, status } = subscription;
  const renewable = useRenewable(planId);
  const change = useAction((on: boolean) => earn.setAutoRenew(applyId, on), {
    refreshes: AFFECTED,
    done: autoRenew
      ? 'The subscription ends with its term.'
      : 'The subscription renews at the end of its term.',
  });
  // What is on can be switched off, also where the plan has changed its mind.
  if (renewable === false && !autoRenew) {
    return label === undefined ? <span className="dim">not offered</span> : null;
  }
  return (
    <>
      <Switch
        size="sm"
        checked={autoRenew}
        disabled={change.pending || status === '1' || status === '3'}
        onChange={(event) => change.run(event.currentTarget.checked)}
        label={label}
        aria-label={label === undefined ? `Auto renew of ${planName}` : undefined}
      />
      <RefusalNote error={change.error} />
    </>
  );
}

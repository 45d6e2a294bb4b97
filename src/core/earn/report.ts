// Events of earn: what the views and the statement are made of. Each is the owner's.
import { dayOf } from '../calendar.ts';
import type { EarnMovementKind } from '../event.ts';
import type { State } from '../state.ts';
import type { Amount } from '../units.ts';
import {
  REPORTED_REDEMPTION,
  REPORTED_SUBSCRIPTION,
  type Redemption,
  rateOn,
  type Subscription,
  SubscriptionStatus,
  statusOf,
} from './subscription.ts';

/** Emits the present state of a subscription; `redeemed` when nothing of it is left. */
export function emitSubscription(state: State, s: Subscription, redeemed = false): void {
  if (!state.eventFilter.includesOwner(s.uid)) return;
  state.events.push({
    type: 'subscriptionChanged',
    ...REPORTED_SUBSCRIPTION.pick(s),
    planId: s.plan.planId,
    planType: s.plan.planType,
    assetId: s.plan.assetId,
    status: redeemed ? SubscriptionStatus.redeemed : statusOf(s),
    rate: rateOn(s, Math.max(dayOf(state.time), s.startDay)),
    transactTime: state.time,
  });
}

export function emitRedemption(
  state: State,
  { uid, plan }: Subscription,
  redemption: Redemption,
  status: 1 | 2,
): void {
  if (!state.eventFilter.includesOwner(uid)) return;
  state.events.push({
    type: 'redemptionChanged',
    ...REPORTED_REDEMPTION.pick(redemption),
    uid,
    assetId: plan.assetId,
    status,
    transactTime: state.time,
  });
}

/** Emits a change of a customer's spot balance by `money`, of either sign. */
export function emitMovement(
  state: State,
  { applyId, uid }: Subscription,
  kind: EarnMovementKind,
  assetId: number,
  money: Amount,
): void {
  if (money === 0 || !state.eventFilter.includesOwner(uid)) return;
  state.events.push({
    type: 'earnMoved',
    kind,
    applyId,
    uid,
    assetId,
    amount: money,
    transactTime: state.time,
  });
}

// The earn calls of a customer that change something: apply, redeem, auto renew. Each reads top to
// bottom: the request in core units, the command, the answer.
import { applied } from '../../../contract/earn/answers.ts';
import { earnCalls } from '../../../contract/earn/calls.ts';
import {
  NO_SUCH_ID,
  toApplyPlan,
  toRedeemPlan,
  toSetAutoRenew,
} from '../../../contract/earn/requests.ts';
import { coinOf } from '../../../contract/earn/writers.ts';
import { Problem } from '../../../contract/problem.ts';
import { PlanType } from '../../../core/earn/plan.ts';
import type { Outcome } from '../../../core/outcome.ts';
import { rejection } from '../../../core/reject.ts';
import { submit } from '../../door.ts';
import { ok, type Reply, rejectReply } from '../../http/reply.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { enveloped, Rejected, rejected } from '../kinds.ts';
import { findOwned, replyToEarn, requireLive } from './call.ts';

const { applyPlan, redeem, setAutoRenew } = earnCalls;

const unknownId = (services: Services, field: 'planId' | 'applyId'): Reply<never> =>
  rejectReply(services, rejection('planUnknown', field));

const applyToPlan = route(applyPlan, {
  async handle(services, call) {
    const { state } = services.engine.exchange;
    const { planId, applyId } = call.body;
    const plan = state.earn.plans[planId];
    if (plan === undefined) return unknownId(services, 'planId');
    if (applyId === NO_SUCH_ID) return unknownId(services, 'applyId');
    const receipt = await submit(services, toApplyPlan(state, plan, call.body, call), call.access);
    const coin = coinOf(state, plan);
    const reply = replyToEarn(services, applyPlan, receipt, (result) =>
      applied.write(result, coin),
    );
    const { outcome, seq } = receipt;
    const { reject } = outcome.ok ? { reject: null } : outcome;
    if (reject?.name !== 'planUnknown' || reject.field !== 'applyId') return reply;
    const closed = await subscriptionRejection(services, call, applyId!, seq);
    return { ...reply, body: rejectReply(services, closed.reject, seq).body };
  },
});

/**
 * The core forgets closed subscriptions; the views know why the one that was named takes no funds.
 */
async function subscriptionRejection(
  services: Services,
  call: Pick<Call<unknown, unknown>, 'requestId' | 'uid'>,
  applyId: number,
  seq: number,
): Promise<Rejected> {
  const found = await findOwned(services, call, applyId, seq);
  if (found instanceof Rejected) return found;
  const flexible = (found.live?.plan ?? found.closed!).planType === PlanType.flexible;
  return rejected(flexible ? 'subscriptionNotHeld' : 'addFundsFlexibleOnly', 'applyId');
}

const redeemSubscription = route(redeem, {
  async handle(services, call) {
    const { engine } = services;
    // A closed one is found as well: its last redemption may be sent again with its
    // Idempotency-Key.
    const found = await findOwned(services, call, call.body.applyId, engine.seq);
    if (found instanceof Rejected) return rejectReply(services, found.reject);
    const { state } = engine.exchange;
    const coin = coinOf(state, found.live?.plan ?? found.closed!);
    const command = toRedeemPlan(state, coin, call.body, call);
    const receipt = await submit(services, command, call.access);
    if (isUnknown(receipt.outcome)) requireLive(found, receipt.seq);
    return replyToEarn(services, redeem, receipt, () => true as const);
  },
});

const editPlan = route(setAutoRenew, {
  async handle(services, call) {
    const { engine } = services;
    const { applyId, uid, autoRenew } = call.body;
    if (uid !== undefined && uid !== call.uid) throw notOwner(uid, call.uid);
    if (applyId === NO_SUCH_ID) return unknownId(services, 'applyId');
    if (autoRenew === undefined) {
      const found =
        applyId === undefined ? null : await findOwned(services, call, applyId, engine.seq);
      if (found instanceof Rejected) return rejectReply(services, found.reject);
      if (found !== null) requireLive(found);
      return ok(enveloped(setAutoRenew, true), engine.seq) as Reply<never>;
    }
    const command = toSetAutoRenew({ applyId: applyId ?? 0, autoRenew }, call);
    const receipt = await submit(services, command, call.access);
    const reply = replyToEarn(services, setAutoRenew, receipt, () => true as const);
    const { outcome, seq } = receipt;
    if (!isUnknown(outcome)) return reply;
    // The core forgets closed subscriptions; the views know the owner.
    const found = await findOwned(services, call, applyId!, seq);
    if (found instanceof Rejected) {
      return { ...reply, body: rejectReply(services, found.reject, seq).body };
    }
    requireLive(found, seq);
    return reply;
  },
});

/** True if no live subscription has the applyId. */
const isUnknown = (outcome: Outcome): boolean =>
  !outcome.ok && outcome.reject.name === 'planUnknown' && outcome.reject.field === 'applyId';

const notOwner = (value: number, nearest: number): Problem =>
  new Problem('notOwner', { details: { field: 'uid', rule: 'own', value, nearest } });

export const earnWriteRoutes: readonly Route[] = [applyToPlan, redeemSubscription, editPlan];

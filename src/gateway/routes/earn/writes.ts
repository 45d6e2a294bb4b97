// The earn calls of a customer that change something: apply, redeem, auto renew. Each reads top to
// bottom: the request in core units, the command, the answer.
import { applied } from '../../../contract/earn/answers.ts';
import { earnCalls } from '../../../contract/earn/calls.ts';
import {
  NO_SUCH_ID,
  toAmount,
  toApplyPlan,
  toRedeemPlan,
  toSetAutoRenew,
} from '../../../contract/earn/requests.ts';
import { coinOf } from '../../../contract/earn/writers.ts';
import { Problem } from '../../../contract/problem.ts';
import { PlanType } from '../../../core/earn/plan.ts';
import { type Reject, rejection } from '../../../core/reject.ts';
import { submit } from '../../door.ts';
import { type Reply, rejectReply } from '../../http/reply.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { findOwned, okEarn, replyToEarn } from './call.ts';

const unknownId = (services: Services, field: 'planId' | 'applyId'): Reply<never> =>
  rejectReply(services, rejection('planUnknown', field));

const applyToPlan = route(earnCalls.applyPlan, {
  async handle(services, call) {
    const { engine } = services;
    const { state } = engine.exchange;
    const plan = state.earn.plans[call.body.planId];
    if (plan === undefined) return unknownId(services, 'planId');
    if (call.body.applyId === NO_SUCH_ID) return unknownId(services, 'applyId');
    const receipt = await submit(services, toApplyPlan(state, plan, call.body, call), call.access);
    const coin = coinOf(state, plan);
    const reply = replyToEarn(services, receipt, (result) => applied.write(result, coin));
    const { outcome, seq } = receipt;
    const { reject } = outcome.ok ? { reject: null } : outcome;
    if (reject?.name !== 'planUnknown' || reject.field !== 'applyId') return reply;
    const closed = await subscriptionRejection(services, call, call.body.applyId!, seq);
    return { ...reply, body: rejectReply(services, closed, seq).body };
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
): Promise<Reject> {
  const found = await findOwned(services, call, applyId, seq);
  if ('name' in found) return found;
  const flexible = (found.live?.plan ?? found.closed!).planType === PlanType.flexible;
  return rejection(flexible ? 'subscriptionNotHeld' : 'addFundsFlexibleOnly', 'applyId');
}

const redeem = route(earnCalls.redeem, {
  async handle(services, call) {
    const { engine } = services;
    const { applyId, amount } = call.body;
    // A closed one is found as well: its last redemption may be sent again with its
    // Idempotency-Key.
    const found = await findOwned(services, call, applyId, engine.seq);
    if ('name' in found) return rejectReply(services, found);
    const coin = coinOf(engine.exchange.state, found.live?.plan ?? found.closed!);
    const receipt = await submit(
      services,
      toRedeemPlan(applyId, toAmount(amount, coin), call),
      call.access,
    );
    return replyToEarn(services, receipt, () => true as const);
  },
});

const editPlan = route(earnCalls.setAutoRenew, {
  async handle(services, call) {
    const { engine } = services;
    const { applyId, uid, autoRenew } = call.body;
    if (uid !== undefined && uid !== call.uid) throw notOwner(uid, call.uid);
    if (applyId === NO_SUCH_ID) return unknownId(services, 'applyId');
    if (autoRenew === undefined) {
      const found =
        applyId === undefined ? null : await findOwned(services, call, applyId, engine.seq);
      if (found !== null && 'name' in found) return rejectReply(services, found);
      return okEarn(true, engine.seq);
    }
    const receipt = await submit(services, toSetAutoRenew(applyId, autoRenew, call), call.access);
    const reply = replyToEarn(services, receipt, () => true as const);
    const { outcome, seq } = receipt;
    if (outcome.ok || outcome.reject.name !== 'planUnknown') return reply;
    // The core forgets closed subscriptions; the views know the owner.
    const found = await findOwned(services, call, applyId!, seq);
    return 'name' in found ? { ...reply, body: rejectReply(services, found, seq).body } : reply;
  },
});

const notOwner = (value: number, nearest: number): Problem =>
  new Problem('notOwner', { details: { field: 'uid', rule: 'own', value, nearest } });

export const earnWriteRoutes: readonly Route[] = [applyToPlan, redeem, editPlan];

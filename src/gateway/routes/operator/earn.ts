// The operator's calls about earn: the plans that are offered, the reserves that their interest is
// paid from, and enterprises.
import * as answers from '../../../contract/operator/answers.ts';
import { operatorCalls } from '../../../contract/operator/calls.ts';
import {
  enterpriseNamed,
  planNamed,
  toAmendPlan,
  toCreatePlan,
  toFundReserve,
  unlistedCoin,
  writeEnterprises,
  writePlan,
} from '../../../contract/operator/earn.ts';
import { planReserve, planReserves } from '../../../contract/operator/plan-reserve.ts';
import { requireSomeField } from '../../../contract/operator/users.ts';
import type { Plan } from '../../../core/earn/plan.ts';
import { rejection } from '../../../core/reject.ts';
import { rejectReply, replyTo } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { operates, reads } from '../kinds.ts';
import { inTurn } from './call.ts';

/** For the audit log. */
const planOf = ({ planId }: Readonly<Record<string, string>>): string => `plan:${planId}`;

function planAnswer({ config, engine }: Services, plan: Plan) {
  const { state } = engine.exchange;
  return writePlan(state, planReserve(state, plan, config.reserveAlarmDays));
}

const createPlan = route(operatorCalls.createPlan, {
  audit: { action: 'plan.create', object: (_, body) => body?.planName ?? null },
  async handle(services, { body }) {
    const { state } = services.engine.exchange;
    const unlisted = unlistedCoin(state, body);
    if (unlisted !== null) return rejectReply(services, rejection('assetUnknown', unlisted));
    const receipt = await services.engine.submit(toCreatePlan(state, body));
    const reply = replyTo(services, receipt, answers.createdPlan.write);
    const { outcome } = receipt;
    return outcome.ok ? { ...reply, audited: `plan:${outcome.result.planId}` } : reply;
  },
});

const amendPlan = route(operatorCalls.amendPlan, {
  audit: { action: 'plan.amend', object: planOf },
  handle(services, { params, body }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const plan = planNamed(state, params.planId!);
    requireSomeField(body);
    const unlisted = unlistedCoin(state, body);
    if (unlisted !== null) return rejectReply(services, rejection('assetUnknown', unlisted));
    return inTurn(services, async () => {
      const receipt = await engine.submit(toAmendPlan(state, plan, body));
      return replyTo(services, receipt, () => planAnswer(services, plan));
    });
  },
});

const createEnterprise = route(operatorCalls.createEnterprise, {
  audit: { action: 'enterprise.create', object: (_, body) => body?.name ?? null },
  async handle(services, { body: { name, selfTradePrevention } }) {
    const { engine } = services;
    const receipt = await engine.submit({ type: 'createEnterprise', name });
    const reply = replyTo(services, receipt, answers.createdEnterprise.write);
    const { outcome } = receipt;
    if (!outcome.ok) return reply;
    const { enterpriseId } = outcome.result;
    if (selfTradePrevention) {
      await engine.submit({ type: 'amendEnterprise', enterpriseId, selfTradePrevention });
    }
    return { ...reply, seq: engine.seq, audited: `enterprise:${enterpriseId}` };
  },
});

export const operatorEarnRoutes: readonly Route[] = [
  createPlan,
  reads(
    operatorCalls.plans,
    (state, _call, { config }) =>
      planReserves(state, config.reserveAlarmDays).map((reserve) => writePlan(state, reserve)),
    { action: 'plan.list' },
  ),
  reads(
    operatorCalls.plan,
    (state, { params }, services) => planAnswer(services, planNamed(state, params.planId!)),
    { action: 'plan.read', object: planOf },
  ),
  amendPlan,
  operates(
    operatorCalls.fundReserve,
    { action: 'plan.fund', object: planOf },
    (state, { params, body }) => toFundReserve(state, planNamed(state, params.planId!), body),
    (result) => answers.booked.write(result),
  ),
  createEnterprise,
  operates(
    operatorCalls.amendEnterprise,
    {
      action: 'enterprise.amend',
      object: ({ enterpriseId }) => `enterprise:${enterpriseId}`,
    },
    (state, { params, body }) => {
      const { enterpriseId } = enterpriseNamed(state, params.enterpriseId!);
      return { type: 'amendEnterprise', enterpriseId, ...body };
    },
    (_, state, { params }) =>
      answers.amendedEnterprise.write(enterpriseNamed(state, params.enterpriseId!)),
  ),
  reads(operatorCalls.enterprises, writeEnterprises, { action: 'enterprise.list' }),
];

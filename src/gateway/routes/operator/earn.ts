// The operator's calls about earn: the plans that are offered, the reserves that their interest is paid from, and
// enterprises.
import { requireSomeField } from '../../../contract/operator.ts';
import {
  amendEnterpriseBody,
  amendPlanBody,
  createEnterpriseBody,
  createPlanBody,
  enterpriseNamed,
  fundReserveBody,
  planNamed,
  toAmendPlan,
  toCreatePlan,
  toFundReserve,
  unlistedCoin,
  writeEnterprises,
  writePlan,
} from '../../../contract/operator-earn.ts';
import { planReserve, planReserves } from '../../../contract/plan-reserve.ts';
import type { Plan } from '../../../core/earn/plan.ts';
import { rejectPlain } from '../../../core/reject.ts';
import { ok, replyTo } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { inTurn, OPERATOR, rejectReply } from './call.ts';

/** For the audit log. */
const planOf = ({ planId }: Readonly<Record<string, string>>): string => `plan:${planId}`;

function shown({ config, engine }: Services, plan: Plan): object {
  const { state } = engine.exchange;
  return writePlan(state, planReserve(state, plan, config.reserveAlarmDays));
}

const createPlan = route({
  method: 'POST',
  path: `${OPERATOR}/plans`,
  access: 'operator',
  audit: { action: 'plan.create', object: (_, body) => body?.planName ?? null },
  summary: 'Offers a plan. Type, coin, days, reward frequency and compounding never change.',
  body: createPlanBody,
  async handle(services, { body }) {
    const { state } = services.engine.exchange;
    const unlisted = unlistedCoin(state, body);
    if (unlisted !== null) return rejectReply(services, rejectPlain('assetUnknown', unlisted));
    const receipt = await services.engine.submit(toCreatePlan(state, body));
    const reply = replyTo(services, receipt, ({ planId }) => ({ planId: String(planId) }));
    const { outcome } = receipt;
    return outcome.ok ? { ...reply, audited: `plan:${outcome.result.planId}` } : reply;
  },
});

const listPlans = route({
  method: 'GET',
  path: `${OPERATOR}/plans`,
  access: 'operator',
  audit: { action: 'plan.list' },
  summary: 'All plans with their terms, what is subscribed, and how long their reserves last.',
  handle({ config, engine }) {
    const { state } = engine.exchange;
    const reserves = planReserves(state, config.reserveAlarmDays);
    return ok(
      reserves.map((reserve) => writePlan(state, reserve)),
      engine.seq,
    );
  },
});

const getPlan = route({
  method: 'GET',
  path: `${OPERATOR}/plans/{planId}`,
  access: 'operator',
  audit: { action: 'plan.read', object: planOf },
  summary: 'One plan.',
  handle(services, { params }) {
    const { engine } = services;
    return ok(shown(services, planNamed(engine.exchange.state, params.planId!)), engine.seq);
  },
});

const amendPlan = route({
  method: 'PATCH',
  path: `${OPERATOR}/plans/{planId}`,
  access: 'operator',
  audit: { action: 'plan.amend', object: planOf },
  summary:
    'Changes terms: at once for who subscribes now, from the next UTC day on for flexible ' +
    'subscriptions, never for a running term. `poolCapacity` and `booster` are removed by null.',
  body: amendPlanBody,
  handle(services, { params, body }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const plan = planNamed(state, params.planId!);
    requireSomeField(body);
    const unlisted = unlistedCoin(state, body);
    if (unlisted !== null) return rejectReply(services, rejectPlain('assetUnknown', unlisted));
    return inTurn(services, async () => {
      const receipt = await engine.submit(toAmendPlan(state, plan, body));
      return replyTo(services, receipt, () => shown(services, plan));
    });
  },
});

const fundReserve = route({
  method: 'POST',
  path: `${OPERATOR}/plans/{planId}/reserve`,
  access: 'operator',
  audit: { action: 'plan.fund', object: planOf },
  summary:
    'Puts money from outside into the reserve that interest is paid from, once per reference.',
  body: fundReserveBody,
  async handle(services, { params, body }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const plan = planNamed(state, params.planId!);
    const receipt = await engine.submit(toFundReserve(state, plan, body));
    return replyTo(services, receipt, ({ transferId, seq }) => ({ transferId, seq }));
  },
});

const createEnterprise = route({
  method: 'POST',
  path: `${OPERATOR}/enterprises`,
  access: 'operator',
  audit: { action: 'enterprise.create', object: (_, body) => body?.name ?? null },
  summary: 'Creates an enterprise; users become members by `enterpriseId`.',
  body: createEnterpriseBody,
  async handle(services, { body: { name, selfTradePrevention } }) {
    const { engine } = services;
    const receipt = await engine.submit({ type: 'createEnterprise', name });
    const reply = replyTo(services, receipt, ({ enterpriseId }) => ({ enterpriseId }));
    const { outcome } = receipt;
    if (!outcome.ok) return reply;
    const { enterpriseId } = outcome.result;
    if (selfTradePrevention) {
      await engine.submit({ type: 'amendEnterprise', enterpriseId, selfTradePrevention });
    }
    return { ...reply, seq: engine.seq, audited: `enterprise:${enterpriseId}` };
  },
});

const amendEnterprise = route({
  method: 'PATCH',
  path: `${OPERATOR}/enterprises/{enterpriseId}`,
  access: 'operator',
  audit: {
    action: 'enterprise.amend',
    object: ({ enterpriseId }) => `enterprise:${enterpriseId}`,
  },
  summary: 'Says whether orders of its members may trade with each other, from the next order on.',
  body: amendEnterpriseBody,
  async handle(services, { params, body }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const enterprise = enterpriseNamed(state, params.enterpriseId!);
    const { enterpriseId } = enterprise;
    const receipt = await engine.submit({ type: 'amendEnterprise', enterpriseId, ...body });
    return replyTo(services, receipt, () => ({
      enterpriseId,
      selfTradePrevention: enterprise.selfTradePrevention,
    }));
  },
});

const listEnterprises = route({
  method: 'GET',
  path: `${OPERATOR}/enterprises`,
  access: 'operator',
  audit: { action: 'enterprise.list' },
  summary: 'All enterprises with the number of their members and their margins.',
  handle: ({ engine }) => ok(writeEnterprises(engine.exchange.state), engine.seq),
});

export const operatorEarnRoutes: readonly Route[] = [
  createPlan,
  listPlans,
  getPlan,
  amendPlan,
  fundReserve,
  createEnterprise,
  amendEnterprise,
  listEnterprises,
];

// The earn calls of an enterprise's admin: the subscriptions of its members, its margins, and how one is set.
import { namedAsset } from '../../../contract/account.ts';
import { NO_SUCH_ID } from '../../../contract/earn.ts';
import { success } from '../../../contract/earn-answers.ts';
import {
  marginQuery,
  marginsBody,
  membersBody,
  pageOf,
  toSetMargin,
  writeMargin,
  writeMember,
} from '../../../contract/earn-enterprise.ts';
import { emptyBody, writePage } from '../../../contract/operator.ts';
import type { Enterprise } from '../../../core/earn/enterprise.ts';
import { type Reject, rejectPlain } from '../../../core/reject.ts';
import { Module } from '../../../identity/live-key.ts';
import { refuseReject, refuseReplay, replyTo, submitOnce } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { askViews, EARN, okEarn } from './call.ts';

const admin = {
  method: 'POST',
  access: { module: Module.enterpriseAdmin },
  legacyErrors: true,
} as const;

/** The enterprise that the caller is an admin of; the privilege of the key alone is not enough. */
function enterpriseOf({ engine }: Services, uid: number): Enterprise | undefined {
  const { users, earn } = engine.exchange.state;
  const user = users[uid];
  return user?.enterpriseAdmin ? earn.enterprises[user.enterpriseId] : undefined;
}

const notAdmin = (): Reject => rejectPlain('notEnterpriseAdmin');

const listMembers = route({
  ...admin,
  path: `${EARN}/earn/plans/list`,
  summary: 'The subscriptions of the enterprise’s members, also redeemed ones, newest first.',
  body: membersBody,
  async handle(services, call) {
    const { engine } = services;
    const { state } = engine.exchange;
    const enterprise = enterpriseOf(services, call.uid);
    if (enterprise === undefined) return refuseReject(services, notAdmin(), engine.seq);
    const { planType, symbol, pageSize } = call.body;
    const page = pageOf(call.body);
    const assetId = symbol === undefined ? undefined : namedAsset(state, symbol, 'symbol').assetId;
    const query = {
      type: 'enterpriseSubscriptions',
      enterpriseId: enterprise.enterpriseId,
      page,
      size: pageSize,
      ...(planType === undefined ? {} : { planType }),
      ...(assetId === undefined ? {} : { assetId }),
    } as const;
    const seq = engine.seq;
    const found = await askViews(services, call, query, seq);
    const { subscriptions } = state.earn;
    const written = writePage(found, { page, pageSize }, (facts) =>
      writeMember(state, facts, subscriptions.find(facts.applyId)),
    );
    return okEarn(written, seq, true);
  },
});

const listMargins = route({
  ...admin,
  path: `${EARN}/yield/manage/list`,
  summary: 'The plans, newest first, with what the enterprise keeps of each.',
  body: marginsBody,
  handle(services, { uid, body }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const enterprise = enterpriseOf(services, uid);
    if (enterprise === undefined) return refuseReject(services, notAdmin(), engine.seq);
    const { asset, pageNum: page, pageSize } = body;
    const assetId = asset === undefined ? undefined : namedAsset(state, asset).assetId;
    const plans = state.earn.plans
      .filter((plan) => plan !== undefined)
      .filter((plan) => assetId === undefined || plan.assetId === assetId)
      .reverse();
    const items = plans.slice((page - 1) * pageSize, page * pageSize);
    const written = writePage({ items, total: plans.length }, { page, pageSize }, (plan) =>
      writeMargin(state, plan, enterprise.margins.get(plan.planId) ?? 0, uid),
    );
    return okEarn(written, engine.seq, true);
  },
});

const editMargin = route({
  ...admin,
  path: `${EARN}/edit/enterpriseMargin`,
  write: true,
  stepUp: true,
  summary: 'Sets what the enterprise keeps of a plan, for what its members subscribe from now on.',
  query: marginQuery,
  body: emptyBody,
  async handle(services, call) {
    const replay = refuseReplay(services, call);
    if (replay !== null) return replay;
    const { engine } = services;
    if (enterpriseOf(services, call.uid) === undefined) {
      return refuseReject(services, notAdmin(), engine.seq);
    }
    if (call.query.planId === NO_SUCH_ID) {
      return refuseReject(services, rejectPlain('planUnknown', 'planId'), engine.seq);
    }
    const receipt = await submitOnce(services, toSetMargin(call.query, call));
    return replyTo(services, receipt, () => success(true, true));
  },
});

export const earnEnterpriseRoutes: readonly Route[] = [listMembers, listMargins, editMargin];

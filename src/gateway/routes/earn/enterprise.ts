// The earn calls of an enterprise's admin: the subscriptions of its members, its margins, and how
// one is set.
import { enterpriseCalls } from '../../../contract/earn/calls.ts';
import {
  filterAsset,
  readMarginsPage,
  toSetMargin,
  writeMargin,
  writeMember,
} from '../../../contract/earn/enterprise.ts';
import { NO_SUCH_ID } from '../../../contract/earn/requests.ts';
import { readPage, writePage } from '../../../contract/paging.ts';
import type { Enterprise } from '../../../core/earn/enterprise.ts';
import type { PlanType } from '../../../core/earn/plan.ts';
import { rejection } from '../../../core/reject.ts';
import type { State } from '../../../core/state.ts';
import { submit } from '../../door.ts';
import { rejectReply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { moreCallsOfPage } from '../../limits/limits.ts';
import { reads, rejected } from '../kinds.ts';
import { askViews, replyToEarn } from './call.ts';

/** The enterprise that the caller administers; the privilege of the key alone is not enough. */
function enterpriseOf({ users, earn }: State, uid: number): Enterprise | undefined {
  const user = users[uid];
  return user?.enterpriseAdmin ? earn.enterprises[user.enterpriseId] : undefined;
}

const NOT_ADMIN = rejected('notEnterpriseAdmin');

const listMembers = reads(enterpriseCalls.memberSubscriptions, async (state, call, services) => {
  const { uid, body } = call;
  const enterprise = enterpriseOf(state, uid);
  if (enterprise === undefined) return NOT_ADMIN;
  const { page, pageSize } = readPage(body);
  const query = {
    type: 'enterpriseSubscriptions',
    enterpriseId: enterprise.enterpriseId,
    page,
    size: pageSize,
    planType: body.planType as PlanType | undefined,
    assetId: filterAsset(state, body.symbol),
  } as const;
  const found = await askViews(services, call, query, state.seq);
  services.limits.chargeRead(call, moreCallsOfPage(found.total, page, pageSize));
  const { subscriptions } = state.earn;
  return writePage(found, { page, pageSize }, (facts) =>
    writeMember(state, facts, subscriptions.find(facts.applyId)),
  );
});

const listMargins = reads(enterpriseCalls.margins, (state, { uid, body }) => {
  const enterprise = enterpriseOf(state, uid);
  if (enterprise === undefined) return NOT_ADMIN;
  const { page, pageSize } = readMarginsPage(body);
  const assetId = filterAsset(state, body.asset);
  const plans = state.earn.plans
    .filter((plan) => plan !== undefined)
    .filter((plan) => assetId === undefined || plan.assetId === assetId)
    .reverse();
  const items = plans.slice((page - 1) * pageSize, page * pageSize);
  return writePage({ items, total: plans.length }, { page, pageSize }, (plan) =>
    writeMargin(state, plan, enterprise.margins.get(plan.planId) ?? 0, uid),
  );
});

const editMargin = route(enterpriseCalls.setMargin, {
  async handle(services, call) {
    const { state } = services.engine.exchange;
    if (enterpriseOf(state, call.uid) === undefined) return rejectReply(services, NOT_ADMIN.reject);
    if (call.query.planId === NO_SUCH_ID) {
      return rejectReply(services, rejection('planUnknown', 'planId'));
    }
    const receipt = await submit(services, toSetMargin(state, call.query, call), call.access);
    return replyToEarn(services, enterpriseCalls.setMargin, receipt, () => true as const);
  },
});

export const earnEnterpriseRoutes: readonly Route[] = [listMembers, listMargins, editMargin];

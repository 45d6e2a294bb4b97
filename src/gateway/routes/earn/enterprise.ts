// The earn calls of an enterprise's admin: the subscriptions of its members, its margins, and how
// one is set.

import { enterpriseCalls } from '../../../contract/earn/calls.ts';
import {
  pageOf,
  toSetMargin,
  writeMargin,
  writeMember,
} from '../../../contract/earn/enterprise.ts';
import { NO_SUCH_ID } from '../../../contract/earn/requests.ts';
import { writePage } from '../../../contract/paging.ts';
import { namedAsset } from '../../../contract/trading/account.ts';
import type { Enterprise } from '../../../core/earn/enterprise.ts';
import { type Reject, rejection } from '../../../core/reject.ts';
import { submit } from '../../door.ts';
import { rejectReply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { askViews, okEarn, replyToEarn } from './call.ts';

/** The enterprise that the caller administers; the privilege of the key alone is not enough. */
function enterpriseOf({ engine }: Services, uid: number): Enterprise | undefined {
  const { users, earn } = engine.exchange.state;
  const user = users[uid];
  return user?.enterpriseAdmin ? earn.enterprises[user.enterpriseId] : undefined;
}

const notAdmin = (): Reject => rejection('notEnterpriseAdmin');

const listMembers = route(enterpriseCalls.memberSubscriptions, {
  async handle(services, call) {
    const { engine } = services;
    const { state } = engine.exchange;
    const enterprise = enterpriseOf(services, call.uid);
    if (enterprise === undefined) return rejectReply(services, notAdmin());
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

const listMargins = route(enterpriseCalls.margins, {
  handle(services, { uid, body }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const enterprise = enterpriseOf(services, uid);
    if (enterprise === undefined) return rejectReply(services, notAdmin());
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

const editMargin = route(enterpriseCalls.setMargin, {
  async handle(services, call) {
    if (enterpriseOf(services, call.uid) === undefined) return rejectReply(services, notAdmin());
    if (call.query.planId === NO_SUCH_ID) {
      return rejectReply(services, rejection('planUnknown', 'planId'));
    }
    const receipt = await submit(services, toSetMargin(call.query, call), call.access);
    return replyToEarn(services, receipt, () => true as const, true);
  },
});

export const earnEnterpriseRoutes: readonly Route[] = [listMembers, listMargins, editMargin];

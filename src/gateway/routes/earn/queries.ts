// The earn calls that only read: plans, previews, the customer's subscriptions, their interest and
// how it came about. Live data comes from the core; history comes from the views at the position of
// the core.

import * as answers from '../../../contract/earn/answers.ts';
import { earnCalls } from '../../../contract/earn/calls.ts';
import { unknownDay, writeExplanation } from '../../../contract/earn/explanation.ts';
import { toAmount } from '../../../contract/earn/requests.ts';
import {
  coinOf,
  viewOfClosed,
  viewOfLive,
  withTerms,
  writeApplyPreview,
  writeCurrent,
  writeEnded,
  writeRedeemPreview,
  writeSubscription,
} from '../../../contract/earn/writers.ts';
import { writePage } from '../../../contract/paging.ts';
import { dayOf } from '../../../core/calendar.ts';
import { previewApply, previewRedeem } from '../../../core/earn/preview.ts';
import { findOwn } from '../../../core/earn/redeem.ts';
import { rejection } from '../../../core/reject.ts';
import { ZERO } from '../../../core/units.ts';
import { rejectReply } from '../../http/reply.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { askViews, findOwned, okEarn, todayOf } from './call.ts';

const listPlans = route(earnCalls.plans, {
  handle({ engine }) {
    const { state } = engine.exchange;
    const plans = state.earn.plans.filter((each) => each !== undefined).map(withTerms);
    const open = plans.filter((each) => each.open);
    return okEarn(
      open.map((each) => answers.plan.write(each, coinOf(state, each))),
      engine.seq,
      true,
    );
  },
});

const getPlan = route(earnCalls.plan, {
  handle(services, { query }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const plan = state.earn.plans[query.planId];
    if (plan === undefined) {
      return rejectReply(services, rejection('planUnknown', 'planId'));
    }
    return okEarn(answers.planDetail.write(withTerms(plan), coinOf(state, plan)), engine.seq);
  },
});

const getApplyPreview = route(earnCalls.previewApply, {
  handle(services, { uid, query }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const plan = state.earn.plans[query.planId];
    const sent = query.amount;
    const money =
      plan === undefined || sent === undefined ? ZERO : toAmount(sent, coinOf(state, plan));
    const outcome = previewApply(state, uid, query.planId, money, query.day);
    if (outcome.ok) {
      return okEarn(writeApplyPreview(state, outcome.result, todayOf(services)), engine.seq);
    }
    const { reject } = outcome;
    // The core names the days as the body of plan/apply does.
    const field = reject.field === 'lockDay' ? 'day' : reject.field;
    return rejectReply(services, { ...reject, field });
  },
});

const getSubscription = route(earnCalls.subscription, {
  async handle(services, call) {
    const { engine } = services;
    const { state } = engine.exchange;
    const { applyId } = call.query;
    const seq = engine.seq;
    const found = await findOwned(services, call, applyId, seq);
    if ('name' in found) return rejectReply(services, found, seq);
    // Taken now: it may be gone when the views have answered.
    const shown =
      found.live === null
        ? viewOfClosed(state, found.closed)
        : viewOfLive(state, found.live, todayOf(services));
    const redemptions = await askViews(services, call, { type: 'redemptions', applyId }, seq);
    return okEarn(writeSubscription(state, shown, redemptions), seq);
  },
});

const listCurrent = route(earnCalls.subscriptions, {
  handle(services, { uid }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const today = todayOf(services);
    const current = [...state.earn.subscriptions.ofUser(uid)];
    return okEarn(
      current.map((subscription) => writeCurrent(state, viewOfLive(state, subscription, today))),
      engine.seq,
    );
  },
});

const listEnded = route(earnCalls.endedSubscriptions, {
  async handle(services, call) {
    const { engine } = services;
    const { currentPage: page, pageSize } = call.query;
    const seq = engine.seq;
    const query = { type: 'endedSubscriptions', uid: call.uid, page, size: pageSize } as const;
    const found = await askViews(services, call, query, seq);
    const { state } = engine.exchange;
    const written = writePage(found, { page, pageSize }, (facts) => writeEnded(state, facts));
    return okEarn(written, seq);
  },
});

const getInterest = route(earnCalls.interest, {
  async handle(services, call) {
    const { engine } = services;
    const { applyId, currentPage: page, pageSize } = call.query;
    const seq = engine.seq;
    const found = await findOwned(services, call, applyId, seq);
    if ('name' in found) return rejectReply(services, found, seq);
    const query = { type: 'interest', applyId, page, size: pageSize } as const;
    const entries = await askViews(services, call, query, seq);
    const { state } = engine.exchange;
    return okEarn(
      writePage(entries, { page, pageSize }, (entry) =>
        answers.interestEntry.write(entry, coinOf(state, entry)),
      ),
      seq,
    );
  },
});

const explainInterest = route(earnCalls.explainInterest, {
  async handle(services, call) {
    const { engine } = services;
    const { applyId, date } = call.query;
    const seq = engine.seq;
    const found = await findOwned(services, call, applyId, seq);
    if ('name' in found) return rejectReply(services, found, seq);
    const day = dayOf(date);
    const entry = await askViews(services, call, { type: 'interestDay', applyId, day }, seq);
    if (entry === null) throw unknownDay(day, await daysOf(services, call, applyId, seq));
    return okEarn(writeExplanation(engine.exchange.state, entry), seq);
  },
});

/** The first and the last day that have an entry; the days between them all have one. */
async function daysOf(
  services: Services,
  call: Call<unknown, unknown>,
  applyId: number,
  seq: number,
): Promise<readonly [number, number] | null> {
  const newest = { type: 'interest', applyId, page: 1, size: 1 } as const;
  const { total, items } = await askViews(services, call, newest, seq);
  const last = items[0]?.day;
  return last === undefined ? null : [last - total + 1, last];
}

const getRedeemPreview = route(earnCalls.previewRedeem, {
  handle(services, { uid, query }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const { applyId, amount } = query;
    const subscription = findOwn(state, uid, applyId);
    if ('name' in subscription) return rejectReply(services, subscription);
    const money = amount === undefined ? null : toAmount(amount, coinOf(state, subscription.plan));
    const outcome = previewRedeem(state, uid, applyId, money);
    return outcome.ok
      ? okEarn(writeRedeemPreview(state, outcome.result), engine.seq)
      : rejectReply(services, outcome.reject);
  },
});

export const earnRoutes: readonly Route[] = [
  listPlans,
  getPlan,
  getApplyPreview,
  getSubscription,
  listCurrent,
  listEnded,
  getInterest,
  explainInterest,
  getRedeemPreview,
];

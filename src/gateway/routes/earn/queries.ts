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
  withOwnRates,
  withTerms,
  writeApplyPreview,
  writeCurrent,
  writeEnded,
  writeRedeemPreview,
  writeSubscription,
} from '../../../contract/earn/writers.ts';
import { makeChecked } from '../../../contract/nearest.ts';
import { readPage, writePage } from '../../../contract/paging.ts';
import { dayOf } from '../../../core/calendar.ts';
import { previewApply, previewRedeem } from '../../../core/earn/preview.ts';
import type { Outcome } from '../../../core/outcome.ts';
import type { Reject } from '../../../core/reject.ts';
import { type Amount, ZERO } from '../../../core/units.ts';
import type { Call, Route } from '../../http/route.ts';
import { moreCalls, moreCallsOfPage } from '../../limits/limits.ts';
import type { Services } from '../../services.ts';
import { Rejected, reads, rejected } from '../kinds.ts';
import { askViews, findOwned, requireLive, todayOf } from './call.ts';

const rejectOf = (outcome: Outcome<unknown>): Reject | null => (outcome.ok ? null : outcome.reject);

const getApplyPreview = reads(earnCalls.previewApply, (state, { uid, query }, services) => {
  const { planId, amount: sent, day } = query;
  const plan = state.earn.plans[planId];
  const preview = (money: Amount) => previewApply(state, uid, planId, money, day);
  const outcome =
    plan === undefined || sent === undefined
      ? preview(ZERO)
      : makeChecked(
          state,
          query,
          ({ amount }) => preview(toAmount(amount!, coinOf(state, plan))),
          rejectOf,
        );
  if (outcome.ok) return writeApplyPreview(state, outcome.result, todayOf(services));
  const { reject } = outcome;
  // The core names the days as the body of plan/apply does.
  const field = reject.field === 'lockDay' ? 'day' : reject.field;
  return new Rejected({ ...reject, field });
});

const getRedeemPreview = reads(earnCalls.previewRedeem, async (state, call, services) => {
  const { applyId, amount } = call.query;
  const found = await findOwned(services, call, applyId, state.seq);
  if (found instanceof Rejected) return found;
  requireLive(found);
  const preview = (money: Amount | null) => previewRedeem(state, call.uid, applyId, money);
  const coin = coinOf(state, found.live!.plan);
  const outcome =
    amount === undefined
      ? preview(null)
      : makeChecked(state, call.query, (sent) => preview(toAmount(sent.amount!, coin)), rejectOf);
  return outcome.ok ? writeRedeemPreview(state, outcome.result) : new Rejected(outcome.reject);
});

const getSubscription = reads(earnCalls.subscription, async (state, call, services) => {
  const { applyId } = call.query;
  const { seq } = state;
  const found = await findOwned(services, call, applyId, seq);
  if (found instanceof Rejected) return found;
  // Read before the await: it may close meanwhile.
  const shown =
    found.live === null
      ? viewOfClosed(state, found.closed)
      : viewOfLive(state, found.live, todayOf(services));
  const redemptions = await askViews(services, call, { type: 'redemptions', applyId }, seq);
  return writeSubscription(state, shown, redemptions);
});

const listEnded = reads(earnCalls.endedSubscriptions, async (state, call, services) => {
  const { page, pageSize } = readPage(call.query);
  const query = { type: 'endedSubscriptions', uid: call.uid, page, size: pageSize } as const;
  const found = await askViews(services, call, query, state.seq);
  services.limits.chargeRead(call, moreCallsOfPage(found.total, page, pageSize));
  return writePage(found, { page, pageSize }, (facts) => writeEnded(state, facts));
});

const getInterest = reads(earnCalls.interest, async (state, call, services) => {
  const { applyId } = call.query;
  const { page, pageSize } = readPage(call.query);
  const { seq } = state;
  const found = await findOwned(services, call, applyId, seq);
  if (found instanceof Rejected) return found;
  const query = { type: 'interest', applyId, page, size: pageSize } as const;
  const entries = await askViews(services, call, query, seq);
  return writePage(entries, { page, pageSize }, (entry) =>
    answers.interestEntry.write(entry, coinOf(state, entry)),
  );
});

const explainInterest = reads(earnCalls.explainInterest, async (state, call, services) => {
  const { applyId, date } = call.query;
  const { seq } = state;
  const found = await findOwned(services, call, applyId, seq);
  if (found instanceof Rejected) return found;
  const day = dayOf(date);
  const entry = await askViews(services, call, { type: 'interestDay', applyId, day }, seq);
  if (entry === null) throw unknownDay(day, await daysOf(services, call, applyId, seq));
  return writeExplanation(state, entry);
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

export const earnRoutes: readonly Route[] = [
  reads(earnCalls.plans, (state) =>
    state.earn.plans
      .filter((each) => each !== undefined)
      .map(withTerms)
      .filter(({ open }) => open)
      .map((each) => answers.plan.write(each, coinOf(state, each))),
  ),
  reads(earnCalls.plan, (state, { uid, query: { planId } }) => {
    const plan = state.earn.plans[planId];
    if (plan === undefined) return rejected('planUnknown', 'planId');
    return answers.planDetail.write(withOwnRates(state, uid, plan), coinOf(state, plan));
  }),
  getApplyPreview,
  getSubscription,
  reads(earnCalls.subscriptions, (state, call, services) => {
    const today = todayOf(services);
    const current = [...state.earn.subscriptions.ofUser(call.uid)];
    const { page, pageSize } = readPage(call.query);
    const isPaged = Object.values(call.query).some((value) => value !== undefined);
    const shown = isPaged ? current.slice((page - 1) * pageSize, page * pageSize) : current;
    services.limits.chargeRead(call, moreCalls(shown.length));
    return shown.map((each) => writeCurrent(state, viewOfLive(state, each, today)));
  }),
  listEnded,
  getInterest,
  explainInterest,
  getRedeemPreview,
];

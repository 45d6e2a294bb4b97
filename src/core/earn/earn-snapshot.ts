// Earn in a snapshot: plans with all their versions, enterprises, live subscriptions and pending
// redemptions. Totals are not written: they follow from the subscriptions.
import type { BinaryReader, BinaryWriter } from '../binary.ts';
import { integer, readAll, record, text, writeAll } from '../codec.ts';
import { IndexedHeap } from '../indexed-heap.ts';
import { ZERO } from '../units.ts';
import { EARN_COUNTERS, type EarnState } from './earn-state.ts';
import { addRefundable, newEnterprise } from './enterprise.ts';
import { PLAN_KIND, PLAN_VERSION, type Plan, type PlanVersion } from './plan.ts';
import { REDEMPTION, SUBSCRIPTION, Subscription } from './subscription.ts';

export const PROGRESS = record({ closingDay: integer, closedUpTo: integer });

const MARGIN = record({ planId: integer, margin: integer });

export function writeEarn(out: BinaryWriter, earn: EarnState): void {
  const plans = earn.plans.filter((plan) => plan !== undefined);
  out.integer(plans.length);
  for (const plan of plans) {
    PLAN_KIND.write(out, plan);
    writeAll(out, PLAN_VERSION, plan.versions);
  }
  const enterprises = earn.enterprises.filter((each) => each !== undefined);
  out.integer(enterprises.length);
  for (const { name, selfTradePrevention, margins } of enterprises) {
    out.text(name);
    out.boolean(selfTradePrevention);
    const list = [...margins].map(([planId, margin]) => ({ planId, margin }));
    writeAll(out, MARGIN, list);
  }
  EARN_COUNTERS.write(out, earn.next);
  PROGRESS.write(out, earn);
  writeAll(out, integer, earn.retrying);
  writeSubscriptions(out, earn);
  writeAll(out, REDEMPTION, earn.redemptions.all());
}

export function readEarn(input: BinaryReader, earn: EarnState): void {
  const { plans, enterprises, retrying, redemptions } = earn;
  readAll(input, PLAN_KIND, (kind) => {
    const versions: PlanVersion[] = [];
    readAll(input, PLAN_VERSION, (terms) => versions.push({ version: versions.length, ...terms }));
    const totals = { pool: ZERO, yearlyCost: ZERO, overdue: new IndexedHeap() };
    plans.push({ planId: plans.length, ...kind, versions, ...totals } satisfies Plan);
  });
  readAll(input, text, (name) => {
    const enterprise = newEnterprise(enterprises.length, name);
    enterprise.selfTradePrevention = input.boolean();
    readAll(input, MARGIN, ({ planId, margin }) => enterprise.margins.set(planId, margin));
    enterprises.push(enterprise);
  });
  Object.assign(earn.next, EARN_COUNTERS.read(input));
  Object.assign(earn, PROGRESS.read(input));
  readAll(input, integer, (planId) => retrying.push(planId));
  readSubscriptions(input, earn);
  readAll(input, REDEMPTION, (redemption) => redemptions.add(redemption));
}

function writeSubscriptions(out: BinaryWriter, { subscriptions }: EarnState): void {
  out.integer(subscriptions.size);
  for (let s = subscriptions.after(0); s !== undefined; s = subscriptions.after(s.applyId)) {
    out.integer(s.plan.planId);
    out.integer(s.terms.version);
    SUBSCRIPTION.write(out, s);
  }
}

function readSubscriptions(input: BinaryReader, earn: EarnState): void {
  for (let rest = input.integer(); rest > 0; rest--) {
    const subscription = readSubscription(input, earn);
    earn.subscriptions.add(subscription);
    addRefundable(earn.enterprises, subscription, subscription.share?.paid ?? ZERO);
    const { applyId, overdueNo, plan } = subscription;
    if (overdueNo > 0) plan.overdue.add(applyId, overdueNo);
  }
}

function readSubscription(input: BinaryReader, { plans }: EarnState): Subscription {
  const plan = plans[input.integer()]!;
  const terms = plan.versions[input.integer()];
  const facts = SUBSCRIPTION.read(input);
  return new Subscription({ ...facts, plan, terms });
}

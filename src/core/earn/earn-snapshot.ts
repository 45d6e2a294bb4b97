// Earn in a snapshot: plans with all their versions, enterprises, live subscriptions and pending
// redemptions. Totals are not written: they follow from the subscriptions.
import type { BinaryReader, BinaryWriter } from '../binary.ts';
import { integer, nullable, readAll, record, text, writeAll } from '../codec.ts';
import { ZERO } from '../units.ts';
import { EARN_COUNTERS, type EarnState } from './earn-state.ts';
import { addRefundable, newEnterprise } from './enterprise.ts';
import { OverdueQueue } from './overdue.ts';
import { PLAN_KIND, PLAN_TERMS, type Plan, type PlanVersion } from './plan.ts';
import { ENTERPRISE_SHARE, LOCKED_BOOSTER, REDEMPTION, Subscription } from './subscription.ts';

const PROGRESS = record({ closingDay: integer, closedUpTo: integer });

const VERSION = record({ fromDay: integer, ...PLAN_TERMS.fields });

const MARGIN = record({ planId: integer, margin: integer });

export function writeEarn(out: BinaryWriter, earn: EarnState): void {
  const plans = earn.plans.filter((plan) => plan !== undefined);
  out.integer(plans.length);
  for (const plan of plans) {
    PLAN_KIND.write(out, plan);
    writeAll(out, VERSION, plan.versions);
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
    readAll(input, VERSION, (terms) => versions.push({ version: versions.length, ...terms }));
    const totals = { pool: ZERO, yearlyCost: ZERO, overdue: new OverdueQueue() };
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

const BOOSTER = nullable(LOCKED_BOOSTER);
const SHARE = nullable(ENTERPRISE_SHARE);
const CONSENT = nullable(integer);

function writeSubscriptions(out: BinaryWriter, { subscriptions }: EarnState): void {
  out.integer(subscriptions.size);
  for (let s = subscriptions.after(0); s !== undefined; s = subscriptions.after(s.applyId)) {
    out.integer(s.applyId);
    out.integer(s.uid);
    out.integer(s.plan.planId);
    out.integer(s.terms.version);
    out.integer(s.rate);
    out.amount(s.principal);
    out.integer(s.lockDay);
    out.integer(s.startDay);
    out.integer(s.nextDay);
    out.boolean(s.autoRenew);
    out.integer(s.createTime);
    BOOSTER.write(out, s.booster);
    SHARE.write(out, s.share);
    out.amount(s.basis);
    out.integer(s.carry);
    out.amount(s.accrued);
    out.amount(s.owed);
    out.amount(s.paid);
    out.amount(s.earned);
    out.amount(s.redeeming);
    out.integer(s.redemptions);
    out.integer(s.overdueNo);
    CONSENT.write(out, s.consent);
  }
}

function readSubscriptions(input: BinaryReader, earn: EarnState): void {
  const overdue: Subscription[] = [];
  for (let rest = input.integer(); rest > 0; rest--) {
    const subscription = readSubscription(input, earn);
    earn.subscriptions.add(subscription);
    addRefundable(earn.enterprises, subscription, subscription.share?.paid ?? ZERO);
    if (subscription.overdueNo > 0) overdue.push(subscription);
  }
  overdue.sort((a, b) => a.overdueNo - b.overdueNo);
  for (const each of overdue) each.plan.overdue.add(each, (id) => earn.subscriptions.find(id));
}

function readSubscription(input: BinaryReader, { plans }: EarnState): Subscription {
  const applyId = input.integer();
  const uid = input.integer();
  const plan = plans[input.integer()]!;
  const subscription = new Subscription({
    applyId,
    uid,
    plan,
    terms: plan.versions[input.integer()],
    rate: input.integer(),
    principal: input.amount(),
    lockDay: input.integer(),
    startDay: input.integer(),
    nextDay: input.integer(),
    autoRenew: input.boolean(),
    createTime: input.integer(),
    booster: BOOSTER.read(input),
    share: SHARE.read(input),
  });
  subscription.basis = input.amount();
  subscription.carry = input.integer();
  subscription.accrued = input.amount();
  subscription.owed = input.amount();
  subscription.paid = input.amount();
  subscription.earned = input.amount();
  subscription.redeeming = input.amount();
  subscription.redemptions = input.integer();
  subscription.overdueNo = input.integer();
  subscription.consent = CONSENT.read(input);
  return subscription;
}

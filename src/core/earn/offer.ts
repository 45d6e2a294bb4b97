// The operator's side of earn: plans and their terms, interest reserves, enterprises and their
// members.
import { outcomeOfReference, transferExternally } from '../admin/external-transfer.ts';
import { dayOf } from '../calendar.ts';
import type {
  AmendEnterprise,
  AmendPlan,
  AssignEnterprise,
  CreateEnterprise,
  CreatePlan,
  FundReserve,
} from '../command.ts';
import { IndexedHeap } from '../indexed-heap.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { accepted, type OutcomeOf, rejectedAs } from '../outcome.ts';

import type { State } from '../state.ts';
import { ZERO } from '../units.ts';
import { changeUser } from '../user.ts';
import { newEnterprise } from './enterprise.ts';
import { retryOverdue } from './payout.ts';
import {
  type BoosterTerms,
  PLAN_KIND,
  PLAN_TERMS,
  type Plan,
  type PlanKind,
  type PlanTerms,
  PlanType,
  planOwner,
} from './plan.ts';

/** A hundred years; what a term and a period may be at most. */
export const MAX_DAYS = 36_500;
/** A thousand percent. */
export const MAX_RATE = 1_000_000_000;
/** A year. */
export const MAX_LOCK_HOURS = 8760;

export function createPlan(state: State, command: CreatePlan): OutcomeOf<'createPlan'> {
  if (state.assets[command.assetId] === undefined) return rejectedAs('assetUnknown', 'coin');
  const kind = PLAN_KIND.pick(command);
  if (!isKind(kind) || !areTerms(state, kind, command)) return rejectedAs('invalidTerms');

  // Cannot be rejected beyond this point.
  const planId = state.earn.plans.length;
  const first = { ...PLAN_TERMS.pick(command), version: 0, fromDay: 0 };
  const plan: Plan = {
    ...kind,
    planId,
    versions: [first],
    pool: ZERO,
    yearlyCost: ZERO,
    overdue: new IndexedHeap(),
  };
  state.earn.plans.push(plan);
  return accepted({ planId });
}

/** The new terms hold now for new subscriptions, from tomorrow for held flexible ones. */
export function amendPlan(state: State, command: AmendPlan): OutcomeOf<'amendPlan'> {
  const plan = state.earn.plans[command.planId];
  if (plan === undefined) return rejectedAs('planUnknown', 'planId');
  if (!areTerms(state, plan, command)) return rejectedAs('invalidTerms');
  const { versions } = plan;
  const fromDay = dayOf(state.time) + 1;
  versions.push({ ...PLAN_TERMS.pick(command), version: versions.length, fromDay });
  return accepted({ planId: plan.planId });
}

const isBetween = (n: number, minimum: number, maximum: number): boolean =>
  Number.isSafeInteger(n) && n >= minimum && n <= maximum;

/** True if a plan of this type may have these days. The edge names the field that breaks a rule. */
function isKind(kind: PlanKind): boolean {
  const { planType, minLockDay, maxLockDay, rewardFrequency, autoCompound } = kind;
  if (!isBetween(rewardFrequency, 1, MAX_DAYS)) return false;
  switch (planType) {
    case PlanType.flexible:
      return minLockDay === 0 && maxLockDay === 0;
    case PlanType.fixed:
      return isBetween(minLockDay, 1, MAX_DAYS) && maxLockDay === minLockDay && !autoCompound;
    case PlanType.customized:
      return (
        isBetween(minLockDay, 1, MAX_DAYS) &&
        isBetween(maxLockDay, minLockDay, MAX_DAYS) &&
        !autoCompound
      );
    default:
      return false;
  }
}

function areTerms(state: State, kind: PlanKind, terms: PlanTerms): boolean {
  const { minRate, maxRate, userAmountMin, userAmountMax, poolCapacity, booster } = terms;
  const oneTerm = kind.minLockDay === kind.maxLockDay;
  const renewsOrBoosts = terms.supportAutoRenew || booster !== null;
  return (
    terms.planName !== '' &&
    isBetween(minRate, 0, MAX_RATE) &&
    (oneTerm ? maxRate === minRate : isBetween(maxRate, 0, MAX_RATE)) &&
    userAmountMin > 0 &&
    userAmountMax >= userAmountMin &&
    (poolCapacity === null || poolCapacity >= 0) &&
    isBetween(terms.redeemLockHours, 0, MAX_LOCK_HOURS) &&
    !(renewsOrBoosts && kind.planType === PlanType.flexible) &&
    (booster === null || isBooster(state, booster))
  );
}

const isBooster = ({ assets }: State, { assetId, ratio, rate }: BoosterTerms): boolean =>
  assets[assetId] !== undefined &&
  isBetween(ratio, 1, Number.MAX_SAFE_INTEGER) &&
  isBetween(rate, 1, MAX_RATE);

export function fundReserve(state: State, command: FundReserve): OutcomeOf<'fundReserve'> {
  const { planId, amount, reference } = command;
  const plan = state.earn.plans[planId];
  if (plan === undefined) return rejectedAs('planUnknown', 'planId');
  if (amount <= 0) return rejectedAs('invalidTerms', 'amount');
  const account = AccountCode.interestReserve;
  const owner = planOwner(planId);
  const transfer = { owner, account, assetId: plan.assetId, amount, reference };
  const earlier = outcomeOfReference(state, transfer);
  if (earlier !== null) return earlier;
  const outcome = transferExternally(state, transfer);
  retryOverdue(state, plan);
  return outcome;
}

export function createEnterprise(
  state: State,
  { name }: CreateEnterprise,
): OutcomeOf<'createEnterprise'> {
  if (name === '') return rejectedAs('invalidTerms', 'name');
  const { enterprises } = state.earn;
  if (enterprises.some((enterprise) => enterprise?.name === name)) {
    return rejectedAs('alreadyExists', 'name');
  }
  const enterpriseId = enterprises.length;
  enterprises.push(newEnterprise(enterpriseId, name));
  return accepted({ enterpriseId });
}

/** For the next orders; resting orders stay. */
export function amendEnterprise(
  state: State,
  { enterpriseId, selfTradePrevention }: AmendEnterprise,
): OutcomeOf<'amendEnterprise'> {
  const enterprise = state.earn.enterprises[enterpriseId];
  if (enterprise === undefined) return rejectedAs('enterpriseUnknown', 'enterpriseId');
  enterprise.selfTradePrevention = selfTradePrevention;
  return accepted({ enterpriseId });
}

/** Running terms stay with the enterprise that they began with. */
export function assignEnterprise(
  state: State,
  command: AssignEnterprise,
): OutcomeOf<'assignEnterprise'> {
  const { uid, enterpriseId, admin } = command;
  const user = state.users[uid];
  if (user === undefined) return rejectedAs('userUnknown', 'uid');
  if (enterpriseId !== 0 && state.earn.enterprises[enterpriseId] === undefined) {
    return rejectedAs('enterpriseUnknown', 'enterpriseId');
  }
  if (admin && enterpriseId === 0) return rejectedAs('invalidTerms', 'enterpriseAdmin');

  // Cannot be rejected beyond this point.
  changeUser(state.hash, user, { enterpriseId, enterpriseAdmin: admin });
  return accepted({ uid });
}

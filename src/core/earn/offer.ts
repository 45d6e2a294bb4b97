// The operator's side of earn: plans and their terms, interest reserves, enterprises and their
// members.

import { emitVenueTransfer } from '../admin/income.ts';
import { dayOf } from '../calendar.ts';
import type {
  AmendEnterprise,
  AmendPlan,
  AssignEnterprise,
  CreateEnterprise,
  CreatePlan,
  FundReserve,
} from '../command.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { VENUE } from '../ledger/ledger.ts';
import {
  accepted,
  type EnterpriseCreated,
  type FundsAccepted,
  type Outcome,
  type PlanAccepted,
  rejected,
  type UserCreated,
} from '../outcome.ts';
import { rejectPlain } from '../reject.ts';
import type { State } from '../state.ts';
import { ZERO } from '../units.ts';
import { changeUser } from '../user.ts';
import { planAccount, planOwner } from './accounts.ts';
import { newEnterprise } from './enterprise.ts';
import { OverdueQueue } from './overdue.ts';
import { retryOverdue } from './payout.ts';
import {
  type BoosterTerms,
  PLAN_KIND,
  PLAN_TERMS,
  type Plan,
  type PlanKind,
  type PlanTerms,
  PlanType,
} from './plan.ts';

/** A hundred years; what a term and a period may be at most. */
export const MAX_DAYS = 36_500;
/** A thousand percent. */
export const MAX_RATE = 1_000_000_000;
/** A year. */
export const MAX_LOCK_HOURS = 8760;

/** Rejects: assetUnknown, invalidTerms. */
export function createPlan(state: State, command: CreatePlan): Outcome<PlanAccepted> {
  if (state.assets[command.assetId] === undefined) {
    return rejected(rejectPlain('assetUnknown', 'coin'));
  }
  const kind = PLAN_KIND.pick(command);
  if (!isKind(kind) || !areTerms(state, kind, command))
    return rejected(rejectPlain('invalidTerms'));

  // Cannot be refused beyond this point.
  const planId = state.earn.plans.length;
  const first = { ...PLAN_TERMS.pick(command), version: 0, fromDay: 0 };
  const plan: Plan = {
    ...kind,
    planId,
    versions: [first],
    pool: ZERO,
    yearlyCost: ZERO,
    overdue: new OverdueQueue(),
  };
  state.earn.plans.push(plan);
  return accepted({ planId });
}

/**
 * From now on for new subscriptions, from tomorrow for flexible ones that are held. Rejects:
 * planUnknown, invalidTerms.
 */
export function amendPlan(state: State, command: AmendPlan): Outcome<PlanAccepted> {
  const plan = state.earn.plans[command.planId];
  if (plan === undefined) return rejected(rejectPlain('planUnknown', 'planId'));
  if (!areTerms(state, plan, command)) return rejected(rejectPlain('invalidTerms'));
  const { versions } = plan;
  const fromDay = dayOf(state.time) + 1;
  versions.push({ ...PLAN_TERMS.pick(command), version: versions.length, fromDay });
  return accepted({ planId: plan.planId });
}

const isBetween = (n: number, minimum: number, maximum: number): boolean =>
  Number.isSafeInteger(n) && n >= minimum && n <= maximum;

/** Whether a plan of this type may have these days. The edge names the field that breaks a rule. */
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

/**
 * Funds a reserve from outside, once per reference. Rejects: planUnknown, invalidTerms,
 * referenceReused.
 */
export function fundReserve(state: State, command: FundReserve): Outcome<FundsAccepted> {
  const { planId, amount, reference } = command;
  const plan = state.earn.plans[planId];
  if (plan === undefined) return rejected(rejectPlain('planUnknown', 'planId'));
  if (amount <= 0) return rejected(rejectPlain('invalidTerms', 'amount'));
  const owner = planOwner(planId);
  const { assetId } = plan;
  const earlier = state.references.find(reference);
  if (earlier !== undefined) {
    const same = earlier.owner === owner && earlier.amount === amount;
    if (!same) return rejected(rejectPlain('referenceReused', 'reference'));
    const { transferId, seq } = earlier;
    return { ok: true, result: { transferId, seq }, replayed: true };
  }

  // Cannot be refused beyond this point.
  const { ledger, seq } = state;
  ledger.transfer(
    ledger.account(VENUE, assetId, AccountCode.external),
    planAccount(ledger, plan, AccountCode.interestReserve),
    amount,
  );
  const transferId = state.next.transferId++;
  state.references.record({ reference, transferId, seq, owner, assetId, amount });
  const account = AccountCode.interestReserve;
  emitVenueTransfer(state, { transferId, owner, account, assetId, amount, reference });
  retryOverdue(state, plan);
  return accepted({ transferId, seq });
}

/** Rejects: invalidTerms, alreadyExists. */
export function createEnterprise(
  state: State,
  { name }: CreateEnterprise,
): Outcome<EnterpriseCreated> {
  if (name === '') return rejected(rejectPlain('invalidTerms', 'name'));
  const { enterprises } = state.earn;
  if (enterprises.some((enterprise) => enterprise?.name === name)) {
    return rejected(rejectPlain('alreadyExists', 'name'));
  }
  const enterpriseId = enterprises.length;
  enterprises.push(newEnterprise(enterpriseId, name));
  return accepted({ enterpriseId });
}

/** From the next order on; what rests stays. Rejects: enterpriseUnknown. */
export function amendEnterprise(
  state: State,
  { enterpriseId, selfTradePrevention }: AmendEnterprise,
): Outcome<EnterpriseCreated> {
  const enterprise = state.earn.enterprises[enterpriseId];
  if (enterprise === undefined) return rejected(rejectPlain('enterpriseUnknown', 'enterpriseId'));
  enterprise.selfTradePrevention = selfTradePrevention;
  return accepted({ enterpriseId });
}

/**
 * Running terms stay with the enterprise that they began with. Rejects: userUnknown,
 * enterpriseUnknown, invalidTerms.
 */
export function assignEnterprise(state: State, command: AssignEnterprise): Outcome<UserCreated> {
  const { uid, enterpriseId, admin } = command;
  const user = state.users[uid];
  if (user === undefined) return rejected(rejectPlain('userUnknown', 'uid'));
  if (enterpriseId !== 0 && state.earn.enterprises[enterpriseId] === undefined) {
    return rejected(rejectPlain('enterpriseUnknown', 'enterpriseId'));
  }
  if (admin && enterpriseId === 0) return rejected(rejectPlain('invalidTerms', 'enterpriseAdmin'));

  // Cannot be refused beyond this point.
  changeUser(state.hash, user, { enterpriseId, enterpriseAdmin: admin });
  return accepted({ uid });
}

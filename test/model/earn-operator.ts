// The model's earn commands of the operator: plans and their versions, reserves, enterprises.
import type {
  AmendEnterprise,
  AmendPlan,
  AssignEnterprise,
  CreateEnterprise,
  CreatePlan,
  FundReserve,
} from '../../src/core/command.ts';
import {
  PLAN_KIND,
  PLAN_TERMS,
  type PlanKind,
  type PlanTerms,
  planOwner,
} from '../../src/core/earn/plan.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { dayAt, type ModelVersion } from './earn-state.ts';
import { type ExpectedOutcome, no, yes } from './expectation.ts';
import { transferOnce } from './operator.ts';
import type { VenueState } from './state.ts';

const isNatural = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;

export function createPlan(venue: VenueState, command: CreatePlan): ExpectedOutcome {
  const kind = PLAN_KIND.pick(command);
  const { assetId } = kind;
  if (venue.assets[assetId] === undefined) return no('assetUnknown');
  if (!isKind(kind) || !areTerms(venue, kind, command)) return no('invalidTerms');
  const planId = venue.earn.plans.length + 1;
  const versions = [versionOf(command, 0)];
  venue.earn.plans.push({ planId, kind, versions, reserve: 0n, overdue: [], refilled: false });
  return yes({ planId });
}

export function amendPlan(venue: VenueState, command: AmendPlan): ExpectedOutcome {
  const plan = venue.earn.plan(command.planId);
  if (plan === undefined) return no('planUnknown');
  if (!areTerms(venue, plan.kind, command)) return no('invalidTerms');
  plan.versions.push(versionOf(command, dayAt(venue.time) + 1));
  return yes({ planId: plan.planId });
}

/** A thousand percent a year, a hundred years, and a year to wait. */
const HIGHEST_RATE = 1_000_000_000;
const LONGEST_DAYS = 36_500;
const LONGEST_HOURS = 8_760;

function isKind(kind: PlanKind): boolean {
  const { planType, minLockDay, maxLockDay, rewardFrequency, autoCompound } = kind;
  if (![rewardFrequency, minLockDay, maxLockDay].every(isNatural)) return false;
  if (rewardFrequency === 0 || rewardFrequency > LONGEST_DAYS) return false;
  if (maxLockDay > LONGEST_DAYS) return false;
  if (autoCompound && planType !== 1) return false;
  if (planType === 1) return minLockDay === 0 && maxLockDay === 0;
  if (minLockDay === 0) return false;
  return planType === 2 ? minLockDay === maxLockDay : planType === 3 && minLockDay <= maxLockDay;
}

function areTerms(
  { assets }: VenueState,
  { planType, minLockDay, maxLockDay }: PlanKind,
  terms: PlanTerms,
): boolean {
  const { minRate, maxRate, userAmountMin, userAmountMax, poolCapacity, booster } = terms;
  const { redeemLockHours } = terms;
  if (![minRate, maxRate, redeemLockHours].every(isNatural)) return false;
  if (minRate > HIGHEST_RATE || maxRate > HIGHEST_RATE) return false;
  if (redeemLockHours > LONGEST_HOURS || terms.planName === '') return false;
  if (planType === 1 && terms.supportAutoRenew) return false;
  if (minRate !== maxRate && (planType !== 3 || minLockDay === maxLockDay)) return false;
  if (userAmountMin <= 0 || userAmountMax < userAmountMin) return false;
  if (poolCapacity !== null && poolCapacity < 0) return false;
  if (booster === null) return true;
  const { assetId, ratio, rate } = booster;
  if (planType === 1 || assets[assetId] === undefined) return false;
  return isNatural(ratio) && ratio > 0 && isNatural(rate) && rate > 0 && rate <= HIGHEST_RATE;
}

const versionOf = (terms: PlanTerms, fromDay: number): ModelVersion => ({
  ...PLAN_TERMS.pick(terms),
  fromDay,
});

/** References of reserves and of customers' transfers are one namespace. */
export function fundReserve(venue: VenueState, command: FundReserve): ExpectedOutcome {
  const { planId, reference } = command;
  const money = BigInt(command.amount);
  const plan = venue.earn.plan(planId);
  if (plan === undefined) return no('planUnknown');
  if (money <= 0n) return no('invalidTerms');
  const { assetId } = plan.kind;
  const asked = { whose: `plan ${planId}`, assetId, moved: money };
  const account = AccountCode.interestReserve;
  const owned = { type: 'venueTransferred', owner: planOwner(planId), account } as const;
  return transferOnce(venue, reference, asked, owned, () => {
    plan.reserve += money;
    plan.refilled = true;
    venue.meet('reserve: funded');
    return null;
  });
}

export function createEnterprise(venue: VenueState, { name }: CreateEnterprise): ExpectedOutcome {
  const { enterprises } = venue.earn;
  if (enterprises.some((one) => one.name === name)) return no('alreadyExists');
  const enterpriseId = enterprises.length + 1;
  const kept = { margins: new Map(), income: new Map() };
  enterprises.push({ enterpriseId, name, selfTradePrevention: false, ...kept });
  return yes({ enterpriseId });
}

export function amendEnterprise(venue: VenueState, command: AmendEnterprise): ExpectedOutcome {
  const { enterpriseId, selfTradePrevention } = command;
  const enterprise = venue.earn.enterprises[enterpriseId - 1];
  if (enterprise === undefined) return no('enterpriseUnknown');
  enterprise.selfTradePrevention = selfTradePrevention;
  return yes({ enterpriseId });
}

export function assignEnterprise(venue: VenueState, command: AssignEnterprise): ExpectedOutcome {
  const { uid, enterpriseId, admin } = command;
  const user = venue.users.get(uid);
  if (user === undefined) return no('userUnknown');
  const known = enterpriseId === 0 || enterpriseId <= venue.earn.enterprises.length;
  if (!known) return no('enterpriseUnknown');
  user.enterpriseId = enterpriseId;
  user.enterpriseAdmin = admin && enterpriseId !== 0;
  return yes({ uid });
}

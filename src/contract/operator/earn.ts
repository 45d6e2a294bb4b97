// The operator's calls about earn: requests for plans, reserves and enterprises, the commands in
// core units, and the answers. The rules per plan type are in plan-rules.ts.

import type { AmendPlan, CreatePlan, FundReserve } from '../../core/command.ts';
import type { Enterprise } from '../../core/earn/enterprise.ts';
import { MAX_DAYS, MAX_LOCK_HOURS, MAX_RATE } from '../../core/earn/offer.ts';
import {
  type BoosterTerms,
  currentTerms,
  initialTerms,
  PLAN_TERMS,
  type Plan,
  type PlanKind,
  type PlanTerms,
  PlanType,
} from '../../core/earn/plan.ts';
import type { State } from '../../core/state.ts';
import { type Amount, RATE_DECIMALS } from '../../core/units.ts';
import { missingField } from '../absent.ts';
import { withTerms } from '../earn/writers.ts';
import type { Infer } from '../fields.ts';
import { boolean, decimal, integer, oneOf, optional, text } from '../fields.ts';
import { onScale } from '../grid.ts';
import { JsonNumber, jsonRate, jsonUnits } from '../json.ts';
import { makeCommand } from '../nearest.ts';
import { object } from '../object.ts';
import { invalidField, Problem } from '../problem.ts';
import type { Field } from '../wire.ts';
import { enterprise, offeredBooster, offeredPlan } from './answers.ts';
import type { PlanReserve } from './plan-reserve.ts';
import { lockDaysOf, rejectForeignFields, requiredFields, type TypedPlan } from './plan-rules.ts';
import { clearable, transferReference } from './users.ts';

const name = (about: string) => text({ min: 1, max: 64, about });
const coin = (about: string) => text({ min: 1, max: 32, ascii: true, about });
const money = (about: string) => decimal({ sign: 'positive', unit: 'coin', about });
const rate = (about: string) => optional(decimal({ sign: 'notNegative', unit: 'rate', about }));
const days = (about: string) =>
  integer({ min: 1, max: MAX_DAYS, lenient: true, unit: 'days', about });

const boosterTerms = object({
  coin: coin('Customers lock it.'),
  ratio: money('How many to lock for each subscribed coin, for the full boost.'),
  apr: decimal({
    sign: 'positive',
    unit: 'rate',
    about: 'Added to the annual rate. The same reserve pays it.',
  }),
});

/** Terms that an edit may change. */
const terms = {
  apr: rate('Simple annual interest of a flexible or fixed plan.'),
  minApr: rate(
    'Customized plans: the rate of the shortest term. Terms in between have one in between.',
  ),
  maxApr: rate('Customized plans: the rate of the longest term.'),
  poolCapacity: clearable(
    money('Maximum of all customers together. It limits what the plan can cost.'),
    'unlimited',
  ),
  redeemLockHours: optional(
    integer({
      min: 0,
      max: MAX_LOCK_HOURS,
      lenient: true,
      unit: 'hours',
      about: 'From a redemption to its credit. 0, the default: immediately.',
    }),
  ),
  supportEarlyRedemption: optional(
    boolean({
      about: 'Customers who end a term early forfeit its interest. Always true for flexible plans.',
    }),
  ),
  supportAutoRenew: optional(
    boolean({
      about:
        'Customers can let a term start again, at the terms of that day. Not for flexible plans.',
    }),
  ),
  requiresKyc: optional(boolean({ about: 'Only for customers with a verified identity.' })),
  label: optional(
    text({
      max: 64,
      emptyIsValue: true,
      about: 'A word beside the name, such as Popular; empty: none.',
    }),
  ),
  booster: clearable(
    boosterTerms,
    'no booster',
    'Customers can lock another coin for the term to raise their rate.',
  ),
  status: optional(
    oneOf(['open', 'closed'], { about: 'A closed plan accepts no new subscriptions.' }),
  ),
} as const;

const planName = name('The name that customers see.');
const userAmountMin = money('What a customer must have in the plan.');
const userAmountMax = money('What a customer can have in the plan.');

export const createPlanBody = object({
  planName,
  planType: oneOf([1, 2, 3], {
    lenient: true,
    words: Object.keys(PlanType),
    about: 'The kind of plan. Immutable.',
  }),
  coin: coin('What customers subscribe and earn. Immutable.'),
  lockDay: optional(days('The term of a fixed plan. Immutable.')),
  minLockDay: optional(days('The shortest term of a customized plan. Immutable.')),
  maxLockDay: optional(days('The longest term of a customized plan. Immutable.')),
  userAmountMin,
  userAmountMax,
  rewardFrequency: optional(
    days('From one payout of interest to the next. Interest accrues daily. Immutable.'),
    1,
  ),
  autoCompound: optional(
    boolean({
      about:
        'Adds interest to the principal of a flexible plan, not to the spot balance. Immutable.',
    }),
    false,
  ),
  ...terms,
});

/** Fields that never change. */
const IMMUTABLE_FIELDS = [
  'planId',
  'planType',
  'coin',
  'lockDay',
  'minLockDay',
  'maxLockDay',
  'rewardFrequency',
  'autoCompound',
];

export const amendPlanBody = object(
  {
    planName: optional(planName),
    userAmountMin: optional(userAmountMin),
    userAmountMax: optional(userAmountMax),
    ...terms,
  },
  (body) => {
    const fixed = IMMUTABLE_FIELDS.find((field) => Object.hasOwn(body, field));
    if (fixed === undefined) return;
    const must = 'be left out: it never changes; close this plan and create another one';
    throw invalidField(fixed, must, { rule: 'changeable' });
  },
);
type TermsBody = Infer<typeof amendPlanBody>;

export const fundReserveBody = object({
  amount: money('Money of the exchange, from outside, in the plan’s coin.'),
  reference: transferReference,
});

const selfTradePrevention = boolean({
  about: 'Orders of its members do not trade with each other where the pair prevents self-trades.',
});

export const createEnterpriseBody = object({
  name: name('Unique and immutable. An enterprise starts without members.'),
  selfTradePrevention: optional(selfTradePrevention, false),
});

export const amendEnterpriseBody = object({ selfTradePrevention });

const ID = /^[1-9]\d{0,8}$/;

/** The enterprise of a path. Throws Problem. */
export const enterpriseNamed = ({ earn }: State, enterpriseId: string): Enterprise =>
  named(earn.enterprises, 'enterprise', enterpriseId);

/** The plan of a path. Throws Problem. */
export const planNamed = ({ earn }: State, planId: string): Plan =>
  named(earn.plans, 'plan', planId);

function named<T>(all: readonly (T | undefined)[], kind: 'enterprise' | 'plan', id: string): T {
  const found = ID.test(id) ? all[Number(id)] : undefined;
  if (found !== undefined) return found;
  const field = `${kind}Id`;
  throw new Problem('invalidField', {
    userMsg: `Invalid field: ${field}. No such ${kind}. GET /operator/v1/${kind}s lists them.`,
    details: { field, rule: 'known', value: id.slice(0, 40) },
  });
}

/** The field that names an unlisted asset, or null. Call it before toCreatePlan and toAmendPlan. */
export function unlistedCoin(
  state: State,
  { coin: ofPlan, booster }: Pick<TermsBody, 'booster'> & { readonly coin?: string },
): string | null {
  const isListed = (asset: string): boolean => state.assetNamed(asset) !== undefined;
  if (ofPlan !== undefined && !isListed(ofPlan)) return 'coin';
  return booster && !isListed(booster.coin) ? 'booster.coin' : null;
}

/** Throws Problem for fields that do not fit together, and for values off their grid. */
export const toCreatePlan = (state: State, body: CreatePlanBody): CreatePlan =>
  makeCommand(state, body, (sent) => readNewPlan(state, sent));

type CreatePlanBody = Infer<typeof createPlanBody>;

function readNewPlan(state: State, body: CreatePlanBody): CreatePlan {
  const { planType, rewardFrequency, autoCompound } = body;
  rejectForeignFields(planType, body);
  requireFields(body, requiredFields(planType));
  // Its required fields are there.
  const days = lockDaysOf(body as TypedPlan);
  const { assetId } = state.assetNamed(body.coin)!;
  const kind = { planType, assetId, ...days, rewardFrequency, autoCompound };
  return { type: 'createPlan', ...kind, ...mergedTerms(state, kind, initialTerms(planType), body) };
}

/** The next version of the terms: the current ones with the request's. Throws as toCreatePlan. */
export const toAmendPlan = (state: State, plan: Plan, body: TermsBody): AmendPlan =>
  makeCommand(state, body, (sent) => {
    rejectForeignFields(plan.planType, sent);
    const merged = mergedTerms(state, plan, currentTerms(plan), sent);
    return { type: 'amendPlan', planId: plan.planId, ...merged };
  });

/** Throws Problem for an amount that is finer than the coin. */
export function toFundReserve(
  { assets }: State,
  { planId, assetId }: Plan,
  body: Infer<typeof fundReserveBody>,
): FundReserve {
  const units = onScale('amount', body.amount, assets[assetId]!.scale);
  return { type: 'fundReserve', planId, amount: units, reference: body.reference };
}

type JsonFields = Readonly<Record<string, unknown>>;

function requireFields(body: JsonFields, names: readonly string[]): void {
  for (const field of names) {
    if (body[field] !== undefined) continue;
    const description: Field<unknown> = createPlanBody.fields.get(field)!;
    throw missingField(field, `${description.expected}, for this planType`);
  }
}

/** `now` with the fields of the request. */
function mergedTerms(state: State, kind: PlanKind, now: PlanTerms, body: TermsBody): PlanTerms {
  const { scale } = state.assets[kind.assetId]!;
  const { userAmountMin: _min, userAmountMax: _max, poolCapacity, booster, status, ...same } = body;
  const unitsOf = (field: 'userAmountMin' | 'userAmountMax'): Amount => {
    const sent = body[field];
    return sent === undefined ? now[field] : onScale(field, sent, scale);
  };
  const rateOf = (field: 'apr' | 'minApr' | 'maxApr', otherwise: number): number => {
    const sent = body[field];
    return sent === undefined ? otherwise : toAnnualRate(field, sent);
  };
  const ofRange = kind.planType === PlanType.customized;
  const minRate = rateOf(ofRange ? 'minApr' : 'apr', now.minRate);
  const merged: PlanTerms = {
    ...PLAN_TERMS.merge(now, same),
    minRate,
    maxRate: ofRange ? rateOf('maxApr', now.maxRate) : minRate,
    userAmountMin: unitsOf('userAmountMin'),
    userAmountMax: unitsOf('userAmountMax'),
    poolCapacity: changed(now.poolCapacity, poolCapacity, (sent) =>
      onScale('poolCapacity', sent, scale),
    ),
    booster: changed(now.booster, booster, (sent) => toBooster(state, sent)),
    open: status === undefined ? now.open : status === 'open',
  };
  checkTogether(kind, merged, body, scale);
  return merged;
}

/** A term that null removes. */
function changed<T, S>(now: T | null, sent: S | null | undefined, read: (sent: S) => T): T | null {
  if (sent === undefined) return now;
  return sent === null ? null : read(sent);
}

/** Terms that bound each other; the rejection names the one in the request. */
function checkTogether(kind: PlanKind, merged: PlanTerms, body: TermsBody, scale: number): void {
  const { minRate, maxRate, userAmountMin, userAmountMax } = merged;
  if (userAmountMax < userAmountMin) {
    const [field, limit, must] =
      body.userAmountMax === undefined
        ? (['userAmountMin', userAmountMax, 'not be above userAmountMax'] as const)
        : (['userAmountMax', userAmountMin, 'not be below userAmountMin'] as const);
    const nearest = jsonUnits(limit, scale);
    throw invalidField(field, must, { rule: 'order', limit: nearest, nearest });
  }
  if (kind.minLockDay === kind.maxLockDay && minRate !== maxRate) {
    const [field, other, fits] =
      body.maxApr === undefined
        ? (['minApr', 'maxApr', maxRate] as const)
        : (['maxApr', 'minApr', minRate] as const);
    const must = `be the same as ${other}: the shortest term is the longest`;
    throw invalidField(field, must, { rule: 'order', nearest: jsonRate(fits) });
  }
}

/** An annual rate in 10^-8. Throws Problem. */
function toAnnualRate(field: string, value: string): number {
  const units = onScale(field, value, RATE_DECIMALS);
  if (typeof units === 'number' && units <= MAX_RATE) return units;
  const limit = jsonRate(MAX_RATE);
  const details = { rule: 'maximum', limit, value: new JsonNumber(value), nearest: limit };
  throw invalidField(field, `be at most ${limit.source}; 0.05 is 5 %`, details);
}

function toBooster(state: State, sent: Infer<typeof boosterTerms>): BoosterTerms {
  const { assetId } = state.assetNamed(sent.coin)!;
  const ratio = onScale('booster.ratio', sent.ratio, RATE_DECIMALS);
  if (typeof ratio === 'number') {
    return { assetId, ratio, rate: toAnnualRate('booster.apr', sent.apr) };
  }
  const limit = jsonRate(Number.MAX_SAFE_INTEGER);
  const details = { rule: 'maximum', limit, value: new JsonNumber(sent.ratio), nearest: limit };
  throw invalidField('booster.ratio', `be at most ${limit.source}`, details);
}

/** A plan with its current terms, its subscribed amount, and the cover of its reserve. */
export function writePlan(state: State, reserve: PlanReserve) {
  const plan = withTerms(reserve.plan);
  return offeredPlan.write(
    { ...plan, booster: writeBooster(state, plan.booster), reserve },
    state.assets[plan.assetId]!,
  );
}

const writeBooster = ({ assets }: State, booster: BoosterTerms | null) =>
  booster && offeredBooster.write({ ...booster, coin: assets[booster.assetId]!.name });

/** All enterprises in order of creation, with the number of their members and their margins. */
export function writeEnterprises(state: State) {
  const members = new Map<number, number>();
  for (const user of state.users) {
    const enterpriseId = user?.enterpriseId ?? 0;
    members.set(enterpriseId, (members.get(enterpriseId) ?? 0) + 1);
  }
  return state.earn.enterprises.flatMap((one) =>
    one === undefined ? [] : writeEnterprise(one, members.get(one.enterpriseId) ?? 0),
  );
}

function writeEnterprise(one: Enterprise, members: number) {
  const sorted = [...one.margins].sort(([a], [b]) => a - b);
  const margins = sorted.map(([planId, margin]) => ({ planId, margin }));
  return enterprise.write({ ...one, members, margins });
}

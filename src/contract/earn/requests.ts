// The earn calls of a customer: their requests, and the commands in core units. Ids are strings of
// digits; an id that nothing can have is well formed and names nothing.

import type { RedeemPlan, SetAutoRenew, SubscribePlan } from '../../core/command.ts';
import { currentTerms, type Plan } from '../../core/earn/plan.ts';
import type { Asset } from '../../core/instrument.ts';
import type { State } from '../../core/state.ts';
import { type Amount, amount, ZERO } from '../../core/units.ts';
import { parseDecimal, wholeNumber } from '../decimal.ts';
import type { Infer } from '../fields.ts';
import {
  boolean,
  bySource,
  decimal,
  integer,
  notExpected,
  numericId,
  optional,
} from '../fields.ts';
import { onScale } from '../grid.ts';
import { makeCommand } from '../nearest.ts';
import { object } from '../object.ts';
import { pageFields, pageNames, pageSize } from '../paging.ts';
import type { ProblemDetails } from '../problem.ts';
import { epochMs } from '../time-window.ts';
import { type Caller, callerOnly } from '../trading/orders.ts';
import type { Field } from '../wire.ts';

/** The value of an id that nothing can have. */
export const NO_SUCH_ID = -1;
/** More digits than any id has. */
const MAX_ID_LENGTH = 32;
const NATURAL = /^[1-9]\d*$/;
const DIGITS = /^-?\d+$/;

/**
 * The id of a plan or subscription: a string, or an integer in JSON. Reads NO_SUCH_ID if it is not
 * natural.
 */
function earnId(about: string): Field<number> {
  const expected = 'an id, a string of digits such as "12"';
  return bySource({
    shape: { kind: 'text' },
    expected,
    numbers: true,
    texts: true,
    readSource(sent, path, value) {
      const source = typeof value === 'string' ? sent : wholeNumber(sent);
      const reject = (details: ProblemDetails) => notExpected(path, expected, value, details);
      if (typeof value !== 'string' && !DIGITS.test(source)) throw reject({ rule: 'type' });
      if (source === '') throw reject({ rule: 'minLength', limit: 1 });
      if (source.length > MAX_ID_LENGTH) throw reject({ rule: 'maxLength', limit: MAX_ID_LENGTH });
      const id = Number(source);
      return NATURAL.test(source) && Number.isSafeInteger(id) ? id : NO_SUCH_ID;
    },
    toJsonSchema: () => ({
      type: ['string', 'integer'],
      format: 'id',
      minLength: 1,
      maxLength: MAX_ID_LENGTH,
      description: about,
    }),
  });
}

const applyId = earnId('The applyId that plan/apply returned.');
export const planId = earnId('The planId of plan/list.');
const money = (about: string) => decimal({ sign: 'positive', about });

export const planQuery = object({ planId });

export const applyPreviewQuery = object({
  planId,
  amount: optional(money('The amount to subscribe; 0 by default.')),
  day: optional(
    integer({ min: 0, about: 'Days of a customized plan; by default its shortest term.' }),
    0,
  ),
});

export const applyBody = object({
  planId,
  amount: money('In the plan’s coin.'),
  lockDay: optional(
    integer({ min: 0, lenient: true, about: 'Days; required for customized plans.' }),
    0,
  ),
  autoRenew: optional(boolean({ about: 'Whether a new term begins at the end.' }), false),
  boosterAmount: optional(decimal({ about: 'In the booster’s coin; locked for the term.' })),
  applyId: optional(earnId('Add to this flexible subscription, or fail.')),
});

export const subscriptionQuery = object({ applyId });

export const redeemBody = object({ applyId, amount: money('In the plan’s coin.') });

export const redeemPreviewQuery = object({
  applyId,
  amount: optional(money('The amount to redeem; all by default.')),
});

/** Without a field, the answer is the whole list. */
export const currentQuery = object({ ...pageNames, pageSize: optional(pageSize) });
export const endedQuery = object(pageFields);
export const interestQuery = object({ applyId, ...pageFields });

export const explainQuery = object({
  applyId,
  date: epochMs('Any time of the UTC day that earned the interest.'),
});

export const editBody = object({
  applyId: optional(earnId('The subscription; all fixed and customized ones by default.')),
  uid: optional(numericId('The caller’s own.')),
  autoRenew: optional(boolean({ about: 'If absent, nothing changes.' })),
});

/** An amount above zero in units of the asset. Throws Problem with the nearest valid value. */
export const toAmount = (value: string, { scale, name }: Asset): Amount =>
  onScale('amount', value, scale, name);

type ApplyBody = Infer<typeof applyBody>;

/** Throws Problem for an amount off the grid of its coin. */
export const toApplyPlan = (
  state: State,
  plan: Plan,
  body: ApplyBody,
  caller: Caller,
): SubscribePlan => makeCommand(state, body, (sent) => readApply(state, plan, sent, caller));

function readApply(state: State, plan: Plan, body: ApplyBody, caller: Caller): SubscribePlan {
  return {
    type: 'subscribePlan',
    ...callerOnly(caller),
    planId: plan.planId,
    amount: toAmount(body.amount, state.assets[plan.assetId]!),
    lockDay: body.lockDay,
    autoRenew: body.autoRenew,
    boosterAmount:
      body.boosterAmount === undefined ? null : boosterUnits(state, plan, body.boosterAmount),
    applyId: body.applyId ?? 0,
  };
}

/**
 * Without a booster there is no coin to measure in; the core only needs to know that it is above 0.
 */
function boosterUnits(state: State, plan: Plan, value: string): Amount {
  const parsed = parseDecimal(value);
  if (typeof parsed === 'string' || parsed.negative || parsed.digits === 0) return ZERO;
  const { booster } = currentTerms(plan);
  if (booster === null) return amount(1);
  const { scale, name } = state.assets[booster.assetId]!;
  return onScale('boosterAmount', value, scale, name);
}

/** Throws Problem for an amount off the grid of `coin`. */
export const toRedeemPlan = (
  state: State,
  coin: Asset,
  body: Infer<typeof redeemBody>,
  caller: Caller,
): RedeemPlan =>
  makeCommand(state, body, ({ applyId, amount }) => ({
    type: 'redeemPlan',
    ...callerOnly(caller),
    applyId,
    amount: toAmount(amount, coin),
  }));

export const toSetAutoRenew = (
  terms: Pick<SetAutoRenew, 'applyId' | 'autoRenew'>,
  caller: Caller,
): SetAutoRenew => ({ type: 'setAutoRenew', ...callerOnly(caller), ...terms });

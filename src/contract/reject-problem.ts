// A rejection of the core as a client reads it: the code, the HTTP status, a sentence, and the
// bounds as decimals with their units.
import type { Measure, Reject } from '../core/reject.ts';
import type { State } from '../core/state.ts';
import { type Amount, divideDown, divideUp, multiply, powerOfTen } from '../core/units.ts';
import { type JsonNumber, jsonPercent, jsonRate, jsonSteps, jsonUnits } from './json.ts';
import {
  type ErrorBody,
  errorBody,
  type LegacyBody,
  NO_NEARBY_VALUE,
  type ProblemDetails,
} from './problem.ts';
import { REJECTIONS } from './rejections.ts';

export interface RejectedAnswer {
  readonly http: number;
  readonly body: ErrorBody | LegacyBody;
}

export function answerOfReject(state: State, reject: Reject): RejectedAnswer {
  const rejection = REJECTIONS[reject.name];
  const details = detailsOf(state, reject);
  const lead = reject.field === null ? '' : `Invalid field: ${reject.field}. `;
  const rest = hasNoNearby(reject) ? ` ${NO_NEARBY_VALUE}` : '';
  const userMsg = lead + (shortage(state, reject) ?? sentence(state, reject)) + rest;
  return { http: rejection.http, body: errorBody(rejection, userMsg, details) };
}

/** True if no value near the rejected one passes. That nothing is available says so itself. */
const hasNoNearby = ({ field, limit, value, nearest }: Reject): boolean =>
  field !== null && value !== null && nearest === null && limit?.n !== 0;

/** `limit` and `value` have one unit; `nearest` has the unit of its field. */
function detailsOf(state: State, reject: Reject): ProblemDetails | undefined {
  const { field, rule, limit, value, nearest } = reject;
  const bound = limit ?? value;
  const unit = bound === null ? undefined : unitOf(state, bound, rule);
  const nearestUnit = nearest === null ? undefined : unitOf(state, nearest, rule);
  const details = {
    ...(field === null ? {} : { field }),
    ...(rule === null ? {} : { rule }),
    ...(limit === null ? {} : { limit: decimalOf(state, limit) }),
    ...(value === null ? {} : { value: decimalOf(state, value) }),
    ...(unit === undefined ? {} : { unit }),
    ...(nearest === null ? {} : { nearest: decimalOf(state, nearest) }),
    ...(nearestUnit === undefined ? {} : { nearestUnit }),
  };
  return Object.keys(details).length === 0 ? undefined : details;
}

/** The sentence of the table with what is accepted: the nearest value, the bound, or else. */
function sentence(state: State, { name, rule, limit, nearest }: Reject): string {
  const accepted =
    nearest !== null
      ? ` The nearest accepted value is ${inWords(state, nearest, rule)}.`
      : limit !== null
        ? ` The limit is ${inWords(state, limit, rule)}.`
        : '';
  return REJECTIONS[name].text + accepted + (ACCEPTED[rule ?? ''] ?? '');
}

/** More words by the rule of a rejection; the status of an instrument is one. */
const ACCEPTED: Readonly<Record<string, string>> = {
  aboveStopPx: ' The limit order of this pair must be above its stop.',
  belowStopPx: ' The limit order of this pair must be below its stop.',
  term: ' A flexible subscription has no term that could renew. Leave autoRenew out.',
  supported: ' The plan does not renew its terms. Leave autoRenew out, or send false.',
  held: ' Nothing of the subscription is left to renew.',
  POST_ONLY: ' It is POST_ONLY: it accepts post-only orders, smaller quantities and cancels.',
  CANCEL_ONLY: ' It is CANCEL_ONLY: it accepts smaller quantities and cancels.',
  HALTED: ' It is HALTED: it accepts smaller quantities and cancels.',
};

/** The phrase for the cost, by the field that causes it. */
const COSTS: Readonly<Record<string, string>> = {
  orderQty: 'this order costs',
  quoteOrderQty: 'this order costs',
  boosterAmount: 'this booster takes',
};

/** Cost and balance, if the balance is too small. The cost is rounded up, so it reads as more. */
function shortage(state: State, { name, field, rule, limit, value }: Reject): string | null {
  if (rule !== 'available' || limit === null || value === null) return null;
  const costs = COSTS[field ?? ''] ?? 'this takes';
  // An operator debits an account of a customer.
  const has = name === 'insufficientBalance' && field === 'amount' ? 'the account has' : 'you have';
  const [cost, there] = [roundedInWords(state, value, 'up'), roundedInWords(state, limit, 'down')];
  return `Insufficient balance: ${costs} ${cost}; ${has} ${there}.`;
}

/** The unit of a count, by the rule that limits it. */
const COUNT_UNITS: Readonly<Record<string, string>> = {
  lockDay: 'days',
  minLockDay: 'days',
  maxLockDay: 'days',
  maxOpenOrders: 'orders',
  subscriptions: 'subscriptions',
  redemptions: 'redemptions',
};

/** The value of a measure in the form of the contract. */
export function decimalOf(state: State, measure: Measure): JsonNumber | number {
  switch (measure.unit) {
    case 'count':
      return measure.n;
    case 'rate':
      return jsonRate(measure.n);
    case 'ticks':
      return jsonSteps(measure.n, state.instruments[measure.securityId]!.tick);
    case 'lots':
      return jsonSteps(measure.n, state.instruments[measure.securityId]!.lot);
    case 'amount':
      return jsonUnits(measure.n, state.assets[measure.assetId]!.scale);
  }
}

/** The asset, or the counted thing; undefined for a rate. */
function unitOf(state: State, measure: Measure, rule: string | null): string | undefined {
  switch (measure.unit) {
    case 'count':
      return COUNT_UNITS[rule ?? ''];
    case 'rate':
      return undefined;
    case 'ticks':
      return state.instruments[measure.securityId]!.quote.name;
    case 'lots':
      return state.instruments[measure.securityId]!.base.name;
    case 'amount':
      return state.assets[measure.assetId]!.name;
  }
}

/** All digits, grouped, with the unit: 1,234.5 USDT. A rate as sent and in percent. */
function inWords(state: State, measure: Measure, rule: string | null): string {
  if (measure.unit === 'rate') {
    return `${jsonRate(measure.n).source} (${jsonPercent(measure.n).source}%)`;
  }
  const value = decimalOf(state, measure);
  const unit = unitOf(state, measure, rule);
  const digits = grouped(typeof value === 'number' ? String(value) : value.source);
  return unit === undefined ? digits : `${digits} ${unit}`;
}

/** From this many units on, an amount is shown in cents. */
const LARGE = 100;
const CENTS = 2;

/** Like `inWords`; a large amount in cents, rounded in this direction. */
function roundedInWords(state: State, measure: Measure, direction: 'up' | 'down'): string {
  if (measure.unit !== 'amount') return inWords(state, measure, null);
  const { scale, name } = state.assets[measure.assetId]!;
  const isLarge = measure.n >= multiply(powerOfTen(scale), LARGE);
  if (scale <= CENTS || !isLarge) return inWords(state, measure, null);
  const cent = powerOfTen(scale - CENTS);
  const cents: Amount =
    direction === 'up' ? divideUp(measure.n, cent) : divideDown(measure.n, cent);
  const [whole = '', fraction = ''] = jsonUnits(cents, CENTS).source.split('.');
  return `${grouped(whole)}.${fraction.padEnd(CENTS, '0')} ${name}`;
}

/** Adds commas between thousands. */
function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

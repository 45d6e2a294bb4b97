// A reject of the core as the answer that a client reads: code, HTTP status, a sentence, and the bounds as decimals.
import type { Reject } from '../core/reject.ts';
import type { State } from '../core/state.ts';
import { inWords, roundedInWords, unitOf, written } from './measure-words.ts';
import { type ErrorBody, errorBody, type LegacyBody, type ProblemDetails } from './problem.ts';
import { REFUSALS } from './refusals.ts';

export interface RefusedAnswer {
  readonly http: number;
  readonly body: ErrorBody | LegacyBody;
}

export function answerOfReject(state: State, reject: Reject): RefusedAnswer {
  const refusal = REFUSALS[reject.name];
  const details = detailsOf(state, reject);
  const lead = reject.field === null ? '' : `Invalid field: ${reject.field}. `;
  const userMsg = lead + (shortage(state, reject) ?? sentence(state, reject));
  return { http: refusal.http, body: errorBody(refusal, userMsg, details) };
}

/** `limit` and `value` are measured in the same unit; the nearest value in that of its field. */
function detailsOf(state: State, reject: Reject): ProblemDetails | undefined {
  const { field, rule, limit, value, nearest } = reject;
  const judged = limit ?? value;
  const unit = judged === null ? undefined : unitOf(state, judged, rule);
  const nearestUnit = nearest === null ? undefined : unitOf(state, nearest, rule);
  const details = {
    ...(field === null ? {} : { field }),
    ...(rule === null ? {} : { rule }),
    ...(limit === null ? {} : { limit: written(state, limit) }),
    ...(value === null ? {} : { value: written(state, value) }),
    ...(unit === undefined ? {} : { unit }),
    ...(nearest === null ? {} : { nearest: written(state, nearest) }),
    ...(nearestUnit === undefined ? {} : { nearestUnit }),
  };
  return Object.keys(details).length === 0 ? undefined : details;
}

/** The table's sentence, with the closest value that would pass, or the bound. */
function sentence(state: State, { name, rule, limit, nearest }: Reject): string {
  const accepted =
    nearest !== null
      ? ` The nearest accepted value is ${inWords(state, nearest, rule)}.`
      : limit !== null
        ? ` The limit is ${inWords(state, limit, rule)}.`
        : '';
  return REFUSALS[name].text + accepted;
}

/** What takes the money that is missing, by the field that asks for it. */
const COSTS: Readonly<Record<string, string>> = {
  orderQty: 'this order costs',
  quoteOrderQty: 'this order costs',
  boosterAmount: 'this booster takes',
};

/** Both sides of a balance that is too small. The cost is rounded up, so that it reads as more. */
function shortage(state: State, { name, field, rule, limit, value }: Reject): string | null {
  if (rule !== 'available' || limit === null || value === null) return null;
  const costs = COSTS[field ?? ''] ?? 'this takes';
  // An operator debits somebody else's account.
  const has = name === 'insufficientBalance' && field === 'amount' ? 'the account has' : 'you have';
  const [cost, there] = [roundedInWords(state, value, 'up'), roundedInWords(state, limit, 'down')];
  return `Insufficient balance: ${costs} ${cost}; ${has} ${there}.`;
}

// A reject of the core as the answer that a client reads: code, HTTP status, a sentence, and the bounds as decimals.
import { type Measure, REJECTS, type Reject, type RejectName } from '../core/reject.ts';
import type { State } from '../core/state.ts';
import { type JsonNumber, jsonSteps, jsonUnits } from './json.ts';
import type { ErrorBody, ProblemDetails } from './problem.ts';

export interface RefusedAnswer {
  readonly http: number;
  readonly body: ErrorBody;
}

/** Phrases of `msg` by HTTP status; business refusals have one of their own. */
const MSG: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  409: 'conflict',
};

/** The `msg` on the wire. */
export const msgOfReject = (name: RejectName): string =>
  MSG[REJECTS[name].http] ?? 'business error';

export function answerOfReject(state: State, reject: Reject): RefusedAnswer {
  const { code, http, text } = REJECTS[reject.name];
  const details = detailsOf(state, reject);
  const lead = reject.field === null ? '' : `Invalid field: ${reject.field}. `;
  const body = {
    code: String(code),
    msg: msgOfReject(reject.name),
    userMsg: lead + text + remedy(details),
  };
  return { http, body: details === undefined ? body : { ...body, details } };
}

function detailsOf(state: State, reject: Reject): ProblemDetails | undefined {
  const { field, rule, limit, value, nearest } = reject;
  const details = {
    ...(field === null ? {} : { field }),
    ...(rule === null ? {} : { rule }),
    ...(limit === null ? {} : { limit: written(state, limit) }),
    ...(value === null ? {} : { value: written(state, value) }),
    ...(nearest === null ? {} : { nearest: written(state, nearest) }),
  };
  return Object.keys(details).length === 0 ? undefined : details;
}

function written(state: State, measure: Measure): JsonNumber | number {
  switch (measure.unit) {
    case 'count':
      return measure.n;
    case 'ticks':
      return jsonSteps(measure.n, state.instruments[measure.securityId]!.tick);
    case 'lots':
      return jsonSteps(measure.n, state.instruments[measure.securityId]!.lot);
    case 'amount':
      return jsonUnits(measure.n, state.assets[measure.assetId]!.scale);
  }
}

/** What would have passed, in words. */
function remedy(details: ProblemDetails | undefined): string {
  const shown = (value: ProblemDetails['limit']): string =>
    typeof value === 'object' ? value.source : String(value);
  if (details?.nearest !== undefined)
    return ` The nearest that would pass is ${shown(details.nearest)}.`;
  if (details?.limit !== undefined) return ` The limit is ${shown(details.limit)}.`;
  return '';
}

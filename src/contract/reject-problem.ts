// A reject of the core as the answer that a client reads: code, HTTP status, a sentence, and the bounds as decimals.
import { type Measure, REJECTS, type Reject, type RejectName } from '../core/reject.ts';
import type { State } from '../core/state.ts';
import { amount, RATE_DECIMALS } from '../core/units.ts';
import { isLegacy, LEGACY_MESSAGES, type LegacyBody, legacyBody } from './earn-errors.ts';
import { type JsonNumber, jsonSteps, jsonUnits } from './json.ts';
import { type ErrorBody, PROBLEMS, type ProblemDetails } from './problem.ts';

export interface RefusedAnswer {
  readonly http: number;
  readonly body: ErrorBody | LegacyBody;
}

/** Codes that only the core uses, and that are not business errors. */
const MSG_OF_CORE: Readonly<Record<number, string>> = {
  100405: 'signature already used',
  100409: 'conflict',
};
/** A code that the edge uses too has the same `msg` there: one code, one phrase. */
const MSG_OF_EDGE = new Map<number, string>(
  Object.values(PROBLEMS).map(({ code, msg }) => [code, msg]),
);

/** The `msg` on the wire. */
export function msgOfReject(name: RejectName): string {
  const { code } = REJECTS[name];
  return LEGACY_MESSAGES[code] ?? MSG_OF_EDGE.get(code) ?? MSG_OF_CORE[code] ?? 'business error';
}

export function answerOfReject(state: State, reject: Reject): RefusedAnswer {
  const { code, http, text } = REJECTS[reject.name];
  const details = detailsOf(state, reject);
  const lead = reject.field === null ? '' : `Invalid field: ${reject.field}. `;
  const userMsg = lead + text + remedy(details);
  if (isLegacy(code)) return { http, body: legacyBody(code, userMsg, details) };
  const body = { code: String(code), msg: msgOfReject(reject.name), userMsg };
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
    case 'rate':
      return jsonUnits(amount(measure.n), RATE_DECIMALS);
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

// The replies to refusals of the core and of identity.
import { stringify } from '../../contract/json.ts';
import { Problem, type ProblemDetails } from '../../contract/problem.ts';
import { answerOfReject } from '../../contract/reject-problem.ts';
import { type Reject, rejectPlain } from '../../core/reject.ts';
import type { Refusal, Result } from '../../identity/result.ts';
import { type Reply, refuse } from '../http/reply.ts';
import type { Services } from '../services.ts';

/** The reply to a reject of the core; `userMsg` replaces its sentence with a more precise one. */
export function rejectReply({ engine }: Services, reject: Reject, userMsg?: string): Reply<never> {
  const { http, body } = answerOfReject(engine.exchange.state, reject);
  const shown = userMsg === undefined ? body : { ...body, userMsg };
  return { status: http, body: stringify(shown), seq: engine.seq, headers: null };
}

/** The reply to a refusal of identity; refusals that the core has too get the core's code. */
export function refusalReply(services: Services, refusal: Refusal): Reply<never> {
  const { name, field, text } = refusal;
  const userMsg = text === undefined ? undefined : `Invalid field: ${field}. ${text}`;
  switch (name) {
    case 'emailTaken':
      return rejectReply(services, rejectPlain('alreadyExists', field), userMsg);
    case 'userUnknown':
      return rejectReply(services, rejectPlain('userUnknown', field), userMsg);
    case 'userSuspended':
      return rejectReply(services, rejectPlain('userSuspended'));
    case 'invalidField':
      return refuse(new Problem(name, { ...sentence(userMsg), ...detailsOf(refusal) }));
    default:
      return refuse(new Problem(name, { ...sentence(text), ...detailsOf(refusal) }));
  }
}

const sentence = (userMsg: string | undefined) => (userMsg === undefined ? {} : { userMsg });

function detailsOf({ field, rule, retryAfterMs }: Refusal): {
  readonly details?: ProblemDetails;
  readonly headers?: Readonly<Record<string, string>>;
} {
  const seconds = Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000));
  return {
    ...(field === null ? {} : { details: { field, rule } }),
    ...(retryAfterMs === null ? {} : { headers: { 'Retry-After': String(seconds) } }),
  };
}

/** The reply to a use case: `write` for its value, or the reply to its refusal. */
export const replyOf = <T, W>(
  services: Services,
  result: Result<T>,
  write: (value: T) => Reply<W>,
): Reply<W> => (result.ok ? write(result.value) : refusalReply(services, result));

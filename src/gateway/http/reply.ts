// The reply of a handler, before it is an HTTP response, and the ways to reject.
import { type JsonOut, stringify } from '../../contract/json.ts';
import { Problem, type ProblemDetails } from '../../contract/problem.ts';
import { answerOfReject } from '../../contract/reject-problem.ts';
import type { Command } from '../../core/command.ts';
import type { ResultOf } from '../../core/outcome.ts';
import { type Reject, rejection } from '../../core/reject.ts';
import type { Receipt } from '../../engine/command-port.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Denial, Result } from '../../identity/result.ts';

/** The services, of which a reply needs the engine. */
interface WithEngine {
  readonly engine: Engine;
}

/** `W` is the type of the value in the body; a rejection fits every call. */
export interface Reply<W = unknown> {
  readonly status: number;
  /** A JSON text, or a stream of another content type. */
  readonly body: string | ReadableStream<Uint8Array>;
  /** The journal position that the answer reflects, or null. */
  readonly seq: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** Values of Set-Cookie beside the one in `headers`. */
  readonly cookies?: readonly string[];
  /** The object of the call for the audit log, such as a new user's uid. */
  readonly audited?: string;
  /** Never set; it carries the type. */
  readonly written?: W;
}

/** 200 with a JSON body that reflects the state at `seq`. */
export function ok<W extends JsonOut>(data: W, seq: number | null): Reply<W> {
  return { status: 200, body: stringify(data), seq, headers: null };
}

/** The error body of a bad request. */
export function problemReply(problem: Problem): Reply<never> {
  return {
    status: problem.http,
    body: stringify(problem.body()),
    seq: null,
    headers: problem.headers ?? null,
  };
}

/** The core's rejection of a call that was not sequenced; `userMsg` replaces its sentence. */
export function rejectReply(
  { engine }: WithEngine,
  reject: Reject,
  seq: number | null = engine.seq,
  userMsg?: string,
): Reply<never> {
  const { http, body } = answerOfReject(engine.exchange.state, reject);
  const sent = userMsg === undefined ? body : { ...body, userMsg };
  return { status: http, body: stringify(sent), seq, headers: null };
}

/** The reply to a rejection of identity; rejections that the core has too get the core's code. */
export function denialReply(services: WithEngine, denial: Denial): Reply<never> {
  const { name, field, rule, retryAfterMs, text } = denial;
  const userMsg = text === undefined ? undefined : `Invalid field: ${field}. ${text}`;
  switch (name) {
    case 'emailTaken':
      return rejectReply(services, rejection('alreadyExists', field), undefined, userMsg);
    case 'userUnknown':
      return rejectReply(services, rejection('userUnknown', field), undefined, userMsg);
    case 'userSuspended':
      return rejectReply(services, rejection('userSuspended'));
  }
  const sentence = name === 'invalidField' ? userMsg : text;
  const details: ProblemDetails | null = field === null ? null : { field, rule };
  const seconds = Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000));
  return problemReply(
    new Problem(name, {
      ...(sentence === undefined ? {} : { userMsg: sentence }),
      ...(details === null ? {} : { details }),
      ...(retryAfterMs === null ? {} : { headers: { 'Retry-After': String(seconds) } }),
    }),
  );
}

/** The reply to a use case: `write` for its value, or the reply to its rejection. */
export const replyOf = <T, W>(
  services: WithEngine,
  result: Result<T>,
  write: (value: T) => Reply<W>,
): Reply<W> => (result.ok ? write(result.value) : denialReply(services, result));

const REPLAYED = { 'Idempotency-Replayed': 'true' };

/** The answer to a command: its result through `write`, or the core's rejection. */
export function replyTo<C extends Command, W extends JsonOut>(
  { engine }: WithEngine,
  receipt: Receipt<C>,
  write: (result: ResultOf<C>) => W,
): Reply<W> {
  const { outcome, seq } = receipt;
  const headers = outcome.replayed ? REPLAYED : null;
  if (outcome.ok) return { status: 200, body: stringify(write(outcome.result)), seq, headers };
  return { ...rejectReply({ engine }, outcome.reject, seq), headers };
}

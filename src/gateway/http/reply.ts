// The reply of a handler, before it is an HTTP response, and the two ways to refuse.
import { type JsonOut, stringify } from '../../contract/json.ts';
import type { Problem } from '../../contract/problem.ts';
import { answerOfReject } from '../../contract/reject-problem.ts';
import type { Command } from '../../core/command.ts';
import type { CustomerWrite } from '../../core/once.ts';
import type { ResultOf } from '../../core/outcome.ts';
import type { Reject } from '../../core/reject.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Receipt } from '../../engine/sequencer.ts';

/** The services, of which a reply needs the engine. */
interface WithEngine {
  readonly engine: Engine;
}

/** The fields that identify a repeated write. */
type Authority = Pick<CustomerWrite, 'uid' | 'signature' | 'idempotency'>;

/** `W` is the type of the value in the body; a refusal fits every call. */
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
export function refuse(problem: Problem): Reply<never> {
  return {
    status: problem.http,
    body: stringify(problem.body()),
    seq: null,
    headers: problem.headers ?? null,
  };
}

/** The core's refusal of a call that was not sequenced. */
export function refuseReject(
  { engine }: WithEngine,
  reject: Reject,
  seq: number | null,
): Reply<never> {
  const { http, body } = answerOfReject(engine.exchange.state, reject);
  return { status: http, body: stringify(body), seq, headers: null };
}

/**
 * Refuses a used signature before it costs a place in the journal; apply() has the last word. Null
 * for a new write, and where its Idempotency-Key has its first answer (submitOnce).
 */
export function refuseReplay({ engine }: WithEngine, write: Authority): Reply<never> | null {
  const outcome = engine.exchange.answerOfUsed(write);
  if (outcome === null || outcome.ok || outcome.replayed) return null;
  return refuseReject({ engine }, outcome.reject, null);
}

/**
 * Submits a write. The same bytes again, with the signature that was used, get the first answer to
 * their Idempotency-Key without another command in the journal.
 */
export function submitOnce<C extends CustomerWrite>(
  { engine }: WithEngine,
  command: C,
): Promise<Receipt<C>> {
  const first = command.idempotency === null ? null : engine.exchange.answerOfUsed(command);
  if (first?.replayed !== true) return engine.submit(command);
  const outcome = first as Receipt<C>['outcome'];
  return Promise.resolve({ seq: engine.seq, time: engine.now, outcome });
}

const REPLAYED = { 'Idempotency-Replayed': 'true' };

/** The answer to a command: its result through `write`, or the core's refusal. */
export function replyTo<C extends Command, W extends JsonOut>(
  { engine }: WithEngine,
  receipt: Receipt<C>,
  write: (result: ResultOf<C>) => W,
): Reply<W> {
  const { outcome, seq } = receipt;
  const headers = outcome.replayed ? REPLAYED : null;
  if (outcome.ok) return { status: 200, body: stringify(write(outcome.result)), seq, headers };
  const { http, body } = answerOfReject(engine.exchange.state, outcome.reject);
  return { status: http, body: stringify(body), seq, headers };
}

// A route: a call that the contract describes (contract/call.ts), and its handler.
import type { ApiCall } from '../../contract/call.ts';
import type { IdempotencyTag, WriteSignature } from '../../core/command.ts';
import type { Access } from '../../engine/command-port.ts';
import type { LiveKey } from '../../identity/live-key.ts';
import type { Session } from '../../identity/sessions.ts';
import type { Services } from '../services.ts';
import type { Reply } from './reply.ts';
import type { RequestHeaders } from './request-headers.ts';

/** The input of a handler, after every check that does not need the state. */
export interface Call<Q, B> {
  readonly requestId: string;
  readonly query: Q;
  readonly body: B;
  /** The {…} parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The signed-in account; 0 for public calls and the operator. */
  readonly uid: number;
  readonly key: LiveKey | null;
  /** The key or the session by which a write enters. */
  readonly access: Access;
  /** The caller's session; null for a call by a key. */
  readonly session: Session | null;
  /** Set on writes of keys with the replay guard on. */
  readonly signature: WriteSignature | null;
  readonly idempotency: IdempotencyTag | null;
  /** The caller's address; a function, since few calls need it and it costs. */
  readonly ip: () => string;
  /** For the few calls that read a header themselves. */
  readonly headers: RequestHeaders;
}

/** A call in the audit log. */
export interface AuditTerms<B> {
  /** The act, as a dotted name (`user.create`). */
  readonly action: string;
  /** The object of the act (`uid:7`); `body` is undefined where it could not be read. */
  object?(params: Readonly<Record<string, string>>, body: B | undefined): string | null;
  /** Fields with free text, which may contain a pasted secret: only their length is written. */
  readonly measured?: readonly string[];
}

interface RouteTerms<Q, B, W> {
  /** Every operator route has this: each of its calls has an entry in the audit log. */
  readonly audit?: AuditTerms<B>;
  handle(services: Services, call: Call<Q, B>): Reply<W> | Promise<Reply<W>>;
}

/** A described call with its handler. */
export interface Route extends ApiCall, RouteTerms<unknown, unknown, unknown> {}

/** The handler gets and answers what the call describes. */
export const route = <Q, B, W>(
  call: ApiCall<Q, B, W>,
  terms: RouteTerms<NoInfer<Q>, NoInfer<B>, NoInfer<W>>,
): Route => ({ ...call, ...terms }) as unknown as Route;

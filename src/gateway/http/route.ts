// A route: one call of the API, described once. The description is what the server enforces (method, path, who
// may, query and body), and what the API reference is generated from.

import { type ObjectField, object } from '../../contract/object.ts';
import type { IdempotencyTag, WriteSignature } from '../../core/command.ts';
import type { LiveKey, ModuleId } from '../../identity/live-key.ts';
import type { Session } from '../../identity/sessions.ts';
import type { Services } from '../services.ts';
import type { Reply } from './reply.ts';

export type Method = 'GET' | 'POST' | 'PATCH';

/**
 * Who may call: everyone, who has logged in, the operator; or who has a privilege, by a key or by
 * having logged in.
 */
export type Access = 'public' | 'session' | 'operator' | { readonly module: ModuleId };

/** What a handler gets: everything has been checked that can be without the state. */
export interface Call<Q, B> {
  readonly requestId: string;
  readonly query: Q;
  readonly body: B;
  /** The {…} parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The signed-in account; 0 for public calls and the operator. */
  readonly uid: number;
  readonly key: LiveKey | null;
  /** Of who has logged in; null for a call by a key. */
  readonly session: Session | null;
  /** Set on writes of keys with the replay guard on. */
  readonly signature: WriteSignature | null;
  readonly idempotency: IdempotencyTag | null;
  /** The caller's address; asked for only where it is needed, since it costs. */
  readonly ip: () => string;
  /** For the few calls that read one of their own. */
  readonly headers: Headers;
}

/** What the audit log says about a call. */
export interface AuditTerms<B> {
  /** What is done, as a dotted name (`user.create`). */
  readonly action: string;
  /** What it is done to (`uid:7`); `body` is undefined where it could not be read. */
  object?(params: Readonly<Record<string, string>>, body: B | undefined): string | null;
  /** Free texts, which may hold anything that was pasted: their length is written in their place. */
  readonly measured?: readonly string[];
}

/** A call that still answers and should not be built upon. */
export interface Deprecation {
  /** The day since when, as YYYY-MM-DD. */
  readonly since: string;
  /** The path of the call to use instead. */
  readonly successor: string;
}

export interface RouteDefinition<Q, B> {
  readonly method: Method;
  /** Exact, or with parts such as {uid}. */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly query?: ObjectField<Q>;
  /** POST and PATCH have one, GET has none. */
  readonly body?: ObjectField<B>;
  /** A write's signature works once; reads, and calls that only test, may be repeated. */
  readonly write?: boolean;
  /** Taken however busy the server is, as a cancel has to be. */
  readonly urgent?: boolean;
  /** Of a session, asks for a code of the authenticator within the last five minutes. */
  readonly stepUp?: boolean;
  /** Every call of the operator has an entry in the audit log, and so every operator route has this. */
  readonly audit?: AuditTerms<B>;
  /** Refusals that the earn area's list of legacy errors has are answered so (contract/earn-errors.ts). */
  readonly legacyErrors?: boolean;
  /** Sends `Deprecation` (RFC 9745) and a link to what takes its place. */
  readonly deprecated?: Deprecation;
  handle(services: Services, call: Call<Q, B>): Reply | Promise<Reply>;
}

export interface Route extends RouteDefinition<unknown, unknown> {
  readonly query: ObjectField<unknown>;
  readonly write: boolean;
}

const NO_FIELDS = object({});

/** Types of query and body follow from their descriptions. */
export function route<Q = Record<never, never>, B = Record<never, never>>(
  definition: RouteDefinition<Q, B>,
): Route {
  const general = definition as unknown as RouteDefinition<unknown, unknown>;
  return {
    ...general,
    query: general.query ?? NO_FIELDS,
    write: general.write ?? false,
    handle: (services, call) => general.handle(services, call),
  };
}

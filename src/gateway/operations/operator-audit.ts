// The operator's calls in the audit log: every call with the token, also a rejected one, before its
// answer, and one that may change something also before it does. And failed logins, within a limit
// over all anonymous callers together: an entry is synced to disk, which everything else waits for.
import { JsonNumber } from '../../contract/json.ts';
import { Problem } from '../../contract/problem.ts';
import { type AuditFacts, BEGUN } from '../../identity/audit.ts';
import type { Reply } from '../http/reply.ts';
import type { Call, Route } from '../http/route.ts';
import { BoundedEntries } from '../limits/bounded-entries.ts';
import type { Services } from '../services.ts';

/** A call as far as it came: one whose fields could not be read has no `call`. */
export interface OperatorCall {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly call: Call<unknown, unknown> | null;
  readonly ip: string;
  readonly requestId: string;
}

/** Enough to see that someone outside looks for the operator's calls, as many networks do. */
const OUTSIDE_ENTRIES = { quota: 1, windowSeconds: 3_600, burst: 5 } as const;

export class OperatorAudit {
  readonly #services: Services;
  readonly #logins = new BoundedEntries();
  readonly #outsiders = new BoundedEntries(OUTSIDE_ENTRIES);

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Records that a call which may change something begins. Where the process ends before the
   * answer, this entry is the only one. Rejects where another node leads now.
   */
  async recordBegin(call: OperatorCall): Promise<void> {
    const { audit, store } = this.#services.identity;
    if (call.route.method === 'GET') return;
    audit.record({ ...factsOf(call), result: BEGUN });
    await store.durable();
  }

  recordEnd(call: OperatorCall, reply: Reply): void {
    const facts = factsOf(call);
    const rejection = rejectionOf(reply);
    // The released name of this detail.
    const details = rejection === null ? {} : { refused: rejection.details };
    this.#services.identity.audit.record({
      ...facts,
      object: reply.audited ?? facts.object,
      result: rejection?.code ?? 'ok',
      details: { ...facts.details, ...details },
    });
  }

  recordRejectedLogin({ code: result }: Problem, ip: string, requestId: string): void {
    const facts = { action: 'operator.login', object: null, result, ip, requestId };
    this.#recordAnonymous(this.#logins, facts);
  }

  /** A caller outside of the operators' networks requested an operator path. */
  recordOutside(path: string, ip: string, requestId: string): void {
    const { code: result } = new Problem('notFound');
    const facts = { action: 'operator.outside', object: path, result, ip, requestId };
    this.#recordAnonymous(this.#outsiders, facts);
  }

  /** Writes within the limit; the next entry has the number of unwritten ones. */
  #recordAnonymous(bounded: BoundedEntries, facts: Omit<AuditFacts, 'actor' | 'details'>): void {
    const unwritten = bounded.next();
    if (unwritten === null) return;
    const details = unwritten === 0 ? {} : { unwritten };
    this.#services.identity.audit.record({ ...facts, actor: 'anonymous', details });
  }
}

function factsOf({ route, params, call, ip, requestId }: OperatorCall): Omit<AuditFacts, 'result'> {
  const { audit, method, path } = route;
  return {
    actor: 'operator',
    ip,
    action: audit?.action ?? `${method} ${path}`,
    object: audit?.object?.(params, call?.body) ?? null,
    requestId,
    details: call === null ? {} : fieldsOf(call, audit?.measured),
  };
}

/** The sent fields as they were read. The log removes secrets. */
function fieldsOf(
  { query, body }: Call<unknown, unknown>,
  measured: readonly string[] = [],
): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...(query as object), ...(body as object | undefined) };
  for (const name of measured) {
    const value = fields[name];
    if (typeof value === 'string') fields[name] = { length: value.length };
  }
  return fields;
}

interface Rejection {
  readonly code: string;
  /** The field and the rule, not what was sent: that may be a password in the wrong place. */
  readonly details: { readonly field?: unknown; readonly rule?: unknown };
}

function rejectionOf({ status, body }: Reply): Rejection | null {
  if (status < 400 || typeof body !== 'string') return null;
  const { code, details } = JSON.parse(body) as { code: string; details?: Rejection['details'] };
  return { code, details: { field: details?.field, rule: details?.rule } };
}

/** The details of an entry in the form of an answer: fractions keep their text. */
export function answerable(value: unknown): unknown {
  if (typeof value === 'number') return new JsonNumber(JSON.stringify(value));
  if (Array.isArray(value)) return value.map(answerable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, answerable(member)]),
  );
}

// What the calls of the user centre share: the person who asks, the audit log, how a refusal of a
// proof is answered, and the codes that an act of a person with a session asks for.
import { Problem, type ProblemDetails } from '../../../contract/problem.ts';
import { rejectPlain } from '../../../core/reject.ts';
import type { User } from '../../../core/user.ts';
import { type Circumstances, codeMail } from '../../../identity/mail/messages.ts';
import {
  type CodeScope,
  Operation,
  type OperationType,
} from '../../../identity/proofs/email-codes.ts';
import type { CheckedCodes } from '../../../identity/proofs/proofs.ts';
import type { PersonRefusal, Refusal } from '../../../identity/refusal.ts';
import type { Session } from '../../../identity/sessions.ts';
import type { UserAction } from '../../../identity/user-audit.ts';
import type { User as Person } from '../../../identity/users.ts';
import type { Reply } from '../../http/reply.ts';
import type { Call } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { rejectReply } from '../operator/call.ts';

export const USER_CENTER = '/user-center/v1';

export type AnyCall = Pick<
  Call<unknown, unknown>,
  'session' | 'uid' | 'requestId' | 'ip' | 'headers' | 'body'
>;

/** What a handler did, for the answer and for the audit log. */
export interface Done<W = unknown> {
  readonly reply: Reply<W>;
  /** Who it turned out to be, on calls without a session. */
  readonly uid?: number;
  readonly object?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** There was nothing to do: no event, and so no entry. */
  readonly changedNothing?: boolean;
}

/** Says which account a call without a session is about, for the entry of a refusal. */
export type NameAccount = (uid: number) => void;

/** Names the account of an address, if it has one; returns its owner. */
export function nameOwner(
  { identity }: Services,
  email: string,
  nameAccount: NameAccount,
): Person | undefined {
  const owner = identity.users.findByEmail(email);
  if (owner !== undefined) nameAccount(owner.uid);
  return owner;
}

/** What an account that is suspended must not be given or lose: whoever is in it may not be its owner. */
const NOT_WHILE_SUSPENDED: ReadonlySet<UserAction> = new Set([
  'password.change',
  'totp.enroll',
  'totp.activate',
  'totp.disable',
  'totp.recoveryCodes',
  'key.create',
  'faucet.credit',
]);

/** Does the work and writes what came of it to the audit log, before it is answered. */
export async function audited<W>(
  services: Services,
  { session, requestId, ip, body }: AnyCall,
  action: UserAction,
  work: (nameAccount: NameAccount) => Done<W> | Promise<Done<W>>,
): Promise<Reply<W>> {
  const { identity, engine } = services;
  const facts = { action, ip: ip(), requestId, email: emailOf(body) };
  const uid = session?.uid ?? null;
  let named: string | null = null;
  let done: Done<W>;
  try {
    const isSuspended = uid !== null && engine.exchange.state.users[uid]?.suspended === true;
    done =
      isSuspended && NOT_WHILE_SUSPENDED.has(action)
        ? { reply: rejectReply(services, rejectPlain('userSuspended')) }
        : await work((account) => {
            named = `uid:${account}`;
          });
  } catch (error) {
    const result = error instanceof Problem ? error.kind : 'failed';
    identity.userAudit.record({ ...facts, uid, result, object: named });
    throw error;
  }
  const { reply, object = null, details = {} } = done;
  if (done.changedNothing === true) return reply;
  const result = reply.status < 400 ? 'ok' : 'refused';
  const who = done.uid ?? uid;
  const what = object === null ? {} : { object };
  identity.userAudit.record({ ...facts, uid: who, result, details, ...what });
  return reply;
}

/** The address that a caller without a session has typed. */
function emailOf(body: unknown): string | null {
  const { email } = (body ?? {}) as { email?: unknown };
  return typeof email === 'string' ? email : null;
}

/** A refusal of identity as the Problem of the same meaning. */
export function refused(refusal: PersonRefusal | Refusal): Problem {
  const { name, field, text } = refusal;
  const details: ProblemDetails = { field, rule: name };
  if (!('retryAfterMs' in refusal)) {
    return new Problem('invalidField', { userMsg: `Invalid field: ${field}. ${text}`, details });
  }
  const { retryAfterMs } = refusal;
  const wait =
    retryAfterMs === null ? {} : { headers: { 'Retry-After': String(seconds(retryAfterMs)) } };
  return new Problem(refusal.name, { userMsg: text, details, ...wait });
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** The value itself, unless it is a refusal: then throws its Problem. */
export function must<T extends { readonly ok: true }>(answer: T | PersonRefusal | Refusal): T {
  if (!answer.ok) throw refused(answer);
  return answer;
}

export interface Known {
  readonly session: Session;
  readonly person: Person;
  readonly user: User;
}

/** Who asks, on a call with a session. Throws Problem sessionInvalid. */
export function whoAsks({ identity, engine }: Services, { session }: AnyCall): Known {
  const person = session === null ? undefined : identity.users.find(session.uid);
  const user = person === undefined ? undefined : engine.exchange.state.users[person.uid];
  if (session === null || person === undefined || user === undefined) {
    throw new Problem('sessionInvalid');
  }
  return { session, person, user };
}

/** Throws Problem sessionInvalid where the session was ended while its caller was being judged. */
export function unlessEnded({ identity }: Services, { uid, sessionId }: Session): void {
  const isLive = identity.sessions.list(uid).some((session) => session.sessionId === sessionId);
  if (!isLive) throw new Problem('sessionInvalid');
}

export function notAnEmail(): Problem {
  const text = 'An e-mail address has the form name@example.com, in ASCII.';
  return refused({ ok: false, name: 'invalid', field: 'email', text });
}

/** When and from where, for a mail. */
export const circumstances = ({ engine }: Services, { ip, headers }: AnyCall): Circumstances => ({
  time: engine.wall(),
  ip: ip(),
  userAgent: headers.get('user-agent'),
});

/** Makes a code and mails it. Throws Problem tooManyCodes. */
export function sendCode({ identity }: Services, to: string, scope: CodeScope, ip: string): void {
  const { code } = must(identity.emailCodes.issue(scope, ip));
  identity.mailer.send(to, codeMail(scope.operation, code));
}

export const scopeOfSession = (
  { uid, sessionId }: Session,
  operation: OperationType,
): CodeScope => ({ subject: `uid:${uid}`, holder: `session:${sessionId}`, operation });

interface SentCodes {
  readonly googleAuthCode: string | undefined;
  readonly emailAuthCode: string | undefined;
}

/**
 * The codes of a sensitive act: the authenticator's where one is active, the one by e-mail where it
 * was sent along. Nothing is used up yet. Throws Problem totpNeeded and those of the proofs.
 */
export function checkCodes(
  { identity }: Services,
  session: Session,
  { googleAuthCode, emailAuthCode }: SentCodes,
  ip: string,
): CheckedCodes {
  const { uid } = session;
  const needsTotp = identity.totp.isActive(uid);
  if (needsTotp && googleAuthCode === undefined) throw totpNeeded();
  const scope = scopeOfSession(session, Operation.confirmation);
  return must(
    identity.proofs.check({
      uid,
      ip,
      ...(needsTotp ? { totp: googleAuthCode! } : {}),
      ...(emailAuthCode === undefined ? {} : { email: { scope, code: emailAuthCode } }),
    }),
  );
}

export const totpNeeded = (): Problem =>
  new Problem('totpNeeded', { details: { field: 'googleAuthCode', rule: 'totpNeeded' } });

/** Throws the Problem of a refusal; any other answer of an act is its result. */
export function unlessRefused<T>(answer: T | PersonRefusal): T {
  if (typeof answer === 'object' && answer !== null && 'retryAfterMs' in answer) {
    throw refused(answer as PersonRefusal);
  }
  return answer as T;
}

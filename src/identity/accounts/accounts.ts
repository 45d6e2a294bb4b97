// Shared by the use cases of an account: the caller as plain values, the user behind a session,
// the codes of a sensitive act, and the audit entry, which is on disk before the answer.
import { REJECTED } from '../audit.ts';
import type { Identity } from '../identity.ts';
import { type Circumstances, codeMail } from '../mail/messages.ts';
import { type CodeScope, Operation, type OperationType } from '../proofs/email-codes.ts';
import { checkPassword } from '../proofs/passwords.ts';
import type { CodeMatches } from '../proofs/proofs.ts';
import { type Denial, DeniedError, deny, type Result, reject, success, unwrap } from '../result.ts';
import type { Session } from '../sessions.ts';
import type { UserAction } from '../user-audit.ts';
import type { User } from '../users.ts';

/** The users of the core. Identity does not import the core, so the node passes them in. */
interface CoreUsers {
  find(uid: number): { readonly suspended: boolean } | undefined;
  /** Creates a user without KYC; resolves to the uid when the command is durable. */
  create(): Promise<number>;
}

export interface Accounts {
  readonly identity: Identity;
  readonly coreUsers: CoreUsers;
  /** The wall clock, ms. */
  readonly wall: () => number;
  /** Reports an email that could not be written after its answer. */
  readonly onMailFailure: (error: unknown) => void;
}

/** Where a call comes from. */
export interface Caller {
  readonly ip: string;
  readonly requestId: string;
  readonly userAgent: string | null;
  /** The cookie of a known browser as sent, not verified. */
  readonly deviceCookie: string | null;
  /** null where the caller is not logged in. */
  readonly session: Session | null;
}

/** A caller with a session, and the user of it. */
export interface SignedIn {
  readonly session: Session;
  readonly user: User;
}

/** The parts of an audit entry that the use case adds. */
export interface EntryDraft {
  /** The account that a call without a session concerns; its owner can read the entry. */
  account?: number;
  /** The user whom a successful call without a session has authenticated. */
  uid?: number;
  object?: string;
  details?: Readonly<Record<string, unknown>>;
  /** Nothing changed, so there is no entry. */
  skip?: boolean;
}

interface Act {
  readonly action: UserAction;
  /** The email address that a caller without a session typed. */
  readonly email?: string;
}

/** Any failed outcome; the audit log has its name. */
export interface Failure {
  readonly ok: false;
  readonly name: string;
}

/** The person in a suspended account may not be its owner, so the account gets nothing new. */
const NOT_WHILE_SUSPENDED: ReadonlySet<UserAction> = new Set([
  'password.change',
  'totp.enroll',
  'totp.activate',
  'totp.disable',
  'totp.recoveryCodes',
  'key.create',
  'faucet.credit',
]);

/**
 * Does `act` and writes its result to the audit log. `act` throws its failures as DeniedErrors;
 * `F` is their type.
 */
export async function audited<T, F extends Failure = Denial>(
  { identity }: Pick<Accounts, 'identity'>,
  { session, ip, requestId }: Caller,
  { action, email }: Act,
  act: (entry: EntryDraft) => T | Promise<T>,
): Promise<Result<T, F>> {
  const entry: EntryDraft = {};
  const uid = session?.uid ?? null;
  const facts = { action, ip, requestId, uid, email: email ?? null };
  const account = () => (entry.account === undefined ? null : `uid:${entry.account}`);
  const record = (result: string, more: object = {}): void =>
    identity.userAudit.record({ ...facts, result, object: account(), ...more });
  let value: T;
  try {
    value = await act(entry);
  } catch (error) {
    if (!(error instanceof DeniedError)) {
      record('failed');
      throw error;
    }
    const failure = error.denial as F;
    record(failure.name === 'userSuspended' ? REJECTED : failure.name);
    return failure;
  }
  if (entry.skip !== true) {
    const { object = account(), details = {} } = entry;
    record('ok', { uid: entry.uid ?? uid, object, details });
  }
  return success(value);
}

/**
 * Like `audited`, for a logged-in user. Rejections: sessionInvalid, userSuspended, and those of
 * `act`.
 */
export function auditedForUser<T, F extends Failure = Denial>(
  accounts: Accounts,
  caller: Caller,
  action: UserAction,
  act: (user: SignedIn, entry: EntryDraft) => T | Promise<T>,
): Promise<Result<T, F | Denial>> {
  return audited<T, F | Denial>(accounts, caller, { action }, (entry) =>
    act(requireUser(accounts, caller.session, action), entry),
  );
}

/** The user of a session. Rejections: sessionInvalid, userSuspended. */
function requireUser(
  { identity, coreUsers }: Accounts,
  session: Session | null,
  action: UserAction,
): SignedIn {
  const user = session === null ? undefined : identity.users.find(session.uid);
  const coreUser = user === undefined ? undefined : coreUsers.find(user.uid);
  if (session === null || user === undefined || coreUser === undefined) rejectSession();
  if (coreUser.suspended && NOT_WHILE_SUSPENDED.has(action)) reject(deny('userSuspended', null));
  return { session, user };
}

/** Rejects where the session has ended since the call began, such as during a password hash. */
export function requireLive({ identity }: Accounts, { session }: SignedIn): void {
  if (!identity.sessions.isLive(session.sessionId)) rejectSession();
}

export function rejectSession(): never {
  return reject(deny('sessionInvalid', 'exchange-token', { rule: 'session' }));
}

/** Rejects a weak password of `field`. */
export function requireStrong(password: string, field: string, email: string): void {
  const weak = checkPassword(password, field, email);
  if (weak !== undefined) reject(weak);
}

/** When and from where something was done, for an email. */
export const circumstances = ({ wall }: Accounts, { ip, userAgent }: Caller): Circumstances => ({
  time: wall(),
  ip,
  userAgent,
});

/** The name of the caller's browser where it is a known one of this user; null otherwise. */
export function deviceOf(
  { identity }: Accounts,
  { deviceCookie }: Caller,
  owner: User | undefined,
): string | null {
  if (deviceCookie === null || owner === undefined) return null;
  return identity.devices.nameOf(deviceCookie, owner);
}

/** Creates a one-time code and emails it. Rejection: tooManyCodes. */
export function mailCode({ identity }: Accounts, to: string, scope: CodeScope, ip: string): void {
  const { code } = unwrap(identity.emailCodes.issue(scope, ip));
  identity.mailer.send(to, codeMail(scope.operation, code));
}

export const scopeOfSession = (
  { uid, sessionId }: Session,
  operation: OperationType,
): CodeScope => ({ subject: `uid:${uid}`, holder: `session:${sessionId}`, operation });

/** The codes that a logged-in user sends with a sensitive act. */
export interface SentCodes {
  readonly googleAuthCode?: string | undefined;
  readonly emailAuthCode?: string | undefined;
}

/**
 * Checks the codes of a sensitive act without using them up. The authenticator's code is required
 * where one is active. Rejections: totpNeeded, and those of Proofs.check.
 */
export function checkCodes(
  { identity }: Accounts,
  { session }: SignedIn,
  { googleAuthCode, emailAuthCode }: SentCodes,
  ip: string,
): CodeMatches {
  const { uid } = session;
  const needsTotp = identity.totp.isActive(uid);
  if (needsTotp && googleAuthCode === undefined) reject(deny('totpNeeded', 'googleAuthCode'));
  const scope = scopeOfSession(session, Operation.confirmation);
  const proofs = {
    uid,
    ip,
    ...(needsTotp ? { totp: googleAuthCode! } : {}),
    ...(emailAuthCode === undefined ? {} : { email: { scope, code: emailAuthCode } }),
  };
  return unwrap(identity.proofs.check(proofs));
}

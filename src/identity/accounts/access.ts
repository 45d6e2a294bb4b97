// The accesses that a logged-in user grants and revokes, API keys and sessions, and the codes by
// email that confirm it. A key is created with two codes, of the authenticator and of the mailbox.
import type { CreatedApiKey, NewApiKey } from '../api-keys.ts';
import { keyCreatedMail } from '../mail/messages.ts';
import { Operation, type OperationType } from '../proofs/email-codes.ts';
import { denyField, type Result, reject, unwrap } from '../result.ts';
import {
  type Accounts,
  auditedForUser,
  type Caller,
  checkCodes,
  circumstances,
  mailCode,
  type SentCodes,
  scopeOfSession,
} from './accounts.ts';

export interface KeyRequest extends Omit<NewApiKey, 'uid'> {
  readonly googleAuthCode: string;
  readonly emailAuthCode: string;
}

/**
 * Creates an API key; its secret is in this answer only. Rejections: those of Proofs.check and
 * ApiKeys.create.
 */
export function createApiKey(
  accounts: Accounts,
  caller: Caller,
  { googleAuthCode, emailAuthCode, ...terms }: KeyRequest,
): Promise<Result<CreatedApiKey>> {
  const { apiKeys, mailer, proofs, sessions } = accounts.identity;
  return auditedForUser(accounts, caller, 'key.create', ({ session, user }, entry) => {
    const { uid, email } = user;
    const scope = scopeOfSession(session, Operation.keyCreation);
    const codes = proofs.check({
      uid,
      ip: caller.ip,
      totp: googleAuthCode,
      email: { scope, code: emailAuthCode },
    });
    const created = unwrap(proofs.createKey(unwrap(codes), { uid, ...terms }, apiKeys));
    sessions.stepUp(session.sessionId);
    mailer.send(email, keyCreatedMail(terms, circumstances(accounts, caller)));
    entry.object = `uid:${uid}/key:${created.apiKey}`;
    entry.details = { alias: terms.alias, moduleIds: terms.moduleIds };
    return created;
  });
}

/**
 * Revokes an API key of the user and destroys its secret; returns the time, wall clock, ms.
 * Rejections: invalidField, and those of checkCodes.
 */
export function deleteApiKey(
  accounts: Accounts,
  caller: Caller,
  { apiKey, ...codes }: SentCodes & { readonly apiKey: string },
): Promise<Result<number>> {
  const { apiKeys, proofs } = accounts.identity;
  return auditedForUser(accounts, caller, 'key.revoke', (signedIn, entry) => {
    const { uid } = signedIn.user;
    if (apiKeys.lookup(apiKey)?.uid !== uid) {
      reject(denyField('apiKey', 'It must be a live key of yours.', 'known'));
    }
    const checked = checkCodes(accounts, signedIn, codes, caller.ip);
    unwrap(proofs.spend(checked, () => apiKeys.revoke(apiKey)));
    entry.object = `uid:${uid}/key:${apiKey}`;
    return apiKeys.find(apiKey)!.revokedAt!;
  });
}

/** Ends one session of the user; returns 1. Rejection: invalidField. */
export function revokeSession(
  accounts: Accounts,
  caller: Caller,
  sessionId: number,
): Promise<Result<number>> {
  return auditedForUser(accounts, caller, 'session.revoke', ({ session }, entry) => {
    if (!accounts.identity.sessions.revoke(session.uid, sessionId)) {
      reject(denyField('sessionId', 'It must be a live session of yours.', 'known'));
    }
    entry.details = { sessionId, revoked: 1 };
    return 1;
  });
}

/** Ends all sessions of the user but the caller's; returns how many. */
export function revokeOtherSessions(accounts: Accounts, caller: Caller): Promise<Result<number>> {
  return auditedForUser(accounts, caller, 'session.revokeOthers', ({ session }, entry) => {
    const revoked = accounts.identity.sessions.revokeOthers(
      session.uid,
      session.sessionId,
      'revoked',
    );
    entry.skip = revoked === 0;
    entry.details = { sessionId: null, revoked };
    return revoked;
  });
}

/** Mails a code for one kind of act, valid in the caller's session. Rejection: tooManyCodes. */
export function sendConfirmationCode(
  accounts: Accounts,
  caller: Caller,
  operationType: OperationType,
): Promise<Result<void>> {
  return auditedForUser(accounts, caller, 'email.codeSent', ({ session, user }, entry) => {
    entry.details = { operationType };
    mailCode(accounts, user.email, scopeOfSession(session, operationType), caller.ip);
  });
}

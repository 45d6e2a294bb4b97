// The password of an account: changed by its logged-in user, or reset with a code from the mailbox.
// A reset is answered alike, in the same time, whether or not the address has an account, and it
// never opens a session.
import { randomInt } from 'node:crypto';
import { codeMail, securityMail } from '../mail/messages.ts';
import { type CodeScope, emailCodeWrong, newTicket, Operation } from '../proofs/email-codes.ts';
import { type CodeMatches, emailCodeNeeded } from '../proofs/proofs.ts';
import { deny, type Result, reject, unwrap } from '../result.ts';
import { isEmail, type User } from '../users.ts';
import {
  type Accounts,
  audited,
  auditedForUser,
  type Caller,
  checkCodes,
  circumstances,
  deviceOf,
  requireLive,
  requireStrong,
  type SentCodes,
  type SignedIn,
  scopeOfSession,
} from './accounts.ts';
import { rejectEmail, type Ticket } from './registration.ts';

/** A password with the codes that may be needed beside it. */
export interface PasswordProof extends SentCodes {
  readonly password: string;
}

export interface PasswordChange extends PasswordProof {
  readonly newPassword: string;
}

/**
 * Sets a new password and ends all other sessions. Rejections: invalidField, sessionInvalid, those
 * of confirmPassword and checkCodes.
 */
export function changePassword(
  accounts: Accounts,
  caller: Caller,
  change: PasswordChange,
): Promise<Result<void>> {
  const { mailer, passwords, proofs, sessions, users } = accounts.identity;
  const { newPassword } = change;
  return auditedForUser(accounts, caller, 'password.change', async (signedIn, entry) => {
    const { uid, email } = signedIn.user;
    requireStrong(newPassword, 'newPassword', email);
    await confirmPassword(accounts, caller, signedIn, change);
    const hash = unwrap(await passwords.hash(newPassword, `uid:${uid}`));
    requireLive(accounts, signedIn);
    const codes = checkCodes(accounts, signedIn, change, caller.ip);
    unwrap(proofs.spend(codes, () => users.setPasswordHash(uid, hash)));
    const sessionsEnded = sessions.revokeOthers(uid, signedIn.session.sessionId, 'passwordChanged');
    entry.details = { sessionsEnded };
    mailer.send(email, securityMail('passwordChanged', circumstances(accounts, caller)));
  });
}

/**
 * Checks the password of a logged-in user again. It has a count of its own, so that guessing at the
 * login does not delay it. An email code that is needed is checked and not used up. Rejections:
 * credentialsWrong, tooManyAttempts, overloaded, emailCodeNeeded, emailCodeWrong.
 */
export async function confirmPassword(
  { identity }: Accounts,
  { ip }: Caller,
  { session, user: { uid, passwordHash } }: SignedIn,
  { password, emailAuthCode }: PasswordProof,
): Promise<void> {
  const attempt = unwrap(identity.lockout.begin('passwordAgain', `uid:${uid}`, ip));
  try {
    if (attempt.delayMs > 0) await Bun.sleep(attempt.delayMs);
    if (!unwrap(await identity.passwords.verify(password, passwordHash, `uid:${uid}`))) {
      attempt.fail();
      reject(deny('credentialsWrong', 'password', { text: 'The password is wrong.' }));
    }
    if (attempt.needsEmailCode) {
      if (emailAuthCode === undefined) reject(emailCodeNeeded());
      const scope = scopeOfSession(session, Operation.confirmation);
      unwrap(identity.emailCodes.check(scope, emailAuthCode));
    }
    attempt.succeed();
  } finally {
    attempt.withdraw();
  }
}

/**
 * Mails a code for a reset, if the address has an account. Rejections: invalidField, tooManyCodes.
 */
export function beginReset(
  accounts: Accounts,
  caller: Caller,
  { email }: { readonly email: string },
): Promise<Result<Ticket>> {
  const { emailCodes, lockout, users } = accounts.identity;
  return audited(accounts, caller, { action: 'email.codeSent', email }, (entry) => {
    if (!isEmail(email)) rejectEmail();
    const ticket = newTicket();
    const owner = users.findByEmail(email);
    if (owner !== undefined) entry.account = owner.uid;
    const device = deviceOf(accounts, caller, owner);
    const isKnown = device !== null || lockout.knows('password', email, caller.ip);
    const issued = emailCodes.issue(scopeOf(email, ticket), caller.ip, isKnown);
    const { code, expiresAt } = unwrap(issued);
    sendLater(accounts, owner?.email ?? null, code);
    entry.details = { operationType: Operation.passwordReset };
    return { ticket, expiresAt };
  });
}

/** Far longer than writing an email takes, and longer than the noise that a caller can measure. */
const SEND_AFTER_MS = { minimum: 200, maximum: 2_000 };

/**
 * Writes the email at a random moment after the answer, and does the same work where there is no
 * account (null). So neither this answer nor the next one shows whether there is one.
 */
function sendLater({ identity, onMailFailure }: Accounts, to: string | null, code: string): void {
  const send = () => {
    try {
      const mail = codeMail(Operation.passwordReset, code);
      if (to === null) identity.mailer.pretend(mail);
      else identity.mailer.send(to, mail);
    } catch (error) {
      onMailFailure(error);
    }
  };
  setTimeout(send, randomInt(SEND_AFTER_MS.minimum, SEND_AFTER_MS.maximum + 1)).unref();
}

export interface ResetConfirmation {
  readonly email: string;
  readonly ticket: string;
  readonly emailAuthCode: string;
  readonly newPassword: string;
  readonly googleAuthCode?: string | undefined;
}

/**
 * Sets a new password for the emailed code and ends all sessions. Rejections: invalidField,
 * emailCodeWrong, totpNeeded, overloaded, and those of Proofs.check.
 */
export function confirmReset(
  accounts: Accounts,
  caller: Caller,
  confirmation: ResetConfirmation,
): Promise<Result<{ readonly uid: number }>> {
  const { lockout, mailer, users } = accounts.identity;
  const { email, newPassword } = confirmation;
  return audited(accounts, caller, { action: 'password.reset', email }, async (entry) => {
    requireStrong(newPassword, 'newPassword', email);
    const owner = users.findByEmail(email);
    if (owner !== undefined) entry.account = owner.uid;
    // The code has 80 bits and its ticket five tries, so the lockout does not count it: a stranger
    // could use up such a count.
    const proven = checkResetCodes(accounts, caller, confirmation, owner);
    const { user } = proven;
    const sessionsEnded = await setPassword(accounts, proven, newPassword);
    lockout.noteKnown('password', user.email, caller.ip);
    mailer.send(user.email, securityMail('passwordReset', circumstances(accounts, caller)));
    entry.uid = user.uid;
    entry.details = { sessionsEnded };
    return { uid: user.uid };
  });
}

interface ProvenReset {
  readonly user: User;
  readonly codes: CodeMatches;
}

/**
 * Checks the emailed code first: only its holder learns that there is an account, and whether it
 * has an authenticator.
 */
function checkResetCodes(
  accounts: Accounts,
  caller: Caller,
  { email, ticket, emailAuthCode, googleAuthCode }: ResetConfirmation,
  user: User | undefined,
): ProvenReset {
  const { emailCodes, proofs, totp } = accounts.identity;
  const scope = scopeOf(email, ticket);
  unwrap(emailCodes.check(scope, emailAuthCode));
  if (user === undefined) reject(emailCodeWrong());
  const { uid } = user;
  const needsTotp = totp.isActive(uid);
  if (needsTotp && googleAuthCode === undefined) reject(deny('totpNeeded', 'googleAuthCode'));
  const codes = proofs.check({
    uid,
    ip: caller.ip,
    device: deviceOf(accounts, caller, user),
    ...(needsTotp ? { totp: googleAuthCode! } : {}),
    email: { scope, code: emailAuthCode },
  });
  return { user, codes: unwrap(codes) };
}

/** Sets the password and ends all sessions in one transaction; the number of ended sessions. */
async function setPassword(
  { identity }: Accounts,
  { user: { uid }, codes }: ProvenReset,
  newPassword: string,
): Promise<number> {
  const { passwords, proofs, sessions, totp, users } = identity;
  // The caller has the mailbox, so the hash has a place among those of known users.
  const hash = unwrap(await passwords.hash(newPassword, `uid:${uid}`));
  // An authenticator may have been activated during the hash.
  if (codes.totp === null && totp.isActive(uid)) reject(deny('totpNeeded', 'googleAuthCode'));
  const ended = proofs.spend(codes, () => {
    users.setPasswordHash(uid, hash);
    return sessions.revokeAll(uid, 'passwordChanged');
  });
  return unwrap(ended);
}

const scopeOf = (email: string, ticket: string): CodeScope => ({
  subject: `email:${email}`,
  holder: `ticket:${ticket}`,
  operation: Operation.passwordReset,
});

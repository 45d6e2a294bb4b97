// The second factor of a logged-in user: enroll an authenticator, activate it, prove it again
// before a sensitive act (step-up), disable it, and replace its recovery codes.
import { securityMail } from '../mail/messages.ts';
import { type Enrollment, isRecoveryCode } from '../proofs/totp.ts';
import { deny, type Result, reject, unwrap } from '../result.ts';
import { type OpenedSession, type Session, STEP_UP_MS } from '../sessions.ts';
import {
  type Accounts,
  auditedForUser,
  type Caller,
  checkCodes,
  circumstances,
  rejectSession,
  requireLive,
  type SentCodes,
} from './accounts.ts';
import { confirmPassword, type PasswordProof } from './password.ts';

/**
 * Rejects a first authenticator in a session without a recent login: it locks out everybody who
 * does not have it, the owner too, so an older stolen session must not be enough.
 */
function requireRecentLogin({ identity }: Accounts, session: Session): void {
  const { sessions, totp } = identity;
  if (totp.isActive(session.uid) || sessions.isRecent(session)) return;
  reject(deny('loginNotRecent', 'exchange-token', { rule: 'recentLogin' }));
}

function requireTotp({ identity }: Accounts, uid: number): void {
  if (!identity.totp.isActive(uid)) reject(deny('totpInactive', 'googleAuthCode'));
}

/**
 * Creates a secret; nothing changes until it is activated. Rejections: loginNotRecent, totpActive.
 */
export function enrollTotp(accounts: Accounts, caller: Caller): Promise<Result<Enrollment>> {
  return auditedForUser(accounts, caller, 'totp.enroll', ({ session, user }) => {
    requireRecentLogin(accounts, session);
    return unwrap(accounts.identity.totp.enroll(user.uid, user.email));
  });
}

/**
 * Activates the enrolled authenticator with a code of it; returns the recovery codes. All other
 * sessions end. Rejections: loginNotRecent, totpActive, totpInactive, totpWrong.
 */
export function activateTotp(
  accounts: Accounts,
  caller: Caller,
  { googleAuthCode }: { readonly googleAuthCode: string },
): Promise<Result<readonly string[]>> {
  const { mailer, sessions, totp } = accounts.identity;
  return auditedForUser(accounts, caller, 'totp.activate', ({ session, user }) => {
    requireRecentLogin(accounts, session);
    const recoveryCodes = unwrap(totp.activate(user.uid, googleAuthCode));
    // Other sessions have to log in again, with the new factor.
    sessions.revokeOthers(user.uid, session.sessionId, 'authenticatorChanged');
    sessions.stepUp(session.sessionId);
    mailer.send(user.email, securityMail('totpActivated', circumstances(accounts, caller)));
    return recoveryCodes;
  });
}

/** A session after a step-up, under a new token. */
export interface SteppedUp extends OpenedSession {
  /** Wall clock, ms. */
  readonly steppedUpUntil: number;
}

/** Proves the authenticator again. Rejections: totpInactive, and those of checkCodes. */
export function stepUp(
  accounts: Accounts,
  caller: Caller,
  codes: SentCodes,
): Promise<Result<SteppedUp>> {
  const { proofs, sessions } = accounts.identity;
  return auditedForUser(accounts, caller, 'totp.stepUp', (signedIn) => {
    requireTotp(accounts, signedIn.user.uid);
    const stepped = proofs.spend(checkCodes(accounts, signedIn, codes, caller.ip), () => {
      const opened = sessions.rotate(signedIn.session.sessionId) ?? rejectSession();
      return { ...opened, steppedUpUntil: opened.session.steppedUpAt! + STEP_UP_MS };
    });
    return unwrap(stepped);
  });
}

/**
 * Disables two-factor authentication and destroys its secret; other sessions end. Rejections:
 * totpInactive, sessionInvalid, those of confirmPassword and checkCodes.
 */
export function disableTotp(
  accounts: Accounts,
  caller: Caller,
  proof: PasswordProof,
): Promise<Result<void>> {
  const { mailer, proofs, sessions, totp } = accounts.identity;
  return auditedForUser(accounts, caller, 'totp.disable', async (signedIn, entry) => {
    const { uid, email } = signedIn.user;
    requireTotp(accounts, uid);
    await confirmPassword(accounts, caller, signedIn, proof);
    // Session and authenticator may have changed during the password hash.
    requireLive(accounts, signedIn);
    requireTotp(accounts, uid);
    const codes = checkCodes(accounts, signedIn, proof, caller.ip);
    const disabled = proofs.spend(codes, () => {
      totp.disable(uid);
      return sessions.revokeOthers(uid, signedIn.session.sessionId, 'authenticatorChanged');
    });
    const sessionsEnded = unwrap(disabled);
    mailer.send(email, securityMail('totpDisabled', circumstances(accounts, caller)));
    entry.details = { sessionsEnded };
  });
}

/** Replaces the recovery codes. Rejections: totpInactive, totpWrong, and those of checkCodes. */
export function renewRecoveryCodes(
  accounts: Accounts,
  caller: Caller,
  codes: SentCodes,
): Promise<Result<readonly string[]>> {
  const { mailer, proofs, totp } = accounts.identity;
  return auditedForUser(accounts, caller, 'totp.recoveryCodes', (signedIn) => {
    const { uid, email } = signedIn.user;
    requireTotp(accounts, uid);
    // One code of a stolen list must not yield ten new ones.
    if (isRecoveryCode(codes.googleAuthCode ?? '')) {
      const text = 'Use a code from your authenticator; a recovery code cannot create new ones.';
      reject(deny('totpWrong', 'googleAuthCode', { text }));
    }
    const checked = checkCodes(accounts, signedIn, codes, caller.ip);
    const renewed = unwrap(proofs.spend(checked, () => totp.renewRecoveryCodes(uid)));
    mailer.send(email, securityMail('recoveryCodesRenewed', circumstances(accounts, caller)));
    return renewed;
  });
}

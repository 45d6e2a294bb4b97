// The second factor of a logged-in user: enroll an authenticator, activate it, prove it again
// before a sensitive act (step-up), disable it, and replace its recovery codes.
import { securityMail } from '../mail/messages.ts';
import { type Enrollment, isRecoveryCode } from '../proofs/totp.ts';
import { deny, type Result, success } from '../result.ts';
import { type OpenedSession, type Session, STEP_UP_MS } from '../sessions.ts';
import {
  type Accounts,
  auditedForUser,
  type Caller,
  checkCodes,
  circumstances,
  requireLive,
  type SentCodes,
  sessionInvalid,
} from './accounts.ts';
import { confirmPassword, type PasswordProof } from './password.ts';

/**
 * Rejects a first authenticator in a session without a recent login: it locks out everybody who
 * does not have it, the owner too, so an older stolen session must not be enough.
 */
function requireRecentLogin({ identity }: Accounts, session: Session): Result<undefined> {
  const { sessions, totp } = identity;
  if (totp.isActive(session.uid) || sessions.isRecent(session)) return success(undefined);
  return deny('loginNotRecent', 'exchange-token', { rule: 'recentLogin' });
}

function requireTotp({ identity }: Accounts, uid: number): Result<undefined> {
  const isActive = identity.totp.isActive(uid);
  return isActive ? success(undefined) : deny('totpInactive', 'googleAuthCode');
}

/**
 * Creates a secret; nothing changes until it is activated. Rejections: loginNotRecent, totpActive.
 */
export function enrollTotp(accounts: Accounts, caller: Caller): Promise<Result<Enrollment>> {
  return auditedForUser(accounts, caller, 'totp.enroll', ({ session, user }) => {
    const recent = requireRecentLogin(accounts, session);
    return recent.ok ? accounts.identity.totp.enroll(user.uid, user.email) : recent;
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
    const recent = requireRecentLogin(accounts, session);
    if (!recent.ok) return recent;
    const activated = totp.activate(user.uid, googleAuthCode);
    if (!activated.ok) return activated;
    // Other sessions have to log in again, with the new factor.
    sessions.revokeOthers(user.uid, session.sessionId);
    sessions.stepUp(session.sessionId);
    mailer.send(user.email, securityMail('totpActivated', circumstances(accounts, caller)));
    return activated;
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
    const active = requireTotp(accounts, signedIn.user.uid);
    if (!active.ok) return active;
    const checked = checkCodes(accounts, signedIn, codes, caller.ip);
    if (!checked.ok) return checked;
    return proofs.spend(checked.value, () => {
      const opened = sessions.rotate(signedIn.session.sessionId);
      if (opened === undefined) return sessionInvalid();
      return success({ ...opened, steppedUpUntil: opened.session.steppedUpAt! + STEP_UP_MS });
    });
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
): Promise<Result<undefined>> {
  const { mailer, proofs, sessions, totp } = accounts.identity;
  return auditedForUser(accounts, caller, 'totp.disable', async (signedIn, entry) => {
    const { uid, email } = signedIn.user;
    const active = requireTotp(accounts, uid);
    if (!active.ok) return active;
    const confirmed = await confirmPassword(accounts, caller, signedIn, proof);
    if (!confirmed.ok) return confirmed;
    // Session and authenticator may have changed during the password hash.
    const live = requireLive(accounts, signedIn);
    if (!live.ok) return live;
    const stillActive = requireTotp(accounts, uid);
    if (!stillActive.ok) return stillActive;
    const codes = checkCodes(accounts, signedIn, proof, caller.ip);
    if (!codes.ok) return codes;
    const disabled = proofs.spend(codes.value, () => {
      totp.disable(uid);
      return success(sessions.revokeOthers(uid, signedIn.session.sessionId));
    });
    if (!disabled.ok) return disabled;
    mailer.send(email, securityMail('totpDisabled', circumstances(accounts, caller)));
    entry.details = { sessionsEnded: disabled.value };
    return success(undefined);
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
    const active = requireTotp(accounts, uid);
    if (!active.ok) return active;
    // One code of a stolen list must not yield ten new ones.
    if (isRecoveryCode(codes.googleAuthCode ?? '')) {
      const text = 'Use a code from your authenticator; a recovery code cannot create new ones.';
      return deny('totpWrong', 'googleAuthCode', { text });
    }
    const checked = checkCodes(accounts, signedIn, codes, caller.ip);
    if (!checked.ok) return checked;
    const renewed = proofs.spend(checked.value, () => success(totp.renewRecoveryCodes(uid)));
    if (renewed.ok)
      mailer.send(email, securityMail('recoveryCodesRenewed', circumstances(accounts, caller)));
    return renewed;
  });
}

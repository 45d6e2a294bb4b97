// Login with a password and the codes that the account needs, and logout. A wrong password is
// answered like an unknown address, in the same time; failures are counted by the lockout.
import { addressRange } from '../ip.ts';
import { securityMail } from '../mail/messages.ts';
import { type CodeScope, Operation } from '../proofs/email-codes.ts';
import type { Attempt } from '../proofs/lockout.ts';
import { emailCodeNeeded } from '../proofs/proofs.ts';
import { deny, type Result, reject, unwrap } from '../result.ts';
import type { User } from '../users.ts';
import {
  type Accounts,
  audited,
  auditedForUser,
  type Caller,
  circumstances,
  deviceOf,
  mailCode,
  type SentCodes,
} from './accounts.ts';

export interface Credentials extends SentCodes {
  readonly email: string;
  readonly password: string;
}

/** The only time that the token is shown. */
export interface Login {
  readonly uid: number;
  readonly token: string;
  /** Wall clock, ms. */
  readonly expiresAt: number;
}

/** A login whose password is right. */
interface ProvenLogin {
  readonly user: User;
  readonly attempt: Attempt;
  readonly device: string | null;
}

/**
 * Opens a session, which ends the one of the token `replaces`. Rejections: credentialsWrong,
 * tooManyAttempts, overloaded, totpNeeded, emailCodeNeeded (a code was mailed), tooManyCodes, and
 * those of Proofs.check.
 */
export function login(
  accounts: Accounts,
  caller: Caller,
  credentials: Credentials,
  replaces: string | null,
): Promise<Result<Login>> {
  const { lockout, users } = accounts.identity;
  const { email, password } = credentials;
  return audited(accounts, caller, { action: 'session.login', email }, async (entry) => {
    const owner = users.findByEmail(email);
    if (owner !== undefined) entry.account = owner.uid;
    const device = deviceOf(accounts, caller, owner);
    const attempt = unwrap(lockout.begin('password', email, caller.ip, device));
    try {
      const user = await userWithPassword(accounts, caller, credentials, { attempt, device });
      const proven = { user, attempt, device };
      const opened = openSession(accounts, caller, credentials, proven, replaces);
      await rehash(accounts, user, password);
      entry.uid = user.uid;
      return opened;
    } finally {
      // Without a success or failure by now, the password was right or was not compared.
      attempt.withdraw();
    }
  });
}

/** The user of these credentials. Rejections: credentialsWrong, overloaded. */
async function userWithPassword(
  { identity }: Accounts,
  { ip }: Caller,
  { email, password }: Credentials,
  { attempt, device }: Omit<ProvenLogin, 'user'>,
): Promise<User> {
  const { lockout, passwords, users } = identity;
  if (attempt.delayMs > 0) await Bun.sleep(attempt.delayMs);
  const user = users.findByEmail(email);
  const hash = user?.passwordHash ?? null;
  const isKnown = device !== null || lockout.knows('password', email, ip);
  const known = isKnown ? email.toLowerCase() : null;
  const matches = unwrap(await passwords.verify(password, hash, known));
  // The password may have changed during the comparison.
  const isCurrent = users.findByEmail(email)?.passwordHash === hash;
  if (user !== undefined && matches && isCurrent) return user;
  attempt.fail();
  return reject(deny('credentialsWrong', 'password'));
}

/** Checks the codes and opens the session with them, or does neither. */
function openSession(
  accounts: Accounts,
  caller: Caller,
  { googleAuthCode, emailAuthCode }: Credentials,
  { user: { uid, email }, attempt, device }: ProvenLogin,
  replaces: string | null,
): Login {
  const { lockout, mailer, proofs, sessions, totp } = accounts.identity;
  const { ip, userAgent } = caller;
  const needsTotp = totp.isActive(uid);
  if (needsTotp && googleAuthCode === undefined) reject(deny('totpNeeded', 'googleAuthCode'));
  // Bound to the network instead of a ticket: a caller here knows the password.
  const scope: CodeScope = {
    subject: `uid:${uid}`,
    holder: `ticket:${addressRange(ip)}`,
    operation: Operation.login,
  };
  const codes =
    attempt.needsEmailCode && emailAuthCode === undefined
      ? emailCodeNeeded()
      : proofs.check({
          uid,
          ip,
          device,
          ...(needsTotp ? { totp: googleAuthCode! } : {}),
          ...(emailAuthCode === undefined ? {} : { email: { scope, code: emailAuthCode } }),
        });
  if (!codes.ok && codes.name === 'emailCodeNeeded') mailCode(accounts, email, scope, ip);
  const opened = proofs.spend(unwrap(codes), () =>
    sessions.create({ uid, ip, userAgent, steppedUp: needsTotp, replaces }),
  );
  const { token, session } = unwrap(opened);
  const isNews = device === null && !lockout.knows('password', email, ip);
  attempt.succeed();
  if (isNews) mailer.send(email, securityMail('login', circumstances(accounts, caller)));
  return { uid, token, expiresAt: session.expiresAt };
}

/**
 * Hashes the password again where its hash has outdated parameters. While too many passwords wait,
 * the next login does it.
 */
async function rehash(
  { identity: { passwords, users } }: Accounts,
  { uid, passwordHash }: User,
  password: string,
): Promise<void> {
  if (passwordHash === null || !passwords.needsRehash(passwordHash)) return;
  const hash = await passwords.hash(password);
  if (hash.ok) users.replacePasswordHash(uid, passwordHash, hash.value);
}

/** Ends the caller's session; its token no longer works. */
export function logout(accounts: Accounts, caller: Caller): Promise<Result<void>> {
  return auditedForUser(accounts, caller, 'session.logout', ({ session }) => {
    accounts.identity.sessions.revoke(session.uid, session.sessionId, 'loggedOut');
  });
}

// The password of a person: changed by who has logged in, or chosen anew by who has the mailbox. A
// reset is answered alike, in the same time, whether or not the address has an account, and never
// opens a session.

import { randomInt } from 'node:crypto';
import type { Infer } from '../../../contract/fields.ts';
import { Problem } from '../../../contract/problem.ts';
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import type { confirmResetBody } from '../../../contract/user-center/user-center.ts';
import {
  codeMail,
  passwordChangedMail,
  passwordResetMail,
} from '../../../identity/mail/messages.ts';
import { type CodeScope, newTicket, Operation } from '../../../identity/proofs/email-codes.ts';
import { checkPassword, hashPassword, verifyPassword } from '../../../identity/proofs/passwords.ts';
import { type CheckedCodes, emailCodeNeeded, waitFirst } from '../../../identity/proofs/proofs.ts';
import type { Session } from '../../../identity/sessions.ts';
import { isEmail, type User as Person } from '../../../identity/users.ts';
import { renewToken } from '../../auth/authenticate-session.ts';
import { deviceOf, rememberDevice } from '../../auth/device-cookie.ts';
import { ok } from '../../http/reply.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import { unlessBusy } from '../../limits/passwords-busy.ts';
import type { Services } from '../../services.ts';
import {
  audited,
  checkCodes,
  circumstances,
  must,
  nameOwner,
  notAnEmail,
  refused,
  scopeOfSession,
  totpNeeded,
  unlessEnded,
  unlessRefused,
  whoAsks,
} from './call.ts';

const changePassword = route(userCenterCalls.changePassword, {
  handle: (services, call) =>
    audited(services, call, 'password.change', async () => {
      const { person, session } = whoAsks(services, call);
      const { proofs, sessions, users, mailer } = services.identity;
      const { password, newPassword, emailAuthCode } = call.body;
      const weak = checkPassword(newPassword, 'newPassword', person.email);
      if (weak !== undefined) throw refused(weak);
      await provePassword(services, session, person, password, call.ip(), emailAuthCode);
      const hash = await unlessBusy(hashPassword(newPassword, `uid:${person.uid}`));
      unlessEnded(services, session);
      const codes = checkCodes(services, session, call.body, call.ip());
      unlessRefused(proofs.spend(codes, () => users.setPasswordHash(person.uid, hash)));
      const ended = sessions.revokeOthers(person.uid, session.sessionId);
      mailer.send(person.email, passwordChangedMail(circumstances(services, call)));
      const { told, headers } = renewToken(services, session, call.headers);
      const answer = { ...ok({ ...told }, services.engine.seq), headers };
      const reply = rememberDevice(services, call.headers, person.uid, answer);
      return { reply, details: { sessionsEnded: ended } };
    }),
});

/**
 * The password again, from somebody who has logged in. Counted apart from logins, so that a stranger
 * who guesses there does not hold this up. Where a mailed code is needed as well, it is looked at here and not used up; until
 * it is right the network stays unknown. Throws Problem.
 */
export async function provePassword(
  { identity }: Services,
  session: Session,
  { uid, passwordHash }: Person,
  password: string,
  ip: string,
  emailAuthCode: string | undefined,
): Promise<void> {
  const attempt = identity.lockout.begin('passwordAgain', `uid:${uid}`, ip);
  if (!attempt.ok) throw refused(waitFirst('password', attempt));
  try {
    if (attempt.delayMs > 0) await Bun.sleep(attempt.delayMs);
    if (!(await unlessBusy(verifyPassword(password, passwordHash, `uid:${uid}`)))) {
      attempt.fail();
      const details = { field: 'password', rule: 'credentialsWrong' };
      throw new Problem('credentialsWrong', { userMsg: 'The password is wrong.', details });
    }
    if (attempt.needsEmailCode) {
      if (emailAuthCode === undefined) throw refused(emailCodeNeeded());
      const scope = scopeOfSession(session, Operation.confirmation);
      must(identity.emailCodes.check(scope, emailAuthCode));
    }
    attempt.succeed();
  } finally {
    attempt.withdraw();
  }
}

const resetScope = (email: string, ticket: string): CodeScope => ({
  subject: `email:${email}`,
  holder: `ticket:${ticket}`,
  operation: Operation.passwordReset,
});

const reset = route(userCenterCalls.resetPassword, {
  handle: (services, call) =>
    audited(services, call, 'email.codeSent', (nameAccount) => {
      const { email } = call.body;
      const { emailCodes, lockout } = services.identity;
      if (!isEmail(email)) throw notAnEmail();
      const ticket = newTicket();
      const ip = call.ip();
      const owner = nameOwner(services, email, nameAccount);
      const device = deviceOf(services, call.headers, owner);
      const isKnown = device !== null || lockout.knows('password', email, ip);
      const { code, expiresAt } = must(emailCodes.issue(resetScope(email, ticket), ip, isKnown));
      sendLater(services, owner?.email ?? null, code);
      return {
        reply: ok({ ticket, expiresAt }, services.engine.seq),
        ...(owner === undefined ? {} : { object: `uid:${owner.uid}` }),
        details: { operationType: Operation.passwordReset },
      };
    }),
});

/** Far longer than the work of a mail takes, and than who asks can tell from the noise. */
const SEND_AFTER_MS = { least: 200, most: 2_000 };

/**
 * At some moment after the answer, and with the same work where there is nobody to write to (null):
 * neither the answer nor what is asked after it tells whether there was an account.
 */
function sendLater({ identity, log }: Services, to: string | null, code: string): void {
  const send = () => {
    try {
      const mail = codeMail(Operation.passwordReset, code);
      if (to === null) identity.mailer.pretend(mail);
      else identity.mailer.send(to, mail);
    } catch (error) {
      log.error({ err: error }, 'a mail could not be written');
    }
  };
  setTimeout(send, randomInt(SEND_AFTER_MS.least, SEND_AFTER_MS.most + 1)).unref();
}

const confirmReset = route(userCenterCalls.confirmPasswordReset, {
  handle: (services, call) =>
    audited(services, call, 'password.reset', async (nameAccount) => {
      const { email, newPassword } = call.body;
      const { lockout, mailer } = services.identity;
      const weak = checkPassword(newPassword, 'newPassword', email);
      if (weak !== undefined) throw refused(weak);
      // The code has 80 bits and its ticket five tries: guessing is hopeless, and nothing is counted that
      // a stranger could use up.
      const codes = checkResetCodes(services, call, nameOwner(services, email, nameAccount));
      const ended = await setPassword(services, codes, newPassword);
      const { person } = codes;
      lockout.noteKnown('password', person.email, call.ip());
      mailer.send(person.email, passwordResetMail(circumstances(services, call)));
      return {
        reply: rememberDevice(services, call.headers, person.uid, ok({}, services.engine.seq)),
        uid: person.uid,
        details: { sessionsEnded: ended },
      };
    }),
});

interface ResetCodes {
  readonly person: Person;
  readonly checked: CheckedCodes;
}

/**
 * The mailed code first: only who has it learns that there is an account, and whether it has an
 * authenticator. Throws Problem.
 */
function checkResetCodes(
  { identity }: Services,
  call: Call<unknown, Infer<typeof confirmResetBody>>,
  person: Person | undefined,
): ResetCodes {
  const { email, ticket, emailAuthCode, googleAuthCode } = call.body;
  const scope = resetScope(email, ticket);
  const mailed = identity.emailCodes.check(scope, emailAuthCode);
  if (!mailed.ok) throw refused(mailed);
  if (person === undefined) throw new Problem('emailCodeWrong');
  const { uid } = person;
  const needsTotp = identity.totp.isActive(uid);
  if (needsTotp && googleAuthCode === undefined) throw totpNeeded();
  const checked = must(
    identity.proofs.check({
      uid,
      ip: call.ip(),
      device: deviceOf({ identity }, call.headers, person),
      ...(needsTotp ? { totp: googleAuthCode! } : {}),
      email: { scope, code: emailAuthCode },
    }),
  );
  return { person, checked };
}

/** The new password with the end of all sessions, or nothing; returns how many ended. */
async function setPassword(
  { identity }: Services,
  { person, checked }: ResetCodes,
  newPassword: string,
): Promise<number> {
  const { proofs, sessions, totp, users } = identity;
  // Who gets here has the mailbox.
  const hash = await unlessBusy(hashPassword(newPassword, `uid:${person.uid}`));
  // An authenticator that was activated meanwhile was not asked for.
  if (checked.totp === null && totp.isActive(person.uid)) throw totpNeeded();
  return unlessRefused(
    proofs.spend(checked, () => {
      users.setPasswordHash(person.uid, hash);
      return sessions.revokeAll(person.uid);
    }),
  );
}

export const userCenterPasswordRoutes: readonly Route[] = [changePassword, reset, confirmReset];

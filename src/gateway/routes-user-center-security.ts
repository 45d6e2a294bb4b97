// What a person who has logged in does about their own safety: two-factor authentication, codes by
// e-mail, sessions and the password.

import { emptyBody } from '../contract/operator.ts';
import { invalidField, Problem } from '../contract/problem.ts';
import {
  activateBody,
  changePasswordBody,
  revokeSessionBody,
  sendCodeBody,
  toRevoked,
  writeMe,
  writeSession,
} from '../contract/user-center.ts';
import { passwordChangedMail, totpActivatedMail } from '../identity/mail-texts.ts';
import { checkPassword, hashPassword, verifyPassword } from '../identity/passwords.ts';
import { emailCodeNeeded, waitFirst } from '../identity/proofs.ts';
import type { User as Person } from '../identity/users.ts';
import { unlessBusy } from './passwords-busy.ts';
import { ok } from './reply.ts';
import { type Route, route } from './route.ts';
import {
  audited,
  checkCodes,
  circumstances,
  must,
  refused,
  scopeOfSession,
  sendCode,
  USER_CENTER,
  unlessRefused,
  whoAsks,
} from './routes-user-center-call.ts';
import type { Services } from './services.ts';

const me = route({
  method: 'GET',
  path: `${USER_CENTER}/me`,
  access: 'session',
  summary: 'Who has logged in.',
  handle(services, call) {
    const { user, person } = whoAsks(services, call);
    const { totp } = services.identity;
    const totpActive = totp.isActive(user.uid);
    const recoveryCodesLeft = totp.recoveryCodesLeft(user.uid);
    return ok(writeMe(user, person, { totpActive, recoveryCodesLeft }), services.engine.seq);
  },
});

const enroll = route({
  method: 'POST',
  path: `${USER_CENTER}/totp/enroll`,
  access: 'session',
  summary: 'A new secret for an authenticator application; nothing changes until it is activated.',
  body: emptyBody,
  handle: (services, call) =>
    audited(services, call, 'totp.enroll', () => {
      const { person } = whoAsks(services, call);
      const enrolment = must(services.identity.totp.enroll(person.uid, person.email));
      const { secret, otpauthUrl } = enrolment;
      return { reply: ok({ secret, otpauthUrl }, services.engine.seq) };
    }),
});

const activate = route({
  method: 'POST',
  path: `${USER_CENTER}/totp/activate`,
  access: 'session',
  summary: 'Switches two-factor authentication on, with a code of the new secret.',
  body: activateBody,
  handle: (services, call) =>
    audited(services, call, 'totp.activate', () => {
      const { person, session } = whoAsks(services, call);
      const { totp, sessions, mailer } = services.identity;
      const { recoveryCodes } = must(totp.activate(person.uid, call.body.googleAuthCode));
      // Whoever is logged in without the new factor has to show it.
      sessions.revokeOthers(person.uid, session.sessionId);
      sessions.stepUp(session.sessionId);
      mailer.send(person.email, totpActivatedMail(circumstances(services, call)));
      return { reply: ok({ recoveryCodes }, services.engine.seq) };
    }),
});

const sendEmailAuthCode = route({
  method: 'POST',
  path: '/user-center/common/sendEmailAuthCode',
  access: 'session',
  summary: 'Mails a one-time code for one kind of act, valid in this session.',
  body: sendCodeBody,
  handle: (services, call) =>
    audited(services, call, 'email.codeSent', () => {
      const { person, session } = whoAsks(services, call);
      const { operationType } = call.body;
      sendCode(services, person.email, scopeOfSession(session, operationType), call.ip());
      return { reply: ok({}, services.engine.seq), details: { operationType } };
    }),
});

const listSessions = route({
  method: 'GET',
  path: `${USER_CENTER}/sessions`,
  access: 'session',
  summary: 'The live sessions of who asks, the one used last first.',
  handle(services, call) {
    const { session } = whoAsks(services, call);
    const sessions = services.identity.sessions.list(session.uid, session.sessionId);
    return ok(sessions.map(writeSession), services.engine.seq);
  },
});

const revokeSession = route({
  method: 'POST',
  path: `${USER_CENTER}/sessions/revoke`,
  access: 'session',
  summary: 'Ends one session of who asks, or all but the one that asks.',
  body: revokeSessionBody,
  handle(services, call) {
    const sessionId = toRevoked(call.body);
    const action = sessionId === null ? 'session.revokeOthers' : 'session.revoke';
    return audited(services, call, action, () => {
      const { session } = whoAsks(services, call);
      const { sessions } = services.identity;
      const { uid } = session;
      const revoked =
        sessionId === null
          ? sessions.revokeOthers(uid, session.sessionId)
          : Number(sessions.revoke(uid, sessionId));
      if (sessionId !== null && revoked === 0) {
        throw invalidField('sessionId', 'be a live session of yours', { rule: 'known' });
      }
      return { reply: ok({ revoked }, services.engine.seq), details: { sessionId, revoked } };
    });
  },
});

const changePassword = route({
  method: 'POST',
  path: `${USER_CENTER}/password/change`,
  access: 'session',
  summary: 'Changes the password; all other sessions end.',
  body: changePasswordBody,
  handle: (services, call) =>
    audited(services, call, 'password.change', async () => {
      const { person, session } = whoAsks(services, call);
      const { proofs, sessions, users, mailer } = services.identity;
      const { password, newPassword, emailAuthCode } = call.body;
      const weak = checkPassword(newPassword, 'newPassword', person.email);
      if (weak !== undefined) throw refused(weak);
      await provePassword(services, person, password, call.ip(), emailAuthCode !== undefined);
      const hash = await unlessBusy(hashPassword(newPassword));
      // Whoever ended this session meanwhile meant it.
      const isLive = sessions.list(person.uid).some((s) => s.sessionId === session.sessionId);
      if (!isLive) throw new Problem('sessionInvalid');
      const codes = checkCodes(services, session, call.body, call.ip());
      unlessRefused(proofs.spend(codes, () => users.setPasswordHash(person.uid, hash)));
      const ended = sessions.revokeOthers(person.uid, session.sessionId);
      mailer.send(person.email, passwordChangedMail(circumstances(services, call)));
      return { reply: ok({}, services.engine.seq), details: { sessionsEnded: ended } };
    }),
});

/**
 * The password again, from somebody who has logged in. Counted apart from logins, so that a stranger
 * who guesses there does not hold this up. Throws Problem.
 */
async function provePassword(
  { identity }: Services,
  { uid, passwordHash }: Person,
  password: string,
  ip: string,
  hasEmailCode: boolean,
): Promise<void> {
  const attempt = identity.lockout.begin('password', `uid:${uid}`, ip);
  if (!attempt.ok) throw refused(waitFirst('password', attempt.retryAfterMs));
  try {
    if (attempt.delayMs > 0) await Bun.sleep(attempt.delayMs);
    if (!(await unlessBusy(verifyPassword(password, passwordHash)))) {
      attempt.fail();
      const details = { field: 'password', rule: 'credentialsWrong' };
      throw new Problem('credentialsWrong', { userMsg: 'The password is wrong.', details });
    }
    if (attempt.needsEmailCode && !hasEmailCode) throw refused(emailCodeNeeded());
    attempt.succeed();
  } finally {
    attempt.withdraw();
  }
}

export const userCenterSecurityRoutes: readonly Route[] = [
  me,
  enroll,
  activate,
  sendEmailAuthCode,
  listSessions,
  revokeSession,
  changePassword,
];

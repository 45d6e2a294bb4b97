// The second factor of a person who has logged in: an authenticator is enrolled, activated, proved
// again before a sensitive act (step-up), and switched off; its recovery codes are made anew.

import { Problem } from '../../../contract/problem.ts';
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import {
  recoveryCodesMail,
  totpActivatedMail,
  totpDisabledMail,
} from '../../../identity/mail/messages.ts';
import { isRecoveryCode } from '../../../identity/proofs/totp.ts';
import { refusePerson } from '../../../identity/refusal.ts';
import { type Session, STEP_UP_MS } from '../../../identity/sessions.ts';
import { cookieOf, renewCookie, renewToken } from '../../auth/authenticate-session.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import {
  audited,
  checkCodes,
  circumstances,
  must,
  refused,
  unlessEnded,
  unlessRefused,
  whoAsks,
} from './call.ts';
import { provePassword } from './password.ts';

/**
 * A first authenticator shuts out whoever does not have it, its owner too: a session that was stolen
 * some time ago must not be enough for it. Throws Problem loginNotRecent.
 */
function unlessLongAgo({ identity }: Services, session: Session): void {
  const { sessions, totp } = identity;
  if (totp.isActive(session.uid) || sessions.isRecent(session)) return;
  throw new Problem('loginNotRecent', {
    details: { field: 'exchange-token', rule: 'recentLogin' },
  });
}

const enroll = route(userCenterCalls.enrollTotp, {
  handle: (services, call) =>
    audited(services, call, 'totp.enroll', () => {
      const { person, session } = whoAsks(services, call);
      unlessLongAgo(services, session);
      const enrolment = must(services.identity.totp.enroll(person.uid, person.email));
      const { secret, otpauthUrl } = enrolment;
      return { reply: ok({ secret, otpauthUrl }, services.engine.seq) };
    }),
});

const activate = route(userCenterCalls.activateTotp, {
  handle: (services, call) =>
    audited(services, call, 'totp.activate', () => {
      const { person, session } = whoAsks(services, call);
      const { totp, sessions, mailer } = services.identity;
      unlessLongAgo(services, session);
      const { recoveryCodes } = must(totp.activate(person.uid, call.body.googleAuthCode));
      // Whoever is logged in without the new factor has to show it.
      sessions.revokeOthers(person.uid, session.sessionId);
      sessions.stepUp(session.sessionId);
      mailer.send(person.email, totpActivatedMail(circumstances(services, call)));
      const { told, headers } = renewToken(services, session, call.headers);
      return { reply: { ...ok({ recoveryCodes, ...told }, services.engine.seq), headers } };
    }),
});

/** Throws Problem totpInactive. */
function unlessInactive({ identity }: Services, uid: number): void {
  if (identity.totp.isActive(uid)) return;
  throw new Problem('totpInactive', { details: { field: 'googleAuthCode', rule: 'totpInactive' } });
}

const stepUp = route(userCenterCalls.stepUp, {
  handle: (services, call) =>
    audited(services, call, 'totp.stepUp', () => {
      const { person, session } = whoAsks(services, call);
      const { proofs, sessions } = services.identity;
      unlessInactive(services, person.uid);
      const codes = checkCodes(services, session, call.body, call.ip());
      const opened = unlessRefused(
        proofs.spend(codes, () => {
          const rotated = sessions.rotate(session.sessionId);
          if (rotated === undefined) throw new Problem('sessionInvalid');
          return rotated;
        }),
      );
      const { token } = opened;
      const { expiresAt, steppedUpAt } = opened.session;
      const steppedUpUntil = steppedUpAt! + STEP_UP_MS;
      const reply = ok({ token, expiresAt, steppedUpUntil }, services.engine.seq);
      return { reply: { ...reply, headers: cookieOf(token, call.headers) } };
    }),
});

const disable = route(userCenterCalls.disableTotp, {
  handle: (services, call) =>
    audited(services, call, 'totp.disable', async () => {
      const { person, session } = whoAsks(services, call);
      const { proofs, sessions, totp, mailer } = services.identity;
      const { password, emailAuthCode } = call.body;
      unlessInactive(services, person.uid);
      await provePassword(services, session, person, password, call.ip(), emailAuthCode);
      unlessEnded(services, session);
      unlessInactive(services, person.uid);
      const codes = checkCodes(services, session, call.body, call.ip());
      const ended = unlessRefused(
        proofs.spend(codes, () => {
          totp.disable(person.uid);
          return sessions.revokeOthers(person.uid, session.sessionId);
        }),
      );
      mailer.send(person.email, totpDisabledMail(circumstances(services, call)));
      const { told, headers } = renewToken(services, session, call.headers);
      const reply = { ...ok({ ...told }, services.engine.seq), headers };
      return { reply, details: { sessionsEnded: ended } };
    }),
});

const recoveryCodes = route(userCenterCalls.renewRecoveryCodes, {
  handle: (services, call) =>
    audited(services, call, 'totp.recoveryCodes', () => {
      const { person, session } = whoAsks(services, call);
      const { proofs, totp, mailer } = services.identity;
      unlessInactive(services, person.uid);
      // One code of a stolen list must not be worth ten new ones.
      if (isRecoveryCode(call.body.googleAuthCode)) {
        const text = 'Give a code of the authenticator; a recovery code does not make new ones.';
        throw refused(refusePerson('totpWrong', 'googleAuthCode', text));
      }
      const codes = checkCodes(services, session, call.body, call.ip());
      const made = unlessRefused(proofs.spend(codes, () => totp.renewRecoveryCodes(person.uid)));
      mailer.send(person.email, recoveryCodesMail(circumstances(services, call)));
      const headers = renewCookie(services, session, call.headers);
      return { reply: { ...ok({ recoveryCodes: made }, services.engine.seq), headers } };
    }),
});

export const userCenterTotpRoutes: readonly Route[] = [
  enroll,
  activate,
  stepUp,
  disable,
  recoveryCodes,
];

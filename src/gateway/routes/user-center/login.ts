// Registering, logging in and out. No answer tells whether an address has an account: a free and a
// taken one are answered alike, in the same time, and a wrong password like an unknown address.

import type { Infer } from '../../../contract/fields.ts';
import { Problem } from '../../../contract/problem.ts';
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import type { loginBody } from '../../../contract/user-center/user-center.ts';
import { addressRange } from '../../../identity/address-range.ts';
import { codeMail, loginMail, registeredAlreadyMail } from '../../../identity/mail/messages.ts';
import { type CodeScope, newTicket, Operation } from '../../../identity/proofs/email-codes.ts';
import type { Attempt } from '../../../identity/proofs/lockout.ts';
import {
  checkPassword,
  hashPassword,
  needsRehash,
  PasswordsBusyError,
  verifyPassword,
} from '../../../identity/proofs/passwords.ts';
import { emailCodeNeeded, waitFirst } from '../../../identity/proofs/proofs.ts';
import { isEmail, type User } from '../../../identity/users.ts';
import { cookieOf, forgetCookie, sentToken } from '../../auth/authenticate-session.ts';
import { deviceOf, rememberDevice } from '../../auth/device-cookie.ts';
import { ok } from '../../http/reply.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import { unlessBusy } from '../../limits/passwords-busy.ts';
import type { Services } from '../../services.ts';
import { rejectReply } from '../operator/call.ts';
import {
  audited,
  circumstances,
  type Done,
  must,
  nameOwner,
  notAnEmail,
  refused,
  sendCode,
  totpNeeded,
  unlessRefused,
  whoAsks,
} from './call.ts';

/** A code was counted although it was not sent; the next one is to be had after a minute. */
const NEXT_CODE_SECONDS = 60;

const register = route(userCenterCalls.register, {
  handle: (services, call) =>
    audited(services, call, 'email.codeSent', async () => {
      const { email, password } = call.body;
      const { identity } = services;
      if (!isEmail(email)) throw notAnEmail();
      const weak = checkPassword(password, 'password', email);
      if (weak !== undefined) throw refused(weak);
      const ticket = newTicket();
      const ip = call.ip();
      const isKnown = identity.lockout.knows('password', email, ip);
      const { code, expiresAt } = must(
        identity.emailCodes.issue(registrationScope(email, ticket), ip, isKnown),
      );
      const hash = await unlessBusy(hashPassword(password), NEXT_CODE_SECONDS);
      identity.registrations.add(ticket, { email, hash, ip, since: services.engine.wall() });
      const owner = identity.users.findByEmail(email);
      const mail =
        owner === undefined
          ? codeMail(Operation.registration, code)
          : registeredAlreadyMail(circumstances(services, call));
      identity.mailer.send(owner?.email ?? email, mail);
      return { reply: ok({ ticket, expiresAt }, services.engine.seq) };
    }),
});

const registrationScope = (email: string, ticket: string): CodeScope => ({
  subject: `email:${email}`,
  holder: `ticket:${ticket}`,
  operation: Operation.registration,
});

const confirm = route(userCenterCalls.confirmRegistration, {
  handle: (services, call) =>
    audited(services, call, 'account.register', async () => {
      const { email, emailAuthCode, ticket } = call.body;
      const { emailCodes, lockout, users, registrations } = services.identity;
      const checked = must(emailCodes.check(registrationScope(email, ticket), emailAuthCode));
      const pending = registrations.find(ticket, email);
      const reservation = pending === undefined ? undefined : users.reserveEmail(email);
      // A taken address is no different from a wrong code: who has an account is not told.
      if (pending === undefined || !reservation?.ok) throw new Problem('emailCodeWrong');
      try {
        const done = await createPerson(services, (uid) =>
          services.identity.proofs.spend({ ok: true, totp: null, email: checked }, () => {
            users.completeUser(reservation, uid, pending.hash);
            registrations.delete(ticket);
          }),
        );
        if (done.uid === undefined) return done;
        // The first login from where the account was made is no news to its owner.
        for (const ip of [pending.ip, call.ip()]) lockout.noteKnown('password', email, ip);
        return { ...done, reply: rememberDevice(services, call.headers, done.uid, done.reply) };
      } finally {
        users.release(reservation);
      }
    }),
});

/** The core assigns the uid; a code that ran out meanwhile leaves one that nobody can use. */
async function createPerson(
  services: Services,
  complete: (uid: number) => unknown,
): Promise<Done<{ uid: number }>> {
  services.identity.store.requireWritable();
  const { outcome, seq } = await services.engine.submit({ type: 'createUser', kyc: false });
  if (!outcome.ok) return { reply: rejectReply(services, outcome.reject) };
  const { uid } = outcome.result;
  unlessRefused(complete(uid));
  return { reply: ok({ uid }, seq), uid };
}

const login = route(userCenterCalls.login, {
  handle: (services, call) =>
    audited(services, call, 'session.login', async (nameAccount) => {
      const { email, password } = call.body;
      const { lockout, users } = services.identity;
      const owner = nameOwner(services, email, nameAccount);
      const device = deviceOf(services, call.headers, owner);
      const attempt = lockout.begin('password', email, call.ip(), device);
      if (!attempt.ok) throw refused(waitFirst('password', attempt));
      try {
        if (attempt.delayMs > 0) await Bun.sleep(attempt.delayMs);
        const person = users.findByEmail(email);
        const hash = person?.passwordHash ?? null;
        const isKnown = device !== null || lockout.knows('password', email, call.ip());
        const known = isKnown ? email.toLowerCase() : null;
        const matches = await unlessBusy(verifyPassword(password, hash, known));
        // The password may have been changed while it was compared.
        const isCurrent = users.findByEmail(email)?.passwordHash === hash;
        if (person === undefined || !matches || !isCurrent) {
          attempt.fail();
          const details = { field: 'password', rule: 'credentialsWrong' };
          throw new Problem('credentialsWrong', { details });
        }
        const done = openSession(services, call, person, attempt, device);
        await strengthen(services, person, password);
        return { ...done, reply: rememberDevice(services, call.headers, person.uid, done.reply) };
      } finally {
        // The password was right or not looked at: no failure. After an ending this does nothing.
        attempt.withdraw();
      }
    }),
});

/**
 * Hashes the password of who has just logged in again, where that was done with other parameters than
 * today's. Where there is no room for it now, the next login does it.
 */
async function strengthen(
  { identity }: Services,
  { uid, passwordHash }: User,
  password: string,
): Promise<void> {
  if (passwordHash === null || !needsRehash(passwordHash)) return;
  try {
    identity.users.replacePasswordHash(uid, passwordHash, await hashPassword(password));
  } catch (error) {
    if (!(error instanceof PasswordsBusyError)) throw error;
  }
}

/** After the right password: the codes, and the session with them or not at all. */
function openSession(
  services: Services,
  call: Call<unknown, Infer<typeof loginBody>>,
  person: User,
  attempt: Attempt,
  device: string | null,
): Done<{ token: string; expiresAt: number }> {
  const { lockout, mailer, proofs, sessions, totp } = services.identity;
  const { uid, email } = person;
  const { googleAuthCode, emailAuthCode } = call.body;
  const ip = call.ip();
  const needsTotp = totp.isActive(uid);
  if (needsTotp && googleAuthCode === undefined) throw totpNeeded();
  // Bound to the network instead of a ticket: only who has the right password gets as far as this.
  const scope: CodeScope = {
    subject: `uid:${uid}`,
    holder: `ticket:${addressRange(ip)}`,
    operation: Operation.login,
  };
  const checked =
    attempt.needsEmailCode && emailAuthCode === undefined
      ? emailCodeNeeded()
      : proofs.check({
          uid,
          ip,
          device,
          ...(needsTotp ? { totp: googleAuthCode! } : {}),
          ...(emailAuthCode === undefined ? {} : { email: { scope, code: emailAuthCode } }),
        });
  if (!checked.ok) {
    if (checked.name === 'emailCodeNeeded') sendCode(services, email, scope, ip);
    throw refused(checked);
  }
  const wanted = {
    uid,
    ip,
    userAgent: call.headers.get('user-agent'),
    steppedUp: needsTotp,
    replaces: sentToken(call.headers),
  };
  const { token, session } = unlessRefused(proofs.spend(checked, () => sessions.create(wanted)));
  const isNews = device === null && !lockout.knows('password', email, ip);
  attempt.succeed();
  if (isNews) mailer.send(email, loginMail(circumstances(services, call)));
  const reply = ok({ token, expiresAt: session.expiresAt }, services.engine.seq);
  return { reply: { ...reply, headers: cookieOf(token, call.headers) }, uid };
}

const logout = route(userCenterCalls.logout, {
  handle: (services, call) =>
    audited(services, call, 'session.logout', () => {
      const { session } = whoAsks(services, call);
      services.identity.sessions.revoke(session.uid, session.sessionId);
      return { reply: { ...ok({}, services.engine.seq), headers: forgetCookie(call.headers) } };
    }),
});

export const userCenterLoginRoutes: readonly Route[] = [register, confirm, login, logout];

// Registration, login, passwords and the second factor over HTTP (identity/accounts has the use
// cases).
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import { login, logout } from '../../../identity/accounts/login.ts';
import { beginReset, changePassword, confirmReset } from '../../../identity/accounts/password.ts';
import { confirmRegistration, register } from '../../../identity/accounts/registration.ts';
import {
  activateTotp,
  disableTotp,
  enrollTotp,
  renewRecoveryCodes,
  stepUp,
} from '../../../identity/accounts/totp.ts';
import {
  cookieOf,
  forgetCookie,
  rememberDevice,
  renewCookie,
  renewToken,
  sentToken,
} from '../../auth/cookies.ts';
import { ok } from '../../http/reply.ts';
import type { Route } from '../../http/route.ts';
import { accountRoute, plainAccountRoute } from './call.ts';

export const credentialRoutes: readonly Route[] = [
  plainAccountRoute(userCenterCalls.register, register, (ticket) => ({ ...ticket })),

  accountRoute(
    userCenterCalls.confirmRegistration,
    confirmRegistration,
    ({ uid }, services, { headers }) =>
      rememberDevice(services, headers, uid, ok({ uid }, services.engine.seq)),
  ),

  accountRoute(
    userCenterCalls.login,
    (accounts, caller, body, headers) => login(accounts, caller, body, sentToken(headers)),
    ({ uid, token, expiresAt }, services, { headers }) => {
      const reply = ok({ token, expiresAt }, services.engine.seq);
      const cookie = cookieOf(token, headers);
      return rememberDevice(services, headers, uid, { ...reply, headers: cookie });
    },
  ),

  accountRoute(userCenterCalls.logout, logout, (_, { engine }, { headers }) => ({
    ...ok({}, engine.seq),
    headers: forgetCookie(headers),
  })),

  accountRoute(
    userCenterCalls.changePassword,
    changePassword,
    (_, services, { session, headers }) => {
      const renewed = renewToken(services, session!, headers);
      const reply = { ...ok(renewed.body, services.engine.seq), headers: renewed.headers };
      return rememberDevice(services, headers, session!.uid, reply);
    },
  ),

  plainAccountRoute(userCenterCalls.resetPassword, beginReset, (ticket) => ({ ...ticket })),

  accountRoute(
    userCenterCalls.confirmPasswordReset,
    confirmReset,
    ({ uid }, services, { headers }) =>
      rememberDevice(services, headers, uid, ok({}, services.engine.seq)),
  ),

  plainAccountRoute(userCenterCalls.enrollTotp, enrollTotp, (enrollment) => ({ ...enrollment })),

  accountRoute(
    userCenterCalls.activateTotp,
    activateTotp,
    (recoveryCodes, services, { session, headers }) => {
      const renewed = renewToken(services, session!, headers);
      const reply = ok({ recoveryCodes, ...renewed.body }, services.engine.seq);
      return { ...reply, headers: renewed.headers };
    },
  ),

  accountRoute(
    userCenterCalls.stepUp,
    stepUp,
    ({ token, session: { expiresAt }, steppedUpUntil }, { engine }, { headers }) => ({
      ...ok({ token, expiresAt, steppedUpUntil }, engine.seq),
      headers: cookieOf(token, headers),
    }),
  ),

  accountRoute(userCenterCalls.disableTotp, disableTotp, (_, services, { session, headers }) => {
    const renewed = renewToken(services, session!, headers);
    return { ...ok(renewed.body, services.engine.seq), headers: renewed.headers };
  }),

  accountRoute(
    userCenterCalls.renewRecoveryCodes,
    renewRecoveryCodes,
    (recoveryCodes, services, { session, headers }) => ({
      ...ok({ recoveryCodes }, services.engine.seq),
      headers: renewCookie(services, session!, headers),
    }),
  ),
];

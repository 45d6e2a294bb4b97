// Registration, login and logout over HTTP (identity/accounts has the use cases).
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import { login as logIn, logout as logOut } from '../../../identity/accounts/login.ts';
import {
  confirmRegistration,
  register as registerUser,
} from '../../../identity/accounts/registration.ts';
import { cookieOf, forgetCookie, rememberDevice, sentToken } from '../../auth/cookies.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { replyOf } from '../refusal-reply.ts';
import { callerOf, empty } from './call.ts';

const register = route(userCenterCalls.register, {
  async handle(services, call) {
    const { accounts, engine } = services;
    const begun = await registerUser(accounts, callerOf(call), call.body);
    return replyOf(services, begun, (ticket) => ok({ ...ticket }, engine.seq));
  },
});

const confirm = route(userCenterCalls.confirmRegistration, {
  async handle(services, call) {
    const { accounts, engine } = services;
    const confirmed = await confirmRegistration(accounts, callerOf(call), call.body);
    return replyOf(services, confirmed, ({ uid }) =>
      rememberDevice(services, call.headers, uid, ok({ uid }, engine.seq)),
    );
  },
});

const login = route(userCenterCalls.login, {
  async handle(services, call) {
    const { accounts, engine } = services;
    const opened = await logIn(accounts, callerOf(call), call.body, sentToken(call.headers));
    return replyOf(services, opened, ({ uid, token, expiresAt }) => {
      const reply = ok({ token, expiresAt }, engine.seq);
      const headers = cookieOf(token, call.headers);
      return rememberDevice(services, call.headers, uid, { ...reply, headers });
    });
  },
});

const logout = route(userCenterCalls.logout, {
  async handle(services, call) {
    const ended = await logOut(services.accounts, callerOf(call));
    const headers = forgetCookie(call.headers);
    return replyOf(services, ended, () => ({ ...empty(services), headers }));
  },
});

export const userCenterLoginRoutes: readonly Route[] = [register, confirm, login, logout];

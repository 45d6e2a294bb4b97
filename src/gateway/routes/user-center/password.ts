// Password change and reset over HTTP (identity/accounts/password.ts has the use cases).
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import {
  beginReset,
  changePassword as change,
  confirmReset as confirm,
} from '../../../identity/accounts/password.ts';
import { rememberDevice, renewToken } from '../../auth/cookies.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { replyOf } from '../refusal-reply.ts';
import { callerOf, empty } from './call.ts';

const changePassword = route(userCenterCalls.changePassword, {
  async handle(services, call) {
    const session = call.session!;
    const changed = await change(services.accounts, callerOf(call), call.body);
    return replyOf(services, changed, () => {
      const { body, headers } = renewToken(services, session, call.headers);
      const reply = { ...ok(body, services.engine.seq), headers };
      return rememberDevice(services, call.headers, session.uid, reply);
    });
  },
});

const reset = route(userCenterCalls.resetPassword, {
  async handle(services, call) {
    const begun = await beginReset(services.accounts, callerOf(call), call.body);
    return replyOf(services, begun, (ticket) => ok({ ...ticket }, services.engine.seq));
  },
});

const confirmReset = route(userCenterCalls.confirmPasswordReset, {
  async handle(services, call) {
    const done = await confirm(services.accounts, callerOf(call), call.body);
    return replyOf(services, done, ({ uid }) =>
      rememberDevice(services, call.headers, uid, empty(services)),
    );
  },
});

export const userCenterPasswordRoutes: readonly Route[] = [changePassword, reset, confirmReset];

// The second factor over HTTP (identity/accounts/totp.ts has the use cases).
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import {
  activateTotp,
  disableTotp,
  enrollTotp,
  renewRecoveryCodes,
  stepUp as stepUpSession,
} from '../../../identity/accounts/totp.ts';
import { cookieOf, renewCookie, renewToken } from '../../auth/cookies.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { replyOf } from '../refusal-reply.ts';
import { callerOf } from './call.ts';

const enroll = route(userCenterCalls.enrollTotp, {
  async handle(services, call) {
    const enrolled = await enrollTotp(services.accounts, callerOf(call));
    return replyOf(services, enrolled, (shown) => ok({ ...shown }, services.engine.seq));
  },
});

const activate = route(userCenterCalls.activateTotp, {
  async handle(services, call) {
    const activated = await activateTotp(services.accounts, callerOf(call), call.body);
    return replyOf(services, activated, (recoveryCodes) => {
      const { body, headers } = renewToken(services, call.session!, call.headers);
      return { ...ok({ recoveryCodes, ...body }, services.engine.seq), headers };
    });
  },
});

const stepUp = route(userCenterCalls.stepUp, {
  async handle(services, call) {
    const steppedUp = await stepUpSession(services.accounts, callerOf(call), call.body);
    return replyOf(services, steppedUp, ({ token, session: { expiresAt }, steppedUpUntil }) => ({
      ...ok({ token, expiresAt, steppedUpUntil }, services.engine.seq),
      headers: cookieOf(token, call.headers),
    }));
  },
});

const disable = route(userCenterCalls.disableTotp, {
  async handle(services, call) {
    const disabled = await disableTotp(services.accounts, callerOf(call), call.body);
    return replyOf(services, disabled, () => {
      const { body, headers } = renewToken(services, call.session!, call.headers);
      return { ...ok(body, services.engine.seq), headers };
    });
  },
});

const recoveryCodes = route(userCenterCalls.renewRecoveryCodes, {
  async handle(services, call) {
    const renewed = await renewRecoveryCodes(services.accounts, callerOf(call), call.body);
    return replyOf(services, renewed, (codes) => ({
      ...ok({ recoveryCodes: codes }, services.engine.seq),
      headers: renewCookie(services, call.session!, call.headers),
    }));
  },
});

export const userCenterTotpRoutes: readonly Route[] = [
  enroll,
  activate,
  stepUp,
  disable,
  recoveryCodes,
];

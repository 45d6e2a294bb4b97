// The API keys of a logged-in user over HTTP (identity/accounts/access.ts has the use cases).
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import { writeOwnKey } from '../../../contract/user-center/user-center.ts';
import { createApiKey, deleteApiKey } from '../../../identity/accounts/access.ts';
import { renewCookie } from '../../auth/cookies.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { replyOf } from '../refusal-reply.ts';
import { callerOf, requireUser } from './call.ts';

const createKey = route(userCenterCalls.createKey, {
  async handle(services, call) {
    const created = await createApiKey(services.accounts, callerOf(call), call.body);
    return replyOf(services, created, ({ apiKey, secretKey }) => ({
      ...ok({ apiKey, secretKey }, services.engine.seq),
      headers: renewCookie(services, call.session!, call.headers),
    }));
  },
});

const listKeys = route(userCenterCalls.keys, {
  handle(services, call) {
    const { user } = requireUser(services, call);
    return ok(services.identity.apiKeys.list(user.uid).map(writeOwnKey), services.engine.seq);
  },
});

const deleteKey = route(userCenterCalls.deleteKey, {
  async handle(services, call) {
    const { apiKey } = call.body;
    const revoked = await deleteApiKey(services.accounts, callerOf(call), call.body);
    return replyOf(services, revoked, (revokedAt) =>
      ok({ apiKey, revokedAt }, services.engine.seq),
    );
  },
});

export const userCenterKeyRoutes: readonly Route[] = [createKey, listKeys, deleteKey];

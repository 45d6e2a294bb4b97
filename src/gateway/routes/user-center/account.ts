// The account of a logged-in user over HTTP: the user, codes by email, sessions, API keys and the
// audit log.
import { readPage, writePage } from '../../../contract/paging.ts';
import {
  key,
  me,
  ownAuditEntry,
  session as ownSession,
} from '../../../contract/user-center/answers.ts';
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import { toRevoked } from '../../../contract/user-center/user-center.ts';
import {
  createApiKey,
  deleteApiKey,
  revokeOtherSessions,
  revokeSession,
  sendConfirmationCode,
} from '../../../identity/accounts/access.ts';
import { renewCookie } from '../../auth/cookies.ts';
import { ok } from '../../http/reply.ts';
import type { Route } from '../../http/route.ts';
import { reads } from '../kinds.ts';
import { accountRoute, plainAccountRoute, requireUser } from './call.ts';

export const accountCenterRoutes: readonly Route[] = [
  reads(userCenterCalls.me, (state, call, services) => {
    const { user, coreUser } = requireUser(services, call);
    const { totp } = services.identity;
    const totpActive = totp.isActive(user.uid);
    const recoveryCodesLeft = totp.recoveryCodesLeft(user.uid);
    const enterpriseName = state.earn.enterprises[coreUser.enterpriseId]?.name ?? null;
    return me.write({ ...coreUser, ...user, totpActive, recoveryCodesLeft, enterpriseName });
  }),

  plainAccountRoute(
    userCenterCalls.sendEmailCode,
    (accounts, caller, { operationType }) => sendConfirmationCode(accounts, caller, operationType),
    () => ({}),
  ),

  reads(userCenterCalls.sessions, (_, call, services) => {
    const { session } = requireUser(services, call);
    const sessions = services.identity.sessions.list(session.uid, session.sessionId);
    return sessions.map((each) => ownSession.write(each));
  }),

  plainAccountRoute(
    userCenterCalls.revokeSession,
    (accounts, caller, body) => {
      const sessionId = toRevoked(body);
      return sessionId === null
        ? revokeOtherSessions(accounts, caller)
        : revokeSession(accounts, caller, sessionId);
    },
    (revoked) => ({ revoked }),
  ),

  reads(userCenterCalls.audit, (_, call, services) => {
    const { session } = requireUser(services, call);
    const page = readPage(call.query);
    const { total, items } = services.identity.audit.listOf(session.uid, page);
    const newest = total - (page.page - 1) * page.pageSize;
    const numbered = items.map((entry, at) => ({ ...entry, number: newest - at }));
    return writePage({ total, items: numbered }, page, ownAuditEntry.write);
  }),

  accountRoute(
    userCenterCalls.createKey,
    createApiKey,
    ({ apiKey, secretKey }, services, { session, headers }) => ({
      ...ok({ apiKey, secretKey }, services.engine.seq),
      headers: renewCookie(services, session!, headers),
    }),
  ),

  reads(userCenterCalls.keys, (_, call, services) => {
    const { user } = requireUser(services, call);
    return services.identity.apiKeys.list(user.uid).map((each) => key.write(each));
  }),

  plainAccountRoute(userCenterCalls.deleteKey, deleteApiKey, (revokedAt, { apiKey }) => ({
    apiKey,
    revokedAt,
  })),
];

// The account of a logged-in user over HTTP: the user, codes by email, sessions, API keys and the
// audit log.
import { writePage } from '../../../contract/paging.ts';
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
import { type Route, route } from '../../http/route.ts';
import { accountRoute, requireUser } from './call.ts';

const getMe = route(userCenterCalls.me, {
  handle(services, call) {
    const { user, coreUser } = requireUser(services, call);
    const { totp } = services.identity;
    const totpActive = totp.isActive(user.uid);
    const recoveryCodesLeft = totp.recoveryCodesLeft(user.uid);
    const { enterprises } = services.engine.exchange.state.earn;
    const enterpriseName = enterprises[coreUser.enterpriseId]?.name ?? null;
    return ok(
      me.write({ ...coreUser, ...user, totpActive, recoveryCodesLeft, enterpriseName }),
      services.engine.seq,
    );
  },
});

const listSessions = route(userCenterCalls.sessions, {
  handle(services, call) {
    const { session } = requireUser(services, call);
    const sessions = services.identity.sessions.list(session.uid, session.sessionId);
    return ok(
      sessions.map((each) => ownSession.write(each)),
      services.engine.seq,
    );
  },
});

const listKeys = route(userCenterCalls.keys, {
  handle(services, call) {
    const { user } = requireUser(services, call);
    return ok(
      services.identity.apiKeys.list(user.uid).map((each) => key.write(each)),
      services.engine.seq,
    );
  },
});

const listAudit = route(userCenterCalls.audit, {
  handle(services, call) {
    const { session } = requireUser(services, call);
    const { total, items } = services.identity.audit.listOf(session.uid, call.query);
    const { page, pageSize } = call.query;
    const newest = total - (page - 1) * pageSize;
    const numbered = items.map((entry, at) => ({ ...entry, number: newest - at }));
    const written = writePage({ total, items: numbered }, call.query, ownAuditEntry.write);
    return ok(written, services.engine.seq);
  },
});

export const accountCenterRoutes: readonly Route[] = [
  getMe,

  accountRoute(
    userCenterCalls.sendEmailCode,
    (accounts, caller, { operationType }) => sendConfirmationCode(accounts, caller, operationType),
    (_, { engine }) => ok({}, engine.seq),
  ),

  listSessions,

  accountRoute(
    userCenterCalls.revokeSession,
    (accounts, caller, body) => {
      const sessionId = toRevoked(body);
      return sessionId === null
        ? revokeOtherSessions(accounts, caller)
        : revokeSession(accounts, caller, sessionId);
    },
    (revoked, { engine }) => ok({ revoked }, engine.seq),
  ),

  listAudit,

  accountRoute(
    userCenterCalls.createKey,
    createApiKey,
    ({ apiKey, secretKey }, services, { session, headers }) => ({
      ...ok({ apiKey, secretKey }, services.engine.seq),
      headers: renewCookie(services, session!, headers),
    }),
  ),

  listKeys,

  accountRoute(userCenterCalls.deleteKey, deleteApiKey, (revokedAt, { engine }, { body }) =>
    ok({ apiKey: body.apiKey, revokedAt }, engine.seq),
  ),
];

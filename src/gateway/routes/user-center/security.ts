// The account of a logged-in user over HTTP: the user, codes by e-mail, sessions and the audit log.
import { writePage } from '../../../contract/paging.ts';
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import {
  toRevoked,
  writeMe,
  writeOwnAudit,
  writeSession,
} from '../../../contract/user-center/user-center.ts';
import {
  revokeSession as revokeOneSession,
  revokeOtherSessions,
  sendConfirmationCode,
} from '../../../identity/accounts/access.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { replyOf } from '../refusal-reply.ts';
import { callerOf, empty, requireUser } from './call.ts';

const me = route(userCenterCalls.me, {
  handle(services, call) {
    const { user, coreUser } = requireUser(services, call);
    const { totp } = services.identity;
    const totpActive = totp.isActive(user.uid);
    const recoveryCodesLeft = totp.recoveryCodesLeft(user.uid);
    return ok(writeMe(coreUser, user, { totpActive, recoveryCodesLeft }), services.engine.seq);
  },
});

const sendEmailAuthCode = route(userCenterCalls.sendEmailCode, {
  async handle(services, call) {
    const { operationType } = call.body;
    const sent = await sendConfirmationCode(services.accounts, callerOf(call), operationType);
    return replyOf(services, sent, () => empty(services));
  },
});

const listSessions = route(userCenterCalls.sessions, {
  handle(services, call) {
    const { session } = requireUser(services, call);
    const sessions = services.identity.sessions.list(session.uid, session.sessionId);
    return ok(sessions.map(writeSession), services.engine.seq);
  },
});

const revokeSession = route(userCenterCalls.revokeSession, {
  async handle(services, call) {
    const { accounts, engine } = services;
    const sessionId = toRevoked(call.body);
    const caller = callerOf(call);
    const ended =
      sessionId === null
        ? await revokeOtherSessions(accounts, caller)
        : await revokeOneSession(accounts, caller, sessionId);
    return replyOf(services, ended, (revoked) => ok({ revoked }, engine.seq));
  },
});

const audit = route(userCenterCalls.audit, {
  handle(services, call) {
    const { session } = requireUser(services, call);
    const { total, items } = services.identity.audit.listOf(session.uid, call.query);
    const { page, pageSize } = call.query;
    const newest = total - (page - 1) * pageSize;
    const numbered = items.map((entry, at) => ({ ...entry, number: newest - at }));
    return ok(
      writePage({ total, items: numbered }, call.query, writeOwnAudit),
      services.engine.seq,
    );
  },
});

export const userCenterSecurityRoutes: readonly Route[] = [
  me,
  sendEmailAuthCode,
  listSessions,
  revokeSession,
  audit,
];

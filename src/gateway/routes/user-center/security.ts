// What a person who has logged in sees of their own account: who they are, codes by e-mail, their
// sessions, and what was done.

import { writePage } from '../../../contract/operator/users.ts';
import { invalidField } from '../../../contract/problem.ts';
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import {
  toRevoked,
  writeMe,
  writeOwnAudit,
  writeSession,
} from '../../../contract/user-center/user-center.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { audited, scopeOfSession, sendCode, whoAsks } from './call.ts';

const me = route(userCenterCalls.me, {
  handle(services, call) {
    const { user, person } = whoAsks(services, call);
    const { totp } = services.identity;
    const totpActive = totp.isActive(user.uid);
    const recoveryCodesLeft = totp.recoveryCodesLeft(user.uid);
    return ok(writeMe(user, person, { totpActive, recoveryCodesLeft }), services.engine.seq);
  },
});

const sendEmailAuthCode = route(userCenterCalls.sendEmailCode, {
  handle: (services, call) =>
    audited(services, call, 'email.codeSent', () => {
      const { person, session } = whoAsks(services, call);
      const { operationType } = call.body;
      sendCode(services, person.email, scopeOfSession(session, operationType), call.ip());
      return { reply: ok({}, services.engine.seq), details: { operationType } };
    }),
});

const listSessions = route(userCenterCalls.sessions, {
  handle(services, call) {
    const { session } = whoAsks(services, call);
    const sessions = services.identity.sessions.list(session.uid, session.sessionId);
    return ok(sessions.map(writeSession), services.engine.seq);
  },
});

const revokeSession = route(userCenterCalls.revokeSession, {
  handle(services, call) {
    const sessionId = toRevoked(call.body);
    const action = sessionId === null ? 'session.revokeOthers' : 'session.revoke';
    return audited(services, call, action, () => {
      const { session } = whoAsks(services, call);
      const { sessions } = services.identity;
      const { uid } = session;
      const revoked =
        sessionId === null
          ? sessions.revokeOthers(uid, session.sessionId)
          : Number(sessions.revoke(uid, sessionId));
      if (sessionId !== null && revoked === 0) {
        throw invalidField('sessionId', 'be a live session of yours', { rule: 'known' });
      }
      return {
        reply: ok({ revoked }, services.engine.seq),
        changedNothing: revoked === 0,
        details: { sessionId, revoked },
      };
    });
  },
});

const audit = route(userCenterCalls.audit, {
  handle(services, call) {
    const { session } = whoAsks(services, call);
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

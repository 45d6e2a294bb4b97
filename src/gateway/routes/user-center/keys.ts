// The API keys of who has logged in. A key is made against two codes, of the authenticator and of
// the mailbox, which are used up only together with the making of the key.

import { invalidField } from '../../../contract/problem.ts';
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import { writeOwnKey } from '../../../contract/user-center/user-center.ts';
import { keyCreatedMail } from '../../../identity/mail/messages.ts';
import { Operation } from '../../../identity/proofs/email-codes.ts';
import { renewCookie } from '../../auth/authenticate-session.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import {
  audited,
  checkCodes,
  circumstances,
  must,
  scopeOfSession,
  unlessRefused,
  whoAsks,
} from './call.ts';

const createKey = route(userCenterCalls.createKey, {
  handle: (services, call) =>
    audited(services, call, 'key.create', () => {
      const { person, session } = whoAsks(services, call);
      const { apiKeys, mailer, proofs, sessions } = services.identity;
      const { googleAuthCode, emailAuthCode, ...terms } = call.body;
      const { uid, email } = person;
      const scope = scopeOfSession(session, Operation.keyCreation);
      const codes = must(
        proofs.check({
          uid,
          ip: call.ip(),
          totp: googleAuthCode,
          email: { scope, code: emailAuthCode },
        }),
      );
      const { apiKey, secretKey } = must(proofs.createKey(codes, { uid, ...terms }, apiKeys));
      sessions.stepUp(session.sessionId);
      mailer.send(email, keyCreatedMail(terms, circumstances(services, call)));
      return {
        reply: {
          ...ok({ apiKey, secretKey }, services.engine.seq),
          headers: renewCookie(services, session, call.headers),
        },
        object: `uid:${uid}/key:${apiKey}`,
        details: { alias: terms.alias, moduleIds: terms.moduleIds },
      };
    }),
});

const listKeys = route(userCenterCalls.keys, {
  handle(services, call) {
    const { person } = whoAsks(services, call);
    return ok(services.identity.apiKeys.list(person.uid).map(writeOwnKey), services.engine.seq);
  },
});

const deleteKey = route(userCenterCalls.deleteKey, {
  handle: (services, call) =>
    audited(services, call, 'key.revoke', () => {
      const { person, session } = whoAsks(services, call);
      const { apiKeys, proofs } = services.identity;
      const { apiKey } = call.body;
      if (apiKeys.lookup(apiKey)?.uid !== person.uid) {
        throw invalidField('apiKey', 'be a live key of yours', { rule: 'known' });
      }
      const codes = checkCodes(services, session, call.body, call.ip());
      unlessRefused(proofs.spend(codes, () => apiKeys.revoke(apiKey)));
      const { revokedAt } = apiKeys.find(apiKey)!;
      return {
        reply: ok({ apiKey, revokedAt: revokedAt! }, services.engine.seq),
        object: `uid:${person.uid}/key:${apiKey}`,
      };
    }),
});

export const userCenterKeyRoutes: readonly Route[] = [createKey, listKeys, deleteKey];

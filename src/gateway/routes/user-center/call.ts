// Shared by the calls of the user center: the caller as the use cases take it, the user of a
// session, and the empty answer.
import { Problem } from '../../../contract/problem.ts';
import type { User as CoreUser } from '../../../core/user.ts';
import type { Caller } from '../../../identity/accounts/accounts.ts';
import type { Session } from '../../../identity/sessions.ts';
import type { User } from '../../../identity/users.ts';
import { sentDevice } from '../../auth/cookies.ts';
import { ok, type Reply } from '../../http/reply.ts';
import type { Call } from '../../http/route.ts';
import type { Services } from '../../services.ts';

type AnyCall = Pick<Call<unknown, unknown>, 'session' | 'requestId' | 'ip' | 'headers'>;

export const callerOf = ({ session, requestId, ip, headers }: AnyCall): Caller => ({
  ip: ip(),
  requestId,
  userAgent: headers.get('user-agent'),
  deviceCookie: sentDevice(headers),
  session,
});

interface SignedInUser {
  readonly session: Session;
  readonly user: User;
  readonly coreUser: CoreUser;
}

/** The user of a session, for a call that only reads. Throws Problem sessionInvalid. */
export function requireUser({ identity, engine }: Services, { session }: AnyCall): SignedInUser {
  const user = session === null ? undefined : identity.users.find(session.uid);
  const coreUser = user === undefined ? undefined : engine.exchange.state.users[user.uid];
  if (session === null || user === undefined || coreUser === undefined) {
    throw new Problem('sessionInvalid');
  }
  return { session, user, coreUser };
}

export const empty = ({ engine }: Services): Reply<Record<never, never>> => ok({}, engine.seq);

// Shared by the calls of the user center: the caller as the use cases take it, the user of a
// session, and the route of a use case.
import type { ApiCall } from '../../../contract/call.ts';
import type { JsonOut } from '../../../contract/json.ts';
import { Problem } from '../../../contract/problem.ts';
import type { User as CoreUser } from '../../../core/user.ts';
import type { Accounts, Caller } from '../../../identity/accounts/accounts.ts';
import type { Result } from '../../../identity/result.ts';
import type { Session } from '../../../identity/sessions.ts';
import type { User } from '../../../identity/users.ts';
import { sentDevice } from '../../auth/cookies.ts';
import { denialReply, ok, type Reply } from '../../http/reply.ts';
import type { RequestHeaders } from '../../http/request-headers.ts';
import { type Call, type Route, route } from '../../http/route.ts';
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

type Act<B, T> = (
  accounts: Accounts,
  caller: Caller,
  body: B,
  headers: RequestHeaders,
) => Promise<Result<T>>;

/** The route of a use case of identity/accounts: `reply` gets its value. */
export const accountRoute = <Q, B, W, T>(
  description: ApiCall<Q, B, W>,
  act: Act<NoInfer<B>, T>,
  reply: (value: T, services: Services, call: Call<NoInfer<Q>, NoInfer<B>>) => Reply<NoInfer<W>>,
): Route =>
  route(description, {
    async handle(services, call) {
      const result = await act(services.accounts, callerOf(call), call.body, call.headers);
      return result.ok ? reply(result.value, services, call) : denialReply(services, result);
    },
  });

/** The same where the answer is only a body. */
export const plainAccountRoute = <Q, B, W extends JsonOut, T>(
  description: ApiCall<Q, B, W>,
  act: Act<NoInfer<B>, T>,
  write: (value: T, body: NoInfer<B>) => NoInfer<W>,
): Route =>
  accountRoute(description, act, (value, { engine }, { body }) =>
    ok(write(value, body), engine.seq),
  );

// Authenticates a session: by the header `exchange-token` of a script, or by the cookie of a
// browser. A change with the cookie is accepted only from a page of this service.
import type { ApiCall } from '../../contract/call.ts';
import { Problem } from '../../contract/problem.ts';
import { rateKeyOf } from '../../identity/ip.ts';
import { Module, type ModuleId } from '../../identity/live-key.ts';
import type { Session, SessionEnd } from '../../identity/sessions.ts';
import type { RequestHeaders } from '../http/request-headers.ts';
import type { Services } from '../services.ts';
import { isOwnPage, sentToken } from './cookies.ts';

type SessionServices = Pick<Services, 'identity' | 'engine' | 'limits'>;

/** The live session of a request. Throws Problem sessionInvalid or crossOrigin. */
export function authenticateSession(
  { identity }: Pick<Services, 'identity'>,
  headers: RequestHeaders,
  { method }: Pick<ApiCall, 'method'>,
): Session {
  const token = sentToken(headers);
  const session = token === null ? undefined : identity.sessions.find(token);
  if (session === undefined) {
    throw sessionProblem(token === null ? null : identity.sessions.endOf(token));
  }
  // A page of another site cannot set the header, since it cannot read the token.
  const byCookie = headers.get('exchange-token') === null;
  if (byCookie && method !== 'GET' && !isOwnPage(headers)) throw new Problem('crossOrigin');
  return session;
}

const ENDS: Readonly<Record<SessionEnd, string>> = {
  expired: 'The session expired.',
  loggedOut: 'The session ended by a logout.',
  revoked: 'You ended this session on another device.',
  replaced: 'A later login replaced this session.',
  passwordChanged: 'The password was changed, which ended this session.',
  authenticatorChanged: 'The authenticator was changed, which ended this session.',
  suspended: 'The operator suspended the account, which ended this session.',
};

/** The rejection for a caller without a live session. */
function sessionProblem(reason: SessionEnd | null): Problem {
  const details = { field: 'exchange-token', rule: 'session' };
  if (reason === null) return new Problem('sessionInvalid', { details });
  return new Problem('sessionInvalid', {
    userMsg: `${ENDS[reason]} Log in again.`,
    details: { ...details, reason },
  });
}

/** True if a session authenticates a call that needs a privilege: it has a token and no key. */
export function comesBySession(headers: RequestHeaders): boolean {
  return headers.get('exchange-api-key') === null && sentToken(headers) !== null;
}

/**
 * The session of a call that needs a privilege. A logged-in user has every privilege over the own
 * account, and an admin that over the enterprise. Throws Problem sessionInvalid, crossOrigin,
 * privilegeMissing, stepUpNeeded, rateLimited.
 */
function authorizeSession(
  services: SessionServices,
  route: ApiCall,
  headers: RequestHeaders,
  ip: () => string,
): Session {
  const session = requireSession(services, route, headers, ip);
  const { access } = route;
  if (typeof access === 'object' && !allows(services, session, access.module)) {
    throw new Problem('privilegeMissing', {
      userMsg: `This call is for the admin of an enterprise: module ${access.module}.`,
      details: { field: 'moduleIds', rule: 'privilege', limit: access.module },
    });
  }
  if (route.stepUp === true && !services.identity.sessions.isSteppedUp(session)) {
    throw new Problem('stepUpNeeded', { details: { field: 'googleAuthCode', rule: 'stepUp' } });
  }
  return session;
}

/**
 * The live session of a request. A request without one counts against its address. Throws Problem
 * sessionInvalid, crossOrigin, rateLimited.
 */
function requireSession(
  services: SessionServices,
  route: Pick<ApiCall, 'method'>,
  headers: RequestHeaders,
  ip: () => string,
): Session {
  try {
    return authenticateSession(services, headers, route);
  } catch (error) {
    services.limits.publicCall(rateKeyOf(ip()));
    throw error;
  }
}

/**
 * The session that authenticates a call; null for a public call, and where a key has to. Throws
 * Problem sessionInvalid, crossOrigin, privilegeMissing, stepUpNeeded, rateLimited.
 */
export function sessionOf(
  services: SessionServices,
  route: ApiCall,
  headers: RequestHeaders,
  ip: () => string,
): Session | null {
  if (route.access === 'public') return null;
  if (route.access === 'session') return requireSession(services, route, headers, ip);
  return comesBySession(headers) ? authorizeSession(services, route, headers, ip) : null;
}

function allows({ engine }: Pick<Services, 'engine'>, { uid }: Session, module: ModuleId): boolean {
  return (
    module !== Module.enterpriseAdmin || engine.exchange.state.users[uid]?.enterpriseAdmin === true
  );
}

// Who has logged in: by the header `exchange-token`, which scripts send, or by a cookie, which
// browsers send by themselves. A change under the cookie is accepted only from a page of this
// service, and the cookie is given only to such a page, over TLS or to this very machine.
import { Problem } from '../../contract/problem.ts';
import { rateKeyOf } from '../../identity/address-range.ts';
import { Module, type ModuleId } from '../../identity/live-key.ts';
import { SESSION_ABSOLUTE_MS, type Session } from '../../identity/sessions.ts';
import type { Route } from '../http/route.ts';
import type { Limits } from '../limits/limits.ts';
import type { Services } from '../services.ts';

const SESSION_COOKIE = 'agio';
/** The prefix lets browsers keep a cookie for exactly this host, over TLS only (RFC 6265bis). */
const TLS_PREFIX = '__Host-';
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';
const TLS_ATTRIBUTES = `${ATTRIBUTES}; Secure`;

/** The live session of a request. Throws Problem sessionInvalid or crossOrigin. */
export function authenticateSession(
  { identity }: Pick<Services, 'identity'>,
  headers: Headers,
  { method }: Pick<Route, 'method'>,
): Session {
  const token = sentToken(headers);
  const session = token === null ? undefined : identity.sessions.find(token);
  if (session === undefined) {
    const details = { field: 'exchange-token', rule: 'session' };
    throw new Problem('sessionInvalid', { details });
  }
  // Whoever can set the header has read the token: no page of another site can.
  const byCookie = headers.get('exchange-token') === null;
  if (byCookie && method !== 'GET' && !isOwnPage(headers)) throw new Problem('crossOrigin');
  return session;
}

/** Whether a call that needs a privilege is to be judged by a session: there is one, and no key. */
export function comesBySession(headers: Headers): boolean {
  return headers.get('exchange-api-key') === null && sentToken(headers) !== null;
}

/**
 * The session of a call that needs a privilege. A person has all of them over their own account, and
 * that over an enterprise as its admin. Throws Problem sessionInvalid, crossOrigin, privilegeMissing,
 * stepUpNeeded; rateLimited for an address that comes with dead tokens too often.
 */
export function authorizeSession(
  services: Pick<Services, 'identity' | 'engine'>,
  limits: Limits,
  route: Route,
  headers: Headers,
  ip: () => string,
): Session {
  const session = knownSession(services, limits, route, headers, ip);
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
 * The live session of a request. Who has none is a stranger, and counted as one: by the address.
 * Throws Problem sessionInvalid, crossOrigin, rateLimited.
 */
export function knownSession(
  services: Pick<Services, 'identity' | 'engine'>,
  limits: Limits,
  route: Pick<Route, 'method'>,
  headers: Headers,
  ip: () => string,
): Session {
  try {
    return authenticateSession(services, headers, route);
  } catch (error) {
    limits.publicCall(rateKeyOf(ip()), services.engine.wall());
    throw error;
  }
}

function allows({ engine }: Pick<Services, 'engine'>, { uid }: Session, module: ModuleId): boolean {
  return (
    module !== Module.enterpriseAdmin || engine.exchange.state.users[uid]?.enterpriseAdmin === true
  );
}

/** The token that came with a request, live or not; null for none. The header goes first. */
export function sentToken(headers: Headers): string | null {
  return headers.get('exchange-token') ?? readCookie(headers, SESSION_COOKIE)?.value ?? null;
}

/** The header that makes a page of this service keep the token; null for everybody else. */
export function cookieOf(token: string, headers: Headers): Readonly<Record<string, string>> | null {
  const cookie = pageCookie(headers, SESSION_COOKIE, token, SESSION_ABSOLUTE_MS / 1000);
  return cookie === null ? null : { 'Set-Cookie': cookie };
}

/**
 * A cookie for the page of this service that sent the request: over TLS for this host alone, without
 * TLS on this machine alone. Null for everybody else.
 */
export function pageCookie(
  headers: Headers,
  name: string,
  value: string,
  seconds: number,
): string | null {
  if (!isOwnPage(headers)) return null;
  // A browser says with every write which page it comes from, and so whether that came over TLS,
  // also where a proxy in front of this process ends the TLS.
  const origin = headers.get('origin') ?? '';
  if (origin.startsWith('https://')) return setCookie(TLS_PREFIX + name, value, seconds);
  return isLoopback(headers) ? setCookie(name, value, seconds) : null;
}

/**
 * A new token for the session of a browser that has changed what protects the account: whoever had
 * copied the old one is out. A script, which sends its token itself, keeps it. To be called when the
 * change is done; the headers of the answer, null for none.
 */
export function renewCookie(
  { identity }: Pick<Services, 'identity'>,
  { sessionId }: Session,
  headers: Headers,
): Readonly<Record<string, string>> | null {
  const isKept = headers.get('exchange-token') === null && cookieOf('', headers) !== null;
  const renewed = isKept ? identity.sessions.renew(sessionId) : undefined;
  return renewed === undefined ? null : cookieOf(renewed.token, headers);
}

export interface RenewedToken {
  /** For a script, which has to be told; a browser is given the cookie. */
  readonly told: { readonly token?: string };
  readonly headers: Readonly<Record<string, string>> | null;
}

/** As `renewCookie`, also for a script, whose answer tells the new token. */
export function renewToken(
  services: Pick<Services, 'identity'>,
  session: Session,
  headers: Headers,
): RenewedToken {
  if (headers.get('exchange-token') === null) {
    return { told: {}, headers: renewCookie(services, session, headers) };
  }
  const renewed = services.identity.sessions.renew(session.sessionId);
  return { told: renewed === undefined ? {} : { token: renewed.token }, headers: null };
}

/** The header that makes a browser forget the cookie that it sent; null where it sent none. */
export function forgetCookie(headers: Headers): Readonly<Record<string, string>> | null {
  const sent = readCookie(headers, SESSION_COOKIE);
  return sent === null ? null : { 'Set-Cookie': setCookie(sent.name, '', 0) };
}

function setCookie(name: string, value: string, seconds: number): string {
  const attributes = name.startsWith(TLS_PREFIX) ? TLS_ATTRIBUTES : ATTRIBUTES;
  return `${name}=${value}; ${attributes}; Max-Age=${seconds}`;
}

/** A cookie that was set by `pageCookie`, under the name that it then has. */
export function readCookie(
  headers: Headers,
  plainName: string,
): { readonly name: string; readonly value: string } | null {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  // The plain name could be set by a neighboring host, so it is believed on this machine alone.
  const tlsName = TLS_PREFIX + plainName;
  const names = isLoopback(headers) ? [tlsName, plainName] : [tlsName];
  for (const name of names) {
    const found = pairs.find((pair) => pair.startsWith(`${name}=`));
    if (found !== undefined) return { name, value: found.slice(name.length + 1) };
  }
  return null;
}

/**
 * Whether a browser says that a page of this very origin sent this. Sec-Fetch-Site is the better
 * witness, since a proxy may change Host; browsers leave it out where there is no TLS.
 */
function isOwnPage(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = /^https?:\/\/([^/]+)$/.exec(headers.get('origin') ?? '')?.[1];
  return origin !== undefined && origin === headers.get('host');
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

const isLoopback = (headers: Headers): boolean => LOOPBACK.test(headers.get('host') ?? '');

// The session and the known browser as cookies. A cookie goes only to a page of this service, over
// TLS or on this machine; scripts send the header `exchange-token` instead.
import { DEVICE_MS } from '../../identity/proofs/known-devices.ts';
import { SESSION_ABSOLUTE_MS, type Session } from '../../identity/sessions.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestHeaders } from '../http/request-headers.ts';
import type { Services } from '../services.ts';

const SESSION_COOKIE = 'agio';
/** With it, a user's failed logins in a known browser have a count of their own (lockout.ts). */
const DEVICE_COOKIE = 'agio-device';
/** With this prefix, browsers keep a cookie for exactly this host, over TLS only (RFC 6265bis). */
const TLS_PREFIX = '__Host-';
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';
const TLS_ATTRIBUTES = `${ATTRIBUTES}; Secure`;

type WithIdentity = Pick<Services, 'identity'>;
type SetCookie = Readonly<Record<string, string>>;

/** The token of a request, live or not; null for none. The header has precedence. */
export function sentToken(headers: RequestHeaders): string | null {
  return headers.get('exchange-token') ?? readCookie(headers, SESSION_COOKIE)?.value ?? null;
}

/** The device cookie of a request, not verified; null for none. */
export const sentDevice = (headers: RequestHeaders): string | null =>
  readCookie(headers, DEVICE_COOKIE)?.value ?? null;

/** The header that stores the token in a page of this service; null for every other caller. */
export function cookieOf(token: string, headers: RequestHeaders): SetCookie | null {
  const cookie = pageCookie(headers, SESSION_COOKIE, token, SESSION_ABSOLUTE_MS / 1000);
  return cookie === null ? null : { 'Set-Cookie': cookie };
}

/** The reply with the cookie of a known browser; unchanged for a caller that is not a page. */
export function rememberDevice<W>(
  { identity }: WithIdentity,
  headers: RequestHeaders,
  uid: number,
  reply: Reply<W>,
): Reply<W> {
  const owner = identity.users.find(uid);
  if (owner === undefined) return reply;
  const value = identity.devices.issue(owner);
  const cookie = pageCookie(headers, DEVICE_COOKIE, value, DEVICE_MS / 1000);
  return cookie === null ? reply : { ...reply, cookies: [cookie] };
}

/**
 * Replaces the token of a browser after a change of what protects the account, so that a copy of
 * the old one no longer works. A script keeps its token. The headers of the answer; null for none.
 */
export function renewCookie(
  { identity }: WithIdentity,
  { sessionId }: Session,
  headers: RequestHeaders,
): SetCookie | null {
  const isKept = headers.get('exchange-token') === null && cookieOf('', headers) !== null;
  const renewed = isKept ? identity.sessions.renew(sessionId) : undefined;
  return renewed === undefined ? null : cookieOf(renewed.token, headers);
}

export interface RenewedToken {
  /** The new token of a script; a browser gets the cookie. */
  readonly body: { readonly token?: string };
  readonly headers: SetCookie | null;
}

/** Replaces the token of a browser or of a script. */
export function renewToken(
  services: WithIdentity,
  session: Session,
  headers: RequestHeaders,
): RenewedToken {
  if (headers.get('exchange-token') === null) {
    return { body: {}, headers: renewCookie(services, session, headers) };
  }
  const renewed = services.identity.sessions.renew(session.sessionId);
  return { body: renewed === undefined ? {} : { token: renewed.token }, headers: null };
}

/** The header that deletes the session cookie of a browser; null where it sent none. */
export function forgetCookie(headers: RequestHeaders): SetCookie | null {
  const sent = readCookie(headers, SESSION_COOKIE);
  return sent === null ? null : { 'Set-Cookie': setCookie(sent.name, '', 0) };
}

/**
 * True if a browser states that a page of this origin sent the request. Sec-Fetch-Site comes first,
 * since a proxy may change Host; browsers omit it without TLS.
 */
export function isOwnPage(headers: RequestHeaders): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = /^https?:\/\/([^/]+)$/.exec(headers.get('origin') ?? '')?.[1];
  return origin !== undefined && origin === headers.get('host');
}

/** A cookie for the page that sent the request: over TLS, or on this machine; null otherwise. */
function pageCookie(
  headers: RequestHeaders,
  name: string,
  value: string,
  seconds: number,
): string | null {
  if (!isOwnPage(headers)) return null;
  // A browser sends the page's origin with every write, which shows whether the page came over TLS,
  // also where a proxy ends the TLS.
  const origin = headers.get('origin') ?? '';
  if (origin.startsWith('https://')) return setCookie(TLS_PREFIX + name, value, seconds);
  return isLoopback(headers) ? setCookie(name, value, seconds) : null;
}

function setCookie(name: string, value: string, seconds: number): string {
  const attributes = name.startsWith(TLS_PREFIX) ? TLS_ATTRIBUTES : ATTRIBUTES;
  return `${name}=${value}; ${attributes}; Max-Age=${seconds}`;
}

/** A cookie of `pageCookie`, with the name that it has. */
function readCookie(
  headers: RequestHeaders,
  plainName: string,
): { readonly name: string; readonly value: string } | null {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  // A neighboring host could set the plain name, so only this machine may use it.
  const tlsName = TLS_PREFIX + plainName;
  const names = isLoopback(headers) ? [tlsName, plainName] : [tlsName];
  for (const name of names) {
    const found = pairs.find((pair) => pair.startsWith(`${name}=`));
    if (found !== undefined) return { name, value: found.slice(name.length + 1) };
  }
  return null;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

const isLoopback = (headers: RequestHeaders): boolean => LOOPBACK.test(headers.get('host') ?? '');

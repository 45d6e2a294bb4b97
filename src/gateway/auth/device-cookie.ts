// The cookie of a browser in which a user has logged in. With it, a login has a count of failures of
// its own, so that nobody else in the same network can make the owner wait.
import { DEVICE_MS } from '../../identity/proofs/known-devices.ts';
import type { User } from '../../identity/users.ts';
import type { Reply } from '../http/reply.ts';
import type { Services } from '../services.ts';
import { pageCookie, readCookie } from './authenticate-session.ts';

const NAME = 'agio-device';

/** The name of the browser that sent this, where it is one of the user's; null otherwise. */
export function deviceOf(
  { identity }: Pick<Services, 'identity'>,
  headers: Headers,
  owner: User | undefined,
): string | null {
  const sent = readCookie(headers, NAME);
  return sent === null || owner === undefined ? null : identity.devices.nameOf(sent.value, owner);
}

/** The reply with the cookie that makes this browser one of the user's; unchanged for other callers. */
export function rememberDevice<W>(
  { identity }: Pick<Services, 'identity'>,
  headers: Headers,
  uid: number,
  reply: Reply<W>,
): Reply<W> {
  const owner = identity.users.find(uid);
  if (owner === undefined) return reply;
  const cookie = pageCookie(headers, NAME, identity.devices.issue(owner), DEVICE_MS / 1000);
  return cookie === null ? reply : { ...reply, cookies: [cookie] };
}

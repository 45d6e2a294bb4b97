// The check that the node that leads makes of every command which waited or came from elsewhere:
// its key or session may have been revoked since another node accepted it.
import { Problem } from '../contract/problem.ts';
import type { Access } from '../engine/command-port.ts';
import type { Identity } from '../identity/identity.ts';

/** null while the key or session is live, and for a command of the venue. `now` is in ms. */
export function accessRejection(
  { apiKeys, sessions }: Pick<Identity, 'apiKeys' | 'sessions'>,
  access: Access,
  now: number,
): Problem | null {
  if (access === null) return null;
  if ('sessionId' in access) {
    return sessions.isLive(access.sessionId) ? null : new Problem('sessionInvalid');
  }
  const key = apiKeys.lookupById(access.keyId);
  return key !== undefined && !key.isExpired(now) ? null : new Problem('signatureInvalid');
}

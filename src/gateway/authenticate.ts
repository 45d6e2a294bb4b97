// Who is calling, and may they. The checks come in an order that gives an attacker nothing: what is cheap first, the
// signature before anything is parsed, and privileges only for a caller who is known.

import { Problem } from '../contract/problem.ts';
import type { WriteSignature } from '../core/command.ts';
import type { LiveKey } from '../identity/live-key.ts';
import type { OperatorToken } from '../identity/operator-token.ts';
import { rateKeyOf } from './ip.ts';
import type { Limits } from './limits.ts';
import type { Route } from './route.ts';
import type { Services } from './services.ts';
import { type SignedRequest, verifySignature } from './signature.ts';

export interface Authenticated {
  readonly key: LiveKey;
  readonly signature: WriteSignature;
}

/** Longer than any key: what a stranger sends in its place is remembered while it counts as a failure. */
const MAX_NAME = 64;

/**
 * The key of a signed request that may use this route from here. Throws Problem: headersMissing, timestampOutside,
 * signatureInvalid, rateLimited, addressRefused, privilegeMissing.
 */
export function authenticate(
  services: Services,
  limits: Limits,
  route: Pick<Route, 'access'>,
  request: SignedRequest,
  ip: () => string,
): Authenticated {
  const now = services.engine.wall();
  const who = () => `${rateKeyOf(ip())} ${request.apiKey?.slice(0, MAX_NAME)}`;
  if (limits.hasFailures) limits.checkFailures(who(), now);
  const found =
    request.apiKey === null ? undefined : services.identity.apiKeys.lookup(request.apiKey);
  const key = found !== undefined && !found.isExpired(now) ? found : undefined;
  const verdict = verifySignature(key, request, now);
  if (!verdict.ok || key === undefined) {
    limits.countFailure(who(), now);
    throw verdict.ok ? new Problem('signatureInvalid') : verdict.problem;
  }
  if (key.ipAllowList !== null && !key.admits(ip())) throw new Problem('addressRefused');
  const { access } = route;
  if (typeof access === 'object' && !key.allows(access.module)) {
    throw new Problem('privilegeMissing', {
      userMsg: `The API key lacks the privilege for this call: module ${access.module}.`,
      details: { field: 'moduleIds', rule: 'privilege', limit: access.module },
    });
  }
  services.identity.apiKeys.touch(key, now);
  const { timestamp, digestHigh, digestLow } = verdict;
  return { key, signature: { keyId: key.keyId, timestamp, digestHigh, digestLow } };
}

const BEARER = /^Bearer ([\x21-\x7e]{1,512})$/;

/** Throws sessionInvalid, or rateLimited after too many wrong tokens from one address. */
export function authenticateOperator(
  services: Services,
  limits: Limits,
  token: OperatorToken,
  authorization: string | null,
  ip: () => string,
): void {
  const now = services.engine.wall();
  const who = `${rateKeyOf(ip())} operator`;
  limits.checkFailures(who, now);
  const presented = BEARER.exec(authorization ?? '')?.[1];
  if (presented !== undefined && token.matches(presented)) return;
  limits.countFailure(who, now);
  throw new Problem('sessionInvalid', {
    userMsg: 'Send the operator token as Authorization: Bearer <token>.',
    details: { field: 'Authorization', rule: 'required' },
  });
}

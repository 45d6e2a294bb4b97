// Authenticates signed calls and the operator. The order of the checks helps no attacker: cheap
// checks first, the signature before any parsing, and privileges only for an authenticated caller.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../contract/problem.ts';
import type { WriteSignature } from '../../core/command.ts';
import { rateKeyOf } from '../../identity/ip.ts';
import type { LiveKey } from '../../identity/live-key.ts';
import type { Route } from '../http/route.ts';
import type { Allowance, Limits } from '../limits/limits.ts';
import type { Services } from '../services.ts';
import type { SignedRequest } from './signature.ts';

export interface SignedCaller {
  readonly key: LiveKey;
  readonly signature: WriteSignature;
  /** The key's and the user's limits. */
  readonly passed: Allowance | null;
}

/** Like verifySignature, for any form of a signed request. */
type Verify<R> = (
  key: LiveKey | undefined,
  request: R,
  now: number,
) => Omit<WriteSignature, 'keyId'> | Problem;

/**
 * The key of a signed request that may use this route from here. Throws Problem: headersMissing,
 * timestampOutside, signatureInvalid, rateLimited, addressRejected, privilegeMissing.
 */
export function authenticate<R extends Pick<SignedRequest, 'apiKey'>>(
  services: Services,
  limits: Limits,
  { access, write }: Pick<Route, 'access' | 'write'>,
  request: R,
  ip: () => string,
  verify: Verify<R>,
): SignedCaller {
  const now = services.engine.wall();
  const claimed = request.apiKey ?? '';
  const found = services.identity.apiKeys.lookup(claimed);
  const key = found !== undefined && !found.isExpired(now) ? found : undefined;
  if (limits.hasFailures()) limits.checkFailures(rateKeyOf(ip()), claimed, key !== undefined);
  const verified = verify(key, request, now);
  if (verified instanceof Problem || key === undefined) {
    limits.countFailure(rateKeyOf(ip()), claimed);
    throw verified instanceof Problem ? verified : new Problem('signatureInvalid');
  }
  const passed = limits.privateCall({ key, uid: key.uid }, write);
  if (key.ipAllowList !== null && !key.admits(ip())) throw new Problem('addressRejected');
  if (typeof access === 'object' && !key.allows(access.module)) {
    throw new Problem('privilegeMissing', {
      userMsg: `The API key lacks the privilege for this call: module ${access.module}.`,
      details: { field: 'moduleIds', rule: 'privilege', limit: access.module },
    });
  }
  services.identity.apiKeys.touch(key, now);
  return { key, signature: { keyId: key.keyId, ...verified }, passed };
}

const TOKEN_BYTES = 32;

/**
 * The operator token, stored only as a digest. The check compares digests in constant time, so its
 * time reveals neither the length nor the content of the token.
 */
export class OperatorToken {
  readonly #digest: Buffer;

  constructor(token: string) {
    this.#digest = digestOf(token);
  }

  matches(presented: string): boolean {
    return timingSafeEqual(digestOf(presented), this.#digest);
  }
}

/** A new operator token: 256 random bits as 43 base64url characters. */
export const generateOperatorToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

const digestOf = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();

/** Counts failures in place of an API key; no header can have this text. */
const OPERATOR = '\noperator token';
const BEARER = /^Bearer ([\x21-\x7e]{1,512})$/;

/** Throws sessionInvalid, or rateLimited after too many wrong tokens from one address. */
export function authenticateOperator(
  limits: Limits,
  token: OperatorToken,
  authorization: string | null,
  ip: () => string,
): void {
  const address = rateKeyOf(ip());
  limits.checkFailures(address, OPERATOR, true);
  const presented = BEARER.exec(authorization ?? '')?.[1];
  if (presented !== undefined && token.matches(presented)) return;
  limits.countFailure(address, OPERATOR);
  throw new Problem('sessionInvalid', {
    userMsg: 'Send the operator token as Authorization: Bearer <token>.',
    details: { field: 'Authorization', rule: 'required' },
  });
}

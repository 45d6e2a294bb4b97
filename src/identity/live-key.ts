// One API key as the hot path sees it: what it may do, from where, until when, and a prepared HMAC.
// The secret itself is not here in any readable form; a key that is revoked says so at once to
// whoever still holds it (an open websocket, a request in flight).
import { randomBytes } from 'node:crypto';
import type { IpRanges } from './ip-ranges.ts';

/** The privileges of a key, as `moduleIds` on the wire. */
export const Module = {
  earnRead: 1,
  earnWrite: 2,
  earlyRedemption: 3,
  enterpriseAdmin: 4,
  tradingRead: 5,
  tradingWrite: 6,
} as const;

export type ModuleId = (typeof Module)[keyof typeof Module];

const MODULE_IDS: readonly number[] = Object.values(Module);

export function isModuleId(n: number): n is ModuleId {
  return MODULE_IDS.includes(n);
}

/** Everything but the secret. */
export interface KeyTerms {
  readonly keyId: number;
  readonly apiKey: string;
  readonly uid: number;
  readonly alias: string;
  readonly moduleIds: readonly ModuleId[];
  readonly ipAllowList: IpRanges | null;
  /** Wall clock, ms. */
  readonly expiresAt: number | null;
  readonly strictClOrdId: boolean;
  readonly replayGuard: boolean;
}

export class LiveKey implements KeyTerms {
  readonly keyId: number;
  readonly apiKey: string;
  readonly uid: number;
  readonly alias: string;
  readonly moduleIds: readonly ModuleId[];
  readonly ipAllowList: IpRanges | null;
  readonly expiresAt: number | null;
  readonly strictClOrdId: boolean;
  readonly replayGuard: boolean;
  readonly #granted: number;
  readonly #keyed: Bun.CryptoHasher;
  #revoked = false;

  /** `secret` holds the characters of the secret key; the caller wipes it afterwards. */
  constructor(terms: KeyTerms, secret: Uint8Array) {
    this.keyId = terms.keyId;
    this.apiKey = terms.apiKey;
    this.uid = terms.uid;
    this.alias = terms.alias;
    this.moduleIds = terms.moduleIds;
    this.ipAllowList = terms.ipAllowList;
    this.expiresAt = terms.expiresAt;
    this.strictClOrdId = terms.strictClOrdId;
    this.replayGuard = terms.replayGuard;
    this.#granted = grantedBits(terms.moduleIds);
    this.#keyed = new Bun.CryptoHasher('sha256', secret);
  }

  /** True from the moment of revocation, also in the hands of those who looked it up before. */
  get revoked(): boolean {
    return this.#revoked;
  }

  /** Called by the directory alone. */
  markRevoked(): void {
    this.#revoked = true;
  }

  /** Whether the key has the privilege; 2, 3 and 4 include 1, and 6 does not include 5. */
  allows(module: ModuleId): boolean {
    return (this.#granted & (1 << module)) !== 0;
  }

  /** Whether the key has lapsed at this wall clock time. */
  isExpired(now: number): boolean {
    return this.expiresAt !== null && now >= this.expiresAt;
  }

  /** Whether the key may be used from this address. */
  admits(ip: string): boolean {
    return this.ipAllowList === null || this.ipAllowList.contains(ip);
  }

  /** A fresh HMAC-SHA256 under the secret, to be fed with the signed string and digested once. */
  hmac(): Bun.CryptoHasher {
    return this.#keyed.copy();
  }
}

const decoy = new Bun.CryptoHasher('sha256', randomBytes(32));

/**
 * An HMAC under a key that nobody has, so that an unknown API key costs the same time as a known
 * one.
 */
export function decoyHmac(): Bun.CryptoHasher {
  return decoy.copy();
}

function grantedBits(moduleIds: readonly ModuleId[]): number {
  let bits = 0;
  for (const id of moduleIds) bits |= 1 << id;
  const earnBeyondReading =
    (1 << Module.earnWrite) | (1 << Module.earlyRedemption) | (1 << Module.enterpriseAdmin);
  return (bits & earnBeyondReading) === 0 ? bits : bits | (1 << Module.earnRead);
}

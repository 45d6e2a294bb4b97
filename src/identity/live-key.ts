// One API key for the hot path: privileges, address ranges, expiry, and a prepared HMAC in place
// of the secret. A revoked key shows it immediately to every holder, such as an open websocket.
import { Module, type ModuleId } from '../contract/call.ts';
import type { IpRanges } from './ip.ts';

export { Module, type ModuleId };

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

/** Room for a digest: Bun asks for this much, whatever the digest's size. */
export const DIGEST_ROOM = 64;

/** A prepared secret: the key schedule is computed once, and each request copies its state. */
export class SigningKey {
  readonly #prepared: Bun.CryptoHasher;

  constructor(secret: string | Uint8Array) {
    this.#prepared = new Bun.CryptoHasher('sha256', secret as string | NodeJS.TypedArray);
  }

  /**
   * Writes the HMAC-SHA256 of `head` (as UTF-8) followed by `body` into the first 32 bytes of
   * `target`, which must have DIGEST_ROOM.
   */
  digest(head: string, body: Uint8Array, target: Uint8Array): void {
    const hasher = this.#prepared.copy();
    hasher.update(head);
    if (body.length > 0) hasher.update(body);
    hasher.digest(target as Uint8Array<ArrayBuffer>);
  }
}

export class LiveKey extends SigningKey implements KeyTerms {
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
  #revoked = false;

  /** `secret` is the text of the secret key in bytes; the caller wipes it afterwards. */
  constructor(terms: KeyTerms, secret: Uint8Array) {
    super(secret);
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
  }

  /** True from the moment of revocation, also for holders that looked the key up before. */
  get revoked(): boolean {
    return this.#revoked;
  }

  /** Only the directory calls this. */
  markRevoked(): void {
    this.#revoked = true;
  }

  /** True if the key has the privilege; 2, 3 and 4 include 1, and 6 does not include 5. */
  allows(module: ModuleId): boolean {
    return (this.#granted & (1 << module)) !== 0;
  }

  /** True if the key has expired at this wall clock time. */
  isExpired(now: number): boolean {
    return this.expiresAt !== null && now >= this.expiresAt;
  }

  /** True if the key may be used from this address. */
  admits(ip: string): boolean {
    return this.ipAllowList === null || this.ipAllowList.contains(ip);
  }
}

function grantedBits(moduleIds: readonly ModuleId[]): number {
  let bits = 0;
  for (const id of moduleIds) bits |= 1 << id;
  const earnBeyondReading =
    (1 << Module.earnWrite) | (1 << Module.earlyRedemption) | (1 << Module.enterpriseAdmin);
  return (bits & earnBeyondReading) === 0 ? bits : bits | (1 << Module.earnRead);
}
